//! The answer as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::run::{Extent, Findings, Row, Second, settled};
use crate::isr::setting::{Setting, Start, reset_name};
use crate::isr::step::Action;
use crate::isr::verify::Opinion;

pub(super) fn write(out: &mut dyn Write, found: &Findings) -> io::Result<()> {
    let stopped = found
        .stopped
        .iter()
        .map(|(setting, reason)| json!({"setting": setting.to_string(), "reason": reason}));
    let untaken = found
        .untaken
        .iter()
        .map(|(setting, action)| json!({"setting": setting.to_string(), "action": action}));
    let document = json!({
        "answers": found.rows.iter().map(row_value).collect::<Vec<_>>(),
        "claims": settled(found),
        "stopped": stopped.collect::<Vec<_>>(),
        "unexercised": found.unexercised().iter().map(|measure| measure.name()).collect::<Vec<_>>(),
        "untaken": untaken.collect::<Vec<_>>(),
        "exit_code": found.exit_code(),
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn row_value(row: &Row) -> Value {
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
        "counterexample": row.counterexample().map(|counterexample| &counterexample.trace),
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
