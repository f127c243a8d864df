//! The kinds of lines in a trace and the fields of each: the one table from which come the check of
//! `--kind`, the check of each line's fields, and `docs/trace.md`.

use isrlab_sim::cluster::EVENT_KINDS;

/// A kind of line.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What has happened, a sentence.
    pub meaning: &'static str,
    /// The fields beside those that every line has, by name.
    pub fields: &'static [&'static str],
}

/// A field of a line.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, with its unit last.
    pub name: &'static str,
    /// Its unit or values.
    pub unit: &'static str,
    /// What it tells.
    pub meaning: &'static str,
}

const fn kind(name: &'static str, meaning: &'static str, fields: &'static [&'static str]) -> Kind {
    Kind { name, meaning, fields }
}

const fn field(name: &'static str, unit: &'static str, meaning: &'static str) -> Field {
    Field { name, unit, meaning }
}

/// The fields that every line has.
pub const COMMON: [Field; 3] = [
    field("time_ms", "ms", "Virtual time, with decimals down to the nanosecond where it has them."),
    field(
        "event",
        "number",
        "The number of the event in the run, from 1, that the line comes of. All lines of one event have its number; a line of the simulator's own event is the first of them.",
    ),
    field("kind", "name", "The kind of the line."),
];

const REQUEST: &[&str] =
    &["request", "producer", "partition", "broker", "records", "bytes", "acks", "retries"];
const FETCH: &[&str] = &["fetch", "follower", "leader", "partitions"];

