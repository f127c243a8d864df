//! A state taken apart, for reading.

use isrlab_sim::protocol::truncation::ReplicaLog;

use super::constants::Constants;
use super::layout::Layout;
use super::variant::Fencing;
use crate::checker::Word;

/// A replica, as it sees the world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReplicaView {
    /// The packed log.
    pub log: u32,
    pub end_offset: u32,
    pub high_watermark: u32,
    /// Leader epoch plus 1; 0 is none.
    pub epoch: u32,
    /// Leader plus 1; 0 is none.
    pub leader: u32,
    pub isr: u32,
}

/// A LeaderAndIsr request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RequestView {
    /// Leader plus 1; 0 is none.
    pub leader: u8,
    pub isr: u8,
}

pub(super) struct View<'a> {
    pub layout: &'a Layout,
    pub count: usize,
    replicas: [ReplicaView; Constants::MAX_REPLICAS],
    requests: [RequestView; Constants::MAX_EPOCHS],
    record_epochs: [u8; Constants::MAX_RECORDS + 1],
    /// Epoch plus 1; 0 is none. Also the number of requests, and the next epoch.
    pub quorum_epoch: u32,
    pub quorum_leader: u32,
    pub quorum_isr: u32,
    pub next_record: u32,
    pub committed: u32,
}

impl<'a> View<'a> {
    #[inline]
    pub fn new<W: Word>(layout: &'a Layout, constants: Constants, word: W) -> Self {
        let quorum_epoch = layout.quorum_epoch.get(word);
        // Filled in where it lies: a copy of this would cost more than reading the word does.
        let mut view = Self {
            layout,
            count: constants.replicas as usize,
            replicas: Default::default(),
            requests: Default::default(),
            record_epochs: Default::default(),
            quorum_epoch,
            quorum_leader: 0,
            quorum_isr: layout.quorum_isr.get(word),
            next_record: layout.next_record.get(word),
            committed: layout.committed.get(word),
        };
        for epoch in 0..quorum_epoch as usize {
            let fields = &layout.requests[epoch];
            view.requests[epoch] =
                RequestView { leader: fields.leader.get(word) as u8, isr: fields.isr.get(word) as u8 };
        }
        for id in 0..view.next_record as usize {
            view.record_epochs[id + 1] = layout.record_epochs[id].get(word) as u8;
        }
        view.quorum_leader = view.leader_of(quorum_epoch);
        for replica in 0..view.count {
            let fields = &layout.replicas[replica];
            let log = fields.log.get(word);
            let epoch = fields.epoch.get(word);
            view.replicas[replica] = ReplicaView {
                log,
                end_offset: layout.end_offset(log),
                high_watermark: fields.high_watermark.get(word),
                epoch,
                leader: view.leader_of(epoch),
                isr: fields.isr.get(word),
            };
        }
        view
    }

    /// The leader, plus 1, of an epoch plus 1: 0 where there is none.
    #[inline]
    fn leader_of(&self, epoch: u32) -> u32 {
        match epoch.checked_sub(1) {
            None => 0,
            Some(epoch) => u32::from(self.requests[epoch as usize].leader),
        }
    }

    #[inline]
    pub fn replicas(&self) -> &[ReplicaView] {
        &self.replicas[..self.count]
    }

    /// The requests sent so far, by epoch.
    #[inline]
    pub fn requests(&self) -> &[RequestView] {
        &self.requests[..self.quorum_epoch as usize]
    }

    /// Whether a replica believes itself the leader.
    #[inline]
    pub fn presumes_leadership(&self, replica: usize) -> bool {
        self.replicas[replica].leader as usize == replica + 1
    }

    /// Whether a replica is the leader that the quorum names, in the quorum's epoch. (Leaders
    /// follow from epochs, so the epoch is enough.)
    #[inline]
    pub fn is_true_leader(&self, replica: usize) -> bool {
        self.quorum_leader as usize == replica + 1 && self.replicas[replica].epoch == self.quorum_epoch
    }

    /// The true leader, if the one that the quorum names has learnt of it.
    #[inline]
    pub fn true_leader(&self) -> Option<usize> {
        let leader = (self.quorum_leader as usize).checked_sub(1)?;
        self.is_true_leader(leader).then_some(leader)
    }

    /// The epoch of the record that a slot of a log holds; slots hold an id plus 1.
    #[inline]
    pub fn epoch_of_slot(&self, slot: u32) -> u32 {
        u32::from(self.record_epochs[slot as usize])
    }

    #[inline]
    pub fn log(&self, replica: usize) -> LogView<'_> {
        LogView { view: self, replica: &self.replicas[replica] }
    }

    /// Whether a leader may count a follower as having all records below `offset`.
    ///
    /// Without fencing *any* record just below `offset` will do: the same one is not asked for. The
    /// leader's own log always reaches `offset`, which is its end, its high watermark, or one above
    /// where it has a record.
    #[inline]
    pub fn is_caught_up(&self, fencing: Fencing, leader: usize, follower: usize, offset: u32) -> bool {
        let (l, f) = (&self.replicas[leader], &self.replicas[follower]);
        if f.leader as usize != leader + 1 || f.end_offset < offset {
            return false;
        }
        match fencing {
            Fencing::None => true,
            Fencing::LastEpoch => {
                offset == 0 || (l.end_offset >= offset && self.same_epoch_at(l, f, offset - 1))
            }
            Fencing::LeaderEpoch => f.epoch == l.epoch,
        }
    }

    #[inline]
    fn same_epoch_at(&self, a: &ReplicaView, b: &ReplicaView, offset: u32) -> bool {
        let epoch = |replica: &ReplicaView| self.epoch_of_slot(self.layout.slot(replica.log, offset));
        epoch(a) == epoch(b)
    }

    /// Whether a leader's high watermark is at its log's end, or at a record of its own epoch.
    #[inline]
    pub fn high_watermark_reached_own_epoch(&self, leader: usize) -> bool {
        let l = &self.replicas[leader];
        l.high_watermark == l.end_offset
            || (l.high_watermark < l.end_offset
                && self.epoch_of_slot(self.layout.slot(l.log, l.high_watermark)) + 1 == l.epoch)
    }
}

/// A replica's log for the truncation rules.
pub(super) struct LogView<'a> {
    view: &'a View<'a>,
    replica: &'a ReplicaView,
}

impl ReplicaLog for LogView<'_> {
    /// The id alone: one id is written once, in one epoch.
    type Record = u32;

    #[inline]
    fn end_offset(&self) -> u64 {
        u64::from(self.replica.end_offset)
    }

    #[inline]
    fn record(&self, offset: u64) -> u32 {
        self.view.layout.slot(self.replica.log, offset as u32)
    }

    #[inline]
    fn leader_epoch(&self, offset: u64) -> u32 {
        self.view.epoch_of_slot(self.record(offset))
    }
}
