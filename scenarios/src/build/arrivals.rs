//! When requests arise.

use isrlab_sim::cluster::spec::Arrivals;

use super::{Context, recorded};
use crate::fields::Fields;

/// Reads an `arrivals` table; none: it is wrong, which has been noted.
pub(crate) fn arrivals(fields: Option<&Fields>, context: &mut Context<'_>) -> Option<Arrivals> {
    let fields = fields?;
    let arrivals = match fields.variant?.name {
        "constant" => Arrivals::Constant {
            first: fields.time("first")?,
            interval: fields.duration("interval")?,
            until: fields.time("until"),
        },
        "poisson" => Arrivals::Poisson {
            start: fields.time("start")?,
            mean: fields.duration("mean")?,
            until: fields.time("until"),
        },
        "on-off" => Arrivals::OnOff {
            on: fields.duration("on")?,
            off: fields.duration("off")?,
            first: fields.duration("first")?,
            interval: fields.duration("interval")?,
            until: fields.time("until"),
        },
        "ramp" => Arrivals::Ramp {
            start: fields.time("start")?,
            over: fields.duration("over")?,
            from_per_s: fields.number("from")?,
            to_per_s: fields.number("to")?,
            until: fields.time("until"),
        },
        _ => Arrivals::Recorded { arrivals: recorded::arrivals(fields, context)? },
    };
    if let Arrivals::OnOff { on, first, .. } = &arrivals
        && first >= on
    {
        context
            .problems
            .add(fields.span_of("first"), fields.path_of("first"), format!("is {first}, and `on` is {on}"))
            .accepted("less than `on`: no request would arise");
        return None;
    }
    Some(arrivals)
}
