//! How the format is declared: tables, their keys, and what a key may hold.
//!
//! The loader, the JSON Schema and the reference are all made from these declarations.

/// A table of the format, such as `[[producer]]`.
#[derive(Debug)]
pub(crate) struct TableSpec {
    /// As the reference heads it: `[[producer]]`.
    pub title: &'static str,
    /// What it is for; whole sentences.
    pub about: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// The forms it comes in, chosen by the key `kind`; empty: it has one form and no such key.
    pub variants: &'static [Variant],
    /// What stands under any other name, when other names are allowed.
    pub rest: Option<&'static TableSpec>,
}

/// One form of a table that has a `kind`.
#[derive(Debug)]
pub(crate) struct Variant {
    /// The value of `kind`.
    pub name: &'static str,
    /// What it is; whole sentences.
    pub about: &'static str,
    /// The keys that only this form has.
    pub keys: &'static [Key],
}

/// One key of a table.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its name; dots are part of it.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What holds when it is not given.
    pub default: Default,
    /// What it means; whole sentences.
    pub about: &'static str,
}

/// What holds when a key is not given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Default {
    /// It must be given.
    Required,
    /// As if this had been given.
    Int(i64),
    /// As if this had been given.
    Str(&'static str),
    /// Something that depends on the rest, in words.
    Says(&'static str),
}

/// What a key may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A string that is not empty.
    Text,
    /// A name: of letters, digits, dots, underscores and hyphens, at most 249 of them, as Kafka
    /// wants a topic's to be.
    Name,
    /// An integer.
    Count { min: i64, max: i64 },
    /// A finite number.
    Number { min: f64, max: f64 },
    /// A size: an integer of bytes, or a string with a unit.
    Bytes { min: i64, max: i64 },
    /// Bytes per second, above 0.
    Bandwidth,
    /// A duration or time with a unit; whether 0 is allowed.
    Duration { zero: bool },
    /// A duration with a unit, or a minus sign before it.
    SignedDuration,
    /// A setting that Kafka counts in milliseconds: an integer of them, or a duration.
    Millis { min: i64, max: i64 },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Kafka's `acks`.
    Acks,
    /// The number of a partition, `round-robin` or `by-clone`.
    Partition,
    /// A constant duration, or a distribution.
    Distribution,
    /// The name of a profile or criterion.
    Profile,
    /// The name of a metric.
    Metric,
    /// What a metric is compared with: a number in its unit, or a duration.
    Quantity,
    /// An integer that may be unknown.
    Known,
    /// Broker ids, or a list of them for each partition.
    Replicas,
    /// An array of these, so many of them at least and at most.
    List { item: &'static Kind, min: usize, max: usize },
    /// One of these, or an array of at least one.
    OneOrList(&'static Kind),
    /// A table.
    Table(&'static TableSpec),
    /// An array of tables.
    Tables(&'static TableSpec),
}

/// The key that chooses among the variants of a table.
pub(crate) const KIND: &str = "kind";

/// The most milliseconds that virtual time can hold: no limit worth a word.
pub(crate) const MILLIS_MAX: i64 = (u64::MAX / 1_000_000) as i64;

/// The most elements of an array that has no other limit.
pub(crate) const LIST_MAX: usize = 1_000_000;

impl TableSpec {
    /// The declaration of a key, in any variant.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.all_keys().find(|key| key.name == name)
    }

    /// The keys of the table and of all its variants.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().chain(self.variants.iter().flat_map(|variant| variant.keys))
    }

    /// The variant of that name.
    pub fn variant(&self, name: &str) -> Option<&'static Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }
}

impl Kind {
    /// What is accepted, as a phrase.
    pub fn accepts(&self) -> String {
        match *self {
            Kind::Text => "a string that is not empty".into(),
            Kind::Name => {
                "a name of 1 to 249 letters, digits, dots, underscores and hyphens, such as \"orders\"".into()
            }
            Kind::Count { min, max } => format!("an integer{}", range(min, max)),
            Kind::Number { min, max } => match (min == f64::MIN, max == f64::MAX) {
                (true, true) => "a finite number".into(),
                (false, true) => format!("a finite number of {min} or more"),
                (true, false) => format!("a finite number of {max} or less"),
                (false, false) => format!("a number from {min} to {max}"),
            },
            Kind::Bytes { min, max } => {
                format!("an integer of bytes{}, or a size such as \"64KiB\" or \"1MiB\"", range(min, max))
            }
            Kind::Bandwidth => "bytes per second above 0: an integer, or a size such as \"10MiB\"".into(),
            Kind::Duration { zero: true } => {
                "a duration such as \"500us\", \"25ms\" or \"1.5s\" (units ns, us, ms, s, m, h)".into()
            }
            Kind::Duration { zero: false } => {
                "a duration above 0 such as \"500us\", \"25ms\" or \"1.5s\" (units ns, us, ms, s, m, h)"
                    .into()
            }
            Kind::SignedDuration => {
                "a duration such as \"2s\", or with a minus sign \"-1.5s\" (units ns, us, ms, s, m, h)".into()
            }
            Kind::Millis { min, max } => format!(
                "a duration of whole milliseconds such as \"10s\", or an integer of milliseconds{}",
                range(min, max)
            ),
            Kind::Choice(words) => one_of(words.iter().copied()),
            Kind::Acks => "0, 1 or \"all\" (-1 means all)".into(),
            Kind::Partition => {
                "the number of a partition from 0, \"round-robin\", or \"by-clone\" (clone i to partition i)"
                    .into()
            }
            Kind::Distribution => {
                "a duration such as \"2ms\", or a distribution such as { kind = \"log-normal\", median = \
                 \"2ms\", sigma = 0.4 } (kinds constant, uniform, exponential, log-normal)"
                    .into()
            }
            Kind::Profile => "a profile such as \"kafka-2.5\" or a criterion such as \"post-4485\"".into(),
            Kind::Metric => "the name of a metric, such as \"isr_shrinks\"".into(),
            Kind::Quantity => {
                "a finite number in the unit of the metric, or a duration such as \"20s\" where that is ms"
                    .into()
            }
            Kind::Known => "an integer, or \"unknown\"".into(),
            Kind::Replicas => {
                "broker ids with the leader first, such as [1, 2, 3], or one such list for each partition"
                    .into()
            }
            Kind::List { item, min, max } => {
                let array = match (min, max) {
                    (min, max) if min == max => format!("an array of {min}"),
                    (0, LIST_MAX) => "an array".into(),
                    (_, LIST_MAX) => "a non-empty array".into(),
                    (min, max) => format!("an array of {min} to {max}"),
                };
                format!("{array}, each element {}", item.accepts())
            }
            Kind::OneOrList(item) => format!("{}; or an array of such", item.accepts()),
            Kind::Table(spec) => format!("a table ({})", spec.title),
            Kind::Tables(spec) => format!("an array of tables ({})", spec.title),
        }
    }
}

/// ` from 1 to 8`, ` of 1 or more`, or nothing.
fn range(min: i64, max: i64) -> String {
    match (min, max) {
        (i64::MIN, i64::MAX) => String::new(),
        (min, i64::MAX | MILLIS_MAX) => format!(" of {min} or more"),
        (min, max) => format!(" from {min} to {max}"),
    }
}

/// `"a", "b" or "c"`.
pub(crate) fn one_of<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
