//! The properties, judged in one state.

use super::steps::members;
use super::view::{ReplicaView, View};
use crate::checker::{Claim, Judgement};

/// Name of the claim about the leader's own ISR.
pub const WEAK_ISR: &str = "weak-isr";
/// Name of the claim about the quorum's ISR.
pub const STRONG_ISR: &str = "strong-isr";
/// Name of the claim about committed records on any two replicas.
pub const NO_DIVERGENCE: &str = "no-divergence";
/// Name of the claim about committed records and later leaders; needs history.
pub const COMMITTED_IS_FOREVER: &str = "committed-is-forever";

/// The claims in the order of their bits; the last only with history.
pub(super) const CLAIMS: [Claim; 4] = [
    Claim {
        name: WEAK_ISR,
        statement: "for any replica that presumes leadership, every record below its high \
                    watermark is on every member of its own ISR, the same",
        premise: "a replica presumes leadership, has a high watermark above 0, and another \
                  replica in its own ISR",
    },
    Claim {
        name: STRONG_ISR,
        statement: "for any replica that presumes leadership, every record below its high \
                    watermark is on every member of the quorum's ISR, the same",
        premise: "a replica presumes leadership, has a high watermark above 0, and another \
                  replica is in the quorum's ISR",
    },
    Claim {
        name: NO_DIVERGENCE,
        statement: "no two replicas hold different records at the same offset below both their \
                    high watermarks",
        premise: "two replicas have high watermarks above 0",
    },
    Claim {
        name: COMMITTED_IS_FOREVER,
        statement: "a record that was once below the high watermark of a true leader is in the \
                    log of every later true leader",
        premise: "there is a true leader, and a record at or above its high watermark was \
                  committed by an earlier one",
    },
];

/// Judges a state; the fourth claim only if there is history.
#[inline]
pub(super) fn judge(view: &View<'_>) -> Judgement {
    let mut judgement = Judgement::default();
    let mut mark = |claim: u32, premise: bool, violated: bool| {
        judgement.premises |= u32::from(premise) << claim;
        judgement.violated |= u32::from(violated) << claim;
    };
    for (replica, leader) in view.replicas().iter().enumerate() {
        if leader.high_watermark == 0 {
            continue;
        }
        if view.presumes_leadership(replica) {
            for (claim, isr) in [(0, leader.isr), (1, view.quorum_isr)] {
                let premise = isr & !(1 << replica) != 0;
                mark(claim, premise, !committed_on_all(view, leader, isr));
            }
        }
        for other in &view.replicas()[replica + 1..] {
            let both = leader.high_watermark.min(other.high_watermark);
            mark(2, both > 0, diverge(view, leader, other, both));
        }
    }
    if view.committed != 0
        && let Some(leader) = view.true_leader()
    {
        let leader = &view.replicas()[leader];
        let earlier = view.committed & !records_below(view, leader, leader.high_watermark);
        let lost = view.committed & !records_below(view, leader, leader.end_offset);
        mark(3, earlier != 0, lost != 0);
    }
    judgement
}

/// Whether the records below `leader`'s high watermark are there, and the same, on all of `isr`.
/// The leader itself has them: a high watermark is never above its log's end.
#[inline]
fn committed_on_all(view: &View<'_>, leader: &ReplicaView, isr: u32) -> bool {
    let committed = |log| view.layout.first_records(log, leader.high_watermark);
    members(isr).all(|member| committed(view.replicas()[member].log) == committed(leader.log))
}

/// Whether two logs hold different records at some offset below `offset`.
#[inline]
fn diverge(view: &View<'_>, a: &ReplicaView, b: &ReplicaView, offset: u32) -> bool {
    let held = offset.min(a.end_offset).min(b.end_offset);
    view.layout.first_records(a.log ^ b.log, held) != 0
}

/// The records of a log below `offset`, one bit for each id.
#[inline]
fn records_below(view: &View<'_>, replica: &ReplicaView, offset: u32) -> u32 {
    (0..offset.min(replica.end_offset))
        .fold(0, |records, offset| records | 1 << (view.layout.slot(replica.log, offset) - 1))
}
