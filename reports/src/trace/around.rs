//! The time of something in a run, for those who want to see what is around it.

use super::names::Names;
use crate::simulate::{RunStop, Simulator};
use isrlab_sim::cluster::{ClusterSpec, Happening, IsrChange, IsrChangeKind, Observer};
use isrlab_sim::engine::SimTime;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// A replica leaves the ISR.
    IsrShrink,
    /// A replica joins the ISR.
    IsrExpand,
    /// A leader is elected.
    Election,
    /// A fault begins.
    Fault,
    /// An invariant does not hold.
    Violation,
}

impl Around {
    /// As in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Around::IsrShrink => "isr-shrink",
            Around::IsrExpand => "isr-expand",
            Around::Election => "election",
            Around::Fault => "fault",
            Around::Violation => "violation",
        }
    }
}

/// Which one of a kind, and whose.
#[derive(Clone, Debug)]
pub struct Sought {
    /// What.
    pub around: Around,
    /// The how manieth, from 1.
    pub nth: u64,
    /// Only of these partitions, through all topics; none: of any.
    pub partitions: Vec<usize>,
    /// Only where one of these brokers leaves, joins, is elected, or has the fault; none: any. An
    /// invariant is of a partition, not of a broker.
    pub brokers: Vec<i32>,
}

/// What the search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// There it is.
    At(SimTime),
    /// The run has only so many.
    Only(u64),
    /// The search was told to stop.
    Interrupted,
}

impl Sought {
    /// Runs the cluster until it is found. What the simulator refuses is told when the trace itself
    /// runs: here it is as if there were none.
    pub fn find<S: Simulator>(
        &self,
        spec: &ClusterSpec,
        seed: u64,
        simulator: &S,
        stop: &AtomicBool,
    ) -> Found {
        let names = Names::of(spec);
        let found = Cell::new(None);
        let mut search = Search { sought: self, names: &names, count: 0, found: &found };
        let mut keep_going = |_| found.get().is_none() && !stop.load(Ordering::Relaxed);
        let run = simulator.run(spec, seed, None, &mut search, &mut keep_going);
        let mut count = search.count;
        if let RunStop::Violated(violation) = &run
            && self.around == Around::Violation
        {
            let partition = violation.state.lines().next().and_then(|line| line.strip_prefix("partition "));
            let partition = partition.and_then(|name| names.find_partition(name));
            if self.partitions.is_empty() || partition.is_some_and(|one| self.partitions.contains(&one)) {
                count += 1;
                if count == self.nth {
                    found.set(Some(violation.at));
                }
            }
        }
        match (found.get(), run) {
            (Some(at), _) => Found::At(at),
            (None, RunStop::Interrupted(_)) => Found::Interrupted,
            (None, _) => Found::Only(count),
        }
    }
}

struct Search<'a> {
    sought: &'a Sought,
    names: &'a Names,
    count: u64,
    found: &'a Cell<Option<SimTime>>,
}

impl Search<'_> {
    fn note(&mut self, at: SimTime, around: Around, partition: Option<usize>, brokers: &[i32]) {
        let wanted = around == self.sought.around
            && (self.sought.partitions.is_empty()
                || partition.is_none_or(|one| self.sought.partitions.contains(&one)))
            && (self.sought.brokers.is_empty()
                || brokers.iter().any(|broker| self.sought.brokers.contains(broker)));
        if wanted {
            self.count += 1;
            if self.count == self.sought.nth {
                self.found.set(Some(at));
            }
        }
    }
}

impl Observer for Search<'_> {
    fn isr_changed(&mut self, change: &IsrChange) {
        let around = match change.kind {
            IsrChangeKind::Shrink => Around::IsrShrink,
            IsrChangeKind::Expand => Around::IsrExpand,
        };
        let brokers: Vec<i32> = change.replicas.iter().map(|replica| replica.broker).collect();
        self.note(change.at, around, Some(change.partition), &brokers);
    }

    fn fault(&mut self, at: SimTime, fault: usize, started: bool) {
        if started {
            let broker = self.names.fault_broker(fault);
            self.note(at, Around::Fault, None, broker.as_slice());
        }
    }

    fn wants_happenings(&self) -> bool {
        self.sought.around == Around::Election
    }

    fn happened(&mut self, at: SimTime, happening: &Happening<'_>) {
        if let Happening::Elected { partition, leader, .. } = happening {
            self.note(at, Around::Election, Some(*partition), &[*leader]);
        }
    }
}
