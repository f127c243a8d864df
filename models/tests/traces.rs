//! Counterexamples: that they are paths of the model, that they end in words, and how they are
//! written.

mod common;

use common::Grid;
use isrlab_models::async_isr::{AsyncIsr, AsyncIsrConstants, AsyncIsrVariant};
use isrlab_models::checker::{Checkable, Engine, Options, Packed, check};
use isrlab_models::replication::{Constants, Replication, STRONG_ISR, Variant};
use isrlab_models::trace::text::TextOptions;
use isrlab_models::trace::{Change, Trace, itf, json, mermaid, text};

fn counterexamples<M: Packed>(model: &M, options: &Options) -> Vec<Trace> {
    let report = check(model, options, &mut |_| ());
    report.claims.into_iter().filter_map(|claim| claim.counterexample).collect()
}

/// Follows a trace from the initial state by its labels and variables alone.
fn assert_is_a_path<M: Checkable>(model: &M, trace: &Trace) {
    let first = model.init_states().into_iter().find(|s| model.variables(s) == trace.steps[0].state);
    let mut state = first.expect("the first step is an initial state");
    for step in &trace.steps[1..] {
        let before = state;
        let mut next = None;
        model.for_each_step(&before, |action, outcome| {
            if model.action_label(&before, &action) == step.action && model.variables(&outcome) == step.state
            {
                next = Some(outcome);
            }
        });
        state = next.unwrap_or_else(|| panic!("no such step: {}", step.action));
        assert_eq!(step.changed, Change::between(&model.variables(&before), &step.state));
        assert!(!step.changed.is_empty(), "a shortest path has no idle steps");
    }
    let judgement = model.judge(&state);
    let claim = model.claims().iter().position(|claim| claim.name == trace.violated.name).expect("a claim");
    assert_eq!(judgement.violated >> claim & 1, 1, "the last state violates the claim");
    let violated_at = |step: usize| trace.steps[step].claims[claim].holds;
    assert!((0..trace.steps.len() - 1).all(violated_at), "only the last state violates the claim");
    assert!(trace.conclusion.len() >= 2, "{:?}", trace.conclusion);
    assert!(trace.conclusion.iter().all(|sentence| sentence.ends_with('.')), "{:?}", trace.conclusion);
}

