//! The table itself. The first line that applies to a setting counts.

use isrlab_sim::protocol::IsrCriterion::{
    self, EpochStart, EqualLeo, MaxMessages, Post4485, Pre4485, Proposed4485,
};
use isrlab_sim::protocol::NewLeaderReset;

use super::Predicted::{Exactly, Never, Unbounded};
use super::formulas::{
    back_after_backlog, checks_apart, forgets, keeps_up, keeps_up_after_any_gap,
    last_read_before_message_limit, last_read_before_message_limit_if_limited, plain, returning_is_removed,
    survives_election,
};
use super::{Expectation, Predicted, removable};
use crate::isr::measure::Measure;
use crate::isr::setting::Behaviour::{Any, Diligent, Returning};
use crate::isr::setting::Start::{Election, Established};
use crate::isr::setting::{Behaviour, Setting, Start};

const ALL: &[IsrCriterion] = &IsrCriterion::ALL;
/// KAFKA-4485 as merged, and what came after it.
const MERGED: &[IsrCriterion] = &[Post4485, EpochStart, EqualLeo];
/// The criteria whose high watermark waits for nobody outside the ISR.
const ISR_ONLY: &[IsrCriterion] = &[MaxMessages, Pre4485, Proposed4485];
const STOPS: &[Behaviour] = &[Any, Returning];
const EVERY: &[Behaviour] = &Behaviour::ALL;
const NEEDS_DILIGENCE: &[Behaviour] = &[Diligent, Returning];

fn always(_: &Setting) -> bool {
    true
}

fn one(setting: &Setting) -> bool {
    setting.followers == 1
}

fn exactly(value: u32) -> Predicted {
    Exactly(u8::try_from(value).expect("bounds of small settings are small"))
}

fn yes_if(condition: bool) -> Predicted {
    Exactly(u8::from(condition))
}

/// A line of the table.
#[allow(clippy::too_many_arguments, reason = "one argument a column")]
const fn line(
    measure: Measure,
    criteria: &'static [IsrCriterion],
    behaviours: &'static [Behaviour],
    start: Option<Start>,
    only_if: fn(&Setting) -> bool,
    formula: &'static str,
    value: fn(&Setting) -> Predicted,
    why: &'static str,
) -> Expectation {
    Expectation { measure, criteria, behaviours, start, only_if, formula, value, why }
}

const JOINED_BY_CHANCE: &str = "a new leader admits it at its first fetch, when the other follower holds the \
     HW back, and the next check removes it again: its caught-up time dates from before";

