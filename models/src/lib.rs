//! Models of Kafka's replication protocol, checked over every run within a stated bound.
//!
//! - [`checker`]: two engines (stateright, and a packed breadth-first search of our own) behind
//!   one answer, and the trait that a model implements for them.
//! - [`trace`]: counterexamples and how they are written.
//! - [`replication`]: five generations of log truncation and fencing.
//! - [`mirror_lag`]: what each rule for the lag of MirrorMaker 2 can be trusted with.
//! - [`async_isr`]: ISR changes in flight between leader and controller (KIP-497).
//! - [`timestamps`]: what leaders do to the times of records (KIP-32).
//! - [`share_lag`]: what the lag of a share partition can be trusted with.
//! - [`lag_scenario`]: their counterexamples as scenarios.
//! - [`isr`]: what KAFKA-4485 claims about the ISR criteria, in discrete time.
//! - [`expected`]: the table of answers that CI holds the models to.
//! - [`verb`]: what `isrlab check replication` and `isrlab explore` do.

pub mod async_isr;
pub mod checker;
pub mod expected;
pub mod isr;
pub mod lag_scenario;
pub mod mirror_lag;
pub mod replication;
pub mod share_lag;
pub mod timestamps;
pub mod trace;
pub mod verb;
