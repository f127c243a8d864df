//! The way of a fetch: to the leader, through its state, perhaps waiting, and back.

use super::Cluster;
use super::broker::clock_ms;
use super::event::Event;
use super::fetcher::{AnswerBuilder, FetchState, wrapped};
use super::happening::{AppendSource, Happening};
use super::observer::{Observer, StepKind};
use super::partition::Partition;
use crate::engine::SimTime;
use crate::protocol::{FollowerLog, ReplicaSet, ReplicaSlot};

impl Cluster {
    pub(super) fn fetcher_starts<O: Observer>(&mut self, fetcher: u32, now: SimTime, observer: &mut O) {
        if self.fetchers[fetcher as usize].state == FetchState::Idle {
            self.send_fetch(fetcher, now, observer);
        }
    }

    #[inline(always)]
    fn send_fetch<O: Observer>(&mut self, fetcher: u32, now: SimTime, observer: &mut O) {
        let state = &mut self.fetchers[fetcher as usize];
        if state.partitions.is_empty() {
            state.state = FetchState::Idle;
            return;
        }
        match state.send(now) {
            Some(arrives) => {
                self.scheduler.schedule(arrives, Event::FetchArrives { fetcher });
                self.tell(observer, now, |cluster| Happening::FetchSent {
                    fetch: cluster.fetch_view(fetcher),
                    arrives,
                });
            }
            None => state.state = FetchState::Idle,
        }
    }

    #[inline]
    pub(super) fn fetch_arrives<O: Observer>(&mut self, fetcher: u32, now: SimTime, observer: &mut O) {
        let broker = self.fetchers[fetcher as usize].leader_broker;
        match self.brokers[broker as usize].serve(now) {
            Some(done) => self.scheduler.schedule(done, Event::FetchServed { fetcher }),
            None => self.fetch_served(fetcher, now, observer),
        }
    }

    /// The leader handles a fetch: for each partition it reads, takes the fetch into its state,
    /// and perhaps changes the ISR and the high watermark; then it answers or lets the fetch wait.
    #[inline]
    pub(super) fn fetch_served<O: Observer>(&mut self, fetcher: u32, now: SimTime, observer: &mut O) {
        self.stats.fetches += 1;
        let clock = clock_ms(now);
        let mut answer = AnswerBuilder::new(&self.limits);
        let mut answer_now = false;
        let state = &self.fetchers[fetcher as usize];
        let (count, number) = (state.partitions.len(), state.fetch_number);
        let mut next = state.first;
        for _ in 0..count {
            let at = next;
            next = wrapped(next + 1, count);
            let entry = &mut self.fetchers[fetcher as usize].partitions[at];
            if entry.since_fetch > number {
                continue;
            }
            let (index, slot) = (entry.partition as usize, entry.slot as ReplicaSlot);
            let partition = &mut self.partitions[index];
            let settings = &self.settings[partition.settings as usize];
            let offset = partition.logs[slot].log_end_offset;
            let high_watermark = partition.leader.high_watermark();
            let records = answer.add(partition, offset, at);
            answer_now |= self.answers_new_high_watermarks && entry.read_high_watermark < high_watermark;
            entry.read_high_watermark = high_watermark;
            entry.answer_records = records;
            entry.answer_high_watermark = high_watermark;
            let lag = partition.leader.log_end_offset() - offset;
            self.stats.max_lag_messages = self.stats.max_lag_messages.max(lag);
            let old_isr = partition.leader.isr();
            let before = *partition.leader.follower(slot);
            let effect = partition.leader.fetch(settings, slot, offset, clock);
            let was_in_isr = old_isr.contains(slot);
            let premise = was_in_isr && partition.leader.high_watermark() > 0;
            self.stats.exercised.join_attempts += u64::from(!was_in_isr);
            self.stats.exercised.hw_within_isr_premise += u64::from(premise);
            self.tell(observer, now, |cluster| Happening::FetchRead {
                fetch: cluster.fetch_view(fetcher),
                partition: index,
                slot,
                offset,
                records,
                leo: cluster.partitions[index].leader.log_end_offset(),
                high_watermark,
                before,
                after: *cluster.partitions[index].leader.follower(slot),
            });
            if effect.joined {
                self.note_joined(index, old_isr, now, observer);
            }
            if effect.high_watermark_rose {
                let partition = &mut self.partitions[index];
                partition.note_high_watermark(now, &mut self.stats);
                let waiters = !partition.waiters.is_empty();
                self.tell_high_watermark(index, high_watermark, now, observer);
                if waiters {
                    self.complete_waiters(index, now, observer);
                }
            }
            self.check_partition_here(index);
            self.tell_step(index, now, StepKind::Fetched { slot, offset, records }, observer);
        }
        let state = &mut self.fetchers[fetcher as usize];
        let enough = answer.bytes >= self.limits.replica_fetch_min_bytes;
        if enough || answer_now || self.limits.replica_fetch_wait_max.is_zero() {
            state.first = answer.next_first(state.first, count);
            self.send_answer(fetcher, answer.bytes, now, observer);
        } else {
            self.wait_for_data(fetcher, answer.bytes, now, observer);
        }
    }

