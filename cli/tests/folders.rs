//! Where a replay writes.

mod common;

use common::*;

#[test]
fn a_folder_of_ours_is_taken_over() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    lab.run(&["replay", "kafka-4485", "--out", "out"]).code(0);
    lab.write("out/notes.txt", "mine");
    let got = lab.run(&["replay", "small.toml", "--out", "out"]).code(0);
    got.out_has("Files in out (those of an earlier replay were replaced)");
    assert_eq!(lab.read("out/notes.txt"), "mine");
    assert!(
        lab.read("out/summary.csv").contains("small") && !lab.read("out/summary.csv").contains("kafka-4485")
    );
}

#[test]
fn a_folder_in_folders_that_are_not_there_is_made() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    lab.run(&["replay", "small.toml", "--out", "a/b/../c d/é"]).code(0);
    assert!(lab.path("a/c d/é/manifest.json").exists());
}

#[test]
fn the_default_folder_is_named_like_the_scenario_and_stays_below() {
    let lab = Lab::new();
    lab.write("..toml", SMALL);
    lab.write("my scenario: 1.toml", SMALL);
    lab.run(&["replay", "my scenario: 1.toml"]).code(0);
    assert_eq!(lab.names("isrlab-out"), ["my_scenario__1"]);
    lab.write("...toml", SMALL);
    let before = lab.names(".");
    lab.run(&["replay", "...toml"]).code(0);
    assert_eq!(lab.names("."), before, "files beside the folder");
    lab.run(&["replay", "..toml"]).code(0);
    assert_eq!(lab.names("."), before, "files beside the folder");
}

#[test]
fn an_empty_name_is_no_folder() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    lab.run(&["replay", "small.toml", "--out", ""]).code(2).out_is("").err_has("--out");
    assert_eq!(lab.names("."), ["small.toml"]);
}

#[test]
fn a_bad_manifest_does_not_lead_elsewhere() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    lab.run(&["replay", "small.toml", "--out", "out"]).code(0);
    lab.write("precious", "x");
    let manifest = lab.read("out/manifest.json").replace("\"summary.csv\"", "\"../precious\"");
    lab.write("out/manifest.json", manifest);
    lab.run(&["replay", "small.toml", "--out", "out"]).code(0);
    assert_eq!(lab.read("precious"), "x");
}

#[test]
#[cfg(unix)]
fn links_are_followed_to_folders_and_replaced_as_files() {
    use std::os::unix::fs::symlink;
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    std::fs::create_dir(lab.path("real")).unwrap();
    symlink("real", lab.path("link")).unwrap();
    lab.run(&["replay", "small.toml", "--out", "link"]).code(0);
    assert!(lab.path("real/summary.csv").exists());
    // A file of ours that was replaced by a link: the link goes, not what it leads to.
    lab.write("precious", "x");
    std::fs::remove_file(lab.path("real/summary.csv")).unwrap();
    symlink("../precious", lab.path("real/summary.csv")).unwrap();
    lab.run(&["replay", "small.toml", "--out", "link"]).code(0);
    assert_eq!(lab.read("precious"), "x");
    symlink("nowhere", lab.path("dangling")).unwrap();
    let got = lab.run(&["replay", "small.toml", "--out", "dangling"]);
    assert!(got.code == 2 || got.code == 3, "{}", got.shown());
}

#[test]
fn thousands_of_faults_are_drawn_in_no_time() {
    let lab = Lab::new();
    let fault = |number: usize| {
        let at = number % 2_900;
        format!(
            "[[fault]]\nname = \"f{number}\"\nkind = \"pause\"\nbroker = 2\nat = \"{at}ms\"\nfor = \"50ms\"\n"
        )
    };
    let faults: String = (0..5_000).map(fault).collect();
    lab.write("small.toml", format!("{SMALL}{faults}"));
    lab.run(&["replay", "small.toml", "--out", "out"]).code(0);
    assert!(lab.bytes("out/timeline.svg").len() < 500_000, "{}", lab.bytes("out/timeline.svg").len());
}

#[test]
fn what_is_refused_leaves_an_earlier_folder_alone() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    lab.run(&["replay", "small.toml", "--out", "out"]).code(0);
    let before = lab.bytes("out/summary.csv");
    lab.run(&["replay", "small.toml", "--out", "out", "--set", "duration=0s"]).code(2);
    lab.run(&["replay", "small.toml", "--out", "out", "--profile", "kafka-9"]).code(2);
    assert_eq!(lab.bytes("out/summary.csv"), before);
}
