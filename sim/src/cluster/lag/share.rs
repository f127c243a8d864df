//! A share group at work on one partition: members, leader, share coordinator, group coordinator.

use super::agenda::Agenda;
use super::spec::{FirstReading, ShareGroupSpec, ShareStep};
use super::summary::ShareCounts;
use super::writes::{Fate, WriteFault, WriteFaults};
use super::{is_each, millis};
use crate::engine::{SimDuration, SimTime};
use crate::protocol::Offset;
use crate::protocol::share::{
    AcknowledgeBatch, MemberId, OffsetRange, PersisterError, SharePartition, ShareState, StateSummary,
    StateWrite, UNKNOWN_COUNT, share_offset,
};
use std::collections::VecDeque;

/// What the group or its surroundings do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Fetch { member: MemberId },
    Acknowledge { member: MemberId, range: OffsetRange, first_delivery: bool },
    WriteArrives { write: StateWrite, fate: Fate },
    WriteAnswered { write: StateWrite, error: Option<PersisterError> },
    Locks,
    FirstReading,
    SecondReading { read_at: SimTime },
    FailOver,
    MoveLogStart(Offset),
    Alter(Offset),
    Scripted(ShareStep),
    Watch,
}

impl Step {
    /// Its name in traces.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Step::Fetch { .. } => "fetch",
            Step::Acknowledge { .. } => "acknowledge",
            Step::WriteArrives { .. } => "write-arrives",
            Step::WriteAnswered { .. } => "write-answered",
            Step::Locks => "lock-timeout-check",
            Step::FirstReading => "first-reading",
            Step::SecondReading { .. } => "second-reading",
            Step::FailOver => "fail-over",
            Step::MoveLogStart(_) => "log-start-moves",
            Step::Alter(_) => "offset-altered",
            Step::Scripted(step) => match step {
                ShareStep::Acquire(_) => "scripted-acquire",
                ShareStep::Accept(_) => "scripted-accept",
                ShareStep::Release(_) => "scripted-release",
                ShareStep::Reject(_) => "scripted-reject",
                ShareStep::LockExpires(_) => "scripted-lock-timeout",
                ShareStep::WriteArrives => "scripted-write-arrives",
                ShareStep::WriteLost => "scripted-write-lost",
                ShareStep::AnswerLost => "scripted-answer-lost",
                ShareStep::FailOver => "scripted-fail-over",
                ShareStep::MoveLogStart(_) => "scripted-log-start-moves",
                ShareStep::Alter(_) => "scripted-offset-altered",
                ShareStep::ReadAgain => "scripted-state-read-again",
                ShareStep::ReadFirst => "scripted-first-reading",
                ShareStep::Answer => "scripted-second-reading",
            },
            Step::Watch => "lag-looked-at",
        }
    }
}

/// What the group coordinator has read first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    Summary(StateSummary),
    EndOffset(Offset),
}

/// The last answer of the group coordinator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answered {
    pub(super) lag: Option<i64>,
    pub(super) summary_at: Option<SimTime>,
    pub(super) end_at: Option<SimTime>,
}

/// A share group under way.
#[derive(Debug)]
pub(super) struct ShareGroup {
    pub(super) spec: ShareGroupSpec,
    /// Number of the partition through all topics.
    pub(super) partition: usize,
    pub(super) agenda: Agenda<Step>,
    pub(super) leader: SharePartition,
    leader_epoch: i32,
    pub(super) persisted: ShareState,
    pub(super) log_start: Offset,
    /// When the group next looks for expired locks, if it does.
    locks_at: Option<SimTime>,
    pub(super) answered: Answered,
    /// The first of the group coordinator's two readings, and when it was made.
    read: Option<(Read, SimTime)>,
    /// The last lag answered, the end offset that it went by, unless something else than the
    /// members' work may change it since.
    last_lag: Option<(i64, Offset)>,
    pub(super) counts: ShareCounts,
    /// Faults of the writes to the share coordinator that last now.
    pub(super) faults: WriteFaults,
    /// When the last write sent arrives.
    last_arrival: SimTime,
    /// Of a group that goes by a script: writes under way, the oldest first, and steps so far.
    pub(super) under_way: VecDeque<StateWrite>,
    pub(super) script_steps: u64,
    pub(super) script_steps_skipped: u64,
}

pub(super) const ACCEPT: i8 = 1;
pub(super) const RELEASE: i8 = 2;
pub(super) const REJECT: i8 = 3;

