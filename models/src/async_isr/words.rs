//! The model in words, and its states under other names for the followers.

use super::model::{AsyncIsr, AsyncIsrAction};
use super::state::AsyncIsrState;
use crate::replication::orders;
use crate::trace::{Message, Moment, Value, Variable};

const CONTROLLER: &str = "controller";
const LEADER: &str = "leader 1";

fn members(isr: u8) -> impl Iterator<Item = u8> {
    (0..u8::BITS as u8).filter(move |replica| isr >> replica & 1 == 1)
}

fn isr_value(isr: u8) -> Value {
    Value::Set(members(isr).map(|replica| Value::from(i64::from(replica) + 1)).collect())
}

fn follower_name(replica: u8) -> String {
    format!("follower {}", replica + 1)
}

impl AsyncIsr {
    pub(super) fn columns(&self) -> Vec<String> {
        let followers = (1..self.constants.replicas as u8).map(follower_name);
        [CONTROLLER.to_owned(), LEADER.to_owned()].into_iter().chain(followers).collect()
    }

    pub(super) fn label(&self, from: &AsyncIsrState, action: &AsyncIsrAction) -> String {
        let version = from.controller_version;
        match *action {
            AsyncIsrAction::ControllerShrinkIsr { replica } => format!(
                "the controller counts {} as failed: ISR {} as version {}",
                follower_name(replica),
                isr_value(from.controller_isr & !(1 << replica)),
                version + 1
            ),
            AsyncIsrAction::ControllerHandleRequest { isr } => format!(
                "the controller grants AlterPartition(ISR {}, for version {version}) as version {}",
                isr_value(isr),
                version + 1
            ),
            AsyncIsrAction::LeaderRequestShrink { replica } => format!(
                "{LEADER} asks to take {} out: AlterPartition(ISR {}, for version {})",
                follower_name(replica),
                isr_value(from.leader_isr & !(1 << replica)),
                from.leader_version
            ),
            AsyncIsrAction::LeaderRequestExpand { replica } => format!(
                "{LEADER} asks to take {} in: AlterPartition(ISR {}, for version {})",
                follower_name(replica),
                isr_value(from.leader_isr | 1 << replica),
                from.leader_version
            ),
            AsyncIsrAction::Write => format!("{LEADER} appends the record at offset {}", from.offsets[0]),
            AsyncIsrAction::LeaderHandleUpdate { version } => format!(
                "{LEADER} learns of ISR {}, version {version}",
                isr_value(from.updates[usize::from(version)])
            ),
            AsyncIsrAction::Replicate { replica } => format!(
                "{} fetches the record at offset {}",
                follower_name(replica),
                from.offsets[usize::from(replica)]
            ),
        }
    }

    pub(super) fn as_message(&self, from: &AsyncIsrState, action: &AsyncIsrAction) -> Message {
        let message = |from: &str, to: &str, text: String| Message { from: from.into(), to: to.into(), text };
        let ask =
            |isr| format!("AlterPartition(ISR {}, for version {})", isr_value(isr), from.leader_version);
        match *action {
            AsyncIsrAction::ControllerShrinkIsr { replica } => message(
                CONTROLLER,
                CONTROLLER,
                format!("ISR {}", isr_value(from.controller_isr & !(1 << replica))),
            ),
            AsyncIsrAction::ControllerHandleRequest { isr } => {
                message(LEADER, CONTROLLER, format!("granted: ISR {}", isr_value(isr)))
            }
            AsyncIsrAction::LeaderRequestShrink { replica } => {
                message(LEADER, LEADER, ask(from.leader_isr & !(1 << replica)))
            }
            AsyncIsrAction::LeaderRequestExpand { replica } => {
                message(LEADER, LEADER, ask(from.leader_isr | 1 << replica))
            }
            AsyncIsrAction::Write => message(LEADER, LEADER, format!("append offset {}", from.offsets[0])),
            AsyncIsrAction::LeaderHandleUpdate { version } => message(
                CONTROLLER,
                LEADER,
                format!("ISR {}, version {version}", isr_value(from.updates[usize::from(version)])),
            ),
            AsyncIsrAction::Replicate { replica } => message(
                LEADER,
                &follower_name(replica),
                format!("record at offset {}", from.offsets[usize::from(replica)]),
            ),
        }
    }

