//! The figure of timestamps: per partition, how far stored times, and rejected ones, are from the
//! true times at which the records were made.

mod figure;
mod scale;
mod trace;

pub use figure::timestamp_figure;
pub use trace::TimestampTrace;
