//! Whatever is done to a library scenario, it is either sound or said to be wrong somewhere:
//! nothing panics, and nothing unsound gets through.

use isrlab_scenarios::{Diagnostics, ExpectationObserver, Scenario, library};
use isrlab_sim::cluster::spec::ClusterSpec;
use isrlab_sim::cluster::{Cluster, NoObserver, RunOptions, RunSummary};
use isrlab_sim::engine::{SimDuration, SimTime};
use proptest::prelude::*;

/// What is put into a text: pieces of TOML and of the format, and numbers at the edges.
const PIECES: [&str; 40] = [
    "",
    "\n",
    "\"",
    "'",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "=",
    ".",
    ",",
    "#",
    "0",
    "-1",
    "1e309",
    "nan",
    "inf",
    "true",
    "99999999999999999999",
    "9223372036854775807",
    "2147483647",
    "0x7fffffffffffffff",
    "1979-05-27",
    "\"0s\"",
    "\"584y\"",
    "\"18446744073s\"",
    "\"5124095h\"",
    "\"9223372036854775807B\"",
    "\u{FEFF}",
    "\u{0}",
    "é",
    "[[expect]]",
    "[[topic]]",
    "[settings]",
    "count = 100000",
    "partitions = 100000",
    "\"by-clone\"",
    "\"all\"",
    "brokers = 1000",
];

#[derive(Clone, Debug)]
enum Mutation {
    /// Cut so many characters from a place on.
    Cut(prop::sample::Index, usize),
    /// Put a piece in at a place.
    Put(prop::sample::Index, &'static str),
    /// Replace the value of a line.
    Value(prop::sample::Index, &'static str),
    /// Move a line to another place.
    Move(prop::sample::Index, prop::sample::Index),
    /// Write a line twice.
    Twice(prop::sample::Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let place = any::<prop::sample::Index>;
    let piece = || prop::sample::select(PIECES.to_vec());
    prop_oneof![
        1 => (place(), 1..40usize).prop_map(|(at, length)| Mutation::Cut(at, length)),
        1 => (place(), piece()).prop_map(|(at, piece)| Mutation::Put(at, piece)),
        4 => (place(), piece()).prop_map(|(at, piece)| Mutation::Value(at, piece)),
        1 => (place(), place()).prop_map(|(from, to)| Mutation::Move(from, to)),
        1 => place().prop_map(Mutation::Twice),
    ]
}

fn mutate(text: &str, mutation: &Mutation) -> String {
    let chars = || text.chars().collect::<Vec<char>>();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if text.is_empty() || lines.is_empty() {
        return "x".to_owned();
    }
    match mutation {
        Mutation::Cut(at, length) => {
            let mut chars = chars();
            let from = at.index(chars.len());
            let to = (from + length).min(chars.len());
            chars.drain(from..to);
            return chars.into_iter().collect();
        }
        Mutation::Put(at, piece) => {
            let mut chars = chars();
            let at = at.index(chars.len());
            chars.splice(at..at, piece.chars());
            return chars.into_iter().collect();
        }
        Mutation::Value(at, piece) => {
            let with_value: Vec<usize> =
                (0..lines.len()).filter(|&line| lines[line].contains(" = ")).collect();
            if let Some(&line) = with_value.get(at.index(with_value.len().max(1))) {
                let key = lines[line].split(" = ").next().unwrap_or_default().to_owned();
                lines[line] = format!("{key} = {piece}");
            }
        }
        Mutation::Move(from, to) => {
            let line = lines.remove(from.index(lines.len()));
            lines.insert(to.index(lines.len() + 1), line);
        }
        Mutation::Twice(at) => {
            let at = at.index(lines.len());
            lines.insert(at, lines[at].clone());
        }
    }
    lines.join("\n")
}

/// The begin of a run: it can be built, no invariant breaks, and time passes.
fn begin(spec: &ClusterSpec, seed: u64) -> Result<(), TestCaseError> {
    let unsound = |error: String| TestCaseError::fail(format!("unsound: {error}"));
    let mut cluster = Cluster::new(spec, seed).map_err(|error| unsound(error.to_string()))?;
    let mut looks = Vec::new();
    let mut keep_going = |now: SimTime| {
        looks.push(now);
        looks.len() < LOOKS_MAX
    };
    cluster
        .run(&RunOptions::default(), &mut NoObserver, &mut keep_going)
        .map_err(|violation| unsound(violation.to_string()))?;
    prop_assert!(looks.windows(2).all(|pair| pair[0] < pair[1]), "time stands still: {looks:?}");
    Ok(())
}

/// After so many looks at whether to go on, each some ten thousands of events, a run is stopped.
const LOOKS_MAX: usize = 3;

/// Sound, or wrong somewhere.
fn judge(outcome: Result<Scenario, Diagnostics>) -> Result<(), TestCaseError> {
    match outcome {
        Ok(scenario) => {
            for profile in scenario.variants() {
                let spec =
                    scenario.cluster_spec(profile).map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert!(!scenario.sample_every().is_zero() && spec.duration > SimDuration::ZERO);
                // Building what is large takes long and shows nothing more.
                let connections = spec.producers.len() * spec.brokers.len();
                let partitions: usize = spec.topics.iter().map(|topic| topic.partitions.len()).sum();
                if connections + partitions < 10_000 {
                    begin(&spec, scenario.seed())?;
                }
                let observer = ExpectationObserver::new(&scenario, profile);
                scenario.evaluate(profile, &observer, &RunSummary::default());
            }
        }
        Err(diagnostics) => {
            prop_assert!(!diagnostics.list().is_empty());
            for diagnostic in diagnostics.list() {
                let placed = diagnostic.position.is_some() || diagnostic.file == "--set";
                prop_assert!(placed && !diagnostic.message.is_empty(), "{diagnostic}");
            }
            let shown = diagnostics.to_string();
            prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_scenarios_are_sound_or_wrong_somewhere(
        entry in prop::sample::select(library().to_vec()),
        mutations in prop::collection::vec(mutation(), 1..5),
    ) {
        let text = mutations.iter().fold(entry.text.to_owned(), |text, mutation| mutate(&text, mutation));
        judge(Scenario::parse(&text, "mutated.toml"))?;
    }

    #[test]
    fn any_text_is_wrong_somewhere(text in any::<String>()) {
        judge(Scenario::parse(&text, "any.toml"))?;
    }

    #[test]
    fn any_override_is_sound_or_wrong(
        key in prop_oneof![
            any::<String>(),
            "(replica|link|topic|producer|fault|broker|settings)(\\.(lag|time|max|ms|far|orders|p|f3-pause|2|latency|for|count|arrivals|kind)){1,5}",
            prop::sample::select(vec![
                "duration", "brokers", "compare", "topic.orders.partitions", "topic.orders.replicas", "producer.p.count",
                "producer.p.arrivals", "link.far.latency", "fault.f3-pause.kind", "fault.f3-pause.every", "sample.every",
            ]).prop_map(str::to_owned),
        ],
        value in prop_oneof![any::<String>(), prop::sample::select(PIECES.to_vec()).prop_map(str::to_owned)],
    ) {
        let scenario = Scenario::from_library("kafka-4485").map_err(|error| TestCaseError::fail(error.to_string()))?;
        judge(scenario.with_overrides(&[(key, value)]))?;
    }
}
