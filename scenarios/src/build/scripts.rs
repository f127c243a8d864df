//! The scripts of mirrors and share groups.

use isrlab_sim::cluster::spec::{MirrorStep, ShareStep};
use isrlab_sim::engine::SimTime;

use super::Context;
use crate::fields::Fields;

/// A mirror's script; none: something is wrong, and that has been noted.
pub(crate) fn mirror(fields: &Fields, context: &mut Context<'_>) -> Option<Vec<(SimTime, MirrorStep)>> {
    script(fields, context, |kind, fields| {
        Some(match kind {
            "poll-answered" => MirrorStep::AnswerPoll,
            "poll-returns" => MirrorStep::PollReturns,
            "callback" => MirrorStep::Callback(fields.integer("offset")?),
            "flush" => MirrorStep::Flush,
            "restart" => MirrorStep::Restart { written: false },
            "restart-written" => MirrorStep::Restart { written: true },
            "sample-answered" => MirrorStep::AnswerSample,
            "sample-returns" => MirrorStep::SampleReturns,
            "source-recreated" => MirrorStep::Recreate,
            _ => return None,
        })
    })
}

/// A share group's script; none: something is wrong, and that has been noted.
pub(crate) fn share(fields: &Fields, context: &mut Context<'_>) -> Option<Vec<(SimTime, ShareStep)>> {
    script(fields, context, |kind, fields| {
        let offset = || fields.integer("offset");
        Some(match kind {
            "acquire" => ShareStep::Acquire(offset()?),
            "accept" => ShareStep::Accept(offset()?),
            "release" => ShareStep::Release(offset()?),
            "reject" => ShareStep::Reject(offset()?),
            "lock-expires" => ShareStep::LockExpires(offset()?),
            "write-arrives" => ShareStep::WriteArrives,
            "write-lost" => ShareStep::WriteLost,
            "write-answer-lost" => ShareStep::AnswerLost,
            "fail-over" => ShareStep::FailOver,
            "log-start-moves" => ShareStep::MoveLogStart(offset()?),
            "alter" => ShareStep::Alter(offset()?),
            "read-again" => ShareStep::ReadAgain,
            "first-reading" => ShareStep::ReadFirst,
            "answer" => ShareStep::Answer,
            _ => return None,
        })
    })
}

fn script<S>(
    fields: &Fields,
    context: &mut Context<'_>,
    read: impl Fn(&str, &Fields) -> Option<S>,
) -> Option<Vec<(SimTime, S)>> {
    let mut steps: Vec<(SimTime, S)> = Vec::new();
    let mut sound = true;
    for fields in fields.tables("step") {
        let step = fields.variant.and_then(|variant| read(variant.name, fields));
        let (Some(at), Some(step)) = (fields.time("at"), step) else {
            sound = false;
            continue;
        };
        if steps.last().is_some_and(|(before, _)| *before >= at) {
            let message = format!("{} is not after the step before", at - SimTime::ZERO);
            let problem = context.problems.add(fields.span_of("at"), fields.path_of("at"), message);
            problem.accepted("steps in rising order of their times");
            sound = false;
        }
        steps.push((at, step));
    }
    // A table that is no step has been noted, and is not among the tables.
    let listed = fields.list("step").map_or(0, <[_]>::len);
    (sound && steps.len() == listed).then_some(steps)
}
