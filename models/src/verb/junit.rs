//! The answer as JUnit XML: a test suite for each model, a test case for each claim.

use std::fmt::Write;

use super::replication::{Answer, Cell};
use crate::checker::Verdict;
use crate::expected::Comparison;
use crate::trace::text::{TextOptions, render as render_trace};

pub(super) fn render(answer: &Answer) -> String {
    let mut out = String::new();
    write_document(&mut out, answer).expect("writing to a string does not fail");
    out
}

fn write_document(out: &mut String, answer: &Answer) -> std::fmt::Result {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<testsuites name="isrlab check replication">"#)?;
    let cells = answer.cells();
    for row in &answer.rows {
        let of_row: Vec<_> = cells.iter().filter(|cell| cell.model == row.model).collect();
        let failures = of_row.iter().filter(|cell| failure(cell).is_some()).count();
        let skipped = of_row.iter().filter(|cell| is_skipped(cell)).count();
        writeln!(
            out,
            r#"  <testsuite name="{}" tests="{}" failures="{failures}" errors="0" skipped="{skipped}">"#,
            row.model.name(),
            of_row.len()
        )?;
        for cell in of_row {
            write_case(out, cell)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    if answer.strict {
        let unexercised = answer.unexercised();
        let skipped = unexercised.len();
        let tests = skipped.max(1);
        writeln!(
            out,
            r#"  <testsuite name="strict" tests="{tests}" failures="0" errors="0" skipped="{skipped}">"#
        )?;
        if unexercised.is_empty() {
            writeln!(out, r#"    <testcase classname="strict" name="everything was exercised"/>"#)?;
        }
        for what in unexercised {
            let what = escape(&what);
            writeln!(
                out,
                r#"    <testcase classname="strict" name="{what}"><skipped message="inconclusive: {what}"/></testcase>"#
            )?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn write_case(out: &mut String, cell: &Cell<'_>) -> std::fmt::Result {
    let (model, claim) = (escape(&cell.report.model), escape(cell.claim.name));
    write!(out, r#"    <testcase classname="{model}" name="{claim}">"#)?;
    if let Some(message) = failure(cell) {
        let trace = cell.claim.counterexample.as_ref();
        let trace = trace.map_or(String::new(), |trace| render_trace(trace, TextOptions::default()));
        write!(out, r#"<failure message="{}">{}</failure>"#, escape(&message), escape(&trace))?;
    } else if is_skipped(cell) {
        write!(out, r#"<skipped message="inconclusive: the search ended early"/>"#)?;
    }
    writeln!(out, "</testcase>")
}

fn failure(cell: &Cell<'_>) -> Option<String> {
    match &cell.comparison {
        Comparison::Changed(what) => Some(what.clone()),
        Comparison::NotInTable if cell.claim.verdict == Verdict::Violated => {
            Some(format!("violated: {}", cell.claim.statement))
        }
        _ => None,
    }
}

fn is_skipped(cell: &Cell<'_>) -> bool {
    failure(cell).is_none() && !cell.report.is_whole()
}

fn escape(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    escaped.replace('"', "&quot;").replace('\n', "&#10;")
}
