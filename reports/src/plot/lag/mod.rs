//! The figure of lags: by rule and partition, what is reported over what is true.

mod figure;
mod lines;
mod marks;
mod scale;
mod trace;

pub use figure::lag_figure;
pub(super) use marks::marks;
pub use trace::LagTrace;
