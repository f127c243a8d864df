//! One record in flight: its state, and how often and to whom it was delivered.

use crate::protocol::{Offset, TimeMs};

/// A member of a share group. Small numbers instead of Kafka's UUIDs.
pub type MemberId = u32;

/// Nobody: the record is not acquired.
pub const NO_MEMBER: MemberId = 0;

/// The state of a record between the share-partition start and end offset (KIP-932).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordState {
    /// It can be acquired.
    Available,
    /// A member holds it under a lock.
    Acquired,
    /// It was accepted: terminal.
    Acknowledged,
    /// It was rejected, has used up its deliveries or is gone from the log: terminal.
    Archived,
}

impl RecordState {
    /// Whether it can never be delivered again.
    #[inline]
    pub fn is_terminal(self) -> bool {
        matches!(self, RecordState::Acknowledged | RecordState::Archived)
    }

    /// Kafka's number of the state, as it is persisted.
    pub fn id(self) -> i8 {
        match self {
            RecordState::Available => 0,
            RecordState::Acquired => 1,
            RecordState::Acknowledged => 2,
            RecordState::Archived => 4,
        }
    }

    /// The state with Kafka's number `id`, if there is one.
    pub fn of_id(id: i8) -> Option<RecordState> {
        [RecordState::Available, RecordState::Acquired, RecordState::Acknowledged, RecordState::Archived]
            .into_iter()
            .find(|state| state.id() == id)
    }

    /// Kafka's name of the state.
    pub fn name(self) -> &'static str {
        match self {
            RecordState::Available => "AVAILABLE",
            RecordState::Acquired => "ACQUIRED",
            RecordState::Acknowledged => "ACKNOWLEDGED",
            RecordState::Archived => "ARCHIVED",
        }
    }
}

/// How a member acknowledges a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AcknowledgeType {
    /// The offset holds no record.
    Gap,
    /// Processed.
    Accept,
    /// Not processed; to be delivered again.
    Release,
    /// Never to be delivered again.
    Reject,
}

impl AcknowledgeType {
    /// The type with Kafka's number `id` (0 gap, 1 accept, 2 release, 3 reject), if there is one.
    pub fn of_id(id: i8) -> Option<AcknowledgeType> {
        match id {
            0 => Some(AcknowledgeType::Gap),
            1 => Some(AcknowledgeType::Accept),
            2 => Some(AcknowledgeType::Release),
            3 => Some(AcknowledgeType::Reject),
            _ => None,
        }
    }

    /// The state that it asks for.
    pub fn target(self) -> RecordState {
        match self {
            AcknowledgeType::Gap | AcknowledgeType::Reject => RecordState::Archived,
            AcknowledgeType::Accept => RecordState::Acknowledged,
            AcknowledgeType::Release => RecordState::Available,
        }
    }
}

/// An acquisition lock. Locks that end at the same time expire in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lock {
    /// When it expires.
    pub deadline: TimeMs,
    /// Order in which locks were made.
    pub number: u64,
}

/// A record in flight. Batches that were never told apart share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Its state; while a write is under way, the state that the write is to make lasting.
    pub state: RecordState,
    /// Deliveries so far, this one included.
    pub delivery_count: u16,
    /// Who holds it; [`NO_MEMBER`] unless Acquired.
    pub member: MemberId,
    /// The lock of its holder; kept while a write is under way, for the case that it fails.
    pub lock: Option<Lock>,
    /// The write that is to make the state lasting, and who held the record before.
    pub pending: Option<(u64, MemberId)>,
}

impl Record {
    /// A record in `state` that nobody holds.
    pub fn at_rest(state: RecordState, delivery_count: u16) -> Record {
        Record { state, delivery_count, member: NO_MEMBER, lock: None, pending: None }
    }

    /// A record that `member` has acquired.
    pub fn acquired(member: MemberId, delivery_count: u16, lock: Lock) -> Record {
        Record { state: RecordState::Acquired, delivery_count, member, lock: Some(lock), pending: None }
    }

    /// Whether it can be acquired now: not while the write of its release is under way.
    #[inline]
    pub fn is_available(&self) -> bool {
        self.state == RecordState::Available && self.pending.is_none()
    }

    /// Whether its terminal state is lasting.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.state.is_terminal() && self.pending.is_none()
    }

    /// Gives an acquired record the state `target`; one that has used up its deliveries is
    /// archived instead of made available.
    pub(super) fn leave_acquired(&mut self, target: RecordState, deliveries_max: u16) {
        let used_up = target == RecordState::Available && self.delivery_count >= deliveries_max;
        self.state = if used_up { RecordState::Archived } else { target };
        self.member = NO_MEMBER;
    }

    /// As [`Record::leave_acquired`], to be made lasting by write number `write`.
    pub(super) fn leave_acquired_pending(&mut self, target: RecordState, deliveries_max: u16, write: u64) {
        self.pending = Some((write, self.member));
        self.leave_acquired(target, deliveries_max);
    }

    /// The write under way has ended: the state lasts, or the record is Acquired as before.
    pub(super) fn end_write(&mut self, written: bool) {
        let Some((_, member)) = self.pending.take() else { return };
        if written {
            self.lock = None;
        } else {
            self.state = RecordState::Acquired;
            self.member = member;
        }
    }
}

/// Offsets from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OffsetRange {
    /// First offset.
    pub first: Offset,
    /// Last offset, not below the first.
    pub last: Offset,
}

impl OffsetRange {
    /// From `first` to `last`, both included.
    pub fn new(first: Offset, last: Offset) -> OffsetRange {
        OffsetRange { first, last }
    }

    /// Number of offsets.
    #[allow(clippy::len_without_is_empty, reason = "a range is never empty")]
    pub fn len(&self) -> Offset {
        self.last - self.first + 1
    }

    /// Whether the offset is in it.
    #[inline]
    pub fn contains(&self, offset: Offset) -> bool {
        (self.first..=self.last).contains(&offset)
    }
}
