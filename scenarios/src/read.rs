//! Checks a tree against the declared keys: names, types, ranges.

use isrlab_sim::cluster::Metric;
use isrlab_sim::cluster::spec::REPLICAS_MAX;
use isrlab_sim::protocol::Profile;
use std::collections::BTreeMap;

use crate::diagnostic::Problems;
use crate::fields::{Datum, Field, Fields};
use crate::key::{Default, KIND, Key, Kind, LIST_MAX, TableSpec, Variant, one_of};
use crate::keys::{DISTRIBUTION, TABLES};
use crate::scalar;
use crate::source::Span;
use crate::suggest::did_you_mean;
use crate::tree::{Entry, Node, Table, Value};

/// `path.key`, or `key` at the top.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Checks a table. Whatever is wrong is noted in `problems`, and what is right is returned.
pub(crate) fn table(
    table: &Table,
    span: Span,
    path: &str,
    spec: &'static TableSpec,
    problems: &mut Problems,
) -> Fields {
    let mut reader = Reader { problems };
    reader.table(table, span, path, spec)
}

/// The value of a declared default.
pub(crate) fn default_int(kind: &Kind, value: i64) -> Option<Datum> {
    default(kind, Value::Integer(Some(value)))
}

/// The value of a declared default.
pub(crate) fn default_str(kind: &Kind, text: &str) -> Option<Datum> {
    default(kind, Value::Text(text.to_owned()))
}

fn default(kind: &Kind, value: Value) -> Option<Datum> {
    let mut problems = Problems::default();
    let node = Node { value, span: Span::in_file(0..0) };
    Reader { problems: &mut problems }.value(&node, kind, "")
}

struct Reader<'a> {
    problems: &'a mut Problems,
}

