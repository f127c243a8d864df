//! Runs a replay again, from its manifest: for the verdicts, which no file holds, and for every
//! step of the leaders, which no file could hold.

use super::super::error::PageError;
use super::drawn::{DrawnPartitions, DrawnRuns};
use super::events::{Recorder, Steps, steps_max};
use crate::layout::Layout;
use crate::output::{Manifest, RunState};
use crate::plan::{Plan, Variant};
use crate::replay::{self, Control};
use crate::simulate::{ClusterSimulator, RunStop, Simulator};
use crate::{Report, VERSION};
use isrlab_scenarios::Scenario;
use isrlab_sim::engine::SimDuration;
use isrlab_sim::protocol::{IsrCriterion, Profile};
use serde::Serialize;
use std::sync::atomic::Ordering;

/// A fault and when it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultWindows {
    /// Its name.
    pub name: String,
    /// From when to when, nanoseconds.
    pub windows: Vec<(u64, u64)>,
}

/// What one drawn run was when it was run again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunAgain {
    /// By drawn partition.
    pub steps: Vec<Option<Steps>>,
    /// The faults.
    pub faults: Vec<FaultWindows>,
}

/// The lag beyond which a replica is out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LagLimit {
    /// Whether it is one of records, not of time.
    pub of_records: bool,
    /// Milliseconds, or records.
    pub most: f64,
}

/// A replay that was run again.
pub struct Rerun {
    /// What it came to; none if the folder's replay was cut short.
    pub report: Option<Report>,
    /// The drawn runs.
    pub runs: Vec<RunAgain>,
    /// By criterion.
    pub limits: Vec<LagLimit>,
    /// The title of the scenario.
    pub title: String,
    /// What it is about.
    pub about: String,
}

/// Runs the replay of a manifest again. Where that cannot be done the reason comes back in words.
///
/// # Errors
/// If it was told to stop.
pub fn rerun(
    manifest: &Manifest,
    drawn: &DrawnRuns,
    partitions: &DrawnPartitions,
    control: Control<'_>,
) -> Result<Result<Rerun, String>, PageError> {
    if manifest.version != VERSION {
        return Ok(Err(format!("the folder was written by version {} of isrlab", manifest.version)));
    }
    let (scenario, plan) = match plan_of(manifest) {
        Ok(plan) => plan,
        Err(reason) => return Ok(Err(reason)),
    };
    let is_cut = matches!(manifest.state, RunState::Unfinished | RunState::Interrupted);
    let report = if is_cut {
        None
    } else {
        match replay::run(&plan, &ClusterSimulator, &scenario, control) {
            Ok(report) => Some(report),
            Err(error) => return Ok(Err(error.to_string())),
        }
    };
    let mut runs = Vec::with_capacity(drawn.len());
    for variant in &plan.variants {
        for &seed in &drawn.seeds {
            runs.push(run_again(variant, seed, partitions, drawn.len(), control));
            if control.stop.load(Ordering::Relaxed) {
                return Err(PageError::Interrupted);
            }
        }
    }
    Ok(Ok(Rerun {
        report,
        runs,
        limits: plan.variants.iter().map(limit_of).collect(),
        title: scenario.title().to_owned(),
        about: scenario.about().to_owned(),
    }))
}

/// The plan that a manifest tells of.
fn plan_of(manifest: &Manifest) -> Result<(Scenario, Plan), String> {
    let mut scenario = Scenario::parse(&manifest.scenario_text, &manifest.scenario_reference)
        .map_err(|diagnostics| format!("its scenario is refused: {diagnostics}"))?;
    let overrides = manifest.overrides.iter().map(|text| {
        let (key, value) = text.split_once('=').ok_or_else(|| format!("its override \"{text}\" has no ="))?;
        Ok((key.to_owned(), value.to_owned()))
    });
    let overrides = overrides.collect::<Result<Vec<_>, String>>()?;
    if !overrides.is_empty() {
        scenario = scenario
            .with_overrides(&overrides)
            .map_err(|diagnostics| format!("its overrides are refused: {diagnostics}"))?;
    }
    let profiles =
        manifest.profiles.iter().map(|name| name.parse()).collect::<Result<Vec<Profile>, String>>()?;
    let mut plan = Plan::of_scenario(&scenario, &manifest.scenario_reference, Some(&profiles))
        .map_err(|diagnostics| format!("its scenario is refused: {diagnostics}"))?;
    plan.scenario.name = manifest.scenario.clone();
    plan.seeds = manifest.seeds.clone();
    plan.sample_every = manifest.sample_every_ns.map(SimDuration::from_nanos);
    plan.threads = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    Ok((scenario, plan))
}

fn run_again(
    variant: &Variant,
    seed: u64,
    partitions: &DrawnPartitions,
    runs: usize,
    control: Control<'_>,
) -> RunAgain {
    let layout = Layout::of(&variant.spec);
    let place = |name: &crate::layout::PartitionName| {
        partitions.chosen.iter().position(|key| key.topic == name.topic && key.number == name.number as u64)
    };
    let places: Vec<Option<usize>> = layout.partitions.iter().map(place).collect();
    let is_drawn: Vec<bool> = places.iter().map(Option::is_some).collect();
    let most = steps_max(runs, partitions.chosen.len());
    let mut recorder = Recorder::new(&is_drawn, variant.spec.faults.len(), most);
    let mut keep_going = |_| !control.stop.load(Ordering::Relaxed);
    let stop = ClusterSimulator.run(&variant.spec, seed, None, &mut recorder, &mut keep_going);
    let end = match stop {
        RunStop::Finished(summary) | RunStop::Interrupted(summary) => summary.duration_ns,
        RunStop::Violated(violation) => violation.at.as_nanos(),
        RunStop::Refused(_) => 0,
    };
    let (found, windows) = recorder.finish(end);
    let mut steps = vec![None; partitions.chosen.len()];
    for (place, found) in places.into_iter().zip(found) {
        if let Some(place) = place {
            steps[place] = found;
        }
    }
    let names = variant.spec.faults.iter().map(|fault| fault.name.clone());
    let faults = names.zip(windows).map(|(name, windows)| FaultWindows { name, windows });
    RunAgain { steps, faults: faults.collect() }
}

fn limit_of(variant: &Variant) -> LagLimit {
    let replication = &variant.spec.replication;
    match variant.spec.profile.criterion {
        IsrCriterion::MaxMessages => {
            LagLimit { of_records: true, most: replication.replica_lag_max_messages as f64 }
        }
        _ => LagLimit { of_records: false, most: replication.replica_lag_time_max.as_nanos() as f64 / 1e6 },
    }
}
