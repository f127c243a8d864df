//! As much of JSON Schema (draft 2020-12) as the published schema uses. A keyword that it does
//! not know is a mistake of the schema, not ignored. A whole validator would bring some fifty
//! crates for a few tests.

use serde_json::Value;

/// What is wrong with `value`, as places and reasons; nothing if it is valid.
pub fn check(schema: &Value, value: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    at(schema, schema, value, "", &mut problems);
    problems
}

/// The part of a schema that a `$ref` names.
pub fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(reference.strip_prefix('#')?)
}

fn at(root: &Value, schema: &Value, value: &Value, path: &str, problems: &mut Vec<String>) {
    let keywords = schema.as_object().expect("a schema is an object");
    let valid = |schema: &Value| {
        let mut inner = Vec::new();
        at(root, schema, value, path, &mut inner);
        inner.is_empty()
    };
    let mut require = |holds: bool, what: String| {
        if !holds {
            problems.push(format!("{path}: {what}: {value}"));
        }
    };
    for (keyword, argument) in keywords {
        match keyword.as_str() {
            "$schema" | "title" | "description" | "default" | "$defs" => {}
            "$ref" => {
                let target = resolve(root, argument.as_str().unwrap()).expect("a reference leads somewhere");
                require(valid(target), format!("is not {argument}"));
            }
            "type" => {
                require(has_type(value, argument.as_str().unwrap()), format!("is not of type {argument}"))
            }
            "enum" => require(argument.as_array().unwrap().contains(value), format!("is none of {argument}")),
            "const" => require(value == argument, format!("is not {argument}")),
            "anyOf" => require(argument.as_array().unwrap().iter().any(valid), "fits nothing".to_owned()),
            "oneOf" => {
                let fitting = argument.as_array().unwrap().iter().filter(|schema| valid(schema)).count();
                require(fitting == 1, format!("fits {fitting} forms"));
            }
            "minimum" => require(number(value, |v| v >= argument.as_f64().unwrap()), "is too low".into()),
            "maximum" => require(number(value, |v| v <= argument.as_f64().unwrap()), "is too high".into()),
            "pattern" => {
                let holds = value.as_str().is_none_or(|text| fits(argument.as_str().unwrap(), text));
                require(holds, format!("does not fit {argument}"));
            }
            "minItems" => require(count(value) >= argument.as_u64(), "has too few items".into()),
            "maxItems" => {
                require(count(value) <= argument.as_u64() || count(value).is_none(), "too many".into())
            }
            "minProperties" => {
                let holds =
                    value.as_object().is_none_or(|object| object.len() as u64 >= argument.as_u64().unwrap());
                require(holds, "has too few keys".into());
            }
            "required" => {
                let missing = argument
                    .as_array()
                    .unwrap()
                    .iter()
                    .find(|key| value.get(key.as_str().unwrap()).is_none());
                require(missing.is_none() || !value.is_object(), format!("lacks {missing:?}"));
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    let mut inner = Vec::new();
                    at(root, argument, item, &format!("{path}[{index}]"), &mut inner);
                    inner.into_iter().for_each(|problem| require(false, problem));
                }
            }
            "properties" => {
                for (key, schema) in argument.as_object().unwrap() {
                    if let Some(inner_value) = value.get(key) {
                        let mut inner = Vec::new();
                        at(root, schema, inner_value, &format!("{path}/{key}"), &mut inner);
                        inner.into_iter().for_each(|problem| require(false, problem));
                    }
                }
            }
            "additionalProperties" => {
                let known = keywords.get("properties").and_then(Value::as_object);
                for (key, extra) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|known| known.contains_key(key)) {
                        continue;
                    }
                    let mut inner = Vec::new();
                    if argument.is_object() {
                        at(root, argument, extra, &format!("{path}/{key}"), &mut inner);
                    } else if argument == &Value::Bool(false) {
                        inner.push(format!("unknown key {key}"));
                    }
                    inner.into_iter().for_each(|problem| require(false, problem));
                }
            }
            other => panic!("{path}: the schema has the keyword {other}, which this check does not know"),
        }
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("unknown type {other}"),
    }
}

fn number(value: &Value, holds: impl Fn(f64) -> bool) -> bool {
    value.as_f64().is_none_or(holds)
}

fn count(value: &Value) -> Option<u64> {
    value.as_array().map(|array| array.len() as u64)
}

/// The patterns of the schema, each by hand; an unknown one is a mistake of the schema or here.
fn fits(pattern: &str, text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let unit_of =
        |text: &str, units: &str| digits > 0 && units.split('|').any(|unit| text[digits..] == *unit);
    match pattern {
        "\\S" => text.chars().any(|c| !c.is_whitespace()),
        "^[A-Za-z0-9._-]{1,249}$" => {
            (1..=249).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        }
        "^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h)$" => {
            let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let unit = &text[number.len()..];
            let parts: Vec<&str> = number.split('.').collect();
            parts.len() <= 2
                && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
                && ["ns", "us", "ms", "s", "m", "h"].contains(&unit)
        }
        "^-?[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h)$" => {
            fits("^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h)$", text.strip_prefix('-').unwrap_or(text))
        }
        "^[0-9]+(B|kB|MB|GB|KiB|MiB|GiB|TiB)$" => unit_of(text, "B|kB|MB|GB|KiB|MiB|GiB|TiB"),
        "^[0-9]+(B|kB|MB|GB|KiB|MiB|GiB|TiB)(/s)?$" => {
            unit_of(text.strip_suffix("/s").unwrap_or(text), "B|kB|MB|GB|KiB|MiB|GiB|TiB")
        }
        other => panic!("the schema has the pattern {other}, which this check does not know"),
    }
}
