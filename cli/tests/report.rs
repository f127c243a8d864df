//! `isrlab report`: what it takes, what it refuses, and what it says.

mod common;

use common::*;

/// A folder with a small replay.
fn replayed() -> Lab {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    lab.run(&["replay", "small.toml", "--out", "out", "--quiet"]).code(0);
    lab
}

#[test]
fn it_says_where_the_report_is_and_makes_the_same_bytes_again() {
    let lab = replayed();
    lab.run(&["report", "out"]).code(0).out_is("out/report.html\n");
    let first = lab.bytes("out/report.html");
    lab.run(&["report", "out/", "--out", "elsewhere/page.html", "--quiet"]).code(0).out_is("").err_is("");
    assert_eq!(lab.bytes("elsewhere/page.html"), first);
    let got = lab.run(&["report", "out", "--format", "json"]).code(0).json();
    has_fields(&got, &["bytes", "kind", "report"]);
    assert_eq!((got["kind"].as_str(), got["bytes"].as_u64()), (Some("replay"), Some(first.len() as u64)));
}

#[test]
fn the_report_asks_nothing_of_a_network() {
    let lab = replayed();
    lab.run(&["report", "out"]).code(0);
    let page = lab.read("out/report.html");
    for tag in [
        "<link rel=\"stylesheet\"",
        "src=\"http",
        "href=\"http",
        "@import",
        "url(http",
        "fetch(",
        "XMLHttpRequest",
    ] {
        assert!(!page.contains(tag), "the page has {tag}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn a_folder_that_is_none_of_ours_is_refused() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("empty")).unwrap();
    lab.write("file", "x");
    let accepted = "wanted is a folder that isrlab has written: by `isrlab replay`";
    lab.run(&["report", "nowhere"])
        .code(2)
        .out_is("")
        .err_has("nowhere: there is no such folder")
        .err_has(accepted);
    lab.run(&["report", "file"]).code(2).err_has("file: is a file, not a folder").err_has(accepted);
    lab.run(&["report", "empty"]).code(2).err_has("empty: has no manifest.json").err_has(accepted);
    lab.write("empty/manifest.json", "{ \"made_by\": \"somebody\" }");
    lab.run(&["report", "empty"]).code(2).err_has("was not written by isrlab").err_has(accepted);
    lab.write("empty/manifest.json", "{ \"made_by\": \"isrlab\", \"kind\": \"poem\" }");
    lab.run(&["report", "empty"]).code(2).err_has("\"kind\" is \"poem\"; accepted are \"replay\"");
    assert_eq!(lab.names("empty"), ["manifest.json"]);
}

#[test]
fn a_broken_file_is_named_with_its_line() {
    let lab = replayed();
    let manifest = lab.read("out/manifest.json");
    lab.write("out/manifest.json", &manifest[..manifest.len() / 2]);
    let lines = manifest[..manifest.len() / 2].lines().count();
    lab.run(&["report", "out"]).code(2).err_has(&format!("manifest.json, line {lines}: EOF"));
    lab.write("out/manifest.json", manifest.replace("\"seeds\"", "\"sides\""));
    lab.run(&["report", "out"]).code(2).err_has("manifest.json, line ").err_has("missing field `seeds`");
    lab.write("out/manifest.json", &manifest);
    let timeline = lab.read("out/timeline.csv");
    let cut = &timeline[..timeline.len() - 10];
    lab.write("out/timeline.csv", cut);
    let lines = cut.lines().count();
    lab.run(&["report", "out"]).code(2).err_has(&format!("timeline.csv, line {lines}: "));
    lab.write("out/timeline.csv", timeline.replacen(",true", ",maybe", 1));
    lab.run(&["report", "out"]).code(2).err_has("timeline.csv, line 2: in_isr is \"maybe\"");
    lab.write("out/timeline.csv", timeline.replace("lag_ms", "lag_s"));
    lab.run(&["report", "out"]).code(2).err_has("timeline.csv, line 1: there is no column \"lag_ms\"");
    lab.write("out/timeline.csv", b"scenario,criterion\r\n\xff,x\r\n");
    lab.run(&["report", "out"]).code(2).err_has("timeline.csv, line");
    assert!(!lab.path("out/report.html").exists(), "no report of a broken folder");
}

#[test]
fn a_file_that_is_missing_is_told_on_the_page() {
    let lab = replayed();
    for file in ["timeline.csv", "isr_changes.csv", "summary.csv", "timeline.svg"] {
        std::fs::remove_file(lab.path("out").join(file)).unwrap();
    }
    lab.run(&["report", "out"]).code(0);
    let page = lab.read("out/report.html");
    for file in ["timeline.csv", "isr_changes.csv", "summary.csv"] {
        assert!(page.contains(&format!("{file} is not in the folder")), "{file}");
    }
    assert!(page.contains("data-kind=\"replay\""));
}

#[test]
fn what_cannot_be_run_again_is_left_out_and_said() {
    let lab = replayed();
    let manifest = lab.read("out/manifest.json");
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    lab.write("out/manifest.json", manifest.replace(&version, "\"version\": \"0.0.9\""));
    lab.run(&["report", "out"]).code(0);
    assert!(lab.read("out/report.html").contains("written by version 0.0.9 of isrlab"));
    // Numbers that a run does not give again.
    lab.write("out/manifest.json", &manifest);
    let summary = lab.read("out/summary.csv");
    let changed = summary.replacen(",3000.000000,", ",3000.000000,7", 1);
    assert_ne!(changed, summary);
    lab.write("out/summary.csv", changed);
    lab.run(&["report", "out"]).code(0);
    assert!(
        lab.read("out/report.html").contains("running it again gives other numbers than its summary.csv")
    );
}

#[test]
fn a_folder_from_before_there_were_kinds_is_of_a_replay() {
    let lab = replayed();
    let manifest = lab.read("out/manifest.json");
    let older = manifest.replace("  \"kind\": \"replay\",\n", "");
    assert_ne!(older, manifest);
    lab.write("out/manifest.json", older);
    lab.run(&["report", "out"]).code(0);
    assert!(lab.read("out/report.html").contains("data-kind=\"replay\""));
}

#[test]
fn violations_are_in_the_first_line() {
    let lab = Lab::new();
    lab.write("kip-101.toml", KIP_101);
    lab.run(&["replay", "kip-101.toml", "--out", "out", "--quiet"]).code(1);
    lab.run(&["report", "out"]).code(0);
    let page = lab.read("out/report.html");
    assert!(page.contains("An invariant was violated in 1 of 2 runs"));
    assert!(page.contains("isrlab replay kip-101.toml --profile kafka-0.10.2 --seed 1"));
}

#[test]
fn a_check_leaves_a_folder_and_its_report() {
    let lab = Lab::new();
    let checks: [&[&str]; 5] = [
        &["replication", "--replicas", "2", "--variant", "kip-101", "--threads", "2"],
        &["isr", "--criterion", "pre-4485", "--question", "g1"],
        &["timestamps", "--variant", "create-0.10"],
        &["mirror-lag", "--rule", "jira", "--condition", "plain"],
        &["share-lag", "--variant", "kip-1226", "--condition", "plain"],
    ];
    for check in checks {
        let mut args = vec!["check"];
        args.extend(check);
        args.extend(["--out", "out"]);
        let got = lab.run(&args).code(0).err_has("`isrlab report out`");
        assert!(!got.out.is_empty(), "the answer is printed all the same");
        let manifest: serde_json::Value = serde_json::from_str(&lab.read("out/manifest.json")).unwrap();
        has_fields(
            &manifest,
            &["made_by", "version", "kind", "state", "check", "command", "exit_code", "files"],
        );
        let command = args[..args.len() - 2].join(" ").replace(" --threads 2", "");
        assert_eq!(manifest["command"], format!("isrlab {command}"));
        for entry in manifest["files"].as_array().unwrap() {
            assert!(lab.path("out").join(entry["file"].as_str().unwrap()).exists(), "{entry}");
        }
        lab.run(&["report", "out"]).code(0);
        let page = lab.read("out/report.html");
        assert!(page.contains(&format!("<h1>check {}</h1>", check[0])), "{check:?}");
        assert!(page.contains(&format!("isrlab {command}")), "{check:?}");
    }
    // Another check takes the folder over.
    assert!(!lab.names("out").iter().any(|name| name.starts_with("kip-101")), "{:?}", lab.names("out"));
}

#[test]
fn a_check_does_not_touch_a_folder_of_somebody_elses() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("mine")).unwrap();
    lab.write("mine/notes.txt", "x");
    let args = ["check", "timestamps", "--variant", "create-0.10", "--out", "mine"];
    lab.run(&args).code(2).out_is("").err_has("was not written by isrlab");
    assert_eq!(lab.names("mine"), ["notes.txt"]);
}

