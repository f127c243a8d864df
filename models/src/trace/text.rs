//! Traces as text for a terminal.

use std::fmt::Write;

use super::{Change, Step, Trace, Value};

/// How much to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// The whole state after each step, not only what changed.
    pub full_state: bool,
}

/// Writes a trace as text: one block a step; the action first, then what it changed, then what the
/// state says about each claim (`vacuous` where the claim's premise is not true).
pub fn render(trace: &Trace, options: TextOptions) -> String {
    let mut out = String::new();
    let result = write_trace(&mut out, trace, options);
    result.expect("writing to a string does not fail");
    out
}

fn write_trace(out: &mut String, trace: &Trace, options: TextOptions) -> std::fmt::Result {
    writeln!(out, "{} violated in {} states ({})", trace.violated.name, trace.steps.len(), trace.model)?;
    for step in &trace.steps {
        write_step(out, step, options)?;
    }
    writeln!(out, "  violated: {}", trace.violated.statement)?;
    for sentence in &trace.conclusion {
        writeln!(out, "  {sentence}")?;
    }
    Ok(())
}

fn write_step(out: &mut String, step: &Step, options: TextOptions) -> std::fmt::Result {
    writeln!(out, "  {:>2}. {}", step.number, step.action)?;
    if options.full_state {
        for variable in &step.state {
            let before = step.changed.iter().find(|change| change.name == variable.name);
            let was = before.map_or(String::new(), |change| format!("   (was {})", change.before));
            writeln!(out, "        {} = {}{was}", variable.name, variable.value)?;
        }
    } else {
        for change in &step.changed {
            write_change(out, change)?;
        }
    }
    let values = step.claims.iter().map(|claim| {
        let value = match (claim.holds, claim.premise) {
            (false, _) => "VIOLATED",
            (true, true) => "true",
            (true, false) => "vacuous",
        };
        format!("{} {value}", claim.name)
    });
    writeln!(out, "        [{}]", values.collect::<Vec<_>>().join(", "))
}

/// A change; of a sequence that only grew, what was added.
fn write_change(out: &mut String, change: &Change) -> std::fmt::Result {
    if let (Value::Seq(before), Value::Seq(after)) = (&change.before, &change.after)
        && let Some(added) = after.strip_prefix(before.as_slice())
    {
        let added = added.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
        return writeln!(out, "        {}: + {added}", change.name);
    }
    writeln!(out, "        {}: {} → {}", change.name, change.before, change.after)
}
