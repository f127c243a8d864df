//! The way of a produce request: from its producer to the log, and the answer back.

use super::Cluster;
use super::broker::clock_ms;
use super::event::Event;
use super::happening::{AppendSource, ArrivalView, Happening};
use super::observer::{Observer, StepKind};
use super::produce::{PRODUCE_ANSWER_BYTES, PRODUCE_OVERHEAD_BYTES, Request, RequestState};
use crate::engine::SimTime;
use crate::protocol::{Acks, Offset, ProduceError};

impl Cluster {
    #[inline(always)]
    pub(super) fn schedule_next_arrival(&mut self, producer: u32) {
        if let Some(at) = self.producers[producer as usize].next_arrival() {
            self.scheduler.schedule(at, Event::RequestArises { producer });
        }
    }

    #[inline]
    pub(super) fn request_arises<O: Observer>(&mut self, producer: u32, now: SimTime, observer: &mut O) {
        let sender = &mut self.producers[producer as usize];
        let (records, record_bytes) = (sender.next_records, sender.record_bytes);
        let bytes = u64::from(records) * u64::from(record_bytes);
        let partition = sender.choose_partition();
        self.stats.requests += 1;
        if bytes > sender.free_bytes {
            self.stats.requests_failed += 1;
            let (producer, partition) = (producer as usize, partition as usize);
            self.tell(observer, now, |_| Happening::RequestRefused {
                arrival: ArrivalView { producer, partition, records, bytes },
            });
        } else {
            sender.free_bytes -= bytes;
            let in_backoff = sender.in_backoff;
            let connection = self.connection_to_leader(producer, partition);
            let state = &mut self.connections[connection as usize];
            let ends = (producer, partition, connection);
            let request = self.requests.add(Request::new(ends, (records, record_bytes), state.acks, now));
            if state.has_room() && state.backlog.is_empty() && in_backoff == 0 {
                self.send_request_here(request, connection, now, observer);
            } else {
                state.backlog.push_back(&mut self.requests, request);
                self.tell(observer, now, |cluster| Happening::RequestWaits(cluster.request_view(request)));
                self.send_from_backlog(connection, now, observer);
            }
        }
        self.schedule_next_arrival(producer);
    }

    /// The producer knows the leader: metadata is fresh.
    #[inline]
    pub(super) fn connection_to_leader(&self, producer: u32, partition: u32) -> u32 {
        let broker = self.leader_brokers[partition as usize];
        producer * self.brokers.len() as u32 + broker
    }

    /// Sends requests while there are some and the connection has room.
    #[inline]
    pub(super) fn send_from_backlog<O: Observer>(&mut self, connection: u32, now: SimTime, observer: &mut O) {
        if !self.connections[connection as usize].backlog.is_empty() {
            self.send_what_waits(connection, now, observer);
        }
    }

    #[inline(never)]
    fn send_what_waits<O: Observer>(&mut self, connection: u32, now: SimTime, observer: &mut O) {
        loop {
            let state = &mut self.connections[connection as usize];
            if !state.has_room() {
                return;
            }
            let Some(request) = state.backlog.pop_front(&self.requests) else { return };
            let producer = &self.producers[state.at_broker.producer as usize];
            let (created, partition, retries) = {
                let request = self.requests.get(request);
                (request.created, request.partition, request.retries)
            };
            if producer.is_expired(created, now) {
                self.give_up(request, now, observer);
                continue;
            }
            let leader_connection = self
                .connection_to_leader(self.connections[connection as usize].at_broker.producer, partition);
            if leader_connection != connection {
                self.requests.get_mut(request).connection = leader_connection;
                self.connections[leader_connection as usize].backlog.push_back(&mut self.requests, request);
                self.send_from_backlog(leader_connection, now, observer);
                continue;
            }
            let place = (self.connections[connection as usize].at_broker.producer, partition);
            if retries == 0 && self.holds.keep(place, request) {
                continue;
            }
            self.send_request(request, connection, now, observer);
        }
    }

