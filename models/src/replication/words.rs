//! The model in words: labels of actions, variables of a state, and what a counterexample means.

use super::action::Action;
use super::model::{Replication, State};
use super::steps::members;
use super::view::View;
use crate::checker::Word;
use crate::trace::{Message, Moment, Value, Variable};

const CONTROLLER: &str = "controller";
const PRODUCER: &str = "producer";

/// A replica's name; replicas are numbered from 1 in words.
fn replica_name(replica: usize) -> String {
    format!("replica {}", replica + 1)
}

fn isr_value(isr: u32) -> Value {
    Value::Set(members(isr).map(|member| Value::from(member as i64 + 1)).collect())
}

/// A leader plus 1, 0 for none.
fn leader_text(leader: u32) -> String {
    if leader == 0 { "none".to_owned() } else { leader.to_string() }
}

/// An epoch plus 1, 0 for none.
fn epoch_value(epoch: u32) -> Value {
    Value::Int(i64::from(epoch) - 1)
}

fn request_text(view: &View<'_>, epoch: usize) -> String {
    let request = &view.requests()[epoch];
    let (leader, isr) = (leader_text(request.leader.into()), isr_value(request.isr.into()));
    format!("LeaderAndIsr(epoch {epoch}, leader {leader}, ISR {isr})")
}

/// The record that a slot of a log holds; slots hold an id plus 1.
fn record_text(view: &View<'_>, slot: u32) -> String {
    format!("record {} (epoch {})", slot - 1, view.epoch_of_slot(slot))
}

/// A replica that presumes leadership, and whether it is right.
fn leader_name(view: &View<'_>, leader: usize) -> String {
    let epoch = i64::from(view.replicas()[leader].epoch) - 1;
    if view.is_true_leader(leader) {
        format!("leader {} (epoch {epoch})", leader + 1)
    } else {
        format!("replica {}, which still takes itself for the leader of epoch {epoch},", leader + 1)
    }
}

impl<W: Word> Replication<W> {
    pub(super) fn columns(&self) -> Vec<String> {
        let replicas = (0..self.constants.replicas as usize).map(replica_name);
        [PRODUCER, CONTROLLER].into_iter().map(str::to_owned).chain(replicas).collect()
    }

    pub(super) fn label(&self, from: State<W>, action: Action) -> String {
        let outcome = self.outcome(from, action);
        let (before, after) = (self.view(from), self.view(outcome));
        let latest = || request_text(&after, after.requests().len() - 1);
        let new_isr = || isr_value(after.quorum_isr);
        match action {
            Action::ControllerShrinkIsr { replica } => format!(
                "the controller counts {} as failed and writes {}",
                replica_name(replica.into()),
                latest()
            ),
            Action::ElectLeader { leader } => {
                format!("the controller elects {} and writes {}", replica_name(leader.into()), latest())
            }
            Action::BecomeLeader { replica, epoch } => format!(
                "{} takes {} and becomes leader",
                replica_name(replica.into()),
                request_text(&before, epoch.into())
            ),
            Action::BecomeFollower { replica, epoch } => format!(
                "{} takes {} and becomes follower{}",
                replica_name(replica.into()),
                request_text(&before, epoch.into()),
                truncation_text(&before, &after, replica.into())
            ),
            Action::Write { leader } => format!(
                "{} appends record {} at offset {}",
                leader_name(&before, leader.into()),
                before.next_record,
                before.replicas()[usize::from(leader)].end_offset
            ),
            Action::Fetch { follower, leader } => format!(
                "{} fetches {} from {}",
                replica_name(follower.into()),
                fetched_text(&before, follower.into(), leader.into()),
                replica_name(leader.into())
            ),
            Action::Truncate { follower, leader } => format!(
                "{} learns from its fetch to {} that their logs differ{}",
                replica_name(follower.into()),
                replica_name(leader.into()),
                truncation_text(&before, &after, follower.into())
            ),
            Action::RaiseHighWatermark { leader } => format!(
                "{} raises its high watermark to {}",
                leader_name(&before, leader.into()),
                after.replicas()[usize::from(leader)].high_watermark
            ),
            Action::LeaderShrinkIsr { leader, replica } => format!(
                "{} takes {} out of the ISR, which is now {}",
                leader_name(&before, leader.into()),
                replica_name(replica.into()),
                new_isr()
            ),
            Action::LeaderExpandIsr { leader, replica } => format!(
                "{} takes {} into the ISR, which is now {}",
                leader_name(&before, leader.into()),
                replica_name(replica.into()),
                new_isr()
            ),
        }
    }

