//! The arguments that a viewer shows of an event.

use crate::trace::line::{Line, Value, write_json_text};

/// Arguments of an event, in JSON.
#[derive(Debug, Default)]
pub(super) struct Arguments(String);

impl Arguments {
    pub(super) fn with(mut self, name: &str, value: &Value) -> Self {
        self.0.push_str(if self.0.is_empty() { "{" } else { "," });
        write_json_text(name, &mut self.0);
        self.0.push(':');
        value.write_json(&mut self.0);
        self
    }

    /// All fields of a line.
    pub(super) fn of(line: &Line) -> Self {
        line.fields.iter().fold(
            Arguments::default().with("event", &Value::Count(line.event)),
            |arguments, (name, value)| arguments.with(name, value),
        )
    }

    pub(super) fn json(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('{');
        }
        self.0.push('}');
        self.0
    }
}
