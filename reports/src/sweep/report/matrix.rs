//! The grid as tables of text: for each criterion the last varied key across, the others down.

use super::{CellDigest, SweepReport};
use crate::report::human;
use crate::report::table::lay_out;
use std::collections::BTreeMap;

/// How wide a table may be.
const WIDTH_MAX: usize = 100;
/// How many rows are shown.
const ROWS_MAX: usize = 40;

/// What is shown of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// In how many of its runs a removed replica came back.
    Flapped,
    /// In how many a replica was removed.
    Shrunk,
}

impl Shown {
    fn of(self, cell: &CellDigest) -> String {
        let (hits, mean) = match self {
            Shown::Flapped => (cell.flapped, cell.flaps_mean),
            Shown::Shrunk => (cell.shrunk, cell.shrinks_mean),
        };
        match (hits, cell.runs) {
            (_, 0) => "?".to_owned(),
            (0, _) => "·".to_owned(),
            (_, 1) => format!("{}×", human::count(mean)),
            (hits, runs) if hits == runs => format!("{}×", human::trimmed(mean, 1)),
            (hits, runs) => human::share(hits as f64 / runs as f64),
        }
    }
}

/// The tables, criteria with the same one together; each with its heading.
pub fn matrices(report: &SweepReport, shown: Shown) -> String {
    let mut by_table: Vec<(String, Vec<&str>)> = Vec::new();
    for (index, criterion) in report.criteria.iter().enumerate() {
        let cells: BTreeMap<Vec<usize>, &CellDigest> = report
            .cells
            .iter()
            .filter_map(|cell| {
                let (values, own) = report.place(cell.cell);
                (own == index).then_some((values, cell))
            })
            .collect();
        if cells.is_empty() {
            continue;
        }
        let table = if cells.values().all(|cell| shown.of(cell) == "·") {
            String::new()
        } else {
            table(report, &cells, shown)
        };
        match by_table.iter_mut().find(|(known, _)| *known == table) {
            Some((_, names)) => names.push(criterion),
            None => by_table.push((table, vec![criterion])),
        }
    }
    let mut out = String::new();
    if let Some((across, down)) = report.axes.split_last() {
        let down: Vec<&str> = down.iter().map(|axis| axis.key()).collect();
        let down = if down.is_empty() { String::new() } else { format!("down: {}; ", down.join(", ")) };
        out.push_str(&format!("{down}across: {}\n\n", across.key()));
    }
    for (table, names) in by_table {
        let names = names.join(", ");
        if table.is_empty() {
            out.push_str(&format!("{names}: none\n"));
        } else {
            out.push_str(&format!("{names}\n{table}"));
        }
    }
    out
}

fn table(report: &SweepReport, cells: &BTreeMap<Vec<usize>, &CellDigest>, shown: Shown) -> String {
    let Some((across, down)) = report.axes.split_last() else {
        let only = cells.values().next().map_or("?".to_owned(), |cell| shown.of(cell));
        return format!("  {only}\n");
    };
    let titles: Vec<String> = across.values().iter().map(|value| value.text().to_owned()).collect();
    let mut rows: BTreeMap<Vec<usize>, Vec<String>> = BTreeMap::new();
    for (values, cell) in cells {
        let (column, row) = values.split_last().expect("there is an axis");
        rows.entry(row.to_vec()).or_insert_with(|| vec!["?".to_owned(); titles.len()])[*column] =
            shown.of(cell);
    }
    let label = |row: &[usize]| {
        let named = down.iter().zip(row).map(|(axis, value)| axis.values()[*value].text().to_owned());
        named.collect::<Vec<_>>().join(", ")
    };
    let first_width = rows.keys().map(|row| label(row).chars().count()).max().unwrap_or(0);
    let entries = |column: usize| rows.values().map(move |texts| texts[column].chars().count());
    let widths = titles
        .iter()
        .enumerate()
        .map(|(column, title)| entries(column).chain([title.chars().count()]).max().unwrap_or(0) + 2);
    let fitting = widths.scan(first_width + 2, |sum, width| {
        *sum += width;
        Some(*sum)
    });
    let columns = fitting.take_while(|width| *width <= WIDTH_MAX).count().max(1).min(titles.len());
    let mut header = vec![""];
    header.extend(titles[..columns].iter().map(String::as_str));
    let lines: Vec<Vec<String>> = rows
        .iter()
        .take(ROWS_MAX)
        .map(|(row, texts)| std::iter::once(label(row)).chain(texts[..columns].iter().cloned()).collect())
        .collect();
    let mut text: String = lay_out(&header, &lines).lines().map(|line| format!("  {line}\n")).collect();
    let left_out = (titles.len() - columns, rows.len().saturating_sub(ROWS_MAX));
    if left_out != (0, 0) {
        text.push_str(&format!(
            "  … {} more columns and {} more rows: see cells.csv\n",
            left_out.0, left_out.1
        ));
    }
    text
}
