//! The page of every check but that of the ISR: claims by variants.

use super::answers::{Answers, MatrixCell, ModelReport};
use super::trace::trace;
use crate::page::html::{Cell, Head, Table, Verdict, VerdictMark, details, mark_sign, note_list};
use crate::report::human;
use maud::{Markup, html};

type Section = (&'static str, String, Markup);

/// The most lines of the finding in the first screen.
const FINDINGS_MAX: usize = 9;

/// The answer in a few words.
pub fn verdict(answers: &Answers) -> Verdict {
    let count = |wanted: &str| answers.matrix.iter().filter(|cell| cell.verdict == wanted).count();
    let changed = answers.matrix.iter().filter(|cell| !cell.as_expected).count();
    let (holds, violated) = (count("holds"), count("violated"));
    let told = format!("{holds} hold, {violated} are refuted by a shortest counterexample");
    let claims = human::plural(answers.matrix.len() as f64, "answer", "answers");
    let (mark, headline) = match answers.exit_code {
        0 if answers.matrix.iter().all(|cell| cell.comparison == "as expected") => {
            (VerdictMark::Good, format!("All {claims} are as expected: {told}"))
        }
        0 => (VerdictMark::Good, format!("{claims}: {told}")),
        1 if changed > 0 => (VerdictMark::Bad, format!("{changed} of {claims} differ from what is expected")),
        1 => (VerdictMark::Bad, format!("{violated} of {claims} are refuted")),
        4 => (VerdictMark::Unsure, "Nothing was checked".to_owned()),
        _ => (VerdictMark::Unsure, format!("Not settled, the search was cut short or not exercised: {told}")),
    };
    Verdict { mark, headline, findings: findings(answers) }
}

/// A line for each variant: what of it is refuted, and how soon.
fn findings(answers: &Answers) -> Vec<String> {
    let mut variants: Vec<&str> = Vec::new();
    for cell in &answers.matrix {
        if !variants.contains(&cell.variant.as_str()) {
            variants.push(&cell.variant);
        }
    }
    let mut found: Vec<String> = Vec::new();
    for variant in &variants {
        let of: Vec<&MatrixCell> = answers.matrix.iter().filter(|cell| cell.variant == **variant).collect();
        let refuted: Vec<String> =
            of.iter().filter(|cell| cell.verdict == "violated").map(|cell| refuted(cell)).collect();
        // Claims about what has been need a space with history, which has more states.
        let mut states: Vec<u64> =
            of.iter().filter_map(|cell| Some(answers.report(&cell.model)?.distinct_states)).collect();
        states.sort_unstable();
        states.dedup();
        let states: Vec<String> = states.into_iter().map(|states| human::count(states as f64)).collect();
        let states =
            if states.is_empty() { String::new() } else { format!(" ({} states)", states.join(" and ")) };
        found.push(match refuted.as_slice() {
            [] if of.iter().all(|cell| cell.verdict == "holds") => {
                format!("{variant}: every claim holds{states}")
            }
            [] => format!("{variant}: nothing refuted, but the search was cut short{states}"),
            few if few.len() <= 3 => format!("{variant}: refuted {}", few.join(", ")),
            many => format!("{variant}: {} claims refuted, among them {}", many.len(), many[..2].join(", ")),
        });
    }
    let more = found.len().saturating_sub(FINDINGS_MAX);
    found.truncate(FINDINGS_MAX);
    if more > 0 {
        found.push(format!("… and {more} more in the table"));
    }
    found
}

fn refuted(cell: &MatrixCell) -> String {
    let condition =
        cell.condition.as_ref().map_or_else(String::new, |condition| format!(" under {condition}"));
    match cell.counterexample_states {
        Some(states) => format!("{}{condition} (in {states} states)", cell.claim),
        None => format!("{}{condition}", cell.claim),
    }
}

/// The sections.
pub fn sections(answers: &Answers) -> Vec<Section> {
    let mut found: Vec<Section> = vec![("claims", "Claims by variants".to_owned(), tables(answers))];
    if answers.matrix.iter().any(|cell| has_trace(answers, cell)) {
        found.push(("counterexamples", "Counterexamples".to_owned(), counterexamples(answers)));
    }
    found.push(("meaning", "What the claims say".to_owned(), meaning(answers)));
    found.push(("exercised", "Exercised".to_owned(), exercised(answers)));
    found
}

fn has_trace(answers: &Answers, cell: &MatrixCell) -> bool {
    answers.claim(cell).is_some_and(|claim| claim.counterexample.is_some())
}

fn id(number: usize) -> String {
    format!("trace-{number}")
}

/// A table for each condition and set of claims.
fn tables(answers: &Answers) -> Markup {
    // Variants with other claims go into tables of their own.
    let mut groups: Vec<(Option<&str>, Vec<&str>, Vec<&str>)> = Vec::new();
    let mut seen: Vec<(Option<&str>, &str)> = Vec::new();
    for cell in &answers.matrix {
        let key = (cell.condition.as_deref(), cell.variant.as_str());
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let claims: Vec<&str> = of(answers, key.0, key.1).map(|(_, cell)| cell.claim.as_str()).collect();
        match groups.iter_mut().find(|(condition, known, _)| *condition == key.0 && *known == claims) {
            Some((_, _, variants)) => variants.push(key.1),
            None => groups.push((key.0, claims, vec![key.1])),
        }
    }
    html! { @for (condition, claims, variants) in &groups {
        @if let Some(condition) = condition { h3 { (condition) } }
        (table(answers, *condition, claims, variants))
    } }
}

fn of<'a>(
    answers: &'a Answers,
    condition: Option<&str>,
    variant: &str,
) -> impl Iterator<Item = (usize, &'a MatrixCell)> {
    let is_of = move |cell: &MatrixCell| cell.condition.as_deref() == condition && cell.variant == variant;
    answers.matrix.iter().enumerate().filter(move |(_, cell)| is_of(cell))
}

