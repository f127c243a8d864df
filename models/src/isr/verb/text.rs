//! The answer for people: a table for each measure, then the claims.

use std::io::{self, Write};

use isrlab_sim::protocol::IsrCriterion;

use super::run::{CheckIsr, Extent, Findings, Row, Second, settled};
use crate::isr::setting::{Behaviour, Setting, Start, reset_name};
use crate::isr::verify::Opinion;

pub(super) fn write(out: &mut dyn Write, ask: &CheckIsr, found: &Findings) -> io::Result<()> {
    if ask.full {
        for row in &found.rows {
            write_row(out, row)?;
        }
    } else {
        for &measure in &ask.measures {
            let rows: Vec<&Row> = found.rows.iter().filter(|row| row.measure == measure).collect();
            if !rows.is_empty() {
                write_table(out, &rows)?;
            }
        }
    }
    write_claims(out, found)?;
    write_end(out, found)
}

/// The row of a setting in the tables.
fn row_label(setting: &Setting) -> String {
    let start = match setting.start {
        Start::Established => setting.start.name().to_owned(),
        Start::Election => format!("{} {}", setting.start, reset_name(setting.reset)),
    };
    format!("{} {start}", setting.criterion)
}

/// The column of a setting in the tables.
fn column_label(setting: &Setting) -> String {
    let mut label = format!("n={} {}", setting.followers, setting.behaviour);
    if setting.behaviour != Behaviour::Any {
        label += &format!(" F={}", setting.gap);
    }
    if setting.writes != 1 || setting.reads.is_some() {
        label += &format!(" w={}", setting.writes);
    }
    if let Some(reads) = setting.reads {
        label += &format!(" b={} K={}", reads.records, reads.backlog);
    }
    label
}

fn push_once(labels: &mut Vec<String>, label: String) {
    if !labels.contains(&label) {
        labels.push(label);
    }
}

fn write_table(out: &mut dyn Write, rows: &[&Row]) -> io::Result<()> {
    writeln!(out, "{}: {}", rows[0].measure, rows[0].measure.sentence())?;
    let (mut lines, mut columns) = (Vec::new(), Vec::new());
    for row in rows {
        push_once(&mut lines, row_label(&row.setting));
        push_once(&mut columns, column_label(&row.setting));
    }
    for (number, column) in columns.iter().enumerate() {
        writeln!(out, "  column {:>2}: {column}", number + 1)?;
    }
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    for line in &lines {
        write!(out, "  {line:<width$}")?;
        for column in &columns {
            let cell: Vec<&&Row> = rows
                .iter()
                .filter(|row| row_label(&row.setting) == *line && column_label(&row.setting) == *column)
                .collect();
            let text = match cell.as_slice() {
                [] => String::new(),
                [row] => short(row),
                several => format!("({} settings)", several.len()),
            };
            write!(out, " {text:>5}")?;
        }
        writeln!(out)?;
    }
    for (formula, whom) in formulas(rows) {
        writeln!(out, "  = {formula}")?;
        writeln!(out, "      {}", whom.join("; "))?;
    }
    writeln!(out)
}

/// Start and behaviour, with the criteria that share a formula there.
type Cases = Vec<(String, Vec<String>)>;

/// The formulas that a table's numbers follow, each with the settings that it is about.
fn formulas(rows: &[&Row]) -> Vec<(String, Vec<String>)> {
    // For each formula, in order: for each start and behaviour the criteria.
    let mut found: Vec<(String, Cases)> = Vec::new();
    for row in rows {
        let Some(line) = row.expectation else { continue };
        let formula = format!("{}: {}", line.formula, line.why);
        let case = format!("{} {}", row.setting.start, row.setting.behaviour);
        let at = found.iter().position(|(known, _)| *known == formula).unwrap_or_else(|| {
            found.push((formula, Vec::new()));
            found.len() - 1
        });
        let cases = &mut found[at].1;
        let at = cases.iter().position(|(known, _)| *known == case).unwrap_or_else(|| {
            cases.push((case, Vec::new()));
            cases.len() - 1
        });
        push_once(&mut cases[at].1, row.setting.criterion.name().to_owned());
    }
    let in_words = |(case, criteria): (String, Vec<String>)| {
        let whom =
            if criteria.len() == IsrCriterion::ALL.len() { "all".to_owned() } else { criteria.join(", ") };
        format!("{case}: {whom}")
    };
    found.into_iter().map(|(formula, cases)| (formula, cases.into_iter().map(in_words).collect())).collect()
}

