//! The tables of numbers.

use super::super::ReplayPage;
use super::super::summary::{CriterionSummary, Summary};
use crate::page::html::{Cell, Head, Table, details};
use crate::report::human;
use crate::stats::{Moments, wilson_interval};
use isrlab_sim::cluster::Metric;
use maud::{Markup, html};

/// Writes a number for people.
type Show = fn(f64) -> String;

/// The columns of the table that answers the question.
const MAIN: [(&str, &str, Show); 9] = [
    ("isr_shrinks", "ISR shrinks", human::count),
    ("isr_expands", "ISR expands", human::count),
    ("isr_shrink_first_ms", "first shrink", human::time),
    ("under_replicated_ms", "under-replicated", human::duration),
    ("under_min_isr_ms", "under min ISR", human::duration),
    ("hw_stalls", "HW stalls", human::count),
    ("produce_latency_p99_ms", "p99 latency", human::duration),
    ("records_appended", "records appended", human::count),
    ("requests_failed", "requests failed", human::count),
];

/// The table that answers the question: a row for each criterion.
pub fn main(page: &ReplayPage, summary: &Summary) -> Markup {
    let many = summary.criteria.iter().any(|criterion| criterion.runs > 1);
    let is_there = |name: &str| summary.metrics.iter().any(|known| known == name);
    // A column that says nothing of anybody is left out, but for those that all look for.
    let says_something = |name: &str| {
        name != "requests_failed"
            || summary
                .criteria
                .iter()
                .any(|criterion| summary.metric(criterion, name).and_then(Moments::max).unwrap_or(0.0) > 0.0)
    };
    let columns: Vec<_> =
        MAIN.into_iter().filter(|(name, ..)| is_there(name) && says_something(name)).collect();
    let mut heads = vec![
        Head::text("criterion").meaning("The profile of a Kafka version, or a bare ISR criterion"),
        Head::number("flapped")
            .meaning("How often a removed replica came back; of several runs, in how many"),
    ];
    heads.extend(columns.iter().map(|(name, title, _)| {
        Head::number(*title).meaning(Metric::find(name).map_or("", |metric| metric.doc))
    }));
    let rows = summary.criteria.iter().map(|criterion| {
        let mut row = vec![Cell::text(&criterion.name), flapped(summary, criterion)];
        row.extend(columns.iter().map(|(name, _, show)| {
            let values = summary.metric(criterion, name);
            let cell = Cell::number(values.and_then(Moments::mean), show);
            if values.and_then(Moments::max) == Some(0.0) { cell.class("zero") } else { cell }
        }));
        row
    });
    let table = Table { caption: "What each criterion came to".to_owned(), heads, rows: rows.collect() };
    let partitions = page
        .rerun
        .as_ref()
        .ok()
        .and_then(|rerun| rerun.report.as_ref())
        .is_some_and(|report| report.variants.iter().any(|variant| variant.partitions > 1));
    html! {
        (table.markup())
        @if many { p.hint { "Means over the runs of each criterion; the spread is under “All numbers”." } }
        @if partitions { p.hint { "Times are summed over partitions." } }
    }
}

fn flapped(summary: &Summary, criterion: &CriterionSummary) -> Cell {
    if criterion.runs == 0 {
        return Cell::number(None, human::count);
    }
    if criterion.runs == 1 {
        let flaps = summary.metric(criterion, "isr_flaps").and_then(Moments::mean);
        let show =
            |flaps: f64| if flaps == 0.0 { "no".to_owned() } else { format!("{}×", human::count(flaps)) };
        let cell = Cell::number(flaps, show);
        return cell.class(if flaps.unwrap_or(0.0) > 0.0 { "alert" } else { "calm" });
    }
    let share = criterion.flapped as f64 / criterion.runs as f64;
    let cell = Cell::number(Some(share), |_| format!("{} of {}", criterion.flapped, criterion.runs));
    cell.class(if criterion.flapped > 0 { "alert" } else { "calm" })
}

/// Every metric: a row each, a column for each criterion.
pub fn all(summary: &Summary) -> Markup {
    let values = |index: usize| summary.criteria.iter().map(move |criterion| &criterion.values[index]);
    let (mut shown, mut zero, mut none) = (Vec::new(), Vec::new(), Vec::new());
    for (index, name) in summary.metrics.iter().enumerate() {
        if values(index).all(|values| values.count() == 0) {
            none.push(name.as_str());
        } else if values(index)
            .all(|values| values.min().unwrap_or(0.0) == 0.0 && values.max().unwrap_or(0.0) == 0.0)
        {
            zero.push(name.as_str());
        } else {
            shown.push((index, name));
        }
    }
    let mut heads = vec![Head::text("metric"), Head::text("unit")];
    heads.extend(summary.criteria.iter().map(|criterion| Head::number(&criterion.name)));
    let rows = shown.iter().map(|(index, name)| {
        let metric = Metric::find(name);
        let title = html! {
            code title=[metric.map(|metric| metric.doc)] { (name) }
            @if let Some(metric) = metric { small { (metric.doc) } }
        };
        let unit = metric.map_or("", |metric| metric.unit.name());
        let mut row = vec![Cell::markup(title, name.as_str()), Cell::text(unit)];
        row.extend(values(*index).map(spread));
        row
    });
    let table = Table { caption: "Every metric".to_owned(), heads, rows: rows.collect() };
    let flaps = summary.criteria.iter().filter(|criterion| criterion.runs > 1).map(|criterion| {
        let interval = wilson_interval(criterion.flapped, criterion.runs)
            .map_or_else(String::new, |interval| {
                format!(" ({} to {})", human::share(interval.low), human::share(interval.high))
            });
        format!("{} flapped in {} of {} runs{interval}", criterion.name, criterion.flapped, criterion.runs)
    });
    let flaps: Vec<String> = flaps.collect();
    let content = html! {
        (table.markup())
        @if !flaps.is_empty() {
            p.hint { "Mean, in brackets its 95 % interval by Student’s t, and below the least and the most." }
            p.hint { (flaps.join("; ")) ". In brackets: 95 % Wilson interval of the share." }
        }
        @if !zero.is_empty() { p.hint { "Always 0: " (zero.join(", ")) "." } }
        @if !none.is_empty() { p.hint { "Without a value: " (none.join(", ")) "." } }
    };
    details(&format!("{} numbers of every criterion", shown.len()), content)
}

fn spread(values: &Moments) -> Cell {
    let Some(mean) = values.mean() else { return Cell::number(None, human::count) };
    if values.count() < 2 || values.min() == values.max() {
        return Cell::number(Some(mean), exact);
    }
    let interval = values
        .mean_interval()
        .map(|interval| format!(" ({} to {})", rounded(interval.low), rounded(interval.high)));
    let ends = (values.min().unwrap_or(mean), values.max().unwrap_or(mean));
    let content = html! {
        (rounded(mean)) (interval.unwrap_or_default())
        small { (exact(ends.0)) " – " (exact(ends.1)) }
    };
    Cell::markup(content, mean.to_string())
}

fn exact(value: f64) -> String {
    human::trimmed(value, 6)
}

fn rounded(value: f64) -> String {
    let decimals = if value.abs() < 10.0 { 3 } else { 1 };
    human::trimmed(value, decimals)
}
