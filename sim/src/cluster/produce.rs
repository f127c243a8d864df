//! Producers, their connections and the requests on them.

use super::arrivals::ArrivalProcess;
use super::link::Direction;
use super::spec::{Partitioner, ProducerSpec};
use crate::engine::SimTime;
use crate::protocol::{Acks, ProduceError};
use std::collections::VecDeque;

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

/// One produce request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) producer: u32,
    pub(super) partition: u32,
    pub(super) connection: u32,
    pub(super) records: u32,
    /// Times it was sent before.
    pub(super) retries: u32,
    pub(super) state: RequestState,
    pub(super) created: SimTime,
    pub(super) sent: SimTime,
    pub(super) error: Option<ProduceError>,
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

/// A producer's connection to one broker.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) producer: u32,
    /// Index of the broker.
    pub(super) broker: u32,
    /// Requests that wait to be sent.
    pub(super) backlog: VecDeque<u32>,
    /// Requests that were sent and not answered, oldest first.
    pub(super) in_flight: VecDeque<u32>,
    /// Requests that have reached the broker and wait for their turn: a broker handles one
    /// request of a connection at a time, and the next when it has answered.
    pub(super) at_broker: VecDeque<u32>,
    /// The broker has a request of this connection in hand.
    pub(super) busy: bool,
    pub(super) timer_pending: bool,
    pub(super) to_broker: Direction,
    pub(super) to_producer: Direction,
}

/// A producer under way. What each request needs stands together, apart from the rest of the
/// specification: with thousands of producers, the reach for a cold line is what a request costs.
#[derive(Debug)]
pub(super) struct Producer {
    pub(super) arrivals: ArrivalProcess,
    pub(super) acks: Acks,
    pub(super) max_in_flight: u32,
    /// Requests in their backoff before they are sent again.
    pub(super) in_backoff: u32,
    record_bytes: u32,
    partitioner: Partitioner,
    pub(super) spec: Box<ProducerSpec>,
    /// Records of the arrival that is due next.
    pub(super) next_records: u32,
    /// Numbers of its topic's partitions, as they are counted through all topics.
    pub(super) first_partition: u32,
    pub(super) partition_count: u32,
    next_partition: u32,
    /// Bytes that wait or are in flight.
    pub(super) buffered: u64,
}

impl Producer {
    pub(super) fn new(
        spec: ProducerSpec,
        arrivals: ArrivalProcess,
        first_partition: u32,
        partition_count: u32,
    ) -> Self {
        let next_records = spec.records_per_request;
        Producer {
            arrivals,
            acks: spec.acks,
            max_in_flight: spec.max_in_flight,
            in_backoff: 0,
            record_bytes: spec.record_bytes,
            partitioner: spec.partitioner,
            spec: Box::new(spec),
            next_records,
            first_partition,
            partition_count,
            next_partition: 0,
            buffered: 0,
        }
    }

    /// The partition that its next request goes to.
    #[inline]
    pub(super) fn partition_of_next(&self) -> u32 {
        match self.partitioner {
            Partitioner::Partition(partition) => self.first_partition + partition as u32,
            Partitioner::RoundRobin => self.first_partition + self.next_partition,
        }
    }

    /// The partition of its next request, which is then another's turn.
    #[inline]
    pub(super) fn choose_partition(&mut self) -> u32 {
        let chosen = self.partition_of_next();
        if self.partitioner == Partitioner::RoundRobin {
            self.next_partition += 1;
            if self.next_partition == self.partition_count {
                self.next_partition = 0;
            }
        }
        chosen
    }

    #[inline]
    pub(super) fn bytes_of(&self, records: u32) -> u64 {
        u64::from(records) * u64::from(self.record_bytes)
    }

    /// Whether a request that arose at `created` is older than `delivery.timeout.ms`.
    #[inline]
    pub(super) fn is_expired(&self, created: SimTime, now: SimTime) -> bool {
        now - created > self.spec.delivery_timeout
    }

    /// Bytes of one record.
    #[inline]
    pub(super) fn record_bytes(&self) -> u64 {
        u64::from(self.record_bytes)
    }

    #[inline]
    pub(super) fn waits_for_answer(&self) -> bool {
        self.acks != Acks::None
    }
}
