//! isrlab: scenarios.
