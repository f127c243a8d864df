//! What is made of a sweep's rows once they are there: Parquet, plots, the final manifest.
//!
//! All of it is made from the CSV files, so that a sweep, a resumed one, and the merge of its
//! shards give the same bytes.

use super::journal::JOURNAL;
use super::manifest::SweepManifest;
use super::plan::SweepPlan;
use super::plot;
use super::report::SweepReport;
use super::tables::TABLES;
use crate::error::ReportError;
use crate::output::{FileEntry, Folder, MANIFEST, RunState};
#[cfg(feature = "parquet")]
use rayon::prelude::*;

/// The files of a complete sweep beside its CSV files and the manifest.
pub fn files(plan: &SweepPlan) -> Vec<String> {
    let mut files = Vec::new();
    if cfg!(feature = "parquet") {
        files.extend(TABLES.iter().map(|table| table.parquet()));
    }
    files.extend(plot::files(plan));
    files
}

/// Finishes a folder in which all rows are that there will be, and says what they come to.
///
/// # Errors
/// If the operating system refuses, or a picture cannot be made.
pub fn finish(
    plan: &SweepPlan,
    folder: &Folder,
    mut manifest: SweepManifest,
    rows: &[u64],
    notes: Vec<String>,
) -> Result<SweepReport, ReportError> {
    let complete = manifest.runs_finished == manifest.runs;
    manifest.files = TABLES
        .iter()
        .zip(rows)
        .map(|(table, rows)| FileEntry { file: table.csv(), rows: Some(*rows) })
        .collect();
    manifest.state = RunState::Interrupted;
    let mut report = SweepReport::read(plan, &manifest, notes)?;
    if complete {
        let (tables, plots) = rayon::join(|| parquet(plan, folder), || plot::render(plan, folder.path()));
        tables?;
        for (file, content) in plots? {
            folder.write_whole(&file, &content)?;
        }
        manifest.files.extend(files(plan).into_iter().map(|file| FileEntry { file, rows: None }));
        manifest.state = if report.runs_violated > 0 { RunState::Violated } else { RunState::Complete };
    } else {
        manifest.files.push(FileEntry { file: JOURNAL.to_owned(), rows: None });
    }
    folder.write_whole(MANIFEST, manifest.to_json().as_bytes())?;
    if complete {
        // Only now: until the manifest says that all is there, the journal is what is there.
        folder.remove(JOURNAL)?;
    }
    report.files = manifest.files.clone();
    report.files.push(FileEntry { file: MANIFEST.to_owned(), rows: None });
    report.replaced = folder.replaced;
    Ok(report)
}

/// Writes the Parquet files.
fn parquet(plan: &SweepPlan, folder: &Folder) -> Result<(), ReportError> {
    #[cfg(feature = "parquet")]
    return TABLES.into_par_iter().try_for_each(|table| super::parquet::convert(folder, table, &plan.axes));
    #[cfg(not(feature = "parquet"))]
    {
        let _ = (plan, folder);
        Ok(())
    }
}
