//! `[link.…]`: the network.

use crate::key::{Default, Key, Kind, TableSpec};

const ABOUT_REQUEST: &str = "How long a request is under way.";
const ABOUT_RESPONSE: &str = "How long an answer is under way.";
const ABOUT_LATENCY: &str = "How long a request is under way, and how long an answer is: each way so much.";
const ABOUT_BANDWIDTH: &str = "Bytes per second of each connection and direction: the next message starts when the one before is through.";

const fn link_key(name: &'static str, kind: Kind, default: Default, about: &'static str) -> Key {
    Key { name, kind, default, about }
}

/// The table of links.
pub(crate) static LINKS: TableSpec = TableSpec {
    title: "[link]",
    about: "The network: what all links are like, and which are unlike the others. The first table in the file \
            that fits a link decides. Each connection keeps its order: nothing overtakes.",
    keys: &[
        link_key(
            "follower",
            Kind::Table(&LINK_DEFAULT),
            Default::Says("500 us each way"),
            "The links over which followers fetch.",
        ),
        link_key(
            "producer",
            Kind::Table(&LINK_DEFAULT),
            Default::Says("500 us each way"),
            "The links over which producers produce.",
        ),
    ],
    variants: &[],
    rest: Some(&LINK_OVERRIDE),
};

/// `[link.follower]` and `[link.producer]`.
pub(crate) static LINK_DEFAULT: TableSpec = TableSpec {
    title: "[link.follower] and [link.producer]",
    about: "What links are like, from followers' and producers' ends.",
    keys: &[
        link_key("latency", Kind::Distribution, Default::Str("500us"), ABOUT_LATENCY),
        link_key("request.latency", Kind::Distribution, Default::Says("as `latency` says"), ABOUT_REQUEST),
        link_key("response.latency", Kind::Distribution, Default::Says("as `latency` says"), ABOUT_RESPONSE),
        link_key("bandwidth", Kind::Bandwidth, Default::Says("no limit"), ABOUT_BANDWIDTH),
    ],
    variants: &[],
    rest: None,
};

const AS_OTHERS: Default = Default::Says("as the other links have it");

/// `[link.NAME]`.
pub(crate) static LINK_OVERRIDE: TableSpec = TableSpec {
    title: "[link.NAME]",
    about: "Links that are unlike the others, under any other name. One of `client.broker` and \
            `client.producer` must be given.",
    keys: &[
        link_key(
            "client.broker",
            Kind::Count { min: 0, max: i32::MAX as i64 },
            Default::Says("not a follower's"),
            "The broker whose fetchers send requests over it.",
        ),
        link_key(
            "client.producer",
            Kind::Name,
            Default::Says("not a producer's"),
            "The producer that sends requests over it; all clones when it has clones.",
        ),
        link_key(
            "broker",
            Kind::Count { min: 0, max: i32::MAX as i64 },
            Default::Says("any"),
            "The broker that answers them.",
        ),
        link_key("latency", Kind::Distribution, AS_OTHERS, ABOUT_LATENCY),
        link_key("request.latency", Kind::Distribution, Default::Says("as `latency` says"), ABOUT_REQUEST),
        link_key("response.latency", Kind::Distribution, Default::Says("as `latency` says"), ABOUT_RESPONSE),
        link_key("bandwidth", Kind::Bandwidth, AS_OTHERS, ABOUT_BANDWIDTH),
    ],
    variants: &[],
    rest: None,
};
