//! The JSON Schema of the format, for editors and other tools.

use isrlab_sim::cluster::METRICS;
use isrlab_sim::cluster::spec::REPLICAS_MAX;
use isrlab_sim::protocol::Profile;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

use crate::key::{Default, KIND, Key, Kind, LIST_MAX, TableSpec, Variant};
use crate::keys::{DISTRIBUTION, TABLES, TABLES_MAX, TOP};
use crate::scalar::UNKNOWN;

/// The JSON Schema (draft 2020-12) of a scenario file that was read as TOML.
///
/// It knows names, types and ranges, in the quoted form of a name with dots and in the unquoted
/// one; what one key says about another only the loader checks.
pub fn schema() -> Value {
    let mut definitions = Map::new();
    for spec in TABLES.into_iter().filter(|spec| spec.title != TOP.title) {
        definitions.insert(slug(spec), table(spec));
    }
    definitions.insert("duration".to_owned(), duration());
    definitions.insert("profile".to_owned(), names(Profile::all().map(|profile| profile.name)));
    definitions.insert("metric".to_owned(), names(METRICS.iter().map(|metric| metric.name)));
    let mut schema = match table(&TOP) {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!("isrlab scenario"));
    schema.insert("$defs".to_owned(), Value::Object(definitions));
    Value::Object(schema)
}

/// The name of a table's definition: its title's letters and digits.
fn slug(spec: &TableSpec) -> String {
    let words = spec.title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

fn reference(spec: &TableSpec) -> Value {
    json!({ "$ref": format!("#/$defs/{}", slug(spec)) })
}

fn table(spec: &TableSpec) -> Value {
    if spec.variants.is_empty() {
        let mut object = object(spec.keys.iter(), spec.about);
        if let Some(rest) = spec.rest {
            object.insert("additionalProperties".to_owned(), reference(rest));
        }
        return Value::Object(object);
    }
    let variants: Vec<Value> = spec.variants.iter().map(|own| variant(spec, own)).collect();
    json!({ "description": spec.about, "oneOf": variants })
}

fn variant(spec: &TableSpec, variant: &'static Variant) -> Value {
    let mut object = object(spec.keys.iter().chain(variant.keys), variant.about);
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.insert(KIND.to_owned(), json!({ "const": variant.name, "description": variant.about }));
    }
    if let Some(Value::Array(required)) = object.get_mut("required") {
        required.push(json!(KIND));
    }
    Value::Object(object)
}

fn object<'a>(keys: impl Iterator<Item = &'a Key>, about: &str) -> Map<String, Value> {
    let keys: Vec<&Key> = keys.collect();
    let required: Vec<&str> =
        keys.iter().filter(|key| matches!(key.default, Default::Required)).map(|key| key.name).collect();
    let named: Vec<(&str, &Key)> = keys.iter().map(|key| (key.name, *key)).collect();
    let mut properties = properties(&named);
    for key in keys {
        properties.insert(key.name.to_owned(), described(key));
    }
    let mut object = Map::new();
    object.insert("description".to_owned(), json!(about));
    object.insert("type".to_owned(), json!("object"));
    object.insert("properties".to_owned(), Value::Object(properties));
    object.insert("required".to_owned(), json!(required));
    object.insert("additionalProperties".to_owned(), json!(false));
    object
}

/// The schema of a key with its description and default.
fn described(key: &Key) -> Value {
    let mut schema = match kind(&key.kind) {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    let about = match key.default {
        Default::Says(words) => format!("{} Default: {words}.", key.about),
        _ => key.about.to_owned(),
    };
    schema.insert("description".to_owned(), json!(about));
    match key.default {
        Default::Int(value) => schema.insert("default".to_owned(), json!(value)),
        Default::Str(text) => schema.insert("default".to_owned(), json!(text)),
        Default::Required | Default::Says(_) => None,
    };
    Value::Object(schema)
}

/// The properties of keys by (the rest of) their names. A name with dots is one property, and
/// also, as TOML reads it without quotes, a property of a nested object.
fn properties(keys: &[(&str, &Key)]) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut nested: BTreeMap<&str, Vec<(&str, &Key)>> = BTreeMap::new();
    for (name, key) in keys {
        properties.insert((*name).to_owned(), kind(&key.kind));
        if let Some((first, rest)) = name.split_once('.') {
            nested.entry(first).or_default().push((rest, key));
        }
    }
    for (first, keys) in nested {
        let inner = self::properties(&keys);
        let object = json!({
            "description": format!("The keys that begin with `{first}.`, unquoted."),
            "type": "object",
            "properties": inner,
            "additionalProperties": false,
            "minProperties": 1,
        });
        properties.insert(first.to_owned(), object);
    }
    properties
}

