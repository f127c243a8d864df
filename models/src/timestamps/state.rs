//! The state: a log with its history, and the clocks.

/// Most records in a log.
pub const RECORDS_MAX: usize = 4;
/// Brokers.
pub const BROKERS: usize = 2;

/// One stored record, and how it came there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The time that its producer wrote.
    pub sent: i64,
    /// The time that a consumer reads.
    pub stored: i64,
    /// What the leader's clock read at the append.
    pub clock: i64,
    /// The leader epoch.
    pub epoch: u8,
    /// Records of its batch as sent.
    pub batch_size: u8,
    /// Its place in the batch as sent.
    pub batch_index: u8,
    /// The time in the wrapper or header of its batch, if the batch was compressed.
    pub header: Option<i64>,
    /// The largest time of its batch, as it goes into the time index.
    pub batch_max: i64,
}

/// One partition on two brokers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimestampState {
    /// Each broker's clock, ticks.
    pub clocks: [i64; BROKERS],
    /// Steps back of a clock so far.
    pub steps_back: u8,
    /// The leader.
    pub leader: u8,
    /// Its epoch.
    pub epoch: u8,
    /// Records in the log.
    pub length: u8,
    /// The log, the same on both brokers; unused places are as by default.
    pub log: [Entry; RECORDS_MAX],
    /// Whether a batch was rejected in the last step, and whether the log changed by it.
    pub rejected: Option<bool>,
}

impl TimestampState {
    /// The records of the log.
    pub fn records(&self) -> &[Entry] {
        &self.log[..usize::from(self.length)]
    }

    /// The leader's clock.
    pub fn leader_clock(&self) -> i64 {
        self.clocks[usize::from(self.leader)]
    }
}
