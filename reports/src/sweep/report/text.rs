//! A sweep's report as a person reads it.

use super::matrix::{Shown, matrices};
use super::{ExpectationDigest, SweepReport};
use crate::judge::VerdictKind;
use crate::report::human;
use crate::report::table::wrap;
use std::fmt::Write;

const WIDTH_MAX: usize = 100;

/// The whole report.
pub fn text(report: &SweepReport) -> String {
    let mut out = String::new();
    write_all(report, &mut out).expect("a String takes everything");
    out
}

fn write_all(report: &SweepReport, out: &mut String) -> std::fmt::Result {
    heading(report, out)?;
    for note in &report.notes {
        out.push_str(&wrap(note, WIDTH_MAX, "  "));
    }
    if report.cells.is_empty() {
        writeln!(out, "\nNo cell is whole yet.")?;
    } else {
        findings(report, out)?;
    }
    expectations(report, out)?;
    failures(report, out)?;
    if report.runs_finished < report.runs {
        let missing = report.runs - report.runs_finished;
        writeln!(
            out,
            "\nIncomplete: {missing} of {} runs are missing. Finish them with\n  isrlab sweep --resume {}",
            report.runs,
            report.folder.display()
        )?;
    }
    files(report, out)
}

fn heading(report: &SweepReport, out: &mut String) -> std::fmt::Result {
    let mut factors: Vec<String> =
        report.axes.iter().map(|axis| format!("{} values of {}", axis.values().len(), axis.key())).collect();
    factors.push(human::plural(report.criteria.len() as f64, "criterion", "criteria"));
    factors.push(human::plural(report.seeds as f64, "seed", "seeds"));
    let shard = if report.shard.count > 1 { format!(", shard {}", report.shard) } else { String::new() };
    let line = format!(
        "{}: {} = {} runs{shard}, {} of them over",
        report.scenario,
        factors.join(" × "),
        human::count(report.runs as f64),
        human::count(report.runs_finished as f64)
    );
    out.push_str(&wrap(&line, WIDTH_MAX, "  "));
    Ok(())
}

fn findings(report: &SweepReport, out: &mut String) -> std::fmt::Result {
    let legend = match report.seeds {
        1 => "the number of times, · never",
        _ => "the mean number of times where it happened under every seed, else the share of seeds; · never",
    };
    let any_flapped = report.cells.iter().any(|cell| cell.flapped > 0);
    let dropped = |cell: &&super::CellDigest| cell.shrunk > cell.flapped;
    if any_flapped {
        out.push('\n');
        let title = format!("Flapped: a replica was removed from the ISR and came back ({legend})");
        out.push_str(&wrap(&title, WIDTH_MAX, "  "));
        out.push_str(&matrices(report, Shown::Flapped));
    } else {
        writeln!(out, "\nNothing flapped: no removed replica came back in any run.")?;
    }
    if report.cells.iter().filter(dropped).count() > 0 {
        writeln!(out, "\nRemoved from the ISR, whether it came back or not")?;
        out.push_str(&matrices(report, Shown::Shrunk));
    }
    out.push('\n');
    if report.runs_finished < report.runs {
        let whole = human::plural(report.cells.len() as f64, "cell that is", "cells that are");
        out.push_str(&wrap(&format!("So far, in the {whole} whole:"), WIDTH_MAX, "  "));
    }
    let mut sentences: Vec<(String, Vec<&str>)> = Vec::new();
    for (index, criterion) in report.criteria.iter().enumerate() {
        let own = || report.cells.iter().filter(|cell| report.place(cell.cell).1 == index);
        let flapped = own().filter(|cell| cell.flapped > 0).count();
        let removed = own().filter(|cell| cell.shrunk > 0).count();
        let points = own().count();
        if points == 0 {
            // A shard, or what there is of an interrupted sweep, may have no cell of it.
            continue;
        }
        let of = if points == 1 { String::new() } else { format!(" at {flapped} of {points} points") };
        let sentence = match (flapped, removed) {
            (0, 0) => "kept every replica in the ISR, at every point and under every seed".to_owned(),
            (0, removed) => {
                format!("never flapped; at {removed} of {points} points a replica was removed and stayed out")
            }
            (_, removed) if removed > flapped => {
                format!("flapped{of}; at {} more a replica was removed and stayed out", removed - flapped)
            }
            _ => format!("flapped{of}"),
        };
        match sentences.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, names)) => names.push(criterion),
            None => sentences.push((sentence, vec![criterion])),
        }
    }
    for (sentence, names) in sentences {
        out.push_str(&wrap(&format!("{} {sentence}.", human::listed(&names)), WIDTH_MAX, "  "));
    }
    match report.seeds_matter() {
        Some(false) => out.push_str(&wrap(
            "The seeds make no difference: nothing in this scenario is drawn at random, so that every interval has \
             width 0.",
            WIDTH_MAX,
            "  ",
        )),
        Some(true) => out.push_str(&wrap(
            "Intervals in cells.csv cover 95 %: Wilson's for shares of runs, Student's t for means.",
            WIDTH_MAX,
            "  ",
        )),
        None => {}
    }
    Ok(())
}

