//! The published schema accepts what the loader accepts, as far as it goes.

mod support;

use isrlab_scenarios::{library, schema};
use serde_json::Value;
use support::{json_schema, to_json};

fn problems(text: &str) -> Vec<String> {
    json_schema::check(&schema(), &to_json(text))
}

#[test]
fn every_library_scenario_is_valid() {
    for entry in library() {
        let problems = problems(entry.text);
        assert!(problems.is_empty(), "{}: {problems:#?}", entry.name);
    }
}

#[test]
fn quoted_and_unquoted_names_are_valid() {
    let rest = "title = 'T'\nduration = '1s'\nbrokers = 1\n[[topic]]\nname = 't'\nreplication.factor = 1\n[settings]\n";
    for setting in ["\"replica.lag.time.max.ms\" = 5000", "replica.lag.time.max.ms = '5s'"] {
        assert_eq!(problems(&format!("{rest}{setting}\n")), Vec::<String>::new(), "{setting}");
    }
    assert!(!problems(&format!("{rest}replica.lag.time.max.msec = 5\n")).is_empty());
}

#[test]
fn what_is_wrong_is_not_valid() {
    let sound = "title = 'T'\nduration = '1s'\nbrokers = 1\n[[topic]]\nname = 't'\nreplication.factor = 1\n";
    assert_eq!(problems(sound), Vec::<String>::new());
    for (from, to) in [
        ("title = 'T'\n", ""),
        ("'1s'", "1"),
        ("'1s'", "'1 s'"),
        ("brokers = 1", "brokers = 0"),
        ("brokers = 1", "broker = 1"),
        ("name = 't'", "name = ''"),
        ("replication.factor = 1", "replication.factor = 9"),
        ("replication.factor = 1", "replicas = []"),
        ("[[topic]]", "[[fault]]\nname = 'f'\nkind = 'pauze'\nat = '0s'\n[[topic]]"),
    ] {
        let changed = sound.replace(from, to);
        assert_ne!(changed, sound);
        assert!(!problems(&changed).is_empty(), "{from} -> {to}");
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_key_is_described() {
    let schema = schema();
    let mut references = Vec::new();
    collect(&schema, &mut references);
    for reference in references {
        assert!(json_schema::resolve(&schema, &reference).is_some(), "{reference}");
    }
    for (key, value) in schema["properties"].as_object().unwrap() {
        assert!(value["description"].is_string(), "{key}");
    }
}

fn collect(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            if let Some(Value::String(reference)) = object.get("$ref") {
                into.push(reference.clone());
            }
            object.values().for_each(|value| collect(value, into));
        }
        Value::Array(array) => array.iter().for_each(|value| collect(value, into)),
        _ => {}
    }
}
