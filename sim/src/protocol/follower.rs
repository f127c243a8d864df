//! A replica's own log while it follows.

use super::types::Offset;

/// The two ends that a replica keeps of its own log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct FollowerLog {
    /// Next offset to be written, which is also the next offset to be fetched.
    pub log_end_offset: Offset,
    /// The replica's own high watermark, learned from answers to its fetches.
    pub high_watermark: Offset,
}

impl FollowerLog {
    /// Appends `records` copied from a leader whose high watermark was `leader_high_watermark`
    /// when it answered. The replica's own becomes the smaller of that and its log end offset,
    /// which may be lower than before.
    #[inline]
    pub fn append(&mut self, records: Offset, leader_high_watermark: Offset) {
        self.log_end_offset += records;
        self.high_watermark = leader_high_watermark.min(self.log_end_offset);
    }

    /// Cuts the log so that `offset` is its end, when it is longer.
    pub fn truncate_to(&mut self, offset: Offset) {
        self.log_end_offset = self.log_end_offset.min(offset);
        self.high_watermark = self.high_watermark.min(self.log_end_offset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_watermark_is_capped_by_the_log_and_follows_the_leader_down() {
        let mut log = FollowerLog::default();
        log.append(5, 9);
        assert_eq!(log, FollowerLog { log_end_offset: 5, high_watermark: 5 });
        log.append(0, 3);
        assert_eq!(log.high_watermark, 3);
        log.append(4, 6);
        log.truncate_to(20);
        assert_eq!(log.log_end_offset, 9);
        log.truncate_to(4);
        assert_eq!(log, FollowerLog { log_end_offset: 4, high_watermark: 4 });
    }
}
