//! Reading the CSV files of a folder, row by row, with errors that name file and line.

use super::error::PageError;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A CSV file whose columns are found by name.
pub struct CsvFile {
    path: PathBuf,
    reader: csv::Reader<BufReader<File>>,
    header: Vec<String>,
    record: csv::StringRecord,
    bytes: u64,
    is_cut: bool,
    /// What the parser's line numbers lack: it counts a line at its LF, and takes a row that ends
    /// in CR LF for over at its CR.
    lines_behind: u64,
}

impl CsvFile {
    /// Opens a file; none if it is not there.
    ///
    /// # Errors
    /// If it cannot be read, or has no header.
    pub fn open(path: &Path) -> Result<Option<Self>, PageError> {
        let mut file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(PageError::io("open", path, error)),
            Ok(file) => file,
        };
        let failed = |error| PageError::io("read", path, error);
        let bytes = file.seek(SeekFrom::End(0)).map_err(failed)?;
        let is_cut = bytes > 0 && {
            let mut last = [0];
            file.seek(SeekFrom::End(-1)).map_err(failed)?;
            file.read_exact(&mut last).map_err(failed)?;
            last != *b"\n"
        };
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut beginning = Vec::new();
        (&mut file).take(64 * 1024).read_to_end(&mut beginning).map_err(failed)?;
        let first_end = beginning.iter().position(|&byte| byte == b'\n');
        let lines_behind = u64::from(first_end.is_some_and(|at| at > 0 && beginning[at - 1] == b'\r'));
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut reader = csv::ReaderBuilder::new().from_reader(BufReader::with_capacity(1 << 18, file));
        let header = match reader.headers() {
            Ok(header) => header.iter().map(str::to_owned).collect::<Vec<_>>(),
            Err(error) => return Err(csv_error(path, 0, &error)),
        };
        if header.iter().all(String::is_empty) {
            return Err(PageError::input(path, Some(1), "has no header line"));
        }
        let record = csv::StringRecord::new();
        Ok(Some(CsvFile { path: path.to_owned(), reader, header, record, bytes, is_cut, lines_behind }))
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The columns of these names.
    ///
    /// # Errors
    /// If one is missing.
    pub fn columns<const N: usize>(&self, names: [&str; N]) -> Result<[usize; N], PageError> {
        let mut columns = [0; N];
        for (column, name) in columns.iter_mut().zip(names) {
            *column = self.header.iter().position(|found| found == name).ok_or_else(|| {
                PageError::input(&self.path, Some(1), format!("there is no column \"{name}\""))
            })?;
        }
        Ok(columns)
    }

    /// The next row; none at the end.
    ///
    /// # Errors
    /// If it has not as many fields as the header, or is cut short.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, PageError> {
        let read = self.reader.read_record(&mut self.record);
        if !read.map_err(|error| csv_error(&self.path, self.lines_behind, &error))? {
            return Ok(None);
        }
        let line = self.record.position().map(|position| position.line() + self.lines_behind);
        if self.is_cut && self.reader.position().byte() >= self.bytes {
            let problem =
                "the file ends within this row (no line end): drop the row, or make the folder again";
            return Err(PageError::input(&self.path, line, problem));
        }
        Ok(Some(Row { path: &self.path, header: &self.header, record: &self.record, line }))
    }
}

fn csv_error(path: &Path, lines_behind: u64, error: &csv::Error) -> PageError {
    let line = |position: Option<&csv::Position>| position.map(|position| position.line() + lines_behind);
    match error.kind() {
        csv::ErrorKind::Io(source) => {
            PageError::io("read", path, io::Error::new(source.kind(), source.to_string()))
        }
        csv::ErrorKind::Utf8 { pos, .. } => PageError::input(path, line(pos.as_ref()), "is not UTF-8 here"),
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let problem = format!("has {len} fields where the header has {expected_len}");
            PageError::input(path, line(pos.as_ref()), problem)
        }
        _ => PageError::input(path, line(error.position()), error.to_string()),
    }
}

/// One row.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    path: &'a Path,
    header: &'a [String],
    record: &'a csv::StringRecord,
    line: Option<u64>,
}

impl<'a> Row<'a> {
    /// A field as it stands.
    pub fn text(&self, column: usize) -> &'a str {
        self.record.get(column).unwrap_or("")
    }

    /// A field as a number or the like.
    ///
    /// # Errors
    /// If it is none.
    pub fn value<T: FromStr>(&self, column: usize) -> Result<T, PageError> {
        self.text(column).parse().map_err(|_| self.wrong(column, "a number"))
    }

    /// A number; none if the field is empty.
    ///
    /// # Errors
    /// If it is neither.
    pub fn optional<T: FromStr>(&self, column: usize) -> Result<Option<T>, PageError> {
        if self.text(column).is_empty() { Ok(None) } else { self.value(column).map(Some) }
    }

    /// A finite number; none if the field is empty.
    ///
    /// # Errors
    /// If it is neither.
    pub fn finite(&self, column: usize) -> Result<Option<f64>, PageError> {
        match self.optional::<f64>(column)? {
            Some(value) if !value.is_finite() => Err(self.wrong(column, "a number")),
            value => Ok(value),
        }
    }

    /// Milliseconds with decimals, in nanoseconds.
    ///
    /// # Errors
    /// If it is not that.
    pub fn nanos(&self, column: usize) -> Result<u64, PageError> {
        nanos(self.text(column)).ok_or_else(|| self.wrong(column, "milliseconds"))
    }

    /// What is wrong with a field.
    pub fn wrong(&self, column: usize, wanted: &str) -> PageError {
        let name = self.header.get(column).map_or("", String::as_str);
        let problem = format!("{name} is \"{}\"; wanted is {wanted}", self.text(column));
        PageError::input(self.path, self.line, problem)
    }
}

/// `1.5` milliseconds in nanoseconds, exactly.
fn nanos(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 6 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let part: u64 = format!("{decimals:0<6}").parse().ok()?;
    whole.checked_mul(1_000_000)?.checked_add(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_are_read_to_the_nanosecond() {
        assert_eq!(nanos("20030.000001"), Some(20_030_000_001));
        assert_eq!(nanos("7"), Some(7_000_000));
        assert_eq!(nanos("0.5"), Some(500_000));
        for wrong in ["", ".5", "-1", "1.1234567", "1e3", "1.x"] {
            assert_eq!(nanos(wrong), None, "{wrong}");
        }
    }

    fn error_of(content: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, content).unwrap();
        let read = || -> Result<(), PageError> {
            let mut file = CsvFile::open(&path)?.expect("it is there");
            let [a] = file.columns(["a"])?;
            while let Some(row) = file.next_row()? {
                row.value::<u64>(a)?;
            }
            Ok(())
        };
        let error = read().expect_err(content);
        assert_eq!(error.exit_code(), crate::ExitCode::BadInput, "{error}");
        error.to_string().rsplit_once("t.csv").unwrap().1.to_owned()
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(error_of("a,b\r\n1,2\r\nx,2\r\n"), ", line 3: a is \"x\"; wanted is a number");
        assert_eq!(error_of("a,b\r\n1\r\n"), ", line 2: has 1 fields where the header has 2");
        assert!(error_of("a,b\r\n1,2\r\n3,4").starts_with(", line 3: the file ends within this row"));
        assert_eq!(error_of("b\r\n1\r\n"), ", line 1: there is no column \"a\"");
        assert_eq!(error_of(""), ", line 1: has no header line");
    }
}
