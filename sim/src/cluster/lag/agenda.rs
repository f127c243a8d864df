//! An actor's own steps to come. The cluster's queue holds one small event for each.

use crate::engine::SimTime;
use std::collections::BTreeMap;

/// Steps by time, and at equal times in the order in which they were put down.
#[derive(Debug)]
pub(super) struct Agenda<S> {
    steps: BTreeMap<(SimTime, u64), S>,
    made: u64,
    /// Times of steps that the cluster's queue does not know yet.
    pub(super) fresh: Vec<SimTime>,
}

impl<S> Agenda<S> {
    pub(super) fn new() -> Self {
        Agenda { steps: BTreeMap::new(), made: 0, fresh: Vec::new() }
    }

    pub(super) fn add(&mut self, at: SimTime, step: S) {
        self.made += 1;
        self.steps.insert((at, self.made), step);
        self.fresh.push(at);
    }

    /// The next step, left where it is.
    pub(super) fn peek(&self) -> Option<&S> {
        self.steps.first_key_value().map(|(_, step)| step)
    }

    /// The next step, whose time has come.
    pub(super) fn next(&mut self) -> Option<S> {
        self.steps.pop_first().map(|(_, step)| step)
    }
}
