//! The reference engine: stateright's search, our verdict.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use stateright::{Checker, Model};

use super::checkable::Checkable;
use super::instrumented::{Goal, Instrumented, Meter};
use super::limits::{Limits, StopReason, default_memory_limit, resident_memory};
use super::options::{Engine, Options, Progress};
use super::report::{ActionCount, ClaimReport, Report, Verdict};
use super::witness;
use crate::trace::Trace;

/// How often limits are looked at and progress is told.
const TICK: Duration = Duration::from_millis(25);

pub(super) fn check<M: Checkable>(
    model: &M,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    let deadline = Deadline::new(&options.limits);
    let survey = Instrumented {
        model: model.clone(),
        goal: Goal::Everything,
        symmetry: options.symmetry,
        meter: Arc::new(Meter::new(options.limits.max_states)),
    };
    let threads = options.threads.max(1);
    let search = run(survey, threads, &deadline, progress);
    let meter = &search.meter;
    let distinct_states = meter.states.load(Relaxed);
    let claims = model.claims().into_iter().enumerate().map(|(i, claim)| {
        let violating_states = meter.violated[i].load(Relaxed);
        let counterexample = if violating_states > 0 && options.counterexamples {
            refute(model, i, options, &deadline, progress)
        } else {
            None
        };
        ClaimReport {
            name: claim.name,
            statement: claim.statement,
            premise: claim.premise,
            verdict: Verdict::from_search(violating_states, search.stopped.is_none()),
            premise_states: meter.premises[i].load(Relaxed),
            violating_states,
            counterexample,
        }
    });
    let actions = model.action_kinds().into_iter().zip(&meter.taken);
    Report {
        model: model.title(),
        bound: model.bound(),
        engine: Engine::Stateright,
        symmetry: options.symmetry,
        distinct_states,
        transitions: meter.transitions(),
        depth: (threads == 1).then_some(search.depth),
        stopped: search.stopped,
        collision_chance: Some((distinct_states as f64).powi(2) / 2f64.powi(65)),
        actions: actions.map(|(kind, taken)| ActionCount { kind, taken: taken.load(Relaxed) }).collect(),
        claims: claims.collect(),
    }
}

/// A shortest counterexample: one property, one thread, breadth first. With more properties or
/// threads stateright's path can be any length.
fn refute<M: Checkable>(
    model: &M,
    claim: usize,
    options: &Options,
    deadline: &Deadline,
    progress: &mut dyn FnMut(&Progress),
) -> Option<Trace> {
    let search = run(
        Instrumented {
            model: model.clone(),
            goal: Goal::Refute(claim),
            symmetry: options.symmetry,
            meter: Arc::new(Meter::new(options.limits.max_states)),
        },
        1,
        deadline,
        progress,
    );
    let states = search.discovery?;
    let path = witness::walk(model, &states, options.symmetry);
    Some(witness::trace(model, claim, &path))
}

struct Search<S> {
    meter: Arc<Meter>,
    depth: u32,
    stopped: Option<StopReason>,
    /// The states of the path that the search found, if it was after one.
    discovery: Option<Vec<S>>,
}

fn run<M: Checkable>(
    instrumented: Instrumented<M>,
    threads: usize,
    deadline: &Deadline,
    progress: &mut dyn FnMut(&Progress),
) -> Search<M::State> {
    let meter = Arc::clone(&instrumented.meter);
    let goal = instrumented.goal;
    let mut checker = instrumented.checker().threads(threads).spawn_bfs();
    let stopped = watch(checker.handles(), &meter, deadline, || checker.max_depth(), progress);
    let depth = u32::try_from(checker.max_depth()).expect("a search is not 2³² deep");
    // A path is rebuilt by stepping through the model again, which a stopped model refuses.
    meter.stop.store(false, Relaxed);
    let discovery = match goal {
        Goal::Everything => None,
        Goal::Refute(_) => checker.discoveries().remove("refute").map(|path| path.into_states()),
    };
    Search { meter, depth, stopped, discovery }
}

/// Waits for the search's threads, telling progress and stopping them at a limit.
fn watch(
    handles: Vec<std::thread::JoinHandle<()>>,
    meter: &Meter,
    deadline: &Deadline,
    depth: impl Fn() -> usize,
    progress: &mut dyn FnMut(&Progress),
) -> Option<StopReason> {
    let finished = (Mutex::new(false), Condvar::new());
    let mut stopped = None;
    let outcome = std::thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            let results: Vec<_> = handles.into_iter().map(|handle| handle.join()).collect();
            *finished.0.lock().expect("no one panics with this lock") = true;
            finished.1.notify_all();
            results
        });
        let mut done = finished.0.lock().expect("no one panics with this lock");
        while !*done {
            done = finished.1.wait_timeout(done, TICK).expect("no one panics with this lock").0;
            if stopped.is_none() {
                stopped = deadline.reached();
                if stopped.is_some() {
                    meter.stop.store(true, Relaxed);
                }
            }
            progress(&Progress {
                states: meter.states.load(Relaxed),
                transitions: meter.transitions(),
                depth: u32::try_from(depth()).unwrap_or(u32::MAX),
                pending: None,
                memory: resident_memory(),
                elapsed: deadline.started.elapsed(),
            });
        }
        drop(done);
        waiter.join()
    });
    for result in outcome.expect("the waiting thread only waits") {
        if let Err(panic) = result {
            std::panic::resume_unwind(panic);
        }
    }
    if stopped.is_none() && meter.stop.load(Relaxed) {
        stopped = Some(StopReason::MaxStates);
    }
    stopped
}

struct Deadline {
    started: Instant,
    limits: Limits,
}

impl Deadline {
    fn new(limits: &Limits) -> Self {
        let held = resident_memory().unwrap_or(0);
        let max_memory = limits.max_memory.unwrap_or_else(|| held + default_memory_limit());
        let limits = Limits { max_memory: Some(max_memory), ..limits.clone() };
        Self { started: Instant::now(), limits }
    }

    fn reached(&self) -> Option<StopReason> {
        let limits = &self.limits;
        if limits.interrupt.as_ref().is_some_and(|flag| flag.load(Relaxed)) {
            return Some(StopReason::Interrupt);
        }
        if limits.timeout.is_some_and(|timeout| self.started.elapsed() >= timeout) {
            return Some(StopReason::Timeout);
        }
        let limit = limits.max_memory?;
        (resident_memory()? > limit).then_some(StopReason::Memory)
    }
}