/// All kinds: first the simulator's events, then what comes of them.
pub const KINDS: [Kind; 44] = [
    kind(EVENT_KINDS[0], "A request arises at a producer.", &["producer", "partition", "records", "bytes"]),
    kind(EVENT_KINDS[1], "A produce request reaches its broker.", REQUEST),
    kind(EVENT_KINDS[2], "A request handler has spent its time on a produce request.", REQUEST),
    kind(
        EVENT_KINDS[3],
        "The answer to a produce request reaches its producer.",
        &[
            "request",
            "producer",
            "partition",
            "broker",
            "records",
            "bytes",
            "acks",
            "retries",
            "error",
            "latency_ms",
        ],
    ),
    kind(EVENT_KINDS[4], "A failed request's backoff is over.", REQUEST),
    kind(
        EVENT_KINDS[5],
        "A producer looks whether its oldest request on a connection has timed out.",
        &["producer", "broker"],
    ),
    kind(EVENT_KINDS[6], "A fetcher sends its first fetch.", FETCH),
    kind(EVENT_KINDS[7], "A fetch reaches the leader.", FETCH),
    kind(EVENT_KINDS[8], "A request handler has spent its time on a fetch.", FETCH),
    kind(
        EVENT_KINDS[9],
        "The leader looks whether a waiting fetch has waited for `replica.fetch.wait.max.ms`.",
        FETCH,
    ),
    kind(
        EVENT_KINDS[10],
        "The answer to a fetch reaches the follower.",
        &["fetch", "follower", "leader", "partitions", "records", "latency_ms"],
    ),
    kind(EVENT_KINDS[11], "A broker's ISR check (`isr-expiration`) is due.", &["broker"]),
    kind(EVENT_KINDS[12], "A fault begins.", &["fault", "broker"]),
    kind(EVENT_KINDS[13], "A fault ends.", &["fault", "broker"]),
    kind(EVENT_KINDS[14], "A mirror takes a step.", &["mirror", "partition", "step"]),
    kind(EVENT_KINDS[15], "A share group takes a step.", &["group", "partition", "step"]),
    kind(
        "put-aside",
        "An event came while its broker was in a pause; it is handled at the pause's end, under the event that ends it.",
        &["what", "broker", "request", "fetch"],
    ),
    kind(
        "request-refused",
        "A request that arose is refused: `buffer.memory` is full.",
        &["producer", "partition", "records", "bytes"],
    ),
    kind(
        "request-waits",
        "A request waits at its producer: for room on the connection (`max.in.flight.requests.per.connection`) or for a retry before it.",
        REQUEST,
    ),
    kind(
        "request-sent",
        "A producer sends a request.",
        &["request", "producer", "partition", "broker", "records", "bytes", "acks", "retries", "arrives_ms"],
    ),
    kind(
        "request-queued",
        "A request waits at the broker, which has another of the same connection in hand.",
        REQUEST,
    ),
    kind(
        "request-dropped",
        "The broker finds that the producer closed the connection before it got to a request, and does nothing.",
        REQUEST,
    ),
    kind(
        "request-answered",
        "The broker sends its answer to a request, or, where nobody waits for one, is done with it.",
        &[
            "request",
            "producer",
            "partition",
            "broker",
            "records",
            "bytes",
            "acks",
            "retries",
            "error",
            "arrives_ms",
        ],
    ),
    kind("request-timed-out", "A request has had no answer for `request.timeout.ms`.", REQUEST),
    kind(
        "request-retries",
        "A request is to be sent again after `retry.backoff.ms`.",
        &[
            "request",
            "producer",
            "partition",
            "broker",
            "records",
            "bytes",
            "acks",
            "retries",
            "error",
            "due_ms",
        ],
    ),
    kind(
        "request-failed",
        "A request failed for good.",
        &["request", "producer", "partition", "broker", "records", "bytes", "acks", "retries", "error"],
    ),
    kind(
        "timestamps-rejected",
        "The leader rejected a batch for its timestamps; nothing of it was appended.",
        &[
            "partition",
            "broker",
            "records",
            "exception",
            "error",
            "reason",
            "broker_clock_ms",
            "timestamp_ms",
            "allowed_from_ms",
            "allowed_to_ms",
        ],
    ),
    kind(
        "appended",
        "A log grew: a leader's by a producer or a mirror, a follower's by the answer to a fetch.",
        &["partition", "broker", "leads", "source", "request", "records", "from_offset", "leo"],
    ),
    kind(
        "hw-moved",
        "A high watermark moved. A follower's own takes what its leader answered, and can be lower than before.",
        &["partition", "broker", "leads", "from_offset", "hw"],
    ),
    kind(
        "fetch-sent",
        "A follower sends a fetch.",
        &["fetch", "follower", "leader", "partitions", "arrives_ms"],
    ),
    kind(
        "fetch-read",
        "The leader has read for a fetch, one partition of it, and taken it into the follower's state.",
        &[
            "fetch",
            "follower",
            "leader",
            "partition",
            "fetch_offset",
            "records",
            "leo",
            "hw",
            "behind_messages",
        ],
    ),
    kind(
        "caught-up",
        "A fetch moved the last caught-up time of its follower, as the leader keeps it.",
        &["partition", "leader", "follower", "from_ms", "to_ms"],
    ),
    kind(
        "fetch-waits",
        "A fetch found fewer than `replica.fetch.min.bytes` and waits at the leader (in Kafka's purgatory).",
        &["fetch", "follower", "leader", "partitions", "deadline_ms"],
    ),
    kind(
        "fetch-answered-sent",
        "The leader sends its answer to a fetch.",
        &["fetch", "follower", "leader", "partitions", "records", "bytes", "waited_ms", "arrives_ms"],
    ),
    kind(
        "isr-judged",
        "The ISR check judges a follower in the ISR.",
        &[
            "partition",
            "leader",
            "follower",
            "lag_ms",
            "limit_ms",
            "behind_messages",
            "limit_messages",
            "last_caught_up_ms",
            "known_leo",
            "out_of_sync",
        ],
    ),
    kind(
        "isr-shrink",
        "Replicas left the ISR, all in one change.",
        &["partition", "leader", "replicas", "cause", "lags_ms", "old_isr", "new_isr", "leo", "hw"],
    ),
    kind(
        "isr-expand",
        "A replica joined the ISR.",
        &["partition", "leader", "replicas", "cause", "lags_ms", "old_isr", "new_isr", "leo", "hw"],
    ),
    kind(
        "elected",
        "A leader was elected, or the sitting one again. It takes effect on all replicas at once.",
        &["partition", "leader", "former_leader", "leo", "hw"],
    ),
    kind(
        "election-refused",
        "An election did not take place: the candidate is not in the ISR, or in a pause.",
        &["partition", "broker"],
    ),
    kind("truncated", "A log was cut for a new leader.", &["partition", "broker", "from_offset", "leo"]),
    kind(
        "lag",
        "A mirror's or share group's lag by one rule, as it is looked at from time to time.",
        &["mirror", "group", "partition", "rule", "reported_messages", "true_messages"],
    ),
    kind(
        "violation",
        "An invariant does not hold; the run stops there.",
        &["partition", "broker", "invariant", "state"],
    ),
    kind(
        "begin",
        "The first line: what was run and which window of it is shown. In JSON Lines only.",
        &["scenario", "criterion", "seed", "version", "from_ms", "until_ms"],
    ),
    kind(
        "end",
        "The last line. In JSON Lines only.",
        &["lines", "left_out_lines", "events_in_window", "run"],
    ),
];

