//! The network.

use isrlab_sim::cluster::spec::{LinkEnd, LinkOverride, LinkSpec, LinksSpec};
use isrlab_sim::engine::{Distribution, SimDuration};

use super::brokers::Brokers;
use super::producers::Producers;
use super::{Context, unknown_reference};
use crate::fields::Fields;

/// Each way, where nothing is said.
const LATENCY: SimDuration = SimDuration::from_micros(500);

/// Reads the `[link.…]` tables; none: something is wrong, which has been noted.
pub(crate) fn links(
    top: &Fields,
    brokers: &Brokers,
    producers: &Producers,
    context: &mut Context<'_>,
) -> Option<LinksSpec> {
    let base = LinkSpec::constant(LATENCY);
    let Some(fields) = top.table("link") else {
        return Some(LinksSpec { follower: base, producer: base, overrides: vec![] });
    };
    let of = |key: &str| fields.table(key).map_or(base, |fields| link(fields, base));
    let (follower, producer) = (of("follower"), of("producer"));
    let mut overrides = Vec::new();
    let mut sound = true;
    for (name, fields) in &fields.rest {
        let broker = brokers.check(fields, "broker", context);
        sound &= broker.is_some() || !fields.has("broker");
        let clients = clients(fields, brokers, producers, context);
        sound &= !clients.is_empty();
        overrides.extend(clients.into_iter().map(|client| {
            let base = if matches!(client, LinkEnd::Broker(_)) { follower } else { producer };
            LinkOverride { name: name.clone(), client, broker, link: link(fields, base) }
        }));
    }
    sound.then_some(LinksSpec { follower, producer, overrides })
}

/// A link: what is given, over `base`.
fn link(fields: &Fields, base: LinkSpec) -> LinkSpec {
    let both = if fields.has("latency") { fields.distribution("latency") } else { None };
    let one_way = |key: &str, base: Distribution| fields.distribution(key).or(both).unwrap_or(base);
    LinkSpec {
        request_latency: one_way("request.latency", base.request_latency),
        response_latency: one_way("response.latency", base.response_latency),
        bandwidth: fields.integer("bandwidth").or(base.bandwidth),
    }
}

/// Who sends requests over an override; empty: something is wrong, which has been noted.
fn clients(
    fields: &Fields,
    brokers: &Brokers,
    producers: &Producers,
    context: &mut Context<'_>,
) -> Vec<LinkEnd> {
    match (fields.has("client.broker"), fields.has("client.producer")) {
        (true, false) => {
            brokers.check(fields, "client.broker", context).map(LinkEnd::Broker).into_iter().collect()
        }
        (false, true) => {
            let Some(name) = fields.text("client.producer") else { return vec![] };
            let found = producers.find(&name);
            if found.is_empty() && !producers.incomplete {
                unknown_reference(fields, "client.producer", "producer", &name, producers.names(), context);
            }
            found.into_iter().map(LinkEnd::Producer).collect()
        }
        (both, _) => {
            let message = if both { "is given beside `client.producer`" } else { "is missing" };
            context
                .problems
                .add(fields.span_of("client.broker"), fields.path_of("client.broker"), message)
                .accepted("one of client.broker and client.producer: who sends requests over the link");
            vec![]
        }
    }
}
