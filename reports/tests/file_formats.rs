//! Every file of a run folder, byte for byte.

mod common;

use common::{assert_file, assert_golden, named_plan, plan, read_csv, run, script, short_run};
use isrlab_reports::tables::{TABLES, csv_reference, tables_of};
use isrlab_reports::{RunStop, VERSION};
use std::path::Path;

#[test]
fn each_file_is_as_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&["pre-4485", "kafka-2.5"], 2, 1, Some(folder.path().to_owned()));
    run(&plan, &script(|_, _, observer, _| RunStop::Finished(short_run(observer)))).unwrap();
    let text = tables_of(&plan).into_iter().map(|table| table.file).chain(["manifest.json", "timeline.svg"]);
    // Without PNG the manifest lists one file less.
    for file in text.filter(|file| cfg!(feature = "png") || *file != "manifest.json") {
        let found = std::fs::read_to_string(folder.path().join(file)).unwrap();
        let found = found.replace(VERSION, "VERSION");
        assert_golden(file, found.as_bytes());
    }
}

#[test]
fn each_row_is_as_wide_as_the_header() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&["pre-4485"], 1, 1, Some(folder.path().to_owned()));
    run(&plan, &script(|_, _, observer, _| RunStop::Finished(short_run(observer)))).unwrap();
    for table in tables_of(&plan) {
        let rows = read_csv(&folder.path().join(table.file));
        let columns: Vec<&str> = table.all_columns().iter().map(|column| column.name).collect();
        assert_eq!(rows[0], columns, "{}", table.file);
        assert!(rows.len() > 1, "{}", table.file);
    }
}

#[test]
fn odd_names_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let (scenario, topic) = ("a, \"b\"\nc\r\n日本 <&>", "t,\n\"o\"\u{1}📈");
    let out = Some(folder.path().to_owned());
    let plan = named_plan(scenario, topic, &["pre-4485"], 1, 1, out);
    run(&plan, &script(|_, _, observer, _| RunStop::Finished(short_run(observer)))).unwrap();
    for file in ["isr_changes.csv", "timeline.csv"] {
        let rows = read_csv(&folder.path().join(file));
        for row in &rows[1..] {
            assert_eq!((row[0].as_str(), row[4].as_str()), (scenario, topic), "{file}");
        }
    }
    let manifest = std::fs::read_to_string(folder.path().join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["scenario"], scenario);
}

#[test]
fn the_column_reference_is_up_to_date() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/csv.md");
    assert_file(&page, csv_reference().as_bytes());
}

#[test]
fn column_names_are_unique_and_described() {
    for table in &TABLES {
        let columns = table.all_columns();
        for (index, column) in columns.iter().enumerate() {
            assert!(columns[..index].iter().all(|other| other.name != column.name), "{}", column.name);
            assert!(column.meaning.ends_with('.') && !column.unit.is_empty(), "{}", column.name);
            assert!(!column.meaning.contains('|'), "{} would break the reference", column.name);
        }
    }
}
