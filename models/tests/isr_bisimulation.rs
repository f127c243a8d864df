//! The compact state against the unbounded protocol: on random runs each step does the same to
//! both, so the saturation of ages and the order of offsets lose nothing that a rule sees.

use isrlab_models::isr::setting::{Behaviour, LimitedReads, Setting, Start};
use isrlab_models::isr::state::{Expanded, State, compress, expand};
use isrlab_models::isr::step::{Action, Effect, for_each_step, initial_states};
use isrlab_sim::protocol::{Acks, IsrCriterion, NewLeaderReset};
use proptest::prelude::*;

/// A run of the protocol itself: real offsets and a clock that only goes on.
struct Unbounded {
    setting: Setting,
    real: Expanded,
    /// Ages, flags and phase, with ages of fetches that do not stop at a cap.
    fetch_ages: [u64; 2],
    rest: State,
}

impl Unbounded {
    fn begin(setting: Setting, start: &State) -> Self {
        let fetch_ages = start.followers.map(|follower| u64::from(follower.fetch_age));
        Unbounded { setting, real: expand(&setting, start), fetch_ages, rest: *start }
    }

    /// Takes an action; says whether the first follower was removed, and whether it joined.
    fn take(&mut self, action: Action) -> (bool, bool) {
        let settings = self.setting.leader();
        let now = self.real.now;
        match action {
            Action::Append(records) => {
                self.real.leader.append(&settings, records.into(), Acks::Leader, now).expect("it leads");
                self.rest.appended = true;
                (false, false)
            }
            Action::Fetch(slot) | Action::Return(slot) => {
                let index = usize::from(slot) - 1;
                let leo = self.real.leader.log_end_offset();
                let offset = self.real.held[index];
                let effect = self.real.leader.fetch(&settings, slot.into(), offset, now);
                let most = self.setting.reads.map_or(i64::MAX, |reads| reads.records.into());
                self.real.held[index] += most.min(leo - offset);
                self.fetch_ages[index] = 0;
                self.rest.followers[index].diligent |= matches!(action, Action::Return(_));
                (false, index == 0 && effect.joined)
            }
            Action::Check => {
                self.rest.check_due = false;
                (self.real.leader.check_isr(&settings, now).contains(1), false)
            }
            Action::Tick => {
                self.real.now += 1;
                self.rest.phase = (self.rest.phase + 1) % self.setting.period;
                self.rest.check_due = self.rest.phase == 0;
                self.rest.appended = false;
                for age in self.fetch_ages.iter_mut().take(usize::from(self.setting.followers)) {
                    *age += 1;
                }
                (false, false)
            }
        }
    }

    fn compact(&self) -> State {
        let mut rest = self.rest;
        let cap = u64::from(self.setting.fetch_cap());
        for (follower, age) in rest.followers.iter_mut().zip(self.fetch_ages) {
            follower.fetch_age = age.min(cap) as u8;
        }
        compress(&self.setting, &self.real, &rest)
    }
}

fn any_setting() -> impl Strategy<Value = Setting> {
    let resets = [
        NewLeaderReset::FetchTimeNow,
        NewLeaderReset::KeepTimes,
        NewLeaderReset::ForgetAll,
        NewLeaderReset::IsrNow,
        NewLeaderReset::IsrNowOthersNever,
    ];
    let numbers = (1u8..=5, 1u8..=6, 1u8..=7, 1u8..=3, 1u8..=6, proptest::option::of((1u8..=4, 4u8..=12)));
    let kinds = (
        proptest::sample::select(IsrCriterion::ALL.to_vec()),
        proptest::sample::select(resets.to_vec()),
        proptest::sample::select(Behaviour::ALL.to_vec()),
        proptest::sample::select(Start::ALL.to_vec()),
        1u8..=2,
    );
    (numbers, kinds, any::<bool>()).prop_map(|(numbers, kinds, alike)| {
        let (lag, period, gap, writes, messages_max, reads) = numbers;
        let (criterion, reset, behaviour, start, followers) = kinds;
        let reads = reads.map(|(records, backlog)| LimitedReads { records, backlog });
        Setting {
            reset,
            lag,
            period,
            gap,
            writes,
            messages_max,
            reads,
            behaviour,
            start,
            followers,
            alike,
            ..Setting::of(criterion)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_compact_state_goes_where_the_protocol_goes(
        setting in any_setting(),
        start in any::<u16>(),
        choices in proptest::collection::vec(any::<u16>(), 1..400),
    ) {
        let starts = initial_states(&setting);
        let mut compact = starts[usize::from(start) % starts.len()];
        let mut unbounded = Unbounded::begin(setting, &compact);
        for choice in choices {
            let mut steps: Vec<(Action, Effect, State)> = Vec::new();
            for_each_step(&setting, &compact, |action, effect, next| steps.push((action, effect, next)));
            prop_assert!(!steps.is_empty(), "nothing can happen in {compact:?}");
            let (action, effect, next) = steps[usize::from(choice) % steps.len()];
            let (removed, joined) = unbounded.take(action);
            prop_assert_eq!((effect.removed, effect.joined), (removed, joined), "{} in {:?}", action, compact);
            prop_assert_eq!(next, unbounded.compact(), "after {} in {:?}", action, compact);
            prop_assert_eq!(State::unpack(next.pack()), next);
            compact = next;
        }
    }
}
