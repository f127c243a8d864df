//! The leader of one partition.

use super::criterion::{IsrRules, JoinView, LagLimits};
use super::follower::FollowerLog;
use super::follower_state::{FetchObservation, FollowerState};
use super::produce::{Acks, ProduceError};
use super::profile::{HighWatermarkOnFetch, NewLeaderReset, Profile};
use super::replica_set::ReplicaSet;
use super::types::{Offset, ReplicaSlot, TimeMs, UNKNOWN_OFFSET};

/// The rules and settings by which a leader acts; one for all partitions of a broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaderSettings {
    /// The rules of the ISR criterion.
    pub rules: IsrRules,
    /// `replica.lag.time.max.ms` and `replica.lag.max.messages`.
    pub lag: LagLimits,
    /// `min.insync.replicas`.
    pub min_insync_replicas: u32,
    /// What a new leader remembers of its followers.
    pub new_leader_reset: NewLeaderReset,
    /// When a fetch makes the leader evaluate the high watermark.
    pub high_watermark_on_fetch: HighWatermarkOnFetch,
    /// KAFKA-15583: no high watermark movement below `min.insync.replicas`.
    pub high_watermark_frozen_below_min_isr: bool,
}

impl LeaderSettings {
    /// The rules and defaults of a profile.
    pub fn of_profile(profile: &Profile) -> Self {
        LeaderSettings {
            rules: profile.criterion.rules(),
            lag: LagLimits {
                time_max: profile.defaults.replica_lag_time_max_ms,
                messages_max: profile.defaults.replica_lag_max_messages,
            },
            min_insync_replicas: profile.defaults.min_insync_replicas,
            new_leader_reset: profile.new_leader_reset,
            high_watermark_on_fetch: profile.high_watermark_on_fetch,
            high_watermark_frozen_below_min_isr: profile.high_watermark_frozen_below_min_isr,
        }
    }
}

/// What a fetch did to the leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FetchEffect {
    /// The fetch met the criterion's caught-up rule.
    pub caught_up: bool,
    /// The follower joined the ISR.
    pub joined: bool,
    /// The high watermark rose.
    pub high_watermark_rose: bool,
}

/// One partition as its leader sees it: its own log, the ISR, and what it knows of each follower.
/// `R` is the most replicas it can hold; there is no heap in it.
///
/// Between terms the value stays as the broker's memory of the partition, which some versions
/// carry from one term into the next.
// The order of the fields is kept, so that the head and the first followers stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct PartitionLeader<const R: usize> {
    log_end_offset: Offset,
    high_watermark: Offset,
    epoch_start_offset: Offset,
    isr: ReplicaSet,
    replicas: ReplicaSet,
    slot: ReplicaSlot,
    leading: bool,
    followers: [FollowerState; R],
}

impl<const R: usize> PartitionLeader<R> {
    /// A broker that has just been told of the partition, and follows: replica `slot` of
    /// `replicas`, with an empty log, at `now`.
    ///
    /// # Panics
    /// If `replicas` is above `R`, or `slot` is not one of them.
    pub fn new(replicas: usize, slot: ReplicaSlot, now: TimeMs) -> Self {
        assert!(replicas <= R && slot < replicas, "slot {slot} of {replicas} replicas, at most {R}");
        PartitionLeader {
            log_end_offset: 0,
            high_watermark: 0,
            epoch_start_offset: UNKNOWN_OFFSET,
            isr: ReplicaSet::EMPTY,
            replicas: ReplicaSet::first(replicas),
            slot,
            leading: false,
            followers: [FollowerState::created(now); R],
        }
    }

    /// Next offset to be written.
    #[inline]
    pub fn log_end_offset(&self) -> Offset {
        self.log_end_offset
    }

    /// First offset that is not committed.
    #[inline]
    pub fn high_watermark(&self) -> Offset {
        self.high_watermark
    }

    /// The log end offset at the beginning of the current term; −1 before the first.
    pub fn epoch_start_offset(&self) -> Offset {
        self.epoch_start_offset
    }

    /// The in-sync replicas, the leader among them; empty while it follows.
    #[inline]
    pub fn isr(&self) -> ReplicaSet {
        self.isr
    }

    /// All replicas of the partition.
    #[inline]
    pub fn replicas(&self) -> ReplicaSet {
        self.replicas
    }

    /// The leader's own slot.
    #[inline]
    pub fn slot(&self) -> ReplicaSlot {
        self.slot
    }

