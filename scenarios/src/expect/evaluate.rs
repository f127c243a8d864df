//! Compares what came with what was expected.

use std::fmt::Write;

use isrlab_sim::cluster::RunSummary;
use isrlab_sim::cluster::metric::{Metric, MetricValue, Premise, Unit};
use isrlab_sim::engine::{SimDuration, SimTime};
use isrlab_sim::protocol::Profile;

use super::observer::{Times, Track};
use super::{Bounds, Check, Expectation, ExpectationObserver, ShareRule, WantedLag, WantedState};
use crate::source::{Position, Sources};

/// Whether an expectation held in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The expectation as its author's sentence.
    pub expectation: String,
    /// Its number among the scenario's `[[expect]]` blocks, from 0.
    pub index: usize,
    /// In what share of the runs it must hold; none: in each.
    pub share: Option<ShareRule>,
    /// The file it is in.
    pub file: String,
    /// Where it is in the file; none where it is in none.
    pub position: Option<Position>,
    /// Whether it held, as far as the run went.
    pub held: bool,
    /// Whether what must have happened for it to mean anything has happened.
    pub premise_held: bool,
    /// What must have happened, in words.
    pub premise: String,
    /// What came.
    pub got: String,
    /// What was wanted.
    pub wanted: String,
}

/// How long the run was to be that the expectations were written for, and how long it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    pub written: SimDuration,
    pub ran: SimDuration,
}

/// What a comparison came to.
struct Comparison {
    outcome: Outcome,
    got: String,
    wanted: String,
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Held,
    Broken,
    /// The run was shorter or longer than the one that is spoken of, and the difference can be
    /// due to that alone: what would have had to happen.
    OtherLength(String),
}

impl Outcome {
    /// Of two comparisons that both must hold.
    fn and(self, other: Outcome) -> Outcome {
        match (self, other) {
            (Outcome::Broken, _) | (_, Outcome::Broken) => Outcome::Broken,
            (Outcome::Held, other) => other,
            (outcome, _) => outcome,
        }
    }
}

impl Length {
    fn cut_short(self) -> bool {
        self.ran < self.written
    }

    fn drawn_out(self) -> bool {
        self.ran > self.written
    }

    /// What did not happen when the run was not as long as a bound on a number presumes.
    fn as_written(self) -> Outcome {
        let Length { written, ran } = self;
        Outcome::OtherLength(format!(
            "the run lasted {written}, as the scenario is written for, and not {ran}"
        ))
    }
}

/// Judges every expectation that applies to `profile`, in their order.
pub(crate) fn evaluate(
    expectations: &[Expectation],
    sources: &Sources,
    length: Length,
    profile: &Profile,
    observer: &ExpectationObserver,
    summary: &RunSummary,
) -> Vec<Verdict> {
    let applying = expectations.iter().enumerate().filter(|(_, expectation)| expectation.applies_to(profile));
    let judged = applying.map(|(index, expectation)| {
        let narrowed = match &expectation.check {
            Check::Metric { topic: Some((_, topic)), .. } => Some(summary.narrowed_to(*topic)),
            _ => None,
        };
        let summary = narrowed.as_ref().unwrap_or(summary);
        let Comparison { outcome, got, wanted } = match &expectation.check {
            Check::Metric { metric, topic, bounds } => {
                let of = topic.as_ref().map_or(String::new(), |(name, _)| format!(" of {name}"));
                of_metric(metric, &of, *bounds, summary, length)
            }
            Check::State { topic, partition, at, wanted, .. } => {
                let look = observer.looks.iter().find(|look| look.index == index);
                let place = format!("{topic}-{partition} at {at}:");
                of_state(&place, wanted, look.and_then(|look| look.seen.as_ref()), length)
            }
            Check::Lag { actor, rule, at, wanted } => {
                let look = observer.lag_looks.iter().find(|look| look.index == index);
                let by = rule.as_ref().map_or(String::new(), |rule| format!(" by {rule}"));
                let place = format!("{actor}{by} at {at}:");
                of_lag(&place, wanted, look.and_then(|look| look.seen.as_ref()), length)
            }
            Check::IsrTimes { .. } => {
                of_times(&expectation.check, observer.tracks.get(index).and_then(Option::as_ref), length)
            }
        };
        let held = outcome != Outcome::Broken;
        let (premise_held, premise) = match outcome {
            Outcome::OtherLength(sentence) => (false, sentence),
            _ => premise(expectation, summary),
        };
        Verdict {
            expectation: expectation.that.clone(),
            index: expectation.index,
            share: expectation.share,
            file: sources.get(expectation.span.source).name.clone(),
            position: sources.position(expectation.span),
            held,
            premise_held,
            premise,
            got,
            wanted,
        }
    });
    judged.collect()
}

