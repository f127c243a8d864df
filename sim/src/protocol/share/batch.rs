//! Records that were acquired together, as one until they are told apart.

use super::record::{Lock, OffsetRange, Record};
use crate::protocol::Offset;

/// How the records of a batch are kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Records {
    /// All are alike.
    Alike(Record),
    /// One for each offset.
    Each(Vec<Record>),
}

/// A batch in flight: what is written of it to the persister is one entry while its records are
/// alike, and one for each offset afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Batch {
    pub(super) range: OffsetRange,
    records: Records,
}

impl Batch {
    pub(super) fn new(range: OffsetRange, record: Record) -> Batch {
        Batch { range, records: Records::Alike(record) }
    }

    pub(super) fn is_alike(&self) -> bool {
        matches!(self.records, Records::Alike(_))
    }

    /// The record that stands for all offsets, while they are alike.
    pub(super) fn alike(&self) -> Option<&Record> {
        match &self.records {
            Records::Alike(record) => Some(record),
            Records::Each(_) => None,
        }
    }

    pub(super) fn record(&self, offset: Offset) -> &Record {
        match &self.records {
            Records::Alike(record) => record,
            Records::Each(records) => &records[(offset - self.range.first) as usize],
        }
    }

    /// Tells the offsets apart. Locks keep their deadline, and get a number each.
    pub(super) fn split(&mut self, mut lock_number: impl FnMut() -> u64) {
        let Records::Alike(record) = self.records else { return };
        let each = (0..self.range.len()).map(|_| Record {
            lock: record.lock.map(|lock| Lock { number: lock_number(), ..lock }),
            ..record
        });
        self.records = Records::Each(each.collect());
    }

    /// Each run of offsets that is kept as one, with its record.
    pub(super) fn runs(&self) -> impl Iterator<Item = (OffsetRange, &Record)> {
        let (ranges, records): (Vec<OffsetRange>, &[Record]) = match &self.records {
            Records::Alike(record) => (vec![self.range], std::slice::from_ref(record)),
            Records::Each(records) => {
                ((self.range.first..=self.range.last).map(|at| OffsetRange::new(at, at)).collect(), records)
            }
        };
        ranges.into_iter().zip(records)
    }

    /// As [`Batch::runs`], to be changed.
    pub(super) fn runs_mut(&mut self) -> impl Iterator<Item = (OffsetRange, &mut Record)> {
        let whole = self.range;
        let (records, alike) = match &mut self.records {
            Records::Alike(record) => (std::slice::from_mut(record), true),
            Records::Each(records) => (records.as_mut_slice(), false),
        };
        records
            .iter_mut()
            .zip(whole.first..)
            .map(move |(record, at)| (if alike { whole } else { OffsetRange::new(at, at) }, record))
    }

    /// Offsets from `from` on whose record is terminal.
    pub(super) fn terminal_from(&self, from: Offset) -> Offset {
        let within = |range: OffsetRange| (range.last - range.first.max(from) + 1).max(0);
        match &self.records {
            Records::Alike(record) => {
                if record.state.is_terminal() {
                    within(self.range)
                } else {
                    0
                }
            }
            Records::Each(records) => {
                let skip = (from - self.range.first).max(0) as usize;
                records.iter().skip(skip).filter(|record| record.state.is_terminal()).count() as Offset
            }
        }
    }
}
