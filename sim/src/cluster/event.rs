//! What can happen in a cluster.

/// One event. It names who is concerned and nothing else, so that it stays small: what is to be
/// handled is kept with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A request arises at a producer.
    RequestArises { producer: u32 },
    /// A produce request reaches its broker.
    ProduceArrives { request: u32 },
    /// A request handler has spent its time on a produce request.
    ProduceServed { request: u32 },
    /// The answer to a produce request reaches its producer.
    ProduceAnswered { request: u32 },
    /// A failed request's backoff is over.
    RetryDue { request: u32 },
    /// Time to look whether a connection's oldest request has timed out.
    RequestTimeout { connection: u32 },
    /// A fetcher sends a fetch (its first one).
    FetcherStarts { fetcher: u32 },
    /// A fetch reaches the leader's broker.
    FetchArrives { fetcher: u32 },
    /// A request handler has spent its time on a fetch.
    FetchServed { fetcher: u32 },
    /// Time to look whether a waiting fetch has waited long enough.
    FetchExpires { fetcher: u32 },
    /// The answer to a fetch reaches the follower's broker.
    FetchAnswered { fetcher: u32 },
    /// A broker's ISR check is due.
    IsrCheck { broker: u32 },
    /// A fault begins.
    FaultStarts { fault: u32 },
    /// A fault ends.
    FaultEnds { fault: u32 },
    /// A mirror takes its next step.
    MirrorStep { mirror: u32 },
    /// A share group takes its next step.
    ShareStep { group: u32 },
}

impl Event {
    /// Names of the kinds, in the order of [`Event::kind`].
    pub(super) const KINDS: [&'static str; 16] = [
        "request-arises",
        "produce-arrives",
        "produce-served",
        "produce-answered",
        "retry-due",
        "request-timeout-check",
        "fetcher-starts",
        "fetch-arrives",
        "fetch-served",
        "fetch-wait-check",
        "fetch-answered",
        "isr-check",
        "fault-starts",
        "fault-ends",
        "mirror-step",
        "share-step",
    ];

    /// Index of the event's kind in [`Event::KINDS`]: in the order of the declaration, so that it
    /// is read off the event.
    #[inline]
    pub(super) fn kind(self) -> usize {
        match self {
            Event::RequestArises { .. } => 0,
            Event::ProduceArrives { .. } => 1,
            Event::ProduceServed { .. } => 2,
            Event::ProduceAnswered { .. } => 3,
            Event::RetryDue { .. } => 4,
            Event::RequestTimeout { .. } => 5,
            Event::FetcherStarts { .. } => 6,
            Event::FetchArrives { .. } => 7,
            Event::FetchServed { .. } => 8,
            Event::FetchExpires { .. } => 9,
            Event::FetchAnswered { .. } => 10,
            Event::IsrCheck { .. } => 11,
            Event::FaultStarts { .. } => 12,
            Event::FaultEnds { .. } => 13,
            Event::MirrorStep { .. } => 14,
            Event::ShareStep { .. } => 15,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_word() {
        assert_eq!(size_of::<Event>(), 8);
    }
}
