//! What must hold, judged by the history that each record carries.

use isrlab_sim::invariants::timestamps::{create_time_within_limits, log_append_time_not_back};
use isrlab_sim::protocol::timestamp::{NO_TIMESTAMP, TimeIndex, TimestampRules};

use super::state::{Entry, TimestampState};
use super::variant::TimestampVariant;
use crate::checker::{Claim, Judgement};

/// Whether a claim's premise is true in a state, and whether the claim holds there.
type Judge = fn(&TimestampVariant, &TimestampState) -> (bool, bool);

/// A claim and how it is judged.
#[derive(Clone, Copy)]
pub(super) struct Judged {
    pub claim: Claim,
    judge: Judge,
    /// Whether it says anything of a variant.
    applies: fn(&TimestampVariant) -> bool,
}

const ALL: [Judged; 8] = [
    Judged {
        claim: Claim {
            name: "create-time-within-limits",
            statement: "every stored CreateTime was within the limits of the leader's clock at its append",
            premise: "a record is stored whose time is not the leader's clock itself",
        },
        judge: |variant, state| {
            let records = state.records();
            let holds = records
                .iter()
                .all(|entry| create_time_within_limits(&variant.policy, entry.stored, entry.clock));
            (records.iter().any(|entry| entry.stored != entry.clock), holds)
        },
        applies: TimestampVariant::is_create_time,
    },
    Judged {
        claim: Claim {
            name: "append-time-rises-in-epoch",
            statement: "within a leader epoch LogAppendTime never falls",
            premise: "two records of one epoch are stored",
        },
        judge: |_, state| rises(state, |first, second| first.epoch == second.epoch),
        applies: |variant| !variant.is_create_time(),
    },
    Judged {
        claim: Claim {
            name: "append-time-rises",
            statement: "LogAppendTime never falls, whoever leads",
            premise: "records of two epochs are stored",
        },
        judge: |_, state| rises(state, |first, second| first.epoch != second.epoch),
        applies: |variant| !variant.is_create_time(),
    },
    Judged {
        claim: Claim {
            name: "rejected-leaves-log",
            statement: "a rejected batch leaves the log as it was",
            premise: "a batch was rejected while the log held a record",
        },
        judge: |_, state| (state.rejected.is_some() && state.length > 0, state.rejected != Some(true)),
        applies: TimestampVariant::is_create_time,
    },
    Judged {
        claim: Claim {
            name: "whole-batch-or-nothing",
            statement: "a batch is in the log with all its records, in their order, or not at all",
            premise: "a record of a batch of two is stored",
        },
        judge: |_, state| {
            let records = state.records();
            (records.iter().any(|entry| entry.batch_size == 2), are_whole_batches(records))
        },
        applies: |_| true,
    },
    Judged {
        claim: Claim {
            name: "wrapper-as-rules-say",
            statement: "a compressed batch carries in its wrapper or header: the leader's clock \
                        (LogAppendTime), −1 (kafka-3026), or the largest time of its records",
            premise: "a compressed batch is stored",
        },
        judge: |variant, state| {
            let records = state.records();
            let is_right =
                |entry: &Entry| entry.header.is_none_or(|time| time == due(variant, records, entry));
            (records.iter().any(|entry| entry.header.is_some()), records.iter().all(is_right))
        },
        applies: |variant| !variant.keeps_good_records,
    },
    Judged {
        claim: Claim {
            name: "lookup-by-running-maximum",
            statement: "a search with the running maximum finds the first offset with a time at or above any other",
            premise: "a stored time is below the one before it",
        },
        judge: |_, state| (is_out_of_order(state), finds_the_first(state, by_running_maximum)),
        applies: |_| true,
    },
    Judged {
        claim: Claim {
            name: "lookup-by-own-times",
            statement: "so does a search that takes the times themselves for sorted",
            premise: "a stored time is below the one before it",
        },
        judge: |_, state| (is_out_of_order(state), finds_the_first(state, by_own_times)),
        applies: |_| true,
    },
];

/// The claims that say something of a variant.
pub(super) fn of(variant: &TimestampVariant) -> Vec<Judged> {
    ALL.into_iter().filter(|judged| (judged.applies)(variant)).collect()
}

/// Judges the claims of a variant.
pub(super) fn judge(judged: &[Judged], variant: &TimestampVariant, state: &TimestampState) -> Judgement {
    let mut judgement = Judgement::default();
    for (bit, judged) in judged.iter().enumerate() {
        let (premise, holds) = (judged.judge)(variant, state);
        judgement.premises |= u32::from(premise) << bit;
        judgement.violated |= u32::from(!holds) << bit;
    }
    judgement
}

/// Whether there are neighbours of the kind, and none of them falls.
fn rises(state: &TimestampState, kind: fn(&Entry, &Entry) -> bool) -> (bool, bool) {
    let mut pairs = state.records().windows(2).filter(|pair| kind(&pair[0], &pair[1])).peekable();
    let premise = pairs.peek().is_some();
    (premise, pairs.all(|pair| log_append_time_not_back(pair[0].stored, pair[1].stored)))
}

/// Batches follow one another, each from its first record to its last.
fn are_whole_batches(records: &[Entry]) -> bool {
    let mut rest = records;
    while let Some(first) = rest.first() {
        let size = usize::from(first.batch_size);
        let Some(batch) = rest.get(..size) else { return false };
        let in_order = batch.iter().enumerate().all(|(index, entry)| usize::from(entry.batch_index) == index);
        if !in_order {
            return false;
        }
        rest = &rest[size..];
    }
    true
}

/// What the wrapper or header of the batch of `entry` has to carry.
fn due(variant: &TimestampVariant, records: &[Entry], entry: &Entry) -> i64 {
    if !variant.is_create_time() {
        return entry.clock;
    }
    if variant.policy.rules == TimestampRules::Kafka3026 {
        return NO_TIMESTAMP;
    }
    let place = records.iter().position(|other| std::ptr::eq(other, entry)).unwrap_or(0);
    let first = place - usize::from(entry.batch_index);
    let batch = &records[first..first + usize::from(entry.batch_size)];
    batch.iter().fold(NO_TIMESTAMP, |max, entry| max.max(entry.sent))
}

fn is_out_of_order(state: &TimestampState) -> bool {
    state.records().windows(2).any(|pair| pair[1].stored < pair[0].stored)
}

/// Whether a search finds, for each time that is stored and each beside one, what reading the
/// whole log finds.
fn finds_the_first(state: &TimestampState, search: fn(&[Entry], i64) -> Option<usize>) -> bool {
    let records = state.records();
    let asked = records.iter().flat_map(|entry| [entry.stored, entry.stored.saturating_add(1)]);
    // Nobody asks for a time before 1970.
    asked.filter(|time| *time >= 0).all(|time| {
        let scanned = records.iter().position(|entry| entry.stored >= time);
        search(records, time) == scanned
    })
}

/// As Kafka does: the largest time so far of whole batches tells where to begin.
fn by_running_maximum(records: &[Entry], time: i64) -> Option<usize> {
    let mut index = TimeIndex::default();
    for (place, entry) in records.iter().enumerate() {
        let is_last = entry.batch_index + 1 == entry.batch_size;
        index.observe(entry.batch_max, place as i64 + 1, is_last);
    }
    let times = (0i64..).zip(records.iter().map(|entry| entry.stored));
    index.lookup(time, times).map(|offset| offset as usize)
}

/// A binary search, as if times rose.
fn by_own_times(records: &[Entry], time: i64) -> Option<usize> {
    let place = records.partition_point(|entry| entry.stored < time);
    (place < records.len()).then_some(place)
}
