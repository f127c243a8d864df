//! `isrlab check replication`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use super::kept::Kept;
use super::progress::Ticker;
use super::runs::{ModelName, Run, RunError};
use super::search_args::remaining;
use super::{Telling, exit};
use super::{json, junit, text};
use crate::async_isr::AsyncIsrConstants;
use crate::checker::{ClaimReport, Engine, Limits, Options, Report, Verdict};
use crate::expected::{self, Comparison};
use crate::replication::{COMMITTED_IS_FOREVER, Constants};

/// How the answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON document.
    Json,
}

/// How much of each counterexample the text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// What it comes to.
    Ends,
    /// Its steps, with what each changed.
    Steps,
    /// Its steps, with the whole state after each.
    Full,
}

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct CheckReplication {
    /// The models; empty for all.
    pub models: Vec<ModelName>,
    /// The bound of the replication models.
    pub constants: Constants,
    /// The bound of the models of ISR changes in flight.
    pub async_isr_constants: AsyncIsrConstants,
    /// The search.
    pub engine: Engine,
    /// Threads, at least 1.
    pub threads: usize,
    /// Visit one state of each set that differs by the replicas' names only.
    pub symmetry: bool,
    /// When to give up; the time is for all checks together.
    pub limits: Limits,
    /// Inconclusive if an action was never taken or a premise never true.
    pub strict: bool,
    /// How progress is told.
    pub telling: Telling,
    /// How the answer is written.
    pub format: Format,
    /// How much of a counterexample is shown; `None` is its steps for one model, else its end.
    pub show: Option<Show>,
    /// Where to write the answer as JUnit XML.
    pub junit: Option<PathBuf>,
    /// A folder for the counterexamples as text, JSON, ITF and Mermaid.
    pub traces: Option<PathBuf>,
}

impl Default for CheckReplication {
    /// All models with three replicas, by the fast engine on one thread.
    fn default() -> Self {
        Self {
            models: Vec::new(),
            constants: Constants::new(3, 2, 2, 2),
            async_isr_constants: AsyncIsrConstants::new(3, 3, 3),
            engine: Engine::Fast,
            threads: 1,
            symmetry: false,
            limits: Limits::default(),
            strict: false,
            telling: Telling::Lines,
            format: Format::Text,
            show: None,
            junit: None,
            traces: None,
        }
    }
}

/// The checks of one model, side by side.
pub(super) struct Row {
    pub model: ModelName,
    pub reports: Vec<Report>,
}

/// One claim of a row, with the report that it is from.
pub(super) struct Cell<'a> {
    pub model: ModelName,
    pub report: &'a Report,
    pub claim: &'a ClaimReport,
    pub comparison: Comparison,
}

/// All that was found.
pub(super) struct Answer {
    pub rows: Vec<Row>,
    pub strict: bool,
}

impl Answer {
    /// Each claim of each model once. The space with history is for the claim that needs it; the
    /// others are answered, and their states counted, without.
    pub fn cells(&self) -> Vec<Cell<'_>> {
        let table = expected::table();
        let mut cells = Vec::new();
        for row in &self.rows {
            for (number, report) in row.reports.iter().enumerate() {
                let claims = report.claims.iter();
                for claim in claims.filter(|claim| number == 0 || claim.name == COMMITTED_IS_FOREVER) {
                    let comparison = expected::compare(&table, report, claim);
                    cells.push(Cell { model: row.model, report, claim, comparison });
                }
            }
        }
        cells
    }

    fn reports(&self) -> impl Iterator<Item = &Report> {
        self.rows.iter().flat_map(|row| &row.reports)
    }

    /// What was never exercised, with the model it was not exercised in.
    pub fn unexercised(&self) -> Vec<String> {
        let each = self
            .reports()
            .map(|report| report.unexercised().into_iter().map(|what| format!("{}: {what}", report.model)));
        each.flatten().collect()
    }

    pub fn exit_code(&self) -> u8 {
        let cells = self.cells();
        if cells.is_empty() {
            return exit::NOTHING;
        }
        let failed = |cell: &Cell<'_>| match cell.comparison {
            Comparison::Changed(_) => true,
            Comparison::NotInTable => cell.claim.verdict == Verdict::Violated,
            Comparison::AsExpected | Comparison::Unfinished => false,
        };
        if cells.iter().any(failed) {
            exit::VIOLATED
        } else if self.reports().any(|report| !report.is_whole())
            || (self.strict && !self.unexercised().is_empty())
        {
            exit::INCONCLUSIVE
        } else {
            exit::OK
        }
    }
}

