//! What can happen in a tick, and what it does, by the protocol's own code.

use std::fmt;

use isrlab_sim::invariants::{Invariant, StepMemory, check_step};
use isrlab_sim::protocol::{Acks, FollowerLog, IsrCriterion, Offset, PartitionLeader, ReplicaSet};

use super::setting::{Behaviour, Setting, Start};
use super::state::{Expanded, Follower, NOW, State, UNKNOWN, compress, expand};

/// One action. Followers are numbered from 1, as their slots are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// The producer appends so many records; once a tick at most.
    Append(u8),
    /// A fetch of that follower arrives; once a tick at most.
    Fetch(u8),
    /// A fetch of that follower arrives, and from now on it is diligent.
    Return(u8),
    /// The periodic check runs; it must, in each tick that is a multiple of P.
    Check,
    /// Time moves on by one tick.
    Tick,
}

impl Action {
    /// The kinds of action, by [`Action::kind`].
    pub const KINDS: [&'static str; 5] = ["append", "fetch", "return", "check", "tick"];

    /// The index of its kind in [`Action::KINDS`].
    pub fn kind(self) -> usize {
        match self {
            Action::Append(_) => 0,
            Action::Fetch(_) => 1,
            Action::Return(_) => 2,
            Action::Check => 3,
            Action::Tick => 4,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Append(1) => f.write_str("1 record is appended"),
            Action::Append(records) => write!(f, "{records} records are appended"),
            Action::Fetch(follower) => write!(f, "a fetch of follower {follower} arrives"),
            Action::Return(follower) => {
                write!(f, "a fetch of follower {follower} arrives, diligent from now on")
            }
            Action::Check => f.write_str("the check runs"),
            Action::Tick => f.write_str("time moves on by a tick"),
        }
    }
}

/// What a step did to the first follower, beside its successor state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The check removed it from the ISR.
    pub removed: bool,
    /// Its fetch added it to the ISR.
    pub joined: bool,
    /// Its fetch was answered with all up to the leader's log end offset.
    pub reached_leo: bool,
    /// It was removed at an instant at which a fetch like its last would pass the join test.
    pub last_fetch_would_join: bool,
    /// It was removed at an instant at which its next fetch would pass the join test.
    pub next_fetch_would_join: bool,
    /// As above, right after the removal: by then it may have raised the high watermark.
    pub next_fetch_joins_after: bool,
}

/// What the models hold true at every step, beside the simulator's [`Invariant`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// An invariant that the simulator checks too.
    Shared(Invariant),
    /// Every acknowledged record is on every member of the ISR, not only known to be.
    AcknowledgedOnEveryMember,
    /// No follower's lag in messages rises, unless something is appended.
    LagRisesByAppendsOnly,
    /// No caught-up age rises, unless time moves on, and then by as much.
    AgeRisesByTimeOnly,
}

impl Rule {
    /// All of them, in the order of [`State::broken`].
    pub fn all() -> impl Iterator<Item = Rule> {
        let own = [Rule::AcknowledgedOnEveryMember, Rule::LagRisesByAppendsOnly, Rule::AgeRisesByTimeOnly];
        Invariant::ALL.into_iter().map(Rule::Shared).chain(own)
    }

    /// The rule as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Rule::Shared(invariant) => invariant.sentence(),
            Rule::AcknowledgedOnEveryMember => "every record below the high watermark is on every ISR member",
            Rule::LagRisesByAppendsOnly => "no follower's lag in messages rises unless records are appended",
            Rule::AgeRisesByTimeOnly => "no caught-up age rises but with time",
        }
    }

    /// Whether the rule is about lag and age (question 6), not about what is committed (question 5).
    pub fn is_about_lag(self) -> bool {
        matches!(self, Rule::LagRisesByAppendsOnly | Rule::AgeRisesByTimeOnly)
    }

    /// The rule that a state says was broken by the step into it.
    pub fn broken_in(state: &State) -> Option<Rule> {
        Rule::all().nth(usize::from(state.broken).checked_sub(1)?)
    }
}

/// The states that a run can begin in, each once, in a fixed order. The first tick may stand
/// anywhere between two checks.
pub fn initial_states(setting: &Setting) -> Vec<State> {
    let mut states = match setting.start {
        Start::Established => vec![established(setting)],
        Start::Election => elections(setting),
    };
    states.sort_unstable();
    states.dedup();
    let phases =
        |state: State| (0..setting.period).map(move |phase| State { phase, check_due: phase == 0, ..state });
    states.into_iter().flat_map(phases).collect()
}

fn is_diligent_at_start(setting: &Setting, index: usize) -> bool {
    setting.behaviour_of(index) == Behaviour::Diligent
}

