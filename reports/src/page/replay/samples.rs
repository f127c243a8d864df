//! The samples of `timeline.csv`.

use super::super::csv_file::{CsvFile, Row};
use super::super::error::PageError;
use super::super::source::Source;
use super::changes::Changes;
use super::drawn::{DrawnPartitions, DrawnRuns};
use super::encode::Deltas;
use super::thin::Thinner;
use serde::Serialize;

/// The file.
pub const FILE: &str = "timeline.csv";
/// About how many numbers of all samples together are on the page.
const NUMBERS_MAX: u64 = 900_000;
/// The most samples of one partition in one run.
const SAMPLES_MAX: u64 = 6_000;
/// The least that it is thinned to.
const SAMPLES_MIN: u64 = 600;

/// A replica in a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ReplicaState {
    broker: i64,
    lag_messages: i64,
    lag_ms: Option<i64>,
    in_isr: bool,
}

/// One partition at one time.
#[derive(Clone, Debug, PartialEq)]
struct SampleState {
    at: u64,
    leader: i64,
    leo: i64,
    hw: i64,
    replicas: Vec<ReplicaState>,
}

/// A partition's samples in one run, a column each.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Samples {
    /// The replicas' brokers, in the order of the assignment.
    pub brokers: Vec<i64>,
    /// Times, nanoseconds.
    pub at: Deltas,
    /// The leader from each sample on: (number of the sample, broker).
    pub leader: Vec<(usize, i64)>,
    /// The leader's log end offset.
    pub leo: Deltas,
    /// How far the high watermark is below it.
    pub behind_hw: Vec<i64>,
    /// By replica: records that it does not hold.
    pub lag_messages: Vec<Vec<i64>>,
    /// By replica: milliseconds since it was caught up.
    pub lag_ms: Vec<Vec<Option<i64>>>,
    /// By replica: when it was in the ISR from and out from, nanoseconds.
    pub isr: Vec<Vec<(u64, bool)>>,
    /// How many samples the folder has.
    pub total: u64,
}

/// Reads the samples of each drawn run, and of each drawn partition in it.
///
/// # Errors
/// If the file is not what it should be.
pub fn read(
    source: &Source,
    drawn: &DrawnRuns,
    changes: &mut Changes,
    expected: u64,
) -> Result<Option<Vec<Vec<Samples>>>, PageError> {
    let Some(mut file) = CsvFile::open(&source.file(FILE))? else { return Ok(None) };
    let columns = Columns::of(&file)?;
    let mut gathering = Gathering { expected, drawn, runs: vec![Vec::new(); drawn.len()] };
    let mut current: Option<(usize, usize, SampleState)> = None;
    while let Some(row) = file.next_row()? {
        let Some((run, partition)) = columns.place(row, drawn, &mut changes.partitions)? else { continue };
        let (sample, replica) = columns.sample(row)?;
        match &mut current {
            Some((same_run, same_partition, open))
                if *same_run == run && *same_partition == partition && open.at == sample.at =>
            {
                open.replicas.push(replica);
            }
            _ => {
                if let Some((run, partition, sample)) = current.take() {
                    gathering.add(run, partition, sample);
                }
                let sample = SampleState { replicas: vec![replica], ..sample };
                current = Some((run, partition, sample));
            }
        }
    }
    if let Some((run, partition, sample)) = current {
        gathering.add(run, partition, sample);
    }
    let partitions = changes.partitions.chosen.len();
    let names: Vec<String> = changes.partitions.chosen.iter().map(ToString::to_string).collect();
    let runs = gathering.runs.into_iter().enumerate().map(|(run, gathered)| {
        let mut gathered = gathered.into_iter();
        (0..partitions)
            .map(|index| match gathered.next().flatten() {
                Some(partition) => {
                    let own = changes.runs[run].iter().filter(|change| change.partition == names[index]);
                    let moves: Vec<(u64, i64, bool)> =
                        own.map(|change| (change.at, change.replica, change.joined)).collect();
                    partition.finish(&moves)
                }
                None => Samples::default(),
            })
            .collect()
    });
    Ok(Some(runs.collect()))
}

