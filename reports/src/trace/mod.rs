//! Every event in a window of a run: as text, as JSON Lines, as a Mermaid sequence diagram, and as
//! a trace for Perfetto.
//!
//! [`trace`] runs one cluster once and hands each [`Line`] of the window to an [`Exporter`]; one
//! file of code per format, and one table of [`kinds`]. Text and JSON Lines are written as the
//! run goes: their memory does not grow with the window.

mod around;
mod chrome;
mod export;
mod filter;
mod jsonl;
pub mod kinds;
mod line;
mod mermaid;
mod names;
mod reference;
mod state;
mod text;
mod watch;
mod words;

pub use around::{Around, Found, Sought};
pub use export::{Exporter, Footer, Header, Told};
pub use filter::{Filter, Window};
pub use line::{Line, Value};
pub use names::{Actor, Names};
pub use reference::trace_reference;
pub use state::State;

use crate::report::{ExitCode, human};
use crate::simulate::{RunStop, Simulator};
use isrlab_sim::cluster::{ClusterSpec, Violation};
use isrlab_sim::engine::SimTime;
use std::cell::Cell;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use watch::TraceWatch;

/// A format of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line.
    JsonLines,
    /// A Mermaid sequence diagram.
    Mermaid,
    /// The Trace Event Format of Perfetto and `chrome://tracing`.
    Chrome,
}

impl TraceFormat {
    /// The most lines, or of a diagram messages, unless told otherwise.
    pub fn limit(self) -> u64 {
        match self {
            TraceFormat::Text => 10_000,
            TraceFormat::JsonLines => 1_000_000,
            TraceFormat::Mermaid => mermaid::MESSAGES_MAX,
            TraceFormat::Chrome => 200_000,
        }
    }

    /// Whether its limit is of messages, and a window with more is refused.
    fn refuses(self) -> bool {
        self == TraceFormat::Mermaid
    }

    fn exporter(self, limit: u64) -> Box<dyn Exporter> {
        match self {
            TraceFormat::Text => Box::<text::Text>::default(),
            TraceFormat::JsonLines => Box::<jsonl::JsonLines>::default(),
            TraceFormat::Mermaid => Box::new(mermaid::Mermaid::new(limit)),
            TraceFormat::Chrome => Box::<chrome::Chrome>::default(),
        }
    }
}

/// What to trace.
#[derive(Clone, Debug)]
pub struct TraceRequest {
    /// The scenario's name.
    pub scenario: String,
    /// The cluster, its duration that of the whole run.
    pub spec: ClusterSpec,
    /// The seed.
    pub seed: u64,
    /// Which part of the run.
    pub window: Window,
    /// Which lines of it.
    pub filter: Filter,
    /// The most lines or messages; none: as the format has it.
    pub limit: Option<u64>,
    /// How it is written.
    pub format: TraceFormat,
}

/// What a trace came to.
#[derive(Debug)]
pub struct Traced {
    /// Lines that were shown.
    pub lines: u64,
    /// Lines that belong to the window and were left out, because of the limit.
    pub left_out: u64,
    /// When the last line was shown.
    pub last: SimTime,
    /// The simulator's events in the window.
    pub events: u64,
    /// How far the run came within the window.
    pub until: SimTime,
    /// The run was told to stop before the window's end.
    pub interrupted: bool,
    /// The invariant that ended the run.
    pub violation: Option<Box<Violation>>,
    /// Why nothing was written, if the format refused.
    pub refusal: Option<String>,
    /// The simulator does not take the specification.
    pub refused: Option<String>,
    /// The reader went away; nobody waits for the rest.
    pub abandoned: bool,
}

impl Traced {
    /// The exit code that tells of it.
    pub fn exit_code(&self) -> ExitCode {
        if self.violation.is_some() {
            ExitCode::Violated
        } else if self.refusal.is_some() || self.refused.is_some() {
            ExitCode::BadInput
        } else if self.abandoned {
            ExitCode::Held
        } else if self.interrupted || self.left_out > 0 {
            ExitCode::Inconclusive
        } else if self.lines == 0 {
            ExitCode::NothingRan
        } else {
            ExitCode::Held
        }
    }

