//! A counterexample of the model of the share-partition lag.

use super::page::{Clock, Look, Page, ScriptStep, known, list};
use crate::checker::{Checkable, retrace};
use crate::share_lag::{ShareAction, ShareConstants, ShareLag, ShareLagState, ShareVariant};
use crate::trace::Trace;

/// The scenario of a counterexample, as TOML.
///
/// A claim about what the group coordinator would answer is shown by the answer itself: the
/// scenario has one step more than the trace then.
///
/// # Errors
/// In words: the trace is of another model, or it has more steps than fit into a millisecond.
pub fn share_scenario(model: &ShareLag, trace: &Trace) -> Result<String, String> {
    let path = retrace(model, trace).ok_or_else(|| format!("this is no trace of {}", model.title()))?;
    let mut clock = Clock::default();
    let first = &path[0].state;
    let mut page = Page {
        trace,
        actor: "share-group",
        topics: &["records"],
        keys: keys(model.variant(), first),
        appends: Vec::new(),
        script: Vec::new(),
        looks: Vec::new(),
    };
    let mut answered = None;
    let mut from = *first;
    for moment in &path[1..] {
        let action = moment.action.ok_or("a step of a trace has an action")?;
        let at = clock.step()?;
        match action {
            ShareAction::Produce => page.appends.push(at),
            _ => page.script.extend(scripted(at, action)),
        }
        if action == ShareAction::Answer {
            answered = model.lag_if_answered(&from);
        }
        let after = model.action_label(&from, &action);
        page.looks.push(Look { at: clock.look(), after, values: values(model, &moment.state, answered) });
        from = moment.state;
    }
    let claims = ["exact-when-current", "never-negative", "never-understated"];
    if claims.contains(&trace.violated.name) {
        page.script.extend(scripted(clock.step()?, ShareAction::Answer));
        answered = model.lag_if_answered(&from);
        let after = model.action_label(&from, &ShareAction::Answer);
        page.looks.push(Look { at: clock.look(), after, values: values(model, &from, answered) });
    }
    Ok(page.written())
}

fn keys(variant: ShareVariant, first: &ShareLagState) -> Vec<(&'static str, String)> {
    let mut keys = vec![
        ("topic", "\"records\"".to_owned()),
        ("group.share.delivery.count.limit", ShareConstants::DELIVERIES.to_string()),
        ("group.share.partition.max.record.locks", ShareConstants::RECORDS_MAX.to_string()),
    ];
    if first.persisted.count == 0 {
        keys.push(("state.version", "0".to_owned()));
    }
    match variant {
        ShareVariant::Kip1226 => {}
        ShareVariant::EndFirst => keys.push(("describe.first", "\"end-offset\"".to_owned())),
        ShareVariant::NoFencing => keys.push(("fencing", "\"off\"".to_owned())),
        ShareVariant::StartOffsetMovesBack | ShareVariant::LosesAcquired => {
            keys.push(("defect", format!("\"{}\"", variant.name())));
        }
    }
    keys
}

/// The step of the script that an action is, if it is one.
fn scripted(at: u64, action: ShareAction) -> Option<ScriptStep> {
    let (kind, offset) = match action {
        ShareAction::Acquire { offset } => ("acquire", Some(offset)),
        ShareAction::Accept { offset } => ("accept", Some(offset)),
        ShareAction::Release { offset } => ("release", Some(offset)),
        ShareAction::Expire { offset } => ("lock-expires", Some(offset)),
        ShareAction::WriteArrives => ("write-arrives", None),
        ShareAction::WriteLost => ("write-lost", None),
        ShareAction::AnswerLost => ("write-answer-lost", None),
        ShareAction::FailOver => ("fail-over", None),
        ShareAction::MoveLogStart { offset } => ("log-start-moves", Some(offset)),
        ShareAction::Alter { offset } => ("alter", Some(offset)),
        ShareAction::ReadAgain => ("read-again", None),
        ShareAction::FirstReading => ("first-reading", None),
        ShareAction::Answer => ("answer", None),
        // The producer does the first, and the other is no step.
        ShareAction::Produce | ShareAction::Stop => return None,
    };
    Some(ScriptStep { at, kind, offset })
}

/// What is to be seen in a state, when `answered` was the last answer.
fn values(model: &ShareLag, state: &ShareLagState, answered: Option<i64>) -> Vec<(&'static str, String)> {
    let in_flight = (state.start_offset..state.records.len() as u8)
        .filter(|&at| state.records[usize::from(at)].state != 0);
    vec![
        ("reported.lag", known(answered)),
        ("true.lag", model.undelivered(state).to_string()),
        ("start.offset", state.start_offset.to_string()),
        ("end.offset", state.end_offset.to_string()),
        ("in.flight", list(in_flight)),
        ("persisted.start.offset", state.persisted.start_offset.to_string()),
        ("persisted.count", known(state.persisted.count.checked_sub(1))),
    ]
}
