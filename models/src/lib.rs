//! Models of Kafka's replication protocol, checked over every run within a stated bound.
//!
//! - [`checker`]: two engines (stateright, and a packed breadth-first search of our own) behind
//!   one answer, and the trait that a model implements for them.
//! - [`trace`]: counterexamples and how they are written.
//! - [`replication`]: five generations of log truncation and fencing.
//! - [`async_isr`]: ISR changes in flight between leader and controller (KIP-497).
//! - [`expected`]: the table of answers that CI holds the models to.
//! - [`verb`]: what `isrlab check replication` and `isrlab explore` do.

pub mod async_isr;
pub mod checker;
pub mod expected;
pub mod replication;
pub mod trace;
pub mod verb;
