//! `isrlab trace`.

use crate::library::refuse;
use crate::replay::load;
use crate::trace_args::{Sight, TraceArgs};
use crate::{interrupt, output};
use isrlab_reports::output::WholeFile;
use isrlab_reports::trace::{self, Filter, Found, Names, Sought, TraceRequest, Traced, Window};
use isrlab_reports::{ClusterSimulator, ExitCode, ReportError};
use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::ClusterSpec;
use isrlab_sim::engine::SimTime;
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Traces a run, and says beside it what there is to know.
pub fn trace(args: &TraceArgs) -> ExitCode {
    let scenario = match load(&args.scenario, &args.set, args.duration.as_deref()) {
        Ok(scenario) => scenario,
        Err(diagnostics) => return refuse(&diagnostics),
    };
    let profile = args.criterion.or(args.profile).unwrap_or(scenario.variants()[0]);
    let spec = match scenario.cluster_spec(&profile) {
        Ok(spec) => spec,
        Err(diagnostics) => return refuse(&diagnostics),
    };
    let stop = interrupt::catch();
    let request = match request(args, &scenario, spec, &stop) {
        Ok(request) => request,
        Err((code, message)) => {
            output::error(&message);
            return code;
        }
    };
    if args.criterion.or(args.profile).is_none() && scenario.variants().len() > 1 {
        let others: Vec<&str> = scenario.variants()[1..].iter().map(|profile| profile.name).collect();
        output::note(&format!(
            "note: under {}, the first that the scenario compares; the others are {} (--criterion, --profile)",
            profile.name,
            others.join(", ")
        ));
    }
    match write(args, &request, &stop) {
        Ok(traced) => {
            for note in traced.notes(&request) {
                output::note(&note);
            }
            traced.exit_code()
        }
        Err(error) => {
            output::error(&error.to_string());
            error.exit_code()
        }
    }
}

/// What is to be traced, the window looked for if need be.
fn request(
    args: &TraceArgs,
    scenario: &Scenario,
    spec: ClusterSpec,
    stop: &AtomicBool,
) -> Result<TraceRequest, (ExitCode, String)> {
    let wrong = |message| (ExitCode::BadInput, message);
    let filter = Filter::new(&Names::of(&spec), &args.partition, &args.broker, &args.kind).map_err(wrong)?;
    let seed = args.seed.unwrap_or(scenario.seed());
    let window = match args.around {
        Some(sight) => look_around(args, sight, &filter, &spec, seed, stop)?,
        None => {
            let at = |duration| SimTime::ZERO + duration;
            Window::new(args.from.map(at), args.to.map(at), spec.duration).map_err(wrong)?
        }
    };
    Ok(TraceRequest {
        scenario: scenario.name().to_owned(),
        spec,
        seed,
        window,
        filter,
        limit: args.limit,
        format: args.format,
    })
}

fn look_around(
    args: &TraceArgs,
    sight: Sight,
    filter: &Filter,
    spec: &ClusterSpec,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Window, (ExitCode, String)> {
    let around = sight.around();
    let sought = Sought {
        around,
        nth: args.nth,
        partitions: filter.partitions().to_vec(),
        brokers: filter.brokers().to_vec(),
    };
    let (words, profile) = (around.words(), spec.profile.name);
    let brokers = args.broker.iter().map(|id| format!("broker {id}"));
    let named: Vec<String> = args.partition.iter().cloned().chain(brokers).collect();
    let whose = if named.is_empty() { String::new() } else { format!(" of {}", named.join(", ")) };
    match sought.find(spec, seed, &ClusterSimulator, stop) {
        Found::At(at) => {
            output::note(&format!("note: {words} {} is at {at}", args.nth));
            Ok(Window::around(at, args.window, spec.duration))
        }
        Found::Only(0) => Err((
            ExitCode::NothingRan,
            format!(
                "--around {words}: there is none{whose} under {profile} with seed {seed} in {}; try another \
                 --criterion, --profile, --seed or --duration",
                spec.duration
            ),
        )),
        Found::Only(count) => Err((
            ExitCode::BadInput,
            format!(
                "--nth {}: {words}{whose} comes {count} times in the run; accepted: 1 to {count}",
                args.nth
            ),
        )),
        Found::Interrupted => {
            Err((ExitCode::Inconclusive, format!("interrupted before {words} {} was found", args.nth)))
        }
    }
}

/// Writes the trace to its file, or to standard output.
fn write(args: &TraceArgs, request: &TraceRequest, stop: &AtomicBool) -> Result<Traced, ReportError> {
    let simulator = &ClusterSimulator;
    match args.out.as_deref().filter(|path| *path != Path::new("-")) {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            let failed = |source| ReportError::io("write", Path::new("standard output"), source);
            trace::trace(request, simulator, &mut out, stop).map_err(failed)
        }
        Some(path) => {
            let mut file = WholeFile::begin(path)?;
            let failed = |source| ReportError::io("write", path, source);
            let traced = trace::trace(request, simulator, &mut file, stop).map_err(failed)?;
            if traced.lines > 0 && traced.refusal.is_none() {
                file.keep()?;
                output::note(&format!("{} lines in {}", traced.lines, path.display()));
            }
            Ok(traced)
        }
    }
}
