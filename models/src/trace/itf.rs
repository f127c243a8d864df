//! Traces in the Informal Trace Format (ITF) that Apalache, Quint and their viewers read.

use serde_json::{Map, Value as Json, json};

use super::{Trace, Value};

/// A trace as ITF JSON: one record a state, `action_taken` among the variables.
///
/// ITF names are identifiers, so everything but ASCII letters and digits becomes `_`
/// (`replica 1: log` is `replica_1_log`).
pub fn render(trace: &Trace) -> String {
    let first = trace.steps.first();
    let names = first.map_or(Vec::new(), |step| {
        let variables = step.state.iter().map(|variable| Json::from(identifier(&variable.name)));
        variables.chain([Json::from("action_taken")]).collect()
    });
    let states = trace.steps.iter().map(|step| {
        let mut state = Map::new();
        state.insert("#meta".to_owned(), json!({ "index": step.number }));
        for variable in &step.state {
            state.insert(identifier(&variable.name), itf_value(&variable.value));
        }
        state.insert("action_taken".to_owned(), Json::from(step.action.as_str()));
        Json::Object(state)
    });
    let document = json!({
        "#meta": {
            "format": "ITF",
            "description": format!("{}: {} is violated", trace.model, trace.violated.name),
        },
        "vars": names,
        "states": states.collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&document).expect("plain JSON can be written");
    text.push('\n');
    text
}

fn identifier(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

fn itf_value(value: &Value) -> Json {
    match value {
        Value::Int(value) => json!({ "#bigint": value.to_string() }),
        Value::Bool(value) => Json::from(*value),
        Value::Text(value) => Json::from(value.as_str()),
        Value::Seq(values) => Json::Array(values.iter().map(itf_value).collect()),
        Value::Set(values) => json!({ "#set": values.iter().map(itf_value).collect::<Vec<_>>() }),
    }
}