fn table(answers: &Answers, condition: Option<&str>, claims: &[&str], variants: &[&str]) -> Markup {
    let mut heads = vec![Head::text("variant")];
    heads.extend(claims.iter().map(|claim| {
        let statement =
            answers.reports.iter().flat_map(|report| &report.claims).find(|known| known.name == **claim);
        Head::text(*claim).meaning(statement.map_or("", |claim| claim.statement.as_str()))
    }));
    heads.extend([Head::number("states"), Head::number("depth")]);
    let rows = variants.iter().map(|variant| {
        let cells: Vec<(usize, &MatrixCell)> = of(answers, condition, variant).collect();
        let report = cells.first().and_then(|(_, cell)| answers.report(&cell.model));
        let mut row = vec![Cell::text(variant)];
        row.extend(cells.iter().map(|(number, cell)| answer(answers, *number, cell)));
        row.push(Cell::number(report.map(|report| report.distinct_states as f64), human::count));
        row.push(Cell::number(
            report.and_then(|report| report.depth).map(|depth| depth as f64),
            human::count,
        ));
        row
    });
    let caption = match condition {
        Some(condition) => format!("Claims by variants under {condition}"),
        None => "Claims by variants".to_owned(),
    };
    Table { caption, heads, rows: rows.collect() }.markup()
}

/// One answer; a refuted claim leads to its counterexample.
fn answer(answers: &Answers, number: usize, cell: &MatrixCell) -> Cell {
    let is_vacuous = answers.claim(cell).is_some_and(|claim| claim.premise_states == 0);
    let changed = if cell.as_expected { "" } else { " (!)" };
    let (content, sort) = match cell.verdict.as_str() {
        "violated" => {
            let states = cell.counterexample_states.unwrap_or(0);
            let text = format!("in {states} states{changed}");
            let link = html! {
                (mark_sign(VerdictMark::Bad))
                @if has_trace(answers, cell) { a href={ "#" (id(number)) } { (text) } } @else { (text) }
            };
            (link, format!("violated {states:06}"))
        }
        "holds" if is_vacuous => {
            (html! { (mark_sign(VerdictMark::Unsure)) "vacuous" (changed) }, "vacuous".to_owned())
        }
        "holds" => (html! { (mark_sign(VerdictMark::Good)) "holds" (changed) }, "holds".to_owned()),
        other => (html! { (mark_sign(VerdictMark::Unsure)) (other) (changed) }, other.to_owned()),
    };
    Cell::markup(html! { span title=(cell.comparison) { (content) } }, sort)
}

