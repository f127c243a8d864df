//! The bytes of every CSV and SVG file, and of the manifest, of every scenario of the library.
//!
//! A digest that changes means that somebody who runs the same scenario now sees something else.
//! Where that is meant, accept it: `ACCEPT_DIGESTS=1 cargo test -p isrlab --test digests`.
//!
//! PNG files are left out: their bytes depend on how the text of the SVG is rasterised.

mod common;

use common::*;
use sha2::{Digest, Sha256};
use std::fmt::Write;

const ACCEPT: &str = "ACCEPT_DIGESTS";

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes everything");
        text
    })
}

/// One line for each file, `SHA-256  scenario/file`.
fn digests(threads: &str) -> String {
    let lab = Lab::new();
    let list = lab.run(&["list", "--format", "json"]).code(0).json();
    let mut text = String::new();
    for scenario in list.as_array().expect("a list") {
        let name = scenario["name"].as_str().expect("a name");
        lab.run(&["replay", name, "--out", name, "--threads", threads, "--quiet"]).code(0);
        for file in lab.names(name).iter().filter(|file| !file.ends_with(".png")) {
            let path = format!("{name}/{file}");
            writeln!(text, "{}  {path}", digest(&lab.bytes(&path))).expect("a String takes everything");
        }
    }
    text
}

#[test]
fn the_library_gives_the_bytes_it_gave() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/digests.txt");
    let got = digests("1");
    if std::env::var_os(ACCEPT).is_some() {
        std::fs::write(&path, &got).expect("the digests can be written");
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let other = |of: &str, than: &str| -> Vec<String> {
        let known: Vec<&str> = than.lines().collect();
        of.lines().filter(|line| !known.contains(line)).map(str::to_owned).collect()
    };
    let (new, gone) = (other(&got, &wanted), other(&wanted, &got));
    assert!(
        new.is_empty() && gone.is_empty(),
        "files of the library are not what they were.\nwanted\n~~~\n{}\n~~~\ngot\n~~~\n{}\n~~~\nif that is meant: \
         {ACCEPT}=1 cargo test -p isrlab --test digests",
        gone.join("\n"),
        new.join("\n"),
    );
    let two = digests("2");
    assert!(two == got, "two threads give other bytes:\n~~~\n{}\n~~~", other(&two, &got).join("\n"));
}
