//! The model: what can happen.

use isrlab_sim::protocol::Offset;
use isrlab_sim::protocol::share::{AcknowledgeBatch, OffsetRange, RecordState};
use stateright::Model;

use super::claims;
use super::constants::{ShareConstants, ShareConstantsError, ShareVariant};
use super::state::{PersistedState, ShareLagState};
use super::steps::{MEMBER, below, code_of};
use crate::checker::{Checkable, Claim, Judgement, Packed};
use crate::trace::{Message, Moment, Variable};

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are what the variants' words name")]
pub enum ShareAction {
    /// A record is produced.
    Produce,
    /// Nothing is produced or altered any more.
    Stop,
    /// A member acquires the next record.
    Acquire { offset: u8 },
    /// It accepts a record.
    Accept { offset: u8 },
    /// It releases a record.
    Release { offset: u8 },
    /// Its lock of a record expires.
    Expire { offset: u8 },
    /// The oldest write reaches the share coordinator and its leader learns of it.
    WriteArrives,
    /// It is lost.
    WriteLost,
    /// It is applied, but its answer is lost.
    AnswerLost,
    /// The leader fails; another takes over.
    FailOver,
    /// The log start moves.
    MoveLogStart { offset: u8 },
    /// The group's offset is altered.
    Alter { offset: u8 },
    /// A leader that works on old state reads it anew.
    ReadAgain,
    /// The group coordinator makes the first of its two readings.
    FirstReading,
    /// It makes the second and answers.
    Answer,
}

const KINDS: [&str; 14] = [
    "produce",
    "stop",
    "acquire",
    "accept",
    "release",
    "lock expires",
    "write arrives",
    "first reading",
    "answer",
    "write lost",
    "answer of write lost",
    "fail-over",
    "log start moves",
    "alter",
];
const READ_AGAIN: &str = "leader reads again";

/// The model of one variant within one bound.
#[derive(Clone, Debug)]
pub struct ShareLag {
    pub(super) variant: ShareVariant,
    pub(super) constants: ShareConstants,
}

impl ShareLag {
    /// The model of `variant`.
    ///
    /// # Errors
    /// If the constants are out of range.
    pub fn new(variant: ShareVariant, constants: ShareConstants) -> Result<Self, ShareConstantsError> {
        constants.validate()?;
        Ok(Self { variant, constants })
    }

    /// Its variant.
    pub fn variant(&self) -> ShareVariant {
        self.variant
    }

    /// The lag that the group coordinator would answer if it made the second of its two readings
    /// now; none: it has not made the first, or the count is not known.
    pub fn lag_if_answered(&self, state: &ShareLagState) -> Option<i64> {
        claims::answer(state, self.variant)
    }

    /// Records that are still to be delivered.
    pub fn undelivered(&self, state: &ShareLagState) -> i64 {
        claims::truth(state, self.variant)
    }

