//! A share group that goes by a script: what the models do step by step, so that their
//! counterexamples can be seen here.

use super::millis;
use super::share::{ACCEPT, REJECT, RELEASE, ShareGroup};
use super::spec::ShareStep;
use crate::engine::SimTime;
use crate::protocol::Offset;
use crate::protocol::share::{AcknowledgeBatch, MemberId, OffsetRange, RecordState};

/// The one member of a group that goes by a script.
const MEMBER: MemberId = 1;

impl ShareGroup {
    /// Takes a step of the script, and counts it.
    pub(super) fn scripted(&mut self, step: ShareStep, now: SimTime, end: Offset) {
        match self.try_step(step, now, end) {
            Some(()) => self.script_steps += 1,
            None => self.script_steps_skipped += 1,
        }
    }

    /// Takes a step; none: it is not possible now.
    fn try_step(&mut self, step: ShareStep, now: SimTime, end: Offset) -> Option<()> {
        match step {
            ShareStep::Acquire(offset) => {
                let next = self.leader.next_fetch_offset();
                (next == offset && next < end && next >= self.log_start).then_some(())?;
                let fetched = [OffsetRange::new(offset, offset)];
                let acquired = self.leader.acquire(MEMBER, 1, &fetched, millis(now));
                (!acquired.is_empty()).then_some(())
            }
            ShareStep::Accept(offset) => self.settle(offset, ACCEPT, now),
            ShareStep::Release(offset) => self.settle(offset, RELEASE, now),
            ShareStep::Reject(offset) => self.settle(offset, REJECT, now),
            ShareStep::LockExpires(offset) => {
                let record = self.leader.record(offset)?;
                (record.state == RecordState::Acquired).then_some(())?;
                let write = self.leader.expire_at(offset);
                self.send(write, now);
                Some(())
            }
            ShareStep::WriteArrives => self.end_write(true, true),
            ShareStep::WriteLost => self.end_write(false, false),
            ShareStep::AnswerLost => self.end_write(true, false),
            ShareStep::FailOver => {
                self.take_over();
                Some(())
            }
            ShareStep::MoveLogStart(offset) => {
                (offset <= end).then_some(())?;
                self.move_log_start(offset);
                Some(())
            }
            ShareStep::Alter(offset) => {
                self.alter(offset);
                Some(())
            }
            ShareStep::ReadAgain => {
                self.read_state();
                Some(())
            }
            ShareStep::ReadFirst => {
                self.read_first(now, end);
                Some(())
            }
            ShareStep::Answer => self.answer(now, end).then_some(()),
        }
    }

    /// The member is done with a record, one way or the other.
    fn settle(&mut self, offset: Offset, id: i8, now: SimTime) -> Option<()> {
        let batch = AcknowledgeBatch::all(offset, offset, id);
        let write = self.leader.acknowledge(MEMBER, &[batch]).ok()??;
        self.counts.acknowledged += u64::from(id != RELEASE);
        self.send(write, now);
        Some(())
    }

    /// The oldest write under way ends.
    fn end_write(&mut self, applied: bool, told: bool) -> Option<()> {
        let write = self.under_way.pop_front()?;
        let refused = applied && self.apply(&write).is_some();
        let written = applied && told && !refused;
        self.counts.writes_failed += u64::from(!told);
        self.write_answered(&write, written);
        Some(())
    }
}
