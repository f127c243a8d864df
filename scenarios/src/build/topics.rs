//! The topics and where their replicas are.

use isrlab_sim::cluster::spec::{PartitionSpec, TopicSpec};

use super::brokers::Brokers;
use super::{Context, terms, unknown_reference};
use crate::fields::{Datum, Field, Fields};
use crate::keys::PARTITIONS_MAX;

/// The topics, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Topics {
    pub list: Vec<TopicSpec>,
    /// For each of them, whether an override says how many partitions it has.
    pub resized: Vec<bool>,
    /// Whether some could not be read, so that a reference to an unknown one may be right.
    pub incomplete: bool,
}

impl Topics {
    /// The topic that `key` names, or the only one. None: there is no such topic, and that has
    /// been noted unless it may be one that could not be read.
    pub fn resolve(&self, fields: &Fields, key: &str, context: &mut Context<'_>) -> Option<usize> {
        if !fields.has(key) {
            if self.list.len() != 1 && !self.incomplete {
                let names: Vec<&str> = self.list.iter().map(|topic| topic.name.as_str()).collect();
                context
                    .problems
                    .add(fields.span, fields.path_of(key), "is missing, and there are several topics")
                    .accepted(names.join(", "));
            }
            return (self.list.len() == 1 && !self.incomplete).then_some(0);
        }
        let name = fields.text(key)?;
        let index = self.list.iter().position(|topic| topic.name == name);
        if index.is_none() && !self.incomplete {
            let known = self.list.iter().map(|topic| topic.name.as_str());
            unknown_reference(fields, key, "topic", &name, known, context);
        }
        index
    }

    /// Notes it when a partition number is too high for its topic.
    pub fn check_partition(
        &self,
        topic: usize,
        partition: usize,
        fields: &Fields,
        context: &mut Context<'_>,
    ) -> Option<usize> {
        let TopicSpec { name, partitions, .. } = &self.list[topic];
        if partition >= partitions.len() {
            context
                .problems
                .add(fields.span_of("partition"), fields.path_of("partition"), format!("is {partition}"))
                .accepted(format!("0 to {}, the partitions of topic \"{name}\"", partitions.len() - 1));
            return None;
        }
        Some(partition)
    }

    /// The number of a partition through all topics.
    pub fn global_partition(&self, topic: usize, partition: usize) -> usize {
        self.list[..topic].iter().map(|topic| topic.partitions.len()).sum::<usize>() + partition
    }
}

/// Reads the `[[topic]]` tables.
pub(crate) fn topics(top: &Fields, brokers: &Brokers, context: &mut Context<'_>) -> Topics {
    let mut topics = Topics::default();
    let mut partitions = 0usize;
    if top.list("topic").is_some_and(<[_]>::is_empty) {
        context
            .problems
            .add(top.span_of("topic"), "topic", "is an empty array")
            .accepted("at least one [[topic]]");
    }
    topics.incomplete = top.list("topic").is_none_or(<[_]>::is_empty);
    for fields in top.tables("topic") {
        let Some(spec) = topic(fields, brokers, context) else {
            topics.incomplete = true;
            continue;
        };
        partitions += spec.partitions.len();
        if partitions > PARTITIONS_MAX as usize {
            context
                .problems
                .add(fields.span_of("partitions"), fields.path_of("partitions"), "makes too many partitions")
                .accepted(format!("at most {PARTITIONS_MAX} in all topics together"));
            topics.incomplete = true;
            break;
        }
        if topics.list.iter().any(|other| other.name == spec.name) {
            let message = format!("is \"{}\", which another topic has", spec.name);
            context
                .problems
                .add(fields.span_of("name"), fields.path_of("name"), message)
                .accepted("a unique name");
            continue;
        }
        topics.list.push(spec);
        topics.resized.push(fields.has("partitions") && fields.span_of("partitions").is_override());
    }
    topics
}

