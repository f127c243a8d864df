//! isrlab: reports.
