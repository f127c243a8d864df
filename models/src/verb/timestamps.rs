//! `isrlab check timestamps`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};

use super::args::{FormatArg, ShowArg};
use super::exit;
use super::kept::{self, Kept};
use super::progress::Ticker;
use super::search_args::{SearchArgs, remaining};
use super::text::write_report;
use crate::checker::{ClaimReport, Options, Report, Verdict, check_with_stateright};
use crate::expected::{self, Comparison};
use crate::timestamps::{TimestampConstants, TimestampConstantsError, TimestampVariant, Timestamps};
use crate::trace::text::{TextOptions, render};

/// Check what leaders do to the times of records (KIP-32, KAFKA-3026), over every run within a bound.
///
/// What is expected of each answer is in a table; a variant that is refuted as it should be is no
/// failure. Exit codes: 0 all as expected; 1 an answer changed, or something outside the table is
/// violated; 2 bad usage; 3 inconclusive (a limit, an interrupt, a failure to write).
#[derive(Args, Clone, Debug)]
pub struct TimestampsArgs {
    /// Check this variant only; may be given more than once. Known: create-3026, create-0.10,
    /// create-2024, the same with -wrapping, create-2024-keeps-good, append-3026, append-0.10,
    /// append-2024, append-2024-clock-back.
    #[arg(long = "variant", value_name = "VARIANT", value_parser = parse_variant)]
    pub variants: Vec<TimestampVariant>,
    /// The last tick of a clock (1 to 4).
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub max_clock: u8,
    /// Most records in the log (1 to 4).
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub max_records: u8,
    /// The highest leader epoch; the first is 0 (0 to 3).
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub max_epoch: u8,
    /// Write the answer and the counterexamples into this folder, for `isrlab report`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its text would replace this command's own")]
    pub search: SearchArgs,
}

fn parse_variant(text: &str) -> Result<TimestampVariant, String> {
    TimestampVariant::from_name(text).ok_or_else(|| {
        let names: Vec<_> = TimestampVariant::ALL.iter().map(|variant| variant.name).collect();
        format!("no variant is called \"{text}\"; accepted are {}", names.join(", "))
    })
}

/// All that was found.
struct Answer {
    reports: Vec<(TimestampVariant, Report)>,
    strict: bool,
}

impl Answer {
    fn cells(&self) -> Vec<(&TimestampVariant, &Report, &ClaimReport, Comparison)> {
        let table = expected::timestamps_table();
        let mut cells = Vec::new();
        for (variant, report) in &self.reports {
            for claim in &report.claims {
                cells.push((variant, report, claim, expected::compare(&table, report, claim)));
            }
        }
        cells
    }

    fn unexercised(&self) -> Vec<String> {
        let each = self.reports.iter().map(|(_, report)| {
            report.unexercised().into_iter().map(|what| format!("{}: {what}", report.model))
        });
        each.flatten().collect()
    }

    fn exit_code(&self) -> u8 {
        let cells = self.cells();
        let failed = cells.iter().any(|(_, _, claim, comparison)| match comparison {
            Comparison::Changed(_) => true,
            Comparison::NotInTable => claim.verdict == Verdict::Violated,
            Comparison::AsExpected | Comparison::Unfinished => false,
        });
        match () {
            () if cells.is_empty() => exit::NOTHING,
            () if failed => exit::VIOLATED,
            () if self.reports.iter().any(|(_, report)| !report.is_whole()) => exit::INCONCLUSIVE,
            () if self.strict && !self.unexercised().is_empty() => exit::INCONCLUSIVE,
            () => exit::OK,
        }
    }
}

impl TimestampsArgs {
    /// Runs the verb: the answer to `out`, progress to `progress`; the exit code comes back.
    /// `interrupt` ends the run with exit code 3 when it is set. What is to be written into
    /// [`TimestampsArgs::out`] is kept for the caller to write.
    pub fn run(
        &self,
        interrupt: Option<Arc<AtomicBool>>,
        out: &mut dyn Write,
        progress: &mut dyn Write,
        kept: Option<&mut Kept>,
    ) -> u8 {
        let answer = match self.check(interrupt, progress) {
            Ok(answer) => answer,
            Err(error) => {
                // If even this cannot be written the exit code still tells.
                let _ = writeln!(progress, "error: {error}");
                return exit::USAGE;
            }
        };
        match self.write(&answer, out).map(|()| kept.map(|kept| keep(kept, &answer))) {
            Ok(_) => answer.exit_code(),
            Err(error) => {
                let _ = writeln!(progress, "error: the answer could not be written: {error}");
                exit::INCONCLUSIVE
            }
        }
    }

