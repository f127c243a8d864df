//! The replication protocol as pure functions: no clock, no randomness, no I/O.

pub mod truncation;
