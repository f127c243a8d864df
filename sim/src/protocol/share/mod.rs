//! Share groups (KIP-932) and the lag of their partitions (KIP-1226).
//!
//! - [`SharePartition`]: which record is where, on the share-partition leader.
//! - [`ShareState`]: what the share coordinator keeps, behind its fences.
//! - [`share_offset`]: what the group coordinator answers from that.
//!
//! A leader's state changes travel as a [`StateWrite`]; the caller takes it to a [`ShareState`]
//! and tells the leader how it ended. So a write can be late, lost or fenced.

mod acknowledge;
mod acquire;
mod advance;
mod batch;
mod coordinator;
mod partition;
mod persister;
mod record;
pub mod wire;

pub use acknowledge::AcknowledgeBatch;
pub use acquire::AcquiredRange;
pub use coordinator::{ShareOffset, UNKNOWN_LAG, lag_of, share_offset};
pub use partition::{ShareDefects, ShareError, SharePartition, ShareSettings, ShareStatus};
pub use persister::{
    PersisterError, ShareState, StateBatch, StateSummary, StateWrite, UNINITIALIZED_OFFSET, UNKNOWN_COUNT,
};
pub use record::{AcknowledgeType, Lock, MemberId, NO_MEMBER, OffsetRange, Record, RecordState};
