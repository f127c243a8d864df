//! Producers, their connections and the requests on them.

use super::arrivals::ArrivalProcess;
use super::link::Direction;
use super::spec::{Partitioner, ProducerSpec};
use crate::engine::SimTime;
use crate::protocol::{Acks, Offset, ProduceError};

/// Bytes of a produce request beside its records, roughly as on the wire.
pub(super) const PRODUCE_OVERHEAD_BYTES: u64 = 96;
/// Bytes of an answer to a produce request.
pub(super) const PRODUCE_ANSWER_BYTES: u64 = 64;

/// Where a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestState {
    /// At the producer: waits to be sent, or for its backoff to end.
    AtProducer,
    /// On the wire, at the broker, or being answered.
    Sent,
    /// The producer has given the connection up. The broker may still handle it; nobody waits
    /// for the answer.
    Abandoned,
    /// As abandoned, and the broker never gets to it: its connection was closed first.
    Dropped,
}

/// In place of a request's number: none.
const NONE: u32 = u32::MAX;

/// One produce request, in a cache line of its own, with what its handling needs to know of its
/// producer and connection.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Request {
    pub(super) producer: u32,
    pub(super) partition: u32,
    pub(super) connection: u32,
    pub(super) records: u32,
    /// Bytes of one record.
    pub(super) record_bytes: u32,
    /// Times it was sent before.
    pub(super) retries: u32,
    /// The next in the queue that it stands in.
    next: u32,
    /// The one in flight on its connection that was sent before it.
    older: u32,
    pub(super) created: SimTime,
    pub(super) sent: SimTime,
    /// While it waits for the high watermark: the one that answers it.
    pub(super) required: Offset,
    pub(super) state: RequestState,
    pub(super) acks: Acks,
    pub(super) error: Option<ProduceError>,
}

impl Request {
    /// A request that arises now.
    #[inline]
    pub(super) fn new(
        (producer, partition, connection): (u32, u32, u32),
        (records, record_bytes): (u32, u32),
        acks: Acks,
        now: SimTime,
    ) -> Self {
        Request {
            producer,
            partition,
            connection,
            records,
            record_bytes,
            retries: 0,
            next: NONE,
            older: NONE,
            created: now,
            sent: now,
            required: 0,
            state: RequestState::AtProducer,
            acks,
            error: None,
        }
    }

    /// Bytes of its records.
    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.records) * u64::from(self.record_bytes)
    }
}

/// All requests that are somewhere, by number; numbers are used again.
#[derive(Debug, Default)]
pub(super) struct RequestTable {
    requests: Vec<Request>,
    free: Vec<u32>,
}

impl RequestTable {
    #[inline]
    pub(super) fn add(&mut self, request: Request) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.requests[number as usize] = request;
                number
            }
            None => {
                self.requests.push(request);
                (self.requests.len() - 1) as u32
            }
        }
    }

    #[inline]
    pub(super) fn release(&mut self, number: u32) {
        self.free.push(number);
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> &Request {
        &self.requests[number as usize]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, number: u32) -> &mut Request {
        &mut self.requests[number as usize]
    }
}

/// Requests in a queue, linked through the table. A request stands in one at most: at its
/// producer, at its broker, or for the high watermark of its partition.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestQueue {
    first: u32,
    last: u32,
}

impl RequestQueue {
    pub(super) const EMPTY: RequestQueue = RequestQueue { first: NONE, last: NONE };

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.first == NONE
    }

    #[inline]
    pub(super) fn front(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }

    #[inline]
    pub(super) fn push_back(&mut self, requests: &mut RequestTable, number: u32) {
        requests.get_mut(number).next = NONE;
        if self.first == NONE {
            self.first = number;
        } else {
            requests.get_mut(self.last).next = number;
        }
        self.last = number;
    }

    pub(super) fn push_front(&mut self, requests: &mut RequestTable, number: u32) {
        requests.get_mut(number).next = self.first;
        if self.first == NONE {
            self.last = number;
        }
        self.first = number;
    }

    #[inline]
    pub(super) fn pop_front(&mut self, requests: &RequestTable) -> Option<u32> {
        let number = self.front()?;
        self.first = requests.get(number).next;
        Some(number)
    }
}

