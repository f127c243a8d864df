//! JSON Lines: one object a line, the first about the run and the last about how it went.

use super::export::{Exporter, Footer, Header, Told};
use super::line::{Line, Value, write_json_text};
use super::state::State;
use crate::VERSION;
use isrlab_sim::engine::SimTime;
use std::io::{self, Write};

/// Writes JSON Lines.
#[derive(Debug, Default)]
pub struct JsonLines {
    row: String,
}

impl JsonLines {
    fn write(
        &mut self,
        (at, event): (SimTime, Option<u64>),
        kind: &str,
        fields: &[(&'static str, Value)],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.row.clear();
        self.row.push_str("{\"time_ms\":");
        Value::time(at).write_json(&mut self.row);
        self.row.push_str(",\"event\":");
        event.map_or(Value::Null, Value::Count).write_json(&mut self.row);
        self.row.push_str(",\"kind\":");
        write_json_text(kind, &mut self.row);
        for (name, value) in fields {
            self.row.push_str(",\"");
            self.row.push_str(name);
            self.row.push_str("\":");
            value.write_json(&mut self.row);
        }
        self.row.push_str("}\n");
        out.write_all(self.row.as_bytes())
    }
}

impl Exporter for JsonLines {
    fn begin(&mut self, header: &Header, out: &mut dyn Write) -> io::Result<()> {
        let fields = [
            ("scenario", Value::Text(header.scenario.clone())),
            ("criterion", Value::Text(header.criterion.clone())),
            ("seed", Value::Count(header.seed)),
            ("version", Value::Text(VERSION.to_owned())),
            ("from_ms", Value::time(header.window.from)),
            ("until_ms", Value::time(header.window.until)),
        ];
        self.write((header.window.from, None), "begin", &fields, out)
    }

    fn line(
        &mut self,
        _: &Header,
        _: &State,
        line: &Line,
        _: Told<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.write((line.at, Some(line.event)), line.kind.name, &line.fields, out)
    }

    fn end(&mut self, _: &Header, _: &State, footer: &Footer, out: &mut dyn Write) -> io::Result<()> {
        let fields = [
            ("lines", Value::Count(footer.lines)),
            ("left_out_lines", Value::Count(footer.left_out)),
            ("events_in_window", Value::Count(footer.events)),
            ("run", Value::Text(footer.run.to_owned())),
        ];
        self.write((footer.until, None), "end", &fields, out)
    }
}
