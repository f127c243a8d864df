//! The answer as JUnit XML: a test case for each answer.

use std::fmt::Write;

use super::run::{Findings, Row};

pub(super) fn render(found: &Findings) -> String {
    let mut out = String::new();
    write_document(&mut out, found).expect("writing to a string does not fail");
    out
}

fn write_document(out: &mut String, found: &Findings) -> std::fmt::Result {
    let failures = found.rows.iter().filter(|row| row.fault().is_some()).count();
    let tests = found.rows.len() + found.stopped.len();
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<testsuites name="isrlab check isr">"#)?;
    let skipped = found.stopped.len();
    writeln!(
        out,
        r#"  <testsuite name="isr" tests="{tests}" failures="{failures}" errors="0" skipped="{skipped}">"#
    )?;
    for row in &found.rows {
        write_case(out, row)?;
    }
    for (setting, reason) in &found.stopped {
        let setting = escape(&setting.to_string());
        writeln!(
            out,
            r#"    <testcase classname="{setting}" name="whole state space"><skipped message="stopped by {reason}"/></testcase>"#
        )?;
    }
    writeln!(out, "  </testsuite>")?;
    writeln!(out, "</testsuites>")
}

fn write_case(out: &mut String, row: &Row) -> std::fmt::Result {
    let setting = escape(&row.setting.to_string());
    write!(out, r#"    <testcase classname="{setting}" name="{}">"#, row.measure)?;
    if let Some(fault) = row.fault() {
        write!(out, r#"<failure message="{}"/>"#, escape(&fault))?;
    }
    writeln!(out, "</testcase>")
}

fn escape(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    escaped.replace('"', "&quot;").replace('\n', "&#10;")
}
