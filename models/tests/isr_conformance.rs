//! Trace conformance: what the simulator does, the model allows, and it comes to the same state.

use isrlab_models::isr::scenario::profile_of;
use isrlab_models::isr::setting::{Behaviour, Setting, Start};
use isrlab_models::isr::state::{Expanded, Leader, State, compress};
use isrlab_models::isr::step::{Action, Rule, initial_states, is_enabled, step};
use isrlab_sim::cluster::spec::{
    Arrivals, BrokerSpec, ClusterSpec, FaultKind, FaultSpec, LagSpec, LinkSpec, LinksSpec, PartitionSpec,
    PartitionStart, ProducerSpec, ReplicationSettings, TopicSpec,
};
use isrlab_sim::cluster::{Cluster, Observer, RunOptions, Step, StepKind};
use isrlab_sim::engine::{Distribution, SimDuration, SimTime};
use isrlab_sim::protocol::IsrCriterion;
use proptest::prelude::*;

/// A cluster of the kind that the model is about: one partition, times in whole milliseconds, but
/// for a place of its own within the millisecond for each actor.
#[derive(Clone, Debug)]
struct Shape {
    setting: Setting,
    /// When within a millisecond the producer, the two followers' fetches and the check come, in
    /// tenths of it; no two are the same.
    places: Vec<u64>,
    /// From one request to the next, and the records of each, at most w.
    interval_ms: u64,
    records: u32,
    /// How long each follower's requests and answers take together.
    round_trips_ms: [u64; 2],
    /// Pauses of the followers' brokers: begin, length.
    pauses_ms: [(u64, u64); 2],
}

fn micros(tenths: u64) -> SimTime {
    SimTime::from_nanos(100_000 * tenths)
}

impl Shape {
    fn spec(&self) -> ClusterSpec {
        let setting = &self.setting;
        let profile = profile_of(setting).expect("a bare criterion");
        let ms = |value: u64| SimDuration::from_millis(value);
        let mut replication = ReplicationSettings::of_profile(&profile);
        replication.replica_lag_time_max = ms(setting.lag.into());
        replication.replica_lag_max_messages = setting.messages_max.into();
        replication.replica_fetch_min_bytes = 0;
        replication.isr_check_period = Some(ms(setting.period.into()));
        let followers = usize::from(setting.followers);
        let mut brokers: Vec<BrokerSpec> = (1..=followers as i32 + 1).map(BrokerSpec::new).collect();
        brokers[0].isr_check_first = Some(micros(self.places[3]));
        for (index, broker) in brokers.iter_mut().skip(1).enumerate() {
            // An established leader's followers have fetched in the first tick already.
            broker.first_fetch = micros(10 + self.places[1 + index]);
        }
        let mut producer = ProducerSpec::new(
            "producer",
            0,
            Arrivals::Constant { first: micros(self.places[0]), interval: ms(self.interval_ms), until: None },
        );
        producer.records_per_request = self.records;
        let mut links = LinksSpec {
            follower: LinkSpec::constant(ms(1)),
            producer: LinkSpec::constant(SimDuration::ZERO),
            overrides: Vec::new(),
        };
        // The request takes no time, so that the first fetch is where it is put; the answer does.
        for (index, round_trip) in self.round_trips_ms.into_iter().enumerate().take(followers) {
            links.overrides.push(isrlab_sim::cluster::spec::LinkOverride {
                name: format!("follower-{}", index + 1),
                client: isrlab_sim::cluster::spec::LinkEnd::Broker(index as i32 + 2),
                broker: None,
                link: LinkSpec {
                    request_latency: Distribution::Constant(SimDuration::ZERO),
                    response_latency: Distribution::Constant(ms(round_trip)),
                    bandwidth: None,
                },
            });
        }
        let pause = |(index, (at, length)): (usize, (u64, u64))| FaultSpec {
            name: format!("pause-{index}"),
            kind: FaultKind::Pause { broker: index as i32 + 2, length: ms(length) },
            at: SimTime::from_millis(at),
            every: None,
            until: None,
        };
        let start = match setting.start {
            Start::Established => PartitionStart::Established,
            Start::Election => PartitionStart::Elected,
        };
        ClusterSpec {
            lag: LagSpec::default(),
            profile,
            replication,
            duration: ms(60),
            topics: vec![TopicSpec {
                name: "t".into(),
                timestamps: None,
                partitions: vec![PartitionSpec {
                    replicas: (1..=followers as i32 + 1).collect(),
                    start,
                    min_insync_replicas: None,
                }],
            }],
            producers: vec![producer],
            links,
            faults: self.pauses_ms.into_iter().enumerate().take(followers).map(pause).collect(),
            brokers,
        }
    }
}

/// Follows a run of the simulator in the model.
struct Conformance {
    setting: Setting,
    state: State,
    /// The tick that the model is in.
    tick: u64,
    held: [i64; 2],
    steps: usize,
    removals: usize,
    problem: Option<String>,
}

impl Conformance {
    /// The model's initial state for a cluster that starts as the simulator does.
    fn new(setting: Setting) -> Self {
        let starts = initial_states(&setting);
        let all = (2 << setting.followers) - 1;
        // Empty logs, everyone in the ISR, the check in the first tick, and, after an election,
        // what a broker remembers that has just been told of the partition.
        let fits = |state: &&State| {
            let followers = &state.followers[..usize::from(setting.followers)];
            let unknown = isrlab_models::isr::state::UNKNOWN;
            state.phase == 0
                && state.isr == all
                && state.high_watermark == 0
                && followers.iter().all(|f| f.held == 0)
                && (setting.start == Start::Established
                    || followers.iter().all(|f| f.seen == unknown && f.caught_up_age == forgotten(&setting)))
        };
        let state = *starts.iter().find(fits).expect("the simulator's start is one of the model's");
        Conformance { setting, state, tick: 0, held: [0; 2], steps: 0, removals: 0, problem: None }
    }