impl Reader<'_> {
    fn table(&mut self, table: &Table, span: Span, path: &str, spec: &'static TableSpec) -> Fields {
        let mut fields = Fields {
            spec,
            variant: None,
            path: path.to_owned(),
            span,
            entries: BTreeMap::new(),
            rest: vec![],
        };
        let mut kind_is_known = true;
        if !spec.variants.is_empty() {
            fields.variant = self.variant(table, span, path, spec);
            kind_is_known = fields.variant.is_some();
        }
        self.entries(table, "", &mut fields);
        if kind_is_known {
            self.require(&fields);
        }
        fields
    }

    /// Which form a table with variants has.
    fn variant(
        &mut self,
        table: &Table,
        span: Span,
        path: &str,
        spec: &'static TableSpec,
    ) -> Option<&'static Variant> {
        let names = || spec.variants.iter().map(|variant| variant.name);
        let Some(node) = table.get(KIND) else {
            self.problems.add(span, join(path, KIND), "is missing").accepted(one_of(names()));
            return None;
        };
        let known = match &node.value {
            Value::Text(name) => spec.variant(name),
            _ => None,
        };
        if known.is_none() {
            let (message, help) = match &node.value {
                Value::Text(name) => (format!("is \"{}\"", scalar::shown(name)), did_you_mean(name, names())),
                other => (format!("is {}", other.kind()), None),
            };
            self.problems.add(node.span, join(path, KIND), message).accepted(one_of(names())).help = help;
        }
        known
    }

    /// Takes in the entries of a table, of which the names so far are `prefix`.
    fn entries(&mut self, table: &Table, prefix: &str, fields: &mut Fields) {
        for entry in &table.entries {
            let name = join(prefix, &entry.key);
            if name == KIND && !fields.spec.variants.is_empty() {
                continue;
            }
            match (fields.spec.key(&name), &entry.node.value) {
                (Some(key), _) => self.known(key, entry, fields),
                (None, Value::Table(inner)) if begins_a_key(fields.spec, &name) => {
                    self.entries(inner, &name, fields);
                }
                (None, Value::Table(inner)) if fields.spec.rest.is_some() && prefix.is_empty() => {
                    self.rest(&name, entry, inner, fields);
                }
                _ => self.unknown(&whole_name(name, &entry.node), entry, fields),
            }
        }
    }

    fn known(&mut self, key: &'static Key, entry: &Entry, fields: &mut Fields) {
        let path = fields.path_of(key.name);
        if fields.has(key.name) {
            self.problems
                .add(entry.key_span, path, "is given twice")
                .help("an unquoted name with dots and the quoted name are the same key: keep one of them");
            return;
        }
        if let Some(variant) = fields.variant
            && !fields.spec.keys.iter().chain(variant.keys).any(|own| own.name == key.name)
        {
            let owners = fields.spec.variants.iter().filter(|v| v.keys.iter().any(|k| k.name == key.name));
            let owners = one_of(owners.map(|owner| owner.name));
            self.problems
                .add(entry.key_span, path, format!("is no key of kind \"{}\"", variant.name))
                .accepted(key_names(fields))
                .help(format!("it belongs to kind {owners}"));
            return;
        }
        let datum = self.value(&entry.node, &key.kind, &path);
        fields.entries.insert(key.name, Field { span: entry.node.span, datum });
    }

    /// A table under a name of the author's choice.
    fn rest(&mut self, name: &str, entry: &Entry, inner: &Table, fields: &mut Fields) {
        let Some(spec) = fields.spec.rest else { return };
        if !scalar::is_name(name) {
            self.problems
                .add(entry.key_span, join(&fields.path, &scalar::shown(name)), "is no name")
                .accepted(Kind::Name.accepts());
            return;
        }
        let path = fields.path_of(name);
        let table = self.table(inner, entry.key_span, &path, spec);
        fields.rest.push((name.to_owned(), table));
    }

    fn unknown(&mut self, name: &str, entry: &Entry, fields: &Fields) {
        let allowed = || allowed_keys(fields).map(|key| key.name);
        let elsewhere =
            TABLES.iter().find(|table| table.title != fields.spec.title && table.key(name).is_some());
        let help = match (elsewhere, did_you_mean(name, allowed())) {
            (_, Some(near)) => Some(near),
            (Some(table), None) => Some(format!("it is a key of {}", table.title)),
            (None, None) => None,
        };
        let problem =
            self.problems.add(entry.key_span, join(&fields.path, &scalar::shown(name)), "is no known key");
        problem.accepted(key_names(fields)).help = help;
    }

    /// Notes the keys that must be given and are not.
    fn require(&mut self, fields: &Fields) {
        let missing = allowed_keys(fields)
            .filter(|key| matches!(key.default, Default::Required) && !fields.has(key.name));
        for key in missing {
            self.problems
                .add(fields.span, fields.path_of(key.name), "is missing")
                .accepted(key.kind.accepts());
        }
    }

    /// Checks a value; none: it is wrong, and that has been noted.
    fn value(&mut self, node: &Node, kind: &Kind, path: &str) -> Option<Datum> {
        match (kind, &node.value) {
            (Kind::OneOrList(item), Value::Array(_)) => {
                let list = Kind::List { item, min: 1, max: LIST_MAX };
                self.value(node, &list, path)
            }
            (Kind::OneOrList(item), _) => {
                let datum = self.value(node, item, path)?;
                Some(Datum::List(vec![Field { span: node.span, datum: Some(datum) }]))
            }
            (Kind::List { item, min, max }, Value::Array(nodes)) => {
                self.list(node, nodes, item, *min, *max, path)
            }
            (Kind::Tables(spec), Value::Array(nodes)) => self.tables(node, nodes, spec, path),
            (Kind::Table(spec), Value::Table(inner)) => {
                Some(Datum::Table(self.table(inner, node.span, path, spec)))
            }
            (Kind::Distribution, Value::Table(inner)) => {
                let fields = self.table(inner, node.span, path, &DISTRIBUTION);
                self.distribution(&fields).map(Datum::Distribution)
            }
            (Kind::Replicas, Value::Array(nodes)) => self.replicas(node, nodes, path),
            _ => match scalar::read(&node.value, kind) {
                Ok(datum) => Some(datum),
                Err(message) => {
                    let help = scalar::help(&node.value, kind);
                    self.problems.add(node.span, path, message).accepted(kind.accepts()).help = help;
                    None
                }
            },
        }
    }

    fn list(
        &mut self,
        node: &Node,
        nodes: &[Node],
        item: &'static Kind,
        min: usize,
        max: usize,
        path: &str,
    ) -> Option<Datum> {
        if nodes.len() < min || nodes.len() > max {
            let message = match nodes.len() {
                0 => "is an empty array".to_owned(),
                len => format!("has {len} elements"),
            };
            let accepted = Kind::List { item, min, max }.accepts();
            self.problems.add(node.span, path, message).accepted(accepted);
            return None;
        }
        let fields = nodes.iter().enumerate().map(|(index, node)| {
            let datum = self.value(node, item, &format!("{path}[{index}]"));
            Field { span: node.span, datum }
        });
        Some(Datum::List(fields.collect()))
    }

    fn tables(&mut self, node: &Node, nodes: &[Node], spec: &'static TableSpec, path: &str) -> Option<Datum> {
        let max = crate::keys::TABLES_MAX;
        if nodes.len() > max {
            self.problems
                .add(node.span, path, format!("has {} tables", nodes.len()))
                .accepted(format!("at most {max}"));
            return None;
        }
        let fields = nodes.iter().enumerate().map(|(index, node)| {
            let datum = match &node.value {
                Value::Table(inner) => {
                    let path = join(path, &table_name(inner).unwrap_or_else(|| format!("{}", index + 1)));
                    Some(Datum::Table(self.table(inner, node.span, &path, spec)))
                }
                other => {
                    self.problems
                        .add(node.span, format!("{path}[{index}]"), format!("is {}", other.kind()))
                        .accepted(format!("a table ({})", spec.title));
                    None
                }
            };
            Field { span: node.span, datum }
        });
        Some(Datum::List(fields.collect()))
    }

    /// Broker ids, or lists of them.
    fn replicas(&mut self, node: &Node, nodes: &[Node], path: &str) -> Option<Datum> {
        const ID: Kind = Kind::Count { min: 0, max: i32::MAX as i64 };
        const IDS: Kind = Kind::List { item: &ID, min: 1, max: REPLICAS_MAX };
        match nodes.first() {
            Some(Node { value: Value::Array(_), .. }) => self.list(node, nodes, &IDS, 1, LIST_MAX, path),
            _ => self.list(node, nodes, &ID, 1, REPLICAS_MAX, path),
        }
    }

    fn distribution(&mut self, fields: &Fields) -> Option<isrlab_sim::engine::Distribution> {
        use isrlab_sim::engine::Distribution as D;
        let distribution = match fields.variant?.name {
            "constant" => D::Constant(fields.duration("value")?),
            "uniform" => D::Uniform { min: fields.duration("min")?, max: fields.duration("max")? },
            "exponential" => D::Exponential { mean: fields.duration("mean")? },
            "log-normal" => {
                D::LogNormal { median: fields.duration("median")?, sigma: fields.number("sigma")? }
            }
            _ => return None,
        };
        match distribution.validate() {
            Ok(()) => Some(distribution),
            Err(error) => {
                self.problems.add(fields.span, &fields.path, error.to_string());
                None
            }
        }
    }
}

