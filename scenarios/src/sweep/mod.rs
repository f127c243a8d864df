//! What a sweep varies: axes, each a key with its values, and the cells that an expectation
//! speaks of.

mod axis;
mod condition;
mod quantity;
mod range;

pub use axis::{Axis, AxisValue, VaryError};
pub(crate) use condition::{Cells, Condition};

/// The `[sweep]` table.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepSpec {
    /// The varied keys, in the order of the file; the last varies fastest.
    pub axes: Vec<Axis>,
    /// Consecutive seeds, from the scenario's own on; at least 1.
    pub seeds: u64,
}