    /// Whether it leads now.
    pub fn is_leading(&self) -> bool {
        self.leading
    }

    /// What is known of the replica at `slot`; meaningless for the leader's own.
    #[inline]
    pub fn follower(&self, slot: ReplicaSlot) -> &FollowerState {
        &self.followers[slot]
    }

    /// What is known of each replica, by slot; meaningless for the leader's own and for slots that
    /// are no replica's.
    #[inline]
    pub fn followers(&self) -> &[FollowerState; R] {
        &self.followers
    }

    /// The slots of all other replicas.
    #[inline]
    pub fn follower_slots(&self) -> impl Iterator<Item = ReplicaSlot> + use<R> {
        self.replicas.without(ReplicaSet::only(self.slot)).iter()
    }

    /// Overwrites what is known of a follower. For models and tests that start in the middle of a
    /// run; the simulator never calls it.
    pub fn set_follower(&mut self, slot: ReplicaSlot, state: FollowerState) {
        self.followers[slot] = state;
    }

    /// A leader in the middle of a term, for models that keep a state in a form of their own and
    /// expand it to take a step.
    ///
    /// # Panics
    /// As [`PartitionLeader::new`].
    pub fn restored(
        replicas: usize,
        slot: ReplicaSlot,
        log: FollowerLog,
        epoch_start_offset: Offset,
        isr: ReplicaSet,
    ) -> Self {
        let mut leader = PartitionLeader::new(replicas, slot, 0);
        leader.log_end_offset = log.log_end_offset;
        leader.high_watermark = log.high_watermark;
        leader.epoch_start_offset = epoch_start_offset;
        leader.isr = isr;
        leader.leading = true;
        leader
    }

    /// Becomes leader with the given ISR, or, already leading, is elected again.
    ///
    /// The high watermark is evaluated: the ISR may be the leader alone.
    pub fn become_leader(&mut self, settings: &LeaderSettings, isr: ReplicaSet, now: TimeMs) {
        let new_leader = !self.leading;
        self.leading = true;
        self.isr = isr;
        self.epoch_start_offset = self.log_end_offset;
        for slot in self.follower_slots() {
            let in_isr = isr.contains(slot);
            reset_follower(
                &mut self.followers[slot],
                settings.new_leader_reset,
                new_leader,
                in_isr,
                self.log_end_offset,
                now,
            );
        }
        self.maybe_raise_high_watermark(settings, now);
    }

    /// Stops leading. What it knew of its followers stays in memory; the ISR is forgotten.
    pub fn become_follower(&mut self) {
        self.leading = false;
        self.isr = ReplicaSet::EMPTY;
    }

    /// While it follows: takes over the ends of its own log.
    pub fn set_log(&mut self, log: FollowerLog) {
        self.log_end_offset = log.log_end_offset;
        self.high_watermark = log.high_watermark;
    }

    /// The ends of its own log.
    pub fn log(&self) -> FollowerLog {
        FollowerLog { log_end_offset: self.log_end_offset, high_watermark: self.high_watermark }
    }

    /// Appends `records` of a produce request, and evaluates the high watermark, which may rise
    /// at once when the leader is alone. Returns whether it rose.
    ///
    /// # Errors
    /// [`ProduceError::NotEnoughReplicas`] for acks=all while the ISR is smaller than
    /// `min.insync.replicas`; [`ProduceError::NotLeaderOrFollower`] while it follows. Nothing is
    /// appended then.
    #[inline]
    pub fn append(
        &mut self,
        settings: &LeaderSettings,
        records: Offset,
        acks: Acks,
        now: TimeMs,
    ) -> Result<bool, ProduceError> {
        if !self.leading {
            return Err(ProduceError::NotLeaderOrFollower);
        }
        if acks == Acks::All && self.is_under_min_isr(settings) {
            return Err(ProduceError::NotEnoughReplicas);
        }
        self.log_end_offset += records;
        Ok(self.maybe_raise_high_watermark(settings, now))
    }