/// The requests of a connection that were sent and not answered. They are answered in the order
/// in which they were sent, so that the newest and the number of them are enough, and neither
/// sending nor answering one looks at another.
#[derive(Clone, Copy, Debug)]
pub(super) struct InFlight {
    newest: u32,
    count: u32,
}

impl InFlight {
    pub(super) const NONE: InFlight = InFlight { newest: NONE, count: 0 };

    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    #[inline]
    pub(super) fn sent(&mut self, request: &mut Request, number: u32) {
        request.older = self.newest;
        self.newest = number;
        self.count += 1;
    }

    /// The oldest is answered.
    #[inline]
    pub(super) fn answered(&mut self, requests: &RequestTable, number: u32) {
        debug_assert_eq!(self.oldest(requests), Some(number), "answers come in the order of the requests");
        self.count -= 1;
    }

    /// The one that was sent first.
    pub(super) fn oldest(&self, requests: &RequestTable) -> Option<u32> {
        self.newest_first(requests).last()
    }

    /// Takes all of them, the oldest first.
    pub(super) fn take(&mut self, requests: &RequestTable) -> Vec<u32> {
        let mut all: Vec<u32> = self.newest_first(requests).collect();
        all.reverse();
        *self = InFlight::NONE;
        all
    }

    fn newest_first<'a>(&self, requests: &'a RequestTable) -> impl Iterator<Item = u32> + use<'a> {
        let mut next = self.newest;
        (0..self.count).map(move |_| {
            let number = next;
            next = requests.get(number).older;
            number
        })
    }
}

/// A producer's connection to one broker. What sending needs stands in its first cache line, what
/// the broker needs in its second.
#[derive(Debug)]
#[repr(C, align(128))]
pub(super) struct Connection {
    /// Requests that wait to be sent.
    pub(super) backlog: RequestQueue,
    pub(super) in_flight: InFlight,
    pub(super) to_broker: Direction,
    /// The producer's `max.in.flight.requests.per.connection`.
    pub(super) max_in_flight: u32,
    /// The producer's `acks`.
    pub(super) acks: Acks,
    pub(super) timer_pending: bool,
    pub(super) at_broker: AtBroker,
}

/// The broker's end of a connection.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct AtBroker {
    pub(super) producer: u32,
    /// Index of the broker.
    pub(super) broker: u32,
    /// The broker has a request of this connection in hand.
    pub(super) busy: bool,
    /// Requests that have reached the broker and wait for their turn: a broker handles one
    /// request of a connection at a time, and the next when it has answered.
    pub(super) waiting: RequestQueue,
    pub(super) to_producer: Direction,
}

impl Connection {
    pub(super) fn new(
        producer: u32,
        spec: &ProducerSpec,
        broker: u32,
        to_broker: Direction,
        to_producer: Direction,
    ) -> Self {
        let waiting = RequestQueue::EMPTY;
        Connection {
            max_in_flight: spec.max_in_flight,
            backlog: RequestQueue::EMPTY,
            in_flight: InFlight::NONE,
            to_broker,
            acks: spec.acks,
            timer_pending: false,
            at_broker: AtBroker { producer, broker, busy: false, waiting, to_producer },
        }
    }

    /// Whether one more request may be in flight.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.in_flight.len() < self.max_in_flight
    }
}

/// A producer under way. What each request needs stands in one cache line, apart from the rest of
/// the specification.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Producer {
    arrivals: ArrivalProcess,
    /// Bytes of `buffer.memory` that are free.
    pub(super) free_bytes: u64,
    /// Records of the arrival that is due next.
    pub(super) next_records: u32,
    pub(super) record_bytes: u32,
    /// Requests in their backoff before they are sent again.
    pub(super) in_backoff: u32,
    /// The partition of the next request, as it is counted through all topics, and the range
    /// within which it goes round.
    next_partition: u32,
    first_partition: u32,
    end_partition: u32,
    pub(super) spec: Box<ProducerSpec>,
}

impl Producer {
    /// A producer to a topic whose partitions begin at `first` and are `count`.
    pub(super) fn new(spec: ProducerSpec, arrivals: ArrivalProcess, first: u32, count: u32) -> Self {
        let (first_partition, end_partition) = match spec.partitioner {
            Partitioner::Partition(partition) => (first + partition as u32, first + partition as u32 + 1),
            Partitioner::RoundRobin => (first, first + count),
        };
        Producer {
            arrivals,
            free_bytes: spec.buffer_memory,
            next_records: spec.records_per_request,
            record_bytes: spec.record_bytes,
            in_backoff: 0,
            next_partition: first_partition,
            first_partition,
            end_partition,
            spec: Box::new(spec),
        }
    }

