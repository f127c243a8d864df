//! What is published is what the loader does. With `UPDATE_DOCS=1` the files are written anew.

use std::path::{Path, PathBuf};

fn published(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)
}

fn hold_up_to_date(name: &str, wanted: &str) {
    let path = published(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, wanted).unwrap();
    }
    let is = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        is == wanted,
        "docs/{name} is out of date: run UPDATE_DOCS=1 cargo test -p isrlab-scenarios --test documentation"
    );
}

#[test]
fn the_reference_is_up_to_date() {
    hold_up_to_date("scenarios.md", &isrlab_scenarios::reference());
}

#[test]
fn the_schema_is_up_to_date() {
    let text = serde_json::to_string_pretty(&isrlab_scenarios::schema()).unwrap() + "\n";
    hold_up_to_date("scenario.schema.json", &text);
}