/// The keys that a table may have, in its form.
fn allowed_keys(fields: &Fields) -> impl Iterator<Item = &'static Key> {
    let own = match fields.variant {
        Some(variant) => std::slice::from_ref(variant),
        None => fields.spec.variants,
    };
    fields.spec.keys.iter().chain(own.iter().flat_map(|variant| variant.keys))
}

fn key_names(fields: &Fields) -> String {
    let mut names: Vec<&str> = allowed_keys(fields).map(|key| key.name).collect();
    if !fields.spec.variants.is_empty() {
        names.insert(0, KIND);
    }
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    let rest = if fields.spec.rest.is_some() { ", or a table under a name of your own" } else { "" };
    format!("the keys {}{rest}", names.join(", "))
}

/// Whether a declared key starts with `name` and a dot.
fn begins_a_key(spec: &TableSpec, name: &str) -> bool {
    spec.all_keys().any(|key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// The name of an unknown key as it was meant: down the nested tables that TOML makes of an
/// unquoted name with dots.
fn whole_name(mut name: String, node: &Node) -> String {
    let mut value = &node.value;
    while let Value::Table(Table { entries }) = value
        && let [entry] = entries.as_slice()
        && name.len() < 300
    {
        name = join(&name, &entry.key);
        value = &entry.node.value;
    }
    name
}

/// What a table of an array is called in messages: its name or id.
fn table_name(table: &Table) -> Option<String> {
    let node = table.get("name").or_else(|| table.get("id"))?;
    match &node.value {
        Value::Text(name) if scalar::is_name(name) => Some(name.clone()),
        Value::Integer(Some(id)) => Some(id.to_string()),
        _ => None,
    }
}

/// The metric of a name that was checked.
pub(crate) fn metric(name: &str) -> Option<&'static Metric> {
    Metric::find(name)
}

/// The profile of a name that was checked.
pub(crate) fn profile(name: &str) -> Option<Profile> {
    Profile::all().find(|profile| profile.name == name)
}
