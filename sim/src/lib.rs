//! isrlab: sim.
