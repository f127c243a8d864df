//! `docs/lag.md` says which lag to trust: what it quotes is what the commands print.

use isrlab_models::checker::Options;
use isrlab_models::verb::{CheckLag, LagModel, check_lag};

const PAGE: &str = include_str!("../../docs/lag.md");
const MIRROR: LagModel = LagModel::Mirror { offsets: 3 };
const SHARE: LagModel = LagModel::Share { records: 2 };

fn assert_quoted(text: &str) {
    assert!(PAGE.contains(text), "docs/lag.md should quote:\n{text}");
}

#[test]
fn the_page_quotes_both_plain_tables() {
    for model in [MIRROR, SHARE] {
        let args = CheckLag { conditions: vec!["plain".to_owned()], strict: true, ..CheckLag::all(model) };
        let mut out = Vec::new();
        check_lag(&args, &mut out, &mut std::io::sink());
        let out = String::from_utf8(out).expect("UTF-8");
        let table = out.split("\n\n").next().expect("a table");
        assert_quoted(&format!("```text\n{table}\n```"));
    }
}

#[test]
fn the_page_quotes_two_counterexamples() {
    let quotes = [
        (MIRROR, "end-offsets", "plain", "never-negative"),
        (SHARE, "kip-1226", "answer-lost", "quiet-does-not-rise"),
    ];
    for (model, row, condition, claim) in quotes {
        let run = model.run(row, condition).expect("known names");
        let report = run.check(&Options::default(), &mut |_| ()).expect("a valid bound");
        let trace = report.claim(claim).and_then(|claim| claim.counterexample.as_ref()).expect("violated");
        let title = format!("{}: {claim}", report.model);
        let steps = trace.steps.iter().skip(1).map(|step| format!("{:>2}. {}", step.number, step.action));
        let end = trace.conclusion.iter().map(|sentence| format!("    {sentence}"));
        let lines: Vec<_> = [title].into_iter().chain(steps).chain(end).collect();
        assert_quoted(&format!("```text\n{}\n```", lines.join("\n")));
    }
}
