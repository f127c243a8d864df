//! One CSV file, open for appending whole rows.

use crate::error::ReportError;
use crate::tables::Table;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

/// A CSV file that holds its header and whole rows, whatever happens to a write.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    length: u64,
    rows: u64,
}

impl TableFile {
    /// Creates the file with its header.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn create(path: PathBuf, table: &Table) -> Result<Self, ReportError> {
        TableFile::create_with(path, &table.header())
    }

    /// Creates the file with this header line.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn create_with(path: PathBuf, header: &[u8]) -> Result<Self, ReportError> {
        let file = File::create(&path).map_err(|source| ReportError::io("create", &path, source))?;
        let mut table_file = TableFile { path, file, length: 0, rows: 0 };
        table_file.append(header, 0)?;
        Ok(table_file)
    }

    /// Appends whole rows. If not all of them can be written, none of them is left in the file.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn append(&mut self, bytes: &[u8], rows: u64) -> Result<(), ReportError> {
        if let Err(source) = self.file.write_all(bytes) {
            // If even this fails, the file is as the system left it: the error tells of the
            // write, which came first.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(ReportError::io("write", &self.path, source));
        }
        self.length += bytes.len() as u64;
        self.rows += rows;
        Ok(())
    }

    /// Rows in it, the header not counted.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Where it is.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::tables::TABLES;

    #[test]
    fn a_full_disk_is_told_of() {
        let error = TableFile::create(PathBuf::from("/dev/full"), &TABLES[0]).unwrap_err().to_string();
        assert!(error.starts_with("failed to write /dev/full: "), "{error}");
        assert!(error.contains("every row in the CSV files is whole"), "{error}");
    }
}
