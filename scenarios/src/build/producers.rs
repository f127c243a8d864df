//! The producers.

use std::collections::HashSet;

use isrlab_sim::cluster::spec::{Partitioner, ProducerSpec};
use isrlab_sim::protocol::Acks;

use super::Context;
use super::arrivals::arrivals;
use super::topics::Topics;
use crate::fields::{Datum, Fields};
use crate::keys::PRODUCERS_MAX;

/// The producers, clones counted, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Producers {
    pub list: Vec<ProducerSpec>,
    /// Each table's name and which producers of `list` it made.
    pub groups: Vec<(String, std::ops::Range<usize>)>,
    /// Whether some could not be read, so that a reference to an unknown one may be right.
    pub incomplete: bool,
}

impl Producers {
    /// The names of the producers that `name` means: one, or all clones.
    pub fn find(&self, name: &str) -> Vec<String> {
        if let Some(producer) = self.list.iter().find(|producer| producer.name == name) {
            return vec![producer.name.clone()];
        }
        let group = self.groups.iter().find(|(group, _)| group == name);
        let clones = group.map(|(_, range)| &self.list[range.clone()]).unwrap_or_default();
        clones.iter().map(|producer| producer.name.clone()).collect()
    }

    /// All names that [`Producers::find`] knows.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let groups = self.groups.iter().map(|(name, _)| name.as_str());
        groups.chain(self.list.iter().map(|producer| producer.name.as_str()))
    }
}

/// Reads the `[[producer]]` tables.
pub(crate) fn producers(top: &Fields, topics: &Topics, context: &mut Context<'_>) -> Producers {
    let mut producers = Producers {
        incomplete: top.has("producer") && top.list("producer").is_none(),
        ..Producers::default()
    };
    let mut names: HashSet<String> = HashSet::new();
    for fields in top.tables("producer") {
        let Some(template) = producer(fields, topics, context) else {
            producers.incomplete = true;
            continue;
        };
        let begin = producers.list.len();
        let name = template.name.clone();
        let clones: Option<usize> = fields.integer("count");
        if begin + clones.unwrap_or(1) > PRODUCERS_MAX as usize {
            context
                .problems
                .add(fields.span_of("count"), fields.path_of("count"), "makes too many producers")
                .accepted(format!("at most {PRODUCERS_MAX} in all"));
            producers.incomplete = true;
            break;
        }
        match clones {
            None => producers.list.push(template),
            Some(count) => {
                let partitions = topics.list[template.topic].partitions.len();
                let by_clone = fields.text("partition").as_deref() == Some("by-clone");
                producers.list.extend((0..count).map(|clone| ProducerSpec {
                    name: format!("{name}-{clone}"),
                    partitioner: if by_clone {
                        Partitioner::Partition(clone % partitions)
                    } else {
                        template.partitioner
                    },
                    ..template.clone()
                }));
            }
        }
        let mut own: Vec<String> =
            producers.list[begin..].iter().map(|producer| producer.name.clone()).collect();
        if clones.is_some() {
            own.push(name.clone());
        }
        if let Some(twice) = own.iter().find(|name| names.contains(*name)) {
            let message = format!("makes a producer \"{twice}\", and another is called so");
            context
                .problems
                .add(fields.span_of("name"), fields.path_of("name"), message)
                .accepted("a unique name");
        }
        names.extend(own);
        producers.groups.push((name, begin..producers.list.len()));
    }
    producers
}

fn producer(fields: &Fields, topics: &Topics, context: &mut Context<'_>) -> Option<ProducerSpec> {
    let topic = topics.resolve(fields, "topic", context);
    let partitioner = topic.and_then(|topic| partitioner(fields, topic, topics, context));
    let arrivals = arrivals(fields.table("arrivals"), context);
    Some(ProducerSpec {
        name: fields.text("name")?,
        topic: topic?,
        partitioner: partitioner?,
        arrivals: arrivals?,
        records_per_request: fields.integer("records.per.request")?,
        record_bytes: fields.integer("record.bytes")?,
        acks: match fields.integer::<i64>("acks")? {
            0 => Acks::None,
            1 => Acks::Leader,
            _ => Acks::All,
        },
        max_in_flight: fields.integer("max.in.flight.requests.per.connection")?,
        request_timeout: fields.duration("request.timeout.ms")?,
        retries: fields.integer("retries")?,
        retry_backoff: fields.duration("retry.backoff.ms")?,
        delivery_timeout: fields.duration("delivery.timeout.ms")?,
        buffer_memory: fields.integer("buffer.memory")?,
        timestamps: super::timestamps::written(fields)?,
    })
}

fn partitioner(
    fields: &Fields,
    topic: usize,
    topics: &Topics,
    context: &mut Context<'_>,
) -> Option<Partitioner> {
    match fields.any("partition")? {
        Datum::Integer(number) => {
            let number = usize::try_from(number).ok()?;
            topics.check_partition(topic, number, fields, context).map(Partitioner::Partition)
        }
        Datum::Text(word) if word == "by-clone" && !fields.has("count") => {
            context
                .problems
                .add(
                    fields.span_of("partition"),
                    fields.path_of("partition"),
                    "is \"by-clone\", and there is no `count` of clones",
                )
                .accepted("a partition's number or \"round-robin\"");
            None
        }
        _ => Some(Partitioner::RoundRobin),
    }
}
