//! The variants: whose rules, which type, and what goes wrong.

use isrlab_sim::protocol::timestamp::{TimestampLimits, TimestampPolicy, TimestampRules, TimestampType};

/// A topic's policy, and what its brokers and producers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimestampVariant {
    /// Its name.
    pub name: &'static str,
    /// The policy. Limits are in ticks of the brokers' clocks.
    pub policy: TimestampPolicy,
    /// Producers also send a time so far back that Kafka's 64-bit difference wraps around.
    pub wraps: bool,
    /// A broker's clock may step back by one tick.
    pub clock_steps_back: bool,
    /// A broker that is not Kafka's: of a rejected batch it appends the good records.
    pub keeps_good_records: bool,
}

const fn create(
    name: &'static str,
    rules: TimestampRules,
    before_max: i64,
    after_max: i64,
) -> TimestampVariant {
    TimestampVariant {
        name,
        policy: TimestampPolicy {
            limits: TimestampLimits { before_max, after_max },
            ..TimestampPolicy::new(rules)
        },
        wraps: false,
        clock_steps_back: false,
        keeps_good_records: false,
    }
}

const fn append(name: &'static str, rules: TimestampRules) -> TimestampVariant {
    let variant = create(name, rules, i64::MAX, i64::MAX);
    let policy = TimestampPolicy { timestamp_type: TimestampType::LogAppendTime, ..variant.policy };
    TimestampVariant { policy, ..variant }
}

const fn wrapping(variant: TimestampVariant, name: &'static str) -> TimestampVariant {
    TimestampVariant { name, wraps: true, ..variant }
}

impl TimestampVariant {
    /// All of them, in the order of the answer.
    pub const ALL: [TimestampVariant; 11] = {
        use TimestampRules::{Kafka3026, V0_10, V2024};
        let (create_3026, create_0_10, create_2024) = (
            create("create-3026", Kafka3026, 1, 1),
            create("create-0.10", V0_10, 1, 1),
            create("create-2024", V2024, 1, 0),
        );
        let append_2024 = append("append-2024", V2024);
        [
            create_3026,
            create_0_10,
            create_2024,
            wrapping(create_3026, "create-3026-wrapping"),
            wrapping(create_0_10, "create-0.10-wrapping"),
            wrapping(create_2024, "create-2024-wrapping"),
            TimestampVariant { name: "create-2024-keeps-good", keeps_good_records: true, ..create_2024 },
            append("append-3026", Kafka3026),
            append("append-0.10", V0_10),
            append_2024,
            TimestampVariant { name: "append-2024-clock-back", clock_steps_back: true, ..append_2024 },
        ]
    };

    /// The variant of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name == name)
    }

    /// Whether records keep their producers' times.
    pub fn is_create_time(&self) -> bool {
        self.policy.timestamp_type == TimestampType::CreateTime
    }
}
