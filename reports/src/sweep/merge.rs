//! One folder of all shards, with the very bytes of a sweep that was never cut into shards.

use super::finish;
use super::manifest::SweepManifest;
use super::plan::{Shard, SweepPlan};
use super::report::SweepReport;
use super::tables::{RUNS, SweepTable, TABLES};
use crate::error::ReportError;
use crate::output::{FileEntry, Folder, MANIFEST, RunState};
use crate::replay::TableFile;
use crate::tables::Rows;
use std::path::{Path, PathBuf};

/// Merges the folders of all shards of a sweep, in any order, into `out`.
///
/// # Errors
/// If a folder holds no finished shard, if they are not of one sweep, if one is missing or there
/// twice, or if the operating system refuses something.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<SweepReport, ReportError> {
    let mut shards: Vec<(SweepManifest, &Path)> = Vec::new();
    for folder in folders {
        shards.push((SweepManifest::read(folder)?, folder));
    }
    // The folder of the whole is emptied before it is written to.
    let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    if let Some(folder) = folders.iter().find(|folder| real(folder) == real(out)) {
        return Err(unmergeable(format!(
            "{} is one of the shards, and would be overwritten; nothing was touched: choose another folder with --out",
            folder.display()
        )));
    }
    check(&shards)?;
    shards.sort_by_key(|(manifest, _)| manifest.shard.index);
    let Some((first, first_folder)) = shards.first() else {
        return Err(unmergeable("no folder is given".to_owned()));
    };
    let mut plan = first.plan(first_folder, 1)?;
    plan.shard = Shard::WHOLE;
    plan.out = out.to_owned();
    for (manifest, folder) in &shards {
        check_rows(&plan, manifest, folder)?;
    }
    let folder = Folder::prepare(out)?;
    let merged = merge_into(&plan, &folder, &shards);
    if merged.is_err() {
        // Half a merge is of no use, and must not stand in the way of the next one. The error that
        // came first is the one to tell.
        let files = TABLES.iter().map(|table| table.csv()).chain(finish::files(&plan));
        for file in files.chain([MANIFEST.to_owned()]) {
            let _ = folder.remove(&file);
        }
    }
    merged
}

fn merge_into(
    plan: &SweepPlan,
    folder: &Folder,
    shards: &[(SweepManifest, &Path)],
) -> Result<SweepReport, ReportError> {
    let mut manifest = SweepManifest::begun(plan);
    let tables = TABLES.iter().map(|table| table.csv()).chain(finish::files(plan));
    manifest.files = tables.map(|file| FileEntry { file, rows: None }).collect();
    folder.write_whole(MANIFEST, manifest.to_json().as_bytes())?;
    let sources: Vec<&Path> = shards.iter().map(|(_, folder)| *folder).collect();
    let mut rows = Vec::new();
    for table in TABLES {
        rows.push(merge_table(plan, table, &sources, folder)?);
    }
    manifest.runs_finished = manifest.runs;
    finish::finish(plan, folder, manifest, &rows, Vec::new())
}

fn unmergeable(reason: String) -> ReportError {
    ReportError::Unmergeable { reason }
}

/// Makes sure that the shards are all of one sweep, and complete.
fn check(shards: &[(SweepManifest, &Path)]) -> Result<(), ReportError> {
    let Some((first, first_folder)) = shards.first() else { return Ok(()) };
    for (manifest, folder) in shards {
        if !matches!(manifest.state, RunState::Complete | RunState::Violated) {
            return Err(unmergeable(format!(
                "{} is not finished ({} of {} runs): finish it with isrlab sweep --resume {}",
                folder.display(),
                manifest.runs_finished,
                manifest.runs,
                folder.display()
            )));
        }
        let differs = [
            ("version", manifest.version != first.version),
            (
                "scenario",
                manifest.scenario_text != first.scenario_text || manifest.scenario != first.scenario,
            ),
            ("command", manifest.command != first.command),
            ("strictness", manifest.strict != first.strict),
            ("number of shards", manifest.shard.count != first.shard.count),
        ];
        if let Some((what, _)) = differs.iter().find(|(_, differs)| *differs) {
            return Err(unmergeable(format!(
                "{} and {} are not of one sweep: they have another {what}",
                first_folder.display(),
                folder.display()
            )));
        }
    }
    let count = first.shard.count;
    let with = |index: usize| shards.iter().filter(move |(manifest, _)| manifest.shard.index == index);
    for index in 1..=count {
        let folders: Vec<String> = with(index).map(|(_, folder)| folder.display().to_string()).collect();
        match folders.len() {
            1 => {}
            0 => {
                let missing: Vec<String> = (1..=count)
                    .filter(|index| with(*index).count() == 0)
                    .map(|index| format!("{index}/{count}"))
                    .collect();
                return Err(unmergeable(format!("of its {count} shards, {} is missing", missing.join(", "))));
            }
            _ => {
                return Err(unmergeable(format!(
                    "shard {index}/{count} is there twice: {}",
                    folders.join(" and ")
                )));
            }
        }
    }
    Ok(())
}

