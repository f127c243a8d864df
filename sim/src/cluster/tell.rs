//! Tells observers that ask for it what happens. Whoever does not ask pays nothing: the question
//! is a constant to the compiler, and what would be told is not even put together.

use super::Cluster;
use super::broker::clock_ms;
use super::event::Event;
use super::happening::{ArrivalView, FetchView, Happening, RequestView, Subject};
use super::observer::Observer;
use crate::engine::SimTime;
use crate::protocol::{FollowerLog, OutOfSyncRule};

impl Cluster {
    /// Tells `observer` what `happening` makes, if it asks for that.
    #[inline(always)]
    pub(super) fn tell<'a, O: Observer>(
        &'a self,
        observer: &mut O,
        at: SimTime,
        happening: impl FnOnce(&'a Self) -> Happening<'a>,
    ) {
        if observer.wants_happenings() {
            observer.happened(at, &happening(self));
        }
    }

    pub(super) fn request_view(&self, number: u32) -> RequestView {
        let request = self.requests.get(number);
        let broker = self.connections[request.connection as usize].at_broker.broker;
        RequestView {
            number,
            producer: request.producer as usize,
            partition: request.partition as usize,
            broker: self.brokers[broker as usize].id,
            records: request.records,
            bytes: request.bytes(),
            acks: request.acks,
            retries: request.retries,
            created: request.created,
            error: request.error,
        }
    }

    pub(super) fn fetch_view(&self, fetcher: u32) -> FetchView<'_> {
        let state = &self.fetchers[fetcher as usize];
        FetchView {
            fetcher: fetcher as usize,
            number: state.fetch_number,
            follower: self.brokers[state.follower_broker as usize].id,
            leader: self.brokers[state.leader_broker as usize].id,
            partitions: &state.partitions,
        }
    }

    /// Whom an event is about, before it is handled.
    pub(super) fn subject_of(&self, event: Event) -> Subject<'_> {
        match event {
            Event::RequestArises { producer } => {
                let state = &self.producers[producer as usize];
                Subject::Arrival(ArrivalView {
                    producer: producer as usize,
                    partition: state.partition_of_next() as usize,
                    records: state.next_records,
                    bytes: state.bytes_of(state.next_records),
                })
            }
            Event::ProduceArrives { request }
            | Event::ProduceServed { request }
            | Event::ProduceAnswered { request }
            | Event::RetryDue { request } => Subject::Request(self.request_view(request)),
            Event::RequestTimeout { connection } => {
                let connection = &self.connections[connection as usize].at_broker;
                let broker = self.brokers[connection.broker as usize].id;
                Subject::Connection { producer: connection.producer as usize, broker }
            }
            Event::FetcherStarts { fetcher }
            | Event::FetchArrives { fetcher }
            | Event::FetchServed { fetcher }
            | Event::FetchExpires { fetcher }
            | Event::FetchAnswered { fetcher } => Subject::Fetch(self.fetch_view(fetcher)),
            Event::IsrCheck { broker } => Subject::Broker(self.brokers[broker as usize].id),
            Event::MirrorStep { mirror } => {
                let (step, partition) = self.lag.next_mirror_step(mirror);
                Subject::Mirror { mirror: mirror as usize, step, partition }
            }
            Event::ShareStep { group } => {
                let (step, partition) = self.lag.next_share_step(group);
                Subject::ShareGroup { group: group as usize, step, partition }
            }
            Event::FaultStarts { fault } | Event::FaultEnds { fault } => Subject::Fault(fault as usize),
        }
    }

    /// Tells of each member of a partition's ISR what the check is about to find.
    pub(super) fn tell_judgements<O: Observer>(&self, index: usize, at: SimTime, observer: &mut O) {
        if !observer.wants_happenings() {
            return;
        }
        let partition = &self.partitions[index];
        let settings = &self.settings[partition.settings as usize];
        let (leader, clock) = (&partition.leader, clock_ms(at));
        let out_of_sync = leader.out_of_sync(settings, clock);
        let counts_messages = settings.rules.out_of_sync == OutOfSyncRule::StuckOrSlow;
        for slot in leader.follower_slots().filter(|&slot| leader.isr().contains(slot)) {
            let known = *leader.follower(slot);
            observer.happened(
                at,
                &Happening::Judged {
                    partition: index,
                    leader: partition.leader_id(),
                    follower: partition.replica(slot).broker_id,
                    known,
                    lag_ms: (known.last_caught_up > 0).then(|| clock - known.last_caught_up),
                    limit_ms: settings.lag.time_max,
                    lag_messages: leader.log_end_offset() - known.log_end_offset,
                    limit_messages: counts_messages.then_some(settings.lag.messages_max),
                    out_of_sync: out_of_sync.contains(slot),
                },
            );
        }
    }

    /// Tells that a leader's high watermark moved, if it did.
    #[inline(always)]
    pub(super) fn tell_high_watermark<O: Observer>(
        &self,
        index: usize,
        from: i64,
        at: SimTime,
        observer: &mut O,
    ) {
        let partition = &self.partitions[index];
        if observer.wants_happenings() && partition.leader.high_watermark() != from {
            let (broker, to) = (partition.leader_id(), partition.leader.high_watermark());
            observer
                .happened(at, &Happening::HighWatermark { partition: index, broker, leads: true, from, to });
        }
    }

    /// What every replica holds, before an election; nothing if nobody asks.
    pub(super) fn logs_before<O: Observer>(&self, index: usize, observer: &O) -> Vec<FollowerLog> {
        let partition = &self.partitions[index];
        if !observer.wants_happenings() {
            return Vec::new();
        }
        partition.leader.replicas().iter().map(|slot| partition.log_of(slot)).collect()
    }

    /// Tells of an election that took place, and of the logs that it cut.
    pub(super) fn tell_election<O: Observer>(
        &self,
        index: usize,
        former: i32,
        before: &[FollowerLog],
        at: SimTime,
        observer: &mut O,
    ) {
        if !observer.wants_happenings() {
            return;
        }
        let partition = &self.partitions[index];
        observer.happened(
            at,
            &Happening::Elected {
                partition: index,
                leader: partition.leader_id(),
                former,
                leo: partition.leader.log_end_offset(),
                high_watermark: partition.leader.high_watermark(),
            },
        );
        for (slot, before) in before.iter().enumerate() {
            let (now, broker) = (partition.log_of(slot), partition.replica(slot).broker_id);
            let leads = slot == partition.leader.slot();
            let (from, to) = (before.log_end_offset, now.log_end_offset);
            if from != to {
                observer.happened(at, &Happening::Truncated { partition: index, broker, from, to });
            }
            let (from, to) = (before.high_watermark, now.high_watermark);
            if from != to {
                observer
                    .happened(at, &Happening::HighWatermark { partition: index, broker, leads, from, to });
            }
        }
    }
}
