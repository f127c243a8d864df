//! Kafka versions as sets of rules and defaults.

use super::criterion::IsrCriterion;
use super::types::{Offset, TimeMs};
use std::str::FromStr;

/// What a broker does with its memory of the followers when it becomes leader.
///
/// The remote log end offsets become unknown (−1) in every version when the leader is *new*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewLeaderReset {
    /// Kafka up to 0.8.2: setting the log end offset to unknown also set its time to now; done
    /// at a re-election of the sitting leader too.
    FetchTimeNow,
    /// 0.9.0 to 0.10.1: the times stay as they were, from whatever term they date.
    KeepTimes,
    /// KAFKA-4485 as merged in December 2016: at a new leader every field becomes −1, for ISR
    /// members too, so that a check before a follower's first fetch empties the ISR to the
    /// leader. No release has it: KAFKA-4441 mended it before 0.10.2.0.
    ForgetAll,
    /// 0.10.2.0 to 3.2: ISR members count as caught up now, others as never caught up (0). At a
    /// re-election of the sitting leader all count as having fetched now.
    IsrNow,
    /// 3.3 and later: as [`NewLeaderReset::IsrNow`], but at a re-election only ISR members count
    /// as having fetched now, so that nobody else is brought back before a real fetch.
    IsrNowOthersNever,
}

/// When a fetch makes the leader evaluate the high watermark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HighWatermarkOnFetch {
    /// At every fetch (Kafka up to 2.3).
    Always,
    /// When the fetch changed the follower's recorded offset, or the ISR (2.4 and later).
    WhenChanged,
}

/// To which offset a replica cuts its log when it becomes a follower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FollowerTruncation {
    /// To its own high watermark (Kafka up to 0.10.2).
    ToHighWatermark,
    /// To the end of its latest epoch in the new leader's log (KIP-101, 0.11.0 and later). After
    /// a planned move, where every log is a prefix of one history, that is the new leader's log
    /// end offset.
    ToLeaderEpochEnd,
}

/// The defaults of the settings that replication depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplicationDefaults {
    /// `replica.lag.time.max.ms`.
    pub replica_lag_time_max_ms: TimeMs,
    /// `replica.lag.max.messages`, records; only `max-messages` reads it.
    pub replica_lag_max_messages: Offset,
    /// `replica.fetch.wait.max.ms`.
    pub replica_fetch_wait_max_ms: TimeMs,
    /// `replica.fetch.min.bytes`.
    pub replica_fetch_min_bytes: u64,
    /// `replica.fetch.max.bytes`: most bytes of one partition in one answer.
    pub replica_fetch_max_bytes: u64,
    /// `replica.fetch.response.max.bytes` (KIP-74, 0.10.1): most bytes of one answer.
    pub replica_fetch_response_max_bytes: u64,
    /// `replica.fetch.backoff.ms`.
    pub replica_fetch_backoff_ms: TimeMs,
    /// `num.replica.fetchers`: fetcher threads per source broker.
    pub num_replica_fetchers: u32,
    /// `min.insync.replicas`.
    pub min_insync_replicas: u32,
}

/// A Kafka version, or a bare criterion, as the rules and defaults that a run uses.
///
/// In every profile an ISR change takes effect at once: the round trip to the controller that
/// versions from 2.7 on make for it (KIP-497), the fencing of brokers (KIP-841, KIP-903) and
/// eligible leader replicas (KIP-966) are not simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// `kafka-0.10.1` and the like, or the name of a bare criterion.
    pub name: &'static str,
    /// The ISR criterion.
    pub criterion: IsrCriterion,
    /// What a new leader remembers.
    pub new_leader_reset: NewLeaderReset,
    /// When a fetch makes the leader evaluate the high watermark.
    pub high_watermark_on_fetch: HighWatermarkOnFetch,
    /// A fetch that finds no data is answered at once if the follower does not know the leader's
    /// high watermark yet (Kafka 2.4 and 2.5 only).
    pub answers_when_high_watermark_is_new: bool,
    /// How a new follower cuts its log.
    pub follower_truncation: FollowerTruncation,
    /// The high watermark stands still while the ISR is smaller than `min.insync.replicas`
    /// (KAFKA-15583, 3.7 and later).
    pub high_watermark_frozen_below_min_isr: bool,
    /// Defaults of the version.
    pub defaults: ReplicationDefaults,
}

const DEFAULTS: ReplicationDefaults = ReplicationDefaults {
    replica_lag_time_max_ms: 10_000,
    replica_lag_max_messages: 4_000,
    replica_fetch_wait_max_ms: 500,
    replica_fetch_min_bytes: 1,
    replica_fetch_max_bytes: 1_048_576,
    // Before KIP-74 nothing limited a whole answer.
    replica_fetch_response_max_bytes: u64::MAX,
    replica_fetch_backoff_ms: 1_000,
    num_replica_fetchers: 1,
    min_insync_replicas: 1,
};

