//! The answer of a sweep, in a few words.

use super::SweepPage;
use crate::judge::VerdictKind;
use crate::output::RunState;
use crate::page::html::{Verdict, VerdictMark};
use crate::report::human;

/// The answer.
pub fn verdict(page: &SweepPage) -> Verdict {
    let manifest = &page.manifest;
    let expectations = page.expectations.as_deref().unwrap_or_default();
    let violated = expectations.iter().filter(|found| found.kind() == VerdictKind::Violated).count();
    let invariants = page.failures.as_ref().map_or(0, |failures| failures.invariants);
    let count = |wanted: VerdictKind| expectations.iter().filter(|found| found.kind() == wanted).count();
    let judged = count(VerdictKind::Held);
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
        // A sweep that was killed could not say how far it came; its journal knows.
        () if manifest.state == RunState::Unfinished => {
            (VerdictMark::Unsure, "Not finished: under way, or ended from outside".to_owned())
        }
        () if manifest.state == RunState::Interrupted => (
            VerdictMark::Unsure,
            format!(
                "Not finished: {} of {} runs are over",
                manifest.runs_finished,
                human::count(manifest.runs as f64)
            ),
        ),
        () if manifest.state == RunState::Violated && invariants == 0 => {
            (VerdictMark::Bad, "An invariant was violated, and failures.csv does not say where".to_owned())
        }
        () if page.expectations.is_none() || page.failures.is_none() => {
            (VerdictMark::Unsure, "Files of the sweep are missing: what failed cannot be told".to_owned())
        }
        () if manifest.runs_finished == 0 => (VerdictMark::Unsure, "Nothing ran".to_owned()),
        () if expectations.is_empty() => {
            (VerdictMark::Good, format!("Every invariant held in {runs}; nothing else was expected"))
        }
        () if judged < expectations.len() => {
            let (untold, vacuous) = (count(VerdictKind::Inconclusive), count(VerdictKind::PremiseNeverMet));
            let rest = [(untold, "cannot be told from so few runs"), (vacuous, "had nothing to speak of")];
            let rest = rest.iter().filter(|(count, _)| *count > 0);
            let rest: Vec<String> = rest.map(|(count, words)| format!("{count} {words}")).collect();
            let headline =
                format!("{judged} of {} expectations held; {}", expectations.len(), rest.join(", "));
            (VerdictMark::Unsure, headline)
        }
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
        // A replica that was removed for good does not flap; that is worse, not better.
        let gone = cells.metric("shrunk").map_or(0, |shrunk| {
            let removed = |at: usize| shrunk.mean[at].unwrap_or(0.0) > 0.0;
            of.iter().filter(|&&at| removed(at) && flapped.mean[at].unwrap_or(0.0) == 0.0).count()
        });
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
                bounds(page, cells, &with)
            )
        };
        let words = match gone {
            0 => words,
            gone => {
                format!("{words}; in {} more a replica was removed and stayed out", human::count(gone as f64))
            }
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

/// With which values of each key it flapped at all, where that is not all of them.
fn bounds(page: &SweepPage, cells: &super::cells::Cells, with: &[usize]) -> String {
    let keys = page.manifest.vary.iter().enumerate();
    let mut product = 1;
    let told = keys.filter_map(|(key, varied)| {
        let mut inside: Vec<usize> = with.iter().map(|&at| page.grid.point(cells.cells[at])[key]).collect();
        inside.sort_unstable();
        inside.dedup();
        product *= inside.len();
        let values: Vec<&str> = inside.iter().map(|&value| varied.values[value].as_str()).collect();
        let told = values_told(&inside, &values, &page.grid.numbers[key])?;
        Some(format!("{} {told}", varied.key))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        return String::new();
    }
    let only = if product == with.len() { "exactly" } else { "only" };
    format!(": {only} with {}", told.join(" and "))
}

/// Some values of a key in words; none if it is all of them, or too many to name.
fn values_told(inside: &[usize], values: &[&str], numbers: &[Option<f64>]) -> Option<String> {
    let (first, last) = (*inside.first()?, *inside.last()?);
    let is_rising = numbers.windows(2).all(|pair| matches!(pair, [Some(a), Some(b)] if a < b));
    let is_stretch = is_rising && last - first + 1 == inside.len();
    match (first == 0, last + 1 == numbers.len()) {
        _ if inside.len() == numbers.len() => None,
        _ if inside.len() == 1 => Some(format!("= {}", values[0])),
        (true, _) if is_stretch => Some(format!("up to {}", values[values.len() - 1])),
        (_, true) if is_stretch => Some(format!("from {} on", values[0])),
        _ if is_stretch => Some(format!("from {} to {}", values[0], values[values.len() - 1])),
        _ if inside.len() <= 3 => Some(format!("= {}", values.join(", "))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_values_are_told_by_their_ends() {
        let rising: Vec<Option<f64>> = [1.0, 2.0, 5.0, 10.0].map(Some).to_vec();
        let told = |inside: &[usize], numbers: &[Option<f64>]| {
            let names = ["a", "b", "c", "d"];
            let values: Vec<&str> = inside.iter().map(|&at| names[at]).collect();
            values_told(inside, &values, numbers).unwrap_or_default()
        };
        assert_eq!(told(&[0, 1, 2, 3], &rising), "");
        assert_eq!(told(&[0, 1], &rising), "up to b");
        assert_eq!(told(&[2, 3], &rising), "from c on");
        assert_eq!(told(&[1, 2], &rising), "from b to c");
        assert_eq!(told(&[0, 2], &rising), "= a, c");
        assert_eq!(told(&[3], &rising), "= d");
        // Values that are no numbers have no order.
        assert_eq!(told(&[0, 1], &[None; 4]), "= a, b");
    }
}