    fn kind_name(action: &ShareAction) -> &'static str {
        match action {
            ShareAction::Produce => KINDS[0],
            ShareAction::Stop => KINDS[1],
            ShareAction::Acquire { .. } => KINDS[2],
            ShareAction::Accept { .. } => KINDS[3],
            ShareAction::Release { .. } => KINDS[4],
            ShareAction::Expire { .. } => KINDS[5],
            ShareAction::WriteArrives => KINDS[6],
            ShareAction::FirstReading => KINDS[7],
            ShareAction::Answer => KINDS[8],
            ShareAction::WriteLost => KINDS[9],
            ShareAction::AnswerLost => KINDS[10],
            ShareAction::FailOver => KINDS[11],
            ShareAction::MoveLogStart { .. } => KINDS[12],
            ShareAction::Alter { .. } => KINDS[13],
            ShareAction::ReadAgain => READ_AGAIN,
        }
    }

    fn member_steps<F: FnMut(ShareAction, ShareLagState)>(&self, state: &ShareLagState, visit: &mut F) {
        let next = state.partition(self.variant).next_fetch_offset();
        if next < Offset::from(state.log_end) && next >= Offset::from(state.log_start) {
            let acquired = state.lead(self.variant, false, |partition| {
                partition.acquire(MEMBER, 1, &[OffsetRange::new(next, next)], -1);
                None
            });
            visit(ShareAction::Acquire { offset: next as u8 }, acquired.expect("nothing is written"));
        }
        let acquired = code_of(RecordState::Acquired);
        for offset in
            (0..state.records.len() as u8).filter(|&at| state.records[usize::from(at)].state == acquired)
        {
            let at = Offset::from(offset);
            if offset >= state.start_offset {
                let kinds = [(ShareAction::Accept { offset }, 1), (ShareAction::Release { offset }, 2)];
                for (action, id) in kinds {
                    let done = state.lead(self.variant, true, |partition| {
                        let batch = AcknowledgeBatch::all(at, at, id);
                        partition.acknowledge(MEMBER, &[batch]).expect("the member holds the record")
                    });
                    if let Some(done) = done {
                        visit(action, done);
                    }
                }
            }
            if let Some(done) = state.lead(self.variant, false, |partition| Some(partition.expire_at(at))) {
                visit(ShareAction::Expire { offset }, done);
            }
        }
    }

    fn write_steps<F: FnMut(ShareAction, ShareLagState)>(&self, state: &ShareLagState, visit: &mut F) {
        if !state.writes[0].there {
            return;
        }
        visit(ShareAction::WriteArrives, state.end_write(self.variant, true, true));
        if u32::from(state.failures) < self.constants.failures {
            let failed = ShareLagState { failures: state.failures + 1, ..*state };
            visit(ShareAction::WriteLost, failed.end_write(self.variant, false, false));
            if self.constants.lost_answers {
                visit(ShareAction::AnswerLost, failed.end_write(self.variant, true, false));
            }
        }
    }

    fn fault_steps<F: FnMut(ShareAction, ShareLagState)>(&self, state: &ShareLagState, visit: &mut F) {
        if u32::from(state.leader_epoch) < self.constants.failovers {
            let mut next = ShareLagState { leader_epoch: state.leader_epoch + 1, ..*state };
            next.read_state(self.variant);
            visit(ShareAction::FailOver, next);
        } else if state.state_epoch != state.persisted.state_epoch {
            let mut next = *state;
            next.read_state(self.variant);
            visit(ShareAction::ReadAgain, next);
        }
        if u32::from(state.log_moves) < self.constants.log_moves {
            for offset in state.log_start + 1..=state.log_end {
                let mut next = ShareLagState { log_start: offset, log_moves: state.log_moves + 1, ..*state };
                next.done |= below(offset);
                let moved = next.lead(self.variant, false, |partition| {
                    partition.log_start_moved(Offset::from(offset));
                    None
                });
                visit(ShareAction::MoveLogStart { offset }, moved.expect("nothing is written"));
            }
        }
        let held = state
            .records
            .iter()
            .any(|record| record.pending || record.state == code_of(RecordState::Acquired));
        if !state.quiet && !held && u32::from(state.persisted.state_epoch) < self.constants.alterations {
            for offset in state.log_start..=state.log_end {
                let mut next = *state;
                let mut kept = state.share_state();
                kept.alter(Offset::from(offset));
                next.set_share_state(&kept);
                next.count_fell = state.count_fell;
                visit(ShareAction::Alter { offset }, next);
            }
        }
    }

    fn coordinator_steps<F: FnMut(ShareAction, ShareLagState)>(&self, state: &ShareLagState, visit: &mut F) {
        let first = match self.variant {
            ShareVariant::EndFirst => (state.log_end, 0),
            _ => (state.persisted.start_offset, state.persisted.count),
        };
        if state.read != Some(first) || !state.read_is_current {
            visit(
                ShareAction::FirstReading,
                ShareLagState { read: Some(first), read_is_current: true, ..*state },
            );
        }
        if let Some(lag) = claims::answer(state, self.variant) {
            let mut next = ShareLagState { read: None, read_is_current: false, ..*state };
            if state.quiet {
                let code = (lag.max(0) + 1) as u8;
                next.rose_in_quiet |= state.answered != 0 && code > state.answered;
                next.answered = code;
            }
            visit(ShareAction::Answer, next);
        }
    }
}

