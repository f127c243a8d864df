//! The report as a person reads it.

use super::table::{lay_out, wrap};
use super::{Report, human};
use crate::judge::VerdictKind;
use crate::replay::{ExpectationResult, VariantResult};
use crate::stats::{Moments, wilson_interval};
use std::fmt::Write;

const WIDTH: usize = 100;

/// The whole text.
pub fn text(report: &Report) -> String {
    let mut text = heading(report);
    violations(report, &mut text);
    if report.runs_finished > 0 {
        text.push('\n');
        text.push_str(&main_table(report));
        if report.seeds.len() > 1 {
            spread_table(report, &mut text);
        }
        text.push('\n');
        let told = |variant| format!("{}{}", in_words(variant, report.duration_ns), failures(variant));
        let sentences = finished(report).map(|variant| (told(variant), variant));
        for (words, variants) in grouped(sentences) {
            text.push_str(&wrap(&format!("{} {words}", names(&variants)), WIDTH, "  "));
        }
        expectations(report, &mut text);
        exercised(report, &mut text);
    }
    missing(report, &mut text);
    files(report, &mut text);
    text
}

/// Writes to a String, which takes everything.
macro_rules! push {
    ($text:expr, $($part:tt)*) => {
        write!($text, $($part)*).expect("a String takes everything")
    };
}

pub(crate) fn finished(report: &Report) -> impl Iterator<Item = &VariantResult> {
    report.variants.iter().filter(|variant| variant.runs_finished > 0)
}

