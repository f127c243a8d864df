//! `isrlab check mirror-lag` and `isrlab check share-lag`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use serde_json::json;

use super::kept::{self, Kept};
use super::progress::Ticker;
use super::search_args::remaining;
use super::{Format, Show, Telling, exit, text};
use crate::checker::{Options, Progress, Report, Verdict, check};
use crate::expected::{self, Comparison};
use crate::lag_scenario::{mirror_scenario, share_scenario};
use crate::mirror_lag::{MirrorConstants, MirrorConstantsError, MirrorLag, MirrorRule};
use crate::share_lag::{ShareConstants, ShareConstantsError, ShareLag, ShareVariant};
use crate::trace::{self, Trace};

/// Which lag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LagModel {
    /// MirrorMaker 2's replication offset lag, within this many source offsets.
    Mirror {
        /// Offsets of the source log, 1 to 4.
        offsets: u32,
    },
    /// The lag of a share partition, within this many records.
    Share {
        /// Records, 1 to 3.
        records: u32,
    },
}

/// One check: a rule or variant under one condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LagRun {
    /// A rule of MirrorMaker 2's lag.
    Mirror(MirrorRule, MirrorConstants),
    /// A variant of the share-partition lag.
    Share(ShareVariant, ShareConstants),
}

impl LagRun {
    /// Runs the check.
    ///
    /// # Errors
    /// If the constants are out of range, in words.
    pub fn check(self, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Result<Report, String> {
        match self {
            LagRun::Mirror(rule, constants) => {
                let model = MirrorLag::new(rule, constants)
                    .map_err(|error: MirrorConstantsError| error.to_string())?;
                Ok(check(&model, options, progress))
            }
            LagRun::Share(variant, constants) => {
                let model = ShareLag::new(variant, constants)
                    .map_err(|error: ShareConstantsError| error.to_string())?;
                Ok(check(&model, options, progress))
            }
        }
    }

    /// A counterexample of this check as a scenario.
    ///
    /// # Errors
    /// Why it cannot be one, in words.
    pub fn scenario(self, counterexample: &Trace) -> Result<String, String> {
        match self {
            LagRun::Mirror(rule, constants) => {
                let model = MirrorLag::new(rule, constants).map_err(|error| error.to_string())?;
                mirror_scenario(&model, counterexample)
            }
            LagRun::Share(variant, constants) => {
                let model = ShareLag::new(variant, constants).map_err(|error| error.to_string())?;
                share_scenario(&model, counterexample)
            }
        }
    }
}

impl LagModel {
    /// The rules or variants.
    pub fn rows(self) -> Vec<&'static str> {
        match self {
            LagModel::Mirror { .. } => MirrorRule::ALL.map(MirrorRule::name).to_vec(),
            LagModel::Share { .. } => ShareVariant::ALL.map(ShareVariant::name).to_vec(),
        }
    }

    /// The claims.
    pub fn claims(self) -> Vec<&'static str> {
        let claims = match self {
            LagModel::Mirror { .. } => crate::mirror_lag::claims(),
            LagModel::Share { .. } => crate::share_lag::claims(),
        };
        claims.iter().map(|claim| claim.name).collect()
    }

    /// The conditions under which each is checked.
    pub fn conditions(self) -> Vec<&'static str> {
        match self {
            LagModel::Mirror { .. } => vec!["plain", "gaps", "restart", "source-recreated", "any-order"],
            LagModel::Share { .. } => {
                vec!["plain", "fail-over", "write-lost", "answer-lost", "log-start-moves", "altered"]
            }
        }
    }

    /// The check of a row under a condition, if there are such.
    pub fn run(self, row: &str, condition: &str) -> Option<LagRun> {
        match self {
            LagModel::Mirror { offsets } => {
                let rule = MirrorRule::ALL.into_iter().find(|rule| rule.name() == row)?;
                let plain = MirrorConstants::plain(offsets);
                let constants = match condition {
                    "plain" => plain,
                    "gaps" => MirrorConstants { gaps: 1, ..plain },
                    "restart" => MirrorConstants { restarts: 1, ..plain },
                    "source-recreated" => MirrorConstants { recreations: 1, ..plain },
                    "any-order" => MirrorConstants { any_order: true, ..plain },
                    _ => return None,
                };
                Some(LagRun::Mirror(rule, constants))
            }
            LagModel::Share { records } => {
                let variant = ShareVariant::ALL.into_iter().find(|variant| variant.name() == row)?;
                let plain = ShareConstants::plain(records);
                let constants = match condition {
                    "plain" => plain,
                    "fail-over" => ShareConstants { failovers: 1, ..plain },
                    "write-lost" => ShareConstants { failures: 1, ..plain },
                    "answer-lost" => ShareConstants { failures: 1, lost_answers: true, ..plain },
                    "log-start-moves" => ShareConstants { log_moves: 1, ..plain },
                    "altered" => ShareConstants { alterations: 1, ..plain },
                    _ => return None,
                };
                Some(LagRun::Share(variant, constants))
            }
        }
    }
}

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct CheckLag {
    /// Which lag.
    pub model: LagModel,
    /// Rules or variants; empty for all.
    pub rows: Vec<String>,
    /// Conditions; empty for all.
    pub conditions: Vec<String>,
    /// Claims whose counterexamples are shown, written and saved; empty for all.
    pub claims: Vec<String>,
    /// The search, its threads and its limits; the time is for all checks together.
    pub options: Options,
    /// An action never taken, or a premise never true, makes all inconclusive.
    pub strict: bool,
    /// How progress is told.
    pub telling: Telling,
    /// How the answer is written.
    pub format: Format,
    /// How much of a counterexample is shown; `None` is its steps for one check, else nothing.
    pub show: Option<Show>,
    /// A folder for the counterexamples as text, JSON, ITF, Mermaid and as scenarios.
    pub traces: Option<PathBuf>,
    /// Where to write the first counterexample as a scenario.
    pub save: Option<PathBuf>,
}

