//! Both engines on every model: the same counts, depths, verdicts and counterexample lengths; and
//! the fast engine's answer, whole, on any number of threads.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::Grid;
use isrlab_models::async_isr::{AsyncIsr, AsyncIsrConstants, AsyncIsrVariant};
use isrlab_models::checker::{
    Checkable, Engine, Limits, Options, Packed, Report, StopReason, Verdict, check,
};
use isrlab_models::replication::{Constants, Replication, Variant};

fn run<M: Packed>(model: &M, engine: Engine, threads: usize, symmetry: bool) -> Report {
    let options = Options { engine, threads, symmetry, ..Options::default() };
    check(model, &options, &mut |_| ())
}

/// What both engines must agree on; lengths of counterexamples, not the paths.
fn comparable(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let claims = report.claims.iter().map(|claim| {
        let states = claim.counterexample_states();
        (claim.name, claim.verdict, claim.premise_states, claim.violating_states, states)
    });
    (
        report.model.clone(),
        report.distinct_states,
        report.transitions,
        report.depth,
        report.actions.clone(),
        claims.collect::<Vec<_>>(),
    )
}

fn assert_engines_agree<M: Packed>(model: &M) {
    for symmetry in [false, true] {
        let reference = run(model, Engine::Stateright, 1, symmetry);
        let fast = run(model, Engine::Fast, 1, symmetry);
        assert!(reference.is_whole() && fast.is_whole());
        assert_eq!(comparable(&reference), comparable(&fast), "symmetry {symmetry}");
        for threads in [2, 3] {
            assert_eq!(run(model, Engine::Fast, threads, symmetry), fast, "{threads} threads");
        }
        let parallel = run(model, Engine::Stateright, 2, symmetry);
        assert_eq!(comparable(&Report { depth: reference.depth, ..parallel }), comparable(&reference));
    }
}

/// With symmetry: fewer states, the same verdicts, depth and lengths.
fn assert_symmetry_changes_no_answer<M: Packed>(model: &M) {
    let plain = run(model, Engine::Fast, 1, false);
    let symmetric = run(model, Engine::Fast, 1, true);
    assert!(symmetric.distinct_states < plain.distinct_states);
    assert_eq!(symmetric.depth, plain.depth);
    for (symmetric, plain) in symmetric.claims.iter().zip(&plain.claims) {
        assert_eq!(symmetric.verdict, plain.verdict);
        assert_eq!(symmetric.counterexample_states(), plain.counterexample_states());
        assert_eq!(symmetric.premise_states > 0, plain.premise_states > 0);
    }
}

#[test]
fn engines_agree_on_every_generation() {
    let bounds: &[Constants] = if cfg!(debug_assertions) {
        &[Constants::new(2, 2, 2, 1), Constants::new(2, 2, 2, 2)]
    } else {
        &[Constants::new(2, 2, 2, 2), Constants::new(2, 3, 3, 2), Constants::new(3, 2, 2, 1)]
    };
    for &constants in bounds {
        for variant in Variant::ALL {
            for history in [false, true] {
                let model = Replication::<u64>::new(variant, constants, history).expect("fits");
                assert_engines_agree(&model);
                assert_symmetry_changes_no_answer(&model);
            }
        }
    }
}

#[test]
fn engines_agree_on_isr_changes_in_flight() {
    for variant in AsyncIsrVariant::ALL {
        for constants in [AsyncIsrConstants::new(2, 3, 3), AsyncIsrConstants::new(3, 1, 2)] {
            let model = AsyncIsr::new(variant, constants).expect("valid");
            assert_engines_agree(&model);
        }
        assert_symmetry_changes_no_answer(
            &AsyncIsr::new(variant, AsyncIsrConstants::new(3, 1, 2)).expect("valid"),
        );
    }
}

#[test]
fn engines_agree_on_a_grid() {
    assert_engines_agree(&Grid { near: 5, ..Grid::new(40) });
}

#[test]
fn a_wider_word_changes_nothing() {
    let constants = Constants::new(2, 2, 2, 2);
    for variant in Variant::ALL {
        let narrow = Replication::<u64>::new(variant, constants, true).expect("fits");
        let wide = Replication::<u128>::new(variant, constants, true).expect("fits");
        let (narrow, wide) = (run(&narrow, Engine::Fast, 1, false), run(&wide, Engine::Fast, 1, false));
        assert_eq!(comparable(&narrow), comparable(&wide));
    }
}

