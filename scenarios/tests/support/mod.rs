//! What several tests use.

pub mod json_schema;

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A TOML document as JSON.
pub fn to_json(text: &str) -> Value {
    let document = DeTable::parse(text).unwrap_or_else(|error| panic!("{error}"));
    table(document.into_inner())
}

fn table(parsed: DeTable<'_>) -> Value {
    let entries = parsed.into_iter().map(|(key, value)| (key.into_inner().into_owned(), node(value)));
    Value::Object(entries.collect::<Map<String, Value>>())
}

fn node(parsed: Spanned<DeValue<'_>>) -> Value {
    match parsed.into_inner() {
        DeValue::String(text) => Value::String(text.into_owned()),
        DeValue::Integer(integer) => {
            let value = i64::from_str_radix(integer.as_str(), integer.radix()).unwrap();
            Value::Number(value.into())
        }
        DeValue::Float(float) => {
            let value = float.as_str().parse().unwrap();
            Value::Number(Number::from_f64(value).unwrap())
        }
        DeValue::Boolean(boolean) => Value::Bool(boolean),
        DeValue::Datetime(datetime) => Value::String(datetime.to_string()),
        DeValue::Array(array) => Value::Array(array.into_iter().map(node).collect()),
        DeValue::Table(inner) => table(inner),
    }
}
