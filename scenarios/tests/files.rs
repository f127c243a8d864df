//! Files that cannot be read, and files that scenarios name.

use std::fs;
use std::path::Path;

use isrlab_scenarios::{FILE_BYTES_MAX, Position, Scenario};
use isrlab_sim::cluster::spec::{Arrivals, RecordedArrival};
use isrlab_sim::engine::SimTime;

fn message(path: &Path) -> String {
    Scenario::from_path(path).unwrap_err().to_string()
}

#[test]
fn a_missing_file_suggests_the_library() {
    let text = message(Path::new("nowhere/kafka-4458.toml"));
    assert_eq!(text, "nowhere/kafka-4458.toml: there is no such file\n  help: did you mean \"kafka-4485\"?");
    let unknown = Scenario::from_library("helthy").unwrap_err().to_string();
    assert_eq!(unknown, "helthy: is no scenario of the library\n  help: did you mean \"healthy\"?");
    assert!(
        Scenario::from_library("").unwrap_err().to_string().contains("the library has healthy, kafka-4485")
    );
}

#[test]
fn folders_large_files_and_other_encodings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(message(folder.path()).contains("is a folder"));
    let large = folder.path().join("large.toml");
    fs::write(&large, vec![b'#'; FILE_BYTES_MAX as usize + 1]).unwrap();
    assert!(message(&large).contains("is larger than"));
    let latin = folder.path().join("latin.toml");
    fs::write(&latin, b"title = \"t\"\nabout = \"caf\xe9\"\n").unwrap();
    let diagnostics = Scenario::from_path(&latin).unwrap_err();
    assert_eq!(diagnostics.list()[0].position, Some(Position { line: 2, column: 13 }));
    assert!(diagnostics.to_string().contains("latin.toml:2:13: is not UTF-8 here"));
}

const RECORDED: &str = "title = 'T'\nduration = '1s'\nbrokers = 1\n[[topic]]\nname = 't'\nreplicas = [1]\n[[producer]]\n\
                        name = 'p'\narrivals = { kind = 'recorded', file = 'arrivals.csv' }\n";

fn recorded(csv: &[u8]) -> Result<Scenario, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.toml");
    fs::write(&file, RECORDED).unwrap();
    fs::write(folder.path().join("arrivals.csv"), csv).unwrap();
    Scenario::from_path(&file).map_err(|error| error.to_string())
}

#[test]
fn recorded_arrivals_are_read_from_beside_the_scenario() {
    let csv = "\u{FEFF}records, time_ms\r\n,0.5\r\n3,0.5\r\n1,20\r\n";
    let scenario = recorded(csv.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let spec = scenario.cluster_spec(&scenario.variants()[0]).unwrap_or_else(|error| panic!("{error}"));
    let at = |us, records| RecordedArrival { at: SimTime::from_micros(us), records };
    let wanted = vec![at(500, None), at(500, Some(3)), at(20_000, Some(1))];
    assert_eq!(spec.producers[0].arrivals, Arrivals::Recorded { arrivals: wanted });
}

#[test]
fn wrong_recordings_are_named_with_their_line() {
    let cases: [(&[u8], &str); 10] = [
        (b"time_ms\n1\n0\n", "arrivals.csv:3: is earlier than the row before"),
        (b"time_ms\n1\n-2\n", "arrivals.csv:3: \"-2\" is no time in ms"),
        (b"time_ms\n1e3\n", "arrivals.csv:2: \"1e3\" is no time in ms"),
        (b"time_ms,records\n1,0\n", "arrivals.csv:2: \"0\" is no number of records"),
        (b"time_ms,records\n1\n", "arrivals.csv:2: has 1 columns, and the header has 2"),
        (b"time\n1\n", "arrivals.csv:1: has an unknown column \"time\""),
        (b"records\n1\n", "arrivals.csv:1: has no column with a time"),
        (b"time_ms,time_s\n1,1\n", "arrivals.csv:1: has a column too many"),
        (b"time_ms\n", "arrivals.csv: has no rows"),
        (b"time_ms\n\xff\n", "is not UTF-8"),
    ];
    for (csv, wanted) in cases {
        let error = recorded(csv).unwrap_err();
        assert!(error.contains(wanted), "{wanted}: {error}");
        assert!(error.contains("s.toml:9:") && error.contains("producer.p.arrivals.file"), "{error}");
    }
}

#[test]
fn a_recording_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.toml");
    fs::write(&file, RECORDED).unwrap();
    assert!(message(&file).contains("arrivals.csv: cannot be read"));
    fs::create_dir(folder.path().join("arrivals.csv")).unwrap();
    assert!(message(&file).contains("arrivals.csv: is not a file"));
}
