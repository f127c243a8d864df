//! The statistics of `cells.csv`, as columns over the cells.

use super::super::csv_file::CsvFile;
use super::super::error::PageError;
use super::super::source::Source;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The file.
pub const FILE: &str = "cells.csv";
/// The most cells that are on the page.
pub const CELLS_MAX: usize = 20_000;
/// About how many numbers of all metrics together are on the page.
const NUMBERS_MAX: usize = 1_200_000;

/// One metric over the cells; a cell without a value has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricColumns {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// How its interval is made.
    pub method: String,
    /// The mean, or share.
    pub mean: Vec<Option<f64>>,
    /// The interval's lower end.
    pub low: Vec<Option<f64>>,
    /// Its upper end.
    pub high: Vec<Option<f64>>,
    /// The least.
    pub min: Vec<Option<f64>>,
    /// The most.
    pub max: Vec<Option<f64>>,
    /// Runs with a value.
    pub runs: Vec<u32>,
}

impl MetricColumns {
    fn reach(&mut self, cells: usize) {
        for column in [&mut self.mean, &mut self.low, &mut self.high, &mut self.min, &mut self.max] {
            column.resize(cells, None);
        }
        self.runs.resize(cells, 0);
    }

    /// Whether it is the same number everywhere, if it is anywhere.
    fn is_constant(&self) -> Option<f64> {
        let mut values = self.mean.iter().flatten();
        let first = *values.next()?;
        let is_same = values.all(|value| *value == first) && self.mean.iter().all(Option::is_some);
        let is_sure = self.min.iter().chain(&self.max).flatten().all(|value| *value == first);
        (is_same && is_sure && self.unit != "share").then_some(first)
    }
}

/// A column as the page gets it: not at all where it has no value, and where it is the same as the
/// means, a word.
fn column(values: &[Option<f64>], mean: &[Option<f64>]) -> Value {
    if values.iter().all(Option::is_none) {
        Value::Null
    } else if values == mean {
        json!("mean")
    } else {
        json!(values)
    }
}

impl MetricColumns {
    /// As the page gets it.
    pub fn to_json(&self) -> Value {
        let runs = self.runs.first().filter(|first| self.runs.iter().all(|runs| runs == *first));
        json!({
            "name": self.name,
            "unit": self.unit,
            "method": self.method,
            "mean": self.mean,
            "low": column(&self.low, &self.mean),
            "high": column(&self.high, &self.mean),
            "min": column(&self.min, &self.mean),
            "max": column(&self.max, &self.mean),
            "runs": runs.map_or_else(|| json!(self.runs), |runs| json!(runs)),
        })
    }
}

/// The cells of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// The number of each cell in the grid, in the order of the file.
    pub cells: Vec<usize>,
    /// By cell: the value of each varied key, as it stands in its column.
    pub values: Vec<Vec<String>>,
    /// The metrics that differ between cells.
    pub metrics: Vec<MetricColumns>,
    /// Metrics that are the same in every cell, with their value.
    pub constant: Vec<(String, f64)>,
    /// Metrics that were left out for want of room.
    pub left_out: Vec<String>,
    /// How many cells the file has.
    pub total: usize,
}

impl Cells {
    /// A metric.
    pub fn metric(&self, name: &str) -> Option<&MetricColumns> {
        self.metrics.iter().find(|metric| metric.name == name)
    }
}