/// Runs the checks, writes the answer to `out` and progress to `progress`, and says the exit code.
///
/// What is expected of each answer is in `models/expected/replication.csv`: an old generation that
/// is refuted as it should be is no failure, and any answer that changed is one. Outside of that
/// table whatever is violated is a failure.
pub fn check_replication(args: &CheckReplication, out: &mut dyn Write, progress: &mut dyn Write) -> u8 {
    check_replication_keeping(args, out, progress, None)
}

/// The same, and keeps the answer and the counterexamples.
pub fn check_replication_keeping(
    args: &CheckReplication,
    out: &mut dyn Write,
    progress: &mut dyn Write,
    kept: Option<&mut Kept>,
) -> u8 {
    match run(args, progress) {
        Err(error) => {
            // If even this cannot be written the exit code still tells.
            let _ = writeln!(progress, "error: {error}");
            exit::USAGE
        }
        Ok(answer) => match write(args, &answer, out).map(|()| kept.map(|kept| json::keep(kept, &answer))) {
            Ok(_) => answer.exit_code(),
            Err(error) => {
                let _ = writeln!(progress, "error: the answer could not be written: {error}");
                exit::INCONCLUSIVE
            }
        },
    }
}

fn run(args: &CheckReplication, progress: &mut dyn Write) -> Result<Answer, RunError> {
    let models = models(args, progress)?;
    let started = Instant::now();
    let mut rows = Vec::new();
    for model in models {
        let mut reports = Vec::new();
        for run in runs(args, model) {
            let options = options(args, started);
            let mut ticker = Ticker::new(args.telling, progress, model.name());
            let report = run.check(&options, &mut |progress| ticker.tick(progress))?;
            ticker.end(&report);
            reports.push(report);
        }
        rows.push(Row { model, reports });
    }
    Ok(Answer { rows, strict: args.strict })
}

/// The models to check, once it is known that each can be built. If all were asked for, those of ISR
/// changes in flight are left out, not without a word, where they do not go as far as the others.
fn models(args: &CheckReplication, progress: &mut dyn Write) -> Result<Vec<ModelName>, RunError> {
    let everything = args.models.is_empty();
    let mut models = if everything { ModelName::all() } else { args.models.clone() };
    let mut left_out = None;
    models.retain(|&model| match runs(args, model).into_iter().try_for_each(Run::validate) {
        Err(error @ RunError::AsyncIsr(_)) if everything => {
            left_out = Some(error);
            false
        }
        _ => true,
    });
    if let Some(error) = left_out {
        let _ = writeln!(progress, "note: the kip-497 models are left out: {error}");
    }
    for &model in &models {
        runs(args, model).into_iter().try_for_each(Run::validate)?;
    }
    Ok(models)
}

fn runs(args: &CheckReplication, model: ModelName) -> Vec<Run> {
    match model {
        ModelName::Replication(variant) => [false, true]
            .map(|history| Run::Replication { variant, constants: args.constants, history })
            .to_vec(),
        ModelName::AsyncIsr(variant) => {
            vec![Run::AsyncIsr { variant, constants: args.async_isr_constants }]
        }
    }
}

fn options(args: &CheckReplication, started: Instant) -> Options {
    let limits = remaining(&args.limits, started);
    let CheckReplication { engine, threads, symmetry, .. } = *args;
    Options { engine, threads, symmetry, counterexamples: true, limits }
}

fn write(args: &CheckReplication, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    if let Some(path) = &args.junit {
        std::fs::write(path, junit::render(answer)).map_err(|error| at(path, &error))?;
    }
    if let Some(folder) = &args.traces {
        write_traces(folder, answer).map_err(|error| at(folder, &error))?;
    }
    match args.format {
        Format::Text => text::write(out, answer, args)?,
        Format::Json => json::write(out, answer)?,
    }
    out.flush()
}

fn at(path: &std::path::Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn write_traces(folder: &std::path::Path, answer: &Answer) -> io::Result<()> {
    use crate::trace;
    std::fs::create_dir_all(folder)?;
    for cell in answer.cells() {
        let Some(counterexample) = &cell.claim.counterexample else { continue };
        let file = |ending| folder.join(format!("{}-{}.{ending}", cell.model.name(), cell.claim.name));
        let full = trace::text::TextOptions { full_state: true };
        std::fs::write(file("txt"), trace::text::render(counterexample, full))?;
        std::fs::write(file("json"), trace::json::render(counterexample))?;
        std::fs::write(file("itf.json"), trace::itf::render(counterexample))?;
        std::fs::write(file("mmd"), trace::mermaid::render(counterexample))?;
    }
    Ok(())
}
