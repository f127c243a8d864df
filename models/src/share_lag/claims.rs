//! The claims and how they are judged.

use isrlab_sim::protocol::Offset;
use isrlab_sim::protocol::share::{StateSummary, UNKNOWN_COUNT, UNKNOWN_LAG, lag_of};

use super::constants::ShareVariant;
use super::state::ShareLagState;
use super::steps::below;
use crate::checker::{Claim, Judgement};

const KNOWN: &str = "the group coordinator could answer a lag, and the group's offset is not being altered";

/// The claims, in the order of the answer.
pub fn claims() -> Vec<Claim> {
    let claim = |name, statement, premise| Claim { name, statement, premise };
    vec![
        claim(
            "exact-when-current",
            "when the summary is current, the lag is the number of records from the start offset to the \
             end that are not terminal",
            "the summary is what is persisted now, no write is under way, the leader's last write did not \
             fail, and the log start is not above what is persisted",
        ),
        claim("never-negative", "the lag is never negative", "the group coordinator could answer a lag"),
        claim(
            "never-understated",
            "the lag is never below the number of records that are not terminal, however late the summary",
            KNOWN,
        ),
        claim(
            "start-offset-never-back",
            "the start offset never moves back, over fail-overs too, unless it is altered",
            "the start offset is above 0",
        ),
        claim(
            "quiet-does-not-rise",
            "while nothing is produced and nothing altered, no lag answered is higher than the one before",
            "a lag was answered after the producers stopped",
        ),
        claim(
            "no-record-lost",
            "every record below the start offset is done with, and every record from there to the end \
             offset is in flight",
            "the start offset or the end offset is above 0, and the leader works on the state that is kept",
        ),
        claim(
            "count-never-falls",
            "the persisted delivery complete count alone never falls",
            "the persisted count is above 0",
        ),
    ]
}

/// What the group coordinator would answer if the second of its two readings were made now.
pub(super) fn answer(state: &ShareLagState, variant: ShareVariant) -> Option<i64> {
    let first = state.read?;
    let persisted = (state.persisted.start_offset, state.persisted.count);
    let ((start, count), end) = match variant {
        ShareVariant::EndFirst => (persisted, first.0),
        _ => (first, state.log_end),
    };
    let summary = StateSummary {
        state_epoch: 0,
        leader_epoch: 0,
        start_offset: Offset::from(start),
        delivery_complete_count: if count == 0 { UNKNOWN_COUNT } else { Offset::from(count - 1) },
    };
    if count == 0 {
        debug_assert_eq!(lag_of(&summary, Offset::from(end)), UNKNOWN_LAG);
        return None;
    }
    Some(lag_of(&summary, Offset::from(end)))
}

/// Records that are still to be delivered.
pub(super) fn truth(state: &ShareLagState, variant: ShareVariant) -> i64 {
    state.partition(variant).undelivered(Offset::from(state.log_end))
}

pub(super) fn judge(state: &ShareLagState, variant: ShareVariant) -> Judgement {
    let lag = answer(state, variant);
    let settled = state.state_epoch == state.persisted.state_epoch;
    let truth = if settled && lag.is_some() { truth(state, variant) } else { 0 };
    let known = lag.is_some();
    let value = lag.unwrap_or(i64::MAX);
    let end_is_current =
        variant != ShareVariant::EndFirst || state.read.is_some_and(|read| read.0 == state.log_end);
    let summary_is_current = variant == ShareVariant::EndFirst || state.read_is_current;
    let current = known
        && settled
        && end_is_current
        && summary_is_current
        && !state.writes[0].there
        && !state.write_failed
        && state.persisted.start_offset >= state.log_start;
    let in_flight = below(state.end_offset) & !below(state.start_offset);
    let tracked = (0..state.records.len())
        .filter(|&at| state.records[at].state != 0)
        .fold(0, |set, at| set | 1u8 << at);
    let lost = below(state.start_offset) & !state.done | in_flight & !tracked;
    let each = [
        (current, current && value != truth),
        (known, value < 0),
        (known && settled, settled && value < truth),
        (state.start_offset > 0 && settled, settled && state.start_offset < state.start_offset_max),
        (state.answered != 0, state.rose_in_quiet),
        (settled && state.end_offset > 0, settled && lost != 0),
        (state.persisted.count > 1, state.count_fell),
    ];
    let mut judgement = Judgement::default();
    for (number, (premise, violated)) in each.into_iter().enumerate() {
        judgement.premises |= u32::from(premise) << number;
        judgement.violated |= u32::from(violated) << number;
    }
    judgement
}