/// Makes sure that a shard's files have the rows that were written, as far as that can be told: as
/// many as its manifest says, and of the runs each seed of each of its cells, in order.
fn check_rows(whole: &SweepPlan, manifest: &SweepManifest, folder: &Path) -> Result<(), ReportError> {
    let plan = manifest.plan(folder, 1)?;
    for table in TABLES {
        let path = folder.join(table.csv());
        let mut source = Source::open(path.clone(), &table.header(&whole.axes))?;
        let mut rows = 0usize;
        while source.has_next {
            if table.name == RUNS.name {
                check_run(&plan, rows, &source.next, &path)?;
            }
            rows += 1;
            source.advance()?;
        }
        let listed =
            manifest.files.iter().find(|entry| entry.file == table.csv()).and_then(|entry| entry.rows);
        if listed != Some(rows as u64) {
            return Err(unmergeable(format!(
                "{} has {rows} rows, and its manifest says {}",
                path.display(),
                listed.map_or("nothing of it".to_owned(), |rows| rows.to_string())
            )));
        }
    }
    Ok(())
}

/// Makes sure that a row is of the run whose turn it is.
fn check_run(
    plan: &SweepPlan,
    row: usize,
    found: &csv::StringRecord,
    path: &Path,
) -> Result<(), ReportError> {
    let (cell, seed) = plan.run(row);
    let wanted = [cell.to_string(), plan.profile(cell).name.to_owned(), seed.to_string()];
    let found = [0, 2, 3].map(|column| found.get(column).unwrap_or_default());
    if row < plan.runs() && wanted == found {
        return Ok(());
    }
    Err(unmergeable(format!(
        "{}, row {}: it is of cell {}, {}, seed {}, where cell {}, {}, seed {} belongs",
        path.display(),
        row + 1,
        found[0],
        found[1],
        found[2],
        wanted[0],
        wanted[1],
        wanted[2]
    )))
}

/// The rows of a shard's file, taken cell by cell.
struct Source {
    path: PathBuf,
    reader: csv::Reader<std::fs::File>,
    next: csv::StringRecord,
    has_next: bool,
}

impl Source {
    fn open(path: PathBuf, header: &[u8]) -> Result<Self, ReportError> {
        let file = std::fs::File::open(&path).map_err(|source| ReportError::io("open", &path, source))?;
        let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file);
        let mut source = Source { path, reader, next: csv::StringRecord::new(), has_next: true };
        source.advance()?;
        let mut found = Rows::default();
        source.next.iter().for_each(|field| found.text(field));
        found.end();
        if found.take().bytes != header {
            return Err(unmergeable(format!("{} has other columns than it should", source.path.display())));
        }
        source.advance()?;
        Ok(source)
    }

    fn advance(&mut self) -> Result<(), ReportError> {
        self.has_next = self
            .reader
            .read_record(&mut self.next)
            .map_err(|error| ReportError::io("read", &self.path, std::io::Error::other(error.to_string())))?;
        Ok(())
    }
}

fn merge_table(
    plan: &SweepPlan,
    table: &SweepTable,
    folders: &[&Path],
    out: &Folder,
) -> Result<u64, ReportError> {
    let header = table.header(&plan.axes);
    let sources = folders.iter().map(|folder| Source::open(folder.join(table.csv()), &header));
    let mut sources = sources.collect::<Result<Vec<Source>, _>>()?;
    let mut file = TableFile::create_with(out.file(&table.csv()), &header)?;
    let mut rows = Rows::default();
    for cell in 0..plan.cells_in_all() {
        let shard = cell % folders.len();
        let source = &mut sources[shard];
        let name = cell.to_string();
        while source.has_next && source.next.get(0) == Some(&name) {
            source.next.iter().for_each(|field| rows.text(field));
            rows.end();
            source.advance()?;
        }
        if rows.waiting() > 32 * 1024 {
            let chunk = rows.take();
            file.append(&chunk.bytes, chunk.rows)?;
        }
    }
    let chunk = rows.take();
    file.append(&chunk.bytes, chunk.rows)?;
    if let Some(left) = sources.iter().find(|source| source.has_next) {
        return Err(unmergeable(format!("{} has rows out of their order", left.path.display())));
    }
    Ok(file.rows())
}
