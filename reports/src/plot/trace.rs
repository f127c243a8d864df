//! What a plot keeps of a run: per pixel column the extremes, so that a spike is seen however
//! long the run is and memory does not grow with it.

use super::lag::{LagTrace, marks};
use super::timestamps::TimestampTrace;
use crate::layout::{Layout, PartitionName};
use isrlab_sim::cluster::spec::FaultKind;
use isrlab_sim::cluster::{ClusterSpec, IsrChange, IsrChangeKind, LagSample, Sample, StampedBatch};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::IsrCriterion;

/// Pixel columns of a plot.
pub const COLUMNS: usize = 800;

/// Partitions that are kept; a figure may draw fewer.
pub const PARTITIONS_MAX: usize = 4;

/// Which lag decides about the ISR, and is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LagMetric {
    /// Milliseconds since the replica was caught up.
    Time,
    /// Records that the replica does not hold.
    Messages,
}

/// A line's values in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LagColumn {
    /// The first value.
    pub first: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The last value.
    pub last: f64,
    /// Number of values.
    pub count: u32,
    /// Whether the smallest came before the largest.
    pub min_first: bool,
}

impl LagColumn {
    fn of(value: f64) -> Self {
        LagColumn { first: value, min: value, max: value, last: value, count: 1, min_first: true }
    }

    fn add(&mut self, value: f64) {
        if value > self.max {
            (self.max, self.min_first) = (value, true);
        }
        if value < self.min {
            (self.min, self.min_first) = (value, false);
        }
        self.last = value;
        self.count = self.count.saturating_add(1);
    }
}

/// What happened to one replica in one column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReplicaColumn {
    /// It was in the ISR at some time.
    pub was_in: bool,
    /// It was out of the ISR at some time.
    pub was_out: bool,
    /// It was the leader at some time.
    pub was_leader: bool,
    /// It left the ISR so often.
    pub shrinks: u32,
    /// It joined the ISR so often.
    pub expands: u32,
    /// Its lag; none: not sampled, or unknown.
    pub lag: Option<LagColumn>,
    /// At some time its lag was unknown, or it led and had none: a line is broken here.
    pub lag_broken: bool,
}

/// One replica of a partition.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicaTrace {
    /// Its broker.
    pub broker: i32,
    /// Its columns.
    pub columns: Vec<ReplicaColumn>,
    in_isr: bool,
    /// The first column that does not know its membership yet.
    unfilled: usize,
}

impl ReplicaTrace {
    /// Fills in the membership as it has been since the last change, up to `column` inclusive.
    fn fill(&mut self, column: usize) {
        for at in self.unfilled..=column {
            let at = &mut self.columns[at];
            at.was_in |= self.in_isr;
            at.was_out |= !self.in_isr;
        }
        // The column itself may see a change: it is filled again then.
        self.unfilled = self.unfilled.max(column);
    }
}

/// One partition.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionTrace {
    /// Its name.
    pub name: PartitionName,
    /// Its replicas by slot.
    pub replicas: Vec<ReplicaTrace>,
    /// Replicas that left the ISR.
    pub shrinks: u64,
    /// Replicas that joined.
    pub expands: u64,
    /// When the first one left.
    pub first_shrink: Option<SimTime>,
}

/// One fault.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultTrace {
    /// Its name.
    pub name: String,
    /// The one mirror or share group that it concerns; none: it is not of one.
    pub actor: Option<String>,
    /// How often it began.
    pub count: u64,
    /// Columns in which it was under way.
    pub columns: Vec<bool>,
    /// Whether it is over at once.
    pub is_instant: bool,
    under_way_since: Option<usize>,
}

impl FaultTrace {
    /// Something that happened at moments, in these columns.
    pub fn instants(name: String, actor: String, count: u64, columns: Vec<bool>) -> FaultTrace {
        FaultTrace { name, actor: Some(actor), count, columns, is_instant: true, under_way_since: None }
    }

