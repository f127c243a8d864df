//! What the numbers say of reported lags and of timestamps.

use super::summary::{CriterionSummary, Summary};
use crate::page::html::{Cell, Head, Table};
use crate::report::human;
use crate::stats::Moments;
use maud::Markup;

/// The lags that can be reported: what a metric's name begins with, and the name of the rule.
const LAGS: [(&str, &str); 5] = [
    ("mirror_lag_jira", "jira"),
    ("mirror_lag_jira_corrected", "jira-corrected"),
    ("mirror_lag_last_polled", "last-polled"),
    ("mirror_lag_end_offsets", "end-offsets"),
    ("share_lag", "the group coordinator"),
];

/// A sentence for each thing that deserves one.
pub fn findings(summary: &Summary) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for criterion in &summary.criteria {
        let told = [lags(summary, criterion), timestamps(summary, criterion)];
        for sentence in told.into_iter().flatten() {
            let sentence =
                if summary.criteria.len() > 1 { format!("{}: {sentence}", criterion.name) } else { sentence };
            if !found.contains(&sentence) {
                found.push(sentence);
            }
        }
    }
    found
}

fn mean(summary: &Summary, criterion: &CriterionSummary, name: &str) -> Option<f64> {
    summary.metric(criterion, name).and_then(Moments::mean)
}

/// Whether a rule reported anything.
fn reported(summary: &Summary, criterion: &CriterionSummary, lag: &str) -> bool {
    mean(summary, criterion, &format!("{lag}_max")).is_some()
}

fn lags(summary: &Summary, criterion: &CriterionSummary) -> Option<String> {
    let told = LAGS.iter().filter(|(lag, _)| reported(summary, criterion, lag)).map(|(lag, rule)| {
        let value = |what: &str| mean(summary, criterion, &format!("{lag}_{what}"));
        let off = |what: &str| value(what).unwrap_or(0.0);
        let last = value("last")
            .map_or_else(|| "ends unknown".to_owned(), |last| format!("ends at {}", human::count(last)));
        let errors = match (off("below_max"), off("above_max")) {
            (0.0, 0.0) => "never off".to_owned(),
            (0.0, above) => format!("up to {} too high", human::count(above)),
            (below, 0.0) => format!("up to {} too low", human::count(below)),
            (below, above) => {
                format!("up to {} too low and {} too high", human::count(below), human::count(above))
            }
        };
        format!("{rule} {last}, {errors}")
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("The lag as reported, in records: {}.", told.join("; ")))
}

fn timestamps(summary: &Summary, criterion: &CriterionSummary) -> Option<String> {
    let value = |name: &str| mean(summary, criterion, name).unwrap_or(0.0);
    let (accepted, rejected) = (value("timestamp_batches_accepted"), value("timestamp_batches_rejected"));
    if accepted + rejected == 0.0 {
        return None;
    }
    Some(format!(
        "Of {} batches {} were rejected for their timestamps; stored times are up to {} ahead of the true ones and {} \
         behind.",
        human::count(accepted + rejected),
        human::count(rejected),
        human::duration(value("timestamp_ahead_ms_max")),
        human::duration(value("timestamp_behind_ms_max")),
    ))
}

/// How far each rule was off.
pub fn lag_table(summary: &Summary) -> Markup {
    let heads = vec![
        Head::text("rule"),
        Head::text("criterion"),
        Head::number("last").meaning("The last lag that was reported, in records"),
        Head::number("lowest"),
        Head::number("highest"),
        Head::number("most below the truth"),
        Head::number("most above the truth"),
    ];
    let mut rows = Vec::new();
    for (lag, rule) in LAGS {
        for criterion in summary.criteria.iter().filter(|criterion| reported(summary, criterion, lag)) {
            let value = |what: &str| mean(summary, criterion, &format!("{lag}_{what}"));
            let mut row = vec![Cell::text(rule), Cell::text(&criterion.name)];
            row.extend(
                ["last", "min", "max", "below_max", "above_max"]
                    .map(|what| Cell::number(value(what), human::count)),
            );
            rows.push(row);
        }
    }
    Table { caption: "How far each rule was off".to_owned(), heads, rows }.markup()
}
