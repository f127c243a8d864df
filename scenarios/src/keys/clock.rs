//! The keys of a clock, which brokers and producers have.

use isrlab_sim::cluster::clock::ClockSpec;

use crate::key::{Default, Key, Kind};

/// How far it is off at the start.
pub(super) const OFFSET: Key = Key {
    name: "clock.offset",
    kind: Kind::SignedDuration,
    default: Default::Str("0s"),
    about: "What its clock shows beyond the true time at the start of the run; with a minus sign it is slow. \
            Only timestamps are from this clock.",
};

/// How much it gains.
pub(super) const DRIFT: Key = Key {
    name: "clock.drift.ppm",
    kind: Kind::Count { min: ClockSpec::DRIFT_PPM_MIN, max: ClockSpec::DRIFT_PPM_MAX },
    default: Default::Int(0),
    about: "What its clock gains, in millionths of the time that goes by; negative: it loses. 100 is 8.64 s a day.",
};