fn kind(kind: &Kind) -> Value {
    let duration = || json!({ "$ref": "#/$defs/duration" });
    match *kind {
        Kind::Text => json!({ "type": "string", "pattern": "\\S" }),
        Kind::Name => json!({ "type": "string", "pattern": "^[A-Za-z0-9._-]{1,249}$" }),
        Kind::Count { min, max } => integer(min, max),
        Kind::Number { min, max } => {
            let mut number = Map::new();
            number.insert("type".to_owned(), json!("number"));
            if min > f64::MIN {
                number.insert("minimum".to_owned(), json!(min));
            }
            if max < f64::MAX {
                number.insert("maximum".to_owned(), json!(max));
            }
            Value::Object(number)
        }
        Kind::Bytes { min, max } => json!({ "anyOf": [integer(min, max), size("")] }),
        Kind::Bandwidth => json!({ "anyOf": [integer(1, i64::MAX), size("(/s)?")] }),
        Kind::Duration { .. } => duration(),
        Kind::SignedDuration => {
            json!({ "type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h)$" })
        }
        Kind::Millis { min, max } => json!({ "anyOf": [duration(), integer(min, max)] }),
        Kind::Choice(words) => names(words.iter().copied()),
        Kind::Acks => json!({ "enum": [0, 1, -1, "0", "1", "-1", "all"] }),
        Kind::Partition => {
            json!({ "anyOf": [integer(0, i64::from(i32::MAX)), names(["round-robin", "by-clone"].into_iter())] })
        }
        Kind::Distribution => json!({ "anyOf": [duration(), reference(&DISTRIBUTION)] }),
        Kind::Profile => json!({ "$ref": "#/$defs/profile" }),
        Kind::Metric => json!({ "$ref": "#/$defs/metric" }),
        Kind::Quantity => json!({ "anyOf": [duration(), { "type": "number" }] }),
        Kind::Known => json!({ "anyOf": [integer(i64::MIN, i64::MAX), { "const": UNKNOWN }] }),
        Kind::Replicas => {
            let ids = array(integer(0, i64::from(i32::MAX)), 1, REPLICAS_MAX);
            json!({ "anyOf": [ids, array(ids.clone(), 1, LIST_MAX)] })
        }
        Kind::List { item, min, max } => array(self::kind(item), min, max),
        Kind::OneOrList(item) => {
            let item = self::kind(item);
            json!({ "anyOf": [item, array(item.clone(), 1, LIST_MAX)] })
        }
        Kind::Table(spec) => reference(spec),
        Kind::Tables(spec) => array(reference(spec), 0, TABLES_MAX),
    }
}

fn duration() -> Value {
    json!({
        "description": "A plain decimal number and a unit, without a space: 500us, 25ms, 1.5s.",
        "type": "string",
        "pattern": "^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h)$",
    })
}

fn size(after: &str) -> Value {
    json!({ "type": "string", "pattern": format!("^[0-9]+(B|kB|MB|GB|KiB|MiB|GiB|TiB){after}$") })
}

fn integer(min: i64, max: i64) -> Value {
    let mut integer = Map::new();
    integer.insert("type".to_owned(), json!("integer"));
    if min > i64::MIN {
        integer.insert("minimum".to_owned(), json!(min));
    }
    if max < i64::MAX {
        integer.insert("maximum".to_owned(), json!(max));
    }
    Value::Object(integer)
}

fn array(item: Value, min: usize, max: usize) -> Value {
    json!({ "type": "array", "items": item, "minItems": min, "maxItems": max })
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> Value {
    json!({ "enum": names.collect::<Vec<_>>() })
}