/// What is said of each variant, each saying once with all the variants it is said of; in the
/// order in which they first came.
pub(crate) fn grouped<'a, K: PartialEq>(
    said: impl Iterator<Item = (K, &'a VariantResult)>,
) -> Vec<(K, Vec<&'a VariantResult>)> {
    let mut groups: Vec<(K, Vec<&VariantResult>)> = Vec::new();
    for (saying, variant) in said {
        match groups.iter_mut().find(|(known, _)| *known == saying) {
            Some((_, variants)) => variants.push(variant),
            None => groups.push((saying, vec![variant])),
        }
    }
    groups
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn names(variants: &[&VariantResult]) -> String {
    let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
    human::listed(&names)
}

fn heading(report: &Report) -> String {
    let duration = human::duration(report.duration_ns as f64 / 1e6);
    let seeds = match report.seeds.as_slice() {
        [] => "no seed".to_owned(),
        [seed] => format!("seed {seed}"),
        [first, .., last] if *last == first.saturating_add(report.seeds.len() as u64 - 1) => {
            format!("{} seeds ({first} to {last})", report.seeds.len())
        }
        seeds => format!("{} seeds ({} first)", seeds.len(), seeds[0]),
    };
    format!("{}: {duration} of virtual time, {seeds}\n", report.scenario)
}

fn violations(report: &Report, text: &mut String) {
    for violation in &report.violations {
        push!(
            text,
            "\nINVARIANT VIOLATED under {}, seed {}, at {}\n  must hold: {}\n  event {}: {}\n",
            violation.criterion,
            violation.seed,
            isrlab_sim::engine::SimTime::from_nanos(violation.at_ns),
            violation.invariant,
            violation.event_number,
            violation.event,
        );
        for line in violation.state.lines() {
            push!(text, "  {line}\n");
        }
        push!(text, "  repeat it: {}\n", violation.command);
    }
    let told = report.violations.len() as u64;
    if report.violations_total > told {
        push!(text, "\n{} more runs violated an invariant.\n", report.violations_total - told);
    }
}

/// Whether a produce request failed in any run: then the table has a column for it.
fn any_failed(report: &Report) -> bool {
    report.variants.iter().any(|variant| variant.metric("requests_failed").mean().unwrap_or(0.0) > 0.0)
}

/// The table that answers the question.
fn main_table(report: &Report) -> String {
    let mut header = vec![
        "criterion",
        "flapped",
        "ISR\nshrinks",
        "ISR\nexpands",
        "first\nshrink",
        "under-\nreplicated",
        "under\nmin ISR",
        "HW\nstalls",
        "p99\nlatency",
        "records\nappended",
    ];
    if any_failed(report) {
        header.push("requests\nfailed");
    }
    let rows: Vec<Vec<String>> = report.variants.iter().map(|variant| main_row(variant, report)).collect();
    let mut text = lay_out(&header, &rows);
    if report.seeds.len() > 1 {
        text.push_str("Means over the runs; spread and intervals below.\n");
    }
    if report.variants.iter().any(|variant| variant.partitions > 1) {
        text.push_str("Times are summed over partitions.\n");
    }
    text
}

fn main_row(variant: &VariantResult, report: &Report) -> Vec<String> {
    let mean = |name: &str, show: Show| variant.metric(name).mean().map_or_else(|| "–".to_owned(), show);
    let mut row = vec![
        variant.name.clone(),
        flapped(variant, report.seeds.len() > 1),
        mean("isr_shrinks", human::count),
        mean("isr_expands", human::count),
        mean("isr_shrink_first_ms", human::time),
        mean("under_replicated_ms", human::duration),
        mean("under_min_isr_ms", human::duration),
        mean("hw_stalls", human::count),
        mean("produce_latency_p99_ms", human::duration),
        mean("records_appended", human::count),
    ];
    if any_failed(report) {
        row.push(mean("requests_failed", human::count));
    }
    row
}

fn flapped(variant: &VariantResult, many_seeds: bool) -> String {
    if variant.runs_finished == 0 {
        "–".to_owned()
    } else if many_seeds {
        format!("{} of {}", variant.runs_flapped, variant.runs_finished)
    } else if variant.runs_flapped == 0 {
        "no".to_owned()
    } else {
        format!("{}×", human::count(variant.metric("isr_flaps").mean().unwrap_or(0.0)))
    }
}

/// Writes a number for people.
type Show = fn(f64) -> String;

/// The metrics whose spread is told as text; the JSON output has all.
const SPREAD: [(&str, &str, Show); 6] = [
    ("flaps", "isr_flaps", human::count),
    ("ISR shrinks", "isr_shrinks", human::count),
    ("first shrink", "isr_shrink_first_ms", human::time),
    ("under-replicated", "under_replicated_ms", human::duration),
    ("HW stalls", "hw_stalls", human::count),
    ("p99 latency", "produce_latency_p99_ms", human::duration),
];

fn spread_table(report: &Report, text: &mut String) {
    let mut rows = Vec::new();
    for variant in report.variants.iter().filter(|variant| variant.runs_finished > 0) {
        for (title, name, show) in SPREAD {
            let values = variant.metric(name);
            if values.count() > 0 && (values.min(), values.max()) != (Some(0.0), Some(0.0)) {
                rows.push(spread_row(&variant.name, title, values, show));
            }
        }
    }
    if rows.is_empty() {
        return;
    }
    text.push('\n');
    text.push_str(&lay_out(
        &["criterion", "", "runs", "mean", "95 % interval of the mean", "min", "max"],
        &rows,
    ));
    text.push_str(
        "Intervals: Student's t. Only runs in which the number has a value; what was always 0 is left out.\n",
    );
}

fn spread_row(variant: &str, title: &str, values: &Moments, show: Show) -> Vec<String> {
    let optional = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), show);
    let interval = values.mean_interval().map_or_else(
        || "–".to_owned(),
        |interval| match (interval.low, interval.high) {
            // Nothing here can be negative; the interval of a rare count can.
            (low, high) if low < 0.0 => format!("0 to {}", show(high)),
            (low, high) => format!("{} to {}", show(low), show(high)),
        },
    );
    vec![
        variant.to_owned(),
        title.to_owned(),
        human::count(values.count() as f64),
        optional(values.mean()),
        interval,
        optional(values.min()),
        optional(values.max()),
    ]
}

