//! What is done to mirrors and share groups at given times, as rows of faults.

use crate::plot::COLUMNS;
use crate::plot::trace::FaultTrace;
use isrlab_sim::cluster::ClusterSpec;
use isrlab_sim::cluster::spec::{MirrorStep, ShareStep};
use isrlab_sim::engine::SimTime;

/// The marks of a run that reaches its end, each with its name and times; `column` is the pixel
/// column of a time. What happens at no time is left out.
pub fn marks(spec: &ClusterSpec, column: impl Fn(SimTime) -> usize) -> Vec<FaultTrace> {
    let end = SimTime::ZERO + spec.duration;
    let several = spec.lag.mirrors.len() + spec.lag.share_groups.len() > 1;
    let mut marks = Vec::new();
    let mut mark = |actor: &str, what: &str, times: Vec<SimTime>| {
        let times: Vec<SimTime> = times.into_iter().filter(|at| *at <= end).collect();
        if times.is_empty() {
            return;
        }
        let name = if several { format!("{actor}: {what}") } else { what.to_owned() };
        let mut columns = vec![false; COLUMNS];
        times.iter().for_each(|&at| columns[column(at)] = true);
        marks.push(FaultTrace::instants(name, actor.to_owned(), times.len() as u64, columns));
    };
    for mirror in &spec.lag.mirrors {
        let scripted = |is_it: fn(&MirrorStep) -> bool| {
            let steps = mirror.script.iter().filter(move |(_, step)| is_it(step));
            steps.map(|(at, _)| *at)
        };
        let restarts = scripted(|step| matches!(step, MirrorStep::Restart { .. }));
        mark(&mirror.name, "task restarts", mirror.restarts.iter().copied().chain(restarts).collect());
        let made_again = scripted(|step| *step == MirrorStep::Recreate);
        let made_again = mirror.source_recreated.into_iter().chain(made_again).collect();
        mark(&mirror.name, "source recreated", made_again);
    }
    for group in &spec.lag.share_groups {
        let scripted = |is_it: fn(&ShareStep) -> bool| {
            let steps = group.script.iter().filter(move |(_, step)| is_it(step));
            steps.map(|(at, _)| *at)
        };
        let times = |listed: &[(SimTime, i64)], steps: Vec<SimTime>| {
            listed.iter().map(|(at, _)| *at).chain(steps).collect()
        };
        let fail_overs = scripted(|step| *step == ShareStep::FailOver);
        mark(&group.name, "fail-over", group.fail_overs.iter().copied().chain(fail_overs).collect());
        let moves = scripted(|step| matches!(step, ShareStep::MoveLogStart(_))).collect();
        mark(&group.name, "log start moves", times(&group.log_starts, moves));
        let alterations = scripted(|step| matches!(step, ShareStep::Alter(_))).collect();
        mark(&group.name, "offset altered", times(&group.alterations, alterations));
        let lost = scripted(|step| matches!(step, ShareStep::WriteLost | ShareStep::AnswerLost)).collect();
        mark(&group.name, "write fails", lost);
    }
    marks
}
