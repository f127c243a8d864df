//! The table of expected answers, against the models; and that a changed answer is noticed.

use std::collections::BTreeSet;

use isrlab_models::async_isr::{AsyncIsrConstants, AsyncIsrVariant};
use isrlab_models::checker::{Engine, Options, Verdict};
use isrlab_models::expected::{Comparison, Expectation, compare, table};
use isrlab_models::replication::{Constants, Variant};
use isrlab_models::verb::Run;

fn replication(bounds: &[Constants]) -> Vec<Run> {
    let mut runs = Vec::new();
    for &constants in bounds {
        for variant in Variant::ALL {
            runs.extend([false, true].map(|history| Run::Replication { variant, constants, history }));
        }
    }
    runs
}

/// Every row of the table for these runs; says how many.
fn assert_as_expected(runs: &[Run]) -> usize {
    let table = table();
    let mut compared = 0;
    for run in runs {
        let report = run.check(&Options::default(), &mut |_| ()).expect("a valid bound");
        for claim in &report.claims {
            match compare(&table, &report, claim) {
                Comparison::AsExpected => compared += 1,
                Comparison::NotInTable => {}
                other => panic!("{} {}: {other}", report.model, claim.name),
            }
        }
    }
    compared
}

#[test]
fn small_models_answer_as_expected() {
    let bounds = [
        Constants::new(2, 2, 2, 1),
        Constants::new(2, 2, 2, 2),
        Constants::new(2, 3, 3, 2),
        Constants::new(3, 2, 2, 1),
    ];
    assert_eq!(assert_as_expected(&replication(&bounds)), 4 * 5 * 4);
    let async_isr = [AsyncIsrConstants::new(2, 2, 2), AsyncIsrConstants::new(2, 3, 3)];
    let runs =
        async_isr.map(|constants| AsyncIsrVariant::ALL.map(|variant| Run::AsyncIsr { variant, constants }));
    assert_eq!(assert_as_expected(&runs.concat()), 2 * 2);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of states: run with --release")]
fn large_models_answer_as_expected() {
    let mut runs = replication(&[Constants::new(3, 2, 2, 2)]);
    let constants = Constants::new(3, 1, 1, 3);
    for variant in [Variant::Kip320FirstTry, Variant::Kip320] {
        runs.extend([false, true].map(|history| Run::Replication { variant, constants, history }));
    }
    let constants = Constants::new(3, 3, 3, 2);
    runs.push(Run::Replication { variant: Variant::Kip320, constants, history: false });
    let constants = AsyncIsrConstants::new(3, 3, 3);
    runs.extend(AsyncIsrVariant::ALL.map(|variant| Run::AsyncIsr { variant, constants }));
    assert_eq!(assert_as_expected(&runs), 5 * 4 + 2 * 4 + 3 + 2);
}

#[test]
fn the_table_has_no_row_that_no_test_asks_for() {
    let table = table();
    let keys: BTreeSet<_> = table.iter().map(|row| (row.model.clone(), row.claim.clone())).collect();
    assert_eq!(keys.len(), table.len(), "a row stands twice");
    assert_eq!(table.len(), 4 * 5 * 4 + 2 * 2 + 5 * 4 + 2 * 4 + 3 + 2);
}

#[test]
fn each_later_generation_is_refuted_by_no_more_than_the_one_before() {
    let violated = |variant: Variant| -> BTreeSet<String> {
        let model = format!("replication {} R3 L2 M2 E2", variant.name());
        let rows = table().into_iter().filter(|row| row.model.starts_with(&model));
        rows.filter(|row| row.verdict == Verdict::Violated).map(|row| row.claim).collect()
    };
    for pair in Variant::ALL.windows(2) {
        assert!(violated(pair[1]).is_subset(&violated(pair[0])), "{pair:?}");
    }
    assert_eq!(violated(Variant::TruncateToHw).len(), 4);
    assert_eq!(violated(Variant::Kip320).len(), 0);
}

#[test]
fn any_changed_answer_is_a_change() {
    let constants = Constants::new(2, 2, 2, 1);
    let run = Run::Replication { variant: Variant::TruncateToHw, constants, history: false };
    let report = run.check(&Options::default(), &mut |_| ()).expect("a valid bound");
    let claim = &report.claims[0];
    let row = table()
        .into_iter()
        .find(|row| row.model == report.model && row.claim == claim.name)
        .expect("in the table");
    let changes: [fn(&mut Expectation); 4] = [
        |row| row.verdict = Verdict::Holds,
        |row| row.distinct_states += 1,
        |row| row.depth -= 1,
        |row| row.counterexample_states = Some(10),
    ];
    assert_eq!(compare(std::slice::from_ref(&row), &report, claim), Comparison::AsExpected);
    for change in changes {
        let mut row = row.clone();
        change(&mut row);
        assert!(matches!(compare(&[row], &report, claim), Comparison::Changed(_)));
    }
    let other = Expectation { model: "another".to_owned(), ..row };
    assert_eq!(compare(&[other], &report, claim), Comparison::NotInTable);
}

#[test]
fn an_unfinished_search_is_never_as_expected() {
    let constants = Constants::new(2, 2, 2, 2);
    let run = Run::Replication { variant: Variant::Kip320, constants, history: false };
    for engine in [Engine::Fast, Engine::Stateright] {
        let mut options = Options { engine, ..Options::default() };
        options.limits.max_states = Some(100);
        let report = run.check(&options, &mut |_| ()).expect("a valid bound");
        for claim in &report.claims {
            assert_eq!(compare(&table(), &report, claim), Comparison::Unfinished);
        }
    }
}
