//! What the README shows is what the program prints.

use assert_cmd::Command;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn the_readme_shows_what_the_main_command_prints() {
    let folder = tempfile::tempdir().unwrap();
    let run = Command::cargo_bin("isrlab")
        .unwrap()
        .current_dir(folder.path())
        .args(["replay", "kafka-4485"])
        .assert()
        .code(0);
    let printed = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let shown = readme.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next());
    assert_eq!(shown, Some(printed.trim_end()), "the README's block is not what the command prints");
    let drawn = std::fs::read(folder.path().join("isrlab-out/kafka-4485/timeline.svg")).unwrap();
    let kept = std::fs::read(root().join("docs/kafka-4485.svg")).unwrap();
    assert!(drawn == kept, "docs/kafka-4485.svg is not the picture that the command draws");
}

#[test]
fn the_page_about_lags_shows_what_its_command_draws() {
    let page = std::fs::read_to_string(root().join("docs/lag.md")).unwrap();
    assert!(page.contains("](mirror-lag.svg)") && page.contains("isrlab replay mirror-lag-idle`"));
    let folder = tempfile::tempdir().unwrap();
    Command::cargo_bin("isrlab")
        .unwrap()
        .current_dir(folder.path())
        .args(["replay", "mirror-lag-idle"])
        .assert()
        .code(0);
    let drawn = std::fs::read(folder.path().join("isrlab-out/mirror-lag-idle/lag.svg")).unwrap();
    let kept = std::fs::read(root().join("docs/mirror-lag.svg")).unwrap();
    assert!(drawn == kept, "docs/mirror-lag.svg is not the picture that the command draws");
}

#[test]
fn the_readme_names_every_scenario_of_the_library() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let list = Command::cargo_bin("isrlab").unwrap().args(["list", "--format", "json"]).assert().code(0);
    let list: serde_json::Value = serde_json::from_slice(&list.get_output().stdout).unwrap();
    let names: Vec<&str> =
        list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 9);
    for name in names {
        assert!(readme.contains(&format!("| `{name}` |")), "the README's library lacks {name}");
    }
}

#[test]
fn the_page_on_sweeps_shows_what_the_command_prints() {
    let folder = tempfile::tempdir().unwrap();
    let run = Command::cargo_bin("isrlab")
        .unwrap()
        .current_dir(folder.path())
        .args(["sweep", "flapping-map"])
        .assert()
        .code(0);
    let printed = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let page = std::fs::read_to_string(root().join("docs/sweep.md")).unwrap();
    let shown = page.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next());
    assert_eq!(shown, Some(printed.trim_end()), "docs/sweep.md does not show what the command prints");
    let drawn =
        std::fs::read(folder.path().join("isrlab-out/flapping-map-sweep/heat-map-isr_flaps.svg")).unwrap();
    let kept = std::fs::read(root().join("docs/flapping-map.svg")).unwrap();
    assert!(drawn == kept, "docs/flapping-map.svg is not the picture that the command draws");
}