    /// A fetch from the follower at `slot` arrives: takes it into the follower's state, adds the
    /// follower to the ISR if it may join, and evaluates the high watermark if the version does
    /// so here. The caller reads from `offset` up to the log end as it was.
    #[inline]
    pub fn fetch(
        &mut self,
        settings: &LeaderSettings,
        slot: ReplicaSlot,
        offset: Offset,
        now: TimeMs,
    ) -> FetchEffect {
        let previous_offset = self.followers[slot].log_end_offset;
        let observation = FetchObservation {
            offset,
            leader_leo: self.log_end_offset,
            high_watermark: self.high_watermark,
            now,
        };
        let caught_up = settings.rules.caught_up.observe(&mut self.followers[slot], observation);
        let joined = !self.isr.contains(slot)
            && settings.rules.join.admits(JoinView {
                offset,
                high_watermark: self.high_watermark,
                epoch_start_offset: self.epoch_start_offset,
                caught_up,
            });
        if joined {
            self.isr.insert(slot);
        }
        let evaluate = match settings.high_watermark_on_fetch {
            HighWatermarkOnFetch::Always => true,
            HighWatermarkOnFetch::WhenChanged => joined || previous_offset != offset,
        };
        let high_watermark_rose = evaluate && self.maybe_raise_high_watermark(settings, now);
        FetchEffect { caught_up, joined, high_watermark_rose }
    }

    /// The periodic check (`isr-expiration`): removes all members that are out of sync in one
    /// change, and then evaluates the high watermark. Returns who was removed.
    pub fn check_isr(&mut self, settings: &LeaderSettings, now: TimeMs) -> ReplicaSet {
        let removed = self.out_of_sync(settings, now);
        if !removed.is_empty() {
            self.isr = self.isr.without(removed);
            self.maybe_raise_high_watermark(settings, now);
        }
        removed
    }

    /// The members that the check would remove at `now`.
    pub fn out_of_sync(&self, settings: &LeaderSettings, now: TimeMs) -> ReplicaSet {
        let members = self.isr.without(ReplicaSet::only(self.slot));
        members
            .iter()
            .filter(|&slot| {
                settings.rules.out_of_sync.applies(
                    &self.followers[slot],
                    self.log_end_offset,
                    now,
                    settings.lag,
                )
            })
            .collect()
    }

    /// Whether the ISR is smaller than `min.insync.replicas`.
    #[inline]
    pub fn is_under_min_isr(&self, settings: &LeaderSettings) -> bool {
        (self.isr.len() as u32) < settings.min_insync_replicas
    }

    /// Raises the high watermark to the smallest log end offset among the replicas that it waits
    /// for. It never falls. Returns whether it rose.
    #[inline]
    fn maybe_raise_high_watermark(&mut self, settings: &LeaderSettings, now: TimeMs) -> bool {
        if settings.high_watermark_frozen_below_min_isr && self.is_under_min_isr(settings) {
            return false;
        }
        let mut lowest = self.log_end_offset;
        // Slot by slot, without an index to be checked.
        let mut others = self.replicas.without(ReplicaSet::only(self.slot)).bits();
        let mut isr = self.isr.bits();
        for follower in &self.followers {
            if others == 0 {
                break;
            }
            if others & 1 != 0
                && follower.log_end_offset < lowest
                && settings.rules.high_watermark.waits_for(follower, isr & 1 != 0, now, settings.lag.time_max)
            {
                lowest = follower.log_end_offset;
            }
            others >>= 1;
            isr >>= 1;
        }
        let rises = lowest > self.high_watermark;
        if rises {
            self.high_watermark = lowest;
        }
        rises
    }
}