#[test]
fn packing_is_undone_by_unpacking_in_every_reachable_state() {
    let model = AsyncIsr::new(AsyncIsrVariant::ShrinkAtOnce, AsyncIsrConstants::new(2, 3, 3)).expect("valid");
    let mut seen: Vec<_> = stateright::Model::init_states(&model);
    let mut next = 0;
    while next < seen.len() {
        let state = seen[next];
        assert_eq!(model.unpack(model.pack(&state)), state);
        model.for_each_step(&state, |_, state| {
            if !seen.contains(&state) {
                seen.push(state);
            }
        });
        next += 1;
    }
    assert_eq!(seen.len(), 1100);
}

#[test]
fn limits_stop_both_engines_on_any_number_of_threads() {
    let grid = Grid { near: 3, ..Grid::new(2000) };
    for (engine, threads) in
        [(Engine::Fast, 1), (Engine::Fast, 2), (Engine::Stateright, 1), (Engine::Stateright, 2)]
    {
        let run = |limits| {
            let options = Options { engine, threads, limits, ..Options::default() };
            check(&grid, &options, &mut |_| ())
        };
        let report = run(Limits { max_states: Some(10_000), ..Limits::default() });
        assert_eq!((report.stopped, report.distinct_states), (Some(StopReason::MaxStates), 10_000));
        assert_eq!(report.claims[0].verdict, Verdict::Violated);
        assert_eq!(report.claims[0].counterexample_states(), Some(4), "{engine:?}");
        assert_eq!(report.claims[1].verdict, Verdict::Inconclusive);

        let report = run(Limits { max_memory: Some(100_000), ..Limits::default() });
        assert_eq!(report.stopped, Some(StopReason::Memory), "{engine:?} on {threads}");
        assert!(report.distinct_states < 4_000_000);

        let interrupt = Some(Arc::new(AtomicBool::new(true)));
        let report = run(Limits { interrupt, ..Limits::default() });
        assert_eq!(report.stopped, Some(StopReason::Interrupt));
    }
}

#[test]
fn the_fast_engine_keeps_within_its_memory_limit() {
    let limit = 3_000_000;
    let mut most = 0;
    let limits = Limits { max_memory: Some(limit), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let report = check(&Grid::new(2000), &options, &mut |progress| {
        most = most.max(progress.memory.expect("known"));
    });
    assert_eq!(report.stopped, Some(StopReason::Memory));
    assert!(most <= limit && most > limit / 3, "{most}");
    assert!(report.distinct_states > 50_000, "{}", report.distinct_states);
}

#[test]
fn a_limit_that_is_just_enough_is_no_limit() {
    let limits = Limits { max_states: Some(900), ..Limits::default() };
    for engine in [Engine::Fast, Engine::Stateright] {
        let options = Options { engine, limits: limits.clone(), ..Options::default() };
        let report = check(&Grid::new(30), &options, &mut |_| ());
        assert_eq!((report.distinct_states, report.stopped), (900, None), "{engine:?}");
    }
}

#[test]
fn a_panic_of_the_model_comes_through_on_any_number_of_threads() {
    let grid = Grid { trap: Some((100, 100)), ..Grid::new(300) };
    for engine in [Engine::Fast, Engine::Stateright] {
        for threads in [1, 2] {
            let result = std::panic::catch_unwind(|| run(&grid, engine, threads, false));
            let panic = result.expect_err("the model panics");
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            assert!(text.is_some_and(|text| text.contains("trap")), "{engine:?} on {threads}");
        }
    }
}

#[test]
fn progress_is_told_and_ends_at_the_whole_count() {
    let mut last = None;
    let report = check(&Grid::new(500), &Options::default(), &mut |progress| last = Some(*progress));
    let last = last.expect("told at least once");
    assert_eq!((last.states, last.pending), (250_000, Some(0)));
    assert_eq!(last.depth, report.depth.expect("known"));
    assert!(last.states_per_second() > 0.0);
}
