//! A TOML document as a tree in which every key and value knows its place.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::Problems;
use crate::source::Span;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub value: Value,
    pub span: Span,
}

/// A TOML value. Numbers are not yet judged.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    /// None: it does not fit into 64 bits.
    Integer(Option<i64>),
    Float(f64),
    Boolean,
    Datetime,
    Array(Vec<Node>),
    Table(Table),
}

/// The entries of a table in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub entries: Vec<Entry>,
}

/// One key of a table and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: String,
    pub key_span: Span,
    pub node: Node,
}

impl Value {
    /// What it is, with its article, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a string",
            Value::Integer(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Boolean => "a boolean",
            Value::Datetime => "a date or time",
            Value::Array(_) => "an array",
            Value::Table(_) => "a table",
        }
    }
}

impl Table {
    /// The value of a key, whether the name is one quoted key or is spread over nested tables, as
    /// TOML reads an unquoted dotted name.
    pub fn find_mut(&mut self, name: &str) -> Option<&mut Node> {
        for entry in &mut self.entries {
            if entry.key == name {
                return Some(&mut entry.node);
            }
            let rest = name.strip_prefix(entry.key.as_str()).and_then(|rest| rest.strip_prefix('.'));
            if let (Some(rest), Value::Table(table)) = (rest, &mut entry.node.value)
                && let Some(node) = table.find_mut(rest)
            {
                return Some(node);
            }
        }
        None
    }

    /// Takes away a key, in whichever form [`Table::find_mut`] finds it.
    pub fn remove(&mut self, name: &str) {
        self.entries.retain(|entry| entry.key != name);
        for entry in &mut self.entries {
            let rest = name.strip_prefix(entry.key.as_str()).and_then(|rest| rest.strip_prefix('.'));
            if let (Some(rest), Value::Table(table)) = (rest, &mut entry.node.value) {
                table.remove(rest);
            }
        }
        self.entries.retain(|entry| !matches!(&entry.node.value, Value::Table(table) if table.entries.is_empty() && name.starts_with(&format!("{}.", entry.key))));
    }

    /// The value of exactly this key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The table under exactly this key; put there, empty, when there is nothing. None: something
    /// else is there.
    pub fn table_mut(&mut self, key: &str, span: Span) -> Option<&mut Table> {
        let index = match self.entries.iter().position(|entry| entry.key == key) {
            Some(index) => index,
            None => {
                let node = Node { value: Value::Table(Table::default()), span };
                self.entries.push(Entry { key: key.to_owned(), key_span: span, node });
                self.entries.len() - 1
            }
        };
        match &mut self.entries[index].node.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }
}

/// Reads a whole document. Where its syntax is wrong the problems are noted, and what could be
/// read is returned.
pub(crate) fn parse(text: &str, problems: &mut Problems) -> Table {
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let range = error.span().unwrap_or(text.len()..text.len());
        problems.add(Span::in_file(range), "", error.message()).accepted("a TOML 1.0 document");
    }
    table(document.into_inner(), Place { source: 0, offset: 0 })
}

/// Reads the VALUE of a `--set KEY=VALUE`, which starts at byte `offset` of its source. What is
/// not a TOML value is a string, so that durations and names need no quotes.
pub(crate) fn parse_override_value(text: &str, source: usize, offset: usize) -> Node {
    let span = Span { source, start: offset, end: offset + text.len() };
    match DeValue::parse(text) {
        Ok(parsed) if !matches!(parsed.get_ref(), DeValue::Datetime(_)) => {
            node(parsed, Place { source, offset })
        }
        _ => Node { value: Value::Text(text.to_owned()), span },
    }
}

/// Where a parsed text stands.
#[derive(Clone, Copy)]
struct Place {
    source: usize,
    offset: usize,
}

impl Place {
    fn span(self, range: std::ops::Range<usize>) -> Span {
        Span { source: self.source, start: self.offset + range.start, end: self.offset + range.end }
    }
}

fn table(parsed: DeTable<'_>, place: Place) -> Table {
    let mut entries: Vec<Entry> = parsed
        .into_iter()
        .map(|(key, value)| {
            let key_span = place.span(key.span());
            Entry { key: key.into_inner().into_owned(), key_span, node: node(value, place) }
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_span);
    Table { entries }
}

fn node(parsed: Spanned<DeValue<'_>>, place: Place) -> Node {
    let span = place.span(parsed.span());
    let value = match parsed.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(integer) => {
            Value::Integer(i64::from_str_radix(integer.as_str(), integer.radix()).ok())
        }
        DeValue::Float(float) => Value::Float(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(_) => Value::Boolean,
        DeValue::Datetime(_) => Value::Datetime,
        DeValue::Array(array) => Value::Array(array.into_iter().map(|item| node(item, place)).collect()),
        DeValue::Table(inner) => Value::Table(table(inner, place)),
    };
    Node { value, span }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Table {
        let mut problems = Problems::default();
        let table = parse(text, &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        table
    }

    #[test]
    fn entries_keep_the_order_of_the_file_and_their_places() {
        let table = parsed("z = 1\n[link.b]\nx = 0x10\n[link.a]\n");
        let keys: Vec<&str> = table.entries.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(keys, ["z", "link"]);
        let Value::Table(links) = &table.entries[1].node.value else { panic!("link is a table") };
        let names: Vec<&str> = links.entries.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(table.entries[0].node.span, Span::in_file(4..5));
    }

    #[test]
    fn quoted_and_unquoted_names_are_found() {
        let mut quoted = parsed("\"a.b.c\" = 1");
        let mut dotted = parsed("a.b.c = 1\na.b.d = 2");
        let mut mixed = parsed("a.\"b.c\" = 1");
        for table in [&mut quoted, &mut dotted, &mut mixed] {
            assert!(matches!(table.find_mut("a.b.c").unwrap().value, Value::Integer(Some(1))));
            assert!(table.find_mut("a.b.e").is_none());
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_kept_as_such() {
        let table = parsed("a = 99999999999999999999\nb = nan\nc = 1e999\nd = 0x10_0\n");
        assert!(matches!(table.get("a").unwrap().value, Value::Integer(None)));
        assert!(matches!(table.get("b").unwrap().value, Value::Float(f) if f.is_nan()));
        assert!(matches!(table.get("c").unwrap().value, Value::Float(f) if f.is_infinite()));
        assert!(matches!(table.get("d").unwrap().value, Value::Integer(Some(256))));
    }

    #[test]
    fn override_values_need_no_quotes() {
        let kind = |text: &str| parse_override_value(text, 1, 4).value.kind();
        assert_eq!(kind("5s"), "a string");
        assert_eq!(kind("\"5s\""), "a string");
        assert_eq!(kind("5000"), "an integer");
        assert_eq!(kind("[1, 2]"), "an array");
        assert_eq!(kind("pre-4485"), "a string");
        assert_eq!(kind(""), "a string");
        assert_eq!(parse_override_value("5000", 1, 4).span, Span { source: 1, start: 4, end: 8 });
    }
}
