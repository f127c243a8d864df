//! The simulated cluster: producers, brokers, links and faults on the virtual clock.
//!
//! [`ClusterSpec`] says what there is; [`Observer`] is told what happens; [`RunSummary`] counts
//! it.

pub mod observer;
pub mod spec;
pub mod summary;

pub use observer::{IsrCause, IsrChange, IsrChangeKind, Observer, ReplicaSample, Sample};
pub use spec::ClusterSpec;
pub use summary::{Exercised, LatencyQuantiles, RunSummary};