    /// When its next request arises; none: no more do.
    #[inline]
    pub(super) fn next_arrival(&mut self) -> Option<SimTime> {
        let arrival = self.arrivals.next()?;
        if self.arrivals.names_records() {
            self.next_records = arrival.records.unwrap_or(self.spec.records_per_request);
        }
        Some(arrival.at)
    }

    /// The partition that its next request goes to.
    #[inline]
    pub(super) fn partition_of_next(&self) -> u32 {
        self.next_partition
    }

    /// The partition of its next request, which is then another's turn.
    #[inline]
    pub(super) fn choose_partition(&mut self) -> u32 {
        let chosen = self.next_partition;
        self.next_partition += 1;
        if self.next_partition == self.end_partition {
            self.next_partition = self.first_partition;
        }
        chosen
    }

    /// Bytes of so many records.
    #[inline]
    pub(super) fn bytes_of(&self, records: u32) -> u64 {
        u64::from(records) * u64::from(self.record_bytes)
    }

    /// Whether a request that arose at `created` is older than `delivery.timeout.ms`.
    #[inline]
    pub(super) fn is_expired(&self, created: SimTime, now: SimTime) -> bool {
        now - created > self.spec.delivery_timeout
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(count: u32) -> RequestTable {
        let mut table = RequestTable::default();
        for _ in 0..count {
            table.add(Request::new((0, 0, 0), (1, 100), Acks::Leader, SimTime::ZERO));
        }
        table
    }

    #[test]
    fn what_is_hot_is_no_larger_than_it_should_be() {
        assert_eq!((size_of::<Request>(), size_of::<Connection>()), (64, 128));
        assert_eq!(std::mem::offset_of!(Producer, spec), 64);
    }

    #[test]
    fn a_queue_keeps_its_order_at_both_ends() {
        let mut table = table(6);
        let mut queue = RequestQueue::EMPTY;
        assert_eq!((queue.is_empty(), queue.pop_front(&table)), (true, None));
        queue.push_front(&mut table, 2);
        for number in [3, 4] {
            queue.push_back(&mut table, number);
        }
        queue.push_front(&mut table, 1);
        assert_eq!((queue.is_empty(), queue.front()), (false, Some(1)));
        let order: Vec<u32> = std::iter::from_fn(|| queue.pop_front(&table)).collect();
        assert_eq!(order, [1, 2, 3, 4]);
        queue.push_back(&mut table, 5);
        assert_eq!((queue.pop_front(&table), queue.pop_front(&table)), (Some(5), None));
    }

    #[test]
    fn the_oldest_in_flight_is_answered_first() {
        let mut table = table(4);
        let mut in_flight = InFlight::NONE;
        for number in [3, 0, 2] {
            in_flight.sent(table.get_mut(number), number);
        }
        assert_eq!((in_flight.len(), in_flight.oldest(&table)), (3, Some(3)));
        in_flight.answered(&table, 3);
        in_flight.sent(table.get_mut(1), 1);
        assert_eq!(in_flight.oldest(&table), Some(0));
        assert_eq!(in_flight.take(&table), [0, 2, 1]);
        assert_eq!((in_flight.len(), in_flight.oldest(&table)), (0, None));
    }

    #[test]
    fn partitions_take_turns_or_one_has_all() {
        let arrivals = || super::super::spec::Arrivals::Recorded { arrivals: vec![] };
        let chosen = |partitioner| {
            let spec = ProducerSpec { partitioner, ..ProducerSpec::new("p", 0, arrivals()) };
            let process = ArrivalProcess::new(&arrivals(), &crate::engine::Streams::new(1), "p");
            let mut producer = Producer::new(spec, process, 10, 3);
            [(); 5].map(|()| producer.choose_partition())
        };
        assert_eq!(chosen(Partitioner::RoundRobin), [10, 11, 12, 10, 11]);
        assert_eq!(chosen(Partitioner::Partition(2)), [12; 5]);
    }
}