    /// The run ended in this column: what was to come later did not happen.
    fn cut(&mut self, last: usize) {
        let later = self.columns[last + 1..].iter().filter(|here| **here).count() as u64;
        self.columns[last + 1..].fill(false);
        self.count = self.count.saturating_sub(later);
    }
}

/// What a plot keeps of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Virtual length of the run, as planned.
    pub duration_ns: u64,
    /// Where the run ended.
    pub end_ns: u64,
    /// Which lag is kept.
    pub metric: LagMetric,
    /// The limit of that lag beyond which a replica is out: milliseconds or records.
    pub limit: f64,
    /// Partitions of the cluster.
    pub partitions_total: usize,
    /// The partitions that are kept.
    pub partitions: Vec<PartitionTrace>,
    /// The faults.
    pub faults: Vec<FaultTrace>,
    /// Timestamps by partition, of those whose topic has a policy for them.
    pub timestamps: Vec<TimestampTrace>,
    /// Lags of mirrors and share groups that are kept.
    pub lags: Vec<LagTrace>,
    /// Lags that there are.
    pub lags_total: usize,
    /// What was done to mirrors and share groups, as far as the run went.
    pub marks: Vec<FaultTrace>,
}

impl Trace {
    /// An empty trace of a run to come.
    pub fn new(spec: &ClusterSpec, layout: &Layout) -> Self {
        let (metric, limit) = match spec.profile.criterion {
            IsrCriterion::MaxMessages => {
                (LagMetric::Messages, spec.replication.replica_lag_max_messages as f64)
            }
            _ => (LagMetric::Time, spec.replication.replica_lag_time_max.as_nanos() as f64 / 1e6),
        };
        let partitions = layout.partitions.iter().take(PARTITIONS_MAX).map(|name| PartitionTrace {
            name: name.clone(),
            replicas: name
                .brokers
                .iter()
                .map(|&broker| ReplicaTrace {
                    broker,
                    columns: vec![ReplicaColumn::default(); COLUMNS],
                    in_isr: true,
                    unfilled: 0,
                })
                .collect(),
            shrinks: 0,
            expands: 0,
            first_shrink: None,
        });
        let faults = spec.faults.iter().map(|fault| FaultTrace {
            name: fault.name.clone(),
            actor: match fault.kind {
                FaultKind::ShareWrites { group, .. } => Some(spec.lag.share_groups[group].name.clone()),
                _ => None,
            },
            count: 0,
            columns: vec![false; COLUMNS],
            is_instant: fault.kind.length().is_zero(),
            under_way_since: None,
        });
        Trace {
            duration_ns: spec.duration.as_nanos(),
            end_ns: 0,
            metric,
            limit,
            partitions_total: layout.partitions.len(),
            partitions: partitions.collect(),
            faults: faults.collect(),
            timestamps: TimestampTrace::all(spec, layout),
            lags: LagTrace::all(spec, layout),
            lags_total: LagTrace::total(spec),
            marks: marks(spec, |at| column_of(at, spec.duration.as_nanos())),
        }
    }

    /// A lag was looked at.
    pub fn lag_sampled(&mut self, sample: &LagSample<'_>) {
        let column = self.column(sample.at);
        if let Some(lag) = self.lags.iter_mut().find(|lag| lag.is_of(sample)) {
            lag.sampled(sample, column);
        }
    }

    /// The timestamps of a batch were looked at.
    pub fn stamped(&mut self, batch: &StampedBatch<'_>) {
        let duration_ns = self.duration_ns;
        if let Some(trace) = self.timestamps.iter_mut().find(|trace| trace.partition == batch.partition) {
            trace.stamped(batch, |at| column_of(at, duration_ns));
        }
    }

    fn column(&self, at: SimTime) -> usize {
        column_of(at, self.duration_ns)
    }

