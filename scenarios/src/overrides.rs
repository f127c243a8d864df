//! `--set KEY=VALUE`: replaces values of a scenario before it is checked.

use crate::diagnostic::Problems;
use crate::key::Kind;
use crate::keys::{SETTINGS, TABLES, TOP};
use crate::scalar::shown;
use crate::source::{Sources, Span};
use crate::suggest::did_you_mean;
use crate::tree::{Entry, Node, Table, Value, parse_override_value};

/// What an override may be called, in words.
const ACCEPTED: &str = "a key of [settings]; a key of the top level such as duration; link.follower.KEY, \
                        link.producer.KEY, link.NAME.KEY; broker.ID.KEY; topic.NAME.KEY, producer.NAME.KEY, \
                        fault.NAME.KEY, mirror.NAME.KEY, share-group.NAME.KEY of one that is there";

/// Replaces or adds one value. What is wrong with the key is noted; what is wrong with the value
/// is found when the document is checked.
pub(crate) fn apply(top: &mut Table, key: &str, value: &str, sources: &mut Sources, problems: &mut Problems) {
    let key = key.trim();
    let source = sources.push_override(format!("{key}={value}"));
    let key_span = Span { source, start: 0, end: key.len() };
    let trimmed = value.trim();
    let offset = key.len() + 1 + (value.len() - value.trim_start().len());
    let node = parse_override_value(trimmed, source, offset);
    let edit = Edit { key_span, node };
    if let Err(help) = place(top, key, edit) {
        problems.add(key_span, shown(key), "is nothing that can be set").accepted(ACCEPTED).help = help;
    }
}

/// A value on its way to its place.
struct Edit {
    key_span: Span,
    node: Node,
}

/// Puts a value where its key says.
///
/// # Errors
/// There is no such place; with a suggestion, if there is one.
fn place(top: &mut Table, key: &str, edit: Edit) -> Result<(), Option<String>> {
    if SETTINGS.key(key).is_some() {
        return set_in(top, "settings", key, edit);
    }
    if let Some(rest) = key.strip_prefix("settings.") {
        return set_in(top, "settings", rest, edit);
    }
    if is_scalar(key) {
        set(top, key, edit);
        return Ok(());
    }
    let (section, rest) = key.split_once('.').ok_or_else(|| did_you_mean(key, scalars()))?;
    match section {
        "link" => in_link(top, rest, edit),
        "broker" | "topic" | "producer" | "fault" | "mirror" | "share-group" => {
            in_array(top, section, rest, edit)
        }
        _ => Err(did_you_mean(key, scalars().chain(SETTINGS.keys.iter().map(|key| key.name)))),
    }
}

/// Keys of the top level that hold a value and no table, or an array of values.
fn scalars() -> impl Iterator<Item = &'static str> {
    TOP.keys.iter().map(|key| key.name).filter(|name| is_scalar(name))
}

fn is_scalar(key: &str) -> bool {
    TOP.key(key).is_some_and(|key| !matches!(key.kind, Kind::Table(_) | Kind::Tables(_)))
}

fn set_in(top: &mut Table, table: &str, key: &str, edit: Edit) -> Result<(), Option<String>> {
    // Something else than a table is there: the check of the document will say so.
    if let Some(table) = top.table_mut(table, edit.key_span) {
        set(table, key, edit);
    }
    Ok(())
}

fn in_link(top: &mut Table, rest: &str, edit: Edit) -> Result<(), Option<String>> {
    let Some(links) = top.table_mut("link", edit.key_span) else { return Ok(()) };
    for default in ["follower", "producer"] {
        if let Some(key) = rest.strip_prefix(default).and_then(|rest| rest.strip_prefix('.')) {
            return set_in_link(links, default, key, edit);
        }
    }
    let names: Vec<String> = links.entries.iter().map(|entry| entry.key.clone()).collect();
    match longest_name(rest, &names) {
        Some((name, key)) => {
            let (name, key) = (name.to_owned(), key.to_owned());
            set_in_link(links, &name, &key, edit)
        }
        None => Err(suggestion("link", rest, &names)),
    }
}

