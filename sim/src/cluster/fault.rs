//! Faults: when they begin and end, and what they do.

use super::Cluster;
use super::event::Event;
use super::fetcher::FetchState;
use super::happening::Happening;
use super::link::Direction;
use super::observer::Observer;
use super::spec::{FaultKind, FaultSpec, LinkEnd, LinkSelector};
use crate::engine::{SimDuration, SimTime};
use crate::protocol::ProduceError;

/// A fault and its next turn.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) spec: FaultSpec,
    next: Option<SimTime>,
    /// Times it did something.
    pub(super) applied: u64,
    /// While it lasts: when it ends.
    ends: Option<SimTime>,
}

impl Fault {
    pub(super) fn new(spec: &FaultSpec) -> Self {
        let next = spec.until.is_none_or(|until| spec.at < until).then_some(spec.at);
        Fault { spec: spec.clone(), next, applied: 0, ends: None }
    }

    /// When it next begins, if it does.
    pub(super) fn next_start(&self) -> Option<SimTime> {
        self.next
    }

    fn take_turn(&mut self) {
        let later = self.next.zip(self.spec.every).map(|(at, every)| at + every);
        self.next = later.filter(|&at| self.spec.until.is_none_or(|until| at < until));
    }
}

/// Whether a selector fits the link from a client to a broker.
fn fits(link: &LinkSelector, client: &LinkEnd, broker: i32) -> bool {
    link.broker.is_none_or(|id| id == broker) && link.client.as_ref().is_none_or(|end| end == client)
}

impl Cluster {
    pub(super) fn fault_starts<O: Observer>(&mut self, fault: u32, now: SimTime, observer: &mut O) {
        let index = fault as usize;
        self.faults[index].take_turn();
        if let Some(at) = self.faults[index].next_start() {
            self.scheduler.schedule(at, Event::FaultStarts { fault });
        }
        let kind = self.faults[index].spec.kind.clone();
        let length = kind.length();
        self.faults[index].ends = Some(now + length);
        let applied = match kind {
            FaultKind::Pause { broker, .. } => {
                let index = self.broker_index(broker);
                self.paused_brokers += u32::from(self.brokers[index].pause());
                true
            }
            FaultKind::LinkStall { link, .. } => {
                let end = now + length;
                self.for_each_direction(&link, |direction| direction.stall_until(end))
            }
            FaultKind::LinkDelay { link, extra, .. } => {
                self.for_each_direction(&link, |direction| direction.add_delay(extra))
            }
            FaultKind::Election { topic, partition, leader } => {
                self.elect(topic, partition, leader, now, observer)
            }
            FaultKind::ShareWrites { group, fault, .. } => {
                self.set_share_write_fault(group, fault, true);
                true
            }
        };
        self.faults[index].applied += u64::from(applied);
        observer.fault(now, index, true);
        if length > SimDuration::ZERO {
            self.scheduler.schedule(now + length, Event::FaultEnds { fault });
        } else {
            self.fault_ends(fault, now, observer);
        }
    }

    pub(super) fn fault_ends<O: Observer>(&mut self, fault: u32, now: SimTime, observer: &mut O) {
        observer.fault(now, fault as usize, false);
        if self.faults[fault as usize].ends.is_some_and(|ends| ends <= now) {
            self.faults[fault as usize].ends = None;
        }
        match self.faults[fault as usize].spec.kind.clone() {
            FaultKind::Pause { broker, .. } => {
                let index = self.broker_index(broker);
                if self.brokers[index].resume() {
                    self.paused_brokers -= 1;
                    while let Some(event) = self.brokers[index].next_deferred() {
                        self.dispatch_deferred(event, now, observer);
                    }
                }
            }
            FaultKind::LinkDelay { link, extra, .. } => {
                self.for_each_direction(&link, |direction| direction.remove_delay(extra));
            }
            FaultKind::ShareWrites { group, fault, .. } => self.set_share_write_fault(group, fault, false),
            FaultKind::LinkStall { .. } | FaultKind::Election { .. } => {}
        }
    }

    fn broker_index(&self, id: i32) -> usize {
        self.brokers.iter().position(|broker| broker.id == id).expect("the specification was checked")
    }

