//! What runs a cluster: the seam between the reports and the simulator.

use isrlab_sim::cluster::spec::ClusterSpec;
use isrlab_sim::cluster::{Cluster, Observer, RunEnd, RunOptions, RunSummary, Violation};
use isrlab_sim::engine::{SimDuration, SimTime};
use serde::Serialize;

/// How a run ended.
#[derive(Debug)]
pub enum RunStop {
    /// It reached its end.
    Finished(RunSummary),
    /// It was told to stop; the summary is of what there was until then.
    Interrupted(RunSummary),
    /// An invariant was broken.
    Violated(Box<Violation>),
    /// The simulator does not take the specification, and says why.
    Refused(String),
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
    /// The state after the step, one fact a line.
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

/// The simulator itself, [`Cluster`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ClusterSimulator;

impl Simulator for ClusterSimulator {
    fn run<O: Observer>(
        &self,
        spec: &ClusterSpec,
        seed: u64,
        sample_every: Option<SimDuration>,
        observer: &mut O,
        keep_going: &mut dyn FnMut(SimTime) -> bool,
    ) -> RunStop {
        let mut cluster = match Cluster::new(spec, seed) {
            Ok(cluster) => cluster,
            Err(error) => return RunStop::Refused(error.to_string()),
        };
        match cluster.run(&RunOptions { sample_every }, observer, keep_going) {
            Ok((RunEnd::Finished, summary)) => RunStop::Finished(summary),
            Ok((RunEnd::Interrupted, summary)) => RunStop::Interrupted(summary),
            Err(violation) => RunStop::Violated(violation),
        }
    }
}
