//! Cycles that make a counter grow without bound.
//!
//! A measure has two counters and may copy one into the other. The *lineage* graph follows one
//! value through that: its nodes are (state, the counter that the value is in), its steps those
//! that keep the value, make it grow, or copy it over. A value that once enters a cycle with a
//! growing step there can be made as large as one likes; if the measure is then looked at while
//! the value is in its first counter, the measure has no largest value.

use super::bound::Cycle;
use super::graph::Graph;
use super::measure::Update;
use super::step::Action;

/// A step of the lineage graph.
#[derive(Clone, Copy)]
struct Link {
    to: u32,
    action: Action,
    grows: bool,
    observed: bool,
}

/// The lineage graph; node `counters * state + counter`.
struct Lineage {
    /// How many of the two counters matter: the second only if it is ever copied.
    counters: u32,
    first: Vec<u32>,
    links: Vec<Link>,
}

/// A shortest approach, a round that makes the counter grow and never sets it back, and a tail
/// that looks at it; `None` if no such cycle can be reached.
///
/// `updates` and `observed` are in the order of the graph's steps.
pub(super) fn growing_cycle(graph: &Graph, updates: &[[Update; 2]], observed: &[bool]) -> Option<Cycle> {
    if !updates.iter().flatten().any(|&update| update == Update::Grow) {
        return None;
    }
    let lineage = Lineage::of(graph, updates, observed);
    let component = lineage.components();
    let inside = |at: u32, link: &Link| component[at as usize] == component[link.to as usize];
    if !(0..lineage.len()).any(|at| lineage.links(at).iter().any(|link| link.grows && inside(at, link))) {
        return None;
    }
    let seen_later = lineage.reaches_observation();
    for node in 0..lineage.len() {
        if !seen_later[node as usize] {
            continue;
        }
        let Some(growing) = lineage.links(node).iter().find(|link| link.grows && inside(node, link)) else {
            continue;
        };
        let (start, approach) = graph.path_to(node / lineage.counters);
        let mut round = vec![growing.action];
        round.extend(lineage.way(growing.to, inside, |at, _| at == node)?);
        let tail = lineage.way(node, |_, _| true, |_, arrived| arrived.is_some_and(|link| link.observed))?;
        return Some(Cycle { start, approach, round, tail });
    }
    None
}

impl Lineage {
    fn of(graph: &Graph, updates: &[[Update; 2]], observed: &[bool]) -> Lineage {
        let copies = updates.iter().flatten().any(|&update| update == Update::CopyOther);
        let counters = if copies { 2 } else { 1 };
        let mut lineage = Lineage { counters, first: vec![0], links: Vec::new() };
        for state in 0..graph.states().len() as u32 {
            let first = graph.first_edge(state);
            for counter in 0..counters {
                for (offset, edge) in graph.edges(state).iter().enumerate() {
                    let step = first + offset;
                    let own = updates[step][counter as usize];
                    let other = updates[step][1 - counter as usize];
                    let mut link = |to_counter: u32, grows: bool| {
                        lineage.links.push(Link {
                            to: counters * edge.to + to_counter,
                            action: edge.action,
                            grows,
                            observed: to_counter == 0 && observed[step],
                        });
                    };
                    if matches!(own, Update::Keep | Update::Grow) {
                        link(counter, own == Update::Grow);
                    }
                    if counters == 2 && other == Update::CopyOther {
                        link(1 - counter, false);
                    }
                }
                lineage.first.push(lineage.links.len() as u32);
            }
        }
        lineage
    }

    fn len(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    fn links(&self, node: u32) -> &[Link] {
        let at = node as usize;
        &self.links[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// For each node whether a step that looks at the value can still be taken from there.
    fn reaches_observation(&self) -> Vec<bool> {
        let mut reaches = vec![false; self.len() as usize];
        let mut back = vec![Vec::new(); self.len() as usize];
        let mut queue = Vec::new();
        for node in 0..self.len() {
            for link in self.links(node) {
                back[link.to as usize].push(node);
                if link.observed && !reaches[node as usize] {
                    reaches[node as usize] = true;
                    queue.push(node);
                }
            }
        }
        while let Some(node) = queue.pop() {
            for &before in &back[node as usize] {
                if !reaches[before as usize] {
                    reaches[before as usize] = true;
                    queue.push(before);
                }
            }
        }
        reaches
    }

    /// The actions of a shortest walk over links that `keep` accepts, to the first place that
    /// `done` accepts: a node, with the link by which the walk came there (none at its start).
    fn way(
        &self,
        from: u32,
        keep: impl Fn(u32, &Link) -> bool,
        done: impl Fn(u32, Option<&Link>) -> bool,
    ) -> Option<Vec<Action>> {
        if done(from, None) {
            return Some(Vec::new());
        }
        let mut came: std::collections::HashMap<u32, (u32, Action)> = std::collections::HashMap::new();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for link in self.links(at).iter().filter(|link| keep(at, link)) {
                if done(link.to, Some(link)) {
                    let mut actions = vec![link.action];
                    let mut back = at;
                    while back != from {
                        let (before, action) = came[&back];
                        actions.push(action);
                        back = before;
                    }
                    actions.reverse();
                    return Some(actions);
                }
                if link.to != from && !came.contains_key(&link.to) {
                    came.insert(link.to, (at, link.action));
                    queue.push_back(link.to);
                }
            }
        }
        None
    }

    /// The number of the strongly connected component of each node: Tarjan's algorithm, with a
    /// stack of its own because the graph is deep.
    fn components(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let nodes = self.len() as usize;
        let (mut index, mut low, mut component) = (vec![NONE; nodes], vec![0u32; nodes], vec![NONE; nodes]);
        let (mut stack, mut calls) = (Vec::new(), Vec::new());
        let (mut next_index, mut next_component) = (0, 0);
        for root in 0..self.len() {
            if index[root as usize] != NONE {
                continue;
            }
            calls.push((root, 0usize));
            while let Some(&mut (node, ref mut taken)) = calls.last_mut() {
                let at = node as usize;
                if *taken == 0 {
                    index[at] = next_index;
                    low[at] = next_index;
                    next_index += 1;
                    stack.push(node);
                }
                if let Some(link) = self.links(node).get(*taken) {
                    *taken += 1;
                    let to = link.to as usize;
                    if index[to] == NONE {
                        calls.push((link.to, 0));
                    } else if component[to] == NONE {
                        low[at] = low[at].min(index[to]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(caller, _)) = calls.last() {
                    low[caller as usize] = low[caller as usize].min(low[at]);
                }
                if low[at] == index[at] {
                    while let Some(member) = stack.pop() {
                        component[member as usize] = next_component;
                        if member == node {
                            break;
                        }
                    }
                    next_component += 1;
                }
            }
        }
        component
    }
}
