//! The keys of one table after their types and ranges were checked.

use std::collections::BTreeMap;

use isrlab_sim::engine::{Distribution, SimDuration, SimTime};

use crate::key::{Default, TableSpec, Variant};
use crate::read;
use crate::source::Span;

/// A checked value.
#[derive(Clone, Debug)]
pub(crate) enum Datum {
    Text(String),
    Integer(i64),
    Number(f64),
    Duration(SimDuration),
    Distribution(Distribution),
    List(Vec<Field>),
    Table(Fields),
}

/// A checked value and its place; without a value where the check failed, which has been noted.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub span: Span,
    pub datum: Option<Datum>,
}

/// A checked table.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub spec: &'static TableSpec,
    /// Its form; none where it has only one, or a wrong one.
    pub variant: Option<&'static Variant>,
    /// Its path in messages, such as `producer.p-0`.
    pub path: String,
    pub span: Span,
    pub entries: BTreeMap<&'static str, Field>,
    /// Tables under other names, in the order of the file.
    pub rest: Vec<(String, Fields)>,
}

impl Fields {
    /// The path of a key in messages.
    pub fn path_of(&self, key: &str) -> String {
        read::join(&self.path, key)
    }

    /// The place of a key's value, or of the table where it is not given.
    pub fn span_of(&self, key: &str) -> Span {
        self.entries.get(key).map_or(self.span, |field| field.span)
    }

    /// Whether the key is given, well or not.
    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    fn datum(&self, key: &str) -> Option<&Datum> {
        debug_assert!(self.spec.key(key).is_some(), "{} has no key {key}", self.spec.title);
        self.entries.get(key)?.datum.as_ref()
    }

    /// The default that the declaration gives as a value.
    fn default(&self, key: &str) -> Option<Datum> {
        if self.has(key) {
            return None;
        }
        let key = self.spec.key(key)?;
        match key.default {
            Default::Int(value) => read::default_int(&key.kind, value),
            Default::Str(text) => read::default_str(&key.kind, text),
            Default::Required | Default::Says(_) => None,
        }
    }

    /// A string; none: not given, or wrong.
    pub fn text(&self, key: &str) -> Option<String> {
        match self.datum(key).cloned().or_else(|| self.default(key))? {
            Datum::Text(text) => Some(text),
            _ => None,
        }
    }

    /// An integer that the declaration's range makes fit into `T`.
    pub fn integer<T: TryFrom<i64>>(&self, key: &str) -> Option<T> {
        match self.datum(key).cloned().or_else(|| self.default(key))? {
            Datum::Integer(value) => T::try_from(value).ok(),
            _ => None,
        }
    }

    /// A number.
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.datum(key).cloned().or_else(|| self.default(key))? {
            Datum::Number(value) => Some(value),
            _ => None,
        }
    }

    /// A duration.
    pub fn duration(&self, key: &str) -> Option<SimDuration> {
        match self.datum(key).cloned().or_else(|| self.default(key))? {
            Datum::Duration(value) => Some(value),
            _ => None,
        }
    }

    /// A time, written as the duration from the start of the run.
    pub fn time(&self, key: &str) -> Option<SimTime> {
        self.duration(key).map(|duration| SimTime::from_nanos(duration.as_nanos()))
    }

    /// A distribution.
    pub fn distribution(&self, key: &str) -> Option<Distribution> {
        match self.datum(key).cloned().or_else(|| self.default(key))? {
            Datum::Distribution(value) => Some(value),
            _ => None,
        }
    }

    /// An array; none: not given, or wrong.
    pub fn list(&self, key: &str) -> Option<&[Field]> {
        match self.datum(key)? {
            Datum::List(list) => Some(list),
            _ => None,
        }
    }

    /// The tables of an array of tables; none at all where it is not given.
    pub fn tables(&self, key: &str) -> impl Iterator<Item = &Fields> {
        self.list(key).unwrap_or_default().iter().filter_map(|field| match &field.datum {
            Some(Datum::Table(fields)) => Some(fields),
            _ => None,
        })
    }

    /// A table.
    pub fn table(&self, key: &str) -> Option<&Fields> {
        match self.datum(key)? {
            Datum::Table(fields) => Some(fields),
            _ => None,
        }
    }

    /// A value whose form the builder looks into itself.
    pub fn any(&self, key: &str) -> Option<Datum> {
        self.datum(key).cloned().or_else(|| self.default(key))
    }
}
