//! Every answer against its formula, and what the answers rest on.

use isrlab_models::checker::{Engine, Limits, Options};
use isrlab_models::isr::answer::answer;
use isrlab_models::isr::bound::Extent;
use isrlab_models::isr::expected::{expected, table};
use isrlab_models::isr::graph::Graph;
use isrlab_models::isr::grid::{default_settings, grid_settings};
use isrlab_models::isr::measure::Measure;
use isrlab_models::isr::refutation::Refutation;
use isrlab_models::isr::setting::{Behaviour, Setting, Start};
use isrlab_models::isr::verify::{Opinion, verify};
use isrlab_sim::protocol::{IsrCriterion, NewLeaderReset};

/// Answers all settings on two threads and returns what differs from the table.
fn differences(settings: &[Setting]) -> Vec<String> {
    let halves: Vec<Vec<String>> = std::thread::scope(|scope| {
        let work = |half: usize| {
            scope.spawn(move || {
                let mut faults = Vec::new();
                for setting in settings.iter().skip(half).step_by(2) {
                    let answers = answer(setting, &Measure::ALL, &Limits::default()).expect("no limit");
                    for one in answers.answers.iter().filter(|one| !one.is_as_expected(setting)) {
                        let line = one.expectation.expect("only lines of the table can differ");
                        let (found, wanted) = (&one.bound.extent, (line.value)(setting));
                        faults.push(format!("{setting}: {line:?}: {found:?} instead of {wanted}"));
                    }
                }
                faults
            })
        };
        let workers = [work(0), work(1)];
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
    });
    halves.concat()
}

#[test]
fn the_formulas_give_every_number_of_the_small_grid() {
    let small: Vec<Setting> = grid_settings()
        .into_iter()
        .filter(|setting| setting.followers == 1 && setting.lag <= 3 && setting.messages_max <= 4)
        .collect();
    assert!(small.len() > 1_000, "{}", small.len());
    assert_eq!(differences(&small), Vec::<String>::new());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "the whole grid takes minutes without optimisation")]
fn the_formulas_give_every_number_of_the_whole_grid() {
    assert_eq!(differences(&grid_settings()), Vec::<String>::new());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "some state spaces are large")]
fn the_table_answers_every_default_question() {
    let settings = default_settings();
    assert_eq!(differences(&settings), Vec::<String>::new());
    for setting in &settings {
        for measure in Measure::ALL.into_iter().filter(|measure| measure.applies(setting)) {
            assert!(expected(setting, measure).is_some(), "{setting}: {measure} is not in the table");
        }
    }
}

#[test]
fn every_line_of_the_table_speaks_of_some_setting_of_the_grid() {
    let grid = grid_settings();
    for line in table() {
        let speaks = grid.iter().any(|setting| {
            line.measure.applies(setting)
                && expected(setting, line.measure).is_some_and(|found| std::ptr::eq(found, line))
        });
        assert!(speaks, "{line:?} ({})", line.why);
    }
}

fn base(criterion: IsrCriterion) -> Setting {
    Setting::of(criterion)
}

#[test]
fn state_spaces_have_the_sizes_they_had() {
    let size = |setting: Setting| {
        let graph = Graph::explore(&setting, &Limits::default()).expect("no limit");
        (graph.states().len(), graph.edge_count(), graph.depth())
    };
    let any = |criterion| Setting { behaviour: Behaviour::Any, ..base(criterion) };
    assert_eq!(size(base(IsrCriterion::Pre4485)), (256, 498, 23));
    assert_eq!(size(base(IsrCriterion::Proposed4485)), (51, 105, 9));
    assert_eq!(size(base(IsrCriterion::Post4485)), (78, 159, 11));
    assert_eq!(size(any(IsrCriterion::Post4485)), (341, 789, 25));
    assert_eq!(size(any(IsrCriterion::EqualLeo)), (341, 786, 25));
    assert_eq!(size(any(IsrCriterion::MaxMessages)), (1476, 3600, 21));
    let two = Setting { followers: 2, ..base(IsrCriterion::Post4485) };
    assert_eq!(size(two), (8643, 24016, 33));
}

