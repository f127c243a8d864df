//! From the states on a violating path to a trace that can be read.

use super::checkable::Checkable;
use crate::trace::{Change, ClaimInfo, ClaimValue, Moment, Step, Trace};

/// The path of `states` with the actions between them.
///
/// With `symmetry` the states are representatives, whose replicas change names from one to the
/// next; what comes back is a path of the model itself that runs through the same classes.
///
/// # Panics
/// If there is no such path: the model's steps are not the same at every call.
pub(super) fn walk<M: Checkable>(
    model: &M,
    states: &[M::State],
    symmetry: bool,
) -> Vec<Moment<M::State, M::Action>> {
    let same = |state: &M::State, wanted: &M::State| {
        if symmetry { model.canonical(state) == *wanted } else { state == wanted }
    };
    let first = model
        .init_states()
        .into_iter()
        .find(|state| same(state, &states[0]))
        .expect("a path starts in an initial state");
    let mut path = vec![Moment { action: None, state: first }];
    for wanted in &states[1..] {
        let from = path[path.len() - 1].state;
        let mut found = None;
        model.for_each_step(&from, |action, next| {
            if found.is_none() && same(&next, wanted) {
                found = Some(Moment { action: Some(action), state: next });
            }
        });
        path.push(found.expect("each state of a path is a step away from the one before"));
    }
    path
}

/// The path that a trace of this model shows, with its states and actions as they are; none: it
/// is no trace of this model.
pub fn retrace<M: Checkable>(model: &M, trace: &Trace) -> Option<Vec<Moment<M::State, M::Action>>> {
    let (first, steps) = trace.steps.split_first()?;
    model.init_states().into_iter().filter(|state| model.variables(state) == first.state).find_map(|state| {
        let mut path = vec![Moment { action: None, state }];
        for step in steps {
            let from = path[path.len() - 1].state;
            let mut found = None;
            model.for_each_step(&from, |action, next| {
                let is_it = model.action_label(&from, &action) == step.action;
                if found.is_none() && is_it && model.variables(&next) == step.state {
                    found = Some(Moment { action: Some(action), state: next });
                }
            });
            path.push(found?);
        }
        Some(path)
    })
}

/// The trace of a path that violates claim number `claim` in its last state.
pub(super) fn trace<M: Checkable>(model: &M, claim: usize, path: &[Moment<M::State, M::Action>]) -> Trace {
    let claims = model.claims();
    let kinds = model.action_kinds();
    let mut steps: Vec<Step> = Vec::with_capacity(path.len());
    for (number, moment) in path.iter().enumerate() {
        let state = model.variables(&moment.state);
        let changed = match steps.last() {
            None => Vec::new(),
            Some(before) => Change::between(&before.state, &state),
        };
        let (action, kind, message) = match (&moment.action, number.checked_sub(1)) {
            (Some(action), Some(before)) => {
                let from = &path[before].state;
                (
                    model.action_label(from, action),
                    Some(kinds[model.action_kind(action)]),
                    model.message(from, action),
                )
            }
            _ => ("the initial state".to_owned(), None, None),
        };
        let judgement = model.judge(&moment.state);
        let values = claims.iter().enumerate().map(|(i, claim)| ClaimValue {
            name: claim.name,
            premise: judgement.premises >> i & 1 == 1,
            holds: judgement.violated >> i & 1 == 0,
        });
        steps.push(Step { number, action, kind, message, changed, claims: values.collect(), state });
    }
    let violated = &claims[claim];
    Trace {
        model: model.title(),
        violated: ClaimInfo { name: violated.name, statement: violated.statement },
        participants: model.participants(),
        steps,
        conclusion: model.conclusion(claim, path),
    }
}