impl CheckLag {
    /// A check of everything that a model has, by the fast engine on one thread, told as text.
    pub fn all(model: LagModel) -> CheckLag {
        CheckLag {
            model,
            rows: Vec::new(),
            conditions: Vec::new(),
            claims: Vec::new(),
            options: Options::default(),
            strict: false,
            telling: Telling::Lines,
            format: Format::Text,
            show: None,
            traces: None,
            save: None,
        }
    }
}

/// One check done.
#[derive(Serialize)]
struct Done {
    condition: &'static str,
    row: &'static str,
    #[serde(skip)]
    run: LagRun,
    report: Report,
}

impl Done {
    /// The counterexamples to the claims that are asked about, each with its claim's name.
    fn counterexamples<'a>(&'a self, args: &'a CheckLag) -> impl Iterator<Item = (&'a str, &'a Trace)> {
        let asked = |name: &str| args.claims.is_empty() || args.claims.iter().any(|claim| claim == name);
        let claims = self.report.claims.iter().filter(move |claim| asked(claim.name));
        claims.filter_map(|claim| Some((claim.name, claim.counterexample.as_ref()?)))
    }

    fn comparisons(&self) -> Vec<Comparison> {
        let table = expected::lag_table();
        self.report.claims.iter().map(|claim| expected::compare(&table, &self.report, claim)).collect()
    }
}

/// Runs the checks, writes the answer to `out` and progress to `progress`, and says the exit code:
/// as for `check replication`, with the table `models/expected/lag.csv`.
pub fn check_lag(args: &CheckLag, out: &mut dyn Write, progress: &mut dyn Write) -> u8 {
    check_lag_keeping(args, out, progress, None)
}

/// The same, and keeps the answer and the counterexamples.
pub fn check_lag_keeping(
    args: &CheckLag,
    out: &mut dyn Write,
    progress: &mut dyn Write,
    kept: Option<&mut Kept>,
) -> u8 {
    let done = match run(args, progress) {
        Ok(done) => done,
        Err(error) => {
            let _ = writeln!(progress, "error: {error}");
            return exit::USAGE;
        }
    };
    match write(args, &done, out).map(|()| kept.map(|kept| keep(kept, args, &done))) {
        Ok(_) => exit_code(args, &done),
        Err(error) => {
            let _ = writeln!(progress, "error: the answer could not be written: {error}");
            exit::INCONCLUSIVE
        }
    }
}

/// Those of `known` that are asked for.
fn chosen(asked: &[String], known: Vec<&'static str>, what: &str) -> Result<Vec<&'static str>, String> {
    if let Some(unknown) = asked.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("no {what} is called \"{unknown}\"; accepted are {}", known.join(", ")));
    }
    let wanted = |name: &&str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    Ok(known.into_iter().filter(wanted).collect())
}

