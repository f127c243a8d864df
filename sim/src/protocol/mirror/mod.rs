//! MirrorMaker 2's source task, and four rules for its replication offset lag (KAFKA-14112).
//!
//! - [`SourceTask`]: what was polled, what is on its way to the target, what may be committed.
//! - [`LagMeter`]: one rule, told of the same polls and acknowledgements as the others.

mod meter;
mod task;

pub use meter::{LagMeter, LagRule, MeterState, Reading};
pub use task::SourceTask;