    #[inline(never)]
    fn send_request<O: Observer>(&mut self, number: u32, connection: u32, now: SimTime, observer: &mut O) {
        self.send_request_here(number, connection, now, observer);
    }

    /// The same, in the usual path.
    #[inline(always)]
    fn send_request_here<O: Observer>(
        &mut self,
        number: u32,
        connection: u32,
        now: SimTime,
        observer: &mut O,
    ) {
        let request = self.requests.get_mut(number);
        request.state = RequestState::Sent;
        request.sent = now;
        let bytes = request.bytes();
        let state = &mut self.connections[connection as usize];
        let arrival = state.to_broker.arrival(now, PRODUCE_OVERHEAD_BYTES + bytes);
        self.scheduler.schedule(arrival, Event::ProduceArrives { request: number });
        if request.acks != Acks::None {
            state.in_flight.sent(request, number);
            if !state.timer_pending {
                state.timer_pending = true;
                let timeout = self.producers[state.at_broker.producer as usize].spec.request_timeout;
                self.scheduler.schedule(now + timeout, Event::RequestTimeout { connection });
            }
        } else {
            let request = *request;
            self.producers[request.producer as usize].free_bytes += bytes;
            self.note_success(&request, now, observer);
        }
        self.tell(observer, now, |cluster| Happening::RequestSent {
            request: cluster.request_view(number),
            arrives: arrival,
        });
    }

    /// A request was answered, or, with acks=0, sent.
    #[inline(always)]
    fn note_success<O: Observer>(&mut self, request: &Request, now: SimTime, observer: &mut O) {
        let latency = (now - request.created).as_nanos();
        self.stats.requests_acked += 1;
        self.stats.records_acked += u64::from(request.records);
        self.latency.record(latency);
        observer.produced(now, request.partition as usize, request.acks, latency);
    }