    /// What a person should know beside the trace, one sentence or more a line.
    pub fn notes(&self, request: &TraceRequest) -> Vec<String> {
        let count = |value: u64| human::count(value as f64);
        let mut notes: Vec<String> = Vec::new();
        notes.extend(self.refused.as_ref().map(|reason| format!("error: {reason}")));
        notes.extend(self.refusal.as_ref().map(|reason| format!("error: {reason}")));
        if let Some(violation) = &self.violation {
            notes.push(format!("error: {violation}"));
        }
        if self.interrupted {
            notes.push(format!("error: interrupted at {}: what comes after is missing", self.until));
        }
        if self.left_out > 0 {
            notes.push(format!(
                "note: {} lines of {} are here, the last at {}; {} are left out: narrow the window with --from and --to \
                 or --around, keep fewer with --partition, --broker or --kind, or ask for all with --limit none",
                count(self.lines),
                count(self.lines + self.left_out),
                self.last,
                count(self.left_out)
            ));
        }
        let silent = self.lines == 0 && self.refused.is_none() && self.violation.is_none();
        if silent && !self.interrupted {
            let Window { from, until } = request.window;
            let kept = if request.filter.keeps_all() {
                String::new()
            } else {
                " that --partition, --broker and --kind keep".to_owned()
            };
            notes.push(format!(
                "error: nothing{kept} happened from {from} to {until} ({} events there): choose another window with --from \
                 and --to, or --around",
                count(self.events)
            ));
        }
        notes
    }
}

/// Runs a cluster to the end of the window and writes the lines of the window to `out`. Nothing is
/// written if there is no line.
///
/// # Errors
/// If `out` fails; that its reader has gone is no error.
pub fn trace<S: Simulator>(
    request: &TraceRequest,
    simulator: &S,
    out: &mut dyn Write,
    stop: &AtomicBool,
) -> io::Result<Traced> {
    let limit = request.limit.unwrap_or(request.format.limit());
    let header = Header {
        scenario: request.scenario.clone(),
        criterion: request.spec.profile.name.to_owned(),
        seed: request.seed,
        window: request.window,
        filter: request.filter.clone(),
        names: Names::of(&request.spec),
    };
    // What comes after the window is of no interest, and does not change what is in it.
    let mut spec = request.spec.clone();
    spec.duration = request.window.until - SimTime::ZERO;
    let mut exporter = request.format.exporter(limit);
    let closed = Cell::new(false);
    let lines_max = if request.format.refuses() { u64::MAX } else { limit };
    let state = State::of(&spec);
    let mut watch = TraceWatch::new(&header, state, exporter.as_mut(), out, lines_max, &closed);
    let mut reached = SimTime::ZERO;
    let mut keep_going = |now: SimTime| {
        reached = now;
        !closed.get() && !stop.load(Ordering::Relaxed)
    };
    let run = simulator.run(&spec, request.seed, None, &mut watch, &mut keep_going);
    let mut traced = Traced {
        lines: 0,
        left_out: 0,
        last: SimTime::ZERO,
        events: 0,
        until: request.window.until,
        interrupted: false,
        violation: None,
        refusal: None,
        refused: None,
        abandoned: false,
    };
    let how = match run {
        RunStop::Finished(_) => "complete",
        RunStop::Interrupted(_) => {
            traced.until = reached;
            traced.interrupted = true;
            "interrupted"
        }
        RunStop::Violated(violation) => {
            traced.until = violation.at;
            watch.violated(&violation);
            traced.violation = Some(violation);
            "violated"
        }
        RunStop::Refused(reason) => {
            traced.refused = Some(reason);
            "complete"
        }
    };
    traced.lines = watch.lines;
    traced.left_out = watch.left_out;
    traced.last = watch.last;
    traced.events = watch.events;
    match watch.end(how, traced.until) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => traced.abandoned = true,
        ended => ended?,
    }
    traced.refusal = exporter.refusal();
    Ok(traced)
}
