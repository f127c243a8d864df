//! What a sweep varies.

use super::Context;
use crate::fields::{Datum, Fields};
use crate::sweep::{Axis, SweepSpec, VaryError};

/// Reads the `[sweep]` table; none: there is none.
pub(crate) fn sweep(top: &Fields, context: &mut Context<'_>) -> Option<SweepSpec> {
    let fields = top.table("sweep")?;
    let mut axes: Vec<Axis> = Vec::new();
    for field in fields.list("vary").unwrap_or_default() {
        let Some(Datum::Text(text)) = &field.datum else { continue };
        match text.parse::<Axis>() {
            Ok(axis) if axes.iter().any(|known| known.key() == axis.key()) => {
                let message = format!("varies {} twice", axis.key());
                context.problems.add(field.span, fields.path_of("vary"), message).accepted("each key once");
            }
            Ok(axis) => axes.push(axis),
            Err(error) => {
                context
                    .problems
                    .add(field.span, fields.path_of("vary"), error.to_string())
                    .accepted(VaryError::ACCEPTED);
            }
        }
    }
    Some(SweepSpec { axes, seeds: fields.integer("seeds")? })
}