/// What is to be said of a variant, after its name.
pub(crate) fn in_words(variant: &VariantResult, duration_ns: u64) -> String {
    let mean = |metric: &str| variant.metric(metric).mean().unwrap_or(0.0);
    let many = variant.runs_finished > 1;
    let wilson =
        wilson_interval(variant.runs_flapped, variant.runs_finished).map_or_else(String::new, |interval| {
            let (low, high) = (human::share(interval.low), human::share(interval.high));
            format!("(95 % Wilson interval of the share that flaps: {low} to {high})")
        });
    if variant.runs_shrunk == 0 {
        return if many {
            format!("kept every replica in the ISR in all {} runs {wilson}.", variant.runs_finished)
        } else {
            "kept every replica in the ISR.".to_owned()
        };
    }
    let partition_ns = duration_ns as f64 * variant.partitions.max(1) as f64;
    let under = mean("under_replicated_ms");
    let part = if partition_ns > 0.0 { human::share(under * 1e6 / partition_ns) } else { "0 %".to_owned() };
    let first = human::time(mean("isr_shrink_first_ms"));
    let under = format!("{} ({part} of the time) under-replicated", human::duration(under));
    let removed = human::plural(mean("isr_shrinks"), "removal", "removals");
    let returned = human::plural(mean("isr_flaps"), "return", "returns");
    if many {
        return format!(
            "flapped in {} of {} runs {wilson}: on average {removed} from the ISR and {returned}, {under}.",
            variant.runs_flapped, variant.runs_finished
        );
    }
    if variant.runs_flapped > 0 {
        format!("flapped: {removed} from the ISR and {returned}, the first removal at {first}; {under}.")
    } else {
        format!(
            "did not flap but dropped: {removed} from the ISR, the first at {first}, and no return; {under}."
        )
    }
}

/// What to say of produce requests that failed: a quiet ISR over lost records is no good run.
pub(crate) fn failures(variant: &VariantResult) -> String {
    let mean = |metric: &str| variant.metric(metric).mean().unwrap_or(0.0);
    let (failed, requests) = (mean("requests_failed"), mean("requests"));
    if failed == 0.0 {
        return String::new();
    }
    let average = if variant.runs_finished > 1 { "On average " } else { "" };
    format!(
        " {average}{} of {} produce requests failed ({}).",
        human::count(failed),
        human::count(requests),
        human::share(failed / requests),
    )
}

/// Each expectation once, with what became of it under each variant that it speaks of.
fn expectations(report: &Report, text: &mut String) {
    let judged = report.variants.iter().flat_map(|variant| {
        variant.expectations.iter().map(move |found| ((&found.expectation, &found.place), variant))
    });
    let groups = grouped(judged);
    if groups.is_empty() {
        return;
    }
    text.push_str("\nExpectations\n");
    for ((expectation, place), variants) in groups {
        let of = |variant: &'_ VariantResult| -> Option<usize> {
            let same = |found: &ExpectationResult| found.expectation == *expectation && found.place == *place;
            variant.expectations.iter().position(same)
        };
        let outcomes = variants.into_iter().filter_map(|variant| {
            let found = &variant.expectations[of(variant)?];
            Some(((found.kind(), outcome(found, variant.runs_finished)), variant))
        });
        let outcomes = grouped(outcomes);
        let kinds = outcomes.iter().map(|((kind, _), _)| *kind);
        let mark = match kinds.clone().find(|kind| *kind != VerdictKind::Held) {
            None => "✓",
            Some(_) if kinds.clone().any(|kind| kind == VerdictKind::Violated) => "✗",
            Some(_) => "?",
        };
        text.push_str(&wrap(&format!("  {mark} {expectation}"), WIDTH, "    "));
        for ((kind, outcome), variants) in outcomes {
            let line = format!("      {}: {outcome}", names(&variants));
            text.push_str(&wrap(&line, WIDTH, "        "));
            if kind == VerdictKind::Violated {
                push!(text, "        expected in {place}\n");
                for found in variants.iter().filter_map(|variant| Some(&variant.expectations[of(variant)?])) {
                    push!(text, "        repeat it: {}\n", found.first.command);
                }
            }
        }
    }
}

