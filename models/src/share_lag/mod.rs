//! The lag of a share partition (KIP-1226): what it can be trusted with.
//!
//! One share partition, its leader, the share coordinator behind its fences, and the group
//! coordinator that reads a summary and then the end offset. Members acquire, acknowledge and let
//! locks expire; writes are under way, late, lost, or lost only on the way back; leaders fail; the
//! log start moves; the group's offset is altered. All steps are those of
//! [`isrlab_sim::protocol::share`].

mod claims;
mod constants;
mod model;
mod state;
mod steps;
mod words;

pub use claims::claims;
pub use constants::{ShareConstants, ShareConstantsError, ShareVariant};
pub use model::{ShareAction, ShareLag};
pub use state::{PersistedState, RecordSlot, ShareLagState, WriteUnderWay};