/// Reads the cells; none if the file is not there. `keys` are the columns of the varied keys,
/// `first` the metrics that are kept before others.
///
/// # Errors
/// If the file is not what it should be.
pub fn read(source: &Source, keys: &[String], first: &[String]) -> Result<Option<Cells>, PageError> {
    let Some(mut file) = CsvFile::open(&source.file(FILE))? else { return Ok(None) };
    let [cell, metric, unit, runs, mean, min, max, low, high, method] = file.columns([
        "cell",
        "metric",
        "unit",
        "runs",
        "mean",
        "min",
        "max",
        "interval_low",
        "interval_high",
        "interval_method",
    ])?;
    let keys =
        keys.iter().map(|key| Ok(file.columns([key.as_str()])?[0])).collect::<Result<Vec<_>, PageError>>()?;
    let mut cells: Vec<usize> = Vec::new();
    let mut values: Vec<Vec<String>> = Vec::new();
    let mut metrics: Vec<MetricColumns> = Vec::new();
    let mut index: BTreeMap<String, usize> = BTreeMap::new();
    let mut total = 0;
    let mut last = None;
    while let Some(row) = file.next_row()? {
        let number: usize = row.value(cell)?;
        if last != Some(number) {
            if last.is_some_and(|last| number < last) {
                return Err(row.wrong(cell, "a cell after the one before, as a sweep writes them"));
            }
            last = Some(number);
            total += 1;
            if cells.len() < CELLS_MAX {
                cells.push(number);
                values.push(keys.iter().map(|&key| row.text(key).to_owned()).collect());
            }
        }
        if total > CELLS_MAX {
            continue;
        }
        let name = row.text(metric);
        let place = *index.entry(name.to_owned()).or_insert_with(|| {
            metrics.push(MetricColumns {
                name: name.to_owned(),
                unit: row.text(unit).to_owned(),
                method: row.text(method).to_owned(),
                ..MetricColumns::default()
            });
            metrics.len() - 1
        });
        let at = cells.len() - 1;
        let columns = &mut metrics[place];
        columns.reach(at + 1);
        columns.mean[at] = row.finite(mean)?;
        columns.low[at] = row.finite(low)?;
        columns.high[at] = row.finite(high)?;
        columns.min[at] = row.finite(min)?;
        columns.max[at] = row.finite(max)?;
        columns.runs[at] = row.value(runs)?;
        if columns.method.is_empty() {
            row.text(method).clone_into(&mut columns.method);
        }
    }
    metrics.iter_mut().for_each(|metric| metric.reach(cells.len()));
    Ok(Some(Cells { values, ..chosen(cells, metrics, total, first) }))
}

/// Leaves out what says nothing, and what there is no room for.
fn chosen(cells: Vec<usize>, metrics: Vec<MetricColumns>, total: usize, first: &[String]) -> Cells {
    let mut found = Cells { cells, total, ..Cells::default() };
    let (constant, mut kept): (Vec<MetricColumns>, Vec<MetricColumns>) = metrics
        .into_iter()
        .partition(|metric| metric.is_constant().is_some() && !first.contains(&metric.name));
    found.constant =
        constant.iter().filter_map(|metric| Some((metric.name.clone(), metric.is_constant()?))).collect();
    kept.sort_by_key(|metric| first.iter().position(|name| *name == metric.name).unwrap_or(usize::MAX));
    let room = (NUMBERS_MAX / (5 * found.cells.len().max(1))).max(6);
    if kept.len() > room {
        found.left_out = kept.drain(room..).map(|metric| metric.name).collect();
    }
    found.metrics = kept;
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(name: &str, values: &[f64]) -> MetricColumns {
        let column: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
        MetricColumns {
            name: name.into(),
            mean: column.clone(),
            min: column.clone(),
            max: column.clone(),
            low: column.clone(),
            high: column,
            runs: vec![1; values.len()],
            ..MetricColumns::default()
        }
    }

    #[test]
    fn what_is_the_same_everywhere_is_told_once() {
        let metrics =
            vec![metric("same", &[2.0, 2.0]), metric("differs", &[1.0, 2.0]), metric("asked", &[0.0, 0.0])];
        let found = chosen(vec![0, 1], metrics, 2, &["asked".to_owned()]);
        assert_eq!(found.constant, [("same".to_owned(), 2.0)]);
        let names: Vec<&str> = found.metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, ["asked", "differs"]);
    }

    #[test]
    fn columns_that_tell_nothing_more_take_no_room() {
        let mut metric = metric("m", &[1.0, 2.0]);
        metric.low = vec![None, None];
        metric.high = vec![Some(1.5), None];
        let json = metric.to_json();
        assert_eq!(json["low"], Value::Null);
        assert_eq!(json["max"], json!("mean"));
        assert_eq!(json["high"], json!([1.5, null]));
        assert_eq!(json["runs"], json!(1));
    }

    #[test]
    fn metrics_without_room_are_named() {
        let cells: Vec<usize> = (0..CELLS_MAX).collect();
        let values: Vec<f64> = cells.iter().map(|cell| *cell as f64).collect();
        let metrics = (0..40).map(|number| metric(&format!("m{number}"), &values)).collect();
        let found = chosen(cells, metrics, CELLS_MAX, &["m39".to_owned()]);
        assert_eq!(found.metrics[0].name, "m39");
        assert_eq!((found.metrics.len(), found.left_out.len()), (12, 28));
    }
}
