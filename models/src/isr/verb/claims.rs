//! The sentences of KAFKA-4485, each beside what the answers make of it.

use isrlab_sim::protocol::{IsrCriterion, NewLeaderReset};
use serde::Serialize;

use super::run::{Extent, Findings, Row};
use crate::isr::measure::{Extreme, Measure};
use crate::isr::setting::{Behaviour, Start, reset_name};

/// A sentence of the issue in one reading, and its verdict under the rule of the text and
/// under what was merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimLine {
    /// The sentence.
    pub sentence: &'static str,
    /// How it is read.
    pub reading: &'static str,
    /// The verdict for `proposed-4485`.
    pub proposed: String,
    /// The verdict for `post-4485`.
    pub merged: String,
}

/// One sentence in one reading, and the answers that settle it.
struct Claim {
    sentence: &'static str,
    reading: &'static str,
    measure: Measure,
    start: Start,
    behaviour: Behaviour,
    promise: Promise,
}

/// What the sentence promises about the measure.
#[derive(Clone, Copy)]
enum Promise {
    /// At most the lag time.
    WithinLag,
    /// More than the lag time.
    MoreThanLag,
    /// Not at all.
    None,
    /// Some bound.
    Bounded,
    /// It is a complaint about the old rule: that it no longer happens.
    Cured,
}

const G1: &str = "G1: a follower in the ISR had LEO ≥ HW at some time within the last lag";
const G2: &str = "G2: a follower not in the ISR could not, for more than lag, make the end of its fetch reach \
     the leader's LEO";
const COMPLAINT_1: &str =
    "Complaint 1: a replica may be removed and added again and again, as the tests differ";
const COMPLAINT_2: &str = "Complaint 2: a follower that keeps up is removed all the same";

const CLAIMS: &[Claim] = &[
    Claim {
        sentence: G1,
        reading: "as written, its LEO as the leader knows it",
        measure: Measure::KnownBelowHighWatermark,
        start: Start::Established,
        behaviour: Behaviour::Any,
        promise: Promise::WithinLag,
    },
    Claim {
        sentence: G1,
        reading: "as written, under a new leader",
        measure: Measure::KnownBelowHighWatermark,
        start: Start::Election,
        behaviour: Behaviour::Any,
        promise: Promise::WithinLag,
    },
    Claim {
        sentence: G1,
        reading: "as probably meant: it lacks no record older than lag",
        measure: Measure::BehindByHeld,
        start: Start::Established,
        behaviour: Behaviour::Any,
        promise: Promise::WithinLag,
    },
    Claim {
        sentence: G1,
        reading: "the same, as far as the leader knows",
        measure: Measure::BehindByKnown,
        start: Start::Established,
        behaviour: Behaviour::Any,
        promise: Promise::WithinLag,
    },
    Claim {
        sentence: G2,
        reading: "at its removal",
        measure: Measure::ReadBeforeRemoval,
        start: Start::Established,
        behaviour: Behaviour::Any,
        promise: Promise::MoreThanLag,
    },
    Claim {
        sentence: G2,
        reading: "at the removal of a diligent follower",
        measure: Measure::ReadBeforeRemoval,
        start: Start::Established,
        behaviour: Behaviour::Diligent,
        promise: Promise::MoreThanLag,
    },
    Claim {
        sentence: G2,
        reading: "while it is out, for a follower that has come back and is diligent",
        measure: Measure::Outside,
        start: Start::Established,
        behaviour: Behaviour::Returning,
        promise: Promise::Bounded,
    },
    Claim {
        sentence: COMPLAINT_1,
        reading: "a removal at an instant at which its next fetch would let it join",
        measure: Measure::NextFetchWouldJoin,
        start: Start::Established,
        behaviour: Behaviour::Any,
        promise: Promise::None,
    },
    Claim {
        sentence: COMPLAINT_1,
        reading: "removals that a follower can suffer after it has come back",
        measure: Measure::Removals,
        start: Start::Established,
        behaviour: Behaviour::Returning,
        promise: Promise::Cured,
    },
    Claim {
        sentence: COMPLAINT_2,
        reading: "of an established leader's diligent follower",
        measure: Measure::DiligentRemoved,
        start: Start::Established,
        behaviour: Behaviour::Diligent,
        promise: Promise::Cured,
    },
    Claim {
        sentence: COMPLAINT_2,
        reading: "of a new leader's diligent follower",
        measure: Measure::DiligentRemoved,
        start: Start::Election,
        behaviour: Behaviour::Diligent,
        promise: Promise::Cured,
    },
];

