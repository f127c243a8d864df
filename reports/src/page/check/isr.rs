//! The page of `check isr`: what KAFKA-4485 claims, and every answer in its setting.

use super::answers::Trace;
use super::trace::trace;
use crate::page::html::{Cell, Head, Table, Verdict, VerdictMark, details, note_list};
use crate::report::human;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;

type Section = (&'static str, String, Markup);

/// `answers.json` of `check isr`, as far as the page needs it.
#[derive(Clone, Debug, Deserialize)]
pub struct IsrAnswers {
    answers: Vec<IsrAnswer>,
    claims: Vec<ClaimLine>,
    stopped: Vec<Value>,
    unexercised: Vec<String>,
    untaken: Vec<Value>,
    exit_code: u8,
}

#[derive(Clone, Debug, Deserialize)]
struct ClaimLine {
    sentence: String,
    reading: String,
    proposed: String,
    merged: String,
}

#[derive(Clone, Debug, Deserialize)]
struct IsrAnswer {
    setting: Setting,
    measure: String,
    sentence: String,
    answer: String,
    formula: Option<String>,
    why: Option<String>,
    fault: Option<String>,
    distinct_states: u64,
    observations: u64,
    cycle: Option<Cycle>,
    counterexample: Option<Trace>,
}

#[derive(Clone, Debug, Deserialize)]
struct Cycle {
    approach: Vec<String>,
    round: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Setting {
    criterion: String,
    start: String,
    reset: Option<String>,
    followers: u64,
    behaviour: String,
    lag_ticks: u64,
    period_ticks: u64,
    gap_ticks: u64,
    writes_per_tick: u64,
    steady: bool,
    reads_per_fetch: Option<u64>,
    backlog_bound: Option<u64>,
}

impl Setting {
    /// What a row is about.
    fn row(&self) -> String {
        let reset = self.reset.as_ref().map_or_else(String::new, |reset| format!(" {reset}"));
        format!("{} {}{reset}", self.criterion, self.start)
    }

    /// What a column is about.
    fn column(&self) -> String {
        let mut text = format!("n={} {}", self.followers, self.behaviour);
        if self.behaviour != "any" {
            text += &format!(" F={}", self.gap_ticks);
        }
        if self.steady || self.writes_per_tick != 1 || self.reads_per_fetch.is_some() {
            text += &format!(" w={}{}", self.writes_per_tick, if self.steady { " steady" } else { "" });
        }
        if let (Some(reads), Some(backlog)) = (self.reads_per_fetch, self.backlog_bound) {
            text += &format!(" b={reads} K={backlog}");
        }
        text
    }

    fn whole(&self) -> String {
        format!("{} {} D={} P={}", self.row(), self.column(), self.lag_ticks, self.period_ticks)
    }
}

/// The answer in a few words.
pub fn verdict(found: &IsrAnswers) -> Verdict {
    let faults: Vec<&IsrAnswer> = found.answers.iter().filter(|answer| answer.fault.is_some()).collect();
    let all = human::plural(found.answers.len() as f64, "answer", "answers");
    let known = found.answers.iter().filter(|answer| answer.formula.is_some()).count();
    let settings = human::count(settings(found).len() as f64);
    let (mark, headline) = match found.exit_code {
        0 if known == 0 => {
            (VerdictMark::Good, format!("{all} in {settings} settings; no formula speaks of them"))
        }
        0 => (VerdictMark::Good, format!("{all} in {settings} settings, every one as its formula says")),
        1 => (VerdictMark::Bad, format!("{} of {all} differ from their formula", faults.len())),
        4 => (VerdictMark::Unsure, "Nothing was asked".to_owned()),
        _ => (
            VerdictMark::Unsure,
            format!("Not settled: cut short, or not exercised ({all} in {settings} settings)"),
        ),
    };
    let mut findings: Vec<String> = faults
        .iter()
        .take(4)
        .map(|answer| {
            format!(
                "{}, {}: {}",
                answer.setting.whole(),
                answer.measure,
                answer.fault.as_deref().unwrap_or("")
            )
        })
        .collect();
    if !found.claims.is_empty() && findings.is_empty() {
        let refuted = |verdict: fn(&ClaimLine) -> &str| {
            found.claims.iter().filter(|claim| verdict(claim).contains("refuted")).count()
        };
        findings.push(format!(
            "KAFKA-4485’s sentences in {} readings: {} are refuted as they stand under the issue’s own rule \
             (proposed-4485), {} under what was merged (post-4485). The table says which, and what holds instead.",
            found.claims.len(),
            refuted(|claim| &claim.proposed),
            refuted(|claim| &claim.merged),
        ));
    }
    Verdict { mark, headline, findings }
}

fn settings(found: &IsrAnswers) -> Vec<(String, u64)> {
    let mut seen: Vec<(String, u64)> = Vec::new();
    for answer in &found.answers {
        let setting = answer.setting.whole();
        // Answers come setting by setting.
        if seen.last().is_none_or(|(known, _)| *known != setting) {
            seen.push((setting, answer.distinct_states));
        }
    }
    seen.sort();
    seen.dedup_by(|a, b| a.0 == b.0);
    seen
}

/// The sections.
pub fn sections(found: &IsrAnswers) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    if !found.claims.is_empty() {
        sections.push(("claims", "What KAFKA-4485 claims".to_owned(), claims(found)));
    }
    sections.push(("answers", "Every answer".to_owned(), answers(found)));
    if found.answers.iter().any(|answer| answer.counterexample.is_some() || answer.cycle.is_some()) {
        sections.push(("counterexamples", "Counterexamples".to_owned(), counterexamples(found)));
    }
    sections.push(("exercised", "Exercised".to_owned(), exercised(found)));
    sections
}

fn claims(found: &IsrAnswers) -> Markup {
    let heads = vec![
        Head::text("sentence, and how it is read"),
        Head::text("the issue’s own rule").meaning("proposed-4485"),
        Head::text("what was merged").meaning("post-4485"),
    ];
    let verdict = |text: &str| {
        let class =
            if text.contains("refuted") || text.contains("still happens") { "alert-text" } else { "" };
        Cell::markup(html! { span class=[(!class.is_empty()).then_some(class)] { (text) } }, text)
    };
    let rows = found.claims.iter().map(|claim| {
        let sentence = html! { strong { (claim.sentence) } small { (claim.reading) } };
        vec![
            Cell::markup(sentence, format!("{} {}", claim.sentence, claim.reading)).class("prose"),
            verdict(&claim.proposed).class("prose"),
            verdict(&claim.merged).class("prose"),
        ]
    });
    let table = Table { caption: "What the issue claims".to_owned(), heads, rows: rows.collect() };
    html! {
        (table.markup())
        p.hint { "D is replica.lag.time.max, P the period of the check, F the longest gap between two fetches of a \
            diligent follower, n the number of followers; in ticks." }
    }
}

/// A table for each measure.
fn answers(found: &IsrAnswers) -> Markup {
    let mut measures: Vec<(&str, &str)> = Vec::new();
    for answer in &found.answers {
        if !measures.iter().any(|(name, _)| *name == answer.measure) {
            measures.push((&answer.measure, &answer.sentence));
        }
    }
    html! { @for (name, sentence) in &measures {
        (details(&format!("{name}: {sentence}"), measure(found, name)))
    } }
}

fn measure(found: &IsrAnswers, name: &str) -> Markup {
    let of: Vec<&IsrAnswer> = found.answers.iter().filter(|answer| answer.measure == name).collect();
    let distinct = |key: fn(&Setting) -> String| {
        let mut keys: Vec<String> = Vec::new();
        for answer in &of {
            let key = key(&answer.setting);
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    };
    let (rows, columns) = (distinct(Setting::row), distinct(Setting::column));
    let mut heads = vec![Head::text("criterion, start")];
    heads.extend(columns.iter().map(Head::number));
    let table_rows = rows.iter().map(|row| {
        let mut cells = vec![Cell::text(row)];
        cells.extend(columns.iter().map(|column| {
            // Settings that differ in D or P only share a cell.
            let here: Vec<&&IsrAnswer> = of
                .iter()
                .filter(|answer| answer.setting.row() == *row && answer.setting.column() == *column)
                .collect();
            cell(&here)
        }));
        cells
    });
    let caption = format!("Answers for {name}");
    Table { caption, heads, rows: table_rows.collect() }.markup()
}

fn cell(answers: &[&&IsrAnswer]) -> Cell {
    let Some(first) = answers.first() else { return Cell::text("") };
    let shown = |answer: &str| if answer == "unbounded" { "∞".to_owned() } else { answer.to_owned() };
    let mut values: Vec<String> = answers.iter().map(|answer| shown(&answer.answer)).collect();
    values.dedup();
    let title = match (&first.formula, &first.why) {
        (Some(formula), Some(why)) => format!("{formula}: {why}"),
        _ => "no formula speaks of it".to_owned(),
    };
    let text = if values.len() > 4 {
        format!("{} … {}", values[0], values[values.len() - 1])
    } else {
        values.join(", ")
    };
    let sort = match first.answer.as_str() {
        "unbounded" => "999999".to_owned(),
        "never" => "-1".to_owned(),
        number => number.to_owned(),
    };
    let cell = Cell::markup(html! { span title=(title) { (text) } }, sort);
    if answers.iter().any(|answer| answer.fault.is_some()) { cell.class("alert") } else { cell }
}

fn counterexamples(found: &IsrAnswers) -> Markup {
    // Of each measure under each criterion the first.
    let mut seen: Vec<(&str, &str)> = Vec::new();
    let first = found
        .answers
        .iter()
        .filter(|answer| answer.counterexample.is_some() || answer.cycle.is_some())
        .filter(|answer| {
            let key = (answer.measure.as_str(), answer.setting.criterion.as_str());
            let is_new = !seen.contains(&key);
            if is_new {
                seen.push(key);
            }
            is_new
        });
    let first: Vec<&IsrAnswer> = first.collect();
    html! {
        p.hint { "To the next tighter bound of each measure under each criterion, the first that there is; of what has \
            no bound, the round that goes on for ever." }
        @for (number, answer) in first.iter().enumerate() {
            @let title = format!("{}: {} is {} ({})", answer.setting.criterion, answer.measure, answer.answer, answer.setting.whole());
            @let id = format!("trace-{number}");
            @if let Some(found) = &answer.counterexample {
                (trace(&id, &title, found))
            } @else if let Some(cycle) = &answer.cycle {
                details.trace id=(id) {
                    summary { (title) }
                    p { "First: " (cycle.approach.join(", ")) }
                    p { "Then again and again: " (cycle.round.join(", ")) }
                }
            }
        }
    }
}

fn exercised(found: &IsrAnswers) -> Markup {
    let settings = settings(found);
    let states: u64 = settings.iter().map(|(_, states)| states).sum();
    let observations: u64 = found.answers.iter().map(|answer| answer.observations).sum();
    let mut notes: Vec<String> =
        found.unexercised.iter().map(|what| format!("The premise of {what} was never true.")).collect();
    let told = |value: &Value, key: &str| value.get(key).map_or_else(String::new, super::answers::shown);
    notes.extend(
        found
            .stopped
            .iter()
            .map(|stop| format!("{}: cut short by {}.", told(stop, "setting"), told(stop, "reason"))),
    );
    notes.extend(found.untaken.iter().map(|untaken| {
        format!("{}: the action {} was never taken.", told(untaken, "setting"), told(untaken, "action"))
    }));
    html! {
        p {
            (human::count(found.answers.len() as f64)) " answers in " (human::count(settings.len() as f64)) " settings, "
            (human::count(states as f64)) " distinct states, of runs of any length; the measures were looked at in "
            (human::count(observations as f64)) " steps."
        }
        (note_list(&notes))
    }
}
