//! The answer of a sweep, in a few words.

use super::SweepPage;
use crate::output::RunState;
use crate::page::html::{Verdict, VerdictMark};
use crate::report::human;

/// The answer.
pub fn verdict(page: &SweepPage) -> Verdict {
    let manifest = &page.manifest;
    let expectations = page.expectations.as_deref().unwrap_or_default();
    let violated = expectations.iter().filter(|expectation| expectation.violated > 0).count();
    let invariants = page.failures.as_ref().map_or(0, |failures| failures.invariants);
    let judged = expectations.iter().filter(|expectation| expectation.held > 0).count();
    let runs = human::plural(manifest.runs_finished as f64, "run", "runs");
    let (mark, headline) = match () {
        () if invariants > 0 => {
            (VerdictMark::Bad, format!("An invariant was violated in {invariants} of {runs}"))
        }
        () if violated > 0 => (
            VerdictMark::Bad,
            format!(
                "{violated} of {} did not come true",
                human::plural(expectations.len() as f64, "expectation", "expectations")
            ),
        ),
        () if matches!(manifest.state, RunState::Unfinished | RunState::Interrupted) => (
            VerdictMark::Unsure,
            format!(
                "Not finished: {} of {} runs are over",
                manifest.runs_finished,
                human::count(manifest.runs as f64)
            ),
        ),
        () if manifest.runs_finished == 0 => (VerdictMark::Unsure, "Nothing ran".to_owned()),
        () if expectations.is_empty() => {
            (VerdictMark::Good, format!("Every invariant held in {runs}; nothing else was expected"))
        }
        () if judged < expectations.len() => (
            VerdictMark::Unsure,
            format!("{judged} of {} expectations held; the others show nothing", expectations.len()),
        ),
        () => (
            VerdictMark::Good,
            format!(
                "Every invariant and {} held in {runs}",
                if judged == 1 {
                    "the one expectation".to_owned()
                } else {
                    format!("all {judged} expectations")
                }
            ),
        ),
    };
    Verdict { mark, headline, findings: findings(page) }
}

/// Where each criterion flapped; criteria of which the same is said are told together.
fn findings(page: &SweepPage) -> Vec<String> {
    let Some(cells) = &page.cells else { return Vec::new() };
    let Some(flapped) = cells.metric("flapped") else { return Vec::new() };
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for (criterion, name) in page.manifest.profiles.iter().enumerate() {
        let of: Vec<usize> =
            (0..cells.cells.len()).filter(|&at| page.grid.criterion(cells.cells[at]) == criterion).collect();
        let with: Vec<usize> =
            of.iter().copied().filter(|&at| flapped.mean[at].unwrap_or(0.0) > 0.0).collect();
        if of.is_empty() {
            continue;
        }
        let words = if with.is_empty() {
            format!("flapped in none of {} cells", human::count(of.len() as f64))
        } else if with.len() == of.len() {
            format!("flapped in all {} cells{}", human::count(of.len() as f64), share(flapped, &with))
        } else {
            format!(
                "flapped in {} of {} cells{}{}",
                human::count(with.len() as f64),
                human::count(of.len() as f64),
                share(flapped, &with),
                boundary(page, cells, &of, &with)
            )
        };
        match told.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) => names.push(name),
            None => told.push((words, vec![name])),
        }
    }
    told.into_iter().map(|(words, names)| format!("{}: {words}.", names.join(", "))).collect()
}

/// In what part of the runs, where it is not all of them.
fn share(flapped: &super::cells::MetricColumns, with: &[usize]) -> String {
    let shares = || with.iter().filter_map(|&at| flapped.mean[at]);
    let (least, most) = (shares().fold(1.0, f64::min), shares().fold(0.0, f64::max));
    match () {
        () if least >= 1.0 => String::new(),
        () if least == most => format!(", in {} of the runs there", human::share(most)),
        () => format!(", in {} to {} of the runs there", human::share(least), human::share(most)),
    }
}

/// A key whose value alone tells where it flapped, if there is one.
fn boundary(page: &SweepPage, cells: &super::cells::Cells, of: &[usize], with: &[usize]) -> String {
    let text = |key: usize, value: usize| {
        let key = &page.manifest.vary[key];
        format!("{} = {}", key.key, key.values[value])
    };
    for key in 0..page.manifest.vary.len() {
        let value = |at: &usize| page.grid.point(cells.cells[*at])[key];
        let (mut inside, mut outside): (Vec<usize>, Vec<usize>) =
            (with.iter().map(value).collect(), Vec::new());
        outside.extend(of.iter().filter(|at| !with.contains(at)).map(value));
        inside.sort_unstable();
        outside.sort_unstable();
        let (Some(&low), Some(&high)) = (inside.first(), inside.last()) else { continue };
        let (Some(&other_low), Some(&other_high)) = (outside.first(), outside.last()) else { continue };
        if low == high && !outside.contains(&low) {
            return format!(": only with {}", text(key, low));
        }
        if low > other_high {
            return format!(": from {} on", text(key, low));
        }
        if high < other_low {
            return format!(": up to {}", text(key, high));
        }
    }
    String::new()
}