/// Where each value stands.
struct Columns {
    criterion: usize,
    seed: usize,
    time: usize,
    topic: usize,
    partition: usize,
    leader: usize,
    leo: usize,
    hw: usize,
    replica: usize,
    lag_messages: usize,
    lag_ms: usize,
    in_isr: usize,
}

impl Columns {
    fn of(file: &CsvFile) -> Result<Self, PageError> {
        let [criterion, seed, time, topic, partition, leader, leo, hw, replica, lag_messages, lag_ms, in_isr] =
            file.columns([
                "criterion",
                "seed",
                "time_ms",
                "topic",
                "partition",
                "leader",
                "leo",
                "hw",
                "replica",
                "lag_messages",
                "lag_ms",
                "in_isr",
            ])?;
        Ok(Columns {
            criterion,
            seed,
            time,
            topic,
            partition,
            leader,
            leo,
            hw,
            replica,
            lag_messages,
            lag_ms,
            in_isr,
        })
    }

    /// The run and the partition of a row, if both are drawn.
    fn place(
        &self,
        row: Row<'_>,
        drawn: &DrawnRuns,
        partitions: &mut DrawnPartitions,
    ) -> Result<Option<(usize, usize)>, PageError> {
        let Some(run) = drawn.of_row(row, self.criterion, self.seed)? else { return Ok(None) };
        let partition = partitions.index(row.text(self.topic), row.value(self.partition)?);
        Ok(partition.map(|partition| (run, partition)))
    }

    fn sample(&self, row: Row<'_>) -> Result<(SampleState, ReplicaState), PageError> {
        let sample = SampleState {
            at: row.nanos(self.time)?,
            leader: row.value(self.leader)?,
            leo: row.value(self.leo)?,
            hw: row.value(self.hw)?,
            replicas: Vec::new(),
        };
        let replica = ReplicaState {
            broker: row.value(self.replica)?,
            lag_messages: row.value(self.lag_messages)?,
            lag_ms: row.optional(self.lag_ms)?,
            in_isr: row.value(self.in_isr)?,
        };
        Ok((sample, replica))
    }
}

/// What was read so far, by run and partition.
struct Gathering<'a> {
    expected: u64,
    drawn: &'a DrawnRuns,
    runs: Vec<Vec<Option<Partition>>>,
}

impl Gathering<'_> {
    fn add(&mut self, run: usize, partition: usize, sample: SampleState) {
        let partitions = &mut self.runs[run];
        if partitions.len() <= partition {
            partitions.resize_with(partition + 1, || None);
        }
        let (expected, runs) = (self.expected, self.drawn.len() as u64);
        let open = partitions[partition].get_or_insert_with(|| Partition::new(&sample, expected, runs));
        open.add(sample);
    }
}

#[derive(Clone)]
struct Partition {
    brokers: Vec<i64>,
    /// Membership as samples saw it change: (time, replica, in).
    seen: Vec<(u64, usize, bool)>,
    last: Vec<Option<bool>>,
    thinner: Thinner<SampleState, 2>,
}

impl Partition {
    fn new(first: &SampleState, expected: u64, runs: u64) -> Self {
        let numbers = 3 + 2 * first.replicas.len() as u64;
        let most = (NUMBERS_MAX / numbers / runs.max(1)).clamp(SAMPLES_MIN, SAMPLES_MAX);
        Partition {
            brokers: first.replicas.iter().map(|replica| replica.broker).collect(),
            seen: Vec::new(),
            last: vec![None; first.replicas.len()],
            thinner: Thinner::new(expected, most),
        }
    }