/// Whether what an expectation presumes has happened, and what that is: all of it, or the part
/// that has not.
fn premise(expectation: &Expectation, summary: &RunSummary) -> (bool, String) {
    let mut parts: Vec<(bool, String)> = Vec::new();
    let mut ask = |premise: Premise| parts.push(((premise.holds)(summary), premise.sentence.to_owned()));
    match &expectation.check {
        Check::Metric { metric, .. } => ask(metric.premise),
        Check::State { .. } => ask(Premise::RAN),
        Check::Lag { .. } => ask(Premise::LAG),
        Check::IsrTimes { shrinks, expands, .. } => {
            ask(Premise::ISR_CHECKED);
            // Who never leaves cannot be seen to come back.
            let leaves = shrinks.as_ref().is_none_or(|shrinks| !shrinks.is_empty());
            if expands.is_some() && leaves {
                ask(Premise::JOIN_ATTEMPTED);
            }
        }
    }
    for fault in &expectation.given_faults {
        let applied = summary.exercised.faults.iter().any(|(name, count)| name == fault && *count > 0);
        parts.push((applied, format!("the fault {fault} was applied")));
    }
    let held = parts.iter().all(|(held, _)| *held);
    let sentences: Vec<&str> =
        parts.iter().filter(|(part, _)| held || !part).map(|(_, sentence)| sentence.as_str()).collect();
    (held, sentences.join("; "))
}

fn of_metric(metric: &Metric, of: &str, bounds: Bounds, summary: &RunSummary, length: Length) -> Comparison {
    let value = (metric.value)(summary);
    let unit = match metric.unit {
        Unit::Count => "",
        Unit::Milliseconds => " ms",
        Unit::PerSecond => " per second",
    };
    let too_small = |value: MetricValue| bounds.least.is_some_and(|least| compare(value, least).is_lt());
    let too_large = |value: MetricValue| bounds.most.is_some_and(|most| compare(most, value).is_lt());
    // What must never happen must not happen later either.
    let never = bounds.most.is_some_and(|most| most.as_f64() <= 0.0);
    let outcome = match value {
        None if length.cut_short() => length.as_written(),
        None => Outcome::Broken,
        Some(value) if too_small(value) && metric.only_grows() && length.cut_short() => length.as_written(),
        Some(value) if too_large(value) && metric.only_grows() && length.drawn_out() && !never => {
            length.as_written()
        }
        Some(value) if too_small(value) || too_large(value) => Outcome::Broken,
        Some(_) => Outcome::Held,
    };
    let range = match (bounds.least, bounds.most) {
        (Some(least), Some(most)) if least == most => least.to_string(),
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => "any value".to_owned(),
    };
    let name = metric.name;
    let got = value.map_or("no value".to_owned(), |value| format!("{value}{unit}"));
    Comparison { outcome, got: format!("{name}{of} = {got}"), wanted: format!("{name}{of} = {range}{unit}") }
}

/// Compares two values of one unit, whole numbers as such.
fn compare(a: MetricValue, b: MetricValue) -> std::cmp::Ordering {
    match (a, b) {
        (MetricValue::Count(a), MetricValue::Count(b)) => a.cmp(&b),
        (MetricValue::Nanos(a), MetricValue::Nanos(b)) => a.cmp(&b),
        (MetricValue::Millis(a), MetricValue::Millis(b)) => a.cmp(&b),
        (MetricValue::Millis(a), MetricValue::Nanos(b)) => (i128::from(a) * 1_000_000).cmp(&b.into()),
        (MetricValue::Nanos(a), MetricValue::Millis(b)) => i128::from(a).cmp(&(i128::from(b) * 1_000_000)),
        (a, b) => a.as_f64().total_cmp(&b.as_f64()),
    }
}

