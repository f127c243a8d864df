//! The clock of a broker or producer.

use isrlab_sim::cluster::clock::ClockSpec;

use crate::fields::Fields;

/// Reads the keys of a clock; none: one of them is wrong, which has been noted.
pub(super) fn clock(fields: &Fields) -> Option<ClockSpec> {
    Some(ClockSpec {
        offset_ns: fields.integer("clock.offset")?,
        drift_ppm: fields.integer("clock.drift.ppm")?,
    })
}
