//! The event queue beside others.

fn main() {}
