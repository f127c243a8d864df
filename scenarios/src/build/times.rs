//! Times in rising order.

use isrlab_sim::engine::SimTime;

use super::Context;
use crate::fields::{Datum, Fields};

/// Whether equal times may follow each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Equal {
    Allowed,
    Refused,
}

/// The times under `key`, in rising order: `Some(None)` when it is not given; none: they are wrong,
/// which has been noted.
pub(crate) fn rising(
    fields: &Fields,
    key: &str,
    equal: Equal,
    context: &mut Context<'_>,
) -> Option<Option<Vec<SimTime>>> {
    if !fields.has(key) {
        return Some(None);
    }
    let mut times: Vec<SimTime> = Vec::new();
    let mut sound = true;
    for field in fields.list(key)? {
        let Some(Datum::Duration(since)) = field.datum else {
            sound = false;
            continue;
        };
        let at = SimTime::ZERO + since;
        let too_early = match equal {
            Equal::Allowed => times.last().is_some_and(|last| *last > at),
            Equal::Refused => times.last().is_some_and(|last| *last >= at),
        };
        if too_early {
            let message = format!("{since} does not come after the time that precedes it");
            context.problems.add(field.span, fields.path_of(key), message).accepted("times in rising order");
            sound = false;
        }
        times.push(at);
    }
    sound.then_some(Some(times))
}
