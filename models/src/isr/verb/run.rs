//! Answers all that was asked, on several threads, and says how it compares with the table.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{claims, json, junit, text};
use crate::checker::{Engine, Limits, Options, StopReason, default_memory_limit};
use crate::isr::answer::answer;
pub use crate::isr::bound::Extent;
use crate::isr::expected::Expectation;
use crate::isr::graph::Graph;
use crate::isr::measure::Measure;
use crate::isr::refutation::Refutation;
use crate::isr::scenario::scenario;
use crate::isr::setting::{Behaviour, Setting};
use crate::isr::step::Action;
use crate::isr::verify::{Opinion, verify};
use crate::trace::{itf, json as trace_json, mermaid, text as trace_text};
use crate::verb::{Format, Kept, Telling, exit};

/// What `check isr` is asked.
#[derive(Clone, Debug)]
pub struct CheckIsr {
    /// The settings, in the order of the answer.
    pub settings: Vec<Setting>,
    /// The measures.
    pub measures: Vec<Measure>,
    /// Threads, at least 1; no answer depends on it.
    pub threads: usize,
    /// When to give up: states of each setting, time in all, an interrupt.
    pub limits: Limits,
    /// The checker's engine for the second opinion.
    pub engine: Engine,
    /// A second opinion on settings of up to this many states; the others rest on their graph alone.
    pub verify_up_to: u64,
    /// Inconclusive if a premise was never true, or an action never taken.
    pub strict: bool,
    /// How progress is told.
    pub telling: Telling,
    /// How the answer is written.
    pub format: Format,
    /// Every setting with every answer, not only the tables.
    pub full: bool,
    /// Write JUnit XML here, too.
    pub junit: Option<PathBuf>,
    /// Write each counterexample into this folder, as text, JSON, ITF, Mermaid, schedule and
    /// scenario.
    pub traces: Option<PathBuf>,
    /// Write the first refutation as a scenario for `isrlab replay`.
    pub save: Option<PathBuf>,
}

/// One answer.
#[derive(Clone, Debug)]
pub struct Row {
    /// The setting.
    pub setting: Setting,
    /// The measure.
    pub measure: Measure,
    /// The answer.
    pub extent: Extent,
    /// Steps at which the measure was looked at.
    pub observations: u64,
    /// The line of the table, if it has one.
    pub expectation: Option<&'static Expectation>,
    /// Distinct states of the setting.
    pub states: usize,
    /// Steps between them.
    pub steps: usize,
    /// States on the longest of the shortest paths.
    pub depth: u32,
    /// The second opinion.
    pub second: Second,
}

/// The second opinion on an answer.
#[derive(Clone, Debug)]
pub enum Second {
    /// Not asked: the setting is larger than was asked for. The graph alone stands for it.
    NotAsked,
    /// The checker's.
    Given(Opinion),
}

impl Row {
    /// What is wrong with the answer, in words; `None` if nothing is.
    pub fn fault(&self) -> Option<String> {
        if let Second::Given(Opinion::Differs(what)) = &self.second {
            return Some(format!("the checker disagrees: {what}"));
        }
        let line = self.expectation?;
        let expected = (line.value)(&self.setting);
        if expected.matches(&self.extent) {
            return None;
        }
        Some(format!("CHANGED: {} where the table has {expected} ({})", self.value(), line.formula))
    }

    /// The answer as a word.
    pub fn value(&self) -> String {
        match &self.extent {
            Extent::Never => "never".to_owned(),
            Extent::Exactly(value) => value.to_string(),
            Extent::Unbounded(_) => "unbounded".to_owned(),
        }
    }

    /// A counterexample to the next tighter claim, if one was asked for and there is one.
    pub fn counterexample(&self) -> Option<&crate::isr::verify::Counterexample> {
        match &self.second {
            Second::Given(Opinion::Agrees(evidence)) => evidence.counterexample.as_ref(),
            _ => None,
        }
    }

    /// A run that refutes a claim about the measure, if the second opinion has one: the next
    /// tighter bound, or that there is a bound.
    pub fn refutation(&self) -> Option<Refutation> {
        match (&self.extent, &self.second) {
            (Extent::Unbounded(cycle), _) => Some(Refutation::of_cycle(&self.setting, self.measure, cycle)),
            _ => self.counterexample().map(Refutation::of_counterexample),
        }
    }

    fn stopped(&self) -> Option<StopReason> {
        match self.second {
            Second::Given(Opinion::Stopped(reason)) => Some(reason),
            _ => None,
        }
    }
}

/// All answers.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The answers, by setting and then by measure.
    pub rows: Vec<Row>,
    /// Settings whose search was cut short, and by what.
    pub stopped: Vec<(Setting, StopReason)>,
    /// How many settings were asked for.
    pub settings: usize,
    /// Kinds of action that no step of a setting's graph takes, though its model has them.
    pub untaken: Vec<(Setting, &'static str)>,
    /// Whether what was never exercised makes all inconclusive.
    pub strict: bool,
}

