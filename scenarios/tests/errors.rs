//! What the loader says of wrong files: place, key, reason, and what would be accepted.

use isrlab_scenarios::{Diagnostic, Position, Scenario};

const SOUND: &str = r#"title = "T"
duration = "10s"
brokers = 3

[settings]
"replica.lag.time.max.ms" = "10s"

[[topic]]
name = "orders"
replicas = [1, 2, 3]

[[producer]]
name = "p"
topic = "orders"
arrivals = { kind = "constant", interval = "10ms" }

[[fault]]
name = "gc"
kind = "pause"
broker = 3
at = "1s"
for = "2s"

[[expect]]
that = "nobody leaves"
metric = "isr_shrinks"
equals = 0
"#;

fn errors(text: &str) -> Vec<Diagnostic> {
    match Scenario::parse(text, "s.toml") {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(diagnostics) => diagnostics.list().to_vec(),
    }
}

/// The one error of the sound scenario after a change.
fn error(from: &str, to: &str) -> Diagnostic {
    assert!(SOUND.contains(from), "{from}");
    let errors = errors(&SOUND.replacen(from, to, 1));
    assert_eq!(errors.len(), 1, "{errors:#?}");
    errors[0].clone()
}

#[test]
fn the_sound_scenario_is_sound() {
    let scenario = Scenario::parse(SOUND, "s.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scenario.title(), scenario.name(), scenario.seed()), ("T", "s", 1));
    assert_eq!(scenario.sample_every().to_string(), "10ms");
    assert_eq!(scenario.variants().len(), 3);
}

#[test]
fn an_error_is_shown_with_its_line() {
    let text = SOUND.replacen("\"10s\"\n\n[[topic]]", "0\n\n[[topic]]", 1);
    let shown = Scenario::parse(&text, "s.toml").unwrap_err().to_string();
    let expected = r#"s.toml:6:29: settings.replica.lag.time.max.ms: is 0
  6 | "replica.lag.time.max.ms" = 0
    |                             ^
  accepted: a duration of whole milliseconds such as "10s", or an integer of milliseconds of 1 or more"#;
    assert_eq!(shown, expected);
}

#[test]
fn every_wrong_value_is_named() {
    // What is changed, into what, the key, and a part of the message.
    let cases = [
        ("title = \"T\"\n", "", "title", "is missing"),
        ("\"T\"", "\" \"", "title", "is an empty string"),
        ("\"T\"", "7", "title", "is an integer"),
        ("duration = \"10s\"", "duration = 10", "duration", "is an integer"),
        ("duration = \"10s\"", "duration = \"0s\"", "duration", "is 0"),
        (
            "duration = \"10s\"",
            "duration = \"-10s\"",
            "duration",
            "does not start with a plain decimal number",
        ),
        ("duration = \"10s\"", "duration = \"10sec\"", "duration", "has an unknown unit"),
        ("duration = \"10s\"", "duration = 1979-05-27", "duration", "is a date or time"),
        ("brokers = 3", "brokers = 0", "brokers", "is 0"),
        ("brokers = 3", "brokers = 99999999999999999999", "brokers", "does not fit into 64 bits"),
        ("brokers = 3", "brokers = 3.0", "brokers", "is a float"),
        (
            "max.ms\" = \"10s\"",
            "max.ms\" = \"500us\"",
            "settings.replica.lag.time.max.ms",
            "not a whole number of milliseconds",
        ),
        ("max.ms\" = \"10s\"", "max.ms\" = -1", "settings.replica.lag.time.max.ms", "is -1"),
        ("replicas = [1, 2, 3]", "replicas = []", "topic.orders.replicas", "is an empty array"),
        ("replicas = [1, 2, 3]", "replicas = [1, 2, 7]", "topic.orders.replicas", "no broker has the id 7"),
        ("replicas = [1, 2, 3]", "replicas = [1, 2, 3, 2]", "topic.orders.replicas", "names broker 2 twice"),
        ("replicas = [1, 2, 3]", "replicas = [1,2,3,4,5,6,7,8,9]", "topic.orders.replicas", "has 9 elements"),
        (
            "replicas = [1, 2, 3]",
            "replication.factor = 4",
            "topic.orders.replication.factor",
            "there are 3 brokers",
        ),
        ("replicas = [1, 2, 3]", "", "topic.orders.replication.factor", "is missing"),
        ("topic = \"orders\"", "topic = \"order\"", "producer.p.topic", "no topic is called \"order\""),
        ("topic = \"orders\"", "partition = 1", "producer.p.partition", "is 1"),
        ("topic = \"orders\"", "partition = \"by-clone\"", "producer.p.partition", "no `count`"),
        ("topic = \"orders\"", "acks = 2", "producer.p.acks", "is \"2\""),
        ("topic = \"orders\"", "clock.offset = \"2\"", "producer.p.clock.offset", "has no unit"),
        ("topic = \"orders\"", "clock.drift.ppm = -1000000", "producer.p.clock.drift.ppm", "is -1000000"),
        ("topic = \"orders\"", "timestamp.unit = \"min\"", "producer.p.timestamp.unit", "is \"min\""),
        (
            "replicas = [1, 2, 3]",
            "replicas = [1, 2, 3]\n'message.timestamp.type' = 'Create'",
            "topic.orders.message.timestamp.type",
            "is \"Create\"",
        ),
        (
            "replicas = [1, 2, 3]",
            "replicas = [1, 2, 3]\n'timestamp.rules' = '0.10'\n'message.timestamp.after.max.ms' = 5",
            "topic.orders.message.timestamp.after.max.ms",
            "does not go with the timestamp rules \"0.10\"",
        ),
        (
            "replicas = [1, 2, 3]",
            "replicas = [1, 2, 3]\n'max.message.time.difference.ms' = 5",
            "topic.orders.max.message.time.difference.ms",
            "does not go with the timestamp rules \"2024\"",
        ),
        (
            "replicas = [1, 2, 3]",
            "replicas = [1, 2, 3]\n'message.timestamp.difference.max.ms' = 5\n'message.timestamp.before.max.ms' = 5",
            "topic.orders.message.timestamp.difference.max.ms",
            "is given beside a limit before or after",
        ),
        (
            "metric = \"isr_shrinks\"",
            "topic = \"orders\"\nmetric = \"isr_shrinks\"",
            "expect.1.topic",
            "which is of the whole cluster",
        ),
        ("topic = \"orders\"", "record.bytes = \"1 MiB\"", "producer.p.record.bytes", "has no unit"),
        ("interval = \"10ms\"", "interval = \"0ms\"", "producer.p.arrivals.interval", "is 0"),
        ("kind = \"constant\"", "kind = \"constnt\"", "producer.p.arrivals.kind", "is \"constnt\""),
        (
            "kind = \"constant\", interval = \"10ms\"",
            "kind = \"ramp\", from = nan, to = 3, over = \"1s\"",
            "producer.p.arrivals.from",
            "is NaN",
        ),
        (
            "kind = \"constant\", interval = \"10ms\"",
            "kind = \"recorded\", file = \"a.csv\"",
            "producer.p.arrivals.file",
            "not in a folder",
        ),
        ("broker = 3", "broker = 4", "fault.gc.broker", "no broker has the id 4"),
        ("at = \"1s\"", "at = \"10s\"", "fault.gc.at", "the run ends at 10s"),
        ("for = \"2s\"", "for = \"2s\"\nevery = \"2s\"", "fault.gc.every", "the fault lasts 2s"),
        ("for = \"2s\"", "for = \"2s\"\nuntil = \"1s\"", "fault.gc.until", "`at` is 1s"),
        ("for = \"2s\"", "for = \"2s\"\nextra = \"2s\"", "fault.gc.extra", "is no key of kind \"pause\""),
        ("equals = 0", "equals = \"0s\"", "expect.1.equals", "does not suit the metric"),
        ("equals = 0", "equals = inf", "expect.1.equals", "is inf"),
        ("equals = 0", "between = [2, 1]", "expect.1.between", "asks for 2 or more and 1 or less"),
        ("equals = 0", "between = [2]", "expect.1.between", "has 1 elements"),
        ("equals = 0", "", "expect.1.metric", "is compared with nothing"),
        ("equals = 0", "shrinks = []", "expect.1.shrinks", "does not go with `metric`"),
        ("equals = 0", "equals = 0\nunder = \"kafka-2.5\"", "expect.1.under", "is not compared"),
        ("equals = 0", "equals = 0\ngiven.fault = \"cg\"", "expect.1.given.fault", "no fault is called"),
        (
            "metric = \"isr_shrinks\"\nequals = 0",
            "shrinks = [\"11s\"]",
            "expect.1.shrinks",
            "after the end of the run",
        ),
        (
            "metric = \"isr_shrinks\"\nequals = 0",
            "shrinks = [\"2s\", \"1s\"]",
            "expect.1.shrinks",
            "before the time",
        ),
        ("metric = \"isr_shrinks\"\nequals = 0", "broker = 4\nshrinks = []", "expect.1.broker", "is 4"),
        ("metric = \"isr_shrinks\"", "metric = \"isr_shrink\"", "expect.1.metric", "is \"isr_shrink\""),
    ];
    for (from, to, key, message) in cases {
        let error = error(from, to);
        assert_eq!(error.key, key, "{from} -> {to}: {error}");
        assert!(error.message.contains(message), "{from} -> {to}: {error}");
        assert!(error.accepted.is_some(), "{from} -> {to}: {error}");
        assert!(error.position.is_some() && error.snippet.is_some(), "{from} -> {to}: {error}");
    }
}

#[test]
fn unknown_keys_suggest_the_nearest_or_their_table() {
    let help = |from: &str, to: &str| error(from, to).help.unwrap_or_default();
    assert_eq!(help("brokers = 3", "brokers = 3\nsed = 3"), "did you mean \"seed\"?");
    assert_eq!(
        help("\"replica.lag.time.max.ms\" = \"10s\"", "replica.lag.tme.max.ms = \"10s\""),
        "did you mean \"replica.lag.time.max.ms\"?"
    );
    assert_eq!(help("brokers = 3", "brokers = 3\nmin.insync.replicas = 2"), "it is a key of [settings]");
    assert_eq!(help("topic = \"orders\"", "topic = \"oders\""), "did you mean \"orders\"?");
    assert_eq!(help("brokers = 3", "brokers = 3\ncompare = [\"post-4458\"]"), "did you mean \"post-4485\"?");
}

#[test]
fn the_same_key_in_both_forms_is_given_twice() {
    let error = error("[[topic]]", "replica.lag.time.max.ms = 5000\n[[topic]]");
    assert!(error.message.contains("is given twice"), "{error}");
    assert_eq!(error.position, Some(Position { line: 8, column: 22 }));
}

#[test]
fn all_errors_come_at_once_in_the_order_of_the_file() {
    let text = SOUND
        .replace("\"10s\"\nbrokers", "10\nbrokers")
        .replace("name = \"p\"\ntopic", "name = \"p\"\nacks = 7\ntopic")
        .replace("broker = 3", "broker = 9")
        .replace("isr_shrinks", "shrinks");
    let keys: Vec<String> = errors(&text).into_iter().map(|error| error.key).collect();
    assert_eq!(keys, ["duration", "producer.p.acks", "fault.gc.broker", "expect.1.metric"]);
}

#[test]
fn duplicated_names_and_ids_are_refused() {
    let twice = |table: &str| errors(&format!("{SOUND}\n{table}"));
    let cases = [
        ("[[topic]]\nname = \"orders\"\nreplicas = [1]", "which another topic has"),
        (
            "[[producer]]\nname = \"p\"\narrivals = { kind = \"poisson\", mean = \"1s\" }",
            "another is called so",
        ),
        (
            "[[fault]]\nname = \"gc\"\nkind = \"pause\"\nbroker = 1\nat = \"1s\"\nfor = \"1s\"",
            "which another fault has",
        ),
        ("[[broker]]\nid = 1\n[[broker]]\nid = 1", "which another broker has"),
        ("[[broker]]\nid = 4", "is 4"),
    ];
    for (table, message) in cases {
        let errors = twice(table);
        assert!(errors.len() == 1 && errors[0].message.contains(message), "{table}: {errors:#?}");
    }
}

#[test]
fn kafka_refuses_a_fetch_wait_above_the_lag_time() {
    let errors = errors(&SOUND.replace("[[topic]]", "\"replica.fetch.wait.max.ms\" = \"20s\"\n[[topic]]"));
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert_eq!(errors[0].key, "settings.replica.fetch.wait.max.ms");
    assert!(errors[0].message.ends_with("(20s) longer than replica.lag.time.max.ms (10s)"), "{}", errors[0]);
    // It depends on the profile's own default where the lag time is not given.
    let wait_only =
        SOUND.replace("\"replica.lag.time.max.ms\" = \"10s\"", "\"replica.fetch.wait.max.ms\" = \"20s\"");
    let compared = format!("compare = \"kafka-2.5\"\n{wait_only}");
    let scenario = Scenario::parse(&compared, "s.toml").unwrap_or_else(|error| panic!("{error}"));
    let old = "kafka-2.4".parse().unwrap();
    assert!(scenario.cluster_spec(&old).unwrap_err().to_string().contains("under kafka-2.4"));
    assert!(scenario.cluster_spec(&scenario.variants()[0]).is_ok());
}

#[test]
fn time_must_pass() {
    let free = SOUND.replace(
        "[[topic]]",
        "\"replica.fetch.min.bytes\" = 0\n[link.follower]\nlatency = \"0s\"\n[[topic]]",
    );
    assert!(errors(&free)[0].message.contains("without time passing"));
    assert!(Scenario::parse(&free.replace("\"0s\"", "\"1us\""), "s.toml").is_ok());
}

#[test]
fn too_much_is_refused_before_it_is_made() {
    let partitions = "replicas = [1, 2, 3]\npartitions = 100000";
    assert!(Scenario::parse(&SOUND.replace("replicas = [1, 2, 3]", partitions), "s.toml").is_ok());
    let more = format!(
        "{}\n[[topic]]\nname = \"more\"\nreplicas = [1]",
        SOUND.replace("replicas = [1, 2, 3]", partitions)
    );
    assert!(errors(&more)[0].message.contains("too many partitions"));
    let clones = SOUND.replace("name = \"p\"", "name = \"p\"\ncount = 100001");
    assert_eq!(errors(&clones)[0].message, "is 100001");
    let connections =
        SOUND.replace("name = \"p\"", "name = \"p\"\ncount = 100000").replace("brokers = 3", "brokers = 11");
    assert_eq!(errors(&connections)[0].message, "100000 producers and 11 brokers make 1100000 connections");
}

#[test]
fn syntax_errors_have_a_place_too() {
    for text in
        ["title = ", "= 1", "[a\n", "title = \"x\ny = 1", "a = 1\na = 2", "\u{0}", "a = [[[[", "\"\\x\" = 1"]
    {
        let errors = errors(text);
        assert!(errors.iter().all(|error| error.position.is_some() && !error.message.is_empty()), "{text:?}");
    }
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(!errors(&deep).is_empty());
    let dotted = format!("a{} = 1", ".a".repeat(10_000));
    assert!(!errors(&dotted).is_empty());
}

#[test]
fn byte_order_marks_and_carriage_returns_are_no_errors() {
    let text = format!("\u{FEFF}{}", SOUND.replace('\n', "\r\n"));
    let scenario = Scenario::parse(&text, "s.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scenario.source_text(), text);
    let wrong = errors(&text.replace("title", "titel"));
    assert_eq!(wrong.last().unwrap().position, Some(Position { line: 1, column: 1 }));
}