fn blank(setting: &Setting) -> State {
    let mut followers = [Follower::default(); 2];
    for (index, follower) in followers.iter_mut().enumerate().take(usize::from(setting.followers)) {
        follower.diligent = is_diligent_at_start(setting, index);
    }
    State {
        followers,
        high_watermark: 0,
        epoch_start: UNKNOWN,
        isr: 0,
        phase: 0,
        check_due: false,
        appended: false,
        broken: 0,
    }
}

fn established(setting: &Setting) -> State {
    let isr = ReplicaSet::first(usize::from(setting.followers) + 1);
    let state = State { isr: isr.bits() as u8, ..blank(setting) };
    // Once through the protocol's types, to forget what the criterion does not use.
    compress(setting, &expand(setting, &state), &state)
}

/// All elections of the kind that [`Start::Election`] describes. The high watermark of the new
/// leader lies 0 … n + 1 records below its log end offset: enough for every order of the high
/// watermark, what each follower holds, and the log end; and, where messages are counted, 0 … M + 1.
fn elections(setting: &Setting) -> Vec<State> {
    const LEO: Offset = 100;
    let followers = usize::from(setting.followers);
    let leader_settings = setting.leader();
    let mut found = Vec::new();
    let counted = match setting.criterion {
        IsrCriterion::MaxMessages => Offset::from(setting.messages_max),
        _ => 0,
    };
    for uncommitted in 0..=counted.max(Offset::from(setting.followers)) + 1 {
        let high_watermark = LEO - uncommitted;
        let log = FollowerLog { log_end_offset: LEO, high_watermark };
        for isr in (0..1u32 << followers).map(|bits| ReplicaSet::from_bits(bits << 1 | 1)) {
            for_each_follower_choice(setting, high_watermark, LEO, isr, |choice| {
                let mut leader = PartitionLeader::<3>::new(followers + 1, 0, NOW);
                leader.set_log(log);
                let mut rest = blank(setting);
                let mut held = [0; 2];
                for index in 0..followers {
                    let Memory { caught_up_age, seen, holds, fetch_age } = choice[index];
                    let mut known = *leader.follower(index + 1);
                    known.last_caught_up = NOW - caught_up_age;
                    known.last_fetch_leader_leo = seen;
                    leader.set_follower(index + 1, known);
                    held[index] = holds;
                    rest.followers[index].fetch_age = fetch_age;
                }
                leader.become_leader(&leader_settings, isr, NOW);
                found.push(compress(setting, &Expanded { leader, held, now: NOW }, &rest));
            });
        }
    }
    found
}

/// What one follower brings into an election.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    /// Age of the last caught-up time that the new leader remembers from an earlier term.
    caught_up_age: i64,
    /// The log end offset that it remembers from an earlier term of its own; −1 for none.
    seen: Offset,
    /// What the follower holds.
    holds: Offset,
    /// Age of the follower's last fetch, from the old leader.
    fetch_age: u8,
}

fn for_each_follower_choice(
    setting: &Setting,
    high_watermark: Offset,
    leo: Offset,
    isr: ReplicaSet,
    mut visit: impl FnMut([Memory; 2]),
) {
    let choices = |index: usize| -> Vec<Memory> {
        let lowest = if isr.contains(index + 1) { high_watermark } else { high_watermark - 1 };
        // Only a diligent follower's next fetch depends on when its last one was.
        let oldest = if is_diligent_at_start(setting, index) { setting.gap } else { 1 };
        let mut list = Vec::new();
        for holds in lowest..=leo {
            for fetch_age in 1..=oldest {
                for caught_up_age in 0..=i64::from(setting.caught_up_cap()) {
                    for seen in [-1, leo] {
                        list.push(Memory { caught_up_age, seen, holds, fetch_age });
                    }
                }
            }
        }
        list
    };
    let second = if setting.followers == 2 { choices(1) } else { vec![Memory::default()] };
    for first in choices(0) {
        for &second in &second {
            visit([first, second]);
        }
    }
}

/// Calls `visit` with every enabled action, what it does to the first follower, and the state it
/// leads to; in a fixed order.
pub fn for_each_step(setting: &Setting, state: &State, mut visit: impl FnMut(Action, Effect, State)) {
    let expanded = expand(setting, state);
    let mut go = |action: Action| {
        let (effect, next) = take(setting, state, expanded, action);
        visit(action, effect, next);
    };
    for records in appends(setting, state) {
        go(Action::Append(records));
    }
    for index in 0..usize::from(setting.followers) {
        let follower = &state.followers[index];
        if follower.fetch_age > 0 {
            go(Action::Fetch(index as u8 + 1));
            if setting.behaviour_of(index) == Behaviour::Returning && !follower.diligent {
                go(Action::Return(index as u8 + 1));
            }
        }
    }
    if state.check_due {
        go(Action::Check);
    }
    if may_tick(setting, state) {
        go(Action::Tick);
    }
}

