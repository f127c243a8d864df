//! CPU time, and medians.

use cpu_time::ProcessTime;
use isrlab_sim::cluster::{Cluster, ClusterSpec, NoObserver, RunOptions, RunSummary};

/// The cluster, about to start.
pub fn build(spec: &ClusterSpec) -> Cluster {
    Cluster::new(spec, 1).expect("a sound specification")
}

/// Runs a cluster; returns what it came to and CPU seconds.
pub fn run_to_end(cluster: &mut Cluster) -> (RunSummary, f64) {
    let mut summary = None;
    let seconds = cpu_seconds(|| {
        let run = cluster.run(&RunOptions::default(), &mut NoObserver, &mut |_| true);
        summary = Some(run.expect("no violation").1);
    });
    (summary.expect("it has run"), seconds)
}

/// Builds a cluster, which is not counted, and runs it.
pub fn simulate(spec: &ClusterSpec) -> (RunSummary, f64) {
    run_to_end(&mut build(spec))
}

/// CPU seconds that `work` takes.
pub fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let start = ProcessTime::now();
    work();
    start.elapsed().as_secs_f64()
}

/// The middle of the values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
