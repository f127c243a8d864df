//! The exact extreme of a measure over all runs of a setting, or a proof that it has none.
//!
//! A counter's update depends on the step alone and never turns a larger counter into a smaller
//! one than it turns a smaller counter into. So the largest value with which any run can reach a
//! state is a fixed point over the graph's states: no product of states and counters is needed,
//! and no run is cut off. A counter that reaches the cap is unbounded exactly if some reachable
//! cycle makes it grow and never sets it back (module `lineage`); the cycle is the proof.

use super::graph::Graph;
use super::lineage;
use super::measure::{Counters, Extreme, Measure, Update, updated};
use super::state::State;
use super::step::Action;

/// Counters stop here in the search for an extreme. Above any bound of a small setting; one that
/// gets here without a cycle is an error, not an answer.
pub const CAP: u8 = 250;

/// The answer to a question: the extreme of its measure over all runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The measure was never looked at: its premise is never true.
    Never,
    /// The exact extreme value.
    Exactly(u8),
    /// There is no largest value: some runs make it grow for ever.
    Unbounded(Cycle),
}

/// A run that can go round as often as it likes and makes a counter grow each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The initial state.
    pub start: State,
    /// The actions that lead to the cycle.
    pub approach: Vec<Action>,
    /// The actions of one round, which ends in the state where it began.
    pub round: Vec<Action>,
    /// After any number of rounds: the actions up to the first that looks at the counter.
    pub tail: Vec<Action>,
}

/// An answer and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The extreme.
    pub extent: Extent,
    /// Steps at which the measure was looked at.
    pub observations: u64,
}

/// The exact extreme of a measure over all runs in the graph.
///
/// # Panics
/// If a counter reaches [`CAP`] though no cycle makes it grow: the setting is too large.
pub fn bound(graph: &Graph, measure: Measure) -> Bound {
    let plan = Plan::of(graph, measure);
    let observations = plan.observed.iter().filter(|&&observed| observed).count() as u64;
    if observations == 0 {
        return Bound { extent: Extent::Never, observations };
    }
    if measure.extreme() == Extreme::Largest
        && let Some(cycle) = lineage::growing_cycle(graph, &plan.updates, &plan.observed)
    {
        return Bound { extent: Extent::Unbounded(cycle), observations };
    }
    let values = fixed_point(graph, measure, &plan);
    let mut extreme: Option<u8> = None;
    for from in 0..graph.states().len() as u32 {
        let first = graph.first_edge(from);
        for at in first..first + graph.edges(from).len() {
            if plan.observed[at] {
                let value = updated(values[from as usize], plan.updates[at], CAP)[0];
                extreme = Some(extreme.map_or(value, |so_far| better(measure.extreme(), so_far, value)));
            }
        }
    }
    let extreme = extreme.expect("something was observed");
    assert!(extreme < CAP, "{measure} reaches {CAP} without a cycle: choose a smaller setting");
    Bound { extent: Extent::Exactly(extreme), observations }
}

fn better(extreme: Extreme, one: u8, other: u8) -> u8 {
    match extreme {
        Extreme::Largest => one.max(other),
        Extreme::Smallest => one.min(other),
    }
}

/// The updates and observations of each step, in the order of the graph's steps.
struct Plan {
    updates: Vec<[Update; 2]>,
    observed: Vec<bool>,
}

impl Plan {
    fn of(graph: &Graph, measure: Measure) -> Plan {
        let mut plan = Plan {
            updates: Vec::with_capacity(graph.edge_count()),
            observed: Vec::with_capacity(graph.edge_count()),
        };
        for (from, before) in graph.states().iter().enumerate() {
            for edge in graph.edges(from as u32) {
                let after = &graph.states()[edge.to as usize];
                plan.updates.push(measure.update(before, edge.action, &edge.effect, after));
                plan.observed.push(measure.observes(before, &edge.effect, after));
            }
        }
        plan
    }
}

/// For each state the extreme value of each counter over all runs that end there.
fn fixed_point(graph: &Graph, measure: Measure, plan: &Plan) -> Vec<Counters> {
    let extreme = measure.extreme();
    let events_only = plan.updates.iter().all(|updates| matches!(updates[0], Update::Set(_)));
    if events_only {
        // What a step sets does not depend on what was there.
        return vec![measure.start(); graph.states().len()];
    }
    let mut values: Vec<Option<Counters>> = vec![None; graph.states().len()];
    let mut waiting = vec![false; graph.states().len()];
    let mut queue = std::collections::VecDeque::new();
    for state in 0..graph.initial_count() {
        values[state] = Some(measure.start());
        waiting[state] = true;
        queue.push_back(state as u32);
    }
    while let Some(from) = queue.pop_front() {
        waiting[from as usize] = false;
        let counters = values[from as usize].expect("a state in the queue has been reached");
        let first = graph.first_edge(from);
        for (offset, edge) in graph.edges(from).iter().enumerate() {
            let new = updated(counters, plan.updates[first + offset], CAP);
            let merged = match values[edge.to as usize] {
                None => new,
                Some(old) => [better(extreme, old[0], new[0]), better(extreme, old[1], new[1])],
            };
            if values[edge.to as usize] != Some(merged) {
                values[edge.to as usize] = Some(merged);
                if !waiting[edge.to as usize] {
                    waiting[edge.to as usize] = true;
                    queue.push_back(edge.to);
                }
            }
        }
    }
    values.into_iter().map(|value| value.expect("every state of the graph is reached")).collect()
}