    pub(super) fn as_message(&self, from: State<W>, action: Action) -> Message {
        let outcome = self.outcome(from, action);
        let (before, after) = (self.view(from), self.view(outcome));
        let name = |replica: u8| replica_name(replica.into());
        let (from, to, text) = match action {
            Action::ControllerShrinkIsr { .. } | Action::ElectLeader { .. } => (
                CONTROLLER.to_owned(),
                CONTROLLER.to_owned(),
                request_text(&after, after.requests().len() - 1),
            ),
            Action::BecomeLeader { replica, epoch } | Action::BecomeFollower { replica, epoch } => {
                (CONTROLLER.to_owned(), name(replica), request_text(&before, epoch.into()))
            }
            Action::Write { leader } => {
                (PRODUCER.to_owned(), name(leader), format!("record {}", before.next_record))
            }
            Action::Fetch { follower, leader } => {
                (name(leader), name(follower), fetched_text(&before, follower.into(), leader.into()))
            }
            Action::Truncate { follower, leader } => {
                (name(leader), name(follower), "logs differ: truncate".to_owned())
            }
            Action::RaiseHighWatermark { leader } => {
                let raised = after.replicas()[usize::from(leader)].high_watermark;
                (name(leader), name(leader), format!("high watermark {raised}"))
            }
            Action::LeaderShrinkIsr { leader, .. } | Action::LeaderExpandIsr { leader, .. } => {
                (name(leader), CONTROLLER.to_owned(), format!("ISR {}", isr_value(after.quorum_isr)))
            }
        };
        Message { from, to, text }
    }

    /// The state that an enabled action leads to.
    fn outcome(&self, from: State<W>, action: Action) -> State<W> {
        stateright::Model::next_state(self, &from, action).expect("the action is enabled")
    }

    pub(super) fn describe(&self, state: State<W>) -> Vec<Variable> {
        let view = self.view(state);
        let requests = (0..view.requests().len()).map(|epoch| Value::from(request_text(&view, epoch)));
        let mut variables = vec![
            Variable::new("quorum: leader epoch", epoch_value(view.quorum_epoch)),
            Variable::new("quorum: leader", leader_text(view.quorum_leader)),
            Variable::new("quorum: ISR", isr_value(view.quorum_isr)),
            Variable::new("requests", Value::Seq(requests.collect())),
            Variable::new("records written", view.next_record),
        ];
        if self.has_history() {
            let ever = members(view.committed).map(|id| Value::from(id as i64));
            variables.push(Variable::new("records ever committed", Value::Set(ever.collect())));
        }
        for (i, replica) in view.replicas().iter().enumerate() {
            let name = replica_name(i);
            let records = (0..replica.end_offset)
                .map(|offset| Value::from(record_text(&view, view.layout.slot(replica.log, offset))));
            let parts = [
                ("leader epoch", epoch_value(replica.epoch)),
                ("leader", Value::from(leader_text(replica.leader))),
                ("ISR", isr_value(replica.isr)),
                ("high watermark", Value::from(replica.high_watermark)),
                ("log", Value::Seq(records.collect())),
            ];
            variables.extend(
                parts.into_iter().map(|(part, value)| Variable::new(format!("{name}: {part}"), value)),
            );
        }
        variables
    }

    /// What the last state of a path comes to, for the claim that it violates.
    pub(super) fn conclude(&self, claim: usize, path: &[Moment<State<W>, Action>]) -> Vec<String> {
        let views: Vec<_> = path.iter().map(|moment| self.view(moment.state)).collect();
        let conclusion = match claim {
            0 | 1 => missing_from_isr(&views, claim == 0),
            2 => divergence(&views),
            _ => lost_by_later_leader(&views),
        };
        conclusion.unwrap_or_else(|| vec!["the last state does not violate the claim".to_owned()])
    }
}

fn truncation_text(before: &View<'_>, after: &View<'_>, replica: usize) -> String {
    let (from, to) = (before.replicas()[replica].end_offset, after.replicas()[replica].end_offset);
    if from == to { String::new() } else { format!(", truncating its log from {from} to {to}") }
}

fn fetched_text(view: &View<'_>, follower: usize, leader: usize) -> String {
    let offset = view.replicas()[follower].end_offset;
    let slot = view.layout.slot(view.replicas()[leader].log, offset);
    format!("{} at offset {offset}", record_text(view, slot))
}

/// What a replica's log has at an offset; 0 for nothing.
fn slot(view: &View<'_>, replica: usize, offset: u32) -> u32 {
    let replica = &view.replicas()[replica];
    if offset < replica.end_offset { view.layout.slot(replica.log, offset) } else { 0 }
}

/// What a replica has where it should have another record.
fn instead(view: &View<'_>, replica: usize, offset: u32) -> String {
    match slot(view, replica, offset) {
        0 => format!("does not have it: its log ends at offset {}", view.replicas()[replica].end_offset),
        other => format!("holds {} at that offset instead", record_text(view, other)),
    }
}

