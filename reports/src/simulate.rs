//! What runs a cluster: the seam between the reports and the simulator.

use isrlab_sim::cluster::{ClusterSpec, Observer, RunSummary};
use isrlab_sim::engine::{SimDuration, SimTime};
use serde::Serialize;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunStop {
    /// It reached its end.
    Finished(RunSummary),
    /// It was told to stop; the summary is of what there was until then.
    Interrupted(RunSummary),
    /// An invariant was broken.
    Violated(Box<Violated>),
    /// The simulator does not take the specification.
    Refused(String),
}

/// The step that broke an invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct Violated {
    /// Virtual time of the step.
    pub at: SimTime,
    /// The number of its event in the run.
    pub event_number: u64,
    /// The event.
    pub event: String,
    /// The invariant, as a sentence.
    pub invariant: String,
    /// The state after the step.
    pub state: String,
    /// The run until then.
    pub summary: RunSummary,
}

/// A broken invariant with all that a person needs to see it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViolationReport {
    /// The profile or criterion.
    pub criterion: String,
    /// The seed.
    pub seed: u64,
    /// The invariant, as a sentence.
    pub invariant: String,
    /// Virtual time of the step, nanoseconds.
    pub at_ns: u64,
    /// The number of its event in the run.
    pub event_number: u64,
    /// The event.
    pub event: String,
    /// The state after the step.
    pub state: String,
    /// The command that repeats the run.
    pub command: String,
}

/// Runs clusters.
pub trait Simulator: Sync {
    /// Runs `spec` under `seed`, telling `observer`. `keep_going` is asked now and then with the
    /// virtual time; false interrupts the run.
    fn run<O: Observer>(
        &self,
        spec: &ClusterSpec,
        seed: u64,
        sample_every: Option<SimDuration>,
        observer: &mut O,
        keep_going: &mut dyn FnMut(SimTime) -> bool,
    ) -> RunStop;
}
