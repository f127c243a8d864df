//! `isrlab sweep` and `isrlab merge` as commands.

mod common;

use common::*;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SWEEP: [&str; 8] = [
    "sweep",
    "flapping-map",
    "--duration",
    "20s",
    "--vary",
    "link.far.latency.median=1ms..50ms/4/log",
    "--seeds",
    "30",
];

fn files(lab: &Lab, folder: &str) -> Vec<(String, Vec<u8>)> {
    lab.names(folder).into_iter().map(|name| (name.clone(), lab.bytes(&format!("{folder}/{name}")))).collect()
}

#[test]
fn killed_again_and_again_it_ends_with_the_same_bytes() {
    let lab = Lab::new();
    lab.run(&[&SWEEP[..], &["--out", "whole"]].concat()).code(0);
    let wanted = files(&lab, "whole");
    let mut child = lab
        .command(&[&SWEEP[..], &["--out", "killed", "--threads", "2"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = lab.path("killed/journal.jsonl");
    let length = || std::fs::metadata(&journal).map_or(0, |metadata| metadata.len());
    let mut kills = 0;
    loop {
        // Killed when some more runs are in the journal: in the middle of the work, wherever that is.
        let (before, started) = (length(), Instant::now());
        while length() < before + 40_000 && child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(120), "the sweep makes no progress");
            std::thread::sleep(Duration::from_millis(2));
        }
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        child = lab
            .command(&["sweep", "--resume", "killed"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
    }
    assert!(kills >= 2, "it was over after {kills} kills: make it longer");
    lab.run(&["sweep", "--resume", "killed"]).code(0);
    assert!(files(&lab, "killed") == wanted, "after {kills} kills the bytes are others");
}

#[test]
fn an_unfinished_sweep_is_not_thrown_away() {
    let lab = Lab::new();
    let manifest = |lab: &Lab| lab.read("s/manifest.json");
    lab.run(&["sweep", "healthy", "--duration", "1s", "--seeds", "2", "--out", "s"]).code(0);
    let unfinished = manifest(&lab).replace("\"complete\"", "\"unfinished\"");
    lab.write("s/manifest.json", &unfinished);
    for args in [
        &["sweep", "healthy", "--duration", "1s", "--seeds", "2", "--out", "s"][..],
        &["replay", "healthy", "--duration", "1s", "--out", "s"],
    ] {
        let got = lab.run(args).code(2);
        assert!(got.err.contains("isrlab sweep --resume s"), "{}", got.err);
        assert_eq!(manifest(&lab), unfinished);
    }
    lab.run(&["sweep", "healthy", "--duration", "1s", "--seeds", "2", "--out", "s", "--restart"]).code(0);
    assert!(manifest(&lab).contains("\"complete\""));
}

#[test]
fn two_machines_and_a_merge_give_what_one_gives() {
    let lab = Lab::new();
    lab.run(&[&SWEEP[..], &["--out", "whole"]].concat()).code(0);
    for shard in ["1/2", "2/2"] {
        let out = format!("part{}", &shard[..1]);
        let got = lab.run(&[&SWEEP[..], &["--out", &out, "--shard", shard]].concat()).code(0);
        assert!(got.out.contains(&format!("shard {shard}")), "{}", got.out);
    }
    lab.run(&["merge", "part2", "part1", "--out", "merged"]).code(0);
    assert!(files(&lab, "merged") == files(&lab, "whole"));
    let got = lab.run(&["merge", "part2", "--out", "again"]).code(2);
    assert!(got.err.contains("of its 2 shards, 1/2 is missing"), "{}", got.err);
}

#[test]
fn the_command_line_is_checked() {
    let lab = Lab::new();
    for (args, wanted) in [
        (&["sweep"][..], "SCENARIO"),
        (&["sweep", "healthy"], "there is nothing to sweep"),
        (&["sweep", "healthy", "--vary", "duration"], "has no `=`"),
        (&["sweep", "healthy", "--vary", "replica.lag.time.max.ms=5s..1s/3"], "does not rise"),
        (
            &["sweep", "healthy", "--vary", "replica.lag.time.mx.ms=5s"],
            "did you mean \"replica.lag.time.max.ms\"?",
        ),
        (&["sweep", "healthy", "--vary", "replica.lag.time.max.ms=0"], "replica.lag.time.max.ms: is 0"),
        (&["sweep", "healthy", "--seeds", "0"], "0 is not in 1..=1000000"),
        (&["sweep", "healthy", "--seeds", "2", "--shard", "3/2"], "1 ≤ K ≤ N"),
        (&["sweep", "healthy", "--seeds", "2", "--plot", "flaps"], "isr_flaps"),
        (&["sweep", "healthy", "--seeds", "2", "--resume", "x"], "cannot be used with"),
        (&["sweep", "--resume", "nowhere"], "holds no sweep to go on with: it has no manifest.json"),
        (&["merge", "nowhere", "--out", "m"], "holds no sweep to go on with"),
        (&["merge", "nowhere"], "--out"),
    ] {
        let got = lab.run(args).code(2);
        assert!(got.err.contains(wanted), "{}", got.shown());
        assert_eq!(lab.names("."), Vec::<String>::new(), "{}", got.shown());
    }
}

#[test]
fn the_result_is_one_json_document() {
    let lab = Lab::new();
    let got = lab.run(&[&SWEEP[..], &["--format", "json", "--out", "s"]].concat()).code(0).json();
    assert_eq!(
        (&got["runs"], &got["runs_finished"], &got["exit_code"]),
        (&240.into(), &240.into(), &0.into())
    );
    let cells = got["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 8);
    assert_eq!(cells[6]["settings"]["link.far.latency.median"], "50ms");
    assert_eq!(cells[6]["criterion"], "pre-4485");
    assert!(cells[6]["shrunk"] == 30 && cells[7]["shrunk"] == 0, "{got}");
    let expectation = &got["expectations"][0];
    assert_eq!((&expectation["verdict"], &expectation["cells"]), (&"held".into(), &4.into()));
}
