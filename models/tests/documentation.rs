//! `docs/replication.md` tells the generations by their counterexamples: what it quotes is what
//! the models say.

use isrlab_models::async_isr::{AsyncIsrConstants, AsyncIsrVariant};
use isrlab_models::checker::{Options, Report};
use isrlab_models::replication::{COMMITTED_IS_FOREVER, Constants, STRONG_ISR, Variant};
use isrlab_models::verb::{CheckReplication, Run, check_replication};

const PAGE: &str = include_str!("../../docs/replication.md");

/// The actions and the end of a counterexample, as the page quotes them.
fn quote(run: Run, claim: &str) -> String {
    let report: Report = run.check(&Options::default(), &mut |_| ()).expect("a valid bound");
    let trace = report.claim(claim).and_then(|claim| claim.counterexample.as_ref()).expect("violated");
    let title = format!("{}: {claim}", report.model);
    let steps = trace.steps.iter().skip(1).map(|step| format!("{:>2}. {}", step.number, step.action));
    let end = trace.conclusion.iter().map(|sentence| format!("    {sentence}"));
    let lines: Vec<_> = [title].into_iter().chain(steps).chain(end).collect();
    format!("```text\n{}\n```", lines.join("\n"))
}

fn assert_quoted(text: &str) {
    assert!(PAGE.contains(text), "docs/replication.md should quote:\n{text}");
}

fn run(variant: Variant, replicas: u32, history: bool) -> Run {
    Run::Replication { variant, constants: Constants::new(replicas, 2, 2, 2), history }
}

#[test]
fn the_page_quotes_the_counterexample_of_two_replicas() {
    assert_quoted(&quote(run(Variant::Kip101, 2, false), STRONG_ISR));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of states: run with --release")]
fn the_page_quotes_the_matrix_and_the_large_counterexamples() {
    let mut out = Vec::new();
    check_replication(&CheckReplication::default(), &mut out, &mut std::io::sink());
    let out = String::from_utf8(out).expect("UTF-8");
    for matrix in out.split("\n\n").take(2) {
        assert_quoted(&format!("```text\n{matrix}\n```"));
    }
    assert_quoted(&quote(run(Variant::TruncateToHw, 3, true), COMMITTED_IS_FOREVER));
    assert_quoted(&quote(run(Variant::Kip279, 3, true), COMMITTED_IS_FOREVER));
    assert_quoted(&quote(run(Variant::Kip320FirstTry, 3, false), STRONG_ISR));
    let constants = AsyncIsrConstants::new(3, 3, 3);
    let run = Run::AsyncIsr { variant: AsyncIsrVariant::ShrinkAtOnce, constants };
    assert_quoted(&quote(run, isrlab_models::async_isr::VALID_HIGH_WATERMARK));
}