fn expectations(report: &SweepReport, out: &mut String) -> std::fmt::Result {
    if report.expectations.is_empty() && report.unjudged.is_empty() {
        if report.expectations_written > 0 && !report.cells.is_empty() {
            out.push_str(&wrap(
                "\nNo expectation was judged: those of the scenario speak of it as it is written, and no cell is that. \
                 One with `cells = \"every\"`, or with conditions, speaks of a sweep's cells.",
                WIDTH_MAX,
                "  ",
            ));
        }
        return Ok(());
    }
    writeln!(out, "\nExpectations")?;
    for known in &report.expectations {
        let mark = match known.kind() {
            VerdictKind::Held => "✓",
            VerdictKind::Violated => "✗",
            VerdictKind::Inconclusive | VerdictKind::PremiseNeverMet => "?",
        };
        out.push_str(&wrap(&format!("  {mark} {}", known.expectation), WIDTH_MAX, "    "));
        out.push_str(&wrap(&format!("      {}", counts(known)), WIDTH_MAX, "        "));
        if known.kind() != VerdictKind::Held {
            let first = &known.first;
            let place = report.cell_in_words(first.cell);
            out.push_str(&wrap(
                &format!("      first in {place}: {}; wanted {}", first.got, first.wanted),
                WIDTH_MAX,
                "        ",
            ));
            writeln!(out, "        {}", first.command)?;
        }
    }
    for unjudged in &report.unjudged {
        let line = format!("  ? {unjudged}: it names cells of which this sweep has none");
        out.push_str(&wrap(&line, WIDTH_MAX, "    "));
    }
    Ok(())
}

fn counts(known: &ExpectationDigest) -> String {
    let parts = [
        ("held in", known.held),
        ("violated in", known.violated),
        ("inconclusive (more seeds are needed) in", known.inconclusive),
        ("without its premise in", known.premise_never_met),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what} {count}")).collect();
    format!("{} of {}", parts.join(", "), human::plural(known.cells() as f64, "cell", "cells"))
}

fn failures(report: &SweepReport, out: &mut String) -> std::fmt::Result {
    if report.failures_total == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "\nFailed: {}, all in failures.csv",
        human::plural(report.failures_total as f64, "time", "times")
    )?;
    for failure in &report.failures {
        let line = format!(
            "  ✗ {} under seed {}: {} ({})",
            report.cell_in_words(failure.cell),
            failure.seed,
            failure.what,
            failure.got
        );
        out.push_str(&wrap(&line, WIDTH_MAX, "    "));
        writeln!(out, "      {}", failure.command)?;
    }
    let more = report.failures_total.saturating_sub(report.failures.len() as u64);
    if more > 0 {
        writeln!(out, "  … and {more} more")?;
    }
    Ok(())
}

fn files(report: &SweepReport, out: &mut String) -> std::fmt::Result {
    writeln!(out, "\nFiles in {}", report.folder.display())?;
    let named: Vec<String> = report
        .files
        .iter()
        .map(|entry| match entry.rows {
            Some(1) => format!("{} (1 row)", entry.file),
            Some(rows) => format!("{} ({} rows)", entry.file, human::count(rows as f64)),
            None => entry.file.clone(),
        })
        .collect();
    out.push_str(&wrap(&format!("  {}", named.join(", ")), WIDTH_MAX, "  "));
    Ok(())
}
