//! The protocol as pure state machines.
//!
//! A function here takes a state, an input and the current time as a number; it changes that
//! state and says what came of it. Nothing here asks what time it is.

pub mod criterion;
pub mod follower;
pub mod follower_state;
pub mod leader;
pub mod mirror;
pub mod produce;
pub mod profile;
pub mod replica_set;
pub mod share;
pub mod timestamp;
pub mod truncation;
pub mod types;

pub use criterion::{IsrCriterion, IsrRules, OutOfSyncRule};
pub use follower::FollowerLog;
pub use follower_state::FollowerState;
pub use leader::{FetchEffect, LeaderSettings, PartitionLeader};
pub use produce::{Acks, ProduceError};
pub use profile::{FollowerTruncation, NewLeaderReset, Profile};
pub use replica_set::ReplicaSet;
pub use types::{Offset, ReplicaSlot, TimeMs, UNKNOWN_OFFSET};