    /// The request fails for good.
    pub(super) fn give_up<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        self.tell(observer, now, |cluster| Happening::RequestFailed(cluster.request_view(number)));
        let request = *self.requests.get(number);
        self.producers[request.producer as usize].free_bytes += request.bytes();
        self.stats.requests_failed += 1;
        self.requests.release(number);
    }

    /// A request reaches the broker, which takes it in hand unless it has another of the same
    /// connection.
    #[inline]
    pub(super) fn produce_arrives<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        let connection = self.requests.get(number).connection;
        let state = &mut self.connections[connection as usize].at_broker;
        if state.busy {
            state.waiting.push_back(&mut self.requests, number);
            self.tell(observer, now, |cluster| Happening::RequestQueued(cluster.request_view(number)));
        } else {
            self.take_in_hand(number, connection, now, observer);
        }
    }

    #[inline(always)]
    fn take_in_hand<O: Observer>(&mut self, number: u32, connection: u32, now: SimTime, observer: &mut O) {
        if self.requests.get(number).state == RequestState::Dropped {
            self.tell(observer, now, |cluster| Happening::RequestDropped(cluster.request_view(number)));
            self.requests.release(number);
            self.ready.push(connection);
            return;
        }
        let state = &mut self.connections[connection as usize].at_broker;
        state.busy = true;
        let broker = state.broker;
        match self.brokers[broker as usize].serve(now) {
            Some(done) => self.scheduler.schedule(done, Event::ProduceServed { request: number }),
            None => self.serve_now(number, now, observer),
        }
    }

    /// As [`Self::take_in_hand`], out of the usual path.
    #[inline(never)]
    fn take_next_in_hand<O: Observer>(
        &mut self,
        number: u32,
        connection: u32,
        now: SimTime,
        observer: &mut O,
    ) {
        self.take_in_hand(number, connection, now, observer);
    }

    /// Brokers take the next requests of connections that they have answered on.
    pub(super) fn serve_ready_connections<O: Observer>(&mut self, now: SimTime, observer: &mut O) {
        while let Some(connection) = self.ready.pop() {
            let state = &mut self.connections[connection as usize].at_broker;
            if !state.busy
                && let Some(next) = state.waiting.pop_front(&self.requests)
            {
                self.take_next_in_hand(next, connection, now, observer);
            }
        }
    }

    /// A request handler has spent its time on a request.
    #[inline(never)]
    pub(super) fn produce_served<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        self.serve_now(number, now, observer);
    }

    /// The leader appends a request's records, or refuses them.
    #[inline(always)]
    fn serve_now<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        // Runs without timestamps have a way of their own, without a look at them.
        if self.timestamps.is_some() {
            self.serve_produce_with_timestamps(number, now, observer);
        } else {
            self.serve_produce::<O, false>(number, now, observer);
        }
    }

    #[cold]
    #[inline(never)]
    fn serve_produce_with_timestamps<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        self.serve_produce::<O, true>(number, now, observer);
    }

    #[inline(always)]
    fn serve_produce<O: Observer, const STAMPED: bool>(
        &mut self,
        number: u32,
        now: SimTime,
        observer: &mut O,
    ) {
        let request = *self.requests.get(number);
        let (acks, bytes) = (request.acks, request.bytes());
        let index = request.partition as usize;
        let broker = self.connections[request.connection as usize].at_broker.broker;
        let partition = &mut self.partitions[index];
        if partition.leader_broker() != broker {
            self.answer_request(number, Some(ProduceError::NotLeaderOrFollower), now, observer);
            return;
        }
        let base = partition.leader.log_end_offset();
        if STAMPED && let Err(error) = self.check_timestamps(number, acks, base, now, observer) {
            self.answer_request(number, Some(error), now, observer);
            return;
        }
        let partition = &mut self.partitions[index];
        let high_watermark = partition.leader.high_watermark();
        let settings = &self.settings[partition.settings as usize];
        let rose = match partition.leader.append(settings, Offset::from(request.records), acks, clock_ms(now))
        {
            Ok(rose) => rose,
            Err(error) => {
                self.answer_request(number, Some(error), now, observer);
                return;
            }
        };
        let end = partition.leader.log_end_offset();
        partition.note_append(base, request.record_bytes.into(), rose, now, &mut self.stats);
        self.stats.records_appended += u64::from(request.records);
        self.stats.bytes_appended += bytes;
        self.tell(observer, now, |cluster| Happening::Appended {
            partition: index,
            broker: cluster.partitions[index].leader_id(),
            source: AppendSource::Request(cluster.request_view(number)),
            from: base,
            to: end,
        });
        if STAMPED {
            self.note_stamped(number, now, observer);
        }
        if rose {
            self.tell_high_watermark(index, high_watermark, now, observer);
            self.complete_waiters(index, now, observer);
        }
        self.wake_fetches(index, bytes, now, observer);
        match acks {
            Acks::None | Acks::Leader => self.answer_request_here(number, None, now, observer),
            Acks::All => {
                self.requests.get_mut(number).required = end;
                self.partitions[index].waiters.push_back(&mut self.requests, number);
                self.complete_waiters(index, now, observer);
            }
        }
        self.check_partition_here(index);
        let records = Offset::from(request.records);
        self.tell_step(index, now, StepKind::Appended { records }, observer);
    }

    /// Answers the requests that the high watermark has passed.
    pub(super) fn complete_waiters<O: Observer>(&mut self, index: usize, now: SimTime, observer: &mut O) {
        loop {
            let partition = &mut self.partitions[index];
            let high_watermark = partition.leader.high_watermark();
            let Some(waiter) = partition.waiters.front() else { return };
            let required = self.requests.get(waiter).required;
            if required > high_watermark {
                return;
            }
            partition.waiters.pop_front(&self.requests);
            let settings = &self.settings[partition.settings as usize];
            let error = if partition.leader.is_under_min_isr(settings) {
                Some(ProduceError::NotEnoughReplicasAfterAppend)
            } else {
                partition.memory.acknowledge(required);
                self.stats.exercised.acks_all_acknowledged += 1;
                None
            };
            self.answer_request(waiter, error, now, observer);
        }
    }

    /// The broker is done with a request: answers it, unless nobody waits for an answer, and may
    /// take the connection's next one.
    #[inline(never)]
    pub(super) fn answer_request<O: Observer>(
        &mut self,
        number: u32,
        error: Option<ProduceError>,
        now: SimTime,
        observer: &mut O,
    ) {
        self.answer_request_here(number, error, now, observer);
    }

    /// The same, in the usual path.
    #[inline(always)]
    fn answer_request_here<O: Observer>(
        &mut self,
        number: u32,
        error: Option<ProduceError>,
        now: SimTime,
        observer: &mut O,
    ) {
        let request = self.requests.get_mut(number);
        request.error = error;
        let connection = request.connection;
        let state = &mut self.connections[connection as usize].at_broker;
        state.busy = false;
        if !state.waiting.is_empty() {
            self.ready.push(connection);
        }
        if request.acks != Acks::None && request.state == RequestState::Sent {
            let arrival = state.to_producer.arrival(now, PRODUCE_ANSWER_BYTES);
            self.scheduler.schedule(arrival, Event::ProduceAnswered { request: number });
            self.tell(observer, now, |cluster| Happening::RequestAnswered {
                request: cluster.request_view(number),
                arrives: Some(arrival),
            });
        } else {
            self.tell(observer, now, |cluster| Happening::RequestAnswered {
                request: cluster.request_view(number),
                arrives: None,
            });
            self.requests.release(number);
        }
    }

    #[inline]
    pub(super) fn produce_answered<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        let request = *self.requests.get(number);
        if request.state != RequestState::Sent {
            self.requests.release(number);
            return;
        }
        let connection = request.connection;
        self.connections[connection as usize].in_flight.answered(&self.requests, number);
        match request.error {
            None => {
                self.producers[request.producer as usize].free_bytes += request.bytes();
                self.requests.release(number);
                self.note_success(&request, now, observer);
            }
            Some(error) if !error.is_retriable() => self.give_up(number, now, observer),
            Some(error) => {
                let short = matches!(
                    error,
                    ProduceError::NotEnoughReplicas | ProduceError::NotEnoughReplicasAfterAppend
                );
                self.stats.not_enough_replicas += u64::from(short);
                self.retry_later(number, now, observer);
            }
        }
        self.send_from_backlog(connection, now, observer);
    }

    /// Looks whether a connection's oldest request has waited for too long. If so, the producer
    /// closes the connection and retries all that was in flight on it; of what had not been
    /// handled, the broker still reads the first, which was in its socket buffer.
    pub(super) fn request_timeout<O: Observer>(&mut self, connection: u32, now: SimTime, observer: &mut O) {
        let state = &mut self.connections[connection as usize];
        state.timer_pending = false;
        let Some(oldest) = state.in_flight.oldest(&self.requests) else { return };
        let producer = &self.producers[state.at_broker.producer as usize];
        let deadline = self.requests.get(oldest).sent + producer.spec.request_timeout;
        if deadline > now {
            state.timer_pending = true;
            self.scheduler.schedule(deadline, Event::RequestTimeout { connection });
            return;
        }
        self.stats.request_timeouts += u64::from(state.in_flight.len());
        let given_up = state.in_flight.take(&self.requests);
        for (position, number) in given_up.into_iter().enumerate() {
            let request = self.requests.get_mut(number);
            let again = *request;
            request.state = if position == 0 { RequestState::Abandoned } else { RequestState::Dropped };
            let copy = self.requests.add(again);
            self.tell(observer, now, |cluster| Happening::RequestTimedOut {
                request: cluster.request_view(number),
                again: copy,
            });
            self.retry_later(copy, now, observer);
        }
        self.send_from_backlog(connection, now, observer);
    }
}
