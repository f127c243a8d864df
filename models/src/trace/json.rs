//! Traces as JSON: every field of [`Trace`] under its own name.

use super::Trace;

/// A trace as a JSON value. Keys are in the order of the fields' declarations when written.
pub fn render(trace: &Trace) -> String {
    let mut text = serde_json::to_string_pretty(trace).expect("a trace has string keys and finite numbers");
    text.push('\n');
    text
}
