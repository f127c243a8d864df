//! Properties of a leader under any sequence of inputs that a cluster could produce.

use isrlab_sim::invariants::{StepMemory, check_step};
use isrlab_sim::protocol::{
    Acks, FollowerLog, IsrCriterion, LeaderSettings, PartitionLeader, ProduceError, Profile, ReplicaSet,
};
use proptest::prelude::*;

const REPLICAS: usize = 4;
const START: i64 = 1_000_000;

/// One input. Followers fetch from where they are, and get all there is, or less.
#[derive(Clone, Debug)]
enum Input {
    Advance(i64),
    Append(i64, Acks),
    /// The follower appends what its last answer held, then fetches; the answer holds at most so
    /// many records.
    Fetch(usize, i64),
    Check,
    ReElection,
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        4 => (0i64..15).prop_map(Input::Advance),
        4 => (1i64..6, prop_oneof![Just(Acks::Leader), Just(Acks::All)])
            .prop_map(|(records, acks)| Input::Append(records, acks)),
        8 => (1usize..REPLICAS, prop_oneof![Just(0i64), 1i64..4, Just(i64::MAX)])
            .prop_map(|(slot, most)| Input::Fetch(slot, most)),
        2 => Just(Input::Check),
        1 => Just(Input::ReElection),
    ]
}

fn profile() -> impl Strategy<Value = Profile> {
    prop::sample::select(Profile::all().collect::<Vec<_>>())
}

struct World {
    settings: LeaderSettings,
    leader: PartitionLeader<REPLICAS>,
    followers: [FollowerLog; REPLICAS],
    answers: [(i64, i64); REPLICAS],
    memory: StepMemory,
    now: i64,
}

impl World {
    fn new(profile: &Profile, lag: i64, min_insync_replicas: u32) -> Self {
        let mut settings = LeaderSettings::of_profile(profile);
        settings.lag.time_max = lag;
        settings.lag.messages_max = 10;
        settings.min_insync_replicas = min_insync_replicas;
        let mut leader = PartitionLeader::new(REPLICAS, 0, START);
        leader.become_leader(&settings, ReplicaSet::first(REPLICAS), START);
        World {
            settings,
            leader,
            followers: Default::default(),
            answers: Default::default(),
            memory: StepMemory::default(),
            now: START,
        }
    }

    fn step(&mut self, input: &Input) {
        let settings = self.settings;
        match *input {
            Input::Advance(time) => self.now += time,
            Input::Append(records, acks) => {
                let before = self.leader.log_end_offset();
                let refused = acks == Acks::All && self.leader.is_under_min_isr(&settings);
                match self.leader.append(&settings, records, acks, self.now) {
                    Ok(_) => assert!(!refused && self.leader.log_end_offset() == before + records),
                    Err(error) => {
                        assert!(refused && error == ProduceError::NotEnoughReplicas);
                        assert_eq!(self.leader.log_end_offset(), before);
                    }
                }
            }
            Input::Fetch(slot, most) => {
                let (records, high_watermark) = std::mem::take(&mut self.answers[slot]);
                if records > 0 {
                    self.followers[slot].append(records, high_watermark);
                }
                let offset = self.followers[slot].log_end_offset;
                let there = self.leader.log_end_offset() - offset;
                self.answers[slot] = (there.min(most), self.leader.high_watermark());
                let was_in = self.leader.isr().contains(slot);
                let effect = self.leader.fetch(&settings, slot, offset, self.now);
                assert_eq!(effect.joined, !was_in && self.leader.isr().contains(slot));
                assert_eq!(self.leader.follower(slot).log_end_offset, offset);
                if effect.joined {
                    assert!(offset >= self.answers[slot].1, "whoever joins has all that is committed");
                }
            }
            Input::Check => {
                let expected = self.leader.out_of_sync(&settings, self.now);
                let before = self.leader.isr();
                assert_eq!(self.leader.check_isr(&settings, self.now), expected);
                assert_eq!(self.leader.isr(), before.without(expected));
                assert!(self.leader.check_isr(&settings, self.now).is_empty(), "one check is enough");
            }
            Input::ReElection => self.leader.become_leader(&settings, self.leader.isr(), self.now),
        }
        if let Err(broken) = check_step(&self.leader, &mut self.memory) {
            panic!("{input:?}: {broken}: {:?}", self.leader);
        }
        for slot in self.leader.isr().iter().filter(|&slot| slot != 0) {
            let held = self.followers[slot].log_end_offset;
            assert!(held >= self.leader.high_watermark(), "a member holds all that is committed");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_in_every_version(
        profile in profile(),
        lag in 1i64..40,
        min_isr in 1u32..4,
        inputs in prop::collection::vec(input(), 1..120),
    ) {
        let mut world = World::new(&profile, lag, min_isr);
        for input in &inputs {
            world.step(input);
        }
    }

    #[test]
    fn an_idle_log_brings_everybody_back(
        profile in profile(),
        inputs in prop::collection::vec(input(), 1..80),
    ) {
        // When nothing is appended, two unlimited fetches of each follower make the whole set in
        // sync and everything committed.
        let mut world = World::new(&profile, 10, 1);
        for input in &inputs {
            world.step(input);
        }
        for _ in 0..3 {
            for slot in 1..REPLICAS {
                world.step(&Input::Fetch(slot, i64::MAX));
            }
            world.step(&Input::Advance(1));
        }
        prop_assert_eq!(world.leader.isr(), ReplicaSet::first(REPLICAS));
        prop_assert_eq!(world.leader.high_watermark(), world.leader.log_end_offset());
    }

    #[test]
    fn a_frozen_high_watermark_stands_still_below_min_isr(
        inputs in prop::collection::vec(input(), 1..120),
    ) {
        let profile: Profile = "kafka-3.7".parse().unwrap();
        let mut world = World::new(&profile, 10, 3);
        for input in &inputs {
            let (before, under) = (world.leader.high_watermark(), world.leader.is_under_min_isr(&world.settings));
            world.step(input);
            if under && world.leader.is_under_min_isr(&world.settings) {
                prop_assert_eq!(world.leader.high_watermark(), before);
            }
        }
    }
}

#[test]
fn criteria_differ_where_they_should() {
    // A follower that always holds what the leader had at its previous fetch: after the lag time
    // the old rule removes it and the new one does not.
    let kept = |criterion: IsrCriterion| {
        let mut world = World::new(&Profile::of_criterion(criterion), 10, 1);
        // All start caught up; then each append comes between a fetch and the next.
        for slot in 1..REPLICAS {
            world.step(&Input::Fetch(slot, i64::MAX));
        }
        for _ in 0..12 {
            world.step(&Input::Append(1, Acks::Leader));
            for slot in 1..REPLICAS {
                world.step(&Input::Fetch(slot, i64::MAX));
            }
            world.step(&Input::Advance(1));
        }
        world.step(&Input::Check);
        world.leader.isr().len() == REPLICAS
    };
    let verdicts: Vec<bool> = IsrCriterion::ALL.into_iter().map(kept).collect();
    assert_eq!(verdicts, [true, false, true, true, true, true]);
}
