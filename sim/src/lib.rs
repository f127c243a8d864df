//! Kafka's replication protocol as pure state machines, and the simulator that drives them.
//!
//! - [`protocol`] holds the protocol: no clock, no randomness, no input or output. Time comes in
//!   as an argument, so that a simulator, a model checker, a property test and a recorded
//!   sequence can all drive the same code.
//! - [`engine`] is a discrete-event engine that knows nothing of Kafka.
//! - [`cluster`] is the cluster that the engine drives: producers, brokers, links and faults.
//! - [`invariants`] holds what must be true after every step, as functions that the simulator
//!   and the models both call.

pub mod cluster;
pub mod engine;
pub mod invariants;
pub mod protocol;
