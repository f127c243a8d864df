//! `[[mirror.step]]` and `[[share-group.step]]`: scripts.

use crate::key::{Default, Key, Kind, TableSpec, Variant};

const AT: Key = Key {
    name: "at",
    kind: Kind::Duration { zero: false },
    default: Default::Required,
    about: "When; later than the step before.",
};

const fn offset(about: &'static str) -> Key {
    Key { name: "offset", kind: Kind::Count { min: 0, max: i64::MAX / 2 }, default: Default::Required, about }
}

const fn plain(name: &'static str, about: &'static str) -> Variant {
    Variant { name, about, keys: &[] }
}

/// The steps of a mirror.
pub(crate) static MIRROR_STEP: TableSpec = TableSpec {
    title: "[[mirror.step]]",
    about: "A step of a mirror that goes by a script, as `isrlab check mirror-lag --save FILE` writes one. A step \
            that is not possible when its time comes is passed over (`lag_script_steps_skipped`).",
    keys: &[AT],
    variants: &[
        plain("poll-answered", "The source answers a poll: the answer tells its end offset."),
        plain("poll-returns", "That answer reaches the task."),
        Variant {
            name: "callback",
            about: "A record is in the target, and the producer's callback runs.",
            keys: &[offset("The record's offset in the source; it is in flight.")],
        },
        plain("flush", "The task's offsets are flushed."),
        plain("restart", "The task restarts; what was in flight, and answers under way, are lost."),
        plain("restart-written", "The task restarts; what was in flight reaches the target all the same."),
        plain("sample-answered", "The source answers a sample of its end offset."),
        plain("sample-returns", "That answer reaches the rule `end-offsets`."),
        plain(
            "source-recreated",
            "The source topic is deleted and made again: its offsets start at 0 again.",
        ),
    ],
    rest: None,
};

/// The steps of a share group.
pub(crate) static SHARE_STEP: TableSpec = TableSpec {
    title: "[[share-group.step]]",
    about: "A step of a share group that goes by a script, as `isrlab check share-lag --save FILE` writes one. A step \
            that is not possible when its time comes is passed over (`lag_script_steps_skipped`).",
    keys: &[AT],
    variants: &[
        Variant {
            name: "acquire",
            about: "The member acquires a record.",
            keys: &[offset("The record's offset: the next one to be delivered.")],
        },
        Variant {
            name: "accept",
            about: "The member accepts a record, and the leader sends a write.",
            keys: &[offset("The record's offset; the member holds it.")],
        },
        Variant {
            name: "release",
            about: "The member releases a record, and the leader sends a write.",
            keys: &[offset("The record's offset; the member holds it.")],
        },
        Variant {
            name: "reject",
            about: "The member rejects a record, and the leader sends a write.",
            keys: &[offset("The record's offset; the member holds it.")],
        },
        Variant {
            name: "lock-expires",
            about: "The member's lock of a record expires, and the leader sends a write.",
            keys: &[offset("The record's offset; the member holds it.")],
        },
        plain(
            "write-arrives",
            "The oldest write under way reaches the share coordinator, and its leader learns of it.",
        ),
        plain("write-lost", "The oldest write under way is lost, and its leader gives it up."),
        plain("write-answer-lost", "The oldest write under way is applied, but its leader gives it up."),
        plain("fail-over", "The share-partition leader fails, and another takes over."),
        Variant {
            name: "log-start-moves",
            about: "The log start moves.",
            keys: &[offset("Where to; at most the end offset.")],
        },
        Variant {
            name: "alter",
            about: "The group's offset is altered; the leader does not know until it reads again.",
            keys: &[offset("What to.")],
        },
        plain("read-again", "The leader reads the persisted state anew."),
        plain("first-reading", "The group coordinator makes the first of its two readings."),
        plain("answer", "The group coordinator makes the second and answers."),
    ],
    rest: None,
};
