//! What the models of timestamps come to, against `models/expected/timestamps.csv`.

use isrlab_models::checker::{Limits, Options, Report, Verdict, check_with_stateright};
use isrlab_models::expected::{self, Comparison};
use isrlab_models::timestamps::{TimestampConstants, TimestampVariant, Timestamps};
use isrlab_models::trace::text::{TextOptions, render};

fn report(variant: &str, constants: TimestampConstants) -> Report {
    let variant = TimestampVariant::from_name(variant).unwrap_or_else(|| panic!("no variant {variant}"));
    let model = Timestamps::new(variant, constants).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { counterexamples: true, limits: Limits::default(), ..Options::default() };
    check_with_stateright(&model, &options, &mut |_| {})
}

#[test]
fn every_answer_is_as_expected_and_everything_was_exercised() {
    let table = expected::timestamps_table();
    let mut wrong = String::new();
    let mut rows = 0;
    for variant in TimestampVariant::ALL {
        let report = report(variant.name, TimestampConstants::new(2, 2, 1));
        assert!(report.is_whole());
        for claim in &report.claims {
            rows += 1;
            let comparison = expected::compare(&table, &report, claim);
            if comparison != Comparison::AsExpected {
                wrong += &format!("{comparison}\n  {}\n", expected::as_row(&report, claim));
            }
        }
        for what in report.unexercised() {
            wrong += &format!("{}: {what}\n", report.model);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert_eq!(rows, table.iter().filter(|row| row.model.ends_with("C2 L2 E1")).count());
}

#[test]
fn a_counterexample_can_be_read() {
    let report = report("append-2024", TimestampConstants::new(2, 2, 1));
    let claim = report.claims.iter().find(|claim| claim.name == "append-time-rises").unwrap();
    assert_eq!(claim.verdict, Verdict::Violated);
    let text = render(claim.counterexample.as_ref().unwrap(), TextOptions { full_state: false });
    for part in [
        "leadership moves from broker 1 to broker 2",
        "broker 1, whose clock reads 1, appends a batch",
        "The record at offset 0 has the time 1, and the next one 0, which is before it.",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn bounds_are_checked() {
    let variant = TimestampVariant::ALL[0];
    for (constants, what) in [
        (TimestampConstants::new(0, 1, 0), "--max-clock 0"),
        (TimestampConstants::new(1, 5, 0), "--max-records 5"),
        (TimestampConstants::new(1, 1, 4), "--max-epoch 4"),
    ] {
        let error = Timestamps::new(variant, constants).err().unwrap().to_string();
        assert!(error.contains(what), "{error}");
    }
}
