//! Traces as Mermaid sequence diagrams.

use std::fmt::Write;

use super::{Step, Trace};

/// A trace as a Mermaid `sequenceDiagram`: messages as arrows, the rest as notes.
pub fn render(trace: &Trace) -> String {
    let mut out = String::new();
    write_trace(&mut out, trace).expect("writing to a string does not fail");
    out
}

fn write_trace(out: &mut String, trace: &Trace) -> std::fmt::Result {
    writeln!(out, "sequenceDiagram")?;
    for (i, participant) in trace.participants.iter().enumerate() {
        writeln!(out, "    participant p{i} as {}", escape(participant))?;
    }
    for step in trace.steps.iter().skip(1) {
        write_step(out, trace, step)?;
    }
    let end = trace.conclusion.iter().map(|sentence| escape(sentence));
    let end = end.collect::<Vec<_>>().join("<br/>");
    writeln!(out, "    Note over {}: {} violated<br/>{end}", span(trace), escape(trace.violated.name))
}

fn write_step(out: &mut String, trace: &Trace, step: &Step) -> std::fmt::Result {
    let column = |name: &str| trace.participants.iter().position(|other| other == name);
    let ends = step
        .message
        .as_ref()
        .and_then(|message| Some((column(&message.from)?, column(&message.to)?, message.text.as_str())));
    match ends {
        Some((from, to, text)) => {
            writeln!(out, "    p{from}->>p{to}: {}. {}", step.number, escape(text))?;
            let changes = step
                .changed
                .iter()
                .map(|change| format!("{}: {}", escape(&change.name), escape(&change.after.to_string())));
            let changes = changes.collect::<Vec<_>>().join("<br/>");
            if changes.is_empty() { Ok(()) } else { writeln!(out, "    Note right of p{to}: {changes}") }
        }
        None => writeln!(out, "    Note over {}: {}. {}", span(trace), step.number, escape(&step.action)),
    }
}

/// All columns, for notes that concern everyone.
fn span(trace: &Trace) -> String {
    match trace.participants.len() {
        0 | 1 => "p0".to_owned(),
        n => format!("p0,p{}", n - 1),
    }
}

/// Mermaid ends a statement at `;` and starts an entity at `#`.
fn escape(text: &str) -> String {
    text.replace('#', "#35;").replace(';', "#59;").replace('\n', "<br/>")
}
