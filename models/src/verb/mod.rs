//! What `isrlab check replication` and `isrlab explore` do, short of parsing the command line.
//!
//! Results go to one writer, progress to another; the exit code is the caller's to use.

pub mod args;
mod explore;
mod json;
mod junit;
pub mod kept;
pub mod lag;
pub mod lag_args;
mod progress;
mod replication;
mod runs;
pub mod search_args;
mod text;
pub mod timestamps;

pub use explore::{Explore, explore};
pub use kept::{Kept, KeptFile};
pub use lag::{CheckLag, LagModel, LagRun, check_lag};
pub use progress::Telling;
pub use replication::{CheckReplication, Format, Show, check_replication, check_replication_keeping};
pub use runs::{ModelName, Run, RunError};

/// Exit codes, the same for all verbs.
pub mod exit {
    /// Everything is as expected, and the run was complete within its bound.
    pub const OK: u8 = 0;
    /// Something was violated, or an answer changed.
    pub const VIOLATED: u8 = 1;
    /// Bad usage or input.
    pub const USAGE: u8 = 2;
    /// Inconclusive: a limit, an interrupt, a failure to read or write, or, if asked to be strict,
    /// something that was never exercised.
    pub const INCONCLUSIVE: u8 = 3;
    /// Nothing ran.
    pub const NOTHING: u8 = 4;
}
