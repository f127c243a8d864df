//! A file that is there as a whole or not at all.

use super::folder::plain_file_permissions;
use crate::error::ReportError;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file under way: it has another name until [`WholeFile::keep`], and is gone without it.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl WholeFile {
    /// Begins a file that is to be at `path`, beside it; its folder must be there.
    ///
    /// # Errors
    /// If `path` is a folder, or the operating system refuses.
    pub fn begin(path: &Path) -> Result<Self, ReportError> {
        let failed = |source| ReportError::io("write", path, source);
        if path.is_dir() {
            return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let file = tempfile::Builder::new()
            .prefix(".isrlab-")
            .permissions(plain_file_permissions())
            .tempfile_in(folder)
            .map_err(failed)?;
        Ok(WholeFile { path: path.to_owned(), file: BufWriter::new(file) })
    }

    /// Puts the file in its place; what was there before is replaced.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn keep(self) -> Result<(), ReportError> {
        let failed = |source| ReportError::io("write", &self.path, source);
        let file = self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.json");
        std::fs::write(&path, "before").unwrap();
        let mut dropped = WholeFile::begin(&path).unwrap();
        dropped.write_all(b"half of").unwrap();
        drop(dropped);
        assert_eq!(std::fs::read(&path).unwrap(), b"before");
        let mut kept = WholeFile::begin(&path).unwrap();
        kept.write_all(b"all").unwrap();
        kept.keep().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"all");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(WholeFile::begin(folder.path()).is_err());
        assert!(WholeFile::begin(&folder.path().join("no/such/file")).is_err());
    }
}