    /// A fetch has just added a replica to the ISR, which was `old_isr`.
    #[inline(never)]
    fn note_joined<O: Observer>(
        &mut self,
        index: usize,
        old_isr: ReplicaSet,
        now: SimTime,
        observer: &mut O,
    ) {
        let partition = &mut self.partitions[index];
        let settings = &self.settings[partition.settings as usize];
        let change = partition.note_isr_change(old_isr, settings, now, &mut self.stats);
        observer.isr_changed(&change);
    }

    fn wait_for_data<O: Observer>(&mut self, fetcher: u32, bytes: u64, now: SimTime, observer: &mut O) {
        self.stats.fetches_delayed += 1;
        self.waiting_fetches += 1;
        let deadline = now + self.limits.replica_fetch_wait_max;
        let state = &mut self.fetchers[fetcher as usize];
        state.state = FetchState::Waiting { deadline };
        state.gathered = bytes;
        if !state.timer_pending {
            state.timer_pending = true;
            self.scheduler.schedule(deadline, Event::FetchExpires { fetcher });
        }
        self.tell(observer, now, |cluster| Happening::FetchWaits {
            fetch: cluster.fetch_view(fetcher),
            deadline,
        });
    }

    #[inline(always)]
    fn send_answer<O: Observer>(&mut self, fetcher: u32, bytes: u64, now: SimTime, observer: &mut O) {
        let arrives = self.fetchers[fetcher as usize].answer(now, bytes);
        self.scheduler.schedule(arrives, Event::FetchAnswered { fetcher });
        self.tell(observer, now, |cluster| Happening::FetchAnswered {
            fetch: cluster.fetch_view(fetcher),
            bytes,
            arrives,
        });
    }

    pub(super) fn fetch_expires<O: Observer>(&mut self, fetcher: u32, now: SimTime, observer: &mut O) {
        let state = &mut self.fetchers[fetcher as usize];
        state.timer_pending = false;
        let FetchState::Waiting { deadline } = state.state else { return };
        if deadline > now {
            state.timer_pending = true;
            self.scheduler.schedule(deadline, Event::FetchExpires { fetcher });
        } else {
            self.answer_waiting_fetch(fetcher, now, observer);
        }
    }

    /// `bytes` were appended to a partition: fetches that wait for it may have enough now.
    #[inline]
    pub(super) fn wake_fetches<O: Observer>(
        &mut self,
        index: usize,
        bytes: u64,
        now: SimTime,
        observer: &mut O,
    ) {
        if self.waiting_fetches > 0 {
            self.wake_waiting_fetches(index, bytes, now, observer);
        }
    }

    #[inline(never)]
    fn wake_waiting_fetches<O: Observer>(
        &mut self,
        index: usize,
        bytes: u64,
        now: SimTime,
        observer: &mut O,
    ) {
        for slot in self.partitions[index].leader.follower_slots() {
            let fetcher = self.partitions[index].fetchers[slot];
            let state = &mut self.fetchers[fetcher as usize];
            if matches!(state.state, FetchState::Waiting { .. })
                && (state.fetch_number >= state.newest_since
                    || state.fetch_number >= self.partitions[index].replica(slot).since_fetch)
            {
                state.gathered += bytes;
                if state.gathered >= self.limits.replica_fetch_min_bytes {
                    self.answer_waiting_fetch(fetcher, now, observer);
                }
            }
        }
    }

    /// Answers a fetch that waits with what is there now. The leader's state does not change:
    /// only the first read of a fetch counts.
    pub(super) fn answer_waiting_fetch<O: Observer>(&mut self, fetcher: u32, now: SimTime, observer: &mut O) {
        self.waiting_fetches -= 1;
        let bytes = self.fetchers[fetcher as usize].read_again(&self.partitions, &self.limits);
        self.send_answer(fetcher, bytes, now, observer);
    }

    /// The follower appends what it was answered, and fetches again.
    #[inline]
    pub(super) fn fetch_answered<O: Observer>(&mut self, fetcher: u32, now: SimTime, observer: &mut O) {
        let state = &self.fetchers[fetcher as usize];
        for entry in &state.partitions {
            if entry.since_fetch <= state.fetch_number {
                let partition = &mut self.partitions[entry.partition as usize];
                let log = &mut partition.logs[entry.slot as ReplicaSlot];
                let before = *log;
                log.append(entry.answer_records, entry.answer_high_watermark);
                if observer.wants_happenings() {
                    tell_follower(entry.partition as usize, entry.slot, &before, partition, now, observer);
                }
            }
        }
        self.send_fetch(fetcher, now, observer);
    }
}

/// Tells what an answer did to a follower's own log.
fn tell_follower<O: Observer>(
    index: usize,
    slot: u32,
    before: &FollowerLog,
    partition: &Partition,
    at: SimTime,
    observer: &mut O,
) {
    let broker = partition.replica(slot as ReplicaSlot).broker_id;
    let now = partition.logs[slot as ReplicaSlot];
    let (from, to) = (before.log_end_offset, now.log_end_offset);
    if from != to {
        let source = AppendSource::Fetch;
        observer.happened(at, &Happening::Appended { partition: index, broker, source, from, to });
    }
    let (from, to) = (before.high_watermark, now.high_watermark);
    if from != to {
        observer.happened(at, &Happening::HighWatermark { partition: index, broker, leads: false, from, to });
    }
}