/// Whether an action is enabled.
pub fn is_enabled(setting: &Setting, state: &State, action: Action) -> bool {
    let mut found = false;
    for_each_step(setting, state, |enabled, _, _| found |= enabled == action);
    found
}

/// Takes one enabled action: what it does to the first follower, and the state it leads to.
pub fn step(setting: &Setting, state: &State, action: Action) -> (Effect, State) {
    take(setting, state, expand(setting, state), action)
}

fn appends(setting: &Setting, state: &State) -> impl Iterator<Item = u8> + use<> {
    let room = match setting.reads {
        None => setting.writes,
        Some(reads) => {
            let followers = &state.followers[..usize::from(setting.followers)];
            let behind = followers.iter().map(|follower| follower.held).max().unwrap_or(0);
            setting.writes.min(reads.backlog.saturating_sub(behind))
        }
    };
    let fewest = if setting.steady { setting.writes.max(1) } else { 1 };
    let most = if state.appended { 0 } else { room };
    fewest..=most
}

fn may_tick(setting: &Setting, state: &State) -> bool {
    let in_time = |follower: &Follower| !follower.diligent || follower.fetch_age < setting.gap;
    let producer_done = !setting.steady || appends(setting, state).next().is_none();
    !state.check_due && producer_done && state.followers[..usize::from(setting.followers)].iter().all(in_time)
}

/// What an action does to the leader and to what the followers hold, by the protocol alone: the
/// same for a state of the model and for a leader in the middle of a run.
pub fn advance(setting: &Setting, before: &Expanded, action: Action) -> Expanded {
    let mut after = *before;
    let settings = setting.leader();
    match action {
        Action::Append(records) => {
            after
                .leader
                .append(&settings, Offset::from(records), Acks::Leader, after.now)
                .expect("a leader takes acks=1");
        }
        Action::Fetch(slot) | Action::Return(slot) => {
            let index = usize::from(slot) - 1;
            let offset = before.held[index];
            after.leader.fetch(&settings, usize::from(slot), offset, after.now);
            let most = setting.reads.map_or(Offset::MAX, |reads| Offset::from(reads.records));
            after.held[index] = offset + (before.leader.log_end_offset() - offset).min(most);
        }
        Action::Check => {
            after.leader.check_isr(&settings, after.now);
        }
        Action::Tick => after.now += 1,
    }
    after
}

fn take(setting: &Setting, state: &State, before: Expanded, action: Action) -> (Effect, State) {
    let after = advance(setting, &before, action);
    let mut rest = *state;
    let mut effect = Effect::default();
    match action {
        Action::Append(_) => rest.appended = true,
        Action::Fetch(slot) | Action::Return(slot) => {
            let index = usize::from(slot) - 1;
            rest.followers[index].fetch_age = 0;
            rest.followers[index].diligent |= matches!(action, Action::Return(_));
            if index == 0 {
                effect.joined = after.leader.isr().contains(1) && !before.leader.isr().contains(1);
                effect.reached_leo = after.held[0] == before.leader.log_end_offset();
            }
        }
        Action::Check => {
            rest.check_due = false;
            if before.leader.isr().without(after.leader.isr()).contains(1) {
                effect.removed = true;
                let known = before.leader.follower(1).log_end_offset;
                effect.last_fetch_would_join = known >= 0 && would_join(setting, &before.leader, known);
                effect.next_fetch_would_join = would_join(setting, &before.leader, before.held[0]);
                effect.next_fetch_joins_after = would_join(setting, &after.leader, before.held[0]);
            }
        }
        Action::Tick => {
            rest.phase = (state.phase + 1) % setting.period;
            rest.check_due = rest.phase == 0;
            rest.appended = false;
            let cap = setting.fetch_cap();
            for follower in rest.followers.iter_mut().take(usize::from(setting.followers)) {
                follower.fetch_age = cap.min(follower.fetch_age + 1);
            }
        }
    }
    let mut next = compress(setting, &after, &rest);
    next.broken = broken_rule(setting, &before, &after, action).map_or(0, |number| number + 1);
    (effect, next)
}

/// Whether a fetch at `offset` by the first follower, out of the ISR, would bring it in now: asked
/// of the protocol itself, on a copy.
fn would_join(setting: &Setting, leader: &PartitionLeader<3>, offset: Offset) -> bool {
    let expelled = leader.isr().without(ReplicaSet::only(1));
    let mut copy = PartitionLeader::<3>::restored(
        usize::from(setting.followers) + 1,
        0,
        leader.log(),
        leader.epoch_start_offset(),
        expelled,
    );
    for slot in leader.follower_slots() {
        copy.set_follower(slot, *leader.follower(slot));
    }
    copy.fetch(&setting.leader(), 1, offset, NOW).joined
}

