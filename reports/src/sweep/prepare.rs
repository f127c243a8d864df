//! The cluster of a cell, and what is wrong with a grid before anything runs.

use super::plan::SweepPlan;
use crate::plan::Variant;
use isrlab_scenarios::{Diagnostics, Scenario};
use isrlab_sim::cluster::{Cluster, ClusterSpec};
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// A cell that can be run.
pub struct Prepared {
    /// The cell's number in the whole sweep.
    pub cell: usize,
    /// The scenario with the cell's values, and the expectations that speak of the cell.
    pub scenario: Scenario,
    /// The cluster.
    pub variant: Variant,
    /// Whether an expectation needs samples of the timeline.
    pub samples: bool,
}

/// Why a sweep cannot be run as it was asked for.
#[derive(Debug)]
pub enum Refusal {
    /// A value, or a combination of values, is wrong.
    Cell {
        /// The values, `KEY=VALUE`.
        settings: Vec<String>,
        /// The criterion.
        criterion: String,
        /// What is wrong.
        diagnostics: Diagnostics,
    },
    /// The simulator does not take a cluster.
    Cluster {
        /// The values, `KEY=VALUE`.
        settings: Vec<String>,
        /// The criterion.
        criterion: String,
        /// Why not.
        reason: String,
    },
    /// The request makes no sense as a whole.
    Plan(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |settings: &[String]| {
            if settings.is_empty() { "the scenario".to_owned() } else { settings.join(", ") }
        };
        match self {
            Refusal::Cell { settings, criterion, diagnostics } => {
                write!(f, "{} under {criterion} cannot be run:\n{diagnostics}", at(settings))
            }
            Refusal::Cluster { settings, criterion, reason } => {
                write!(f, "{} under {criterion} cannot be run: {reason}", at(settings))
            }
            Refusal::Plan(message) => f.write_str(message),
        }
    }
}

/// The most runs of a sweep.
const RUNS_MAX: usize = 1_000_000_000;

/// Prepares a cell.
///
/// # Errors
/// If the scenario is wrong with the cell's values.
pub fn prepare(plan: &SweepPlan, cell: usize) -> Result<Prepared, Refusal> {
    let profile = plan.profile(cell);
    let refuse = |diagnostics| Refusal::Cell {
        settings: plan.settings(cell),
        criterion: profile.name.to_owned(),
        diagnostics,
    };
    let scenario = plan.scenario.at(&plan.point(cell)).map_err(refuse)?;
    let spec = scenario.cluster_spec(profile).map_err(refuse)?;
    let judged = |expectation: &isrlab_scenarios::Expectation| expectation.applies_to(profile);
    let samples = scenario.expectations().iter().any(|known| judged(known) && known.needs_samples());
    Ok(Prepared { cell, scenario, variant: Variant::of(spec), samples })
}

/// Makes sure that every cell can be run, and notes what a person should know of the grid. A
/// mistake is found now, and not after hours. Ends early when `stop` is set.
///
/// # Errors
/// The first cell that cannot be run.
pub fn check(plan: &SweepPlan, stop: &AtomicBool) -> Result<Vec<String>, Refusal> {
    check_plan(plan)?;
    // Every shard checks the whole grid: what is wrong in one cell is wrong for the sweep.
    let check = |cell| if stop.load(Ordering::Relaxed) { Ok(()) } else { check_cell(plan, cell) };
    let first = (0..plan.cells_in_all()).into_par_iter().map(check).find_first(Result::is_err);
    if let Some(Err(refusal)) = first {
        return Err(refusal);
    }
    Ok(plan.axes.iter().enumerate().filter_map(|(index, _)| idle_axis(plan, index)).collect())
}

/// Makes sure that the sweep makes sense as a whole.
///
/// # Errors
/// Why it does not.
pub fn check_plan(plan: &SweepPlan) -> Result<(), Refusal> {
    for (index, axis) in plan.axes.iter().enumerate() {
        if plan.axes[..index].iter().any(|known| known.key() == axis.key()) {
            return Err(Refusal::Plan(format!("{} is varied twice; give each key once", axis.key())));
        }
        if plan.scenario.overrides().iter().any(|(key, _)| key == axis.key()) {
            return Err(Refusal::Plan(format!(
                "{} is varied and set; leave out --vary of it, or --set (or --duration)",
                axis.key()
            )));
        }
        if axis.key() == "seed" {
            return Err(Refusal::Plan("seed is varied by --seeds, not by --vary".to_owned()));
        }
        if axis.key() == "compare" {
            let how = "--criterion and --profile, each repeatable";
            return Err(Refusal::Plan(format!("what is compared is varied by {how}, not by --vary")));
        }
    }
    let runs = plan.cells_in_all().saturating_mul(plan.seeds as usize);
    if runs > RUNS_MAX {
        return Err(Refusal::Plan(format!(
            "{} points × {} criteria × {} seeds are {runs} runs; at most {RUNS_MAX} are possible",
            plan.points(),
            plan.profiles.len(),
            plan.seeds
        )));
    }
    if plan.seed_first.checked_add(plan.seeds - 1).is_none() {
        return Err(Refusal::Plan(format!(
            "--seed {} with --seeds {}: the last seed is above {}; take a smaller first one",
            plan.seed_first,
            plan.seeds,
            u64::MAX
        )));
    }
    if plan.cells() == 0 {
        return Err(Refusal::Plan(format!(
            "shard {} is empty: there are {} cells (points × criteria); take at most as many shards",
            plan.shard,
            plan.cells_in_all()
        )));
    }
    Ok(())
}

fn check_cell(plan: &SweepPlan, cell: usize) -> Result<(), Refusal> {
    let prepared = prepare(plan, cell)?;
    match Cluster::new(&prepared.variant.spec, plan.seed_first) {
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal::Cluster {
            settings: plan.settings(cell),
            criterion: prepared.variant.name.to_string(),
            reason: error.to_string(),
        }),
    }
}

/// A note, if the values of an axis make no difference to the cluster, the other axes at their
/// first values.
fn idle_axis(plan: &SweepPlan, axis: usize) -> Option<String> {
    let values = plan.axes[axis].values().len();
    let stride: usize = plan.axes[axis + 1..].iter().map(|axis| axis.values().len()).product();
    let spec = |value: usize| -> Option<ClusterSpec> {
        Some(prepare(plan, value * stride * plan.profiles.len()).ok()?.variant.spec)
    };
    let first = spec(0)?;
    let idle = values > 1 && (1..values).all(|value| spec(value).as_ref() == Some(&first));
    idle.then(|| {
        format!(
            "note: {} makes no difference: every value gives the same cluster under {} (something more specific, \
             such as the [link.NAME] of one broker, may say otherwise)",
            plan.axes[axis].key(),
            plan.profiles[0].name
        )
    })
}