#[test]
fn answers_that_are_missing_or_broken_are_named() {
    let lab = Lab::new();
    lab.run(&["check", "timestamps", "--variant", "create-0.10", "--out", "out"]).code(0);
    lab.write("out/answers.json", "{\n\"matrix\": 5 }");
    lab.run(&["report", "out"]).code(2).err_has("answers.json, line 2: ");
    std::fs::remove_file(lab.path("out/answers.json")).unwrap();
    lab.run(&["report", "out"]).code(2).err_has("answers.json: is not there");
}

/// A folder with a small sweep: one key, two values, under which an expectation fails.
fn swept() -> Lab {
    let lab = Lab::new();
    let expect =
        "[[expect]]\nthat = 'few records'\ncells = 'every'\nmetric = 'records_appended'\n'at.most' = 100\n";
    lab.write("small.toml", format!("{SMALL}{expect}"));
    let vary = "producer.p.record.bytes=100,200";
    lab.run(&["sweep", "small.toml", "--vary", vary, "--seeds", "3", "--out", "out", "--quiet"]).code(1);
    lab
}

#[test]
fn a_sweep_has_its_page_with_every_failure() {
    let lab = swept();
    lab.run(&["report", "out"]).code(0).out_is("out/report.html\n");
    let page = lab.read("out/report.html");
    assert!(page.contains("data-kind=\"sweep\""));
    assert!(page.contains("1 of 1 expectation did not come true"));
    assert!(page.contains("6 runs failed."));
    let command = "isrlab replay small.toml --criterion post-4485 --set producer.p.record.bytes=200 --seed 3";
    assert!(page.contains(command), "the command that repeats the last run");
    let first = lab.bytes("out/report.html");
    lab.run(&["report", "out", "--quiet"]).code(0);
    assert_eq!(lab.bytes("out/report.html"), first);
}

