//! A counterexample of the model of MirrorMaker 2's lag.

use super::page::{Clock, Look, Page, ScriptStep, known, list};
use crate::checker::{Checkable, retrace};
use crate::mirror_lag::{MirrorAction, MirrorConstants, MirrorLag, MirrorRule, MirrorState};
use crate::trace::Trace;

/// The scenario of a counterexample, as TOML.
///
/// # Errors
/// In words: the trace is of another model; it has more steps in one tick than fit into a
/// millisecond; or an offset without a record and a source that is made again, of which a
/// scenario cannot tell whose offset it is.
pub fn mirror_scenario(model: &MirrorLag, trace: &Trace) -> Result<String, String> {
    let path = retrace(model, trace).ok_or_else(|| format!("this is no trace of {}", model.title()))?;
    let mut clock = Clock::default();
    let mut page = Page {
        trace,
        actor: "mirror",
        topics: &["source", "target"],
        keys: vec![("source", "\"source\"".to_owned()), ("target", "\"target\"".to_owned())],
        appends: Vec::new(),
        script: Vec::new(),
        looks: Vec::new(),
    };
    let mut gaps = Vec::new();
    let (mut from, mut made_again) = (path[0].state, false);
    for moment in &path[1..] {
        let action = moment.action.ok_or("a step of a trace has an action")?;
        match action {
            MirrorAction::Tick => clock.tick(),
            _ => {
                let at = clock.step()?;
                match action {
                    MirrorAction::Produce => page.appends.push(at),
                    MirrorAction::Gap => {
                        page.appends.push(at);
                        gaps.push(from.end);
                    }
                    _ => page.script.extend(scripted(at, action)),
                }
            }
        }
        made_again |= action == MirrorAction::Recreate;
        let after = model.action_label(&from, &action);
        page.looks.push(Look { at: clock.look(), after, values: values(model.rule(), &moment.state) });
        from = moment.state;
    }
    if made_again && !gaps.is_empty() {
        return Err("a scenario cannot have offsets without a record in a source that is made again".into());
    }
    if !gaps.is_empty() {
        page.keys.push(("gaps", list(gaps)));
    }
    if model.rule().expires() {
        let limit = format!("\"{}ms\"", MirrorRule::TIME_TO_LIVE);
        page.keys.push(("replication.record.lag.metric.last-replicated-offset-ttl", limit));
    }
    Ok(page.written())
}

/// The step of the script that an action is, if it is one.
fn scripted(at: u64, action: MirrorAction) -> Option<ScriptStep> {
    let (kind, offset) = match action {
        MirrorAction::AnswerPoll => ("poll-answered", None),
        MirrorAction::PollReturns => ("poll-returns", None),
        MirrorAction::Acknowledge { offset } => ("callback", Some(offset)),
        MirrorAction::Flush => ("flush", None),
        MirrorAction::Restart { written: false } => ("restart", None),
        MirrorAction::Restart { written: true } => ("restart-written", None),
        MirrorAction::AnswerSample => ("sample-answered", None),
        MirrorAction::SampleReturns => ("sample-returns", None),
        MirrorAction::Recreate => ("source-recreated", None),
        // Producers do the first two, and the others are no steps.
        MirrorAction::Produce | MirrorAction::Gap | MirrorAction::Stop | MirrorAction::Tick => return None,
    };
    Some(ScriptStep { at, kind, offset })
}

/// What is to be seen in a state.
fn values(rule: MirrorRule, state: &MirrorState) -> Vec<(&'static str, String)> {
    let then = state.seen_this_topic.then(|| state.missing_below(state.seen_end));
    let mut values = vec![
        ("rule", format!("\"{}\"", rule.lag_rule().name())),
        ("reported.lag", known(state.reported())),
        ("true.lag", state.missing_below(state.end).to_string()),
        ("lag.then", known(then)),
        ("leo", known(state.leo)),
        ("lro", known(state.lro)),
    ];
    // An age that is no longer counted is not known.
    if state.leo.is_some() && state.leo_age < MirrorConstants::AGE_MAX {
        values.push(("end.age", format!("\"{}ms\"", state.leo_age)));
    }
    values
}
