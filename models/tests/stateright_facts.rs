//! What stateright 0.31 does that a verdict must not rest on, and that ours does not.
//!
//! Each test shows the fact on stateright itself, so that an upgrade that mends or worsens it is
//! noticed, and then the checker being right in spite of it.

mod common;

use std::time::Duration;

use common::Grid;
use isrlab_models::checker::{Engine, Limits, Options, StopReason, Verdict, check};
use stateright::{Checker, Model, Property};

/// A property by name.
type Named = (&'static str, fn(&Walks, &(u32, u32)) -> bool);

/// A walk with the properties that a test gives it.
#[derive(Clone)]
struct Walks {
    grid: Grid,
    properties: Vec<Named>,
    eventually: bool,
}

impl Walks {
    fn new(side: u32, properties: &[Named]) -> Self {
        Self { grid: Grid::new(side), properties: properties.to_vec(), eventually: false }
    }
}

impl Model for Walks {
    type State = (u32, u32);
    type Action = common::Walk;

    fn init_states(&self) -> Vec<(u32, u32)> {
        self.grid.init_states()
    }

    fn actions(&self, state: &(u32, u32), actions: &mut Vec<common::Walk>) {
        self.grid.actions(state, actions);
    }

    fn next_state(&self, state: &(u32, u32), action: common::Walk) -> Option<(u32, u32)> {
        let next = self.grid.next_state(state, action);
        // For liveness: the end of the way leads back to its start.
        if self.eventually && next.is_none() { Some((0, 0)) } else { next }
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let each = self.properties.iter().map(|&(name, condition)| {
            if self.eventually {
                Property::eventually(name, condition)
            } else {
                Property::always(name, condition)
            }
        });
        each.collect()
    }
}

fn yes(_: &Walks, _: &(u32, u32)) -> bool {
    true
}

fn options(engine: Engine) -> Options {
    Options { engine, ..Options::default() }
}

#[test]
fn a_search_that_was_cut_short_passes_in_stateright_and_is_inconclusive_here() {
    let far: fn(&Walks, &(u32, u32)) -> bool = |_, &(x, _)| x < 1000;
    let checker = Walks::new(1500, &[("far", far)]).checker().target_max_depth(20).spawn_bfs().join();
    assert_eq!(checker.unique_state_count(), 210);
    assert!(checker.is_done());
    checker.assert_properties();

    let grid = Grid { near: 1000, ..Grid::new(1500) };
    for engine in [Engine::Stateright, Engine::Fast] {
        let limits = Limits { max_states: Some(210), ..Limits::default() };
        let report = check(&grid, &Options { limits, ..options(engine) }, &mut |_| ());
        assert_eq!(report.distinct_states, 210);
        assert_eq!(report.stopped, Some(StopReason::MaxStates));
        assert_eq!(report.claim("near").map(|claim| claim.verdict), Some(Verdict::Inconclusive));
    }
}

#[test]
fn with_two_properties_a_path_is_not_the_shortest_in_stateright_and_is_here() {
    let near: fn(&Walks, &(u32, u32)) -> bool = |_, &(x, y)| x + y < 2;
    let path = |properties: &[_]| {
        let checker = Walks::new(20, properties).checker().spawn_bfs().join();
        checker.discovery("near").expect("violated").into_states().len()
    };
    assert_eq!(path(&[("near", near)]), 3);
    assert!(path(&[("near", near), ("true", yes)]) > 20);

    let grid = Grid { near: 2, ..Grid::new(20) };
    for engine in [Engine::Stateright, Engine::Fast] {
        let report = check(&grid, &options(engine), &mut |_| ());
        let near = report.claim("near").expect("a claim");
        assert_eq!(near.counterexample_states(), Some(3), "{engine:?}");
        assert_eq!(near.violating_states, 400 - 3);
    }
}

#[test]
fn the_time_limit_is_ignored_on_one_thread_in_stateright_and_holds_here() {
    let side = 400;
    let checker =
        Walks::new(side, &[("true", yes)]).checker().timeout(Duration::from_millis(5)).spawn_bfs().join();
    assert_eq!(checker.unique_state_count(), (side * side) as usize);

    let grid = Grid::new(3000);
    for engine in [Engine::Stateright, Engine::Fast] {
        for threads in [1, 2] {
            let limits = Limits { timeout: Some(Duration::from_millis(20)), ..Limits::default() };
            let options = Options { limits, threads, ..options(engine) };
            let report = check(&grid, &options, &mut |_| ());
            assert_eq!(report.stopped, Some(StopReason::Timeout), "{engine:?} on {threads}");
            assert!(report.distinct_states < 9_000_000);
            assert_eq!(report.claim("near").map(|claim| claim.verdict), Some(Verdict::Inconclusive));
        }
    }
}

#[test]
fn symmetry_is_ignored_by_breadth_first_search_in_stateright_and_used_here() {
    let mirror: fn(&(u32, u32)) -> (u32, u32) = |&(x, y)| (x.max(y), x.min(y));
    let walks = Walks::new(30, &[("true", yes)]);
    let bfs = walks.clone().checker().symmetry_fn(mirror).spawn_bfs().join();
    let dfs = walks.checker().symmetry_fn(mirror).spawn_dfs().join();
    assert_eq!((bfs.unique_state_count(), dfs.unique_state_count()), (900, 465));

    let grid = Grid { near: 7, ..Grid::new(30) };
    for engine in [Engine::Stateright, Engine::Fast] {
        let plain = check(&grid, &options(engine), &mut |_| ());
        let symmetric = check(&grid, &Options { symmetry: true, ..options(engine) }, &mut |_| ());
        assert_eq!((plain.distinct_states, symmetric.distinct_states), (900, 465));
        for (plain, symmetric) in plain.claims.iter().zip(&symmetric.claims) {
            assert_eq!(plain.verdict, symmetric.verdict);
            assert_eq!(plain.counterexample_states(), symmetric.counterexample_states());
        }
    }
}

#[test]
fn eventually_does_not_see_cycles_in_stateright_and_is_not_used_here() {
    let never: fn(&Walks, &(u32, u32)) -> bool = |_, &(x, _)| x == 77;
    let walks = Walks { eventually: true, ..Walks::new(3, &[("reaches 77", never)]) };
    let checker = walks.checker().spawn_bfs().join();
    assert!(checker.discovery("reaches 77").is_none(), "a walk that goes round for ever is a violation");
}

#[test]
fn without_properties_one_state_is_visited_in_stateright_and_all_are_here() {
    let checker = Walks::new(30, &[]).checker().spawn_bfs().join();
    assert!(checker.unique_state_count() < 5);

    for engine in [Engine::Stateright, Engine::Fast] {
        let report = check(&Grid::new(30), &options(engine), &mut |_| ());
        assert_eq!((report.distinct_states, report.depth), (900, Some(59)), "{engine:?}");
        assert!(report.claims.iter().all(|claim| claim.verdict == Verdict::Holds));
    }
}

#[test]
fn actions_and_premises_are_counted_and_what_was_not_exercised_is_named() {
    for engine in [Engine::Stateright, Engine::Fast] {
        for threads in [1, 2] {
            let report = check(&Grid::new(10), &Options { threads, ..options(engine) }, &mut |_| ());
            let taken: Vec<_> = report.actions.iter().map(|action| (action.kind, action.taken)).collect();
            assert_eq!(taken, [("right", 90), ("up", 90), ("jump", 0)]);
            let premises: Vec<_> = report.claims.iter().map(|claim| claim.premise_states).collect();
            assert_eq!(premises, [99, 99, 0]);
            assert_eq!(report.transitions, 180);
            assert_eq!(
                report.unexercised(),
                [
                    "action \"jump\" was never taken",
                    "the premise of \"never-asked\" (the walk is outside) was never true"
                ]
            );
        }
    }
}

#[test]
fn depth_is_told_only_where_it_is_right() {
    let depth =
        |engine, threads| check(&Grid::new(10), &Options { threads, ..options(engine) }, &mut |_| ()).depth;
    assert_eq!(depth(Engine::Stateright, 1), Some(19));
    assert_eq!(depth(Engine::Stateright, 2), None);
    assert_eq!(depth(Engine::Fast, 1), Some(19));
    assert_eq!(depth(Engine::Fast, 2), Some(19));
}