#[test]
fn a_broken_or_missing_file_of_a_sweep_is_named() {
    let lab = swept();
    let cells = lab.read("out/cells.csv");
    lab.write("out/cells.csv", &cells[..cells.len() - 3]);
    let lines = cells.lines().count();
    lab.run(&["report", "out"]).code(2).err_has(&format!("cells.csv, line {lines}: "));
    lab.write("out/cells.csv", cells.replacen("\r\n0,", "\r\nzero,", 1));
    lab.run(&["report", "out"]).code(2).err_has("cells.csv, line 2: cell is \"zero\"; wanted is a number");
    lab.write("out/cells.csv", &cells);
    let failures = lab.read("out/failures.csv");
    lab.write("out/failures.csv", failures.replacen(",expectation,", ",mishap,", 1));
    lab.run(&["report", "out"]).code(2).err_has("failures.csv, line 2: kind is \"mishap\"");
    for file in ["cells.csv", "failures.csv", "expectations.csv"] {
        std::fs::remove_file(lab.path("out").join(file)).unwrap();
    }
    lab.run(&["report", "out"]).code(0);
    let page = lab.read("out/report.html");
    for file in ["cells.csv", "failures.csv", "expectations.csv"] {
        assert!(page.contains(&format!("{file} is not in the folder")), "{file}");
    }
}

#[test]
fn a_shard_says_that_it_is_one() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    let vary = "producer.p.record.bytes=100,200";
    let args = ["sweep", "small.toml", "--vary", vary, "--shard", "2/2", "--out", "out", "--quiet"];
    lab.run(&args).code(0);
    lab.run(&["report", "out"]).code(0);
    assert!(lab.read("out/report.html").contains("This is shard 2 of 2"));
}
