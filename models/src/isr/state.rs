//! The compact state, and its way into a [`PartitionLeader`] and back.
//!
//! A state is the quotient of the unbounded protocol state by what no rule can tell apart:
//!
//! - **Offsets** become distances down from the leader's log end offset. Of the criteria only
//!   `max-messages` subtracts two offsets, and it asks no more than whether the difference is
//!   above M; all other rules compare. So distances are exact up to X (M for `max-messages`, 0
//!   for the rest) and beyond X only their order is kept. Appending moves all distances up
//!   together and a fetch copies one offset to another, so the order is all a step can see.
//!   Limited reads add b to an offset, and then every distance is kept as it is (bounded by the
//!   backlog, which is why that bound is there).
//! - **Times** become ages; they stop at [`Setting::caught_up_cap`] and [`Setting::fetch_cap`].
//! - The **start of the epoch** is forgotten where the criterion never reads it, and as soon as
//!   every follower holds all that lies before it: from then on every fetch passes its test.
//!
//! The bisimulation test compares all this with the unbounded protocol on random runs.

use isrlab_sim::protocol::criterion::{CaughtUpRule, JoinRule};
use isrlab_sim::protocol::{
    FollowerLog, FollowerState, IsrCriterion, Offset, PartitionLeader, ReplicaSet, UNKNOWN_OFFSET,
};

use super::setting::Setting;

/// The leader as the models expand it: room for two followers.
pub type Leader = PartitionLeader<3>;

/// A distance that stands for "no fetch seen yet" (Kafka's −1).
pub const UNKNOWN: u8 = u8::MAX;

/// Where an expanded leader stands: ages and distances count down from here.
pub(super) const NOW: i64 = 1_000;

/// The log end offset of an expanded leader.
const LEO: Offset = 1_000;

/// What the model keeps of one follower. Offsets are distances down from the leader's log end
/// offset; ages are in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Follower {
    /// Its log end offset as the leader knows it; [`UNKNOWN`] before its first fetch.
    pub known: u8,
    /// Its log end offset as it is: where its next fetch reads.
    pub held: u8,
    /// The leader's log end offset at its last fetch; [`UNKNOWN`] before, and always where the
    /// criterion does not use it.
    pub seen: u8,
    /// Age of its last caught-up time.
    pub caught_up_age: u8,
    /// Age of its last fetch: 0 when it has fetched in this tick.
    pub fetch_age: u8,
    /// Whether it must keep to the gap F from now on.
    pub diligent: bool,
}

/// A state between two actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The followers; the second is all zeros where there is one only.
    pub followers: [Follower; 2],
    /// The high watermark, as a distance.
    pub high_watermark: u8,
    /// The start offset of the leader's epoch, as a distance; [`UNKNOWN`] where forgotten.
    pub epoch_start: u8,
    /// The ISR, one bit a slot; slot 0 leads.
    pub isr: u8,
    /// Ticks since the last multiple of P.
    pub phase: u8,
    /// The check of this tick is still to come.
    pub check_due: bool,
    /// Something was appended in this tick.
    pub appended: bool,
    /// 0, or 1 + the number of the invariant that the last step broke.
    pub broken: u8,
}

impl State {
    /// Whether the follower at `index` is in the ISR.
    pub fn in_isr(&self, index: usize) -> bool {
        self.isr & (2 << index) != 0
    }

    /// The state in one word, the first follower in the lowest bits.
    pub fn pack(&self) -> u128 {
        let follower = |f: &Follower| {
            u128::from(f.known)
                | u128::from(f.held) << 8
                | u128::from(f.seen) << 16
                | u128::from(f.caught_up_age) << 24
                | u128::from(f.fetch_age) << 30
                | u128::from(f.diligent) << 36
        };
        follower(&self.followers[0])
            | follower(&self.followers[1]) << 37
            | u128::from(self.high_watermark) << 74
            | u128::from(self.epoch_start) << 82
            | u128::from(self.isr) << 90
            | u128::from(self.phase) << 93
            | u128::from(self.check_due) << 99
            | u128::from(self.appended) << 100
            | u128::from(self.broken) << 101
    }

    /// What [`State::pack`] packed.
    pub fn unpack(word: u128) -> Self {
        let byte = |at: u32, bits: u32| (word >> at & ((1 << bits) - 1)) as u8;
        let follower = |at: u32| Follower {
            known: byte(at, 8),
            held: byte(at + 8, 8),
            seen: byte(at + 16, 8),
            caught_up_age: byte(at + 24, 6),
            fetch_age: byte(at + 30, 6),
            diligent: byte(at + 36, 1) != 0,
        };
        State {
            followers: [follower(0), follower(37)],
            high_watermark: byte(74, 8),
            epoch_start: byte(82, 8),
            isr: byte(90, 3),
            phase: byte(93, 6),
            check_due: byte(99, 1) != 0,
            appended: byte(100, 1) != 0,
            broken: byte(101, 4),
        }
    }
}

impl std::hash::Hash for State {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u128(self.pack());
    }
}

/// A state expanded into the protocol's own types: what a step works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expanded {
    /// The leader.
    pub leader: Leader,
    /// What each follower holds.
    pub held: [Offset; 2],
    /// The instant that the ages count back from.
    pub now: i64,
}

