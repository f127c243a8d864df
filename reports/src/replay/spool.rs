//! One table's rows of one run, until their place in the file is reached.

use super::table_file::TableFile;
use crate::error::ReportError;
use crate::tables::Chunk;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Whole rows that wait: the newest in memory, those before them in a nameless file that is
/// gone when the program is.
#[derive(Debug, Default)]
pub struct Spool {
    waiting: Chunk,
    spilled: Option<File>,
    spilled_rows: u64,
}

/// Bytes that may wait in memory.
const MEMORY_MAX: usize = 256 * 1024;

impl Spool {
    /// Adds rows.
    pub fn push(&mut self, chunk: Chunk) {
        if self.waiting.bytes.is_empty() {
            self.waiting = chunk;
        } else {
            self.waiting.bytes.extend_from_slice(&chunk.bytes);
            self.waiting.rows += chunk.rows;
        }
    }

    /// Moves what waits in memory out of it, if it is much; `folder` is where the file is made.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn spill(&mut self, folder: &Path) -> Result<(), ReportError> {
        if self.waiting.bytes.len() <= MEMORY_MAX {
            return Ok(());
        }
        let failed = |source| ReportError::io("write a temporary file in", folder, source);
        let file = match &mut self.spilled {
            Some(file) => file,
            None => self.spilled.insert(tempfile::tempfile_in(folder).map_err(failed)?),
        };
        file.write_all(&self.waiting.bytes).map_err(failed)?;
        self.spilled_rows += self.waiting.rows;
        self.waiting = Chunk::default();
        Ok(())
    }

    /// Moves all rows to the end of `target`.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn drain_to(&mut self, target: &mut TableFile) -> Result<(), ReportError> {
        if let Some(mut spilled) = self.spilled.take() {
            let failed = |source| ReportError::io("read back rows for", target.path(), source);
            spilled.seek(SeekFrom::Start(0)).map_err(failed)?;
            copy_rows(&mut spilled, target)?;
            target.append(&[], std::mem::take(&mut self.spilled_rows))?;
        }
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.rows > 0 {
            target.append(&waiting.bytes, waiting.rows)?;
        }
        Ok(())
    }
}

/// Copies a spilled file in pieces that end at a row's end, so that an error leaves whole rows.
fn copy_rows(spilled: &mut File, target: &mut TableFile) -> Result<(), ReportError> {
    let mut buffer = Vec::with_capacity(2 * MEMORY_MAX);
    loop {
        let read = Read::by_ref(spilled)
            .take(MEMORY_MAX as u64)
            .read_to_end(&mut buffer)
            .map_err(|source| ReportError::io("read back rows for", target.path(), source))?;
        if read == 0 {
            return target.append(&buffer, 0);
        }
        let whole = whole_rows(&buffer);
        target.append(&buffer[..whole], 0)?;
        buffer.drain(..whole);
    }
}

/// The length of the longest beginning of `bytes` that ends with a row: at a CR LF outside of
/// quotes. `bytes` begins with a row.
fn whole_rows(bytes: &[u8]) -> usize {
    let (mut quoted, mut end) = (false, 0);
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => end = index + 1,
            _ => {}
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_end_within_quotes_ends_no_row() {
        assert_eq!(whole_rows(b"a,b\r\nc,\"d\r\ne"), 5);
        assert_eq!(whole_rows(b"c,\"d\"\"\r\ne\"\r\nrest"), 12);
        assert_eq!(whole_rows(b"rest"), 0);
    }
}