/// All fields beside [`COMMON`].
pub const FIELDS: [Field; 64] = [
    field("acks", "0, 1, all", "`acks` of the producer."),
    field(
        "allowed_from_ms",
        "ms",
        "The earliest timestamp that would have been accepted, as the broker's clock counts.",
    ),
    field("allowed_to_ms", "ms", "The latest."),
    field("arrives_ms", "ms", "Virtual time at which what is sent arrives; null: nobody waits for it."),
    field(
        "behind_messages",
        "records",
        "The leader's log end offset less the follower's, as the leader knows it; null: it knows none.",
    ),
    field(
        "broker",
        "broker id",
        "The broker: of a request, the one that it is sent to; of a log or a high watermark, whose it is; of a fault, whom it is done to, null where that is not one broker.",
    ),
    field("broker_clock_ms", "ms", "What the leader's clock read."),
    field("bytes", "bytes", "Bytes of the records."),
    field(
        "cause",
        "lag-time, lag-messages, fetch",
        "Why the replicas left or joined, one for each of `replicas`.",
    ),
    field("criterion", "name", "The profile or criterion."),
    field("deadline_ms", "ms", "Virtual time until which the fetch waits at the most."),
    field("due_ms", "ms", "Virtual time at which the backoff is over."),
    field("error", "name", "Kafka's name of the error that a request is answered with; null: none."),
    field(
        "events_in_window",
        "number",
        "The simulator's events in the window, those without a line in this trace included.",
    ),
    field("exception", "name", "The exception that the broker throws, by Kafka's simple class name."),
    field("fault", "name", "The fault's name in the scenario."),
    field(
        "fetch",
        "number",
        "The number of the fetch among those of its fetcher, from 1; of a fetcher that starts, the last one, 0.",
    ),
    field("fetch_offset", "offset", "The first offset that the follower asks for."),
    field("follower", "broker id", "The follower's broker."),
    field("former_leader", "broker id", "The broker that led before."),
    field(
        "from_ms",
        "ms",
        "Of `caught-up`, the time before, in virtual time; null: never. Of `begin`, the start of the window.",
    ),
    field("from_offset", "offset", "The log end offset, or of `hw-moved` the high watermark, before."),
    field("group", "name", "The share group."),
    field("hw", "offset", "The high watermark: of `fetch-read`, the leader's when it read."),
    field("invariant", "sentence", "What should hold."),
    field("known_leo", "offset", "The follower's log end offset as the leader knows it; −1: unknown."),
    field(
        "lag_ms",
        "ms",
        "Milliseconds since the follower was last caught up as the leader knows it (`max-messages`: since its last fetch); null: never under this leader.",
    ),
    field("lags_ms", "ms", "The same of an ISR change, one for each of `replicas`."),
    field(
        "last_caught_up_ms",
        "ms",
        "The last caught-up time, in virtual time; negative: before the run; null: never.",
    ),
    field("latency_ms", "ms", "Of a request, time since it arose; of a fetch, since it was sent."),
    field("leader", "broker id", "The leader's broker."),
    field("leads", "true, false", "Whether the broker leads the partition."),
    field(
        "left_out_lines",
        "number",
        "Lines that belong to the window and are not here, `--limit` having been reached.",
    ),
    field(
        "leo",
        "offset",
        "The log end offset: of `fetch-read` the leader's when it read; of the others, after what the line tells.",
    ),
    field("limit_messages", "records", "`replica.lag.max.messages`; null where the rule has no such limit."),
    field("limit_ms", "ms", "`replica.lag.time.max.ms`."),
    field("lines", "number", "Lines of the window that are here, `begin` and `end` not counted."),
    field("mirror", "name", "The mirror."),
    field("new_isr", "broker ids", "The ISR after the change, in the order of the assignment."),
    field("old_isr", "broker ids", "The ISR before."),
    field("out_of_sync", "true, false", "The judgement: true, it is removed."),
    field("partition", "name", "The partition, as `topic-number`."),
    field("partitions", "names", "The partitions that the fetch names."),
    field("producer", "name", "The producer."),
    field("reason", "sentence", "Which records were rejected, and why."),
    field(
        "records",
        "number",
        "Number of records: of `fetch-read`, found at the first read; of an answer, in it.",
    ),
    field("replicas", "broker ids", "Who left or joined."),
    field("reported_messages", "records", "What the rule reports; null: unknown."),
    field(
        "request",
        "number",
        "The request, numbered through the whole run in the order in which requests arose; a retry keeps the number.",
    ),
    field("retries", "number", "Times that the request was sent before."),
    field("rule", "name", "The rule by which the lag is computed."),
    field("run", "complete, interrupted, violated", "How the run went within the window."),
    field("scenario", "name", "The scenario."),
    field("seed", "number", "The seed."),
    field("source", "producer, mirror, fetch", "Who wrote the records."),
    field("state", "text", "The state of the partition, one fact a line."),
    field("step", "name", "What the mirror or share group does."),
    field("timestamp_ms", "ms", "The timestamp of the first rejected record, as its producer wrote it."),
    field("to_ms", "ms", "The time now, in virtual time; null: never."),
    field("true_messages", "records", "The true number of records."),
    field("until_ms", "ms", "The end of the window; events at that very time are in it."),
    field("version", "name", "The version of isrlab."),
    field("waited_ms", "ms", "How long the fetch waited at the leader; 0: not at all."),
    field("what", "name", "The kind of the event that is put aside."),
];

/// The kind of this name.
///
/// # Errors
/// A message that suggests and lists the kinds there are.
pub fn find(name: &str) -> Result<&'static Kind, String> {
    let listed = || KINDS.iter().filter(|kind| !is_frame(kind.name));
    listed().find(|kind| kind.name == name).ok_or_else(|| {
        let known: Vec<&str> = listed().map(|kind| kind.name).collect();
        format!("no kind of line is called '{name}'; there are {}", known.join(", "))
    })
}

/// Whether lines of this kind are about the trace, and not part of it.
pub fn is_frame(name: &str) -> bool {
    matches!(name, "begin" | "end")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_field_is_described_and_used() {
        let used: BTreeSet<&str> = KINDS.iter().flat_map(|kind| kind.fields).copied().collect();
        let described: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
        assert_eq!(described, used.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn names_are_unique_and_the_events_come_first() {
        let names: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), KINDS.len());
        assert!(EVENT_KINDS.iter().zip(&KINDS).all(|(event, kind)| *event == kind.name));
        assert!(find("hw-moved").is_ok());
        assert!(find("hw").unwrap_err().contains("hw-moved, fetch-sent"));
        assert!(find("end").is_err());
    }
}
