//! The `isrlab` command.
fn main() {}
