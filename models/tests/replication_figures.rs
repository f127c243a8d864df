//! The state spaces and shortest counterexamples of the replication models, against the figures
//! that TLC gives for the specification they follow (distinct states, depth in states; whole
//! state graph, no symmetry).

use isrlab_models::checker::{Engine, Options, Report, check};
use isrlab_models::replication::{Constants, Replication, STRONG_ISR, Variant, WEAK_ISR};

const R2_E1: Constants = Constants::new(2, 2, 2, 1);
const R2_E2: Constants = Constants::new(2, 2, 2, 2);
const R2_L3: Constants = Constants::new(2, 3, 3, 2);
const R3_E1: Constants = Constants::new(3, 2, 2, 1);
const R3_E2: Constants = Constants::new(3, 2, 2, 2);

fn run(engine: Engine, variant: Variant, constants: Constants) -> Report {
    let options = Options { engine, ..Options::default() };
    let model = Replication::<u64>::new(variant, constants, false).expect("fits in 64 bits");
    check(&model, &options, &mut |_| ())
}

fn assert_spaces(engine: Engine, constants: Constants, expected: [(u64, u32); 5]) {
    let actual = Variant::ALL.map(|variant| {
        let report = run(engine, variant, constants);
        assert!(report.is_whole());
        assert_eq!(report.unexercised(), Vec::<String>::new(), "{}", report.model);
        (report.distinct_states, report.depth.expect("known on one thread"))
    });
    assert_eq!(actual, expected, "{constants}");
}

const SPACES_R2_E1: [(u64, u32); 5] = [(1251, 16), (1177, 15), (1177, 15), (1165, 15), (957, 15)];
const SPACES_R2_E2: [(u64, u32); 5] = [(10131, 20), (9045, 18), (9027, 18), (8429, 18), (5973, 18)];
const SPACES_R2_L3: [(u64, u32); 5] = [(37667, 25), (32933, 21), (32713, 21), (30737, 22), (21493, 22)];
const SPACES_R3_E1: [(u64, u32); 5] = [(67807, 21), (59788, 22), (60106, 22), (59092, 22), (39619, 22)];

#[test]
fn spaces_of_two_replicas_are_those_of_the_specification() {
    for engine in [Engine::Fast, Engine::Stateright] {
        assert_spaces(engine, R2_E1, SPACES_R2_E1);
        assert_spaces(engine, R2_E2, SPACES_R2_E2);
        assert_spaces(engine, R2_L3, SPACES_R2_L3);
    }
}

#[test]
fn spaces_of_three_replicas_are_those_of_the_specification() {
    assert_spaces(Engine::Fast, R3_E1, SPACES_R3_E1);
    assert_spaces(Engine::Stateright, R3_E1, SPACES_R3_E1);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of states: run with --release")]
fn large_spaces_are_those_of_the_specification() {
    for engine in [Engine::Fast, Engine::Stateright] {
        let report = run(engine, Variant::Kip320, R3_E2);
        assert_eq!((report.distinct_states, report.depth), (737_794, Some(26)));
    }
    let options = Options::default();
    let model = Replication::<u128>::new(Variant::Kip320, Constants::new(3, 3, 3, 2), false);
    let report = check(&model.expect("fits in 128 bits"), &options, &mut |_| ());
    assert_eq!((report.distinct_states, report.depth), (4_093_531, Some(31)));
}

fn assert_counterexamples(constants: Constants, variants: &[Variant], expected: &[[Option<usize>; 2]]) {
    for engine in [Engine::Fast, Engine::Stateright] {
        for (variant, expected) in variants.iter().zip(expected) {
            let report = run(engine, *variant, constants);
            let lengths = [WEAK_ISR, STRONG_ISR]
                .map(|name| report.claim(name).expect("a claim").counterexample_states());
            assert_eq!(lengths, *expected, "{engine:?} {variant:?} {constants}");
        }
    }
}

#[test]
fn shortest_counterexamples_of_two_replicas() {
    let expected = [[Some(9), Some(10)], [Some(12), Some(12)], [None, None], [None, None], [None, None]];
    assert_counterexamples(R2_E2, &Variant::ALL, &expected);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of states: run with --release")]
fn shortest_counterexamples_of_three_replicas() {
    let expected =
        [[Some(9), Some(9)], [Some(11), Some(11)], [Some(11), Some(11)], [Some(12), Some(13)], [None, None]];
    assert_counterexamples(R3_E2, &Variant::ALL, &expected);
}
