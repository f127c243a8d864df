//! isrlab: sim.

pub mod protocol;
