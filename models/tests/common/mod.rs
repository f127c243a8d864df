//! A model small enough to know everything about: walks on a square grid.

use isrlab_models::checker::{Checkable, Claim, Judgement, Packed};
use isrlab_models::trace::{Message, Moment, Variable};
use stateright::Model;

/// Walks right or up from the origin, within `side` by `side` points.
#[derive(Clone, Debug)]
pub struct Grid {
    pub side: u32,
    /// Points with at least this sum of coordinates violate the claim `near`.
    pub near: u32,
    /// A point where stepping panics.
    pub trap: Option<(u32, u32)>,
}

impl Grid {
    pub fn new(side: u32) -> Self {
        Self { side, near: u32::MAX, trap: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    Right,
    Up,
    Jump,
}

impl Model for Grid {
    type State = (u32, u32);
    type Action = Walk;

    fn init_states(&self) -> Vec<(u32, u32)> {
        vec![(0, 0)]
    }

    fn actions(&self, _: &(u32, u32), actions: &mut Vec<Walk>) {
        actions.extend([Walk::Right, Walk::Up, Walk::Jump]);
    }

    fn next_state(&self, &(x, y): &(u32, u32), action: Walk) -> Option<(u32, u32)> {
        assert!(self.trap != Some((x, y)), "stepped into the trap");
        let (x, y) = match action {
            Walk::Right => (x + 1, y),
            Walk::Up => (x, y + 1),
            Walk::Jump => return None,
        };
        (x < self.side && y < self.side).then_some((x, y))
    }
}

impl Checkable for Grid {
    fn title(&self) -> String {
        format!("grid of side {}", self.side)
    }

    fn bound(&self) -> String {
        format!("{} by {} points", self.side, self.side)
    }

    fn action_kinds(&self) -> Vec<&'static str> {
        vec!["right", "up", "jump"]
    }

    fn action_kind(&self, action: &Walk) -> usize {
        *action as usize
    }

    fn action_label(&self, _: &(u32, u32), action: &Walk) -> String {
        format!("walks {action:?}")
    }

    fn message(&self, _: &(u32, u32), action: &Walk) -> Option<Message> {
        (*action == Walk::Up).then(|| Message { from: "south".into(), to: "north".into(), text: "up".into() })
    }

    fn participants(&self) -> Vec<String> {
        vec!["south".into(), "north".into()]
    }

    fn claims(&self) -> Vec<Claim> {
        let claim = |name| Claim { name, statement: "the walk stays near", premise: "the walk has begun" };
        vec![claim("near"), claim("true"), Claim { premise: "the walk is outside", ..claim("never-asked") }]
    }

    fn judge(&self, &(x, y): &(u32, u32)) -> Judgement {
        let begun = x + y > 0;
        Judgement { premises: if begun { 0b011 } else { 0 }, violated: u32::from(x + y >= self.near) }
    }

    fn variables(&self, &(x, y): &(u32, u32)) -> Vec<Variable> {
        vec![Variable::new("point: x", x), Variable::new("point: y", y)]
    }

    fn conclusion(&self, _: usize, path: &[Moment<(u32, u32), Walk>]) -> Vec<String> {
        vec![format!("{} steps away; too far.", path.len() - 1)]
    }

    /// The grid and its mirror image are alike.
    fn canonical(&self, &(x, y): &(u32, u32)) -> (u32, u32) {
        (x.max(y), x.min(y))
    }
}

impl Packed for Grid {
    type Word = u64;

    fn pack(&self, &(x, y): &(u32, u32)) -> u64 {
        u64::from(x) << 32 | u64::from(y)
    }

    fn unpack(&self, word: u64) -> (u32, u32) {
        ((word >> 32) as u32, word as u32)
    }
}