const DEFAULTS_0_10_1: ReplicationDefaults =
    ReplicationDefaults { replica_fetch_response_max_bytes: 10 * 1024 * 1024, ..DEFAULTS };

/// KIP-537 tripled the lag time.
const DEFAULTS_2_5: ReplicationDefaults =
    ReplicationDefaults { replica_lag_time_max_ms: 30_000, ..DEFAULTS_0_10_1 };

const fn version(
    name: &'static str,
    criterion: IsrCriterion,
    new_leader_reset: NewLeaderReset,
    high_watermark_on_fetch: HighWatermarkOnFetch,
    defaults: ReplicationDefaults,
) -> Profile {
    Profile {
        name,
        criterion,
        new_leader_reset,
        high_watermark_on_fetch,
        answers_when_high_watermark_is_new: false,
        follower_truncation: FollowerTruncation::ToLeaderEpochEnd,
        high_watermark_frozen_below_min_isr: false,
        defaults,
    }
}

const fn truncating_to_high_watermark(mut profile: Profile) -> Profile {
    profile.follower_truncation = FollowerTruncation::ToHighWatermark;
    profile
}

const fn answering_new_high_watermarks(mut profile: Profile) -> Profile {
    profile.answers_when_high_watermark_is_new = true;
    profile
}

const fn frozen_below_min_isr(mut profile: Profile) -> Profile {
    profile.high_watermark_frozen_below_min_isr = true;
    profile
}

impl Profile {
    /// The Kafka versions there are, oldest first. A version that changed nothing here still has
    /// its line, so that an operator finds it.
    pub const VERSIONS: [Profile; 22] = {
        use HighWatermarkOnFetch::{Always, WhenChanged};
        use IsrCriterion::{EpochStart, EqualLeo, MaxMessages, Post4485, Pre4485};
        use NewLeaderReset::{FetchTimeNow, IsrNow, IsrNowOthersNever, KeepTimes};
        [
            truncating_to_high_watermark(version("kafka-0.8.2", MaxMessages, FetchTimeNow, Always, DEFAULTS)),
            truncating_to_high_watermark(version("kafka-0.9.0", Pre4485, KeepTimes, Always, DEFAULTS)),
            truncating_to_high_watermark(version("kafka-0.10.0", Pre4485, KeepTimes, Always, DEFAULTS)),
            truncating_to_high_watermark(version(
                "kafka-0.10.1",
                Pre4485,
                KeepTimes,
                Always,
                DEFAULTS_0_10_1,
            )),
            truncating_to_high_watermark(version("kafka-0.10.2", Post4485, IsrNow, Always, DEFAULTS_0_10_1)),
            version("kafka-0.11.0", Post4485, IsrNow, Always, DEFAULTS_0_10_1),
            version("kafka-1.0", Post4485, IsrNow, Always, DEFAULTS_0_10_1),
            version("kafka-1.1", Post4485, IsrNow, Always, DEFAULTS_0_10_1),
            version("kafka-2.0", Post4485, IsrNow, Always, DEFAULTS_0_10_1),
            version("kafka-2.0.1", EpochStart, IsrNow, Always, DEFAULTS_0_10_1),
            version("kafka-2.1", EqualLeo, IsrNow, Always, DEFAULTS_0_10_1),
            version("kafka-2.2", EqualLeo, IsrNow, Always, DEFAULTS_0_10_1),
            version("kafka-2.3", EqualLeo, IsrNow, Always, DEFAULTS_0_10_1),
            answering_new_high_watermarks(version(
                "kafka-2.4",
                EqualLeo,
                IsrNow,
                WhenChanged,
                DEFAULTS_0_10_1,
            )),
            answering_new_high_watermarks(version("kafka-2.5", EqualLeo, IsrNow, WhenChanged, DEFAULTS_2_5)),
            version("kafka-2.6", EqualLeo, IsrNow, WhenChanged, DEFAULTS_2_5),
            version("kafka-2.7", EqualLeo, IsrNow, WhenChanged, DEFAULTS_2_5),
            version("kafka-2.8", EqualLeo, IsrNow, WhenChanged, DEFAULTS_2_5),
            version("kafka-3.0", EqualLeo, IsrNow, WhenChanged, DEFAULTS_2_5),
            version("kafka-3.3", EqualLeo, IsrNowOthersNever, WhenChanged, DEFAULTS_2_5),
            frozen_below_min_isr(version(
                "kafka-3.7",
                EqualLeo,
                IsrNowOthersNever,
                WhenChanged,
                DEFAULTS_2_5,
            )),
            frozen_below_min_isr(version(
                "kafka-3.9",
                EqualLeo,
                IsrNowOthersNever,
                WhenChanged,
                DEFAULTS_2_5,
            )),
        ]
    };

