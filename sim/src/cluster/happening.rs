//! Everything that happens in a run, one step finer than its events: what an observer is told
//! that asks for it with [`Observer::wants_happenings`](super::Observer::wants_happenings).
//!
//! An event of the queue is first told of as [`Happening::Handled`]; what comes of it follows, at
//! the same time, in the order in which it comes about.

use super::broker::CLOCK_AT_START_MS;
use super::event::Event;
use super::fetcher::FetchPartition;
use crate::engine::SimTime;
use crate::protocol::{Acks, FollowerState, Offset, ProduceError, ReplicaSlot, TimeMs};

/// The kinds of events, as [`Exercised::events`](super::Exercised::events) counts them.
pub const EVENT_KINDS: [&str; Event::KINDS.len()] = Event::KINDS;

/// A reading of a broker's clock, as leaders keep it of their followers, in milliseconds of virtual
/// time: negative before the run; none: never.
pub fn virtual_ms(clock: TimeMs) -> Option<TimeMs> {
    (clock > 0).then(|| clock - CLOCK_AT_START_MS)
}

/// One thing that happens.
#[derive(Clone, Debug)]
pub enum Happening<'a> {
    /// An event is about to be handled: one of [`EVENT_KINDS`].
    Handled {
        /// Its kind.
        kind: &'static str,
        /// Whom it is about.
        subject: Subject<'a>,
    },
    /// An event came while its broker was in a pause: it is handled when that ends.
    PutAside {
        /// The event's kind.
        kind: &'static str,
        /// Whom it is about.
        subject: Subject<'a>,
        /// The broker in the pause.
        broker: i32,
    },
    /// A request that arose is refused: `buffer.memory` is full.
    RequestRefused {
        /// What was to be sent.
        arrival: ArrivalView,
    },
    /// A request waits at its producer: for room on its connection, or for a retry before it.
    RequestWaits(RequestView),
    /// A request is sent to the leader.
    RequestSent {
        /// The request.
        request: RequestView,
        /// When it reaches the broker.
        arrives: SimTime,
    },
    /// A request waits at the broker, which has another of the same connection in hand.
    RequestQueued(RequestView),
    /// The broker finds that the connection was closed before it got to a request: it does nothing.
    RequestDropped(RequestView),
    /// The broker sends its answer to a request.
    RequestAnswered {
        /// The request, with the error that it is answered with.
        request: RequestView,
        /// When the answer reaches the producer; none: nobody waits for it.
        arrives: Option<SimTime>,
    },
    /// A request has had no answer for `request.timeout.ms`; the producer gives the connection up.
    RequestTimedOut {
        /// The request.
        request: RequestView,
        /// The number under which the producer goes on with it.
        again: u32,
    },
    /// A request is to be sent again.
    RequestRetries {
        /// The request.
        request: RequestView,
        /// When its backoff is over.
        due: SimTime,
    },
    /// A request failed for good.
    RequestFailed(RequestView),
    /// A fetch is sent to the leader.
    FetchSent {
        /// The fetch.
        fetch: FetchView<'a>,
        /// When it reaches the leader.
        arrives: SimTime,
    },
    /// A leader has read for a fetch and taken it into its state, one partition of it.
    FetchRead {
        /// The fetch.
        fetch: FetchView<'a>,
        /// Which partition, through all topics.
        partition: usize,
        /// The follower's slot.
        slot: ReplicaSlot,
        /// The fetch offset.
        offset: Offset,
        /// Records that were read.
        records: Offset,
        /// The leader's log end offset at the read.
        leo: Offset,
        /// Its high watermark at the read: what the answer carries, if the fetch does not wait.
        high_watermark: Offset,
        /// What the leader knew of the follower before.
        before: FollowerState,
        /// What it knows now.
        after: FollowerState,
    },
    /// A fetch found too little, and waits at the leader (in Kafka's purgatory).
    FetchWaits {
        /// The fetch.
        fetch: FetchView<'a>,
        /// How long at the most.
        deadline: SimTime,
    },
    /// A leader sends its answer to a fetch.
    FetchAnswered {
        /// The fetch.
        fetch: FetchView<'a>,
        /// Bytes of records in it.
        bytes: u64,
        /// When it reaches the follower.
        arrives: SimTime,
    },
    /// A log grew.
    Appended {
        /// Which partition, through all topics.
        partition: usize,
        /// Whose log.
        broker: i32,
        /// Who wrote the records.
        source: AppendSource,
        /// The log end offset before.
        from: Offset,
        /// The log end offset now.
        to: Offset,
    },
    /// A high watermark moved.
    HighWatermark {
        /// Which partition, through all topics.
        partition: usize,
        /// Whose.
        broker: i32,
        /// Whether that broker leads the partition.
        leads: bool,
        /// The high watermark before.
        from: Offset,
        /// The high watermark now: a follower's can be lower.
        to: Offset,
    },
    /// The ISR check looked at a follower in the ISR.
    Judged {
        /// Which partition, through all topics.
        partition: usize,
        /// The leader's broker.
        leader: i32,
        /// The follower's broker.
        follower: i32,
        /// What the leader knows of it.
        known: FollowerState,
        /// Milliseconds since it was last caught up (`max-messages`: since its last fetch); none:
        /// never under this leader.
        lag_ms: Option<TimeMs>,
        /// `replica.lag.time.max.ms`.
        limit_ms: TimeMs,
        /// The leader's log end offset less the follower's as the leader knows it.
        lag_messages: Offset,
        /// `replica.lag.max.messages`, where the rule has it.
        limit_messages: Option<Offset>,
        /// Whether it is out of sync, and is removed.
        out_of_sync: bool,
    },
    /// A leader was elected, or the sitting one again.
    Elected {
        /// Which partition, through all topics.
        partition: usize,
        /// The leader's broker.
        leader: i32,
        /// The former leader's broker.
        former: i32,
        /// The leader's log end offset: the start of its epoch.
        leo: Offset,
        /// Its high watermark.
        high_watermark: Offset,
    },
    /// An election did not take place: the candidate is not in the ISR, or in a pause.
    ElectionRefused {
        /// Which partition, through all topics.
        partition: usize,
        /// The broker that was to lead.
        candidate: i32,
    },
    /// A log was cut, for a new leader.
    Truncated {
        /// Which partition, through all topics.
        partition: usize,
        /// Whose log.
        broker: i32,
        /// The log end offset before.
        from: Offset,
        /// The log end offset now.
        to: Offset,
    },
}