    pub(super) fn describe(&self, state: &AsyncIsrState) -> Vec<Variable> {
        let versions = 0..=self.constants.max_version as usize;
        let requests = versions.clone().flat_map(|version| {
            members(state.requests[version]).map(move |others| {
                Value::from(format!(
                    "AlterPartition(ISR {}, for version {version})",
                    isr_value(others << 1 | 1)
                ))
            })
        });
        let updates = (1..=usize::from(state.controller_version)).map(|version| {
            Value::from(format!("ISR {}, version {version}", isr_value(state.updates[version])))
        });
        let mut variables = vec![
            Variable::new("controller: ISR", isr_value(state.controller_isr)),
            Variable::new("controller: version", u32::from(state.controller_version)),
            Variable::new("leader: ISR", isr_value(state.leader_isr)),
            Variable::new("leader: version", u32::from(state.leader_version)),
            Variable::new("leader: pending ISR", isr_value(state.pending_isr)),
            Variable::new("leader: high watermark", u32::from(state.high_watermark())),
            Variable::new("requests", Value::Seq(requests.collect())),
            Variable::new("updates", Value::Seq(updates.collect())),
        ];
        variables.extend((0..self.constants.replicas as u8).map(|replica| {
            let offset = u32::from(state.offsets[usize::from(replica)]);
            let name = if replica == 0 { LEADER.to_owned() } else { follower_name(replica) };
            Variable::new(format!("{name}: log end offset"), offset)
        }));
        variables
    }

    pub(super) fn conclude(&self, path: &[Moment<AsyncIsrState, AsyncIsrAction>]) -> Vec<String> {
        let Some(last) = path.last().map(|moment| &moment.state) else { return Vec::new() };
        let high_watermark = last.high_watermark();
        let lacking = members(last.controller_isr)
            .map(|replica| (replica, last.offsets[usize::from(replica)]))
            .find(|&(_, offset)| offset < high_watermark);
        let Some((replica, offset)) = lacking else { return Vec::new() };
        let since = path.len() - path.iter().rev().take_while(|m| m.state.high_watermark() > offset).count();
        vec![
            format!(
                "The record at offset {offset} is acknowledged to producers with acks=all and visible to \
                 consumers since step {since}: below the leader's high watermark."
            ),
            format!(
                "{} is in the controller's ISR, so that it can be elected, and does not have it: its log \
                 ends at offset {offset}.",
                follower_name(replica).replacen('f', "F", 1)
            ),
        ]
    }

    /// The state under every renaming of the followers; the leader stays the first.
    pub(super) fn renamings(&self, state: &AsyncIsrState) -> impl Iterator<Item = AsyncIsrState> {
        let state = *state;
        orders(self.constants.replicas as usize - 1).into_iter().map(move |order| rename(&state, &order))
    }
}

fn rename(state: &AsyncIsrState, order: &[u8]) -> AsyncIsrState {
    let others = |set: u8| {
        let moved = order.iter().enumerate().map(|(old, new)| (set >> old & 1) << new);
        moved.fold(0, |all, one| all | one)
    };
    let isr = |isr: u8| others(isr >> 1) << 1 | (isr & 1);
    let mut next = AsyncIsrState {
        controller_isr: isr(state.controller_isr),
        leader_isr: isr(state.leader_isr),
        pending_isr: isr(state.pending_isr),
        updates: state.updates.map(isr),
        requests: state.requests.map(|asked| members(asked).fold(0, |all, set| all | 1 << others(set))),
        ..*state
    };
    for (old, &new) in order.iter().enumerate() {
        next.offsets[usize::from(new) + 1] = state.offsets[old + 1];
    }
    next
}
