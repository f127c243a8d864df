//! `isrlab replay`.

use crate::args::{Format, ReplayArgs};
use crate::library::refuse;
use crate::progress::Bar;
use crate::{interrupt, output};
use isrlab_reports::replay::{self, Control};
use isrlab_reports::{ClusterSimulator, ExitCode, Plan};
use isrlab_scenarios::{Diagnostics, Scenario, library};
use isrlab_sim::protocol::Profile;
use std::path::{Path, PathBuf};

/// Replays a scenario, prints what it came to and says how it went.
pub fn replay(args: &ReplayArgs) -> ExitCode {
    let scenario = match load(&args.scenario, &args.set, args.duration.as_deref()) {
        Ok(scenario) => scenario,
        Err(diagnostics) => return refuse(&diagnostics),
    };
    let plan = match plan(args, &scenario) {
        Ok(plan) => plan,
        Err(Refusal::Scenario(diagnostics)) => return refuse(&diagnostics),
        Err(Refusal::Usage(message)) => {
            output::error(&message);
            return ExitCode::BadInput;
        }
    };
    note_unjudged(&scenario, &plan);
    let bar = Bar::new(!args.quiet);
    let stop = interrupt::catch();
    let control = Control { stop: &stop, progress: &|progress| bar.update(progress) };
    let report = replay::run(&plan, &ClusterSimulator, &scenario, control);
    bar.finish();
    match report {
        Ok(report) => {
            let code = report.exit_code();
            if let Err(error) =
                crate::annotate::tell(&report.scenario, &report.cases(), args.junit.as_deref())
            {
                output::error(&error.to_string());
                return error.exit_code();
            }
            let text = match args.format {
                Format::Json => report.json(),
                Format::Text if args.quiet && code == ExitCode::Held => String::new(),
                Format::Text => report.text(),
            };
            output::result(&text, code)
        }
        Err(error) => {
            output::error(&error.to_string());
            error.exit_code()
        }
    }
}

enum Refusal {
    Scenario(Diagnostics),
    Usage(String),
}

/// A name of the library, or a file: what looks like a path, or is there, is a file. What `--set`
/// and `--duration` say is changed in it.
pub fn load(
    reference: &str,
    set: &[(String, String)],
    duration: Option<&str>,
) -> Result<Scenario, Diagnostics> {
    let in_library = library().iter().any(|entry| entry.name == reference);
    let looks_like_path = reference.contains(['/', '\\']) || reference.ends_with(".toml");
    let scenario = if !in_library && (looks_like_path || Path::new(reference).exists()) {
        Scenario::from_path(reference)?
    } else {
        Scenario::from_library(reference)?
    };
    let mut overrides = set.to_vec();
    if let Some(duration) = duration {
        overrides.push(("duration".to_owned(), duration.to_owned()));
    }
    if overrides.is_empty() { Ok(scenario) } else { scenario.with_overrides(&overrides) }
}

fn plan(args: &ReplayArgs, scenario: &Scenario) -> Result<Plan, Refusal> {
    let profiles = chosen(&args.criterion, &args.profile);
    let profiles = (!profiles.is_empty()).then_some(profiles.as_slice());
    let mut plan = Plan::of_scenario(scenario, &args.scenario, profiles).map_err(Refusal::Scenario)?;
    let first = args.seed.unwrap_or(scenario.seed());
    let last = first.checked_add(args.seeds - 1).ok_or_else(|| {
        Refusal::Usage(format!(
            "--seed {first} with --seeds {}: the last seed is above {}; take a smaller first one",
            args.seeds,
            u64::MAX
        ))
    })?;
    plan.seeds = (first..=last).collect();
    plan.threads = args.threads.map_or_else(cores, |threads| threads.get());
    plan.strict = args.strict;
    plan.out = match (&args.out, args.no_files) {
        (_, true) => None,
        (Some(folder), false) => Some(folder.clone()),
        (None, false) => Some(default_folder(scenario)),
    };
    Ok(plan)
}

/// The criteria and profiles that the command line names, each once.
pub fn chosen(criteria: &[Profile], profiles: &[Profile]) -> Vec<Profile> {
    let mut chosen: Vec<Profile> = Vec::new();
    for profile in criteria.iter().chain(profiles) {
        if !chosen.iter().any(|known| known.name == profile.name) {
            chosen.push(*profile);
        }
    }
    chosen
}

/// The cores of the machine.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// `isrlab-out/NAME`, with nothing in the name that a file system might not like, or that leads
/// out of the folder.
pub fn default_folder(scenario: &Scenario) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = scenario.name().chars().map(plain).collect();
    let visible = name.trim_start_matches('.');
    let dots = "_".repeat(name.len() - visible.len());
    Path::new("isrlab-out").join(dots + visible)
}

/// Says so if nothing is expected of a variant: silence is no verdict.
fn note_unjudged(scenario: &Scenario, plan: &Plan) {
    for variant in &plan.variants {
        if !scenario.expectations().iter().any(|expectation| expectation.applies_to(&variant.spec.profile)) {
            output::note(&format!(
                "note: the scenario expects nothing under {}; only the invariants are checked",
                variant.name
            ));
        }
    }
}
