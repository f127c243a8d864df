//! One line of a trace: what every format shows of one thing that happened.

use super::kinds::{KINDS, Kind};
use super::names::Actor;
use isrlab_sim::engine::{SimDuration, SimTime};
use std::fmt::Write;

/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// None, or not known.
    Null,
    /// A number.
    Int(i64),
    /// A number that is never negative.
    Count(u64),
    /// Yes or no.
    Bool(bool),
    /// Nanoseconds, shown as milliseconds.
    Ms(u64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
}

impl Value {
    /// A virtual time.
    pub fn time(at: SimTime) -> Self {
        Value::Ms(at.as_nanos())
    }

    /// A length of virtual time.
    pub fn length(length: SimDuration) -> Self {
        Value::Ms(length.as_nanos())
    }

    /// A number that may not be there.
    pub fn maybe(value: Option<i64>) -> Self {
        value.map_or(Value::Null, Value::Int)
    }

    /// Text that may not be there.
    pub fn maybe_text(value: Option<&str>) -> Self {
        value.map_or(Value::Null, |text| Value::Text(text.to_owned()))
    }

    /// Brokers.
    pub fn brokers(ids: impl IntoIterator<Item = i32>) -> Self {
        Value::List(ids.into_iter().map(|id| Value::Int(id.into())).collect())
    }

    /// Writes it as JSON.
    pub fn write_json(&self, into: &mut String) {
        match self {
            Value::Null => into.push_str("null"),
            Value::Int(value) => write!(into, "{value}").expect("a String takes everything"),
            Value::Count(value) => write!(into, "{value}").expect("a String takes everything"),
            Value::Bool(value) => into.push_str(if *value { "true" } else { "false" }),
            Value::Ms(ns) => into.push_str(&decimal(*ns, 6)),
            Value::Text(text) => write_json_text(text, into),
            Value::List(values) => {
                into.push('[');
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        into.push(',');
                    }
                    value.write_json(into);
                }
                into.push(']');
            }
        }
    }
}

/// Writes text as JSON does.
pub fn write_json_text(text: &str, into: &mut String) {
    into.push_str(&serde_json::to_string(text).expect("text is always JSON"));
}

/// `number` / 10^`digits` as a decimal number that loses nothing, with no more decimals than it
/// needs: no floating point is on the way.
pub fn decimal(number: u64, digits: u32) -> String {
    let unit = 10u64.pow(digits);
    let (whole, rest) = (number / unit, number % unit);
    if rest == 0 {
        return format!("{whole}");
    }
    let decimals = format!("{rest:0width$}", width = digits as usize);
    format!("{whole}.{}", decimals.trim_end_matches('0'))
}

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// When.
    pub at: SimTime,
    /// The number of the event that it comes of.
    pub event: u64,
    /// What has happened.
    pub kind: &'static Kind,
    /// Who acts; of a message that arrives, its sender.
    pub from: Actor,
    /// Who receives a message that arrives.
    pub to: Option<Actor>,
    /// A message leaves here: to whom, and when it arrives.
    pub departs: Option<(Actor, SimTime)>,
    /// Brokers that it speaks of and that neither send nor receive.
    pub brokers: Vec<i32>,
    /// The partitions that it speaks of, through all topics.
    pub partitions: Vec<usize>,
    /// Its fields, in order.
    pub fields: Vec<(&'static str, Value)>,
    /// The same in words, who acts left out.
    pub words: String,
}

impl Line {
    /// A line without fields, words and partitions.
    ///
    /// # Panics
    /// If there is no such kind: the tables of this crate name them all.
    pub fn new(at: SimTime, event: u64, kind: &str, from: Actor) -> Self {
        let kind = KINDS.iter().find(|known| known.name == kind).expect("every kind is in the table");
        Line {
            at,
            event,
            kind,
            from,
            to: None,
            departs: None,
            brokers: Vec::new(),
            partitions: Vec::new(),
            fields: Vec::new(),
            words: String::new(),
        }
    }

    /// The same, of a message that arrives at `to`.
    pub fn to(mut self, to: Actor) -> Self {
        self.to = Some(to);
        self
    }

    /// The same, of a message that leaves for `to` and is there at `arrives`.
    pub fn departs(mut self, to: Actor, arrives: SimTime) -> Self {
        self.departs = Some((to, arrives));
        self
    }

    /// With one field more.
    pub fn field(mut self, name: &'static str, value: Value) -> Self {
        debug_assert!(self.kind.fields.contains(&name), "{} has no field {name}", self.kind.name);
        self.fields.push((name, value));
        self
    }

    /// The value of a field, if the line has it.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// With its words.
    pub fn words(mut self, words: String) -> Self {
        self.words = words;
        self
    }

    /// Whether it speaks of this broker.
    pub fn names_broker(&self, id: i32) -> bool {
        let broker = Actor::Broker(id);
        self.from == broker || self.to == Some(broker) || self.brokers.contains(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_lose_nothing_and_end_where_they_can() {
        let told = [0, 1, 20_030_000_000, 20_030_100_000, u64::MAX].map(|ns| decimal(ns, 6));
        assert_eq!(told, ["0", "0.000001", "20030", "20030.1", "18446744073709.551615"]);
        assert_eq!(decimal(1_234_567, 3), "1234.567");
    }

    #[test]
    fn values_are_json() {
        let mut text = String::new();
        Value::List(vec![
            Value::Null,
            Value::Int(-1),
            Value::Bool(true),
            Value::Ms(1_500_000),
            Value::Text("a\"\u{1}é".into()),
        ])
        .write_json(&mut text);
        assert_eq!(text, "[null,-1,true,1.5,\"a\\\"\\u0001é\"]");
    }
}