    /// Calls `act` on both directions of every connection that the selector fits; returns
    /// whether there was one.
    fn for_each_direction(&mut self, link: &LinkSelector, mut act: impl FnMut(&mut Direction)) -> bool {
        let brokers = &self.brokers;
        let id = |index: u32| brokers[index as usize].id;
        let mut any = false;
        for fetcher in &mut self.fetchers {
            if fits(link, &LinkEnd::Broker(id(fetcher.follower_broker)), id(fetcher.leader_broker)) {
                act(&mut fetcher.to_leader);
                act(&mut fetcher.to_follower);
                any = true;
            }
        }
        for connection in &mut self.connections {
            let producer = &self.producers[connection.at_broker.producer as usize].spec.name;
            if fits(link, &LinkEnd::Producer(producer.clone()), id(connection.at_broker.broker)) {
                act(&mut connection.to_broker);
                act(&mut connection.at_broker.to_producer);
                any = true;
            }
        }
        any
    }

    /// A connection that is made while a fault of its link lasts suffers from it like the others.
    pub(super) fn apply_lasting_faults(&self, client: &LinkEnd, broker: i32, both: [&mut Direction; 2]) {
        for direction in both {
            for fault in &self.faults {
                let Some(ends) = fault.ends else { continue };
                match &fault.spec.kind {
                    FaultKind::LinkStall { link, .. } if fits(link, client, broker) => {
                        direction.stall_until(ends)
                    }
                    FaultKind::LinkDelay { link, extra, .. } if fits(link, client, broker) => {
                        direction.add_delay(*extra);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Moves leadership, or elects the sitting leader again. Returns whether it was done: not
    /// while the candidate is out of the ISR or paused.
    fn elect<O: Observer>(
        &mut self,
        topic: usize,
        number: usize,
        leader: i32,
        now: SimTime,
        observer: &mut O,
    ) -> bool {
        let place = (topic as u32, number as u32);
        let found = self.partitions.iter().position(|partition| (partition.topic, partition.number) == place);
        let index = found.expect("the specification was checked");
        let broker = self.broker_index(leader) as u32;
        let slot = self.partitions[index].slot_on(broker).expect("the specification was checked");
        if !self.partitions[index].leader.isr().contains(slot) || self.brokers[broker as usize].is_paused() {
            let refused = Happening::ElectionRefused { partition: index, candidate: leader };
            self.tell(observer, now, |_| refused);
            return false;
        }
        let moves = slot != self.partitions[index].leader.slot();
        if moves {
            self.take_from_fetchers(index, now, observer);
        }
        let former = self.partitions[index].leader_id();
        let before = self.logs_before(index, observer);
        let truncation = self.truncation;
        let partition = &mut self.partitions[index];
        let settings = &self.settings[partition.settings as usize];
        partition.elect(slot, settings, truncation, now, &mut self.stats);
        if let Some(timestamps) = &mut self.timestamps {
            timestamps.elected(index, partition.leader.log_end_offset());
        }
        self.leader_brokers[index] = broker;
        self.tell_election(index, former, &before, now, observer);
        if moves {
            self.fail_waiters(index, now, observer);
            for fetcher in self.assign_fetchers(index) {
                if self.fetchers[fetcher as usize].state == FetchState::Idle {
                    self.scheduler.schedule(now, Event::FetcherStarts { fetcher });
                }
            }
        } else {
            self.complete_waiters(index, now, observer);
        }
        self.check_partition(index);
        true
    }

    /// The partition's followers stop fetching it. Fetches of it that wait are answered: they
    /// would fail.
    fn take_from_fetchers<O: Observer>(&mut self, index: usize, now: SimTime, observer: &mut O) {
        let slots: Vec<usize> = self.partitions[index].leader.follower_slots().collect();
        for slot in slots {
            let fetcher = self.partitions[index].fetchers[slot];
            self.fetchers[fetcher as usize].remove(index as u32);
            if matches!(self.fetchers[fetcher as usize].state, FetchState::Waiting { .. }) {
                self.answer_waiting_fetch(fetcher, now, observer);
            }
        }
    }

    /// Requests that wait for the former leader's high watermark fail; their producers retry.
    fn fail_waiters<O: Observer>(&mut self, index: usize, now: SimTime, observer: &mut O) {
        while let Some(waiter) = self.partitions[index].waiters.pop_front(&self.requests) {
            self.answer_request(waiter, Some(ProduceError::NotLeaderOrFollower), now, observer);
        }
    }
}
