//! What can happen.

/// An action; replicas are numbered from 0 here, and from 1 in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are what the variants' words name")]
pub enum Action {
    /// The controller takes a failed replica out of the ISR, and out of leadership.
    ControllerShrinkIsr { replica: u8 },
    /// The controller makes another member of the ISR leader.
    ElectLeader { leader: u8 },
    /// A replica takes the request that makes it leader.
    BecomeLeader { replica: u8, epoch: u8 },
    /// A replica takes a request that makes another one its leader.
    BecomeFollower { replica: u8, epoch: u8 },
    /// A replica that presumes leadership appends a record.
    Write { leader: u8 },
    /// A follower copies the next record.
    Fetch { follower: u8, leader: u8 },
    /// A follower truncates because its fetch showed that it must.
    Truncate { follower: u8, leader: u8 },
    /// A replica that presumes leadership raises its high watermark by one.
    RaiseHighWatermark { leader: u8 },
    /// The true leader takes a follower out of the ISR.
    LeaderShrinkIsr { leader: u8, replica: u8 },
    /// The true leader takes a follower into the ISR.
    LeaderExpandIsr { leader: u8, replica: u8 },
}

/// The kinds of action, in the order of [`Action::kind`]. The last is of first-try KIP-320 only.
pub(super) const KINDS: [&str; 10] = [
    "controller shrinks ISR",
    "elect leader",
    "become leader",
    "become follower",
    "write",
    "fetch",
    "raise high watermark",
    "leader shrinks ISR",
    "leader expands ISR",
    "truncate",
];

impl Action {
    /// The index of the action's kind.
    #[inline]
    pub(super) fn kind(self) -> usize {
        match self {
            Self::ControllerShrinkIsr { .. } => 0,
            Self::ElectLeader { .. } => 1,
            Self::BecomeLeader { .. } => 2,
            Self::BecomeFollower { .. } => 3,
            Self::Write { .. } => 4,
            Self::Fetch { .. } => 5,
            Self::RaiseHighWatermark { .. } => 6,
            Self::LeaderShrinkIsr { .. } => 7,
            Self::LeaderExpandIsr { .. } => 8,
            Self::Truncate { .. } => 9,
        }
    }
}
