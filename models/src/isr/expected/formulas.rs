//! The formulas of the table that do not fit on a line, and the conditions that lines share.

use isrlab_sim::protocol::{IsrCriterion, NewLeaderReset};

use super::Predicted::{self, Exactly, Never};
use super::removable;
use crate::isr::setting::{Behaviour, Setting, Start};

/// The numbers of a [`Setting`], wide enough to calculate with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    pub lag: u32,
    pub period: u32,
    pub gap: u32,
    pub writes: u32,
    pub messages_max: u32,
    pub followers: u32,
}

impl Setting {
    pub(super) fn wide(&self) -> Wide {
        Wide {
            lag: self.lag.into(),
            period: self.period.into(),
            gap: self.gap.into(),
            writes: self.writes.into(),
            messages_max: self.messages_max.into(),
            followers: self.followers.into(),
        }
    }
}

/// Reads are not limited.
pub(super) fn plain(setting: &Setting) -> bool {
    setting.reads.is_none()
}

/// A diligent follower reads fast enough for its criterion.
///
/// Criteria that ask for the LEO need every read to reach it: b ≥ w(F + 1), because appends of
/// F + 1 ticks can lie between two fetches that are F ticks apart. `max-messages` allows for a
/// backlog that does not grow: b ≥ wF.
pub(super) fn keeps_up(setting: &Setting) -> bool {
    let wide = setting.wide();
    let ticks = match setting.criterion {
        IsrCriterion::MaxMessages => wide.gap,
        _ => wide.gap + 1,
    };
    setting.reads.is_none_or(|reads| u32::from(reads.records) >= wide.writes * ticks)
}

/// Every read of a member reaches the LEO, whatever gaps a check lets pass. (One of two followers
/// may join with any backlog, while the other holds the high watermark back.)
pub(super) fn keeps_up_after_any_gap(setting: &Setting) -> bool {
    let wide = setting.wide();
    let of_a_member = wide.writes * (wide.lag + wide.period + 1);
    setting.reads.is_none_or(|reads| {
        let backlog = u32::from(reads.backlog);
        let most = if setting.followers == 1 { backlog.min(of_a_member) } else { backlog };
        u32::from(reads.records) >= most
    })
}

/// The new leader forgets members' times too.
pub(super) fn forgets(setting: &Setting) -> bool {
    setting.reset == NewLeaderReset::ForgetAll
}

/// Members begin with a caught-up time that is not from an earlier term, and not forgotten.
pub(super) fn survives_election(setting: &Setting) -> bool {
    setting.start == Start::Established || !forgets(setting)
}

/// The longest time between a fetch in the tick of a check and the next fetch that a check does
/// not come between: P·(⌊D/P⌋ + 1).
pub(super) fn checks_apart(setting: &Setting) -> u32 {
    let wide = setting.wide();
    wide.period * (wide.lag / wide.period + 1)
}

/// How long a follower that comes back with a backlog of K is outside: it reads b a fetch while
/// w(jF + 1) records are appended up to its j-th fetch, and when a read has reached the LEO it
/// needs two more fetches.
pub(super) fn back_after_backlog(setting: &Setting) -> u32 {
    let wide = setting.wide();
    let reads = setting.reads.expect("only asked where reads are limited");
    let (records, backlog) = (u32::from(reads.records), u32::from(reads.backlog));
    let to_read = (backlog + wide.writes).saturating_sub(records);
    wide.gap * (2 + to_read.div_ceil(records - wide.writes * wide.gap))
}

/// `max-messages`: the least age of its last read at a removal.
///
/// Its last two fetches arrive at t₁ and t₂ and the check runs at t₃. The leader knows what it held
/// at t₁, so appends in each of the ticks t₁ … t₃ count: w(t₃ − t₁ + 1) > M removes it, and so does
/// t₃ − t₂ > D. No check may come between t₁ and t₂ more than D after t₁, unless the follower is
/// outside the ISR then and t₂ lets it join, which it can when a second follower holds the high
/// watermark back. Where the checks lie is free, which no closed formula knows of; so this tries
/// them all.
pub(super) fn last_read_before_message_limit(setting: &Setting) -> Predicted {
    debug_assert_eq!(setting.criterion, IsrCriterion::MaxMessages);
    let wide = setting.wide();
    let diligent = setting.behaviour == Behaviour::Diligent;
    if diligent && !removable(setting) {
        return Never;
    }
    let ticks_to_limit = wide.messages_max / wide.writes;
    let longest = if diligent { wide.gap } else { wide.lag + wide.period + ticks_to_limit };
    let check_at_or_after = |tick: u32| tick.next_multiple_of(wide.period);
    let mut least = u32::MAX;
    for first in 0..wide.period {
        for second in first + 1..=first + longest {
            let check_before = (second - 1) / wide.period * wide.period;
            if check_before > first + wide.lag && setting.followers == 1 {
                break;
            }
            for removal in [
                check_at_or_after(second.max(first + ticks_to_limit)),
                check_at_or_after(second + wide.lag + 1),
            ] {
                if !diligent || removal - second <= wide.gap {
                    least = least.min(removal - second);
                }
            }
        }
    }
    Exactly(u8::try_from(least).expect("bounds of small settings are small"))
}

/// As [`last_read_before_message_limit`], with limited reads: when a read of at most b records
/// reaches the LEO, up to b are not known yet, and w(t₃ − t₂) > M − b removes it at the earliest.
pub(super) fn last_read_before_message_limit_if_limited(setting: &Setting) -> Predicted {
    let reads = setting.reads.expect("only asked where reads are limited");
    let wide = setting.wide();
    let unread = wide.messages_max.saturating_sub(u32::from(reads.records)) / wide.writes;
    let free = Setting { behaviour: Behaviour::Any, ..*setting };
    match last_read_before_message_limit(&free) {
        Exactly(unlimited) => Exactly(unlimited.max(unread.min(wide.lag + 1) as u8)),
        other => other,
    }
}

/// `max-messages`: whether a follower can be removed after it has become diligent.
pub(super) fn returning_is_removed(setting: &Setting) -> bool {
    let free = Setting { behaviour: Behaviour::Any, ..*setting };
    let soon = match last_read_before_message_limit(&free) {
        Exactly(age) => age <= setting.gap,
        _ => false,
    };
    removable(setting) || soon
}
