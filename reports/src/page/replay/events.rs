//! Every step of a leader: of the whole run if it is short, else around what matters.

use super::encode::Deltas;
use isrlab_sim::cluster::{IsrChange, Observer, Step, StepKind};
use isrlab_sim::engine::SimTime;
use serde::Serialize;
use std::collections::VecDeque;

/// The most steps of all drawn runs together.
const STEPS_MAX: usize = 300_000;
/// The most steps of one partition in one run.
const STEPS_OF_PARTITION_MAX: usize = 24_000;
/// The least that this is reduced to.
const STEPS_OF_PARTITION_MIN: usize = 3_000;
/// Steps that are kept before an ISR change or a fault, where not all are.
const BEFORE: usize = 150;
/// Steps that are kept after one.
const AFTER: usize = 100;

/// How many steps of each partition are kept where `runs` runs of `partitions` are drawn.
pub fn steps_max(runs: usize, partitions: usize) -> usize {
    let each = STEPS_MAX / runs.max(1) / partitions.max(1);
    each.clamp(STEPS_OF_PARTITION_MIN, STEPS_OF_PARTITION_MAX)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept {
    at: u64,
    kind: i64,
    records: i64,
    offset: i64,
    leo: i64,
    hw: i64,
    since: i64,
}

/// The steps of one partition in one run, a column each.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Steps {
    /// Times, nanoseconds.
    pub at: Deltas,
    /// What it was: 0 appended, 1 checked, 2 + slot fetched by that replica.
    pub kind: Vec<i64>,
    /// Records appended, or found by the fetch's first read.
    pub records: Vec<i64>,
    /// How far the fetch offset is below the log end.
    pub behind: Vec<i64>,
    /// The leader's log end offset after the step.
    pub leo: Deltas,
    /// How far the high watermark is below it.
    pub behind_hw: Vec<i64>,
    /// After a fetch: milliseconds since the follower was caught up; −1: never.
    pub since: Vec<i64>,
    /// Stretches of the run of which every step is here, nanoseconds.
    pub spans: Vec<(u64, u64)>,
    /// How many steps the run had.
    pub total: u64,
    /// Whether a stretch that should be here is not, for want of room.
    pub are_left_out: bool,
}

struct PartitionSteps {
    /// All steps, while they are few enough.
    all: Option<Vec<Kept>>,
    /// The last steps that are not in a stretch.
    ring: VecDeque<Kept>,
    /// Steps in stretches, one after the other.
    stretches: Vec<Kept>,
    spans: Vec<(u64, u64)>,
    /// Steps still to be kept in the open stretch.
    after: usize,
    total: u64,
    are_left_out: bool,
    /// Time up to which steps have been told.
    told: u64,
    most: usize,
}

impl PartitionSteps {
    fn new(most: usize) -> Self {
        PartitionSteps {
            all: Some(Vec::new()),
            ring: VecDeque::with_capacity(BEFORE + 1),
            stretches: Vec::new(),
            // The run's beginning is of interest, too.
            spans: vec![(0, 0)],
            after: AFTER,
            total: 0,
            are_left_out: false,
            told: 0,
            most,
        }
    }

    fn add(&mut self, step: Kept) {
        self.total += 1;
        self.told = step.at;
        if let Some(all) = &mut self.all {
            all.push(step);
            if all.len() > self.most {
                self.all = None;
            }
        }
        if self.after > 0 {
            self.after -= 1;
            self.stretches.push(step);
            self.reach(step.at);
        } else {
            if self.ring.len() == BEFORE {
                self.ring.pop_front();
            }
            self.ring.push_back(step);
        }
    }

    fn reach(&mut self, at: u64) {
        if let Some((_, end)) = self.spans.last_mut() {
            *end = (*end).max(at);
        }
    }

    /// Something of interest happens.
    fn mark(&mut self, at: u64) {
        if self.after == 0 {
            if self.stretches.len() + BEFORE + AFTER > self.most {
                self.are_left_out = true;
                return;
            }
            let from = self.ring.front().map_or(at, |step| step.at);
            self.spans.push((from, at));
            self.stretches.extend(self.ring.drain(..));
        }
        self.reach(at);
        if self.stretches.len() + AFTER <= self.most {
            self.after = AFTER;
        }
    }

    fn finish(self, end: u64) -> Steps {
        let is_whole = self.all.is_some();
        let kept = self.all.unwrap_or(self.stretches);
        let column = |value: fn(&Kept) -> i64| kept.iter().map(value).collect::<Vec<i64>>();
        Steps {
            at: Deltas::of_times(kept.iter().map(|step| step.at)),
            kind: column(|step| step.kind),
            records: column(|step| step.records),
            behind: column(|step| step.leo - step.offset),
            leo: Deltas::of(kept.iter().map(|step| step.leo)),
            behind_hw: column(|step| step.leo - step.hw),
            since: column(|step| step.since),
            spans: if is_whole { vec![(0, end)] } else { joined(&self.spans) },
            total: self.total,
            are_left_out: !is_whole && self.are_left_out,
        }
    }
}

