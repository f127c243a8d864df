//! A file that is there as a whole or not at all.

use super::folder::temporary_file;
use crate::error::ReportError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file under way: it has another name until [`WholeFile::keep`], and is gone without it. What is
/// there and is no plain file, such as a pipe or `/dev/null`, is written to as it is.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    file: Target,
}

#[derive(Debug)]
enum Target {
    Beside(BufWriter<NamedTempFile>),
    Itself(BufWriter<File>),
}

impl WholeFile {
    /// Begins a file that is to be at `path`, beside it, or beside what a link there leads to; its
    /// folder must be there.
    ///
    /// # Errors
    /// If `path` is a folder, or the operating system refuses.
    pub fn begin(path: &Path) -> Result<Self, ReportError> {
        let failed = |source| ReportError::io("write", path, source);
        if path.is_dir() {
            return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(path).map_err(failed)?;
            return Ok(WholeFile { path: path.to_owned(), file: Target::Itself(BufWriter::new(file)) });
        }
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let file = temporary_file(folder).map_err(failed)?;
        Ok(WholeFile { path: path.clone(), file: Target::Beside(BufWriter::new(file)) })
    }

    /// Puts the file in its place; what was there before is replaced.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn keep(self) -> Result<(), ReportError> {
        let failed = |source| ReportError::io("write", &self.path, source);
        match self.file {
            Target::Itself(mut file) => file.flush().map_err(failed),
            Target::Beside(file) => {
                let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
                file.persist(&self.path).map_err(|error| failed(error.error))?;
                Ok(())
            }
        }
    }

    /// Writes a whole file at once.
    ///
    /// # Errors
    /// As [`WholeFile::begin`] and [`WholeFile::keep`].
    pub fn write(path: &Path, content: &[u8]) -> Result<(), ReportError> {
        let mut file = WholeFile::begin(path)?;
        file.write_all(content).map_err(|source| ReportError::io("write", path, source))?;
        file.keep()
    }

    fn target(&mut self) -> &mut dyn Write {
        match &mut self.file {
            Target::Beside(file) => file,
            Target::Itself(file) => file,
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.target().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target().flush()
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

    #[cfg(unix)]
    #[test]
    fn what_is_no_plain_file_stays_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::write(&real, "before").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        WholeFile::write(&link, b"after").unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read(&real).unwrap(), b"after");
        WholeFile::write(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }
}