impl Model for ShareLag {
    type State = ShareLagState;
    type Action = ShareAction;

    /// Nothing produced; the group starts at 0, initialised before or after the upgrade.
    fn init_states(&self) -> Vec<ShareLagState> {
        [1, 0]
            .map(|count| ShareLagState {
                persisted: PersistedState { count, ..Default::default() },
                ..Default::default()
            })
            .to_vec()
    }

    fn actions(&self, state: &ShareLagState, actions: &mut Vec<ShareAction>) {
        self.for_each_step(state, |action, _| actions.push(action));
    }

    fn next_state(&self, state: &ShareLagState, action: ShareAction) -> Option<ShareLagState> {
        let mut outcome = None;
        self.for_each_step(state, |taken, next| {
            if taken == action {
                outcome = Some(next);
            }
        });
        outcome
    }
}

impl Checkable for ShareLag {
    fn title(&self) -> String {
        format!("share-lag {} {}", self.variant.name(), self.constants)
    }

    fn bound(&self) -> String {
        let ShareConstants { records, failovers, failures, lost_answers, log_moves, alterations } =
            self.constants;
        let lost = if lost_answers { " (perhaps after they were applied)" } else { "" };
        format!(
            "{records} records, {failovers} fail-overs, {failures} writes that fail{lost}, {log_moves} moves of \
             the log start, {alterations} alterations, {} writes under way, {} deliveries",
            ShareConstants::WRITES,
            ShareConstants::DELIVERIES
        )
    }

    fn action_kinds(&self) -> Vec<&'static str> {
        let constants = self.constants;
        let has = |kind: &&str| match *kind {
            "write lost" => constants.failures > 0,
            "answer of write lost" => constants.failures > 0 && constants.lost_answers,
            "fail-over" => constants.failovers > 0,
            "log start moves" => constants.log_moves > 0,
            "alter" | READ_AGAIN => constants.alterations > 0,
            _ => true,
        };
        KINDS.into_iter().chain([READ_AGAIN]).filter(has).collect()
    }

    fn action_kind(&self, action: &ShareAction) -> usize {
        let name = Self::kind_name(action);
        self.action_kinds().iter().position(|kind| *kind == name).expect("the model takes its own kinds only")
    }

    fn action_label(&self, from: &ShareLagState, action: &ShareAction) -> String {
        self.label(from, action)
    }

    fn message(&self, from: &ShareLagState, action: &ShareAction) -> Option<Message> {
        self.as_message(from, action)
    }

    fn participants(&self) -> Vec<String> {
        super::words::COLUMNS.map(str::to_owned).to_vec()
    }

    fn claims(&self) -> Vec<Claim> {
        claims::claims()
    }

    fn judge(&self, state: &ShareLagState) -> Judgement {
        claims::judge(state, self.variant)
    }

    fn variables(&self, state: &ShareLagState) -> Vec<Variable> {
        self.describe(state)
    }

    fn conclusion(&self, claim: usize, path: &[Moment<ShareLagState, ShareAction>]) -> Vec<String> {
        self.conclude(claim, path)
    }

    fn for_each_step<F: FnMut(ShareAction, ShareLagState)>(&self, state: &ShareLagState, mut visit: F) {
        if !state.quiet {
            if u32::from(state.log_end) < self.constants.records {
                visit(ShareAction::Produce, ShareLagState { log_end: state.log_end + 1, ..*state });
            }
            let stopped = ShareLagState { quiet: true, read: None, read_is_current: false, ..*state };
            visit(ShareAction::Stop, stopped);
        }
        self.member_steps(state, &mut visit);
        self.write_steps(state, &mut visit);
        self.fault_steps(state, &mut visit);
        self.coordinator_steps(state, &mut visit);
    }
}

impl Packed for ShareLag {
    type Word = u128;

    fn pack(&self, state: &ShareLagState) -> u128 {
        state.pack()
    }

    fn unpack(&self, word: u128) -> ShareLagState {
        ShareLagState::unpack(word)
    }
}