fn topic(fields: &Fields, brokers: &Brokers, context: &mut Context<'_>) -> Option<TopicSpec> {
    let replicas = match (fields.has("replicas"), fields.has("replication.factor")) {
        (true, true) => {
            context
                .problems
                .add(
                    fields.span_of("replication.factor"),
                    fields.path_of("replication.factor"),
                    "is given beside `replicas`",
                )
                .accepted("one of the two");
            return None;
        }
        (true, false) => placed_by_hand(fields, brokers, context)?,
        (false, true) => spread(fields, brokers, context)?,
        (false, false) => {
            context
                .problems
                .add(fields.span, fields.path_of("replication.factor"), "is missing")
                .accepted("replication.factor = 3 or the like, or replicas = [1, 2, 3] or the like");
            return None;
        }
    };
    let start = terms::start(fields, &replicas, context)?;
    let min_insync_replicas = fields.integer("min.insync.replicas");
    let partitions = replicas
        .into_iter()
        .map(|replicas| PartitionSpec { replicas, start: start.clone(), min_insync_replicas })
        .collect();
    let timestamps = super::timestamps::policy(fields, context)?;
    Some(TopicSpec { name: fields.text("name")?, partitions, timestamps })
}

/// The replicas of each partition as `replicas` says.
fn placed_by_hand(fields: &Fields, brokers: &Brokers, context: &mut Context<'_>) -> Option<Vec<Vec<i32>>> {
    let key = "replicas";
    let list = fields.list(key)?;
    let partitions: Option<usize> = fields.integer("partitions");
    let nested = matches!(list.first()?.datum, Some(Datum::List(_)));
    if !nested {
        let ids = ids(list, fields, key, brokers, context)?;
        let partitions = if fields.has("partitions") { partitions? } else { 1 };
        let led_by = |by: usize| {
            let mut rotated = ids.clone();
            rotated.rotate_left(by % ids.len());
            rotated
        };
        return Some((0..partitions).map(led_by).collect());
    }
    if let Some(partitions) = partitions
        && partitions != list.len()
    {
        let message = format!("has {} lists for {partitions} partitions", list.len());
        context
            .problems
            .add(fields.span_of(key), fields.path_of(key), message)
            .accepted("one list for each partition, or one list for all, or no `partitions`");
        return None;
    }
    let lists: Vec<Option<Vec<i32>>> = list
        .iter()
        .map(|field| match &field.datum {
            Some(Datum::List(list)) => ids(list, fields, key, brokers, context),
            _ => None,
        })
        .collect();
    lists.into_iter().collect()
}

/// The broker ids of one list: known, and each once.
fn ids(
    list: &[Field],
    fields: &Fields,
    key: &str,
    brokers: &Brokers,
    context: &mut Context<'_>,
) -> Option<Vec<i32>> {
    let mut ids: Vec<i32> = Vec::new();
    let mut sound = true;
    for field in list {
        let Some(Datum::Integer(value)) = field.datum else {
            sound = false;
            continue;
        };
        let id = i32::try_from(value).ok()?;
        let problem = if ids.contains(&id) {
            Some(format!("names broker {id} twice"))
        } else if !brokers.has(id) {
            Some(format!("no broker has the id {id}"))
        } else {
            None
        };
        if let Some(message) = problem {
            context
                .problems
                .add(field.span, fields.path_of(key), message)
                .accepted(format!("ids of different brokers: {}", brokers.names()));
            sound = false;
        }
        ids.push(id);
    }
    sound.then_some(ids)
}

/// The replicas of each partition as Kafka spreads them, from the first broker on.
fn spread(fields: &Fields, brokers: &Brokers, context: &mut Context<'_>) -> Option<Vec<Vec<i32>>> {
    let factor: usize = fields.integer("replication.factor")?;
    let partitions: usize = if fields.has("partitions") { fields.integer("partitions")? } else { 1 };
    let ids: Vec<i32> = brokers.list.iter().map(|broker| broker.id).collect();
    if brokers.incomplete {
        return None;
    }
    if factor > ids.len() {
        context
            .problems
            .add(
                fields.span_of("replication.factor"),
                fields.path_of("replication.factor"),
                format!("is {factor}, and there are {} brokers", ids.len()),
            )
            .accepted(format!("1 to {}", ids.len().min(isrlab_sim::cluster::spec::REPLICAS_MAX)));
        return None;
    }
    let brokers = ids.len();
    let place = |partition: usize| -> Vec<i32> {
        let leader = partition % brokers;
        let round = partition / brokers;
        let follower = |number: usize| (leader + 1 + (round + number) % (brokers - 1)) % brokers;
        let followers = (0..factor - 1).map(|number| ids[follower(number)]);
        std::iter::once(ids[leader]).chain(followers).collect()
    };
    Some((0..partitions).map(place).collect())
}
