//! The model in words.

use super::claims;
use super::model::{ShareAction, ShareLag};
use super::state::{ShareLagState, WriteUnderWay};
use super::steps::state_of;
use crate::trace::{Message, Moment, Value, Variable};

pub(super) const COLUMNS: [&str; 5] =
    ["producer", "member", "leader", "share coordinator", "group coordinator"];

fn write_words(write: &WriteUnderWay) -> String {
    format!(
        "record {} {}, start offset {}, count {} (leader epoch {})",
        write.offset,
        state_of(write.state).name(),
        write.start_offset,
        write.count,
        write.leader_epoch
    )
}

fn number(value: Option<i64>) -> Value {
    value.map_or(Value::from("unknown"), Value::from)
}

impl ShareLag {
    pub(super) fn label(&self, from: &ShareLagState, action: &ShareAction) -> String {
        let oldest = write_words_if_there(&from.writes[0]);
        match *action {
            ShareAction::Produce => format!("a record is produced at offset {}", from.log_end),
            ShareAction::Stop => "nothing is produced or altered any more".to_owned(),
            ShareAction::Acquire { offset } => format!("the member acquires record {offset}"),
            ShareAction::Accept { offset } => format!("the member accepts record {offset}; a write goes out"),
            ShareAction::Release { offset } => {
                format!("the member releases record {offset}; a write goes out")
            }
            ShareAction::Expire { offset } => {
                format!("the lock of record {offset} expires; a write goes out")
            }
            ShareAction::WriteArrives => format!("a write reaches the share coordinator: {oldest}"),
            ShareAction::WriteLost => format!("a write is lost, and the leader gives it up: {oldest}"),
            ShareAction::AnswerLost => {
                format!("a write is applied, but its answer is lost and the leader gives it up: {oldest}")
            }
            ShareAction::FailOver => {
                format!("the leader fails; leader epoch {} reads the state", from.leader_epoch + 1)
            }
            ShareAction::MoveLogStart { offset } => format!("the log start moves to {offset}"),
            ShareAction::Alter { offset } => format!("the group's offset is altered to {offset}"),
            ShareAction::ReadAgain => "the leader reads the altered state".to_owned(),
            ShareAction::FirstReading => {
                "the group coordinator makes the first of its two readings".to_owned()
            }
            ShareAction::Answer => format!(
                "the group coordinator makes the second and answers lag {}",
                number(claims::answer(from, self.variant))
            ),
        }
    }

    pub(super) fn as_message(&self, from: &ShareLagState, action: &ShareAction) -> Option<Message> {
        let message = |a: &str, b: &str, text: String| Some(Message { from: a.into(), to: b.into(), text });
        let oldest = write_words_if_there(&from.writes[0]);
        match *action {
            ShareAction::Produce => message("producer", "leader", format!("record {}", from.log_end)),
            ShareAction::Acquire { offset } => message("leader", "member", format!("record {offset}")),
            ShareAction::Accept { offset } => message("member", "leader", format!("accept {offset}")),
            ShareAction::Release { offset } => message("member", "leader", format!("release {offset}")),
            ShareAction::WriteArrives | ShareAction::AnswerLost => {
                message("leader", "share coordinator", oldest)
            }
            ShareAction::FirstReading => {
                message("share coordinator", "group coordinator", "summary".to_owned())
            }
            _ => None,
        }
    }

    pub(super) fn describe(&self, state: &ShareLagState) -> Vec<Variable> {
        let records =
            state.records.iter().enumerate().filter(|(_, slot)| slot.state != 0).map(|(at, slot)| {
                let pending = if slot.pending { ", not written yet" } else { "" };
                Value::from(format!("{at}: {} × {}{pending}", state_of(slot.state).name(), slot.deliveries))
            });
        let writes =
            state.writes.iter().filter(|write| write.there).map(|write| Value::from(write_words(write)));
        let kept = &state.persisted;
        let persisted = (0..kept.states.len())
            .filter(|&at| kept.states[at] != 0 && at >= usize::from(kept.start_offset))
            .map(|at| Value::from(format!("{at}: {}", state_of(kept.states[at]).name())));
        let count = i64::from(kept.count) - 1;
        vec![
            Variable::new("log: start", u32::from(state.log_start)),
            Variable::new("log: end", u32::from(state.log_end)),
            Variable::new("leader: epoch", u32::from(state.leader_epoch)),
            Variable::new("leader: start offset", u32::from(state.start_offset)),
            Variable::new("leader: end offset", u32::from(state.end_offset)),
            Variable::new("leader: records", Value::Seq(records.collect())),
            Variable::new("writes under way", Value::Seq(writes.collect())),
            Variable::new("persisted: start offset", u32::from(kept.start_offset)),
            Variable::new("persisted: count", number((count >= 0).then_some(count))),
            Variable::new("persisted: records", Value::Set(persisted.collect())),
            Variable::new("lag, if answered now", number(claims::answer(state, self.variant))),
            Variable::new("true lag", claims::truth(state, self.variant)),
            Variable::new(
                "last lag answered in the quiet",
                number(state.answered.checked_sub(1).map(i64::from)),
            ),
        ]
    }

    pub(super) fn conclude(&self, claim: usize, path: &[Moment<ShareLagState, ShareAction>]) -> Vec<String> {
        let state = &path[path.len() - 1].state;
        let lag = number(claims::answer(state, self.variant));
        let truth = claims::truth(state, self.variant);
        match claim {
            3 => vec![format!(
                "the start offset is {}, and was {}",
                state.start_offset, state.start_offset_max
            )],
            4 => {
                let before = path[path.len() - 2].state.answered;
                vec![format!(
                    "lag {} is answered after {}, and nothing was produced or altered between them",
                    state.answered - 1,
                    before - 1
                )]
            }
            5 => vec![format!(
                "the start offset is {} and the end offset {}, but of the records below them only those at {} \
                 are done with or in flight",
                state.start_offset,
                state.end_offset,
                Value::Set(
                    (0..state.end_offset)
                        .filter(|&at| state.done >> at & 1 == 1 || state.records[usize::from(at)].state != 0)
                        .map(|at| Value::from(u32::from(at)))
                        .collect()
                )
            )],
            6 => vec![format!(
                "the persisted count is {} and was higher",
                i64::from(state.persisted.count) - 1
            )],
            _ => {
                vec![format!("the lag would be answered as {lag}; {truth} records are still to be delivered")]
            }
        }
    }
}

fn write_words_if_there(write: &WriteUnderWay) -> String {
    if write.there { write_words(write) } else { String::new() }
}