impl Findings {
    /// The exit code: 1 if an answer changed or the checker disagrees, 3 if something was cut
    /// short or, strictly, never exercised, 4 if nothing was asked, else 0.
    pub fn exit_code(&self) -> u8 {
        if self.rows.iter().any(|row| row.fault().is_some()) {
            exit::VIOLATED
        } else if !self.stopped.is_empty() || self.rows.iter().any(|row| row.stopped().is_some()) {
            exit::INCONCLUSIVE
        } else if self.rows.is_empty() {
            exit::NOTHING
        } else if self.strict && !(self.unexercised().is_empty() && self.untaken.is_empty()) {
            exit::INCONCLUSIVE
        } else {
            exit::OK
        }
    }

    /// Measures that no setting ever exercised: their premise was never true anywhere.
    pub fn unexercised(&self) -> Vec<Measure> {
        let mut measures: Vec<Measure> = self.rows.iter().map(|row| row.measure).collect();
        measures.sort_unstable();
        measures.dedup();
        measures.retain(|measure| {
            self.rows.iter().filter(|row| row.measure == *measure).all(|row| row.observations == 0)
        });
        measures
    }
}

/// Runs the verb: the answer to `out`, progress to `progress`; the exit code comes back.
pub fn check_isr(ask: &CheckIsr, out: &mut dyn Write, progress: &mut dyn Write) -> u8 {
    check_isr_keeping(ask, out, progress, None)
}

/// The same, and keeps the answers, and of each measure under each criterion the first refutation.
pub fn check_isr_keeping(
    ask: &CheckIsr,
    out: &mut dyn Write,
    progress: &mut dyn Write,
    kept: Option<&mut Kept>,
) -> u8 {
    for setting in &ask.settings {
        if let Err(error) = setting.validate() {
            let _ = writeln!(progress, "error: {error}");
            return exit::USAGE;
        }
    }
    let found = findings(ask, progress);
    let written =
        write_all(ask, &found, out).and_then(|()| kept.map_or(Ok(()), |kept| json::keep(kept, &found)));
    match written {
        Ok(()) => {
            if found.strict {
                tell_unexercised(&found, progress);
            }
            found.exit_code()
        }
        Err(error) => {
            let _ = writeln!(progress, "error: failed to write the answer: {error}");
            exit::INCONCLUSIVE
        }
    }
}

fn tell_unexercised(found: &Findings, progress: &mut dyn Write) {
    for measure in found.unexercised() {
        let _ = writeln!(progress, "error: the premise of {measure} was never true");
    }
    for (setting, action) in &found.untaken {
        let _ = writeln!(progress, "error: {setting}: the action {action} was never taken");
    }
}

fn write_all(ask: &CheckIsr, found: &Findings, out: &mut dyn Write) -> std::io::Result<()> {
    match ask.format {
        Format::Text => text::write(out, ask, found)?,
        Format::Json => json::write(out, found)?,
    }
    if let Some(file) = &ask.junit {
        std::fs::write(file, junit::render(found))?;
    }
    if let Some(folder) = &ask.traces {
        write_traces(folder, found)?;
    }
    if let Some(file) = &ask.save {
        save(file, ask, found)?;
    }
    out.flush()
}

/// Writes the first refutation as a scenario. A setting that is too large for the second opinion is
/// asked for its counterexample here.
fn save(file: &std::path::Path, ask: &CheckIsr, found: &Findings) -> std::io::Result<()> {
    let options = options(ask, ask.limits.clone());
    for row in &found.rows {
        let refutation = match row.refutation() {
            Some(known) => Some(known),
            None => Refutation::of_answer(&row.setting, row.measure, &row.extent, &options)
                .map_err(|reason| std::io::Error::other(format!("--save: stopped by {reason}")))?,
        };
        if let Some(refutation) = refutation {
            return std::fs::write(file, scenario(&refutation).map_err(std::io::Error::other)?);
        }
    }
    Err(std::io::Error::other("--save: there is no counterexample: every bound is the tightest"))
}

fn options(ask: &CheckIsr, limits: Limits) -> Options {
    Options { engine: ask.engine, limits, ..Options::default() }
}

fn write_traces(folder: &std::path::Path, found: &Findings) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (number, row) in found.rows.iter().enumerate() {
        let Some(refutation) = row.refutation() else { continue };
        let name = format!("{number:05}-{}-{}", row.setting.criterion, row.measure);
        let write =
            |extension: &str, text: String| std::fs::write(folder.join(format!("{name}.{extension}")), text);
        write("toml", scenario(&refutation).map_err(std::io::Error::other)?)?;
        write("schedule.txt", format!("{}\n", refutation.schedule()))?;
        let Some(counterexample) = row.counterexample() else { continue };
        let trace = &counterexample.trace;
        write("txt", trace_text::render(trace, trace_text::TextOptions::default()))?;
        write("json", trace_json::render(trace))?;
        write("itf.json", itf::render(trace))?;
        write("mmd", mermaid::render(trace))?;
    }
    Ok(())
}

