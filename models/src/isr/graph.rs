//! The reachable states of a setting as an explicit graph.
//!
//! Bounds without a limit on the run's length, and proofs that there is none, need the graph
//! itself: a checker that judges one state at a time cannot see a cycle.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::setting::Setting;
use super::state::State;
use super::step::{Action, Effect, for_each_step, initial_states};
use crate::checker::{Limits, StopReason, resident_memory};

/// A step between two states of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the state that it leads to.
    pub to: u32,
    /// The action.
    pub action: Action,
    /// What it did to the first follower.
    pub effect: Effect,
}

/// All states that a setting can reach, numbered in breadth-first order, and all steps.
#[derive(Clone, Debug)]
pub struct Graph {
    states: Vec<State>,
    initial: usize,
    first_edge: Vec<u32>,
    edges: Vec<Edge>,
    parents: Vec<(u32, Action)>,
    depth: u32,
}

/// Spreads a packed state; [`State`] hashes as one `u128`.
#[derive(Clone, Copy, Debug, Default)]
struct PackedHasher(u64);

impl Hasher for PackedHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(u128::from(byte));
        }
    }

    fn write_u128(&mut self, word: u128) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (self.0 ^ word as u64).wrapping_mul(ODD) ^ ((word >> 64) as u64).wrapping_mul(!ODD | 1);
        self.0 = (mixed ^ mixed >> 29).wrapping_mul(ODD).rotate_left(23);
    }
}

impl Graph {
    /// Explores all states that `setting` can reach.
    ///
    /// # Errors
    /// What ended the search early: the limit on states, or, looked at every thousand states, the
    /// time limit, the interrupt, or the limit on the memory of the whole process (Linux only).
    pub fn explore(setting: &Setting, limits: &Limits) -> Result<Graph, StopReason> {
        let started = std::time::Instant::now();
        let mut numbers: HashMap<State, u32, BuildHasherDefault<PackedHasher>> = HashMap::default();
        let mut graph = Graph {
            states: Vec::new(),
            initial: 0,
            first_edge: vec![0],
            edges: Vec::new(),
            parents: Vec::new(),
            depth: 1,
        };
        for state in initial_states(setting) {
            numbers.insert(state, graph.states.len() as u32);
            graph.parents.push((u32::MAX, Action::Tick));
            graph.states.push(state);
        }
        graph.initial = graph.states.len();
        let mut at = 0;
        let mut level_end = graph.states.len();
        while at < graph.states.len() {
            if at == level_end {
                graph.depth += 1;
                level_end = graph.states.len();
            }
            if limits.max_states.is_some_and(|most| graph.states.len() as u64 > most) {
                return Err(StopReason::MaxStates);
            }
            if at % 1_000 == 0 {
                stop(limits, started)?;
            }
            let state = graph.states[at];
            for_each_step(setting, &state, |action, effect, next| {
                let found = graph.states.len() as u32;
                let to = *numbers.entry(next).or_insert(found);
                if to == found {
                    graph.states.push(next);
                    graph.parents.push((at as u32, action));
                }
                graph.edges.push(Edge { to, action, effect });
            });
            graph.first_edge.push(u32::try_from(graph.edges.len()).map_err(|_| StopReason::Memory)?);
            at += 1;
        }
        Ok(graph)
    }

    /// The states, initial ones first.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// How many of the states are initial.
    pub fn initial_count(&self) -> usize {
        self.initial
    }

    /// Number of steps.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// States on the longest of the shortest paths, the initial one included.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The steps out of a state.
    pub fn edges(&self, state: u32) -> &[Edge] {
        let at = state as usize;
        &self.edges[self.first_edge[at] as usize..self.first_edge[at + 1] as usize]
    }

    /// The first step out of a state, as an index that counts all steps.
    pub fn first_edge(&self, state: u32) -> usize {
        self.first_edge[state as usize] as usize
    }

    /// A shortest path to a state: where it begins, and the actions.
    pub fn path_to(&self, state: u32) -> (State, Vec<Action>) {
        let mut actions = Vec::new();
        let mut at = state;
        while at as usize >= self.initial {
            let (from, action) = self.parents[at as usize];
            actions.push(action);
            at = from;
        }
        actions.reverse();
        (self.states[at as usize], actions)
    }
}

/// Whether the time is over, the memory is full, or someone interrupts.
fn stop(limits: &Limits, started: std::time::Instant) -> Result<(), StopReason> {
    use std::sync::atomic::Ordering;
    if limits.timeout.is_some_and(|longest| started.elapsed() > longest) {
        Err(StopReason::Timeout)
    } else if limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
        Err(StopReason::Interrupt)
    } else if limits.max_memory.is_some_and(|most| resident_memory().is_some_and(|now| now > most)) {
        Err(StopReason::Memory)
    } else {
        Ok(())
    }
}