    fn add(&mut self, sample: SampleState) {
        for (index, replica) in sample.replicas.iter().enumerate().take(self.last.len()) {
            if self.last[index] != Some(replica.in_isr) {
                self.last[index] = Some(replica.in_isr);
                self.seen.push((sample.at, index, replica.in_isr));
            }
        }
        let lag_ms = sample.replicas.iter().filter_map(|replica| replica.lag_ms).max();
        let lag_messages = sample.replicas.iter().map(|replica| replica.lag_messages).max();
        self.thinner.push(sample, [lag_ms.map(|lag| lag as f64), lag_messages.map(|lag| lag as f64)]);
    }

    /// The columns. `moves` are the ISR changes with their exact times; what only samples saw (an
    /// election) is added at the time of the sample.
    fn finish(self, moves: &[(u64, i64, bool)]) -> Samples {
        let isr = (0..self.brokers.len()).map(|index| {
            let exact = moves.iter().filter(|(_, broker, _)| *broker == self.brokers[index]);
            let exact: Vec<(u64, bool)> = exact.map(|(at, _, joined)| (*at, *joined)).collect();
            let seen = self.seen.iter().filter(|(_, replica, _)| *replica == index);
            let seen: Vec<(u64, bool)> = seen.map(|(at, _, is_in)| (*at, *is_in)).collect();
            membership(&exact, &seen)
        });
        let isr = isr.collect();
        let (samples, total) = self.thinner.finish();
        let column = |value: fn(&ReplicaState) -> i64| -> Vec<Vec<i64>> {
            let of =
                |index: usize| samples.iter().map(move |sample| sample.replicas.get(index).map_or(0, value));
            (0..self.brokers.len()).map(|index| of(index).collect()).collect()
        };
        let mut leader: Vec<(usize, i64)> = Vec::new();
        for (number, sample) in samples.iter().enumerate() {
            if leader.last().is_none_or(|(_, known)| *known != sample.leader) {
                leader.push((number, sample.leader));
            }
        }
        let lag_ms = (0..self.brokers.len()).map(|index| {
            samples
                .iter()
                .map(|sample| sample.replicas.get(index).and_then(|replica| replica.lag_ms))
                .collect()
        });
        Samples {
            at: Deltas::of_times(samples.iter().map(|sample| sample.at)),
            leader,
            leo: Deltas::of(samples.iter().map(|sample| sample.leo)),
            behind_hw: samples.iter().map(|sample| sample.leo - sample.hw).collect(),
            lag_messages: column(|replica| replica.lag_messages),
            lag_ms: lag_ms.collect(),
            isr,
            total,
            brokers: self.brokers,
        }
    }
}

/// When a replica was in and out. A sample shows the state before the events of its very time, so
/// that a change that is known exactly is always seen after it.
fn membership(exact: &[(u64, bool)], seen: &[(u64, bool)]) -> Vec<(u64, bool)> {
    let mut merged: Vec<(u64, bool)> = Vec::new();
    let mut add = |at: u64, is_in: bool| {
        if merged.last().is_none_or(|(_, known)| *known != is_in) {
            merged.push((at, is_in));
        }
    };
    let mut exact = exact.iter().peekable();
    for &(at, is_in) in seen {
        while let Some(&(change, joined)) = exact.next_if(|(change, _)| *change < at) {
            add(change, joined);
        }
        add(at, is_in);
    }
    for &(at, joined) in exact {
        add(at, joined);
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_changes_go_before_what_samples_saw_of_them() {
        let exact = [(105, false), (205, true)];
        let seen = [(0, true), (110, false), (210, true)];
        assert_eq!(membership(&exact, &seen), [(0, true), (105, false), (205, true)]);
    }

    #[test]
    fn an_election_is_known_from_samples_only() {
        let exact = [(500, true)];
        let seen = [(0, true), (300, false), (510, true)];
        assert_eq!(membership(&exact, &seen), [(0, true), (300, false), (500, true)]);
    }

    #[test]
    fn a_change_at_the_time_of_a_sample_comes_after_it() {
        assert_eq!(membership(&[(100, false)], &[(0, true), (200, false)]), [(0, true), (100, false)]);
    }
}