fn of_times(check: &Check, track: Option<&Track>, length: Length) -> Comparison {
    let (Check::IsrTimes { topic, partition, broker, shrinks, expands, within, .. }, Some(track)) =
        (check, track)
    else {
        let got = "nothing: the run was not observed".to_owned();
        return Comparison { outcome: Outcome::Broken, got, wanted: String::new() };
    };
    let who = broker.map_or("any replica".to_owned(), |broker| format!("broker {broker}"));
    let prefix = format!("{who} of {topic}-{partition}:");
    let (mut outcome, mut got, mut want) = (Outcome::Held, prefix.clone(), prefix);
    let mut both = |verb: &str, wanted: &Option<Vec<SimTime>>, came: &Times| {
        let Some(wanted) = wanted else { return };
        let before = std::mem::replace(&mut outcome, Outcome::Held);
        outcome = before.and(agree(wanted, came, *within, length));
        let separator = if got.ends_with(':') { "" } else { "," };
        let missing = came.count - came.kept.len() as u64;
        let _ = write!(got, "{separator} {verb} {}", list(&came.kept, missing));
        let _ = write!(want, "{separator} {verb} {}", list(wanted, 0));
    };
    both("out at", shrinks, &track.shrinks);
    both("in at", expands, &track.expands);
    if !within.is_zero() {
        let _ = write!(want, " (within {within})");
    }
    Comparison { outcome, got, wanted: want }
}

/// Compares what is wanted with the same of what was seen.
fn of_state(place: &str, wanted: &WantedState, seen: Option<&WantedState>, length: Length) -> Comparison {
    let want = format!("{place} {}", state(wanted));
    let Some(seen) = seen else {
        let outcome = if length.cut_short() { length.as_written() } else { Outcome::Broken };
        return Comparison { outcome, got: format!("{place} no sample"), wanted: want };
    };
    let asked = WantedState {
        isr: seen.isr.clone().filter(|_| wanted.isr.is_some()),
        high_watermark: seen.high_watermark.filter(|_| wanted.high_watermark.is_some()),
        log_ends: seen.log_ends.clone().filter(|_| wanted.log_ends.is_some()),
        known_log_ends: seen.known_log_ends.clone().filter(|_| wanted.known_log_ends.is_some()),
    };
    let outcome = if asked == *wanted { Outcome::Held } else { Outcome::Broken };
    Comparison { outcome, got: format!("{place} {}", state(&asked)), wanted: want }
}

fn of_lag(place: &str, wanted: &WantedLag, seen: Option<&WantedLag>, length: Length) -> Comparison {
    let want = format!("{place} {}", wanted.told());
    let Some(seen) = seen else {
        let outcome = if length.cut_short() { length.as_written() } else { Outcome::Broken };
        return Comparison { outcome, got: format!("{place} no look"), wanted: want };
    };
    let asked = wanted.asked_of(seen);
    let outcome = if asked == *wanted { Outcome::Held } else { Outcome::Broken };
    Comparison { outcome, got: format!("{place} {}", asked.told()), wanted: want }
}

fn state(state: &WantedState) -> String {
    let WantedState { isr, high_watermark, log_ends, known_log_ends } = state;
    let parts = [
        isr.as_ref().map(|isr| format!("ISR {isr:?}")),
        high_watermark.map(|offset| format!("high watermark {offset}")),
        log_ends.as_ref().map(|ends| format!("log ends {ends:?}")),
        known_log_ends.as_ref().map(|ends| format!("known log ends {ends:?}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn agree(wanted: &[SimTime], came: &Times, within: SimDuration, length: Length) -> Outcome {
    let near = |(wanted, came): (&SimTime, &SimTime)| {
        let apart = if wanted > came { *wanted - *came } else { *came - *wanted };
        apart <= within
    };
    if !wanted.iter().zip(&came.kept).all(near) {
        return Outcome::Broken;
    }
    let (ran, written) = (SimTime::ZERO + length.ran, SimTime::ZERO + length.written);
    match (wanted.get(came.kept.len()), came.kept.get(wanted.len())) {
        (None, None) => Outcome::Held,
        (Some(next), _) if length.cut_short() && *next + within > ran => {
            Outcome::OtherLength(format!("the run reached {next}, a time that it names; it ended at {ran}"))
        }
        // No times at all: that is never, however long the run.
        (_, Some(next)) if length.drawn_out() && !wanted.is_empty() && *next > written => {
            Outcome::OtherLength(format!(
                "the run ended at {written}, up to which it names times, and not at {ran}"
            ))
        }
        _ => Outcome::Broken,
    }
}

/// `20.000, 40.000 s`, `never`; and how many more there were.
fn list(times: &[SimTime], more: u64) -> String {
    if times.is_empty() && more == 0 {
        return "no time".to_owned();
    }
    let seconds: Vec<String> =
        times.iter().map(|at| at.to_string().trim_end_matches(" s").to_owned()).collect();
    let tail = if more > 0 { format!(" and {more} more times") } else { String::new() };
    format!("{} s{tail}", seconds.join(", "))
}