    fn check(
        &self,
        interrupt: Option<Arc<AtomicBool>>,
        progress: &mut dyn Write,
    ) -> Result<Answer, TimestampConstantsError> {
        let constants = TimestampConstants::new(self.max_clock, self.max_records, self.max_epoch);
        let variants = if self.variants.is_empty() { &TimestampVariant::ALL[..] } else { &self.variants };
        let started = Instant::now();
        let limits = self.search.limits(interrupt);
        let mut reports = Vec::new();
        for &variant in variants {
            let model = Timestamps::new(variant, constants)?;
            let limits = remaining(&limits, started);
            let options = Options { threads: self.search.threads, limits, ..Options::default() };
            let mut ticker = Ticker::new(self.search.telling(), progress, variant.name);
            let report = check_with_stateright(&model, &options, &mut |progress| ticker.tick(progress));
            ticker.end(&report);
            reports.push((variant, report));
        }
        Ok(Answer { reports, strict: self.search.strict })
    }

    fn write(&self, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
        match self.search.format {
            FormatArg::Text => self.write_text(answer, out)?,
            FormatArg::Json => write_json(answer, out)?,
        }
        out.flush()
    }

    fn write_text(&self, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
        let cells = answer.cells();
        if let Some((_, report, _, _)) = cells.first() {
            writeln!(out, "Broker timestamps: {}\n", report.bound)?;
        }
        for (variant, report) in &answer.reports {
            writeln!(out, "{} ({})", variant.name, variant.policy)?;
            for claim in &report.claims {
                let verdict = match claim.counterexample_states() {
                    Some(states) => format!("violated in {states} states"),
                    None => claim.verdict.name().to_owned(),
                };
                writeln!(out, "  {:<28} {verdict}", claim.name)?;
            }
        }
        writeln!(out)?;
        let default = if answer.reports.len() == 1 { ShowArg::Steps } else { ShowArg::Ends };
        let show = self.search.show.unwrap_or(default);
        for (variant, _, claim, _) in &cells {
            let Some(trace) = &claim.counterexample else { continue };
            if show == ShowArg::Ends {
                writeln!(out, "{}, {}: {}", variant.name, claim.name, trace.conclusion.join(" "))?;
            } else {
                writeln!(out, "{}", render(trace, TextOptions { full_state: show == ShowArg::Full }))?;
            }
        }
        writeln!(out, "\nWhat was exercised:")?;
        for (_, report) in &answer.reports {
            write_report(out, report)?;
        }
        for sentence in answer.unexercised() {
            writeln!(out, "  NOT EXERCISED: {sentence}")?;
        }
        for (_, report, claim, comparison) in &cells {
            if let Comparison::Changed(what) = comparison {
                writeln!(out, "CHANGED: {} {}: {what}", report.model, claim.name)?;
            }
        }
        let count = |wanted: &str| {
            cells.iter().filter(|(_, _, _, comparison)| comparison.to_string().starts_with(wanted)).count()
        };
        writeln!(
            out,
            "\n{} answers: {} as expected, {} changed, {} unfinished, {} with no expectation for this bound.",
            cells.len(),
            count("as expected"),
            count("CHANGED"),
            count("unfinished"),
            count("no expectation")
        )
    }
}

/// Keeps the answer and its counterexamples.
fn keep(kept: &mut Kept, answer: &Answer) {
    let cells = answer.cells();
    let mut document = document(answer);
    let told = cells.iter().map(|(variant, report, claim, comparison)| {
        kept::cell(variant.name, None, report, claim, comparison)
    });
    document["matrix"] = told.collect();
    kept.answer(&document);
    for (variant, _, claim, _) in &cells {
        if let Some(trace) = &claim.counterexample {
            kept.trace(&format!("{}-{}", variant.name, claim.name), trace);
        }
    }
}

fn write_json(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(answer))?;
    writeln!(out)
}

fn document(answer: &Answer) -> Value {
    let cells = answer.cells();
    let matrix = cells.iter().map(|(variant, report, claim, comparison)| {
        json!({
            "variant": variant.name,
            "policy": variant.policy.to_string(),
            "model": report.model,
            "claim": claim.name,
            "verdict": claim.verdict,
            "counterexample_states": claim.counterexample_states(),
            "comparison": comparison.to_string(),
        })
    });
    json!({
        "matrix": matrix.collect::<Vec<_>>(),
        "unexercised": answer.unexercised(),
        "strict": answer.strict,
        "exit_code": answer.exit_code(),
        "reports": answer.reports.iter().map(|(_, report)| report).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strictly_an_action_never_taken_is_inconclusive() {
        let variant = TimestampVariant::ALL[0];
        let model = Timestamps::new(variant, TimestampConstants::new(1, 1, 0)).expect("within range");
        let report = check_with_stateright(&model, &Options::default(), &mut |_| {});
        let mut answer = Answer { reports: vec![(variant, report)], strict: true };
        for (_, report) in &mut answer.reports {
            // Only what was exercised matters here.
            report.claims.iter_mut().for_each(|claim| claim.verdict = Verdict::Holds);
            report.actions.iter_mut().for_each(|action| action.taken = 0);
        }
        assert_eq!(answer.exit_code(), exit::INCONCLUSIVE);
        answer.strict = false;
        assert_eq!(answer.exit_code(), exit::OK);
    }
}
