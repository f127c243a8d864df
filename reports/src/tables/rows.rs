//! Rows on their way to a file: always whole ones.

use super::RunIdentity;
use std::fmt::{Display, Write};

/// Whole rows as bytes, and how many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// The bytes, each row ended by CR LF.
    pub bytes: Vec<u8>,
    /// The number of rows.
    pub rows: u64,
}

/// Writes rows by RFC 4180: fields one after the other, then [`Rows::end`].
pub struct Rows {
    writer: csv::Writer<Vec<u8>>,
    scratch: String,
    rows: u64,
    bytes: usize,
}

impl Default for Rows {
    fn default() -> Self {
        Rows { writer: new_writer(), scratch: String::new(), rows: 0, bytes: 0 }
    }
}

fn new_writer() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new()
        .has_headers(false)
        .terminator(csv::Terminator::CRLF)
        .buffer_capacity(4 * 1024)
        .from_writer(Vec::new())
}

impl Rows {
    /// The three fields that tell which run the row is of.
    pub fn identity(&mut self, identity: &RunIdentity) {
        self.text(&identity.scenario);
        self.text(&identity.criterion);
        self.value(identity.seed);
    }

    /// A text; quoted where it must be.
    pub fn text(&mut self, text: &str) {
        self.bytes += text.len() + 1;
        self.writer.write_field(text).expect("a Vec takes everything");
    }

    /// A number or the like.
    pub fn value(&mut self, value: impl Display) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        write!(scratch, "{value}").expect("a String takes everything");
        self.text(&scratch);
        self.scratch = scratch;
    }

    /// A number, or an empty field where it is not known.
    pub fn optional(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.value(value),
            None => self.text(""),
        }
    }

    /// Ends the row.
    pub fn end(&mut self) {
        self.writer.write_record(None::<&[u8]>).expect("every row of a table has the same number of fields");
        self.rows += 1;
    }

    /// About how many bytes wait here.
    pub fn waiting(&self) -> usize {
        self.bytes
    }

    /// Takes the rows out. To be called between rows.
    pub fn take(&mut self) -> Chunk {
        let rows = std::mem::take(&mut self.rows);
        self.bytes = 0;
        if rows == 0 {
            return Chunk::default();
        }
        let writer = std::mem::replace(&mut self.writer, new_writer());
        let bytes = writer.into_inner().expect("a Vec takes everything");
        Chunk { bytes, rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_texts_are_quoted_and_rows_counted() {
        let mut rows = Rows::default();
        for text in ["plain", "a,b", "say \"hi\"", "two\nlines", "日本", ""] {
            rows.text(text);
        }
        rows.end();
        let chunk = rows.take();
        assert_eq!(
            String::from_utf8(chunk.bytes).unwrap(),
            "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",日本,\r\n"
        );
        assert_eq!(chunk.rows, 1);
        assert_eq!(rows.take(), Chunk::default());
    }
}