    /// An ISR changed.
    pub fn isr_changed(&mut self, change: &IsrChange) {
        let column = self.column(change.at);
        let metric = self.metric;
        let Some(partition) = self.partitions.get_mut(change.partition) else { return };
        let joined = change.kind == IsrChangeKind::Expand;
        for changed in &change.replicas {
            let Some(replica) = partition.replicas.get_mut(changed.slot) else { continue };
            replica.fill(column);
            replica.in_isr = joined;
            replica.fill(column);
            let at = &mut replica.columns[column];
            if joined {
                at.expands += 1;
                partition.expands += 1;
            } else {
                at.shrinks += 1;
                partition.shrinks += 1;
                partition.first_shrink.get_or_insert(change.at);
                // The lag that drove it out: samples may not have met it.
                let lag = match metric {
                    LagMetric::Time => changed.since_caught_up_ms,
                    LagMetric::Messages => (changed.known_leo >= 0).then(|| change.leo - changed.known_leo),
                };
                if let Some(lag) = lag {
                    add_lag(at, lag as f64);
                }
            }
        }
    }

    /// A partition was sampled.
    pub fn sampled(&mut self, sample: &Sample<'_>) {
        let column = self.column(sample.at);
        let metric = self.metric;
        let Some(partition) = self.partitions.get_mut(sample.partition) else { return };
        for (replica, seen) in partition.replicas.iter_mut().zip(sample.replicas) {
            let at = &mut replica.columns[column];
            if seen.broker == sample.leader {
                at.was_leader = true;
                at.lag_broken = true;
                continue;
            }
            let lag = match metric {
                LagMetric::Time => seen.lag_ms,
                LagMetric::Messages => Some(seen.lag_messages),
            };
            match lag {
                Some(lag) => add_lag(at, lag as f64),
                None => at.lag_broken = true,
            }
        }
    }

    /// A fault began or ended.
    pub fn fault(&mut self, at: SimTime, fault: usize, started: bool) {
        let column = self.column(at);
        let Some(fault) = self.faults.get_mut(fault) else { return };
        if started {
            fault.count += 1;
            fault.under_way_since = Some(column);
            fault.columns[column] = true;
        } else if let Some(since) = fault.under_way_since.take() {
            // What ends just where a column begins is not in it.
            let last = if column > since { column - 1 } else { column };
            fault.columns[since..=last].fill(true);
        }
    }

    /// The run ended, or was cut short, at `end_ns`.
    pub fn end(&mut self, end_ns: u64) {
        self.end_ns = end_ns.min(self.duration_ns);
        let last = self.column(SimTime::from_nanos(self.end_ns));
        for replica in self.partitions.iter_mut().flat_map(|partition| &mut partition.replicas) {
            replica.fill(last);
        }
        for mark in &mut self.marks {
            mark.cut(last);
        }
        for fault in self.faults.iter_mut().filter(|fault| !fault.is_instant) {
            if let Some(since) = fault.under_way_since.take() {
                fault.columns[since..=last].fill(true);
            }
        }
    }

    /// The largest lag that was seen; none without any.
    pub fn lag_max(&self) -> Option<f64> {
        let replicas = self.partitions.iter().flat_map(|partition| &partition.replicas);
        let lags = replicas.flat_map(|replica| &replica.columns).filter_map(|column| column.lag);
        lags.map(|lag| lag.max).reduce(f64::max)
    }
}

/// The pixel column of a time in a run of that length.
fn column_of(at: SimTime, duration_ns: u64) -> usize {
    let duration = u128::from(duration_ns.max(1));
    let column = u128::from(at.as_nanos()) * COLUMNS as u128 / duration;
    usize::try_from(column).unwrap_or(usize::MAX).min(COLUMNS - 1)
}

fn add_lag(column: &mut ReplicaColumn, lag: f64) {
    match &mut column.lag {
        Some(seen) => seen.add(lag),
        None => column.lag = Some(LagColumn::of(lag)),
    }
}
