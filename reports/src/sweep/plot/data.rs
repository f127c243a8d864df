//! The numbers of one metric over the grid.

use super::super::cell::EVENTS;
use super::super::plan::SweepPlan;
use super::super::report::Columns;
use super::super::tables::CELLS;
use crate::error::ReportError;
use isrlab_sim::cluster::METRICS;
use std::collections::BTreeMap;
use std::path::Path;

/// One metric in every cell.
pub struct MetricData {
    /// Its name, or that of a share.
    pub metric: String,
    /// What it is, for a heading.
    pub title: String,
    /// By the numbers of the values and that of the criterion.
    pub cells: BTreeMap<(Vec<usize>, usize), Point>,
}

/// One cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// The mean or share.
    pub mean: f64,
    /// Its 95 % interval; none with fewer than two runs.
    pub interval: Option<(f64, f64)>,
}

impl MetricData {
    /// The largest mean or end of an interval, at least 0.
    pub fn max(&self, intervals: bool) -> f64 {
        let top = |point: &Point| match point.interval {
            Some((_, high)) if intervals => high.max(point.mean),
            _ => point.mean,
        };
        self.cells.values().map(top).fold(0.0, f64::max)
    }

    /// The smallest mean or end of an interval, at most 0.
    pub fn min(&self, intervals: bool) -> f64 {
        let bottom = |point: &Point| match point.interval {
            Some((low, _)) if intervals => low.min(point.mean),
            _ => point.mean,
        };
        self.cells.values().map(bottom).fold(0.0, f64::min)
    }

    /// The criteria whose cells are all equal, together: their names, and the number of one.
    pub fn panels(&self, plan: &SweepPlan) -> Vec<(String, usize)> {
        let own = |criterion: usize| -> Vec<(&Vec<usize>, &Point)> {
            self.cells
                .iter()
                .filter(|((_, own), _)| *own == criterion)
                .map(|((at, _), point)| (at, point))
                .collect()
        };
        let mut panels: Vec<(Vec<&str>, usize)> = Vec::new();
        for (index, profile) in plan.profiles.iter().enumerate() {
            match panels.iter_mut().find(|(_, known)| own(*known) == own(index)) {
                Some((names, _)) => names.push(profile.name),
                None => panels.push((vec![profile.name], index)),
            }
        }
        panels.into_iter().map(|(names, index)| (names.join(", "), index)).collect()
    }
}

/// Reads the metrics that are to be drawn.
///
/// # Errors
/// If the file cannot be read.
pub fn read(plan: &SweepPlan, folder: &Path) -> Result<Vec<MetricData>, ReportError> {
    let mut all: Vec<MetricData> = plan
        .plots
        .iter()
        .map(|metric| MetricData {
            metric: metric.clone(),
            title: title(metric, plan.seeds),
            cells: BTreeMap::new(),
        })
        .collect();
    let names = ["cell", "metric", "mean", "interval_low", "interval_high"];
    Columns::open(folder.join(CELLS.csv()), &names)?.each(|fields| {
        let [cell, metric, mean, low, high] = fields else { return };
        let Some(data) = all.iter_mut().find(|data| data.metric == **metric) else { return };
        let Ok(cell) = cell.parse::<usize>() else { return };
        let values = plan.point(cell).into_iter().map(|(_, value)| value).collect();
        let interval = low.parse().ok().zip(high.parse().ok());
        let mean = mean.parse().unwrap_or_default();
        data.cells.insert((values, cell % plan.profiles.len()), Point { mean, interval });
    })?;
    Ok(all)
}

/// What a metric is, in a line.
fn title(metric: &str, seeds: u64) -> String {
    let mean = if seeds > 1 { ", mean over seeds" } else { "" };
    if let Some(event) = EVENTS.iter().find(|event| event.name == metric) {
        return event.meaning.replace('`', "");
    }
    match METRICS.iter().find(|known| known.name == metric) {
        Some(known) => {
            let whole = known.doc.split(". ").next().unwrap_or_default();
            let doc = whole
                .split([';', '('])
                .next()
                .unwrap_or_default()
                .trim()
                .trim_end_matches('.')
                .replace('`', "");
            let unit = match known.unit.name() {
                "count" => String::new(),
                unit => format!(" ({unit})"),
            };
            let mut letters = doc.chars();
            let first = letters.next().map_or(String::new(), |c| c.to_lowercase().to_string());
            format!("{first}{}{unit}{mean}", letters.as_str())
        }
        None => metric.to_owned(),
    }
}
