//! The lag models against their table of expected answers, and what the answers say.

use std::collections::BTreeSet;

use isrlab_models::checker::{Engine, Options, Verdict, check};
use isrlab_models::expected::{Comparison, compare, lag_table};
use isrlab_models::mirror_lag::{MirrorConstants, MirrorLag, MirrorRule};
use isrlab_models::share_lag::{ShareConstants, ShareLag, ShareVariant};
use isrlab_models::verb::{CheckLag, LagModel, Telling, check_lag, exit};

/// Every answer of a model at its bound is as in the table; says how many.
fn assert_as_expected(model: LagModel) -> usize {
    let table = lag_table();
    let mut compared = 0;
    for condition in model.conditions() {
        for row in model.rows() {
            let run = model.run(row, condition).unwrap();
            let report = run.check(&Options::default(), &mut |_| ()).unwrap();
            assert_eq!(report.unexercised(), Vec::<String>::new(), "{}", report.model);
            for claim in &report.claims {
                let comparison = compare(&table, &report, claim);
                assert_eq!(comparison, Comparison::AsExpected, "{} {}", report.model, claim.name);
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn small_models_answer_as_expected() {
    assert_eq!(assert_as_expected(LagModel::Mirror { offsets: 2 }), 5 * 5 * 9);
    assert_eq!(assert_as_expected(LagModel::Share { records: 1 }), 6 * 5 * 7);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of states: run with --release")]
fn large_models_answer_as_expected() {
    assert_eq!(assert_as_expected(LagModel::Mirror { offsets: 3 }), 5 * 5 * 9);
    assert_eq!(assert_as_expected(LagModel::Share { records: 2 }), 6 * 5 * 7);
}

#[test]
fn the_table_has_no_row_that_no_test_asks_for() {
    let table = lag_table();
    let keys: BTreeSet<_> = table.iter().map(|row| (row.model.clone(), row.claim.clone())).collect();
    assert_eq!(keys.len(), table.len(), "a row stands twice");
    assert_eq!(table.len(), 2 * 5 * 5 * 9 + 2 * 6 * 5 * 7);
}

/// The claims that a row of the table says are violated.
fn violated(model: &str) -> BTreeSet<String> {
    let rows: Vec<_> = lag_table().into_iter().filter(|row| row.model == model).collect();
    assert!(!rows.is_empty(), "{model}");
    rows.into_iter().filter(|row| row.verdict == Verdict::Violated).map(|row| row.claim).collect()
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// With callbacks in order and nothing else wrong, the corrected rule is only late.
#[test]
fn the_corrected_rule_is_late_and_nothing_else() {
    let late = names(&["never-below-now", "staleness-below-bound"]);
    assert_eq!(violated("mirror-lag jira-corrected O3 G0 R0 N0"), late);
    assert!(violated("mirror-lag jira O3 G0 R0 N0").contains("quiet-ends-true"), "it ends at 1");
    assert!(violated("mirror-lag last-polled O3 G0 R0 N0").contains("staleness-within-bound"));
    assert!(violated("mirror-lag end-offsets O3 G0 R0 N0").contains("never-negative"));
    assert!(violated("mirror-lag jira O3 G0 R0 N1").contains("never-negative"));
    for rule in MirrorRule::ALL {
        let model = format!("mirror-lag {} O3 G0 R0 N0 any-order", rule.name());
        assert!(violated(&model).contains("lro-never-back"), "{model}");
    }
}

/// Where the lag of KIP-1226 is never wrong, and exactly where it may rise.
#[test]
fn the_share_lag_rises_only_after_a_failed_write() {
    let of = |bound: &str| violated(&format!("share-lag kip-1226 {bound}"));
    let rises: Vec<&str> = [
        "R2 F0 W0 L0 A0",
        "R2 F1 W0 L0 A0",
        "R2 F0 W1 L0 A0",
        "R2 F0 W1 L0 A0 lost-answers",
        "R2 F0 W0 L1 A0",
        "R2 F0 W0 L0 A1",
    ]
    .into_iter()
    .filter(|bound| of(bound).contains("quiet-does-not-rise"))
    .collect();
    assert_eq!(rises, ["R2 F0 W1 L0 A0", "R2 F0 W1 L0 A0 lost-answers"]);
    assert_eq!(of("R2 F0 W0 L0 A0"), names(&["count-never-falls"]));
}

/// Each switch and each shortcut is found out.
#[test]
fn each_defect_has_a_counterexample() {
    let extra = |variant: &str, bound: &str| {
        let with = violated(&format!("share-lag {variant} {bound}"));
        let without = violated(&format!("share-lag kip-1226 {bound}"));
        with.difference(&without).cloned().collect::<BTreeSet<_>>()
    };
    assert!(extra("start-offset-moves-back", "R2 F0 W0 L1 A0").contains("start-offset-never-back"));
    assert!(extra("loses-acquired", "R2 F1 W0 L0 A0").contains("no-record-lost"));
    assert!(extra("no-fencing", "R2 F1 W0 L0 A0").contains("never-understated"));
    assert!(extra("end-offset-first", "R2 F0 W0 L0 A0").contains("never-negative"));
}

/// Both engines visit the same states and say the same.
#[test]
fn both_engines_agree() {
    let stateright = Options { engine: Engine::Stateright, ..Options::default() };
    let mirror = MirrorConstants { gaps: 1, restarts: 1, ..MirrorConstants::plain(2) };
    let mirror = MirrorLag::new(MirrorRule::ALL[1], mirror).unwrap();
    let share = ShareConstants { failovers: 1, log_moves: 1, ..ShareConstants::plain(1) };
    let share = ShareLag::new(ShareVariant::Kip1226, share).unwrap();
    let pairs = [
        (check(&mirror, &Options::default(), &mut |_| ()), check(&mirror, &stateright, &mut |_| ())),
        (check(&share, &Options::default(), &mut |_| ()), check(&share, &stateright, &mut |_| ())),
    ];
    for (fast, reference) in pairs {
        assert_eq!(fast.distinct_states, reference.distinct_states, "{}", fast.model);
        for (a, b) in fast.claims.iter().zip(&reference.claims) {
            assert_eq!((a.verdict, a.premise_states), (b.verdict, b.premise_states), "{}", a.name);
            assert_eq!(a.counterexample_states(), b.counterexample_states(), "{}", a.name);
        }
    }
}

fn one(model: LagModel, row: &str, condition: &str) -> (u8, String) {
    let args = CheckLag {
        rows: vec![row.to_owned()],
        conditions: vec![condition.to_owned()],
        strict: true,
        ..CheckLag::all(model)
    };
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let code = check_lag(&args, &mut out, &mut progress);
    out.extend(progress);
    (code, String::from_utf8(out).unwrap())
}

#[test]
fn a_counterexample_reads_as_a_story() {
    let (code, text) = one(LagModel::Share { records: 2 }, "start-offset-moves-back", "log-start-moves");
    assert_eq!(code, exit::OK, "{text}");
    assert!(text.contains("the log start moves to 2"), "{text}");
    let (code, text) = one(LagModel::Mirror { offsets: 2 }, "jira", "source-recreated");
    assert_eq!(code, exit::OK, "{text}");
    assert!(text.contains("jira reports -"), "{text}");
}

#[test]
fn unknown_names_and_bounds_are_bad_usage() {
    let (code, text) = one(LagModel::Share { records: 1 }, "kip-1", "plain");
    assert_eq!(code, exit::USAGE);
    assert!(text.contains("kip-1226"), "{text}");
    let (code, text) = one(LagModel::Mirror { offsets: 9 }, "jira", "plain");
    assert_eq!(code, exit::USAGE);
    assert!(text.contains("accepted are 1 to 4"), "{text}");
}

/// Progress as a file sees it, and none of it for the quiet.
#[test]
fn the_quiet_see_no_progress() {
    let told = |telling| {
        let rows = vec!["jira".to_owned(), "last-polled".to_owned()];
        let conditions = vec!["plain".to_owned()];
        let args = CheckLag { rows, conditions, telling, ..CheckLag::all(LagModel::Mirror { offsets: 2 }) };
        let mut progress = Vec::new();
        assert_eq!(check_lag(&args, &mut Vec::new(), &mut progress), exit::OK);
        String::from_utf8(progress).unwrap()
    };
    let lines = told(Telling::Lines);
    assert!(lines.contains("mirror-lag jira O2 G0 R0 N0: done, 672 states"), "{lines}");
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(told(Telling::InPlace).starts_with('\r'));
    assert_eq!(told(Telling::Nothing), "");
}

/// Only what is asked for is shown and saved, and a name that is not known is answered with those that are.
#[test]
fn a_claim_can_be_chosen() {
    let check = |claim: &str, save: &std::path::Path| {
        let args = CheckLag {
            rows: vec!["jira".to_owned()],
            conditions: vec!["plain".to_owned()],
            claims: vec![claim.to_owned()],
            save: Some(save.to_owned()),
            ..CheckLag::all(LagModel::Mirror { offsets: 2 })
        };
        let (mut out, mut progress) = (Vec::new(), Vec::new());
        let code = check_lag(&args, &mut out, &mut progress);
        out.extend(progress);
        (code, String::from_utf8(out).unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved.toml");
    let (code, text) = check("quiet-ends-true", &file);
    assert_eq!(code, exit::OK, "{text}");
    assert!(text.contains("quiet-ends-true violated in 10 states"), "{text}");
    assert!(!text.contains("staleness-below-bound violated in 11 states"), "{text}");
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains("quiet-ends-true is violated"), "{saved}");
    let nowhere = folder.path().join("none.toml");
    let (code, text) = check("never-negative", &nowhere);
    assert_eq!(code, exit::INCONCLUSIVE, "{text}");
    assert!(text.contains("--save: there is no counterexample") && !nowhere.exists(), "{text}");
    let (code, text) = check("never", &nowhere);
    assert_eq!(code, exit::USAGE, "{text}");
    assert!(text.contains("lro-never-back"), "{text}");
}