fn short(row: &Row) -> String {
    let value = match &row.extent {
        Extent::Never => "–".to_owned(),
        Extent::Exactly(value) => value.to_string(),
        Extent::Unbounded(_) => "∞".to_owned(),
    };
    if row.fault().is_some() { format!("{value}!") } else { value }
}

fn write_row(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    write!(out, "{}: {} = {}", row.setting, row.measure, row.value())?;
    if let Some(line) = row.expectation {
        write!(out, " = {}", line.formula)?;
    }
    write!(out, "; {} states, {} steps, depth {}", row.states, row.steps, row.depth)?;
    write!(out, ", looked at {} times", row.observations)?;
    match &row.second {
        Second::NotAsked => write!(out, "; by the graph alone")?,
        Second::Given(Opinion::Stopped(reason)) => write!(out, "; the checker was stopped by {reason}")?,
        Second::Given(Opinion::Differs(_)) => {}
        Second::Given(Opinion::Agrees(evidence)) => {
            if let Some(states) = evidence.states {
                write!(out, "; the checker agrees ({states} states)")?;
            }
            if let Some(counterexample) = &evidence.counterexample {
                write!(out, ", tight: {} states refute the next", counterexample.trace.steps.len())?;
            }
            if let Some(rounds) = evidence.rounds {
                write!(
                    out,
                    "; walked: {} after 1 round, {} after 2, {} after 3",
                    rounds[0], rounds[1], rounds[2]
                )?;
            }
        }
    }
    match row.fault() {
        Some(fault) => writeln!(out, "; {fault}"),
        None => writeln!(out),
    }
}

fn write_claims(out: &mut dyn Write, found: &Findings) -> io::Result<()> {
    let lines = settled(found);
    if lines.iter().all(|line| line.proposed == "not asked" && line.merged == "not asked") {
        return Ok(());
    }
    writeln!(out, "Claim by claim")?;
    for line in lines {
        writeln!(out, "  {} — {}", line.sentence, line.reading)?;
        writeln!(out, "    proposed-4485: {}", line.proposed)?;
        writeln!(out, "    post-4485:     {}", line.merged)?;
    }
    writeln!(out)
}

fn write_end(out: &mut dyn Write, found: &Findings) -> io::Result<()> {
    let count = |what: fn(&Row) -> bool| found.rows.iter().filter(|row| what(row)).count();
    let states: u64 = {
        let mut seen: Vec<Setting> = Vec::new();
        let mut sum = 0;
        for row in &found.rows {
            if seen.last() != Some(&row.setting) {
                seen.push(row.setting);
                sum += row.states as u64;
            }
        }
        sum
    };
    for row in found.rows.iter().filter(|row| row.fault().is_some()) {
        writeln!(out, "{}: {}: {}", row.setting, row.measure, row.fault().unwrap_or_default())?;
    }
    for (setting, reason) in &found.stopped {
        writeln!(out, "{setting}: inconclusive, stopped by {reason}")?;
    }
    for measure in found.unexercised() {
        writeln!(out, "never exercised: {measure} (its premise, \"{}\", was never true)", measure.premise())?;
    }
    for (setting, action) in &found.untaken {
        writeln!(out, "{setting}: never taken: {action}")?;
    }
    writeln!(
        out,
        "{} answers in {} settings, {states} distinct states, every state space whole; {} in the table, {} differ; \
         {} confirmed by the checker, {} tight by a counterexample, {} cycles walked, {} by the graph alone",
        found.rows.len(),
        found.settings - found.stopped.len(),
        count(|row| row.expectation.is_some()),
        count(|row| row.fault().is_some()),
        count(
            |row| matches!(&row.second, Second::Given(Opinion::Agrees(evidence)) if evidence.states.is_some())
        ),
        count(|row| row.counterexample().is_some()),
        count(
            |row| matches!(&row.second, Second::Given(Opinion::Agrees(evidence)) if evidence.rounds.is_some())
        ),
        count(|row| matches!(row.second, Second::NotAsked)),
    )
}