/// When the record in `slot` was first below the high watermark of a replica that presumed
/// leadership: the step, and which replica.
fn first_exposure(views: &[View<'_>], offset: u32, record: u32) -> Option<(usize, usize)> {
    views.iter().enumerate().find_map(|(step, view)| {
        let exposes = |&replica: &usize| {
            view.presumes_leadership(replica)
                && view.replicas()[replica].high_watermark > offset
                && slot(view, replica, offset) == record
        };
        (0..view.count).find(exposes).map(|replica| (step, replica))
    })
}

fn missing_from_isr(views: &[View<'_>], weak: bool) -> Option<Vec<String>> {
    let last = views.last()?;
    let leaders = (0..last.count).filter(|&replica| last.presumes_leadership(replica));
    for leader in leaders {
        let l = &last.replicas()[leader];
        let (isr, whose) = if weak {
            (l.isr, format!("the ISR that {} believes in", replica_name(leader)))
        } else {
            (last.quorum_isr, "the quorum's ISR, so that it can be elected".to_owned())
        };
        for offset in 0..l.high_watermark {
            // A leader that lost the record itself: what it had there before.
            let held = views.iter().rev().map(|view| slot(view, leader, offset)).find(|&r| r != 0);
            let record = held?;
            let without = members(isr).find(|&member| slot(last, member, offset) != record);
            let without = without.or_else(|| (slot(last, leader, offset) != record).then_some(leader));
            if let Some(member) = without {
                return Some(vec![
                    exposure_text(views, offset, record),
                    format!(
                        "{}, a member of {whose}, {}.",
                        capital(&replica_name(member)),
                        instead(last, member, offset)
                    ),
                ]);
            }
        }
    }
    None
}

/// A record as it was when last in a log; a state forgets the epochs of records that are in none.
fn record_once_held(views: &[View<'_>], record: u32) -> String {
    let holds = |view: &&View<'_>| {
        (0..view.count).any(|replica| {
            let log = &view.replicas()[replica];
            (0..log.end_offset).any(|offset| slot(view, replica, offset) == record)
        })
    };
    let view = views.iter().rev().find(holds).unwrap_or(&views[views.len() - 1]);
    record_text(view, record)
}

fn exposure_text(views: &[View<'_>], offset: u32, record: u32) -> String {
    let record_text = record_once_held(views, record);
    match first_exposure(views, offset, record) {
        None => format!("{} at offset {offset} counts as committed.", capital(&record_text)),
        Some((step, replica)) => {
            let epoch = i64::from(views[step].replicas()[replica].epoch) - 1;
            format!(
                "{} at offset {offset} is acknowledged to producers with acks=all and visible to \
                 consumers since step {step}: below the high watermark of {}, leader of epoch {epoch}.",
                capital(&record_text),
                replica_name(replica)
            )
        }
    }
}

fn divergence(views: &[View<'_>]) -> Option<Vec<String>> {
    let last = views.last()?;
    for a in 0..last.count {
        for b in a + 1..last.count {
            let high_watermark = |replica: usize| last.replicas()[replica].high_watermark;
            for offset in 0..high_watermark(a).min(high_watermark(b)) {
                let (on_a, on_b) = (slot(last, a, offset), slot(last, b, offset));
                if on_a != on_b && on_a != 0 && on_b != 0 {
                    let side = |replica, record| {
                        format!(
                            "{} holds {} at offset {offset}, below its high watermark since step {}.",
                            capital(&replica_name(replica)),
                            record_text(last, record),
                            committed_since(views, replica, offset, record)
                        )
                    };
                    return Some(vec![side(a, on_a), side(b, on_b)]);
                }
            }
        }
    }
    None
}

/// From which step to the end a replica has had this record below its high watermark.
fn committed_since(views: &[View<'_>], replica: usize, offset: u32, record: u32) -> usize {
    let has = |view: &View<'_>| {
        view.replicas()[replica].high_watermark > offset && slot(view, replica, offset) == record
    };
    views.len() - views.iter().rev().take_while(|view| has(view)).count()
}

fn lost_by_later_leader(views: &[View<'_>]) -> Option<Vec<String>> {
    let last = views.last()?;
    let leader = last.true_leader()?;
    let committed = |view: &View<'_>, id: usize| {
        let by = view.true_leader()?;
        let offsets = 0..view.replicas()[by].high_watermark;
        offsets
            .map(|offset| (offset, slot(view, by, offset)))
            .find(|&(_, slot)| slot as usize == id + 1)
            .map(|(offset, _)| (offset, by))
    };
    let held: Vec<u32> =
        (0..last.replicas()[leader].end_offset).map(|offset| slot(last, leader, offset)).collect();
    let lost = members(last.committed).find(|&id| !held.contains(&(id as u32 + 1)))?;
    let found = views.iter().enumerate().find_map(|(step, view)| Some((step, committed(view, lost)?)));
    let (step, (offset, by)) = found?;
    let since = views.len() - views.iter().rev().take_while(|v| v.is_true_leader(leader)).count();
    let epoch = |view: &View<'_>, replica: usize| i64::from(view.replicas()[replica].epoch) - 1;
    Some(vec![
        format!(
            "{} at offset {offset} was committed in step {step} by {}, the true leader of epoch {}: \
             acknowledged to producers with acks=all and visible to consumers.",
            capital(&record_once_held(views, lost as u32 + 1)),
            replica_name(by),
            epoch(&views[step], by)
        ),
        format!(
            "{}, the true leader of epoch {} since step {since}, {}.",
            capital(&replica_name(leader)),
            epoch(last, leader),
            instead(last, leader, offset)
        ),
    ])
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
