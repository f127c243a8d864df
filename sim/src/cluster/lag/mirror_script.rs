//! A mirror that goes by a script: what the models do step by step, so that their counterexamples
//! can be seen here.

use super::millis;
use super::mirror::{Mirror, Then};
use super::spec::MirrorStep;
use crate::engine::SimTime;
use crate::protocol::Offset;
use crate::protocol::mirror::Reading;

impl Mirror {
    /// Takes a step of the script, and counts it.
    pub(super) fn scripted(
        &mut self,
        step: MirrorStep,
        now: SimTime,
        high_watermark: Offset,
        end: Offset,
    ) -> Then {
        match self.try_step(step, now, high_watermark, end) {
            Some(then) => {
                self.script_steps += 1;
                then
            }
            None => {
                self.script_steps_skipped += 1;
                Then::Nothing
            }
        }
    }

    /// Takes a step; none: it is not possible now.
    fn try_step(
        &mut self,
        step: MirrorStep,
        now: SimTime,
        high_watermark: Offset,
        end: Offset,
    ) -> Option<Then> {
        match step {
            MirrorStep::AnswerPoll => self.poll = Some((end, now)),
            MirrorStep::PollReturns => {
                let (end, read_at) = self.poll.take()?;
                self.take_poll(end, read_at);
            }
            MirrorStep::Callback(offset) => {
                self.task.in_flight_records().find(|record| *record == (offset, false))?;
                self.task.acknowledged(offset);
                self.in_target.add(offset);
                self.meters.iter_mut().for_each(|meter| meter.replicated(offset, millis(now)));
                return Some(Then::Append(1));
            }
            MirrorStep::Flush => self.stored = self.task.committable(),
            MirrorStep::Restart { written } => {
                let waiting = self.task.in_flight_records().filter(|(_, acknowledged)| !acknowledged);
                let waiting: Vec<Offset> = waiting.map(|(offset, _)| offset).collect();
                (self.poll, self.sample) = (None, None);
                self.begin(now);
                if written && !waiting.is_empty() {
                    waiting.iter().for_each(|&offset| self.in_target.add(offset));
                    return Some(Then::Append(waiting.len() as Offset));
                }
            }
            MirrorStep::AnswerSample => self.sample = Some((end, now)),
            MirrorStep::SampleReturns => {
                let (end, read_at) = self.sample.take()?;
                self.tell_sampled(Reading { offset: end, at: millis(read_at) }, now);
            }
            MirrorStep::Recreate => {
                (self.poll, self.sample) = (None, None);
                self.recreate(high_watermark);
            }
        }
        Some(Then::Nothing)
    }
}
