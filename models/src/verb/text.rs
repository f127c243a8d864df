//! The answer as text.

use std::io::{self, Write};

use super::replication::{Answer, Cell, CheckReplication, Show};
use super::runs::ModelName;
use crate::checker::{Report, Verdict};
use crate::expected::Comparison;
use crate::trace::text::{TextOptions, render};

pub(super) fn write(out: &mut dyn Write, answer: &Answer, args: &CheckReplication) -> io::Result<()> {
    let cells = answer.cells();
    let (replication, async_isr): (Vec<_>, Vec<_>) =
        cells.iter().partition(|cell| matches!(cell.model, ModelName::Replication(_)));
    for (title, cells) in [("Log truncation and fencing", replication), ("ISR changes in flight", async_isr)]
    {
        if let Some(first) = cells.first() {
            writeln!(out, "{title}: {} (engine {})", bound(args, first), first.report.engine.name())?;
            write_matrix(out, &cells)?;
            writeln!(out)?;
        }
    }
    write_counterexamples(out, &cells, args)?;
    write_exercised(out, answer)?;
    write_expectations(out, answer, &cells)
}

fn bound(args: &CheckReplication, cell: &Cell<'_>) -> String {
    match cell.model {
        ModelName::Replication(_) => format!("{} — {}", args.constants, cell.report.bound),
        ModelName::AsyncIsr(_) => format!("{} — {}", args.async_isr_constants, cell.report.bound),
    }
}

/// A row for each model, a column for each claim.
fn write_matrix(out: &mut dyn Write, cells: &[&Cell<'_>]) -> io::Result<()> {
    let mut claims: Vec<&str> = Vec::new();
    let mut models: Vec<ModelName> = Vec::new();
    for cell in cells {
        if !claims.contains(&cell.claim.name) {
            claims.push(cell.claim.name);
        }
        if !models.contains(&cell.model) {
            models.push(cell.model);
        }
    }
    let header = ["variant"].into_iter().chain(claims.iter().copied()).chain(["states", "depth"]);
    let mut table = vec![header.map(str::to_owned).collect::<Vec<_>>()];
    for model in models {
        let of_model: Vec<_> = cells.iter().filter(|cell| cell.model == model).collect();
        let answers = claims.iter().map(|claim| {
            of_model
                .iter()
                .find(|cell| cell.claim.name == *claim)
                .map_or(String::new(), |cell| answer_text(cell))
        });
        let report = of_model[0].report;
        let depth = report.depth.map_or("-".to_owned(), |depth| depth.to_string());
        let states = format!("{}{}", if report.is_whole() { "" } else { "≥ " }, report.distinct_states);
        table.push([model.name().to_owned()].into_iter().chain(answers).chain([states, depth]).collect());
    }
    write_table(out, &table)
}

fn answer_text(cell: &Cell<'_>) -> String {
    let changed = if matches!(cell.comparison, Comparison::Changed(_)) { " (!)" } else { "" };
    match (cell.claim.verdict, cell.claim.counterexample_states()) {
        (Verdict::Violated, Some(states)) => format!("violated in {states}{changed}"),
        (verdict, _) => format!("{}{changed}", verdict.name()),
    }
}

pub(super) fn write_table(out: &mut dyn Write, table: &[Vec<String>]) -> io::Result<()> {
    let columns = table[0].len();
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns).map(width).collect();
    for row in table {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        writeln!(out, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

fn write_counterexamples(out: &mut dyn Write, cells: &[Cell<'_>], args: &CheckReplication) -> io::Result<()> {
    let one_model = cells.iter().all(|cell| cell.model == cells[0].model);
    let show = args.show.unwrap_or(if one_model { Show::Steps } else { Show::Ends });
    for cell in cells {
        let Some(trace) = &cell.claim.counterexample else { continue };
        if show == Show::Ends {
            writeln!(
                out,
                "{}, {} violated in {} states:",
                cell.model.name(),
                cell.claim.name,
                trace.steps.len()
            )?;
            for sentence in &trace.conclusion {
                writeln!(out, "  {sentence}")?;
            }
        } else {
            write!(out, "{}", render(trace, TextOptions { full_state: show == Show::Full }))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_exercised(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    writeln!(out, "What was exercised:")?;
    for report in answer.rows.iter().flat_map(|row| &row.reports) {
        write_report(out, report)?;
    }
    for sentence in answer.unexercised() {
        writeln!(out, "  NOT EXERCISED: {sentence}")?;
    }
    writeln!(out)
}

pub(super) fn write_report(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let space = match report.stopped {
        None => "the whole space".to_owned(),
        Some(reason) => format!("stopped by {reason}"),
    };
    let symmetry = if report.symmetry { ", one of each set of renamings" } else { "" };
    writeln!(
        out,
        "  {}: {} distinct states{symmetry}, {} transitions, {space}",
        report.model, report.distinct_states, report.transitions
    )?;
    if let Some(chance) = report.collision_chance {
        writeln!(out, "    chance that fingerprints hid a state: below {chance:.1e}")?;
    }
    let actions = report.actions.iter().map(|action| format!("{} {}", action.kind, action.taken));
    writeln!(out, "    actions: {}", actions.collect::<Vec<_>>().join(", "))?;
    let premises = report.claims.iter().map(|claim| format!("{} {}", claim.name, claim.premise_states));
    writeln!(out, "    premise true in states: {}", premises.collect::<Vec<_>>().join(", "))
}

fn write_expectations(out: &mut dyn Write, answer: &Answer, cells: &[Cell<'_>]) -> io::Result<()> {
    let count = |wanted: &Comparison| cells.iter().filter(|cell| cell.comparison == *wanted).count();
    for cell in cells {
        if let Comparison::Changed(what) = &cell.comparison {
            writeln!(out, "CHANGED: {} {}: {what}", cell.report.model, cell.claim.name)?;
        }
    }
    let changed = cells.iter().filter(|cell| matches!(cell.comparison, Comparison::Changed(_))).count();
    let parts = [
        (count(&Comparison::AsExpected), "as expected"),
        (changed, "changed"),
        (count(&Comparison::Unfinished), "unfinished"),
        (count(&Comparison::NotInTable), "with no expectation for this bound"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    writeln!(out, "{} answers: {}.", cells.len(), parts.collect::<Vec<_>>().join(", "))?;
    if answer.strict && !answer.unexercised().is_empty() {
        writeln!(out, "Strict: something was never exercised, so this run is inconclusive.")?;
    }
    Ok(())
}
