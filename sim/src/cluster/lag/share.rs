//! A share group at work on one partition: members, leader, share coordinator, group coordinator.

use super::agenda::Agenda;
use super::spec::ShareGroupSpec;
use crate::engine::{SimDuration, SimTime};
use crate::protocol::Offset;
use crate::protocol::share::{
    AcknowledgeBatch, MemberId, OffsetRange, PersisterError, SharePartition, ShareState, StateSummary,
    StateWrite, UNKNOWN_COUNT, UNKNOWN_LAG, share_offset,
};

/// What the group or its surroundings do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Fetch { member: MemberId },
    Acknowledge { member: MemberId, range: OffsetRange, first_delivery: bool },
    WriteArrives(StateWrite),
    WriteAnswered { leader_epoch: i32, number: u64, error: Option<PersisterError> },
    Locks,
    FirstReading,
    SecondReading { summary: StateSummary, read_at: SimTime },
    FailOver,
    MoveLogStart(Offset),
    Alter(Offset),
    Watch,
}

impl Step {
    /// Its name in traces.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Step::Fetch { .. } => "fetch",
            Step::Acknowledge { .. } => "acknowledge",
            Step::WriteArrives(_) => "write-arrives",
            Step::WriteAnswered { .. } => "write-answered",
            Step::Locks => "lock-timeout-check",
            Step::FirstReading => "summary-read",
            Step::SecondReading { .. } => "end-offset-read",
            Step::FailOver => "fail-over",
            Step::MoveLogStart(_) => "log-start-moves",
            Step::Alter(_) => "offset-altered",
            Step::Watch => "lag-looked-at",
        }
    }
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
    leader: SharePartition,
    leader_epoch: i32,
    persisted: ShareState,
    log_start: Offset,
    /// When the group next looks for expired locks, if it does.
    locks_at: Option<SimTime>,
    pub(super) answered: Answered,
    /// Records that members have accepted or rejected.
    pub(super) acknowledged: u64,
}

const ACCEPT: i8 = 1;
const RELEASE: i8 = 2;
const REJECT: i8 = 3;

fn millis(at: SimTime) -> i64 {
    at.as_millis() as i64
}

fn is_each(every: Option<u32>, offset: Offset) -> bool {
    every.is_some_and(|every| offset % Offset::from(every) == Offset::from(every) - 1)
}

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
            acknowledged: 0,
        };
        group.take_over();
        for member in 1..=spec.members {
            group.agenda.add(SimTime::ZERO, Step::Fetch { member });
        }
        group.agenda.add(SimTime::ZERO + spec.describe_interval, Step::FirstReading);
        group.agenda.add(SimTime::ZERO + watch, Step::Watch);
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

    /// Another leader takes over from what is persisted.
    fn take_over(&mut self) {
        self.leader_epoch += 1;
        self.read_state();
    }

    fn read_state(&mut self) {
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
            Step::WriteArrives(write) => {
                let error = self.persisted.write(&write).err();
                let answer =
                    Step::WriteAnswered { leader_epoch: write.leader_epoch, number: write.number, error };
                self.agenda.add(now + self.spec.write_latency, answer);
            }
            Step::WriteAnswered { leader_epoch, number, error } => {
                if leader_epoch == self.leader_epoch {
                    self.leader.write_ended(number, error.is_none());
                    if error == Some(PersisterError::FencedStateEpoch) {
                        self.read_state();
                    }
                }
            }
            Step::Locks => self.expire_locks(now),
            Step::FirstReading => {
                let summary = self.persisted.summary();
                self.agenda.add(now + self.spec.describe_gap, Step::SecondReading { summary, read_at: now });
            }
            Step::SecondReading { summary, read_at } => {
                let lag = share_offset(Ok(summary), Some(end)).lag;
                self.answered = Answered {
                    lag: (lag != UNKNOWN_LAG).then_some(lag),
                    summary_at: Some(read_at),
                    end_at: Some(now),
                };
                self.agenda.add(read_at + self.spec.describe_interval, Step::FirstReading);
            }
            Step::FailOver => self.take_over(),
            Step::MoveLogStart(offset) => {
                self.log_start = offset;
                self.leader.log_start_moved(offset);
            }
            Step::Alter(offset) => {
                self.persisted.alter(offset);
                self.read_state();
            }
            Step::Watch => return true,
        }
        false
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
            self.acknowledged += batches.iter().filter(|batch| batch.types != [RELEASE]).count() as u64;
            self.send(write, now);
        }
    }

    fn send(&mut self, write: StateWrite, now: SimTime) {
        self.agenda.add(now + self.spec.write_latency, Step::WriteArrives(write));
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
