//! What goes wrong.

use isrlab_sim::cluster::spec::{FaultKind, FaultSpec, LinkEnd, LinkSelector, WriteFault};
use isrlab_sim::engine::SimTime;

use super::{Context, World, unknown_reference};
use crate::fields::Fields;

/// Reads the `[[fault]]` tables.
pub(crate) fn faults(top: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Vec<FaultSpec> {
    let mut faults: Vec<FaultSpec> = Vec::new();
    for fields in top.tables("fault") {
        let Some(spec) = fault(fields, world, context) else { continue };
        if faults.iter().any(|other| other.name == spec.name) {
            let message = format!("is \"{}\", which another fault has", spec.name);
            context
                .problems
                .add(fields.span_of("name"), fields.path_of("name"), message)
                .accepted("a unique name");
        }
        faults.push(spec);
    }
    faults
}

fn fault(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<FaultSpec> {
    let kind = kind(fields, world, context);
    let at = fields.time("at")?;
    let (every, until) = (fields.duration("every"), fields.time("until"));
    let end = SimTime::ZERO + world.end;
    let mut problem = |key: &str, message: String, accepted: &str| {
        context.problems.add(fields.span_of(key), fields.path_of(key), message).accepted(accepted);
    };
    if at >= end {
        let message = format!("is {}, and the run ends at {}", at - SimTime::ZERO, world.end);
        problem("at", message, "a time before the end of the run");
    }
    if let Some(until) = until
        && until <= at
    {
        let message = format!("is {}, and `at` is {}", until - SimTime::ZERO, at - SimTime::ZERO);
        problem("until", message, "a time after `at`: the fault would never happen");
    }
    let kind = kind?;
    if let Some(every) = every
        && every <= kind.length()
    {
        let message = format!("is {every}, and the fault lasts {}", kind.length());
        problem("every", message, "longer than `for`");
    }
    Some(FaultSpec { name: fields.text("name")?, kind, at, every, until })
}

fn kind(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<FaultKind> {
    match fields.variant?.name {
        "pause" => {
            let broker = world.brokers.check(fields, "broker", context);
            Some(FaultKind::Pause { broker: broker?, length: fields.duration("for")? })
        }
        "link-stall" => {
            let link = selector(fields, world, context);
            Some(FaultKind::LinkStall { link: link?, length: fields.duration("for")? })
        }
        "link-delay" => {
            let link = selector(fields, world, context);
            Some(FaultKind::LinkDelay {
                link: link?,
                length: fields.duration("for")?,
                extra: fields.duration("extra")?,
            })
        }
        kind @ ("share-write-fails" | "share-write-answer-lost" | "share-write-late") => {
            let fault = match kind {
                "share-write-fails" => WriteFault::Fails,
                "share-write-answer-lost" => WriteFault::AnswerLost,
                _ => WriteFault::Late(fields.duration("extra")?),
            };
            let group = world.actor(&world.share_groups, "share-group", fields, context);
            Some(FaultKind::ShareWrites { group: group?, fault, length: fields.duration("for")? })
        }
        _ => election(fields, world, context),
    }
}

/// Which links a fault touches; none: something is wrong, which has been noted.
fn selector(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<LinkSelector> {
    if fields.has("client.broker") && fields.has("client.producer") {
        context
            .problems
            .add(
                fields.span_of("client.producer"),
                fields.path_of("client.producer"),
                "is given beside `client.broker`",
            )
            .accepted("at most one of the two");
        return None;
    }
    let broker = world.brokers.check(fields, "broker", context);
    let client = if fields.has("client.broker") {
        Some(LinkEnd::Broker(world.brokers.check(fields, "client.broker", context)?))
    } else if fields.has("client.producer") {
        Some(producer(fields, world, context)?)
    } else {
        None
    };
    (broker.is_some() || !fields.has("broker")).then_some(LinkSelector { client, broker })
}

/// The one producer that a fault touches.
fn producer(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<LinkEnd> {
    let key = "client.producer";
    let name = fields.text(key)?;
    let found = world.producers.find(&name);
    match found.as_slice() {
        [one] => return Some(LinkEnd::Producer(one.clone())),
        [] if world.producers.incomplete => {}
        [] => unknown_reference(fields, key, "producer", &name, world.producers.names(), context),
        [first, ..] => {
            let message = format!("\"{name}\" has {} clones", found.len());
            context
                .problems
                .add(fields.span_of(key), fields.path_of(key), message)
                .accepted(format!("one of them, such as \"{first}\""));
        }
    }
    None
}

fn election(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<FaultKind> {
    let topic = world.topics.resolve(fields, "topic", context)?;
    let partition = world.topics.check_partition(topic, fields.integer("partition")?, fields, context)?;
    let leader: i32 = fields.integer("leader")?;
    let replicas = &world.topics.list[topic].partitions[partition].replicas;
    if !replicas.contains(&leader) {
        let ids: Vec<String> = replicas.iter().map(i32::to_string).collect();
        context
            .problems
            .add(fields.span_of("leader"), fields.path_of("leader"), format!("is {leader}"))
            .accepted(format!("a broker with a replica of the partition: {}", ids.join(", ")));
        return None;
    }
    Some(FaultKind::Election { topic, partition, leader })
}