fn run(args: &CheckLag, progress: &mut dyn Write) -> Result<Vec<Done>, String> {
    let started = Instant::now();
    let rows = chosen(&args.rows, args.model.rows(), "rule or variant")?;
    let conditions = chosen(&args.conditions, args.model.conditions(), "condition")?;
    chosen(&args.claims, args.model.claims(), "claim")?;
    let mut done = Vec::new();
    for condition in conditions {
        for &row in &rows {
            let limits = remaining(&args.options.limits, started);
            let options = Options { limits, ..args.options.clone() };
            let run = args.model.run(row, condition).expect("its own rows and conditions");
            let name = format!("{row}, {condition}");
            let mut ticker = Ticker::new(args.telling, progress, &name);
            let report = run.check(&options, &mut |progress| ticker.tick(progress))?;
            ticker.end(&report);
            done.push(Done { condition, row, run, report });
        }
    }
    Ok(done)
}

fn exit_code(args: &CheckLag, done: &[Done]) -> u8 {
    let failed = |done: &Done| {
        done.comparisons().iter().zip(&done.report.claims).any(|(comparison, claim)| match comparison {
            Comparison::Changed(_) => true,
            Comparison::NotInTable => claim.verdict == Verdict::Violated,
            Comparison::AsExpected | Comparison::Unfinished => false,
        })
    };
    let unexercised = |done: &Done| !done.report.unexercised().is_empty();
    if done.is_empty() {
        exit::NOTHING
    } else if done.iter().any(failed) {
        exit::VIOLATED
    } else if done.iter().any(|done| !done.report.is_whole()) || args.strict && done.iter().any(unexercised) {
        exit::INCONCLUSIVE
    } else {
        exit::OK
    }
}

/// Keeps the answer and its counterexamples.
fn keep(kept: &mut Kept, args: &CheckLag, done: &[Done]) {
    let mut matrix = Vec::new();
    let mut unexercised = Vec::new();
    for done in done {
        for (comparison, claim) in done.comparisons().iter().zip(&done.report.claims) {
            matrix.push(kept::cell(done.row, Some(done.condition), &done.report, claim, comparison));
        }
        let sentences = done.report.unexercised().into_iter();
        unexercised.extend(sentences.map(|sentence| format!("{}: {sentence}", done.report.model)));
    }
    kept.answer(&json!({
        "matrix": matrix,
        "unexercised": unexercised,
        "strict": args.strict,
        "exit_code": exit_code(args, done),
        "reports": done.iter().map(|done| &done.report).collect::<Vec<_>>(),
    }));
    for done in done {
        for claim in &done.report.claims {
            if let Some(trace) = &claim.counterexample {
                kept.trace(&format!("{}-{}-{}", done.row, done.condition, claim.name), trace);
            }
        }
    }
}

fn write(args: &CheckLag, done: &[Done], out: &mut dyn Write) -> io::Result<()> {
    if let Some(folder) = &args.traces {
        let at = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
        write_traces(args, folder, done).map_err(at)?;
    }
    if let Some(file) = &args.save {
        save(args, file, done)?;
    }
    match args.format {
        Format::Text => write_text(args, done, out)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, done)?;
            writeln!(out)?;
        }
    }
    out.flush()
}

/// Writes the first counterexample as a scenario.
fn save(args: &CheckLag, file: &Path, done: &[Done]) -> io::Result<()> {
    let mut found =
        done.iter().flat_map(|done| done.counterexamples(args).map(|(_, found)| (done.run, found)));
    let Some((run, counterexample)) = found.next() else {
        return Err(io::Error::other("--save: there is no counterexample: every claim asked about holds"));
    };
    let text = run.scenario(counterexample).map_err(|error| io::Error::other(format!("--save: {error}")))?;
    let at = |error: io::Error| io::Error::new(error.kind(), format!("--save {}: {error}", file.display()));
    std::fs::write(file, text).map_err(at)
}

fn write_traces(args: &CheckLag, folder: &Path, done: &[Done]) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for done in done {
        for (claim, found) in done.counterexamples(args) {
            let file = |ending| folder.join(format!("{}-{}-{claim}.{ending}", done.row, done.condition));
            std::fs::write(
                file("txt"),
                trace::text::render(found, trace::text::TextOptions { full_state: true }),
            )?;
            std::fs::write(file("json"), trace::json::render(found))?;
            std::fs::write(file("itf.json"), trace::itf::render(found))?;
            std::fs::write(file("mmd"), trace::mermaid::render(found))?;
            std::fs::write(file("toml"), done.run.scenario(found).map_err(io::Error::other)?)?;
        }
    }
    Ok(())
}

