//! What `trace` takes.

use crate::args::{criterion, key_value, profile};
use clap::builder::{NonEmptyStringValueParser, PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, ValueEnum};
use isrlab_reports::trace::{Around, TraceFormat};
use isrlab_sim::engine::SimDuration;
use isrlab_sim::protocol::Profile;
use std::ffi::OsStr;
use std::path::PathBuf;

/// What `trace` takes.
#[derive(Debug, Args)]
pub struct TraceArgs {
    /// A scenario of the library (see `isrlab list`), or a scenario file
    #[arg(value_name = "SCENARIO-or-FILE", value_parser = NonEmptyStringValueParser::new())]
    pub scenario: String,
    /// The start of the window, such as 19.9s [default: the start of the run]
    #[arg(long, value_name = "T", value_parser = duration, allow_hyphen_values = true)]
    pub from: Option<SimDuration>,
    /// The end of the window, events at that very time included [default: the end of the run]
    #[arg(long, value_name = "T", value_parser = duration, allow_hyphen_values = true)]
    pub to: Option<SimDuration>,
    /// Instead of --from and --to: the time around which to look
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with_all = ["from", "to"])]
    pub around: Option<Sight>,
    /// Look around the Nth of them
    #[arg(long, value_name = "N", default_value = "1", requires = "around", value_parser = clap::value_parser!(u64).range(1..))]
    pub nth: u64,
    /// How far to look before and after
    #[arg(long, value_name = "D", default_value = "50ms", requires = "around", value_parser = duration, allow_hyphen_values = true)]
    pub window: SimDuration,
    /// Only what speaks of this partition, such as orders-0; repeatable
    #[arg(long, value_name = "NAME")]
    pub partition: Vec<String>,
    /// Only what speaks of this broker; repeatable
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub broker: Vec<i32>,
    /// Only lines of this kind, such as hw-moved (all are in docs/trace.md); repeatable
    #[arg(long, value_name = "NAME")]
    pub kind: Vec<String>,
    /// The most lines, or messages of a diagram; or none [default: 10000 of text, 1000000 of jsonl,
    /// 200000 of chrome, 200 messages of mermaid]
    #[arg(long, value_name = "N", value_parser = limit, allow_hyphen_values = true)]
    pub limit: Option<u64>,
    /// Run under this criterion [default: the first that the scenario compares]
    #[arg(long, value_name = "NAME", value_parser = criterion, conflicts_with = "profile")]
    pub criterion: Option<Profile>,
    /// Run under this Kafka version, such as kafka-2.5, or criterion
    #[arg(long, value_name = "NAME", value_parser = profile)]
    pub profile: Option<Profile>,
    /// Change a value of the scenario, such as replica.lag.time.max.ms=5s or
    /// link.follower.latency=1ms; repeatable
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub set: Vec<(String, String)>,
    /// The seed [default: the scenario's]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Virtual time to run, such as 70s or 10m [default: the scenario's]
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub duration: Option<String>,
    /// How it is written: for people, as JSON Lines, as a Mermaid sequence diagram, or for
    /// ui.perfetto.dev and chrome://tracing
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = FormatParser)]
    pub format: TraceFormat,
    /// The file to write, whole or not at all; - for standard output [default: -]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What one can look around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sight {
    /// A replica is removed from the ISR
    IsrShrink,
    /// A replica joins the ISR
    IsrExpand,
    /// A leader is elected
    Election,
    /// A fault begins
    Fault,
    /// An invariant is violated
    Violation,
}

impl Sight {
    /// The same to the tracer.
    pub fn around(self) -> Around {
        match self {
            Sight::IsrShrink => Around::IsrShrink,
            Sight::IsrExpand => Around::IsrExpand,
            Sight::Election => Around::Election,
            Sight::Fault => Around::Fault,
            Sight::Violation => Around::Violation,
        }
    }
}

/// Formats by name; `json`, which the other verbs have, gets an answer of its own.
#[derive(Clone, Copy, Debug)]
struct FormatParser;

const FORMATS: [(&str, TraceFormat); 4] = [
    ("text", TraceFormat::Text),
    ("jsonl", TraceFormat::JsonLines),
    ("mermaid", TraceFormat::Mermaid),
    ("chrome", TraceFormat::Chrome),
];

impl TypedValueParser for FormatParser {
    type Value = TraceFormat;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<TraceFormat, clap::Error> {
        if let Some((_, format)) = FORMATS.into_iter().find(|(name, _)| value == *name) {
            return Ok(format);
        }
        if value == "json" {
            let message = "a trace is not one JSON document: take --format jsonl, a JSON object a line, or \
                           --format chrome, which trace viewers read\n";
            return Err(clap::Error::raw(ErrorKind::InvalidValue, message).with_cmd(command));
        }
        let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
        let text = |text: &str| ContextValue::String(text.to_owned());
        error.insert(ContextKind::InvalidArg, text("--format <FORMAT>"));
        error.insert(ContextKind::InvalidValue, text(&value.to_string_lossy()));
        let valid = FORMATS.map(|(name, _)| name.to_owned()).to_vec();
        error.insert(ContextKind::ValidValue, ContextValue::Strings(valid));
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(FORMATS.into_iter().map(|(name, _)| PossibleValue::new(name))))
    }
}

fn duration(text: &str) -> Result<SimDuration, String> {
    text.parse::<SimDuration>().map_err(|error| error.to_string())
}

fn limit(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        _ if text == "none" => Ok(u64::MAX),
        Ok(limit) if limit > 0 => Ok(limit),
        _ => Err("expected a number from 1, or none".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_or_none() {
        assert_eq!((limit("1"), limit("none")), (Ok(1), Ok(u64::MAX)));
        assert!(limit("0").is_err() && limit("-1").is_err() && limit("").is_err());
    }
}
