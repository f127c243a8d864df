//! The brokers.

use isrlab_sim::cluster::spec::BrokerSpec;
use isrlab_sim::engine::SimDuration;

use super::Context;
use super::times::{Equal, rising};
use crate::fields::Fields;

/// The brokers, by rising id.
#[derive(Debug, Default)]
pub(crate) struct Brokers {
    pub list: Vec<BrokerSpec>,
    /// Whether some could not be read, so that a reference to an unknown one may be right.
    pub incomplete: bool,
}

impl Brokers {
    /// Whether there is, or may be, a broker of this id.
    pub fn has(&self, id: i32) -> bool {
        self.incomplete || self.list.iter().any(|broker| broker.id == id)
    }

    /// The ids, for messages.
    pub fn names(&self) -> String {
        let mut names: Vec<String> = self.list.iter().take(20).map(|broker| broker.id.to_string()).collect();
        if self.list.len() > names.len() {
            names.push("…".to_owned());
        }
        names.join(", ")
    }

    /// Notes it when a key names a broker that is not there.
    pub fn check(&self, fields: &Fields, key: &str, context: &mut Context<'_>) -> Option<i32> {
        let id: i32 = fields.integer(key)?;
        if !self.has(id) {
            context
                .problems
                .add(fields.span_of(key), fields.path_of(key), format!("no broker has the id {id}"))
                .accepted(self.names());
            return None;
        }
        Some(id)
    }
}

/// Reads `brokers = N` and the `[[broker]]` tables.
pub(crate) fn brokers(top: &Fields, context: &mut Context<'_>) -> Brokers {
    let count: Option<i32> = top.integer("brokers");
    let mut brokers = Brokers { incomplete: top.has("brokers") && count.is_none(), ..Brokers::default() };
    if let Some(count) = count {
        brokers.list = (1..=count).map(BrokerSpec::new).collect();
    }
    if !top.has("brokers") && top.list("broker").is_none_or(<[_]>::is_empty) {
        brokers.incomplete = true;
        if !top.has("broker") {
            context.problems.add(top.span, "brokers", "is missing").accepted(
                "the number of brokers, such as brokers = 3, or a [[broker]] table for each of them",
            );
        } else if top.list("broker").is_some() {
            context
                .problems
                .add(top.span_of("broker"), "broker", "is an empty array")
                .accepted("at least one [[broker]] table");
        }
        return brokers;
    }
    let max = crate::keys::BROKERS_MAX as usize;
    let mut seen: Vec<i32> = Vec::new();
    for fields in top.tables("broker").take(max) {
        let Some(spec) = broker(fields, context) else {
            brokers.incomplete = true;
            continue;
        };
        if seen.contains(&spec.id) {
            let message = format!("is {}, which another broker has", spec.id);
            context.problems.add(fields.span_of("id"), fields.path_of("id"), message).accepted("a unique id");
            continue;
        }
        seen.push(spec.id);
        match (brokers.list.iter_mut().find(|broker| broker.id == spec.id), count) {
            (Some(default), _) => *default = spec,
            (None, None) => brokers.list.push(spec),
            (None, Some(count)) => {
                context
                    .problems
                    .add(fields.span_of("id"), fields.path_of("id"), format!("is {}", spec.id))
                    .accepted(format!("an id from 1 to {count}, since brokers = {count}"));
            }
        }
    }
    if top.tables("broker").nth(max).is_some() {
        context.problems.add(top.span_of("broker"), "broker", format!("has more than {max} tables"));
    }
    brokers.list.sort_by_key(|broker| broker.id);
    brokers
}

fn broker(fields: &Fields, context: &mut Context<'_>) -> Option<BrokerSpec> {
    Some(BrokerSpec {
        id: fields.integer("id")?,
        service_time: fields.distribution("service.time")?,
        io_threads: fields.integer("num.io.threads")?,
        first_fetch: fields.time("first.fetch")?,
        isr_check_phase: fields.duration("isr.check.phase").unwrap_or(SimDuration::ZERO),
        isr_check_first: fields.time("isr.check.first"),
        fetch_arrivals: rising(fields, "fetches", Equal::Refused, context)?,
        clock: super::clock::clock(fields)?,
    })
}