    fn take(&mut self, action: Action) {
        if self.problem.is_some() {
            return;
        }
        if is_enabled(&self.setting, &self.state, action) {
            self.state = step(&self.setting, &self.state, action).1;
            if let Some(rule) = Rule::broken_in(&self.state) {
                self.problem = Some(format!("{action} breaks: {}", rule.sentence()));
            }
        } else {
            self.problem = Some(format!(
                "tick {}: the model does not allow \"{action}\" in {:?}",
                self.tick, self.state
            ));
        }
    }
}

/// The caught-up age of a member at an election, in the simulator's clusters: its broker has just
/// been told of the partition.
fn forgotten(setting: &Setting) -> u8 {
    use isrlab_sim::protocol::NewLeaderReset::ForgetAll;
    if setting.reset == ForgetAll { setting.caught_up_cap() } else { 0 }
}

impl Observer for Conformance {
    fn stepped(&mut self, seen: &Step<'_>) {
        while self.tick < seen.at.as_millis() {
            self.take(Action::Tick);
            self.tick += 1;
        }
        let before = self.state.isr;
        let action = match seen.kind {
            StepKind::Appended { records } => Action::Append(records as u8),
            StepKind::Fetched { slot, offset, records } => {
                self.held[slot - 1] = offset + records;
                Action::Fetch(slot as u8)
            }
            StepKind::Checked => Action::Check,
        };
        self.take(action);
        self.steps += 1;
        self.removals += usize::from(self.state.isr & before != before);
        let real = compress(&self.setting, &restored(&self.setting, seen, self.held), &self.state);
        if real != self.state && self.problem.is_none() {
            self.problem = Some(format!("after {seen:?}: {real:?}, and the model has {:?}", self.state));
        }
    }
}

/// The simulator's leader in the model's type.
fn restored(setting: &Setting, seen: &Step<'_>, held: [i64; 2]) -> Expanded {
    let real = seen.leader;
    let replicas = usize::from(setting.followers) + 1;
    let mut leader = Leader::restored(replicas, 0, real.log(), real.epoch_start_offset(), real.isr());
    for slot in real.follower_slots() {
        leader.set_follower(slot, *real.follower(slot));
    }
    Expanded { leader, held, now: seen.clock_ms }
}

fn shapes() -> impl Strategy<Value = Shape> {
    let numbers = (1u8..=5, 1u8..=6, 1u8..=2, 1u8..=6);
    let kinds =
        (proptest::sample::select(IsrCriterion::ALL.to_vec()), proptest::sample::select(Start::ALL.to_vec()));
    let places = Just((1..=9u64).collect::<Vec<u64>>()).prop_shuffle();
    let pause = || (0u64..50, 1u64..12);
    let traffic = (1u64..=4, 1u32..=3, [1u64..=4, 1..=4], [pause(), pause()]);
    (numbers, kinds, places, traffic).prop_map(|(numbers, (criterion, start), places, traffic)| {
        let (lag, period, followers, messages_max) = numbers;
        let (interval_ms, records, round_trips_ms, pauses_ms) = traffic;
        let setting = Setting {
            lag,
            period,
            followers,
            messages_max,
            writes: records as u8,
            behaviour: Behaviour::Any,
            start,
            ..Setting::of(criterion)
        };
        Shape { setting, places, interval_ms, records, round_trips_ms, pauses_ms }
    })
}

/// Runs a cluster and follows it: steps and removals.
fn follow(shape: &Shape) -> Result<(usize, usize), String> {
    let mut conformance = Conformance::new(shape.setting);
    let mut cluster = Cluster::new(&shape.spec(), 1).map_err(|error| error.to_string())?;
    cluster
        .run(&RunOptions::default(), &mut conformance, &mut |_| true)
        .map_err(|violation| violation.to_string())?;
    match conformance.problem {
        Some(problem) => Err(problem),
        None => Ok((conformance.steps, conformance.removals)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_model_allows_what_the_simulator_does(shape in shapes()) {
        match follow(&shape) {
            Ok((steps, _)) => prop_assert!(steps > 20, "only {steps} steps"),
            Err(problem) => prop_assert!(false, "{problem}"),
        }
    }
}

#[test]
fn the_followed_runs_do_remove_followers() {
    let setting = Setting { behaviour: Behaviour::Any, ..Setting::of(IsrCriterion::Pre4485) };
    let shape = Shape {
        setting,
        places: vec![1, 2, 3, 4],
        interval_ms: 1,
        records: 1,
        round_trips_ms: [1, 1],
        pauses_ms: [(55, 1), (55, 1)],
    };
    let (steps, removals) = follow(&shape).expect("it conforms");
    assert!(steps > 100 && removals > 0, "{steps} steps, {removals} removals");
}

#[test]
fn a_run_under_another_criterion_does_not_conform() {
    let setting = Setting { behaviour: Behaviour::Any, ..Setting::of(IsrCriterion::Pre4485) };
    let shape = Shape {
        setting,
        places: vec![1, 2, 3, 4],
        interval_ms: 1,
        records: 1,
        round_trips_ms: [1, 1],
        pauses_ms: [(55, 1), (55, 1)],
    };
    let other = Setting { criterion: IsrCriterion::Post4485, period: setting.period, ..setting };
    let mut conformance = Conformance::new(other);
    let mut cluster = Cluster::new(&shape.spec(), 1).expect("sound");
    cluster.run(&RunOptions::default(), &mut conformance, &mut |_| true).expect("no invariant is broken");
    assert!(conformance.problem.is_some());
}
