//! `isrlab sweep` and `isrlab merge`.

use crate::args::{Format, MergeArgs, SweepArgs};
use crate::library::refuse;
use crate::progress::Bar;
use crate::replay::{chosen, cores, default_folder, load};
use crate::{interrupt, output};
use isrlab_reports::replay::Control;
use isrlab_reports::sweep::{self, SweepPlan, SweepReport};
use isrlab_reports::{ClusterSimulator, ExitCode, ReportError, ScenarioSource};
use isrlab_scenarios::{Axis, Diagnostics, VaryError};
use std::path::{Path, PathBuf};

/// Runs a sweep or finishes one, prints what it came to and says how it went.
pub fn sweep(args: &SweepArgs) -> ExitCode {
    let planned = match &args.resume {
        Some(_) => None,
        None => match plan(args) {
            Ok(plan) => Some(plan),
            Err(Refusal::Scenario(diagnostics)) => return refuse(&diagnostics),
            Err(Refusal::Usage(message)) => {
                output::error(&message);
                return ExitCode::BadInput;
            }
        },
    };
    let threads = args.threads.map_or_else(cores, |threads| threads.get());
    let bar = Bar::new(!args.quiet);
    let stop = interrupt::catch();
    let control = Control { stop: &stop, progress: &|progress| bar.update(progress) };
    let report = match (&planned, &args.resume) {
        (None, Some(folder)) => sweep::resume(folder, threads, &ClusterSimulator, control),
        (Some(plan), _) => sweep::run(plan, &ClusterSimulator, control),
        (None, None) => unreachable!("the command line has a scenario or --resume"),
    };
    bar.finish();
    end(report, args.junit.as_deref(), args.format, args.quiet)
}

/// Merges shards, prints what they came to and says how it went.
pub fn merge(args: &MergeArgs) -> ExitCode {
    end(sweep::merge(&args.folders, &args.out), args.junit.as_deref(), args.format, args.quiet)
}

fn end(
    report: Result<SweepReport, ReportError>,
    junit: Option<&Path>,
    format: Format,
    quiet: bool,
) -> ExitCode {
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            output::error(&error.to_string());
            return error.exit_code();
        }
    };
    let code = report.exit_code();
    let text = match format {
        Format::Json => report.json(),
        Format::Text if quiet && code == ExitCode::Held => String::new(),
        Format::Text => report.text(),
    };
    let code = output::result(&text, code);
    let told = report.cases().and_then(|cases| crate::annotate::tell(&report.scenario, &cases, junit));
    match told {
        Ok(()) => code,
        Err(error) => {
            output::error(&error.to_string());
            // What was found stays found.
            if code == ExitCode::Violated { code } else { error.exit_code() }
        }
    }
}

enum Refusal {
    Scenario(Diagnostics),
    Usage(String),
}

fn plan(args: &SweepArgs) -> Result<SweepPlan, Refusal> {
    let reference = args.scenario.as_deref().unwrap_or_default();
    let scenario = load(reference, &args.set, args.duration.as_deref()).map_err(Refusal::Scenario)?;
    let axes = match (args.vary.as_slice(), scenario.sweep()) {
        ([], Some(sweep)) => sweep.axes.clone(),
        (given, _) => axes(given)?,
    };
    let profiles = chosen(&args.criterion, &args.profile);
    let seeds = args.seeds.or(scenario.sweep().map(|sweep| sweep.seeds)).unwrap_or(1);
    if axes.is_empty() && seeds == 1 {
        return Err(Refusal::Usage(format!(
            "there is nothing to sweep: the scenario has no [sweep] table; give --vary {}, or --seeds N",
            VaryError::ACCEPTED
        )));
    }
    Ok(SweepPlan {
        source: ScenarioSource {
            name: scenario.name().to_owned(),
            reference: reference.to_owned(),
            text: scenario.source_text().to_owned(),
        },
        profiles: if profiles.is_empty() { scenario.variants().to_vec() } else { profiles },
        axes,
        seed_first: args.seed.unwrap_or(scenario.seed()),
        seeds,
        shard: args.shard,
        threads: args.threads.map_or_else(cores, |threads| threads.get()),
        out: args.out.clone().unwrap_or_else(|| {
            let mut folder = default_folder(&scenario).into_os_string();
            folder.push("-sweep");
            PathBuf::from(folder)
        }),
        plots: if args.plot.is_empty() { sweep::default_plots() } else { args.plot.clone() },
        restart: args.restart,
        strict: args.strict,
        scenario,
    })
}

fn axes(given: &[String]) -> Result<Vec<Axis>, Refusal> {
    given
        .iter()
        .map(|text| {
            text.parse().map_err(|error: VaryError| {
                Refusal::Usage(format!("--vary {text}: {error}\n  accepted: {}", VaryError::ACCEPTED))
            })
        })
        .collect()
}