    /// A bare criterion: its rules, with what the code that first had it did at a new leader, and
    /// one set of defaults for all (those of 0.10.2), so that a comparison of criteria compares
    /// nothing else.
    pub const fn of_criterion(criterion: IsrCriterion) -> Profile {
        let on_fetch = match criterion {
            IsrCriterion::EqualLeo => HighWatermarkOnFetch::WhenChanged,
            _ => HighWatermarkOnFetch::Always,
        };
        version(
            match criterion {
                IsrCriterion::MaxMessages => "max-messages",
                IsrCriterion::Pre4485 => "pre-4485",
                IsrCriterion::Proposed4485 => "proposed-4485",
                IsrCriterion::Post4485 => "post-4485",
                IsrCriterion::EpochStart => "epoch-start",
                IsrCriterion::EqualLeo => "equal-leo",
            },
            criterion,
            criterion.reset_as_recorded(),
            on_fetch,
            DEFAULTS_0_10_1,
        )
    }

    /// Every profile: the versions, then the bare criteria.
    pub fn all() -> impl Iterator<Item = Profile> {
        Profile::VERSIONS.into_iter().chain(IsrCriterion::ALL.into_iter().map(Profile::of_criterion))
    }
}

impl FromStr for Profile {
    type Err = String;

    /// # Errors
    /// A message that says which one was probably meant, and lists the names there are.
    fn from_str(name: &str) -> Result<Self, String> {
        Profile::all().find(|profile| profile.name == name).ok_or_else(|| {
            let known: Vec<&str> = Profile::all().map(|profile| profile.name).collect();
            let hint = version_hint(name).unwrap_or_default();
            format!("no profile or criterion is called '{name}'{hint}; known are {}", known.join(", "))
        })
    }
}

/// The version in a name such as `kafka-2.5` or `2.5.1`; none if it is none.
fn version_number(name: &str) -> Option<Vec<u32>> {
    let digits = name.strip_prefix("kafka-").or(name.strip_prefix('v')).unwrap_or(name);
    digits.split('.').map(|part| part.parse().ok()).collect()
}

/// What to take for a version that has no profile of its own: the last one before it, since a
/// profile holds until the next one.
fn version_hint(name: &str) -> Option<String> {
    let wanted = version_number(name)?;
    let mut versions: Vec<(Vec<u32>, &str)> =
        Profile::all().filter_map(|profile| Some((version_number(profile.name)?, profile.name))).collect();
    versions.sort();
    match versions.iter().rev().find(|(known, _)| *known <= wanted) {
        Some((known, near)) if *known == wanted => Some(format!(": did you mean {near}?")),
        Some((_, near)) => Some(format!(": its rules are those of {near}, the last that changed any")),
        None => Some(format!(": the oldest is {}", versions.first()?.1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_and_are_unique() {
        let names: Vec<&str> = Profile::all().map(|profile| profile.name).collect();
        assert_eq!(names.len(), 28);
        for profile in Profile::all() {
            assert_eq!(profile.name.parse(), Ok(profile));
        }
        assert!("kafka-9".parse::<Profile>().unwrap_err().contains("kafka-2.5"));
    }

    #[test]
    fn versions_without_a_profile_are_told_which_one_to_take() {
        for (name, hint) in [
            ("2.5", "did you mean kafka-2.5?"),
            ("v2.5", "did you mean kafka-2.5?"),
            ("kafka-3.6", "its rules are those of kafka-3.3"),
            ("kafka-0.10.2.1", "its rules are those of kafka-0.10.2,"),
            ("2.0.1.7", "its rules are those of kafka-2.0.1,"),
            ("kafka-10.0", "its rules are those of kafka-3.9"),
            ("0.7", "the oldest is kafka-0.8.2"),
        ] {
            let message = name.parse::<Profile>().unwrap_err();
            assert!(message.contains(hint), "{message}");
        }
        assert!(!"post4485".parse::<Profile>().unwrap_err().contains("rules are those"));
    }

    #[test]
    fn versions_have_their_criterion_and_lag_time() {
        let of = |name: &str| name.parse::<Profile>().unwrap();
        let facts = [
            ("kafka-0.8.2", IsrCriterion::MaxMessages, 10_000),
            ("kafka-0.9.0", IsrCriterion::Pre4485, 10_000),
            ("kafka-0.10.1", IsrCriterion::Pre4485, 10_000),
            ("kafka-0.10.2", IsrCriterion::Post4485, 10_000),
            ("kafka-2.0", IsrCriterion::Post4485, 10_000),
            ("kafka-2.0.1", IsrCriterion::EpochStart, 10_000),
            ("kafka-2.1", IsrCriterion::EqualLeo, 10_000),
            ("kafka-2.4", IsrCriterion::EqualLeo, 10_000),
            ("kafka-2.5", IsrCriterion::EqualLeo, 30_000),
        ];
        for (name, criterion, lag) in facts {
            assert_eq!(
                (of(name).criterion, of(name).defaults.replica_lag_time_max_ms),
                (criterion, lag),
                "{name}"
            );
        }
        assert_eq!(of("kafka-0.9.0").defaults.replica_fetch_response_max_bytes, u64::MAX);
        assert_eq!(of("kafka-0.10.1").defaults.replica_fetch_response_max_bytes, 10_485_760);
    }
}
