//! Recorded arrivals, from a CSV file or from the scenario itself.

use std::path::{Path, PathBuf};

use isrlab_sim::cluster::spec::RecordedArrival;
use isrlab_sim::engine::{SimDuration, SimTime};

use super::Context;
use super::times::{Equal, rising};
use crate::fields::{Datum, Fields};
use crate::scalar::shown;

/// The most rows of a file.
const ROWS_MAX: usize = 10_000_000;

/// The columns that hold the time, and the unit of each.
const TIME_COLUMNS: [(&str, &str); 4] =
    [("time_ns", "ns"), ("time_us", "us"), ("time_ms", "ms"), ("time_s", "s")];

const ACCEPTED: &str = "a CSV file with a header: a column time_ns, time_us, time_ms or time_s in rising order, \
                        and optionally a column records";

/// The arrivals of an `arrivals` table; none: they are wrong, which has been noted.
pub(crate) fn arrivals(fields: &Fields, context: &mut Context<'_>) -> Option<Vec<RecordedArrival>> {
    let mut problem = |key: &str, message: &str, accepted: &str| {
        context.problems.add(fields.span_of(key), fields.path_of(key), message).accepted(accepted);
        None
    };
    match (fields.has("file"), fields.has("times"), fields.has("records")) {
        (true, false, false) => read(fields, context),
        (false, true, _) => inline(fields, context),
        (true, true, _) => problem("times", "is given beside `file`", "one of the two"),
        (_, false, true) => problem("records", "is given without `times`", "`times`, too"),
        (false, false, false) => problem("file", "is missing", "a CSV file, or `times`"),
    }
}

/// The arrivals that stand in the scenario itself.
fn inline(fields: &Fields, context: &mut Context<'_>) -> Option<Vec<RecordedArrival>> {
    let times = rising(fields, "times", Equal::Allowed, context)??;
    if !fields.has("records") {
        return Some(times.into_iter().map(|at| RecordedArrival { at, records: None }).collect());
    }
    let list = fields.list("records")?;
    if list.len() != times.len() {
        let message = format!("has {} elements, and `times` has {}", list.len(), times.len());
        context
            .problems
            .add(fields.span_of("records"), fields.path_of("records"), message)
            .accepted("a number of records for each time");
        return None;
    }
    let arrival = |(at, field): (SimTime, &crate::fields::Field)| match field.datum {
        Some(Datum::Integer(records)) => Some(RecordedArrival { at, records: u32::try_from(records).ok() }),
        _ => None,
    };
    times.into_iter().zip(list).map(arrival).collect()
}

/// Reads the file that an `arrivals` table names; none: it is wrong, which has been noted.
fn read(fields: &Fields, context: &mut Context<'_>) -> Option<Vec<RecordedArrival>> {
    let file = fields.text("file")?;
    let problem = match locate(&file, context.folder) {
        Ok(path) => match rows(&path) {
            Ok(arrivals) => return Some(arrivals),
            Err(Bad { line: Some(line), message }) => format!("{}:{line}: {message}", shown(&file)),
            Err(Bad { line: None, message }) => format!("{}: {message}", shown(&file)),
        },
        Err(message) => message,
    };
    context.problems.add(fields.span_of("file"), fields.path_of("file"), problem).accepted(ACCEPTED);
    None
}

/// What is wrong with a CSV file, and in which line.
struct Bad {
    line: Option<u64>,
    message: String,
}

impl Bad {
    fn file(message: impl Into<String>) -> Self {
        Bad { line: None, message: message.into() }
    }
}

fn locate(file: &str, folder: Option<&Path>) -> Result<PathBuf, String> {
    match folder {
        Some(folder) => Ok(folder.join(file)),
        None if Path::new(file).is_absolute() => Ok(PathBuf::from(file)),
        None => Err("is relative, and this scenario is not in a folder".to_owned()),
    }
}

fn rows(path: &Path) -> Result<Vec<RecordedArrival>, Bad> {
    let metadata = std::fs::metadata(path).map_err(|error| Bad::file(format!("cannot be read: {error}")))?;
    if !metadata.is_file() {
        return Err(Bad::file("is not a file"));
    }
    let file = std::fs::File::open(path).map_err(|error| Bad::file(format!("cannot be read: {error}")))?;
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(std::io::BufReader::new(file));
    let columns = Columns::of(reader.headers().map_err(|error| in_csv(&error))?)?;
    let mut arrivals: Vec<RecordedArrival> = Vec::new();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| in_csv(&error))? {
        let line = record.position().map(csv::Position::line);
        let arrival = columns.arrival(&record).map_err(|message| Bad { line, message })?;
        if arrivals.last().is_some_and(|last| last.at > arrival.at) {
            return Err(Bad { line, message: "is earlier than the row before".to_owned() });
        }
        if arrivals.len() == ROWS_MAX {
            return Err(Bad { line, message: format!("has more than {ROWS_MAX} rows") });
        }
        arrivals.push(arrival);
    }
    if arrivals.is_empty() {
        return Err(Bad::file("has no rows"));
    }
    Ok(arrivals)
}

fn in_csv(error: &csv::Error) -> Bad {
    let line = error.position().map(csv::Position::line);
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("has {len} columns, and the header has {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => "is not UTF-8".to_owned(),
        csv::ErrorKind::Io(error) => format!("cannot be read: {error}"),
        _ => error.to_string(),
    };
    Bad { line, message }
}

/// Which column is which.
struct Columns {
    time: usize,
    unit: &'static str,
    records: Option<usize>,
}

impl Columns {
    fn of(headers: &csv::StringRecord) -> Result<Columns, Bad> {
        let bad = |message: String| Bad { line: Some(1), message };
        let mut time = None;
        let mut records = None;
        for (index, name) in headers.iter().enumerate() {
            // Spreadsheets write a byte order mark.
            let name = name.trim_start_matches('\u{FEFF}');
            let unit = TIME_COLUMNS.iter().find(|(column, _)| *column == name).map(|(_, unit)| *unit);
            match (unit, name) {
                (Some(unit), _) if time.is_none() => time = Some((index, unit)),
                (None, "records") if records.is_none() => records = Some(index),
                (Some(_), _) | (_, "records") => return Err(bad("has a column too many".to_owned())),
                _ => return Err(bad(format!("has an unknown column \"{}\"", shown(name)))),
            }
        }
        match time {
            Some((time, unit)) => Ok(Columns { time, unit, records }),
            None => Err(bad("has no column with a time".to_owned())),
        }
    }

    fn arrival(&self, record: &csv::StringRecord) -> Result<RecordedArrival, String> {
        let time = record.get(self.time).unwrap_or_default();
        let since: SimDuration = format!("{time}{}", self.unit).parse().map_err(|_| {
            format!("\"{}\" is no time in {}: a plain decimal number is one", shown(time), self.unit)
        })?;
        let records = match self.records.and_then(|column| record.get(column)) {
            None | Some("") => None,
            Some(text) => match text.parse::<u32>() {
                Ok(count) if (1..=i32::MAX as u32).contains(&count) => Some(count),
                _ => {
                    return Err(format!(
                        "\"{}\" is no number of records from 1 to {}",
                        shown(text),
                        i32::MAX
                    ));
                }
            },
        };
        Ok(RecordedArrival { at: SimTime::from_nanos(since.as_nanos()), records })
    }
}
