//! The source task: from the source partition to the target's producer.

use crate::protocol::Offset;
use std::collections::VecDeque;

/// A source task's progress on one partition. Offsets are the source's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct SourceTask {
    position: Offset,
    /// What was handed to the producer, in order, from the first that is not acknowledged on.
    in_flight: VecDeque<(Offset, bool)>,
    committable: Option<Offset>,
}

impl SourceTask {
    /// A task that starts after the last offset in the offset store, or at `first` when there is
    /// none.
    pub fn start(stored: Option<Offset>, first: Offset) -> SourceTask {
        let position = stored.map_or(first, |offset| offset + 1);
        SourceTask { position, in_flight: VecDeque::new(), committable: stored }
    }

    /// A task in the middle of its work, for models: `in_flight` has what was handed to the
    /// producer and whether it is acknowledged, in order.
    pub fn restored(
        position: Offset,
        committable: Option<Offset>,
        in_flight: impl IntoIterator<Item = (Offset, bool)>,
    ) -> SourceTask {
        let mut task = SourceTask { position, in_flight: in_flight.into_iter().collect(), committable };
        task.settle();
        task
    }

    /// The next offset to be polled.
    pub fn position(&self) -> Offset {
        self.position
    }

    /// Records on their way to the target, or waiting for one before them.
    pub fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// Those records in the order of their polls, and whether each is acknowledged.
    pub fn in_flight_records(&self) -> impl Iterator<Item = (Offset, bool)> {
        self.in_flight.iter().copied()
    }

    /// The last offset up to which everything is acknowledged: what a flush stores.
    pub fn committable(&self) -> Option<Offset> {
        self.committable
    }

    /// A poll returned `records` (offsets that rise; offsets between may hold none) and the
    /// consumer goes on at `position`. They are handed to the producer at once.
    pub fn polled(&mut self, records: impl IntoIterator<Item = Offset>, position: Offset) {
        self.in_flight.extend(records.into_iter().map(|offset| (offset, false)));
        self.position = position;
    }

    /// The producer's callback for the record of that source offset. Callbacks may come in any
    /// order; one for what is not in flight (of a task before this one) is ignored.
    pub fn acknowledged(&mut self, offset: Offset) {
        // The callback is for the oldest one of that offset, nearly always the first.
        if let Some(record) = self.in_flight.iter_mut().find(|record| **record == (offset, false)) {
            record.1 = true;
        }
        self.settle();
    }

    fn settle(&mut self) {
        while let Some(&(offset, true)) = self.in_flight.front() {
            self.committable = Some(offset);
            self.in_flight.pop_front();
        }
    }

    /// The source topic is another one under the same name: the consumer's position is out of
    /// range, and it goes on at `first`.
    pub fn reset(&mut self, first: Offset) {
        self.position = first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_committed_has_no_gap() {
        let mut task = SourceTask::start(None, 0);
        task.polled([0, 1, 3], 4);
        task.acknowledged(1);
        assert_eq!((task.committable(), task.in_flight()), (None, 3));
        task.acknowledged(0);
        assert_eq!((task.committable(), task.in_flight()), (Some(1), 1));
        task.acknowledged(3);
        task.acknowledged(3);
        assert_eq!((task.committable(), task.in_flight(), task.position()), (Some(3), 0, 4));
    }

    #[test]
    fn a_task_starts_after_what_was_stored() {
        assert_eq!(SourceTask::start(Some(6), 2).position(), 7);
        assert_eq!(SourceTask::start(Some(6), 2).committable(), Some(6));
        assert_eq!(SourceTask::start(None, 2).position(), 2);
    }
}