/// Sets a key of one link. The latency of both ways replaces what the file says of each: an
/// override that has no effect would be a lie.
fn set_in_link(links: &mut Table, name: &str, key: &str, edit: Edit) -> Result<(), Option<String>> {
    if key == "latency"
        && let Some(link) = links.table_mut(name, edit.key_span)
    {
        link.remove("request.latency");
        link.remove("response.latency");
    }
    set_in(links, name, key, edit)
}

fn in_array(top: &mut Table, section: &str, rest: &str, edit: Edit) -> Result<(), Option<String>> {
    let Some(Node { value: Value::Array(tables), .. }) = top.find_mut(section) else {
        return Err(Some(format!("the scenario has no [[{section}]]")));
    };
    let label = |node: &Node| match &node.value {
        Value::Table(table) => match table.get("name").or_else(|| table.get("id")).map(|node| &node.value) {
            Some(Value::Text(name)) => Some(name.clone()),
            Some(Value::Integer(Some(id))) => Some(id.to_string()),
            _ => None,
        },
        _ => None,
    };
    let names: Vec<String> = tables.iter().filter_map(label).collect();
    let Some((name, key)) = longest_name(rest, &names) else { return Err(suggestion(section, rest, &names)) };
    let named = tables.iter_mut().find(|node| label(node).as_deref() == Some(name));
    if let Some(Node { value: Value::Table(table), .. }) = named {
        set(table, key, edit);
    }
    Ok(())
}

/// Splits `NAME.key` at the longest of the known names, which may have dots themselves.
fn longest_name<'a>(text: &'a str, names: &[String]) -> Option<(&'a str, &'a str)> {
    let fits = |name: &&String| {
        text.strip_prefix(name.as_str()).is_some_and(|rest| rest.len() > 1 && rest.starts_with('.'))
    };
    let longest = names.iter().filter(fits).map(String::len).max()?;
    Some((&text[..longest], &text[longest + 1..]))
}

fn suggestion(section: &str, rest: &str, names: &[String]) -> Option<String> {
    let name = rest.split('.').next().unwrap_or_default();
    did_you_mean(name, names.iter().map(String::as_str)).or_else(|| {
        let shown: Vec<String> = names.iter().take(10).map(|name| format!("{section}.{name}")).collect();
        (!shown.is_empty()).then(|| format!("there is {}", shown.join(", ")))
    })
}

/// Replaces the value of a key in a table, or adds it. A name with dots may lead into a table
/// that is there, such as `arrivals` or a distribution.
fn set(table: &mut Table, key: &str, edit: Edit) {
    if let Some(node) = table.find_mut(key) {
        *node = edit.node;
        return;
    }
    let prefix = key.rmatch_indices('.').map(|(at, _)| &key[..at]).find(|prefix| {
        leads_into_a_table(prefix)
            && matches!(table.find_mut(prefix), Some(Node { value: Value::Table(_), .. }))
    });
    let inner = prefix.and_then(|prefix| match &mut table.find_mut(prefix)?.value {
        Value::Table(inner) => Some((inner, &key[prefix.len() + 1..])),
        _ => None,
    });
    match inner {
        Some((inner, rest)) => set(inner, rest, edit),
        None => {
            table.entries.push(Entry { key: key.to_owned(), key_span: edit.key_span, node: edit.node });
        }
    }
}

/// Whether a key of the format, in whatever table, holds a table.
fn leads_into_a_table(key: &str) -> bool {
    let holds_table = |kind: &Kind| matches!(kind, Kind::Table(_) | Kind::Distribution);
    TABLES.iter().filter_map(|table| table.key(key)).any(|key| holds_table(&key.kind))
}