/// The number of the first [`Rule`] that a step broke.
fn broken_rule(setting: &Setting, before: &Expanded, after: &Expanded, action: Action) -> Option<u8> {
    let mut memory = StepMemory {
        log_end_offset: before.leader.log_end_offset(),
        high_watermark: before.leader.high_watermark(),
        acknowledged_end: before.leader.high_watermark(),
        lost_below: before.leader.high_watermark(),
    };
    let holds = |rule: Rule| match rule {
        Rule::Shared(_) => true,
        Rule::AcknowledgedOnEveryMember => (0..usize::from(setting.followers)).all(|index| {
            !after.leader.isr().contains(index + 1) || after.held[index] >= after.leader.high_watermark()
        }),
        Rule::LagRisesByAppendsOnly => {
            matches!(action, Action::Append(_))
                || (0..usize::from(setting.followers)).all(|index| {
                    let lag = |at: &Expanded| {
                        let leo = at.leader.log_end_offset();
                        (at.leader.follower(index + 1).lag_messages(leo), leo - at.held[index])
                    };
                    let (was, is) = (lag(before), lag(after));
                    is.0 <= was.0 && is.1 <= was.1
                })
        }
        Rule::AgeRisesByTimeOnly => (0..usize::from(setting.followers)).all(|index| {
            let age = |at: &Expanded| at.leader.follower(index + 1).caught_up_age(at.now);
            age(after) <= age(before) + i64::from(action == Action::Tick)
        }),
    };
    if let Err(invariant) = check_step(&after.leader, &mut memory) {
        return Invariant::ALL.iter().position(|&one| one == invariant).map(|at| at as u8);
    }
    Rule::all().position(|rule| !holds(rule)).map(|at| at as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrlab_sim::protocol::FollowerState;

    /// A step into a leader with these ends and this ISR, from one with the high watermark at 5 and
    /// everything else sound.
    fn into(log_end_offset: Offset, high_watermark: Offset, isr: u32) -> (Expanded, Expanded) {
        let at = |log_end_offset, high_watermark, isr| {
            let log = FollowerLog { log_end_offset, high_watermark };
            let mut leader = PartitionLeader::restored(2, 0, log, 0, ReplicaSet::from_bits(isr));
            leader.set_follower(1, FollowerState { log_end_offset: 6, ..FollowerState::UNKNOWN });
            Expanded { leader, held: [6, 0], now: NOW }
        };
        (at(9, 5, 0b11), at(log_end_offset, high_watermark, isr))
    }

    #[test]
    fn the_models_invariants_are_the_simulators() {
        let setting = Setting::of(IsrCriterion::Post4485);
        let mut seen = Vec::new();
        for log_end_offset in 3..=9 {
            for high_watermark in 3..=10 {
                for isr in [0b01, 0b11, 0b10, 0b101] {
                    let (before, after) = into(log_end_offset, high_watermark, isr);
                    let mut memory = StepMemory {
                        log_end_offset: 9,
                        high_watermark: 5,
                        acknowledged_end: 5,
                        lost_below: 5,
                    };
                    let simulators = check_step(&after.leader, &mut memory).err();
                    let number = broken_rule(&setting, &before, &after, Action::Append(1));
                    let models = number.and_then(|number| Rule::all().nth(number.into()));
                    match simulators {
                        Some(invariant) => assert_eq!(models, Some(Rule::Shared(invariant))),
                        None => assert!(!matches!(models, Some(Rule::Shared(_))), "{models:?}"),
                    }
                    seen.extend(simulators);
                }
            }
        }
        for invariant in [
            Invariant::HighWatermarkNeverBack,
            Invariant::HighWatermarkWithinIsr,
            Invariant::LogEndNeverBack,
            Invariant::IsrContainsLeader,
            Invariant::IsrWithinReplicas,
        ] {
            assert!(seen.contains(&invariant), "{invariant} was never broken");
        }
    }

    #[test]
    fn a_member_without_an_acknowledged_record_is_noticed() {
        let setting = Setting::of(IsrCriterion::Post4485);
        let (before, mut after) = into(9, 6, 0b11);
        assert_eq!(broken_rule(&setting, &before, &after, Action::Append(1)), None);
        after.held[0] = 5;
        let number = broken_rule(&setting, &before, &after, Action::Append(1)).expect("broken");
        assert_eq!(Rule::all().nth(number.into()), Some(Rule::AcknowledgedOnEveryMember));
    }
}