/// What [`PartitionLeader::become_leader`] does to the memory of one follower.
fn reset_follower(
    follower: &mut FollowerState,
    reset: NewLeaderReset,
    new_leader: bool,
    in_isr: bool,
    leader_leo: Offset,
    now: TimeMs,
) {
    let isr_now = FollowerState {
        log_end_offset: follower.log_end_offset,
        last_caught_up: if in_isr { now } else { 0 },
        last_fetch_time: now,
        last_fetch_leader_leo: leader_leo,
    };
    match (reset, new_leader) {
        (NewLeaderReset::FetchTimeNow, _) => {
            follower.log_end_offset = UNKNOWN_OFFSET;
            follower.last_caught_up = now;
        }
        (NewLeaderReset::KeepTimes, true) => follower.log_end_offset = UNKNOWN_OFFSET,
        (NewLeaderReset::KeepTimes, false) => {}
        (NewLeaderReset::ForgetAll, true) => *follower = FollowerState::UNKNOWN,
        (NewLeaderReset::IsrNow | NewLeaderReset::IsrNowOthersNever, true) => {
            *follower = FollowerState {
                log_end_offset: UNKNOWN_OFFSET,
                last_fetch_time: 0,
                last_fetch_leader_leo: UNKNOWN_OFFSET,
                ..isr_now
            };
        }
        (NewLeaderReset::ForgetAll | NewLeaderReset::IsrNow, false) => *follower = isr_now,
        (NewLeaderReset::IsrNowOthersNever, false) => {
            *follower = FollowerState { last_fetch_time: if in_isr { now } else { 0 }, ..isr_now };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::IsrCriterion;

    const NOW: TimeMs = 1_000_000;

    fn settings(criterion: IsrCriterion, min_insync_replicas: u32) -> LeaderSettings {
        LeaderSettings {
            min_insync_replicas,
            ..LeaderSettings::of_profile(&Profile::of_criterion(criterion))
        }
    }

    fn leader(settings: &LeaderSettings, isr: usize) -> PartitionLeader<3> {
        let mut leader = PartitionLeader::new(3, 0, NOW);
        leader.become_leader(settings, ReplicaSet::first(isr), NOW);
        leader
    }

    #[test]
    fn under_min_isr_is_strictly_fewer() {
        let settings = settings(IsrCriterion::Post4485, 2);
        for (isr, under) in [(1, true), (2, false), (3, false)] {
            let mut leader = leader(&settings, isr);
            assert_eq!(leader.is_under_min_isr(&settings), under, "{isr} in sync");
            let refused = leader.append(&settings, 1, Acks::All, NOW).is_err();
            assert_eq!(refused, under);
            assert_eq!(leader.log_end_offset(), i64::from(!under));
            assert!(leader.append(&settings, 1, Acks::Leader, NOW).is_ok());
        }
    }

    #[test]
    fn a_term_begins_and_ends() {
        let settings = settings(IsrCriterion::EqualLeo, 1);
        let mut leader = PartitionLeader::<3>::new(3, 1, NOW);
        assert!(!leader.is_leading() && leader.isr().is_empty());
        assert_eq!(leader.epoch_start_offset(), UNKNOWN_OFFSET);
        let refused = leader.append(&settings, 1, Acks::Leader, NOW);
        assert_eq!(refused, Err(ProduceError::NotLeaderOrFollower));
        leader.set_log(FollowerLog { log_end_offset: 7, high_watermark: 4 });
        leader.become_leader(&settings, ReplicaSet::first(3), NOW);
        assert!(leader.is_leading());
        assert_eq!((leader.epoch_start_offset(), leader.slot()), (7, 1));
        assert_eq!(leader.follower_slots().collect::<Vec<_>>(), [0, 2]);
        leader.become_follower();
        assert!(!leader.is_leading() && leader.isr().is_empty());
        assert_eq!(leader.log(), FollowerLog { log_end_offset: 7, high_watermark: 4 });
    }

    #[test]
    fn a_leader_alone_commits_at_once() {
        let settings = settings(IsrCriterion::Pre4485, 1);
        let mut leader = leader(&settings, 1);
        assert_eq!(leader.append(&settings, 5, Acks::All, NOW), Ok(true));
        assert_eq!(leader.high_watermark(), 5);
    }

    #[test]
    fn a_fetch_raises_the_high_watermark_when_the_version_looks() {
        // A follower outside the ISR holds the high watermark back while it counts as caught up;
        // when it no longer does, only a look at the high watermark moves it.
        for (criterion, rises) in [(IsrCriterion::Post4485, true), (IsrCriterion::EqualLeo, false)] {
            let settings = settings(criterion, 1);
            let mut leader = leader(&settings, 2);
            leader.append(&settings, 3, Acks::Leader, NOW).unwrap();
            leader.fetch(&settings, 1, 3, NOW);
            let outsider = FollowerState { log_end_offset: 0, last_caught_up: NOW, ..FollowerState::UNKNOWN };
            leader.set_follower(2, outsider);
            leader.append(&settings, 1, Acks::Leader, NOW).unwrap();
            leader.fetch(&settings, 1, 4, NOW);
            assert_eq!(leader.high_watermark(), 3);
            let later = NOW + settings.lag.time_max + 1;
            let effect = leader.fetch(&settings, 1, 4, later);
            assert_eq!((effect.high_watermark_rose, effect.joined), (rises, false), "{criterion}");
            assert_eq!(leader.high_watermark(), if rises { 4 } else { 3 });
            assert!(!leader.fetch(&settings, 1, 4, later).high_watermark_rose, "it rises once");
        }
    }
}
