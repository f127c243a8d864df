//! The generations, as sets of rules.

use isrlab_sim::protocol::truncation::TruncationRule;

/// What a leader asks of a follower before it believes what the follower's fetch offset says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fencing {
    /// Nothing: the follower names it as leader, and its log is long enough.
    None,
    /// KIP-320 as first drafted: also, the last record before the offset is of the same epoch in
    /// both logs.
    LastEpoch,
    /// KIP-320 as released: the follower is in exactly the leader's epoch.
    LeaderEpoch,
}

/// When a replica truncates its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TruncateWhen {
    /// On becoming follower.
    BecomingFollower,
    /// On becoming follower, and only from a leader that leads in that very epoch.
    BecomingFollowerOfSameEpoch,
    /// When a fetch shows that it must.
    Fetching,
}

/// What distinguishes one generation from another. Each rule is a piece of its own, so that tests
/// can take one away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Where the log is cut.
    pub truncation: TruncationRule,
    /// When it is cut.
    pub truncate_when: TruncateWhen,
    /// What a fetch must show.
    pub fetch: Fencing,
    /// What must be known of the ISR's members before the high watermark rises.
    pub high_watermark: Fencing,
    /// What must be known of a follower to keep it in the ISR, or to take it in.
    pub isr: Fencing,
    /// Whether the ISR can grow only when the leader's high watermark is at the end of its log or
    /// at a record of its own epoch.
    pub expand_waits_for_own_epoch: bool,
}

/// A generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Before 0.11: truncate to the own high watermark.
    TruncateToHw,
    /// KIP-101 (0.11): ask the leader for the end of the latest epoch.
    Kip101,
    /// KIP-279 (2.0): truncate to the last shared record.
    Kip279,
    /// KIP-320 as first drafted: truncate when a fetch shows the need.
    Kip320FirstTry,
    /// KIP-320 (2.1): every exchange is fenced by the leader epoch.
    Kip320,
}

impl Variant {
    /// All generations, the oldest first.
    pub const ALL: [Self; 5] =
        [Self::TruncateToHw, Self::Kip101, Self::Kip279, Self::Kip320FirstTry, Self::Kip320];

    /// The generation's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::TruncateToHw => "truncate-to-hw",
            Self::Kip101 => "kip-101",
            Self::Kip279 => "kip-279",
            Self::Kip320FirstTry => "kip-320-first-try",
            Self::Kip320 => "kip-320",
        }
    }

    /// The generation of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }

    /// The generation's rules.
    pub fn rules(self) -> Rules {
        let unfenced = |truncation| Rules {
            truncation,
            truncate_when: TruncateWhen::BecomingFollower,
            fetch: Fencing::None,
            high_watermark: Fencing::None,
            isr: Fencing::None,
            expand_waits_for_own_epoch: false,
        };
        let fenced = |truncate_when, fencing| Rules {
            truncation: TruncationRule::LastSharedRecord,
            truncate_when,
            fetch: fencing,
            high_watermark: fencing,
            isr: fencing,
            expand_waits_for_own_epoch: true,
        };
        match self {
            Self::TruncateToHw => unfenced(TruncationRule::HighWatermark),
            Self::Kip101 => unfenced(TruncationRule::LeaderEpoch),
            Self::Kip279 => unfenced(TruncationRule::LastSharedRecord),
            Self::Kip320FirstTry => fenced(TruncateWhen::Fetching, Fencing::LastEpoch),
            Self::Kip320 => fenced(TruncateWhen::BecomingFollowerOfSameEpoch, Fencing::LeaderEpoch),
        }
    }
}
