//! The runs that are over, on disk in the order in which they ended.
//!
//! Each is one line of JSON, written by one call as soon as the run is over. A sweep that is
//! killed, even in the middle of a write, resumes from it: a last line without its end is cut
//! off, and its run is run again. Everything else a sweep writes is made of these lines, in the
//! order of the grid.

use super::record::RunRecord;
use crate::error::ReportError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The journal's file name.
pub const JOURNAL: &str = "journal.jsonl";

/// A journal open for appending.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<(File, u64)>,
}

impl Journal {
    /// Begins a journal, whatever was in it.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn create(folder: &Path, header: &str) -> Result<Self, ReportError> {
        Journal::open(folder)?.begin(header)
    }

    /// Throws away what is in an open journal, and begins it with a line that says of which sweep
    /// it is.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn begin(self, header: &str) -> Result<Self, ReportError> {
        self.cut(0)?;
        self.write_line(header.to_owned().into_bytes())?;
        Ok(self)
    }

    /// Opens the journal that is in a folder, if there is one, as [`Journal::open`].
    ///
    /// # Errors
    /// If another process has it open, or the operating system refuses.
    pub fn open_existing(folder: &Path) -> Result<Option<Self>, ReportError> {
        if folder.join(JOURNAL).is_file() { Journal::open(folder).map(Some) } else { Ok(None) }
    }

    /// Opens a journal as it is, for this process alone: what others may be writing must not be
    /// touched. One that is not there is an empty one.
    ///
    /// # Errors
    /// If another process has it open, or the operating system refuses.
    pub fn open(folder: &Path) -> Result<Self, ReportError> {
        let path = folder.join(JOURNAL);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(|source| ReportError::io("open", &path, source))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ReportError::Busy { path: folder.to_owned() }),
            // A file system without locks is no reason not to work on it.
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(source)) => return Err(ReportError::io("lock", &path, source)),
        }
        Ok(Journal { path, file: Mutex::new((file, 0)) })
    }

    /// Tells `known` of every run in the journal, and cuts off what a killed sweep left half
    /// written: what is appended stands after the last whole line.
    ///
    /// # Errors
    /// If the operating system refuses, if a line other than the last is damaged, or if the
    /// journal is of another sweep than `header` says.
    pub fn read(&self, header: &str, mut known: impl FnMut(RunRecord)) -> Result<(), ReportError> {
        let path = self.path.clone();
        let failed = |action: &'static str| {
            let path = path.clone();
            move |source| ReportError::io(action, &path, source)
        };
        let guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reader = BufReader::new(&guard.0);
        let (mut whole, mut number, mut line) = (0u64, 0usize, Vec::new());
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(failed("read"))?;
            if line.last() != Some(&b'\n') {
                break;
            }
            number += 1;
            if number == 1 {
                if line.strip_suffix(b"\n") != Some(header.as_bytes()) {
                    return Err(ReportError::Damaged { path, line: number });
                }
                whole = length as u64;
                continue;
            }
            let Ok(record) = serde_json::from_slice(&line) else {
                return Err(ReportError::Damaged { path, line: number });
            };
            known(record);
            whole += length as u64;
        }
        drop(guard);
        self.cut(whole)?;
        if whole == 0 { self.write_line(header.to_owned().into_bytes()) } else { Ok(()) }
    }

    /// Leaves only so many bytes, and appends after them.
    fn cut(&self, length: u64) -> Result<(), ReportError> {
        let mut guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, whole) = &mut *guard;
        let cut = file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length)));
        cut.map_err(|source| ReportError::io("cut", &self.path, source))?;
        *whole = length;
        Ok(())
    }

    /// Appends a run. If not all of it can be written, nothing of it is left.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn append(&self, record: &RunRecord) -> Result<(), ReportError> {
        self.write_line(serde_json::to_vec(record).expect("a record is plain data"))
    }

    fn write_line(&self, mut line: Vec<u8>) -> Result<(), ReportError> {
        line.push(b'\n');
        let mut guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, length) = &mut *guard;
        if let Err(source) = file.write_all(&line) {
            // The error that came first is the one to tell.
            let _ = file.set_len(*length);
            let _ = file.seek(SeekFrom::Start(*length));
            return Err(ReportError::io("write", &self.path, source));
        }
        *length += line.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::RunOutcome;
    use super::*;

    fn record(run: usize) -> RunRecord {
        let outcome = RunOutcome::Violated { at_ns: 5, invariant: "i\n".into(), event: "e".repeat(run % 7) };
        RunRecord { run, outcome }
    }

    fn reopened(folder: &Path) -> Result<(Journal, Vec<RunRecord>), ReportError> {
        let mut known = Vec::new();
        let journal = Journal::open(folder)?;
        journal.read("{}", |record| known.push(record))?;
        Ok((journal, known))
    }

    #[test]
    fn a_journal_cut_anywhere_gives_back_its_whole_lines_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::create(folder.path(), "{}").unwrap();
        let records: Vec<RunRecord> = [2, 0, 1].map(record).to_vec();
        for record in &records {
            journal.append(record).unwrap();
        }
        drop(journal);
        let path = folder.path().join(JOURNAL);
        let bytes = std::fs::read(&path).unwrap();
        let ends: Vec<usize> =
            bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        for cut in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let whole = ends.iter().filter(|end| **end <= cut).count().saturating_sub(1);
            let (journal, known) = reopened(folder.path()).unwrap();
            assert_eq!(known, records[..whole], "cut at {cut}");
            journal.append(&record(9)).unwrap();
            drop(journal);
            let (_, known) = reopened(folder.path()).unwrap();
            assert_eq!((known.len(), known.last()), (whole + 1, Some(&record(9))), "cut at {cut}");
        }
    }

    #[test]
    fn a_journal_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::create(folder.path(), "{}").unwrap();
        journal.append(&record(0)).unwrap();
        assert!(matches!(Journal::open(folder.path()), Err(ReportError::Busy { .. })));
        assert!(matches!(Journal::create(folder.path(), "{}"), Err(ReportError::Busy { .. })));
        drop(journal);
        assert_eq!(reopened(folder.path()).unwrap().1, [record(0)]);
    }

    #[test]
    fn damage_before_the_end_is_told_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(JOURNAL);
        for (text, wanted) in [("{}\n{\"run\":\nnot whole\n", "line 2"), ("of another sweep\n", "line 1")] {
            std::fs::write(&path, text).unwrap();
            let message = reopened(folder.path()).unwrap_err().to_string();
            assert!(message.contains("journal.jsonl") && message.contains(wanted), "{message}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