#[test]
fn both_engines_confirm_bounds_and_refute_the_next_tighter_ones() {
    for criterion in IsrCriterion::ALL {
        for behaviour in Behaviour::ALL {
            let setting = Setting { behaviour, ..base(criterion).with_lag(2) };
            let answers = answer(&setting, &Measure::ALL, &Limits::default()).expect("no limit");
            for one in answers.answers {
                let lengths = [Engine::Stateright, Engine::Fast].map(|engine| {
                    let options = Options { engine, ..Options::default() };
                    match verify(&setting, one.measure, &one.bound.extent, &options) {
                        Opinion::Agrees(evidence) => evidence.counterexample.map(|found| {
                            let refutation = Refutation::of_counterexample(&found);
                            assert_eq!(refutation.actions.len() + 1, found.trace.steps.len());
                            assert_eq!(refutation.schedule().last_tick(), ticks(&refutation.actions));
                            found.trace.steps.len()
                        }),
                        other => panic!("{setting}: {}: {other:?}", one.measure),
                    }
                });
                assert_eq!(lengths[0], lengths[1], "{setting}: {}", one.measure);
            }
        }
    }
}

fn ticks(actions: &[isrlab_models::isr::step::Action]) -> u32 {
    actions.iter().filter(|action| **action == isrlab_models::isr::step::Action::Tick).count() as u32
}

#[test]
fn a_wrong_bound_is_contradicted() {
    let setting = base(IsrCriterion::Pre4485);
    let wrong =
        |value| match verify(&setting, Measure::BehindByHeld, &Extent::Exactly(value), &Options::default()) {
            Opinion::Differs(what) => what,
            other => panic!("{other:?}"),
        };
    assert!(wrong(1).contains("is refuted"));
    assert!(wrong(3).contains("is not refuted"));
    let never = verify(&setting, Measure::DiligentRemoved, &Extent::Never, &Options::default());
    assert!(matches!(never, Opinion::Differs(_)));
}

#[test]
fn a_cycle_that_does_not_grow_is_contradicted() {
    let setting = base(IsrCriterion::Pre4485);
    let answers = answer(&setting, &[Measure::Removals], &Limits::default()).expect("no limit");
    let Extent::Unbounded(cycle) = answers.answers[0].bound.extent.clone() else {
        panic!("it flaps for ever")
    };
    let agreed = verify(&setting, Measure::Removals, &Extent::Unbounded(cycle.clone()), &Options::default());
    match agreed {
        Opinion::Agrees(evidence) => {
            let rounds = evidence.rounds.expect("walked");
            assert!(rounds[0] < rounds[1] && rounds[1] < rounds[2], "{rounds:?}");
        }
        other => panic!("{other:?}"),
    }
    let mut idle = cycle;
    idle.round.clear();
    let refuted = verify(&setting, Measure::Removals, &Extent::Unbounded(idle), &Options::default());
    assert!(matches!(refuted, Opinion::Differs(_)), "{refuted:?}");
}

fn removals(setting: Setting) -> Extent {
    let answers = answer(&setting, &[Measure::Removals], &Limits::default()).expect("no limit");
    answers.answers[0].bound.extent.clone()
}

#[test]
fn complaint_one_is_true_of_the_old_rule_and_cured_where_two_gaps_fit_into_the_lag() {
    let returning = |criterion, gap| Setting { behaviour: Behaviour::Returning, gap, ..base(criterion) };
    assert!(matches!(removals(returning(IsrCriterion::Pre4485, 1)), Extent::Unbounded(_)));
    assert_eq!(removals(returning(IsrCriterion::Post4485, 2)), Extent::Exactly(1));
    assert!(matches!(removals(returning(IsrCriterion::Post4485, 3)), Extent::Unbounded(_)));
    assert_eq!(removals(returning(IsrCriterion::Proposed4485, 4)), Extent::Exactly(0));
    assert!(matches!(removals(returning(IsrCriterion::Proposed4485, 5)), Extent::Unbounded(_)));
}

#[test]
fn what_was_merged_and_what_was_released_differ_at_an_election() {
    let elected = |reset| {
        let setting = Setting { start: Start::Election, reset, ..base(IsrCriterion::Post4485) };
        let answers = answer(&setting, &[Measure::DiligentRemoved], &Limits::default()).expect("no limit");
        answers.answers[0].bound.extent.clone()
    };
    assert_eq!(elected(NewLeaderReset::ForgetAll), Extent::Exactly(1));
    assert_eq!(elected(NewLeaderReset::IsrNow), Extent::Exactly(0));
}

#[test]
fn limits_end_a_search_without_an_answer() {
    let limits = Limits { max_states: Some(100), ..Limits::default() };
    assert!(Graph::explore(&base(IsrCriterion::Pre4485), &limits).is_err());
}
