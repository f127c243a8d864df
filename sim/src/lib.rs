//! isrlab: sim.

pub mod engine;