/// The sentences and their verdicts, from answers with unlimited reads.
pub fn claim_lines(found: &Findings) -> Vec<ClaimLine> {
    CLAIMS
        .iter()
        .map(|claim| ClaimLine {
            sentence: claim.sentence,
            reading: claim.reading,
            proposed: verdict(found, claim, IsrCriterion::Proposed4485),
            merged: verdict(found, claim, IsrCriterion::Post4485),
        })
        .collect()
}

/// The verdicts for each gap and reset, equal ones said once.
fn verdict(found: &Findings, claim: &Claim, criterion: IsrCriterion) -> String {
    let relevant: Vec<&Row> = found
        .rows
        .iter()
        .filter(|row| {
            let setting = &row.setting;
            row.measure == claim.measure
                && setting.criterion == criterion
                && setting.start == claim.start
                && setting.behaviour == claim.behaviour
                && setting.reads.is_none()
        })
        .collect();
    if relevant.is_empty() {
        return "not asked".to_owned();
    }
    let mut cases: Vec<(String, String)> = Vec::new();
    for row in &relevant {
        let mut conditions = Vec::new();
        if row.setting.start == Start::Election && criterion == IsrCriterion::Post4485 {
            conditions.push(match row.setting.reset {
                NewLeaderReset::ForgetAll => "as merged".to_owned(),
                NewLeaderReset::IsrNow => "as released".to_owned(),
                other => reset_name(other).to_owned(),
            });
        }
        if claim.behaviour != Behaviour::Any {
            conditions.push(format!("F = {}", row.setting.gap));
        }
        conditions.push(format!("n = {}", row.setting.followers));
        cases.push((conditions.join(", "), phrase(claim, row)));
    }
    let first = cases[0].1.clone();
    if cases.iter().all(|(_, phrase)| *phrase == first) {
        return first;
    }
    let mut merged: Vec<(String, Vec<String>)> = Vec::new();
    for (condition, phrase) in cases {
        match merged.iter_mut().find(|(known, _)| *known == phrase) {
            Some((_, conditions)) => conditions.push(condition),
            None => merged.push((phrase, vec![condition])),
        }
    }
    let parts =
        merged.into_iter().map(|(phrase, conditions)| format!("[{}] {phrase}", conditions.join("; ")));
    parts.collect::<Vec<_>>().join("; ")
}

fn phrase(claim: &Claim, row: &Row) -> String {
    let lag = row.setting.lag;
    let formula = row.expectation.map_or(String::new(), |line| format!(" ({})", line.formula));
    match (claim.promise, &row.extent) {
        (_, Extent::Never) => "holds trivially: it is never removed".to_owned(),
        (Promise::WithinLag, Extent::Exactly(0)) => "holds trivially: the bound is 0".to_owned(),
        (Promise::WithinLag, Extent::Exactly(value)) if *value <= lag => {
            format!("holds with bound {value}{formula}")
        }
        (Promise::WithinLag, Extent::Exactly(value)) => {
            format!("refuted as a bound of D = {lag}; holds with bound {value}{formula}")
        }
        (Promise::MoreThanLag, Extent::Exactly(value)) if *value > lag => {
            debug_assert_eq!(claim.measure.extreme(), Extreme::Smallest);
            format!("holds exactly: never less than {value}{formula}")
        }
        (Promise::MoreThanLag, Extent::Exactly(value)) => {
            format!("refuted: it can be {value} ticks{formula}")
        }
        (Promise::Bounded, Extent::Exactly(value)) => format!("holds with bound {value}{formula}"),
        (Promise::None, Extent::Exactly(0)) => "never happens".to_owned(),
        (Promise::None, Extent::Exactly(_)) => "still happens".to_owned(),
        (Promise::Cured, Extent::Exactly(0)) => "cured: 0".to_owned(),
        (Promise::Cured, Extent::Exactly(value)) if claim.measure == Measure::Removals => {
            format!("cured but for {value} more")
        }
        (Promise::Cured, Extent::Exactly(_)) => "not cured".to_owned(),
        (Promise::Cured, Extent::Unbounded(cycle)) => {
            format!("not cured: for ever (a cycle of {} steps)", cycle.round.len())
        }
        (_, Extent::Unbounded(cycle)) => {
            format!("refuted by a cycle of {} steps: there is no bound", cycle.round.len())
        }
    }
}
