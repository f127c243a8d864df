//! The figure of lags: what it keeps of a run and how it shows it.

use isrlab_reports::layout::Layout;
use isrlab_reports::plot::{COLUMNS, Caption, Trace, lag_figure};
use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::{Cluster, ClusterSpec, LagSample, Observer, RunOptions};

const CAPTION: Caption<'_> =
    Caption { scenario: "demo", seed: 1, seeds: 1, overrides: &[], version: "VERSION" };

struct Watch(Trace);

impl Observer for Watch {
    fn lag_sampled(&mut self, sample: &LagSample<'_>) {
        self.0.lag_sampled(sample);
    }

    fn fault(&mut self, at: isrlab_sim::engine::SimTime, fault: usize, started: bool) {
        self.0.fault(at, fault, started);
    }
}

fn spec(name: &str) -> ClusterSpec {
    let scenario = Scenario::from_library(name).unwrap();
    scenario.cluster_spec(&scenario.variants()[0]).unwrap()
}

/// The trace of a library scenario, as if it had ended after a share of its time.
fn trace(name: &str, share: f64) -> Trace {
    let spec = spec(name);
    let end = (spec.duration.as_nanos() as f64 * share) as u64;
    let mut watch = Watch(Trace::new(&spec, &Layout::of(&spec)));
    let mut cluster = Cluster::new(&spec, 1).unwrap();
    let going = &mut |now: isrlab_sim::engine::SimTime| now.as_nanos() <= end;
    cluster.run(&RunOptions::default(), &mut watch, going).unwrap();
    watch.0.end(end);
    watch.0
}

fn drawn(name: &str) -> String {
    let trace = trace(name, 1.0);
    lag_figure(&CAPTION, &[("kafka-3.9", &trace)])
}

#[test]
fn the_figure_is_the_same_each_time_and_well_formed() {
    let svg = drawn("mirror-lag-restart");
    assert_eq!(svg, drawn("mirror-lag-restart"));
    let opened = svg.matches("<g ").count();
    assert_eq!(opened, svg.matches("</g>").count());
    assert_eq!(opened, 4, "a group for each of the four rules");
    for text in ["jira: us, orders-0", "end-offsets: us, orders-0", "records", "virtual time (s)", "seed 1"] {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn what_is_unknown_is_no_line() {
    let trace = trace("mirror-lag", 1.0);
    let of_rule = |rule: &str| trace.lags.iter().find(|lag| lag.rule == rule).unwrap();
    let end_offsets = of_rule("end-offsets");
    assert_eq!(end_offsets.columns.len(), COLUMNS);
    // The first sample is at 15 s of 60 s.
    let quarter = COLUMNS / 4;
    assert!(end_offsets.columns[..quarter].iter().all(|column| column.unknown && column.reported.is_none()));
    assert!(end_offsets.columns[quarter + 1..].iter().all(|column| !column.unknown));
    assert!(end_offsets.columns.iter().all(|column| column.truth.is_some()));
    let svg = drawn("mirror-lag");
    assert!(svg.contains(">unknown</text>") && svg.contains(">the lag is unknown</text>"));
    assert!(svg.contains("unknown at 25 % of the looks, else wrong at 100 %"), "{svg}");
}

#[test]
fn a_negative_lag_is_kept_and_drawn_below_0() {
    let trace = trace("mirror-lag-source-recreated", 1.0);
    assert_eq!(trace.lags[0].extremes(), Some((-295, 5)));
    let svg = drawn("mirror-lag-source-recreated");
    assert!(svg.contains(">-200</text>") && svg.contains(">0 records</text>"), "{svg}");
}

#[test]
fn what_is_done_is_named_and_what_a_run_does_not_reach_is_not() {
    let whole = trace("mirror-lag-restart", 1.0);
    let names =
        |trace: &Trace| trace.marks.iter().map(|mark| (mark.name.clone(), mark.count)).collect::<Vec<_>>();
    assert_eq!(names(&whole), [("task restarts".to_owned(), 1)]);
    let cut = trace("mirror-lag-restart", 0.25);
    assert_eq!(names(&cut), [("task restarts".to_owned(), 0)]);
    let svg = lag_figure(&CAPTION, &[("kafka-3.9", &whole)]);
    assert!(svg.contains(">task restarts</text>") && !svg.contains("cut short"));
    let svg = lag_figure(&CAPTION, &[("kafka-3.9", &cut)]);
    assert!(!svg.contains(">task restarts</text>") && svg.contains("kafka-3.9 was cut short at 15.000 s"));
    let svg = drawn("mirror-lag-source-recreated");
    assert!(svg.contains(">source recreated</text>"));
    assert!(drawn("share-lag").contains(">fail-over</text>"));
    assert!(drawn("share-lag-moves-back").contains(">log start moves</text>"));
}

/// A fault of one group's writes is a band in that group's panel only, and a row above.
#[test]
fn a_fault_of_one_group_is_in_its_panel_only() {
    let svg = drawn("share-lag-failed-writes");
    let panels: Vec<&str> = svg.split("<g aria-label=").skip(1).collect();
    assert_eq!(panels.len(), 2);
    // One lasts for 50 ms, and the other, which it lies in, for 1 s.
    let widths = |panel: &str| -> Vec<f64> {
        let bands = panel.lines().filter(|line| line.contains("fill=\"#000\" fill-opacity=\"0.08\""));
        let width = |line: &str| line.split("width=\"").nth(1)?.split('"').next()?.parse().ok();
        bands.filter_map(width).collect()
    };
    let (failed, lost) = (widths(panels[0]), widths(panels[1]));
    assert!(failed.len() == 1 && lost.len() == 1, "{failed:?} {lost:?}");
    assert!(failed[0] * 10.0 < lost[0], "{failed:?} {lost:?}");
    assert!(svg.contains(">failed-write</text>") && svg.contains(">lost-answers</text>"));
}

/// However many looks there are, a trace is as large as its columns.
#[test]
fn a_spike_in_a_column_is_kept() {
    let trace = trace("mirror-lag-restart", 1.0);
    let corrected = trace.lags.iter().find(|lag| lag.rule == "jira-corrected").unwrap();
    assert_eq!(corrected.extremes(), Some((0, 108)));
    assert_eq!(corrected.columns.len(), COLUMNS);
    assert!(corrected.looks > 7 * COLUMNS as u64);
}
