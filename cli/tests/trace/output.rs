//! Where a trace goes: whole files, and places that cannot be written.

use crate::common::{Got, Lab};
use crate::refused;
use std::io::Read;
use std::process::Stdio;

const WINDOW: [&str; 6] = ["trace", "kafka-4485", "--around", "isr-shrink", "--criterion", "pre-4485"];

fn with<'a>(options: &[&'a str]) -> Vec<&'a str> {
    WINDOW.iter().chain(options).copied().collect()
}

#[test]
fn a_file_has_the_same_bytes_as_standard_output() {
    let lab = Lab::new();
    for format in ["text", "jsonl", "mermaid", "chrome"] {
        let printed = lab.run(&with(&["--format", format])).code(0).out;
        let got = lab.run(&with(&["--format", format, "--out", format])).code(0).out_is("");
        got.err_has(&format!("lines in {format}"));
        assert!(lab.read(format) == printed, "{format}");
        assert!(lab.run(&with(&["--format", format, "--out", "-"])).code(0).out == printed, "{format}");
    }
    assert_eq!(lab.names("."), ["chrome", "jsonl", "mermaid", "text"]);
}

#[test]
fn places_that_cannot_be_written() {
    let lab = Lab::new();
    let nowhere = with(&["--out", "no/such/folder/trace.txt"]);
    lab.run(&nowhere).code(3).out_is("").err_has("error: failed to write no/such/folder/trace.txt: ");
    std::fs::create_dir(lab.path("folder")).unwrap();
    lab.run(&with(&["--out", "folder"])).code(3).err_has("error: failed to write folder: ");
    assert!(lab.names("folder").is_empty());
}

#[test]
fn a_file_that_was_there_stays_until_a_new_one_is_whole() {
    let lab = Lab::new();
    lab.write("trace.txt", "before");
    refused(&lab, 4, &["healthy", "--kind", "elected", "--out", "trace.txt"], "error: nothing that");
    assert_eq!(lab.read("trace.txt"), "before");
    lab.run(&with(&["--out", "trace.txt"])).code(0);
    assert!(lab.read("trace.txt").starts_with("kafka-4485 under pre-4485"));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let lab = Lab::new();
    let mut child = lab
        .command(&["trace", "kafka-4485", "--limit", "none", "--criterion", "pre-4485"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut first = [0u8; 64];
    out.read_exact(&mut first).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    Got::of("trace … | head".to_owned(), output).code(0).err_is("");
}
