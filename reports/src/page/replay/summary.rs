//! The numbers of `summary.csv`, over the runs of each criterion.

use super::super::csv_file::CsvFile;
use super::super::error::PageError;
use super::super::source::Source;
use crate::stats::Moments;

/// The file.
pub const FILE: &str = "summary.csv";

/// One criterion's runs.
#[derive(Clone)]
pub struct CriterionSummary {
    /// Its name.
    pub name: String,
    /// Runs that reached their end.
    pub runs: u64,
    /// Those of them in which a removed replica came back.
    pub flapped: u64,
    /// By metric, in the order of [`Summary::metrics`].
    pub values: Vec<Moments>,
}

/// All runs.
pub struct Summary {
    /// The metrics' names.
    pub metrics: Vec<String>,
    /// The criteria, in the order of the replay.
    pub criteria: Vec<CriterionSummary>,
}

impl Summary {
    /// A metric of a criterion; none if there is no such metric.
    pub fn metric<'a>(&self, criterion: &'a CriterionSummary, name: &str) -> Option<&'a Moments> {
        let index = self.metrics.iter().position(|known| known == name)?;
        criterion.values.get(index)
    }
}

/// Reads the summary; none if the file is not there.
///
/// # Errors
/// If the file is not what it should be.
pub fn read(source: &Source, criteria: &[String]) -> Result<Option<Summary>, PageError> {
    let Some(mut file) = CsvFile::open(&source.file(FILE))? else { return Ok(None) };
    let [criterion_column] = file.columns(["criterion"])?;
    let identity = ["scenario", "criterion", "seed", "duration_ms"];
    let metrics: Vec<(usize, String)> = file
        .header()
        .iter()
        .cloned()
        .enumerate()
        .filter(|(_, name)| !identity.contains(&name.as_str()))
        .collect();
    let flaps = metrics.iter().position(|(_, name)| name == "isr_flaps");
    let empty = |name: &String| CriterionSummary {
        name: name.clone(),
        runs: 0,
        flapped: 0,
        values: vec![Moments::default(); metrics.len()],
    };
    let mut found: Vec<CriterionSummary> = criteria.iter().map(empty).collect();
    while let Some(row) = file.next_row()? {
        let name = row.text(criterion_column);
        let Some(criterion) = found.iter_mut().find(|known| known.name == name) else {
            return Err(row.wrong(criterion_column, "one of the manifest's profiles"));
        };
        criterion.runs += 1;
        for (index, (column, _)) in metrics.iter().enumerate() {
            if let Some(value) = row.finite(*column)? {
                criterion.values[index].add(value);
                criterion.flapped += u64::from(Some(index) == flaps && value > 0.0);
            }
        }
    }
    Ok(Some(Summary { metrics: metrics.into_iter().map(|(_, name)| name).collect(), criteria: found }))
}
