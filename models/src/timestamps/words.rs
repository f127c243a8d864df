//! The model in words.

use super::model::{TimestampAction, Timestamps, WRAPPING};
use super::state::{Entry, TimestampState};
use crate::trace::{Moment, Value, Variable};

fn broker(number: u8) -> String {
    format!("broker {}", number + 1)
}

/// A time; one far before all others by how it is made.
fn time(time: i64) -> String {
    if time == WRAPPING { "−2⁶³ + 1".to_owned() } else { time.to_string().replacen('-', "−", 1) }
}

fn entry(entry: &Entry) -> String {
    let header = entry.header.map_or(String::new(), |header| format!(", wrapper {}", time(header)));
    format!(
        "time {} (sent {}, the clock read {}, epoch {}, {} of {}{header})",
        time(entry.stored),
        time(entry.sent),
        entry.clock,
        entry.epoch,
        entry.batch_index + 1,
        entry.batch_size,
    )
}

impl Timestamps {
    pub(super) fn label(&self, from: &TimestampState, action: &TimestampAction) -> String {
        match *action {
            TimestampAction::Tick { broker: number } => {
                format!("the clock of {} goes on to {}", broker(number), from.clocks[usize::from(number)] + 1)
            }
            TimestampAction::StepBack { broker: number } => {
                let clock = from.clocks[usize::from(number)] - 1;
                format!("the clock of {} steps back to {clock}", broker(number))
            }
            TimestampAction::Elect => format!(
                "leadership moves from {} to {}, which has every record",
                broker(from.leader),
                broker(1 - from.leader)
            ),
            TimestampAction::Produce { first, second, compressed } => {
                let times: Vec<i64> = std::iter::once(first).chain(second).collect();
                let next = self.next(from, action);
                let outcome = if next.rejected.is_some() { "rejects" } else { "appends" };
                let form = if compressed { "a compressed batch" } else { "a batch" };
                let times: Vec<String> = times.into_iter().map(time).collect();
                format!(
                    "{}, whose clock reads {}, {outcome} {form} with the time{} {}",
                    broker(from.leader),
                    from.leader_clock(),
                    if times.len() == 1 { "" } else { "s" },
                    times.join(" and ")
                )
            }
        }
    }

    fn next(&self, from: &TimestampState, action: &TimestampAction) -> TimestampState {
        use stateright::Model;
        self.next_state(from, *action).unwrap_or(*from)
    }

    pub(super) fn describe(&self, state: &TimestampState) -> Vec<Variable> {
        let log = state.records().iter().map(|record| Value::from(entry(record)));
        vec![
            Variable::new("broker 1: clock", state.clocks[0]),
            Variable::new("broker 2: clock", state.clocks[1]),
            Variable::new("leader", broker(state.leader)),
            Variable::new("leader epoch", u32::from(state.epoch)),
            Variable::new("log", Value::Seq(log.collect())),
        ]
    }

    /// What a violated claim comes to, from the last state.
    pub(super) fn conclude(
        &self,
        claim: &str,
        path: &[Moment<TimestampState, TimestampAction>],
    ) -> Vec<String> {
        let Some(state) = path.last().map(|moment| moment.state) else { return Vec::new() };
        let records = state.records();
        let fallen = records.windows(2).position(|pair| pair[1].stored < pair[0].stored);
        let fall = fallen.map(|place| {
            let (before, after) = (records[place], records[place + 1]);
            format!(
                "The record at offset {} has the time {}, and the next one {}, which is before it.",
                place,
                time(before.stored),
                time(after.stored)
            )
        });
        match claim {
            "append-time-rises" | "append-time-rises-in-epoch" => fall.into_iter().collect(),
            "lookup-by-own-times" => fall
                .into_iter()
                .chain(["A search that takes the times for sorted passes over the first that matches.".to_owned()])
                .collect(),
            "create-time-within-limits" => records
                .iter()
                .enumerate()
                .filter(|(_, record)| record.stored < 0)
                .map(|(offset, record)| {
                    format!(
                        "The record at offset {offset} is stored with the time {}, though the leader's clock read {}: the \
                         64-bit difference wraps around.",
                        time(record.stored),
                        record.clock
                    )
                })
                .collect(),
            "rejected-leaves-log" | "whole-batch-or-nothing" => {
                let broken = records.iter().enumerate().find(|(_, record)| record.batch_size == 2);
                broken
                    .map(|(offset, record)| {
                        format!(
                            "The record at offset {offset} is number {} of a rejected batch of 2; the other one is not \
                             there.",
                            record.batch_index + 1
                        )
                    })
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}
