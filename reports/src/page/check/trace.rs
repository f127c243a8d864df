//! A counterexample, step by step: who does what to whom, and what it changes.

use super::answers::{Change, Trace, TraceStep, shown};
use crate::page::html::details;
use maud::{Markup, html};
use serde_json::Value;

/// A counterexample that opens on demand. `id` is what tables link to.
pub fn trace(id: &str, title: &str, trace: &Trace) -> Markup {
    html! {
        details.trace id=(id) {
            summary { (title) }
            p { "Must hold: " (trace.violated.statement) }
            @for sentence in &trace.conclusion { p { (sentence) } }
            (sequence(trace))
            @if let Some(last) = trace.steps.last() {
                (details("The whole state at the end", state(last)))
            }
        }
    }
}

/// A row for each step; a message spans from its sender to its receiver.
fn sequence(trace: &Trace) -> Markup {
    let columns = trace.participants.len().max(1);
    html! {
        div.scroll role="region" aria-label="Steps of the counterexample" tabindex="0" {
            table.sequence {
                colgroup { col.number; @for _ in 0..columns { col; } col.changes; }
                thead { tr {
                    th scope="col" { "step" }
                    @for name in &trace.participants { th scope="col" { (name) } }
                    @if trace.participants.is_empty() { th scope="col" { "what happens" } }
                    th scope="col" { "what it changes" }
                } }
                tbody { @for step in &trace.steps {
                    tr class=[(step.number + 1 == trace.steps.len() as u64).then_some("last")] {
                        td.num { (step.number) }
                        (lanes(trace, step, columns))
                        td.changes { (changes(step)) }
                    }
                } }
            }
        }
    }
}

fn lanes(trace: &Trace, step: &TraceStep, columns: usize) -> Markup {
    let place = |name: &str| trace.participants.iter().position(|known| known == name);
    let ends = step.message.as_ref().and_then(|message| Some((place(&message.from)?, place(&message.to)?)));
    let (Some((from, to)), Some(message)) = (ends, &step.message) else {
        return html! { td.note colspan=(columns) { (step.action) } };
    };
    let (first, last) = (from.min(to), from.max(to));
    let (class, arrow) = match () {
        () if from == to => ("message alone", ""),
        () if from < to => ("message right", "→"),
        () => ("message left", "←"),
    };
    html! {
        @for _ in 0..first { td.lane {} }
        td class=(class) colspan=(last - first + 1) title=(step.action) {
            @if arrow == "←" { span aria-hidden="true" { "← " } }
            (message.text)
            @if arrow == "→" { span aria-hidden="true" { " →" } }
            span.unseen { " (" (message.from) " to " (message.to) ")" }
        }
        @for _ in last + 1..columns { td.lane {} }
    }
}

fn changes(step: &TraceStep) -> Markup {
    html! {
        @if step.changed.is_empty() && step.number > 0 { span.hint { "nothing" } }
        @for change in &step.changed { div { code { (change.name) } " " (difference(change)) } }
    }
}

/// What changed; of a sequence that only grew, what was added.
fn difference(change: &Change) -> Markup {
    if let (Value::Array(before), Value::Array(after)) = (&change.before, &change.after)
        && let Some(added) = after.strip_prefix(before.as_slice())
    {
        let added: Vec<String> = added.iter().map(shown).collect();
        return html! { ins { "+ " (added.join(", ")) } };
    }
    html! { del { (shown(&change.before)) } " → " ins { (shown(&change.after)) } }
}

fn state(step: &TraceStep) -> Markup {
    html! { dl.facts { @for variable in &step.state {
        dt { code { (variable.name) } } dd { (shown(&variable.value)) }
    } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_spans_from_its_sender_to_its_receiver() {
        let found: Trace = serde_json::from_value(json!({
            "violated": { "statement": "all is well" },
            "participants": ["a", "<b>", "c"],
            "steps": [
                { "number": 0, "action": "start", "message": null, "changed": [], "state": [] },
                {
                    "number": 1, "action": "c sends", "message": { "from": "c", "to": "<b>", "text": "x" },
                    "changed": [{ "name": "log", "before": [1], "after": [1, 2] }], "state": []
                },
            ],
            "conclusion": [],
        }))
        .unwrap();
        let text = trace("t", "title", &found).into_string();
        assert!(text.contains("<th scope=\"col\">&lt;b&gt;</th>"), "{text}");
        assert!(text.contains("<td class=\"lane\"></td><td class=\"message left\" colspan=\"2\""), "{text}");
        assert!(text.contains("<ins>+ 2</ins>"), "{text}");
    }
}