impl ShareGroup {
    pub(super) fn new(spec: &ShareGroupSpec, partition: usize, watch: SimDuration) -> ShareGroup {
        let mut persisted = ShareState::initialized(0, 0);
        if spec.written_before_upgrade {
            persisted = ShareState::found(0, 0, 0, UNKNOWN_COUNT, Vec::new());
        }
        let mut group = ShareGroup {
            spec: spec.clone(),
            partition,
            agenda: Agenda::new(),
            leader: SharePartition::new(spec.settings, 0),
            leader_epoch: -1,
            persisted,
            log_start: 0,
            locks_at: None,
            answered: Answered::default(),
            read: None,
            last_lag: None,
            counts: ShareCounts::default(),
            faults: WriteFaults::default(),
            last_arrival: SimTime::ZERO,
            under_way: VecDeque::new(),
            script_steps: 0,
            script_steps_skipped: 0,
        };
        group.take_over();
        group.agenda.add(SimTime::ZERO + watch, Step::Watch);
        for &(at, step) in &spec.script {
            group.agenda.add(at, Step::Scripted(step));
        }
        if group.is_scripted() {
            return group;
        }
        for member in 1..=spec.members {
            group.agenda.add(SimTime::ZERO, Step::Fetch { member });
        }
        group.agenda.add(SimTime::ZERO + spec.describe_interval, Step::FirstReading);
        for &at in &spec.fail_overs {
            group.agenda.add(at, Step::FailOver);
        }
        for &(at, offset) in &spec.log_starts {
            group.agenda.add(at, Step::MoveLogStart(offset));
        }
        for &(at, offset) in &spec.alterations {
            group.agenda.add(at, Step::Alter(offset));
        }
        group
    }

    pub(super) fn is_scripted(&self) -> bool {
        !self.spec.script.is_empty()
    }

    /// Another leader takes over from what is persisted.
    pub(super) fn take_over(&mut self) {
        self.leader_epoch += 1;
        self.read_state();
    }

    /// The leader reads the persisted state.
    pub(super) fn read_state(&mut self) {
        self.leader = SharePartition::new(self.spec.settings, self.leader_epoch);
        let read = self.persisted.read(self.leader_epoch);
        self.leader.initialize(read, self.log_start).expect("the persisted state is sound");
        self.leader.log_start_moved(self.log_start);
    }

    /// Records that are still to be delivered.
    pub(super) fn truth(&self, end: Offset) -> Offset {
        self.leader.undelivered(end)
    }

    /// Takes the next step; `end` is the partition's high watermark. Returns whether the lag is to
    /// be looked at.
    pub(super) fn step(&mut self, now: SimTime, end: Offset) -> bool {
        let Some(step) = self.agenda.next() else { return false };
        match step {
            Step::Fetch { member } => self.fetch(member, now, end),
            Step::Acknowledge { member, range, first_delivery } => {
                self.acknowledge(member, range, first_delivery, now);
            }
            Step::WriteArrives { write, fate } => {
                let error = match fate {
                    Fate::Lost => Some(PersisterError::CoordinatorNotAvailable),
                    Fate::Arrives => self.apply(&write),
                    Fate::AnswerLost => self.apply(&write).or(Some(PersisterError::CoordinatorNotAvailable)),
                };
                self.agenda.add(now + self.spec.write_latency, Step::WriteAnswered { write, error });
            }
            Step::WriteAnswered { write, error } => {
                if self.write_answered(&write, error.is_none())
                    && error == Some(PersisterError::FencedStateEpoch)
                {
                    self.read_state();
                }
            }
            Step::Locks => self.expire_locks(now),
            Step::FirstReading => {
                self.read_first(now, end);
                self.agenda.add(now + self.spec.describe_gap, Step::SecondReading { read_at: now });
            }
            Step::SecondReading { read_at } => {
                self.answer(now, end);
                self.agenda.add(read_at + self.spec.describe_interval, Step::FirstReading);
            }
            Step::FailOver => self.take_over(),
            Step::MoveLogStart(offset) => self.move_log_start(offset),
            Step::Alter(offset) => {
                self.alter(offset);
                self.read_state();
            }
            Step::Scripted(step) => self.scripted(step, now, end),
            Step::Watch => return true,
        }
        false
    }

    /// The share coordinator takes a write, or says why not.
    pub(super) fn apply(&mut self, write: &StateWrite) -> Option<PersisterError> {
        let mut write = write.clone();
        if !self.spec.fencing {
            let now = self.persisted.summary();
            (write.leader_epoch, write.state_epoch) = (now.leader_epoch, now.state_epoch);
        }
        self.persisted.write(&write).err()
    }

    /// The leader learns what became of a write, if it is the one that sent it and still works on
    /// the same state: numbers of writes begin anew with either. Returns whether it is.
    pub(super) fn write_answered(&mut self, write: &StateWrite, written: bool) -> bool {
        let own = (write.leader_epoch, write.state_epoch) == self.leader.epochs();
        if own {
            self.leader.write_ended(write.number, written);
        }
        own
    }

    pub(super) fn move_log_start(&mut self, offset: Offset) {
        self.log_start = self.log_start.max(offset);
        self.leader.log_start_moved(offset);
    }