/// Stretches that touch become one.
fn joined(spans: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut found: Vec<(u64, u64)> = Vec::new();
    for &(from, to) in spans {
        match found.last_mut() {
            Some((_, end)) if from <= *end => *end = (*end).max(to),
            _ => found.push((from, to)),
        }
    }
    found
}

/// From when to when, nanoseconds.
pub type Window = (u64, u64);

/// Records the steps of one run, and when its faults were.
pub struct Recorder {
    partitions: Vec<Option<PartitionSteps>>,
    /// By fault.
    faults: Vec<Vec<Window>>,
    open: Vec<Option<u64>>,
}

/// The most windows of one fault that are drawn.
const FAULT_WINDOWS_MAX: usize = 2_000;

impl Recorder {
    /// Records of each partition for which `is_drawn` at most so many steps.
    pub fn new(is_drawn: &[bool], faults: usize, most: usize) -> Self {
        Recorder {
            partitions: is_drawn.iter().map(|drawn| drawn.then(|| PartitionSteps::new(most))).collect(),
            faults: vec![Vec::new(); faults],
            open: vec![None; faults],
        }
    }

    fn mark_all(&mut self, at: u64) {
        self.partitions.iter_mut().flatten().for_each(|partition| partition.mark(at));
    }

    fn close_fault(&mut self, fault: usize, from: u64, to: u64) {
        let windows = &mut self.faults[fault];
        if windows.len() < FAULT_WINDOWS_MAX {
            windows.push((from, to));
        }
    }

    /// The steps of each partition, and the windows of each fault; the run ended at `end`.
    pub fn finish(mut self, end: u64) -> (Vec<Option<Steps>>, Vec<Vec<Window>>) {
        for fault in 0..self.open.len() {
            if let Some(from) = self.open[fault].take() {
                self.close_fault(fault, from, end);
            }
        }
        let steps = self.partitions.into_iter().map(|partition| partition.map(|steps| steps.finish(end)));
        (steps.collect(), self.faults)
    }
}

impl Observer for Recorder {
    fn isr_changed(&mut self, change: &IsrChange) {
        if let Some(Some(partition)) = self.partitions.get_mut(change.partition) {
            partition.mark(change.at.as_nanos());
        }
    }

    fn stepped(&mut self, step: &Step<'_>) {
        let Some(Some(partition)) = self.partitions.get_mut(step.partition) else { return };
        let leader = step.leader;
        let leo = leader.log_end_offset();
        let (kind, records, offset, since) = match step.kind {
            StepKind::Appended { records } => (0, records, leo, -1),
            StepKind::Checked => (1, 0, leo, -1),
            StepKind::Fetched { slot, offset, records } => {
                let caught_up = leader.follower(slot).last_caught_up;
                let since = if caught_up > 0 { (step.clock_ms - caught_up).max(0) } else { -1 };
                (2 + slot as i64, records, offset, since)
            }
        };
        let hw = leader.high_watermark();
        partition.add(Kept { at: step.at.as_nanos(), kind, records, offset, leo, hw, since });
    }

    fn fault(&mut self, at: SimTime, fault: usize, started: bool) {
        let at = at.as_nanos();
        self.mark_all(at);
        let Some(open) = self.open.get_mut(fault) else { return };
        if started {
            *open = Some(at);
        } else if let Some(from) = open.take() {
            self.close_fault(fault, from, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(at: u64) -> Kept {
        Kept { at, kind: 0, records: 1, offset: 0, leo: at as i64, hw: 0, since: -1 }
    }

    #[test]
    fn a_short_run_is_there_as_a_whole() {
        let mut partition = PartitionSteps::new(1_000);
        (0..1_000).for_each(|at| partition.add(step(at)));
        let steps = partition.finish(5_000);
        assert_eq!((steps.kind.len(), steps.spans.as_slice()), (1_000, &[(0, 5_000)][..]));
    }

    #[test]
    fn of_a_long_run_the_surroundings_of_what_matters_are() {
        let mut partition = PartitionSteps::new(1_000);
        for at in 0..50_000 {
            if at == 20_000 || at == 20_050 || at == 40_000 {
                partition.mark(at);
            }
            partition.add(step(at));
        }
        let steps = partition.finish(50_000);
        let wanted = [(0, 99), (19_850, 20_149), (39_850, 40_099)];
        assert_eq!(steps.spans, wanted);
        assert_eq!(steps.kind.len(), 100 + 300 + 250);
        assert_eq!((steps.total, steps.are_left_out), (50_000, false));
    }

    #[test]
    fn what_has_no_room_is_said_to_be_left_out() {
        let mut partition = PartitionSteps::new(1_000);
        for at in 0..100_000 {
            if at % 1_000 == 0 {
                partition.mark(at);
            }
            partition.add(step(at));
        }
        let steps = partition.finish(100_000);
        assert!(steps.are_left_out && steps.kind.len() <= 1_000, "{}", steps.kind.len());
    }
}
