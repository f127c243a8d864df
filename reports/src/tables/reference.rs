//! The column reference, made from the tables themselves.

use super::{IDENTITY, TABLES};
use std::fmt::Write;

/// `docs/csv.md`, in Markdown.
pub fn csv_reference() -> String {
    let mut page = String::from(
        "# The CSV files\n\n\
         A replay with `--out DIR` writes these files. They follow RFC 4180: comma, double quotes where a value \
         needs them, lines ended by CR LF, UTF-8, one header line. An empty value means that there is none or it is \
         not known. Times are virtual and start at 0 with the run; `_ms` is milliseconds, with decimals down to the \
         nanosecond where the value has them. Rows are in the order of the runs (each criterion with each seed), and \
         within a run in the order of time, whatever the number of threads. An interrupt leaves whole rows; if the \
         machine itself fails, drop a last line that has no CR LF.\n\n\
         This page is made from the program's own table of columns; a test keeps it so.\n\n\
         Every file begins with these columns:\n\n",
    );
    columns(&mut page, &IDENTITY);
    for table in &TABLES {
        write!(page, "\n## {}\n\nOne row: {}. {}\n\n", table.file, table.row, table.note)
            .expect("a String takes everything");
        columns(&mut page, &(table.columns)());
    }
    page
}

fn columns(page: &mut String, columns: &[super::Column]) {
    page.push_str("| column | unit or values | meaning |\n|---|---|---|\n");
    for column in columns {
        writeln!(page, "| `{}` | {} | {} |", column.name, column.unit, column.meaning)
            .expect("a String takes everything");
    }
}
