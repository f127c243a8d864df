//! The scenario reference, as Markdown.

use std::fmt::Write;

use isrlab_sim::cluster::METRICS;
use isrlab_sim::protocol::{IsrCriterion, Profile};

use crate::key::{Default, KIND, Key, TableSpec};
use crate::keys::TABLES;

const INTRODUCTION: &str = "\
<!-- Made from the declarations in scenarios/src/keys. Do not edit; see scenarios/tests/documentation.rs. -->

# Scenario reference

A scenario is a TOML file: what a cluster is like, what happens to it, and what must hold. `isrlab list` lists the
scenarios that come with isrlab and `isrlab show NAME` prints one, which is the best way to start. `isrlab validate
FILE` says what is wrong with a file, and `isrlab schema` prints a JSON Schema for editors.

- **Names** are Kafka's own where Kafka has one. A name with dots may be quoted (`\"min.insync.replicas\" = 2`) or
  not (`min.insync.replicas = 2`), which TOML reads as nested tables; both mean the same.
- **Durations and times** are a plain decimal number and a unit, in quotes: `\"500us\"`, `\"25ms\"`, `\"1.5s\"`; units
  ns, us, ms, s, m, h. A time counts from the start of the run. A setting that Kafka has in milliseconds may also be
  an integer, as in Kafka's own files.
- **Sizes** are an integer of bytes or a string with a unit: `\"1MiB\"`; units B, kB, MB, GB, KiB, MiB, GiB, TiB.
- **`--set KEY=VALUE`** replaces a value of a file: `replica.lag.time.max.ms=5s`, `duration=30s`,
  `link.follower.latency=1ms`, `topic.orders.partitions=6`, `producer.p.record.bytes=1KiB`, `fault.f3-pause.for=2s`,
  `broker.2.num.io.threads=1`. It is checked as the file is.
";

/// The reference of the format: every table, key, metric, profile and criterion, as Markdown.
pub fn reference() -> String {
    let mut page = INTRODUCTION.to_owned();
    for spec in TABLES {
        table(&mut page, spec);
    }
    metrics(&mut page);
    profiles(&mut page);
    page
}

fn table(page: &mut String, spec: &TableSpec) {
    let heading = if spec.title.starts_with('[') { code(spec.title) } else { capital(spec.title) };
    let _ = write!(page, "\n## {heading}\n\n{}\n", spec.about);
    keys(page, spec.keys);
    if let Some(rest) = spec.rest {
        let _ = write!(page, "\nAny other name: {}.\n", code(rest.title));
    }
    for variant in spec.variants {
        let _ = write!(page, "\n### `{KIND} = \"{}\"`\n\n{}\n", variant.name, variant.about);
        keys(page, variant.keys);
    }
}

fn keys(page: &mut String, keys: &[Key]) {
    if keys.is_empty() {
        return;
    }
    page.push_str("\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
    for key in keys {
        let default = match key.default {
            Default::Required => "must be given".to_owned(),
            Default::Int(value) => format!("`{value}`"),
            Default::Str(text) => format!("`\"{text}\"`"),
            Default::Says(words) => words.to_owned(),
        };
        let cells = [code(key.name), key.kind.accepts(), default, key.about.to_owned()];
        row(page, &cells);
    }
}

fn metrics(page: &mut String) {
    page.push_str(
        "\n## Metrics\n\nWhat an `[[expect]]` block can compare; also the columns of `summary.csv`. The premise is \
         what must have happened in a run for the number to mean anything.\n\n\
         | metric | unit | meaning | premise |\n| --- | --- | --- | --- |\n",
    );
    for metric in METRICS {
        let cells =
            [code(metric.name), metric.unit.name().into(), metric.doc.into(), metric.premise.sentence.into()];
        row(page, &cells);
    }
}

fn profiles(page: &mut String) {
    page.push_str(
        "\n## Profiles and criteria\n\nWhat `compare` and `under` can name. A profile has the rules and the defaults \
         of a Kafka version.\n\n\
         | profile | ISR criterion | replica.lag.time.max.ms |\n| --- | --- | --- |\n",
    );
    for profile in Profile::VERSIONS {
        let lag = profile.defaults.replica_lag_time_max_ms.to_string();
        row(page, &[code(profile.name), code(profile.criterion.name()), lag]);
    }
    page.push_str(
        "\nA criterion has its rules, with what the code that first had it did at a new leader, and the defaults of \
         0.10.2 for all, so that a comparison of criteria compares nothing else.\n\n\
         | criterion | Kafka |\n| --- | --- |\n",
    );
    for criterion in IsrCriterion::ALL {
        row(page, &[code(criterion.name()), criterion.versions().to_owned()]);
    }
}

fn row(page: &mut String, cells: &[String]) {
    let escaped: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let _ = writeln!(page, "| {} |", escaped.join(" | "));
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