/// Expands a state: a leader whose log ends at a fixed offset, at a fixed instant.
pub fn expand(setting: &Setting, state: &State) -> Expanded {
    let offset =
        |distance: u8| if distance == UNKNOWN { UNKNOWN_OFFSET } else { LEO - Offset::from(distance) };
    let followers = usize::from(setting.followers);
    let log = FollowerLog { log_end_offset: LEO, high_watermark: offset(state.high_watermark) };
    let isr = ReplicaSet::from_bits(u32::from(state.isr));
    let mut leader = Leader::restored(followers + 1, 0, log, offset(state.epoch_start), isr);
    let mut held = [0; 2];
    for (index, follower) in state.followers.iter().take(followers).enumerate() {
        held[index] = offset(follower.held);
        // A leader that has seen no fetch knows the time of none: never, in Kafka −1 or 0.
        let fetch_time = if follower.seen == UNKNOWN { 0 } else { NOW - i64::from(follower.fetch_age) };
        leader.set_follower(
            index + 1,
            FollowerState {
                log_end_offset: offset(follower.known),
                last_caught_up: NOW - i64::from(follower.caught_up_age),
                last_fetch_time: fetch_time,
                last_fetch_leader_leo: offset(follower.seen),
            },
        );
    }
    Expanded { leader, held, now: NOW }
}

/// The state of an expanded leader, with what is not the leader's taken from `rest`: ages of
/// fetches, diligence, phase and flags.
pub fn compress(setting: &Setting, expanded: &Expanded, rest: &State) -> State {
    let leo = expanded.leader.log_end_offset();
    let distance = |offset: Offset| {
        if offset < 0 { i64::from(UNKNOWN) } else { leo - offset }
    };
    let followers = usize::from(setting.followers);
    let rules = setting.criterion.rules();
    let epoch_start = expanded.leader.epoch_start_offset();
    let epoch_matters = rules.join == JoinRule::AtHighWatermarkAndEpochStart
        && expanded.held.iter().take(followers).any(|&held| held < epoch_start);
    let uses_seen = matches!(rules.caught_up, CaughtUpRule::Proposed4485 | CaughtUpRule::AtPreviousLogEnd);

    let mut points = [0i64; 8];
    points[0] = distance(expanded.leader.high_watermark());
    points[1] = if epoch_matters { distance(epoch_start) } else { i64::from(UNKNOWN) };
    for index in 0..followers {
        let known = expanded.leader.follower(index + 1);
        points[2 + 3 * index] = distance(known.log_end_offset);
        points[3 + 3 * index] = distance(expanded.held[index]);
        points[4 + 3 * index] =
            if uses_seen { distance(known.last_fetch_leader_leo) } else { i64::from(UNKNOWN) };
    }
    let exact_up_to = if setting.reads.is_some() {
        i64::from(UNKNOWN)
    } else if setting.criterion == IsrCriterion::MaxMessages {
        i64::from(setting.messages_max)
    } else {
        0
    };
    let points = squeeze(points, exact_up_to);

    let mut state = *rest;
    state.high_watermark = points[0];
    state.epoch_start = points[1];
    state.isr = expanded.leader.isr().bits() as u8;
    for index in 0..followers {
        let age = expanded.leader.follower(index + 1).caught_up_age(expanded.now);
        let follower = &mut state.followers[index];
        follower.known = points[2 + 3 * index];
        follower.held = points[3 + 3 * index];
        follower.seen = points[4 + 3 * index];
        follower.caught_up_age = age.min(i64::from(setting.caught_up_cap())) as u8;
    }
    state
}

/// Keeps distances up to `exact_up_to` and only the order of those beyond it.
///
/// # Panics
/// If a distance does not fit: the backlog bound has been passed.
fn squeeze(points: [i64; 8], exact_up_to: i64) -> [u8; 8] {
    let unknown = i64::from(UNKNOWN);
    points.map(|point| {
        if point == unknown {
            return UNKNOWN;
        }
        let squeezed = if point <= exact_up_to {
            point
        } else {
            // One above the exact range for the nearest of those beyond it, and so on.
            let nearer = |i: usize| {
                let other = points[i];
                let counts = other != unknown && other > exact_up_to && other < point;
                counts && !points[..i].contains(&other)
            };
            exact_up_to + 1 + (0..points.len()).filter(|&i| nearer(i)).count() as i64
        };
        assert!(squeezed < unknown, "a distance of {squeezed} records does not fit");
        squeezed as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squeezing_keeps_small_distances_and_the_order_of_large_ones() {
        let unknown = i64::from(UNKNOWN);
        assert_eq!(squeeze([0, 9, 4, 9, unknown, 30, 1, 0], 0), [0, 3, 2, 3, UNKNOWN, 4, 1, 0]);
        assert_eq!(squeeze([0, 9, 4, 9, unknown, 30, 1, 0], 4), [0, 5, 4, 5, UNKNOWN, 6, 1, 0]);
        assert_eq!(squeeze([0, 9, 4, 9, unknown, 30, 1, 0], unknown), [0, 9, 4, 9, UNKNOWN, 30, 1, 0]);
    }

    #[test]
    fn packing_is_undone_by_unpacking() {
        let follower = |n: u8| Follower {
            known: 200 + n,
            held: 100 + n,
            seen: UNKNOWN,
            caught_up_age: 51,
            fetch_age: 40 + n,
            diligent: n == 1,
        };
        let state = State {
            followers: [follower(1), follower(2)],
            high_watermark: 77,
            epoch_start: UNKNOWN,
            isr: 0b101,
            phase: 49,
            check_due: true,
            appended: false,
            broken: 8,
        };
        assert_eq!(State::unpack(state.pack()), state);
    }
}
