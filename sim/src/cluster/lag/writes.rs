//! What goes wrong with writes to the share coordinator.

use crate::engine::SimDuration;

/// What a fault does to the writes that are sent while it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteFault {
    /// They are not applied, and the leader learns that they failed.
    Fails,
    /// They are applied, but their answers are lost: the leader gives them up as failed.
    AnswerLost,
    /// They are under way so much longer, above 0; writes sent after them wait behind them.
    Late(SimDuration),
}

/// What becomes of one write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Arrives,
    Lost,
    AnswerLost,
}

/// The faults that last at the same time.
#[derive(Clone, Debug, Default)]
pub(super) struct WriteFaults {
    lasting: Vec<WriteFault>,
}

impl WriteFaults {
    /// One begins or ends.
    pub(super) fn set(&mut self, fault: WriteFault, lasts: bool) {
        if lasts {
            self.lasting.push(fault);
        } else if let Some(at) = self.lasting.iter().position(|lasting| *lasting == fault) {
            self.lasting.remove(at);
        }
    }

    /// What becomes of a write that is sent now: one that fails has no answer to be lost.
    pub(super) fn fate(&self) -> Fate {
        let has = |fault| self.lasting.contains(&fault);
        match (has(WriteFault::Fails), has(WriteFault::AnswerLost)) {
            (true, _) => Fate::Lost,
            (false, true) => Fate::AnswerLost,
            (false, false) => Fate::Arrives,
        }
    }

    /// How much longer it is under way.
    pub(super) fn extra(&self) -> SimDuration {
        let late = self.lasting.iter().filter_map(|fault| match fault {
            WriteFault::Late(extra) => Some(*extra),
            _ => None,
        });
        late.fold(SimDuration::ZERO, |all, extra| all + extra)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_add_up_and_end_one_by_one() {
        let mut faults = WriteFaults::default();
        let late = WriteFault::Late(SimDuration::from_millis(3));
        for fault in [WriteFault::AnswerLost, late, late, WriteFault::Fails] {
            faults.set(fault, true);
        }
        assert_eq!((faults.fate(), faults.extra()), (Fate::Lost, SimDuration::from_millis(6)));
        faults.set(WriteFault::Fails, false);
        faults.set(late, false);
        assert_eq!((faults.fate(), faults.extra()), (Fate::AnswerLost, SimDuration::from_millis(3)));
        faults.set(WriteFault::AnswerLost, false);
        assert_eq!(faults.fate(), Fate::Arrives);
    }
}