fn counterexamples(answers: &Answers) -> Markup {
    html! {
        p.hint { "Each is a shortest path from the start to a state in which the claim is false. A message goes from \
            its sender’s column to its receiver’s." }
        @for (number, cell) in answers.matrix.iter().enumerate() {
            @if let Some(found) = answers.claim(cell).and_then(|claim| claim.counterexample.as_ref()) {
                (trace(&id(number), &title(cell), found))
            }
        }
    }
}

fn title(cell: &MatrixCell) -> String {
    let condition = cell.condition.as_ref().map_or_else(String::new, |condition| format!(", {condition}"));
    let states = cell.counterexample_states.map_or_else(String::new, |states| format!(" in {states} states"));
    format!("{}{condition}: {} violated{states}", cell.variant, cell.claim)
}

fn meaning(answers: &Answers) -> Markup {
    let mut claims: Vec<(&str, &str, &str)> = Vec::new();
    for claim in answers.reports.iter().flat_map(|report| &report.claims) {
        if !claims.iter().any(|(name, ..)| *name == claim.name) {
            claims.push((&claim.name, &claim.statement, &claim.premise));
        }
    }
    html! { dl.facts { @for (name, statement, premise) in &claims {
        dt { code { (name) } }
        dd { (statement) " " span.hint { "Premise: " (premise) "." } }
    } } }
}

fn exercised(answers: &Answers) -> Markup {
    let mut bounds: Vec<(&str, &str)> = Vec::new();
    for report in &answers.reports {
        let told = (report.bound.as_str(), report.engine.as_str());
        if !bounds.contains(&told) {
            bounds.push(told);
        }
    }
    let heads = vec![
        Head::text("model"),
        Head::number("distinct states"),
        Head::number("transitions"),
        Head::number("depth").meaning("States on the longest of the shortest paths"),
        Head::text("search"),
    ];
    let rows = answers.reports.iter().map(|report| {
        vec![
            Cell::text(&report.model),
            Cell::number(Some(report.distinct_states as f64), human::count),
            Cell::number(Some(report.transitions as f64), human::count),
            Cell::number(report.depth.map(|depth| depth as f64), human::count),
            match &report.stopped {
                None => Cell::text("whole space"),
                Some(reason) => {
                    Cell::text(format!("cut short: {}", super::answers::shown(reason))).class("alert")
                }
            },
        ]
    });
    let table = Table { caption: "What was searched".to_owned(), heads, rows: rows.collect() };
    html! {
        @for (bound, engine) in &bounds { p { (bound) " (engine " (engine) ")" } }
        (note_list(&answers.unexercised.iter().map(|what| format!("Not exercised: {what}.")).collect::<Vec<_>>()))
        (table.markup())
        (details("How often each kind of action was taken, and each premise was true", counts(&answers.reports)))
    }
}

fn counts(reports: &[ModelReport]) -> Markup {
    html! { @for report in reports {
        h3 { (report.model) }
        p { @for (index, action) in report.actions.iter().enumerate() {
            @if index > 0 { ", " }
            (action.kind) " " (human::count(action.taken as f64))
        } }
        p.hint { @for (index, claim) in report.claims.iter().enumerate() {
            @if index > 0 { "; " }
            "premise of " (claim.name) ": " (human::count(claim.premise_states as f64)) " states, false in "
            (human::count(claim.violating_states as f64))
        } }
    } }
}