pub(super) static TABLE: &[Expectation] = &[
    // Question 1, as written.
    line(
        Measure::KnownBelowHighWatermark,
        ALL,
        EVERY,
        Some(Established),
        always,
        "0",
        |_| Exactly(0),
        "holds trivially: the HW is the least known LEO of the members, and one joins only at or above it",
    ),
    line(
        Measure::KnownBelowHighWatermark,
        ALL,
        STOPS,
        Some(Election),
        forgets,
        "P − 1",
        |s| exactly(s.wide().period - 1),
        "a member whose times were forgotten leaves at the first check",
    ),
    line(
        Measure::KnownBelowHighWatermark,
        ALL,
        STOPS,
        Some(Election),
        always,
        "D + P",
        |s| exactly(s.wide().lag + s.wide().period),
        "a member that never fetches from the new leader stays until it is out of sync",
    ),
    line(
        Measure::KnownBelowHighWatermark,
        ALL,
        &[Diligent],
        Some(Election),
        forgets,
        "min(F, P) − 1",
        |s| exactly(s.wide().gap.min(s.wide().period) - 1),
        "until its first fetch or the first check",
    ),
    line(
        Measure::KnownBelowHighWatermark,
        ALL,
        &[Diligent],
        Some(Election),
        always,
        "F − 1",
        |s| exactly(s.wide().gap - 1),
        "until its first fetch",
    ),
    // Question 1, as probably meant.
    line(
        Measure::BehindByHeld,
        ALL,
        STOPS,
        None,
        always,
        "D + P",
        |s| exactly(s.wide().lag + s.wide().period),
        "it stops at a fetch; the first check more than D later removes it",
    ),
    line(
        Measure::BehindByHeld,
        ALL,
        &[Diligent],
        None,
        always,
        "min(F, D + P)",
        |s| exactly(s.wide().gap.min(s.wide().lag + s.wide().period)),
        "it holds what the leader had at its last fetch",
    ),
    line(
        Measure::BehindByKnown,
        &[Pre4485],
        STOPS,
        None,
        always,
        "D + P",
        |s| exactly(s.wide().lag + s.wide().period),
        "only a fetch at the LEO counts, and there the leader knows everything",
    ),
    line(
        Measure::BehindByKnown,
        &[Pre4485],
        &[Diligent],
        None,
        always,
        "min(2F, D + P)",
        |s| exactly((2 * s.wide().gap).min(s.wide().lag + s.wide().period)),
        "a fetch tells what the one before it brought; a fetch at the LEO must lie within D + P",
    ),
    line(
        Measure::BehindByKnown,
        &[Proposed4485, MaxMessages],
        STOPS,
        None,
        always,
        "D + P + n·P·(⌊D/P⌋ + 1)",
        |s| exactly(s.wide().lag + s.wide().period + s.wide().followers * checks_apart(s)),
        "gaps just short of a removal, one after the other: the first shifted against the checks, the \
         others from check to check; with two followers one more, survived outside the ISR",
    ),
    line(
        Measure::BehindByKnown,
        &[Proposed4485, MaxMessages],
        &[Diligent],
        None,
        one,
        "min(2F, D + P + P·(⌊D/P⌋ + 1))",
        |s| exactly((2 * s.wide().gap).min(s.wide().lag + s.wide().period + checks_apart(s))),
        "a fetch tells what the one before it brought",
    ),
    line(
        Measure::BehindByKnown,
        &[Proposed4485, MaxMessages],
        &[Diligent],
        None,
        always,
        "min(2F, F + D + P)",
        |s| exactly(s.wide().gap + s.wide().gap.min(s.wide().lag + s.wide().period)),
        "a fetch tells what the one before it brought",
    ),
    line(
        Measure::BehindByKnown,
        MERGED,
        STOPS,
        None,
        always,
        "unbounded",
        |_| Unbounded,
        "an outsider that the HW waits for stops; nothing is appended; the HW is not looked at again, and \
         the outsider's next fetch, at the HW, brings it in however old its offset is",
    ),
    line(
        Measure::BehindByKnown,
        MERGED,
        &[Diligent],
        None,
        always,
        "min(2F, max(D, F) + P)",
        |s| exactly((2 * s.wide().gap).min(s.wide().lag.max(s.wide().gap) + s.wide().period)),
        "a fetch tells what the one before it brought, and counts from that one",
    ),
    // Question 2.
    line(
        Measure::DiligentRemoved,
        ALL,
        &[Diligent],
        Some(Established),
        |s| !keeps_up(s),
        "1 as b < w(F + 1)",
        |_| Exactly(1),
        "appends of F + 1 ticks can lie between two of its fetches, so one that reads no more than w·F a \
         fetch, though as fast as the producer, can be left with a backlog that it never reads off",
    ),
    line(
        Measure::DiligentRemoved,
        ALL,
        &[Diligent],
        Some(Established),
        always,
        "max-messages: F > D or w(2F + 1) > M; pre-4485: always; proposed-4485: F > D; else 2F > D",
        |s| yes_if(removable(s)),
        "pre-4485: never at the LEO when something is appended before each fetch; the merged rule counts \
         from the fetch before the last, which can be 2F ago",
    ),
    line(
        Measure::DiligentRemoved,
        MERGED,
        &[Diligent],
        Some(Election),
        |s| !forgets(s) && one(s),
        "2F > D",
        |s| yes_if(removable(s)),
        "members start as caught up now",
    ),
    line(
        Measure::DiligentRemoved,
        MERGED,
        &[Diligent],
        Some(Election),
        |s| !forgets(s),
        "1",
        |_| Exactly(1),
        JOINED_BY_CHANCE,
    ),
    line(
        Measure::DiligentRemoved,
        ALL,
        &[Diligent],
        Some(Election),
        always,
        "1",
        |_| Exactly(1),
        "times that were forgotten, or date from an earlier term, count until its first fetch that matters",
    ),
    line(
        Measure::DiligentRemoved,
        &[MaxMessages],
        &[Returning],
        Some(Established),
        plain,
        "F > D or w(2F + 1) > M or its last read before a removal can be F or less ago",
        |s| yes_if(returning_is_removed(s)),
        "it may come back with more than M records missing",
    ),
    line(
        Measure::DiligentRemoved,
        &[Proposed4485],
        &[Returning],
        Some(Established),
        keeps_up_after_any_gap,
        "F > D",
        |s| yes_if(removable(s)),
        "each of its fetches meets the criterion",
    ),
    line(
        Measure::DiligentRemoved,
        ALL,
        &[Returning],
        None,
        always,
        "1",
        |_| Exactly(1),
        "its first fetch after a pause does not undo the pause; the next check may come before its second",
    ),
    // Question 3, at a removal.
    line(
        Measure::ReadBeforeRemoval,
        &[MaxMessages],
        &[Diligent],
        Some(Established),
        |s| s.reads.is_some() && keeps_up(s),
        "as with unlimited reads",
        last_read_before_message_limit,
        "its backlog does not grow",
    ),
    line(
        Measure::ReadBeforeRemoval,
        &[MaxMessages],
        NEEDS_DILIGENCE,
        Some(Established),
        |s| s.reads.is_some(),
        "at least min(⌊(M − b)/w⌋, D + 1), and no less than with unlimited reads",
        last_read_before_message_limit_if_limited,
        "when a read of b records reaches the LEO, b records are not known yet",
    ),
    line(
        Measure::ReadBeforeRemoval,
        ALL,
        NEEDS_DILIGENCE,
        Some(Established),
        |s| !keeps_up(s),
        "0",
        |_| Exactly(0),
        "it catches up in the very tick of the check that removes it",
    ),
    line(
        Measure::ReadBeforeRemoval,
        &[MaxMessages],
        EVERY,
        Some(Established),
        plain,
        "least t₃ − t₂ with w(t₃ − t₁ + 1) > M or t₃ − t₂ > D, over all positions of the checks",
        last_read_before_message_limit,
        "t₁, t₂ its last fetches, t₃ the check",
    ),
    line(
        Measure::ReadBeforeRemoval,
        &[Pre4485],
        EVERY,
        None,
        always,
        "0",
        |_| Exactly(0),
        "refutes G2: it reads up to the LEO at every fetch, the last one in the tick of its removal",
    ),
    line(
        Measure::ReadBeforeRemoval,
        &[Proposed4485],
        STOPS,
        Some(Established),
        keeps_up_after_any_gap,
        "D + 1",
        |s| exactly(s.wide().lag + 1),
        "G2 holds exactly: every read that reaches the LEO meets the criterion",
    ),
    line(
        Measure::ReadBeforeRemoval,
        &[Proposed4485],
        &[Diligent],
        Some(Established),
        always,
        "D + 1 if F > D, else never",
        |s| if removable(s) { exactly(s.wide().lag + 1) } else { Never },
        "G2 holds exactly: every read that reaches the LEO meets the criterion",
    ),
    line(
        Measure::ReadBeforeRemoval,
        MERGED,
        &[Diligent],
        None,
        |s| survives_election(s) && !(s.start == Election && s.followers == 2),
        "max(0, D + 1 − F) if 2F > D, else never",
        |s| if removable(s) { exactly((s.wide().lag + 1).saturating_sub(s.wide().gap)) } else { Never },
        "a read counts from the fetch before it, up to F earlier",
    ),
    line(
        Measure::ReadBeforeRemoval,
        ALL,
        EVERY,
        None,
        always,
        "0",
        |_| Exactly(0),
        "the read in the tick of its removal counts only from the fetch before it, or not at all",
    ),
    // Question 3, while out.
    line(
        Measure::Outside,
        MERGED,
        &[Returning],
        Some(Established),
        |s| s.reads.is_some() && keeps_up(s),
        "F·(2 + ⌈(K + w − b)/(b − wF)⌉) if 2F ≤ D, else unbounded",
        |s| if removable(s) { Unbounded } else { exactly(back_after_backlog(s)) },
        "it reads off its backlog while the producer goes on, and needs two more fetches",
    ),
    line(
        Measure::Outside,
        MERGED,
        &[Returning],
        None,
        keeps_up,
        "2F if 2F ≤ D, else unbounded",
        |s| if removable(s) { Unbounded } else { exactly(2 * s.wide().gap) },
        "its third fetch finds the HW waiting since its second",
    ),
    line(
        Measure::Outside,
        MERGED,
        &[Diligent],
        Some(Election),
        plain,
        "3F − 1 if 2F ≤ D, else unbounded",
        |s| if removable(s) { Unbounded } else { exactly(3 * s.wide().gap - 1) },
        "its third fetch from the new leader",
    ),
    line(
        Measure::Outside,
        ALL,
        &[Diligent],
        Some(Established),
        |s| keeps_up(s) && !removable(s),
        "never",
        |_| Never,
        "it is never removed",
    ),
    line(
        Measure::Outside,
        ALL,
        NEEDS_DILIGENCE,
        None,
        always,
        "unbounded",
        |_| Unbounded,
        "alone, the leader commits at once, and a fetch is at the HW only if nothing was appended since the \
         one before",
    ),
    // Question 4.
    line(
        Measure::LastFetchWouldJoin,
        &[Proposed4485],
        &[Diligent],
        Some(Election),
        always,
        "1 if F > D, else 0",
        |s| yes_if(removable(s)),
        "removed before its first fetch it has no last fetch",
    ),
    line(
        Measure::NextFetchJoinsAfter,
        &[MaxMessages],
        &[Diligent],
        Some(Established),
        one,
        "1 if F > D or w(F + 1) > M, else 0; never if not removed",
        |s| {
            let wide = s.wide();
            let reads_all = wide.gap > wide.lag || wide.writes * (wide.gap + 1) > wide.messages_max;
            if removable(s) { yes_if(reads_all) } else { Never }
        },
        "alone, the leader commits all; only what was appended before its last fetch can remove it then",
    ),
    line(
        Measure::LastFetchWouldJoin,
        ALL,
        &[Diligent],
        None,
        never_removed,
        "never if not removed",
        |_| Never,
        "it is never removed",
    ),
    line(
        Measure::NextFetchWouldJoin,
        ALL,
        &[Diligent],
        None,
        never_removed,
        "never if not removed",
        |_| Never,
        "it is never removed",
    ),
    line(
        Measure::NextFetchJoinsAfter,
        ALL,
        &[Diligent],
        None,
        never_removed,
        "never if not removed",
        |_| Never,
        "it is never removed",
    ),
    line(
        Measure::LastFetchWouldJoin,
        ALL,
        EVERY,
        None,
        always,
        "1",
        |_| Exactly(1),
        "a member's known LEO is at or above the HW, and that is the join test",
    ),
    line(
        Measure::NextFetchWouldJoin,
        ALL,
        EVERY,
        None,
        always,
        "1",
        |_| Exactly(1),
        "its next fetch is at what the LEO was at its last, above the HW",
    ),
    line(
        Measure::NextFetchJoinsAfter,
        ALL,
        EVERY,
        None,
        always,
        "1",
        |_| Exactly(1),
        "the HW rises only to what the others hold; nothing need have been appended since its last fetch",
    ),
    line(
        Measure::Removals,
        &[Pre4485],
        NEEDS_DILIGENCE,
        None,
        always,
        "unbounded",
        |_| Unbounded,
        "it flaps for ever: in whenever the producer rests for a tick, out when it has not for D",
    ),
    line(
        Measure::Removals,
        ALL,
        NEEDS_DILIGENCE,
        None,
        |s| !keeps_up(s) || removable(s),
        "unbounded if a diligent follower can be removed",
        |_| Unbounded,
        "it flaps for ever",
    ),
    line(
        Measure::Removals,
        ALL,
        &[Diligent],
        Some(Established),
        always,
        "0 if not",
        |_| Exactly(0),
        "it is never removed",
    ),
    line(
        Measure::Removals,
        MERGED,
        &[Diligent],
        Some(Election),
        |s| !forgets(s) && one(s),
        "0 if not",
        |_| Exactly(0),
        "members start as caught up now",
    ),
    line(
        Measure::Removals,
        MERGED,
        &[Diligent],
        Some(Election),
        |s| forgets(s) && !one(s) && s.wide().period < 2 * s.wide().gap,
        "2 if not, with n = 2 and P < 2F",
        |_| Exactly(2),
        "once before its first fetch, and once more after it joined by chance",
    ),
    line(
        Measure::Removals,
        &[Proposed4485],
        &[Returning],
        Some(Established),
        keeps_up_after_any_gap,
        "0 if not",
        |_| Exactly(0),
        "each of its fetches meets the criterion",
    ),
    line(
        Measure::Removals,
        &[MaxMessages],
        &[Returning],
        Some(Established),
        plain,
        "1 if its last read before a removal can be F or less ago, else 0",
        |s| yes_if(returning_is_removed(s)),
        "it may come back with more than M records missing",
    ),
    line(
        Measure::Removals,
        ALL,
        NEEDS_DILIGENCE,
        None,
        always,
        "1 if not",
        |_| Exactly(1),
        "once at most: for the pause, or for what the new leader remembers",
    ),
    // Questions 5 and 6.
    line(Measure::Broken, ALL, EVERY, None, always, "0", |_| Exactly(0), "none is ever broken"),
    line(Measure::LagRises, ALL, EVERY, None, always, "0", |_| Exactly(0), "never"),
    line(
        Measure::QuietByHeld,
        ALL,
        NEEDS_DILIGENCE,
        None,
        plain,
        "F",
        |s| exactly(s.wide().gap),
        "its next fetch brings all",
    ),
    line(
        Measure::QuietByKnown,
        ALL,
        NEEDS_DILIGENCE,
        None,
        plain,
        "2F",
        |s| exactly(2 * s.wide().gap),
        "and the one after tells the leader",
    ),
    // What the merged rule's waiting high watermark costs.
    line(
        Measure::AloneUncommitted,
        ALL,
        &[Diligent],
        Some(Established),
        never_removed,
        "never",
        |_| Never,
        "the first follower is always a member",
    ),
    line(
        Measure::AloneUncommitted,
        ISR_ONLY,
        EVERY,
        None,
        always,
        "0",
        |_| Exactly(0),
        "alone, the leader commits at once",
    ),
    line(
        Measure::AloneUncommitted,
        MERGED,
        STOPS,
        None,
        always,
        "unbounded",
        |_| Unbounded,
        "the HW waits for an outsider that was caught up lately; when it stops, nothing looks at the HW \
         again until the next fetch or append",
    ),
    line(
        Measure::AloneUncommitted,
        MERGED,
        &[Diligent],
        None,
        one,
        "F",
        |s| exactly(s.wide().gap),
        "until the outsider's next fetch, which lets it join",
    ),
    line(
        Measure::AloneUncommitted,
        &[EqualLeo],
        &[Diligent],
        None,
        |s| s.wide().gap > 2 * s.wide().lag,
        "2F − D − 1 for F > 2D",
        |s| exactly(2 * s.wide().gap - s.wide().lag - 1),
        "from 2.4 on a fetch that changes nothing does not raise the HW",
    ),
    line(
        Measure::AloneUncommitted,
        MERGED,
        &[Diligent],
        Some(Established),
        always,
        "F + min(2F − D, D) − 1",
        |s| {
            let wide = s.wide();
            exactly(wide.gap + (2 * wide.gap - wide.lag).min(wide.lag) - 1)
        },
        "the other follower, outside too, may hold it back in turn",
    ),
    line(
        Measure::AloneUncommitted,
        MERGED,
        &[Diligent],
        Some(Election),
        always,
        "F + min(F, D) − 1",
        |s| exactly(s.wide().gap + s.wide().gap.min(s.wide().lag) - 1),
        "the other follower, outside too, may hold it back in turn",
    ),
];

/// Whether a diligent follower is never removed, from whatever start.
fn never_removed(setting: &Setting) -> bool {
    let lasting = keeps_up(setting) && !removable(setting);
    let merged = MERGED.contains(&setting.criterion);
    lasting
        && match setting.start {
            Established => true,
            Election => merged && setting.reset != NewLeaderReset::ForgetAll && setting.followers == 1,
        }
}