/// Where the threads stand together.
#[derive(Default)]
struct Tally {
    next: AtomicUsize,
    settings: AtomicUsize,
    states: AtomicU64,
    depth: AtomicU64,
}

/// Answers all that is asked.
pub fn findings(ask: &CheckIsr, progress: &mut dyn Write) -> Findings {
    let started = Instant::now();
    let max_memory = ask.limits.max_memory.unwrap_or_else(default_memory_limit);
    let ask =
        &CheckIsr { limits: Limits { max_memory: Some(max_memory), ..ask.limits.clone() }, ..ask.clone() };
    let tally = Tally::default();
    let results = Results::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..ask.threads.max(1)).map(|_| scope.spawn(|| work(ask, started, &tally, &results))).collect();
        let mut told = Instant::now();
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            if told.elapsed() >= Duration::from_secs(1) {
                told = Instant::now();
                ask.telling.tell(progress, &standing(ask, started, &tally));
            }
        }
    });
    ask.telling.tell_last(progress, &standing(ask, started, &tally));
    let mut results = results.into_inner().expect("no worker panicked");
    results.sort_by_key(|(number, _)| *number);
    let mut found = Findings {
        rows: Vec::new(),
        stopped: Vec::new(),
        settings: ask.settings.len(),
        untaken: Vec::new(),
        strict: ask.strict,
    };
    for (number, result) in results {
        match result {
            Ok((rows, untaken)) => {
                found.rows.extend(rows);
                found.untaken.extend(untaken.into_iter().map(|action| (ask.settings[number], action)));
            }
            Err(reason) => found.stopped.push((ask.settings[number], reason)),
        }
    }
    found
}

/// How far the threads are, in words.
fn standing(ask: &CheckIsr, started: Instant, tally: &Tally) -> String {
    let states = tally.states.load(Ordering::Relaxed);
    let seconds = started.elapsed().as_secs_f64();
    format!(
        "{} of {} settings, {states} states, {:.0} states/s, depth {}, {seconds:.1} s",
        tally.settings.load(Ordering::Relaxed),
        ask.settings.len(),
        states as f64 / seconds.max(0.001),
        tally.depth.load(Ordering::Relaxed),
    )
}

/// What the threads found, each with the number of its setting.
type Results = Mutex<Vec<(usize, Result<Found, StopReason>)>>;

/// The answers in one setting, and the kinds of action that were never taken there.
type Found = (Vec<Row>, Vec<&'static str>);

fn work(ask: &CheckIsr, started: Instant, tally: &Tally, results: &Results) {
    loop {
        let number = tally.next.fetch_add(1, Ordering::Relaxed);
        let Some(setting) = ask.settings.get(number) else { return };
        let left = ask.limits.timeout.map(|all| all.saturating_sub(started.elapsed()));
        let limits = Limits { timeout: left, ..ask.limits.clone() };
        let rows = rows_of(ask, setting, &limits);
        if let Ok((rows, _)) = &rows
            && let Some(row) = rows.first()
        {
            tally.states.fetch_add(row.states as u64, Ordering::Relaxed);
            tally.depth.fetch_max(row.depth.into(), Ordering::Relaxed);
        }
        tally.settings.fetch_add(1, Ordering::Relaxed);
        results.lock().expect("no worker panicked").push((number, rows));
    }
}

fn rows_of(ask: &CheckIsr, setting: &Setting, limits: &Limits) -> Result<Found, StopReason> {
    let answers = answer(setting, &ask.measures, limits)?;
    let states = answers.graph.states().len();
    let options = options(ask, limits.clone());
    let row = |answer: crate::isr::answer::Answer| {
        let second = if states as u64 <= ask.verify_up_to {
            Second::Given(verify(setting, answer.measure, &answer.bound.extent, &options))
        } else {
            Second::NotAsked
        };
        Row {
            setting: *setting,
            measure: answer.measure,
            extent: answer.bound.extent,
            observations: answer.bound.observations,
            expectation: answer.expectation,
            states,
            steps: answers.graph.edge_count(),
            depth: answers.graph.depth(),
            second,
        }
    };
    let untaken = untaken(setting, &answers.graph);
    Ok((answers.answers.into_iter().map(row).collect(), untaken))
}

/// The kinds of action of a setting's model that no step takes.
fn untaken(setting: &Setting, graph: &Graph) -> Vec<&'static str> {
    let mut taken = [false; Action::KINDS.len()];
    for state in 0..graph.states().len() as u32 {
        for edge in graph.edges(state) {
            taken[edge.action.kind()] = true;
        }
    }
    let returns = setting.behaviour == Behaviour::Returning;
    let has = |kind: usize| returns || kind != Action::Return(1).kind();
    (0..taken.len()).filter(|&kind| has(kind) && !taken[kind]).map(|kind| Action::KINDS[kind]).collect()
}

/// The claims of the issue, settled by these findings.
pub(super) fn settled(found: &Findings) -> Vec<claims::ClaimLine> {
    claims::claim_lines(found)
}