    pub(super) fn alter(&mut self, offset: Offset) {
        self.persisted.alter(offset);
        self.last_lag = None;
    }

    /// The group coordinator makes the first of its two readings.
    pub(super) fn read_first(&mut self, now: SimTime, end: Offset) {
        let read = match self.spec.first_reading {
            FirstReading::Summary => Read::Summary(self.persisted.summary()),
            FirstReading::EndOffset => Read::EndOffset(end),
        };
        self.read = Some((read, now));
    }

    /// It makes the second and answers; returns whether there was a first one.
    pub(super) fn answer(&mut self, now: SimTime, end: Offset) -> bool {
        let Some((read, read_at)) = self.read.take() else { return false };
        let (summary, end, summary_at, end_at) = match read {
            Read::Summary(summary) => (summary, end, read_at, now),
            Read::EndOffset(end) => (self.persisted.summary(), end, now, read_at),
        };
        let known = summary.start_offset >= 0 && summary.delivery_complete_count != UNKNOWN_COUNT;
        let lag = known.then_some(share_offset(Ok(summary), Some(end)).lag);
        if let (Some(lag), Some((before, before_end))) = (lag, self.last_lag)
            && before_end == end
            && lag > before
        {
            self.counts.quiet_rises += 1;
            self.counts.quiet_rise_max = self.counts.quiet_rise_max.max(lag - before);
        }
        self.last_lag = lag.map(|lag| (lag, end));
        self.answered = Answered { lag, summary_at: Some(summary_at), end_at: Some(end_at) };
        true
    }

    /// A fault of the writes to the share coordinator begins or ends.
    pub(super) fn set_write_fault(&mut self, fault: WriteFault, lasts: bool) {
        self.faults.set(fault, lasts);
    }

    fn fetch(&mut self, member: MemberId, now: SimTime, end: Offset) {
        let from = self.leader.next_fetch_offset().max(self.log_start);
        let to = end.min(from + Offset::from(self.spec.max_records));
        let acquired = if from < to && self.leader.can_acquire() {
            let fetched = [OffsetRange::new(from, to - 1)];
            self.leader.acquire(member, self.spec.max_records, &fetched, millis(now))
        } else {
            Vec::new()
        };
        if acquired.is_empty() {
            self.agenda.add(now + self.spec.fetch_interval, Step::Fetch { member });
            return;
        }
        let done = now + self.spec.process_time;
        for acquired in acquired {
            let first_delivery = acquired.delivery_count == 1;
            self.agenda.add(done, Step::Acknowledge { member, range: acquired.range, first_delivery });
        }
        self.agenda.add(done + self.spec.fetch_interval, Step::Fetch { member });
        self.watch_locks();
    }

    fn acknowledge(&mut self, member: MemberId, range: OffsetRange, first_delivery: bool, now: SimTime) {
        let spec = &self.spec;
        let batches: Vec<AcknowledgeBatch> = (range.first..=range.last)
            .filter(|&offset| !is_each(spec.forget_every, offset))
            .map(|offset| {
                let id = if is_each(spec.reject_every, offset) {
                    REJECT
                } else if is_each(spec.release_every, offset) && first_delivery {
                    RELEASE
                } else {
                    ACCEPT
                };
                AcknowledgeBatch::all(offset, offset, id)
            })
            .collect();
        // A lock that has expired, or a leader that failed, makes this an error of the member's.
        if let Ok(Some(write)) = self.leader.acknowledge(member, &batches) {
            self.counts.acknowledged +=
                batches.iter().filter(|batch| batch.types != [RELEASE]).count() as u64;
            self.send(write, now);
        }
    }

    /// The leader sends a write. What lasts when it is sent decides what becomes of it.
    pub(super) fn send(&mut self, write: StateWrite, now: SimTime) {
        self.counts.writes += 1;
        if self.is_scripted() {
            self.under_way.push_back(write);
            return;
        }
        let (fate, extra) = (self.faults.fate(), self.faults.extra());
        self.counts.writes_failed += u64::from(fate != Fate::Arrives);
        self.counts.writes_late += u64::from(!extra.is_zero());
        // No write overtakes another.
        let arrives = self.last_arrival.max(now + self.spec.write_latency + extra);
        self.last_arrival = arrives;
        self.agenda.add(arrives, Step::WriteArrives { write, fate });
    }

    fn watch_locks(&mut self) {
        let Some(expiry) = self.leader.next_expiry() else { return };
        let at = SimTime::from_millis(expiry as u64);
        if self.locks_at.is_none_or(|known| at < known) {
            self.locks_at = Some(at);
            self.agenda.add(at, Step::Locks);
        }
    }

    fn expire_locks(&mut self, now: SimTime) {
        self.locks_at = None;
        while let Some(write) = self.leader.expire_lock(millis(now)) {
            self.send(write, now);
        }
        self.watch_locks();
    }
}