/// Whom an event is about.
#[derive(Clone, Debug)]
pub enum Subject<'a> {
    /// A request that is about to arise.
    Arrival(ArrivalView),
    /// A produce request.
    Request(RequestView),
    /// A producer's connection to a broker.
    Connection {
        /// The producer's index in the specification.
        producer: usize,
        /// The broker.
        broker: i32,
    },
    /// A fetch: the fetcher's latest.
    Fetch(FetchView<'a>),
    /// A broker.
    Broker(i32),
    /// A mirror and what it does next.
    Mirror {
        /// Its index in the specification.
        mirror: usize,
        /// What it does.
        step: &'static str,
        /// The partition that it reads, through all topics.
        partition: usize,
    },
    /// A share group and what it does next.
    ShareGroup {
        /// Its index in the specification.
        group: usize,
        /// What it does.
        step: &'static str,
        /// The partition that it reads, through all topics.
        partition: usize,
    },
    /// A fault: its index in the specification.
    Fault(usize),
}

/// A request before there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrivalView {
    /// The producer's index in the specification.
    pub producer: usize,
    /// Which partition it goes to, through all topics.
    pub partition: usize,
    /// Records in it.
    pub records: u32,
    /// Their bytes.
    pub bytes: u64,
}

/// A produce request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestView {
    /// Its number among all requests that are somewhere now; numbers are used again.
    pub number: u32,
    /// The producer's index in the specification.
    pub producer: usize,
    /// Which partition, through all topics.
    pub partition: usize,
    /// The broker that it is sent to.
    pub broker: i32,
    /// Records in it.
    pub records: u32,
    /// Their bytes.
    pub bytes: u64,
    /// `acks`.
    pub acks: Acks,
    /// Times it was sent before.
    pub retries: u32,
    /// When it arose.
    pub created: SimTime,
    /// The error that it is answered with.
    pub error: Option<ProduceError>,
}

/// A fetch, which names all partitions of its fetcher.
#[derive(Clone, Copy, Debug)]
pub struct FetchView<'a> {
    /// Index of the fetcher.
    pub fetcher: usize,
    /// Number of the fetch among those of its fetcher, from 1.
    pub number: u64,
    /// The follower's broker.
    pub follower: i32,
    /// The leader's broker.
    pub leader: i32,
    pub(super) partitions: &'a [FetchPartition],
}

impl FetchView<'_> {
    /// The partitions that the fetch names, through all topics, each with the records that its
    /// latest answer holds.
    pub fn partitions(&self) -> impl Iterator<Item = (usize, Offset)> + '_ {
        let named = self.partitions.iter().filter(|entry| entry.since_fetch <= self.number);
        named.map(|entry| (entry.partition as usize, entry.answer_records))
    }
}

/// Who wrote records to a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendSource {
    /// A producer's request, to the leader's log.
    Request(RequestView),
    /// A mirror, to the leader's log.
    Mirror(usize),
    /// The answer to a fetch, to a follower's log.
    Fetch,
}
