//! The answer as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::run::{Extent, Findings, Row, Second, settled};
use crate::isr::scenario::scenario;
use crate::isr::setting::{Setting, Start, reset_name};
use crate::isr::step::Action;
use crate::isr::verify::Opinion;
use crate::verb::Kept;

pub(super) fn write(out: &mut dyn Write, found: &Findings) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(found, &|_| true))?;
    writeln!(out)
}

/// Keeps the answers, with those counterexamples that are the first of their kind: with all of them
/// the folder would be far larger than anyone reads.
pub(super) fn keep(kept: &mut Kept, found: &Findings) -> io::Result<()> {
    let is_first = |number: usize| {
        let row = &found.rows[number];
        let same = |other: &Row| {
            other.measure == row.measure
                && other.setting.criterion == row.setting.criterion
                && other.refutation().is_some()
        };
        row.refutation().is_some() && !found.rows[..number].iter().any(same)
    };
    let first: Vec<usize> = (0..found.rows.len()).filter(|&number| is_first(number)).collect();
    kept.answer(&document(found, &|number| first.contains(&number)));
    for &number in &first {
        let row = &found.rows[number];
        let Some(refutation) = row.refutation() else { continue };
        let name = format!("{}-{}", row.setting.criterion, row.measure);
        kept.file(format!("{name}.toml"), scenario(&refutation).map_err(io::Error::other)?);
        if let Some(counterexample) = row.counterexample() {
            kept.trace(&name, &counterexample.trace);
        }
    }
    Ok(())
}

fn document(found: &Findings, has_counterexample: &dyn Fn(usize) -> bool) -> Value {
    let stopped = found
        .stopped
        .iter()
        .map(|(setting, reason)| json!({"setting": setting.to_string(), "reason": reason}));
    let untaken = found
        .untaken
        .iter()
        .map(|(setting, action)| json!({"setting": setting.to_string(), "action": action}));
    let answers =
        found.rows.iter().enumerate().map(|(number, row)| row_value(row, has_counterexample(number)));
    json!({
        "answers": answers.collect::<Vec<_>>(),
        "claims": settled(found),
        "stopped": stopped.collect::<Vec<_>>(),
        "unexercised": found.unexercised().iter().map(|measure| measure.name()).collect::<Vec<_>>(),
        "untaken": untaken.collect::<Vec<_>>(),
        "exit_code": found.exit_code(),
    })
}

fn row_value(row: &Row, has_counterexample: bool) -> Value {
    let cycle = match &row.extent {
        Extent::Unbounded(cycle) => json!({
            "approach": words(&cycle.approach),
            "round": words(&cycle.round),
            "tail": words(&cycle.tail),
        }),
        _ => Value::Null,
    };
    let bound = match &row.extent {
        Extent::Exactly(value) => json!(value),
        _ => Value::Null,
    };
    json!({
        "setting": setting_value(&row.setting),
        "measure": row.measure.name(),
        "sentence": row.measure.sentence(),
        "answer": row.value(),
        "bound_ticks": bound,
        "cycle": cycle,
        "formula": row.expectation.map(|line| line.formula),
        "why": row.expectation.map(|line| line.why),
        "fault": row.fault(),
        "distinct_states": row.states,
        "steps": row.steps,
        "depth": row.depth,
        "observations": row.observations,
        "checker": checker(row),
        "counterexample": row.counterexample().filter(|_| has_counterexample).map(|counterexample| &counterexample.trace),
    })
}

fn words(actions: &[Action]) -> Vec<String> {
    actions.iter().map(Action::to_string).collect()
}

fn checker(row: &Row) -> Value {
    match &row.second {
        Second::NotAsked => json!("not asked"),
        Second::Given(Opinion::Stopped(reason)) => json!({"stopped": reason}),
        Second::Given(Opinion::Differs(what)) => json!({"differs": what}),
        Second::Given(Opinion::Agrees(evidence)) => json!({
            "distinct_states": evidence.states,
            "premise_states": evidence.premise_states,
            "counterexample_states": evidence.counterexample.as_ref().map(|found| found.trace.steps.len()),
            "rounds": evidence.rounds,
        }),
    }
}

fn setting_value(setting: &Setting) -> Value {
    json!({
        "criterion": setting.criterion.name(),
        "start": setting.start.name(),
        "reset": if setting.start == Start::Election { Some(reset_name(setting.reset)) } else { None },
        "followers": setting.followers,
        "behaviour": setting.behaviour.name(),
        "lag_ticks": setting.lag,
        "period_ticks": setting.period,
        "gap_ticks": setting.gap,
        "writes_per_tick": setting.writes,
        "steady": setting.steady,
        "messages_max": setting.messages_max,
        "reads_per_fetch": setting.reads.map(|reads| reads.records),
        "backlog_bound": setting.reads.map(|reads| reads.backlog),
    })
}