#[test]
fn counterexamples_are_shortest_paths_of_the_model_in_both_engines_with_and_without_symmetry() {
    for variant in Variant::ALL {
        let constants = Constants::new(2, 2, 2, 2);
        let model = Replication::<u64>::new(variant, constants, true).expect("fits");
        for engine in [Engine::Fast, Engine::Stateright] {
            for symmetry in [false, true] {
                let options = Options { engine, symmetry, ..Options::default() };
                for trace in counterexamples(&model, &options) {
                    assert_is_a_path(&model, &trace);
                }
            }
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of states: run with --release")]
fn counterexamples_of_three_replicas_are_paths_of_the_model() {
    for variant in Variant::ALL {
        let model = Replication::<u64>::new(variant, Constants::new(3, 2, 2, 2), true).expect("fits");
        let options = Options { symmetry: true, ..Options::default() };
        for trace in counterexamples(&model, &options) {
            assert_is_a_path(&model, &trace);
        }
    }
}

#[test]
fn a_shrink_at_once_loses_a_record_of_an_electable_follower() {
    let model = AsyncIsr::new(AsyncIsrVariant::ShrinkAtOnce, AsyncIsrConstants::new(2, 2, 2)).expect("valid");
    let traces = counterexamples(&model, &Options::default());
    assert_is_a_path(&model, &traces[0]);
    assert_eq!(
        traces[0].conclusion,
        [
            "The record at offset 0 is acknowledged to producers with acks=all and visible to consumers \
             since step 2: below the leader's high watermark.",
            "Follower 2 is in the controller's ISR, so that it can be elected, and does not have it: its \
             log ends at offset 0."
        ]
    );
}

#[test]
fn every_state_names_the_same_variables() {
    let model = Replication::<u64>::new(Variant::Kip101, Constants::new(2, 2, 2, 2), true).expect("fits");
    for trace in counterexamples(&model, &Options::default()) {
        let names = |step: usize| trace.steps[step].state.iter().map(|v| &v.name).collect::<Vec<_>>();
        assert!((1..trace.steps.len()).all(|step| names(step) == names(0)));
    }
}

fn grid_trace() -> Trace {
    let grid = Grid { near: 2, ..Grid::new(3) };
    let report = check(&grid, &Options::default(), &mut |_| ());
    report.claims[0].counterexample.clone().expect("violated")
}

#[test]
fn text_has_actions_first_then_changes_then_claims() {
    assert_eq!(
        text::render(&grid_trace(), TextOptions::default()),
        "\
near violated in 3 states (grid of side 3)
   0. the initial state
        [near vacuous, true vacuous, never-asked vacuous]
   1. walks Right
        point: x: 0 → 1
        [near true, true true, never-asked vacuous]
   2. walks Right
        point: x: 1 → 2
        [near VIOLATED, true true, never-asked vacuous]
  violated: the walk stays near
  2 steps away; too far.
"
    );
    let full = text::render(&grid_trace(), TextOptions { full_state: true });
    assert!(full.contains("point: x = 2   (was 1)\n        point: y = 0\n"), "{full}");
}

#[test]
fn json_holds_every_step_with_the_whole_state() {
    let value: serde_json::Value = serde_json::from_str(&json::render(&grid_trace())).expect("JSON");
    assert_eq!(value["violated"]["name"], "near");
    assert_eq!(value["steps"][2]["action"], "walks Right");
    assert_eq!(value["steps"][2]["changed"][0]["after"], 2);
    assert_eq!(value["steps"][2]["state"][1]["name"], "point: y");
    assert_eq!(value["steps"][2]["claims"][0]["holds"], false);
    assert_eq!(value["conclusion"][0], "2 steps away; too far.");
}

#[test]
fn itf_names_its_variables_and_marks_its_types() {
    let model = Replication::<u64>::new(Variant::Kip101, Constants::new(2, 2, 2, 2), false).expect("fits");
    let report = check(&model, &Options::default(), &mut |_| ());
    let trace = report.claim(STRONG_ISR).and_then(|claim| claim.counterexample.clone()).expect("violated");
    let value: serde_json::Value = serde_json::from_str(&itf::render(&trace)).expect("JSON");
    assert_eq!(value["#meta"]["format"], "ITF");
    let states = value["states"].as_array().expect("states");
    assert_eq!(states.len(), trace.steps.len());
    let vars = value["vars"].as_array().expect("vars");
    for state in states {
        let names: Vec<_> = state.as_object().expect("a record").keys().filter(|k| *k != "#meta").collect();
        assert_eq!(names.len(), vars.len());
        assert!(vars.iter().all(|var| state.get(var.as_str().expect("a name")).is_some()));
    }
    assert_eq!(states[0]["quorum_leader_epoch"]["#bigint"], "-1");
    assert_eq!(states[0]["quorum_ISR"]["#set"][1]["#bigint"], "2");
    assert!(states[0]["replica_1_log"].as_array().is_some_and(Vec::is_empty));
}

#[test]
fn mermaid_draws_messages_as_arrows_and_escapes_what_ends_a_statement() {
    let drawing = mermaid::render(&grid_trace());
    assert_eq!(
        drawing,
        "\
sequenceDiagram
    participant p0 as south
    participant p1 as north
    Note over p0,p1: 1. walks Right
    Note over p0,p1: 2. walks Right
    Note over p0,p1: near violated<br/>2 steps away#59; too far.
"
    );
    let model = Replication::<u64>::new(Variant::Kip101, Constants::new(2, 2, 2, 2), false).expect("fits");
    let trace = counterexamples(&model, &Options::default()).remove(0);
    let drawing = mermaid::render(&trace);
    assert!(drawing.contains("    participant p2 as replica 1\n"), "{drawing}");
    assert!(drawing.contains("    p1->>p2: ") || drawing.contains("    p1->>p3: "), "{drawing}");
    assert_eq!(drawing.matches("->>").count(), trace.steps.len() - 1);
}
