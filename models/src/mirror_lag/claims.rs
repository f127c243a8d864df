//! The claims and how they are judged.

use super::constants::{MirrorConstants, MirrorRule};
use super::state::MirrorState;
use crate::checker::{Claim, Judgement};

const KNOWN: &str = "the rule reports a number";
const KNOWN_OF_TOPIC: &str = "the rule reports a number, from an end offset of the topic that is there";

/// The claims, in the order of the answer.
pub fn claims() -> Vec<Claim> {
    let claim = |name, statement, premise| Claim { name, statement, premise };
    vec![
        claim("never-negative", "the reported lag is never negative", KNOWN),
        claim(
            "never-below-now",
            "the reported lag is never below the number of records that are still to be replicated",
            KNOWN,
        ),
        claim(
            "never-below-then",
            "the reported lag is never below the number of those records still to be replicated that \
             were in the source when its end offset was read",
            KNOWN_OF_TOPIC,
        ),
        claim(
            "quiet-does-not-rise",
            "while nothing is produced, no reported lag is higher than the one before",
            "the rule reports a number from an end offset that was read after the producers stopped",
        ),
        claim(
            "quiet-ends-true",
            "when all records are in the target, nothing is produced and two further answers have come, \
             the reported lag is 0",
            "all records, at least one, are in the target, the producers have stopped, and two \
             answers have come since",
        ),
        claim(
            "lro-never-back",
            "the last replicated offset never goes back within a task's life",
            "a last replicated offset is known",
        ),
        claim(
            "unknown-until-known",
            "the lag is unknown until an end offset and a last replicated offset are known",
            "an end offset or a last replicated offset is not known",
        ),
        claim(
            "staleness-within-bound",
            "the end offset that a report goes by is no older than the rule's bound",
            KNOWN_OF_TOPIC,
        ),
        claim(
            "staleness-below-bound",
            "the end offset that a report goes by is always younger than the rule's bound (false \
             where the bound is tight)",
            KNOWN_OF_TOPIC,
        ),
    ]
}

pub(super) fn judge(state: &MirrorState, rule: MirrorRule) -> Judgement {
    let reported = state.reported();
    let known = reported.is_some();
    let lag = reported.unwrap_or(i64::MAX);
    let seen = known && state.seen_this_topic;
    let done = state.quiet && state.is_done() && state.in_target != 0 && state.answers_since_done == 2;
    let both = state.leo.is_some() && state.lro.is_some();
    // Without a bound of its own a rule is held to that of a poll.
    let poll = MirrorRule::ALL[0].staleness_bound();
    let bound = rule.staleness_bound().or(poll).expect("a poll has a bound");
    debug_assert!(bound < MirrorConstants::AGE_MAX);
    let each = [
        (known, lag < 0),
        (known, lag < state.missing_below(state.end)),
        (seen, seen && lag < state.missing_below(state.seen_end)),
        (known && state.seen_in_quiet, state.rose_in_quiet),
        (done, done && reported != Some(0)),
        (state.lro.is_some(), state.lro_went_back),
        (!both, known && !both),
        (seen, seen && state.leo_age > bound),
        (seen, seen && state.leo_age >= bound),
    ];
    let mut judgement = Judgement::default();
    for (number, (premise, violated)) in each.into_iter().enumerate() {
        judgement.premises |= u32::from(premise) << number;
        judgement.violated |= u32::from(violated) << number;
    }
    judgement
}
