//! The model in words.

use super::model::{MirrorAction, MirrorLag};
use super::state::{MirrorState, offsets};
use crate::trace::{Message, Value, Variable};

pub(super) const COLUMNS: [&str; 4] = ["source", "task", "target", "rule"];

fn known(value: Option<u8>) -> Value {
    value.map_or(Value::from("unknown"), |value| Value::from(u32::from(value)))
}

fn set(bits: u8) -> Value {
    Value::Set(offsets(bits).map(|at| Value::from(u32::from(at))).collect())
}

fn lag(value: Option<i64>) -> String {
    value.map_or("unknown".to_owned(), |lag| lag.to_string())
}

impl MirrorLag {
    pub(super) fn label(&self, from: &MirrorState, action: &MirrorAction) -> String {
        match *action {
            MirrorAction::Produce => format!("a record is appended to the source at offset {}", from.end),
            MirrorAction::Gap => format!("offset {} of the source holds no record", from.end),
            MirrorAction::Stop => "the producers stop".to_owned(),
            MirrorAction::AnswerPoll => format!("the source answers a poll: end offset {}", from.end),
            MirrorAction::PollReturns => {
                format!("the poll returns to the task: end offset {}", from.poll.map_or(0, |poll| poll.0))
            }
            MirrorAction::Acknowledge { offset } => {
                format!("the record of source offset {offset} is in the target, and its callback runs")
            }
            MirrorAction::Flush => "the task's offsets are flushed".to_owned(),
            MirrorAction::Restart { written: false } => {
                "the task restarts; what was in flight is lost".to_owned()
            }
            MirrorAction::Restart { written: true } => {
                "the task restarts; what was in flight reaches the target".to_owned()
            }
            MirrorAction::AnswerSample => format!("the source answers a sample: end offset {}", from.end),
            MirrorAction::SampleReturns => {
                format!(
                    "the sample reaches the rule: end offset {}",
                    from.sample.map_or(0, |sample| sample.0)
                )
            }
            MirrorAction::Recreate => "the source topic is deleted and made again".to_owned(),
            MirrorAction::Tick => "a tick of time".to_owned(),
        }
    }

    pub(super) fn as_message(&self, from: &MirrorState, action: &MirrorAction) -> Option<Message> {
        let message = |a: &str, b: &str, text: String| Some(Message { from: a.into(), to: b.into(), text });
        match *action {
            MirrorAction::AnswerPoll => message("source", "source", format!("answers, end {}", from.end)),
            MirrorAction::PollReturns => {
                message("source", "task", format!("poll, end {}", from.poll.map_or(0, |poll| poll.0)))
            }
            MirrorAction::Acknowledge { offset } => {
                message("target", "task", format!("callback, source offset {offset}"))
            }
            MirrorAction::SampleReturns => {
                message("source", "rule", format!("end {}", from.sample.map_or(0, |sample| sample.0)))
            }
            _ => None,
        }
    }

    pub(super) fn describe(&self, state: &MirrorState) -> Vec<Variable> {
        let answer = |answer: Option<(u8, u8)>| match answer {
            None => Value::from("none"),
            Some((end, age)) => Value::from(format!("end offset {end}, read {age} ticks ago")),
        };
        let mut variables = vec![
            Variable::new("source: end offset", u32::from(state.end)),
            Variable::new("source: records at", set(state.records)),
            Variable::new("source: producers stopped", state.quiet),
            Variable::new("target: has", set(state.in_target)),
            Variable::new("task: next offset", u32::from(state.position)),
            Variable::new("task: in flight", set(state.in_flight & !state.acknowledged)),
            Variable::new("task: flushed offset", known(state.stored)),
            Variable::new("poll under way", answer(state.poll)),
        ];
        if self.rule.samples() {
            variables.push(Variable::new("sample under way", answer(state.sample)));
        }
        variables.extend([
            Variable::new("rule: LEO", known(state.leo)),
            Variable::new("rule: ticks since it was read", u32::from(state.leo_age)),
            Variable::new("rule: LRO", known(state.lro)),
            Variable::new("rule: reported lag", lag(state.reported())),
            Variable::new("true lag", state.missing_below(state.end)),
        ]);
        variables
    }

    pub(super) fn conclude(&self, claim: usize, state: &MirrorState) -> Vec<String> {
        let numbers = format!(
            "{} reports {}; {} records are still to be replicated",
            self.rule.name(),
            lag(state.reported()),
            state.missing_below(state.end)
        );
        let seen = format!(
            "of those that were below end offset {} when it was read, {} are",
            state.seen_end,
            state.missing_below(state.seen_end)
        );
        match claim {
            2 => vec![numbers, seen],
            3 => vec![format!(
                "{numbers}; it was less at the end offset before, and nothing was produced since"
            )],
            5 => vec![format!("the LRO is {} now and was higher", known(state.lro))],
            7 | 8 => vec![format!("the end offset was read {} ticks ago", state.leo_age)],
            _ => vec![numbers],
        }
    }
}