fn write_text(args: &CheckLag, done: &[Done], out: &mut dyn Write) -> io::Result<()> {
    let mut conditions: Vec<&str> = done.iter().map(|done| done.condition).collect();
    conditions.dedup();
    for condition in conditions {
        write_condition(condition, done, out)?;
    }
    write_counterexamples(args, done, out)?;
    writeln!(out, "What was exercised:")?;
    for done in done {
        text::write_report(out, &done.report)?;
        for sentence in done.report.unexercised() {
            writeln!(out, "  NOT EXERCISED: {}: {sentence}", done.report.model)?;
        }
    }
    write_expectations(done, out)
}

/// A row for each claim, a column for each rule or variant.
fn write_condition(condition: &str, done: &[Done], out: &mut dyn Write) -> io::Result<()> {
    let of: Vec<&Done> = done.iter().filter(|done| done.condition == condition).collect();
    let Some(first) = of.first() else { return Ok(()) };
    writeln!(out, "{condition}: {} (engine {})", first.report.bound, first.report.engine.name())?;
    let mut table = vec![
        ["claim"].into_iter().chain(of.iter().map(|done| done.row)).map(str::to_owned).collect::<Vec<_>>(),
    ];
    for (number, claim) in first.report.claims.iter().enumerate() {
        let cells = of.iter().map(|done| {
            let claim = &done.report.claims[number];
            let changed = matches!(done.comparisons()[number], Comparison::Changed(_));
            let mark = if changed { " (!)" } else { "" };
            match (claim.verdict, claim.counterexample_states(), claim.premise_states) {
                (Verdict::Violated, Some(states), _) => format!("violated in {states}{mark}"),
                (Verdict::Holds, _, 0) => format!("vacuous{mark}"),
                (verdict, ..) => format!("{}{mark}", verdict.name()),
            }
        });
        table.push([claim.name.to_owned()].into_iter().chain(cells).collect());
    }
    let states = of.iter().map(|done| done.report.distinct_states.to_string());
    table.push(["states".to_owned()].into_iter().chain(states).collect());
    text::write_table(out, &table)?;
    writeln!(out)
}

fn write_counterexamples(args: &CheckLag, done: &[Done], out: &mut dyn Write) -> io::Result<()> {
    let show = match (args.show, done.len()) {
        (Some(show), _) => show,
        (None, 1) => Show::Steps,
        (None, _) => {
            writeln!(out, "Counterexamples: name one rule or variant and one condition, or give --show.\n")?;
            return Ok(());
        }
    };
    for done in done {
        for (claim, found) in done.counterexamples(args) {
            if show == Show::Ends {
                writeln!(
                    out,
                    "{}, {}, {claim} violated in {} states:",
                    done.row,
                    done.condition,
                    found.steps.len()
                )?;
                for sentence in &found.conclusion {
                    writeln!(out, "  {sentence}")?;
                }
            } else {
                let full = trace::text::TextOptions { full_state: show == Show::Full };
                write!(out, "{}", trace::text::render(found, full))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_expectations(done: &[Done], out: &mut dyn Write) -> io::Result<()> {
    let mut counts = [0; 4];
    for done in done {
        for (comparison, claim) in done.comparisons().iter().zip(&done.report.claims) {
            let kind = match comparison {
                Comparison::AsExpected => 0,
                Comparison::Changed(what) => {
                    writeln!(out, "CHANGED: {} {}: {what}", done.report.model, claim.name)?;
                    1
                }
                Comparison::Unfinished => 2,
                Comparison::NotInTable => 3,
            };
            counts[kind] += 1;
        }
    }
    let words = ["as expected", "changed", "unfinished", "with no expectation for this bound"];
    let parts = counts.iter().zip(words).filter(|(count, _)| **count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    writeln!(out, "{} answers: {}.", counts.iter().sum::<i32>(), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strictly_an_action_never_taken_is_inconclusive() {
        let (row, condition) = ("jira", "plain");
        let model = LagModel::Mirror { offsets: 2 };
        let run = model.run(row, condition).expect("known");
        let report = run.check(&Options::default(), &mut |_| ()).expect("within range");
        let mut done = [Done { condition, row, run, report }];
        let strict = CheckLag { strict: true, ..CheckLag::all(model) };
        assert_eq!(exit_code(&strict, &done), exit::OK);
        done[0].report.actions[0].taken = 0;
        assert_eq!(exit_code(&strict, &done), exit::INCONCLUSIVE);
        assert_eq!(exit_code(&CheckLag::all(model), &done), exit::OK);
    }
}