/// What became of an expectation, with its premise: what had to happen for it to mean anything.
pub(crate) fn outcome(found: &ExpectationResult, runs: u64) -> String {
    let first = &found.first;
    let in_runs = |count: u64| if runs > 1 { format!(" in {count} of {runs} runs") } else { String::new() };
    match found.kind() {
        VerdictKind::Held if runs > 1 => format!("held{} (premise: {})", in_runs(found.held), first.premise),
        VerdictKind::Held => format!("{} (premise: {})", first.got, first.premise),
        VerdictKind::Violated => format!(
            "VIOLATED{}; wanted {}, got {} (seed {})",
            in_runs(found.violated),
            first.wanted,
            first.got,
            first.seed
        ),
        VerdictKind::PremiseNeverMet => {
            format!("{}, but shows nothing: it never happened that {}", first.got, first.premise)
        }
        VerdictKind::Inconclusive => format!("cannot be told{}", in_runs(found.inconclusive)),
    }
}

fn exercised(report: &Report, text: &mut String) {
    text.push_str("\nExercised\n");
    let said = finished(report).map(|variant| (exercise(variant), variant));
    for (exercise, variants) in grouped(said) {
        text.push_str(&wrap(&format!("  {}: {exercise}", names(&variants)), WIDTH, "    "));
    }
    for missing in report.not_exercised() {
        let level = if report.strict { "error (--strict)" } else { "warning" };
        let line = format!("  {level}: under {}, {}", missing.variant, missing.what);
        text.push_str(&wrap(&line, WIDTH, "    "));
    }
}

fn exercise(variant: &VariantResult) -> String {
    let events: u64 = variant.events.iter().map(|(_, count)| count).sum();
    let faults: u64 = variant.faults.iter().map(|(_, count)| count).sum();
    let told = [
        (events, "event", "events"),
        (variant.invariant_checks, "check of the invariants", "checks of the invariants"),
        (variant.isr_checks, "ISR check with a follower to judge", "ISR checks with a follower to judge"),
        (variant.join_attempts, "attempt to join", "attempts to join"),
        (faults, "fault", "faults"),
    ];
    let parts = told.map(|(count, one, many)| human::plural(count as f64, one, many));
    parts.join(", ")
}

fn missing(report: &Report, text: &mut String) {
    if report.runs == 0 {
        text.push_str("\nNothing ran: there is no criterion or no seed to run.\n");
    } else if report.nothing_ran() {
        let duration = isrlab_sim::engine::SimDuration::from_nanos(report.duration_ns);
        push!(text, "\nNothing ran: nothing happens in the first {duration}; take a longer --duration.\n");
    }
    if report.missing_total == 0 {
        return;
    }
    push!(
        text,
        "\nInterrupted: {} of {} runs reached their end. Every row in the files is whole; missing are\n",
        report.runs_finished,
        report.runs
    );
    for run in &report.missing {
        let how = match run.reached_ns {
            Some(reached) => format!("cut short at {}", isrlab_sim::engine::SimTime::from_nanos(reached)),
            None => "not started".to_owned(),
        };
        push!(text, "  {}, seed {}: {how}\n", run.criterion, run.seed);
    }
    let told = report.missing.len();
    if report.missing_total > told {
        push!(text, "  and {} more\n", report.missing_total - told);
    }
}

fn files(report: &Report, text: &mut String) {
    let Some(folder) = &report.folder else { return };
    let replaced = if folder.replaced { " (those of an earlier replay were replaced)" } else { "" };
    push!(text, "\nFiles in {}{replaced}\n", folder.path.display());
    let names = folder.files.iter().map(|entry| match entry.rows {
        Some(rows) => format!("{} ({})", entry.file, human::plural(rows as f64, "row", "rows")),
        None => entry.file.clone(),
    });
    text.push_str(&wrap(&format!("  {}", names.collect::<Vec<_>>().join(", ")), WIDTH, "  "));
}
