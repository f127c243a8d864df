//! How to run a check, and what is told while it runs.

use std::time::Duration;

use super::limits::Limits;

/// Which search to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// stateright's breadth-first search, the reference.
    Stateright,
    /// The packed breadth-first search of this crate.
    Fast,
}

impl Engine {
    /// The engine's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stateright => "stateright",
            Self::Fast => "fast",
        }
    }
}

/// How to run a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The search.
    pub engine: Engine,
    /// Threads, at least 1. No answer of the fast engine depends on it.
    pub threads: usize,
    /// Visit one state of each set that differs by a renaming only.
    pub symmetry: bool,
    /// Look for counterexamples of what is violated (stateright: one more search for each).
    pub counterexamples: bool,
    /// When to give up.
    pub limits: Limits,
}

impl Default for Options {
    /// The fast engine on one thread, the whole space, counterexamples, no limits.
    fn default() -> Self {
        Self {
            engine: Engine::Fast,
            threads: 1,
            symmetry: false,
            counterexamples: true,
            limits: Limits::default(),
        }
    }
}

/// Where a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Distinct states visited.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Depth reached, in states from the initial one (which counts as 1).
    pub depth: u32,
    /// States found and not yet visited, where the engine knows.
    pub pending: Option<u64>,
    /// Bytes of memory held by the search, where the engine knows.
    pub memory: Option<u64>,
    /// Time since the search began.
    pub elapsed: Duration,
}

impl Progress {
    /// Distinct states visited per second; 0 before the clock has moved.
    pub fn states_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.states as f64 / seconds } else { 0.0 }
    }
}
