//! The figure: the same bytes each time, well-formed, and with nothing lost in it.

mod common;

use common::{change, run, sample, spec};
use isrlab_reports::layout::Layout;
use isrlab_reports::plot::{COLUMNS, Caption, Trace, figure};
use isrlab_reports::{ClusterSimulator, Plan};
use isrlab_scenarios::Scenario;
use isrlab_sim::cluster::{IsrChangeKind, ReplicaSample, Sample};
use isrlab_sim::engine::{SimDuration, SimTime};

const CAPTION: Caption<'_> =
    Caption { scenario: "demo", seed: 1, seeds: 1, overrides: &[], version: "VERSION" };

fn long_trace() -> Trace {
    let mut spec = spec("pre-4485", "orders");
    spec.duration = SimDuration::from_secs(24 * 3_600);
    Trace::new(&spec, &Layout::of(&spec))
}

fn lag(trace: &mut Trace, at: SimTime, lag_ms: i64) {
    let replica = |broker, lag_ms| ReplicaSample {
        broker,
        leo: 0,
        known_leo: 0,
        lag_messages: 0,
        lag_ms: Some(lag_ms),
        in_isr: true,
    };
    trace.sampled(&Sample {
        at,
        partition: 0,
        leader: 1,
        leo: 0,
        high_watermark: 0,
        isr_size: 3,
        replicas: &[replica(1, 0), replica(2, lag_ms), replica(3, 0)],
    });
}

#[test]
fn a_short_spike_in_a_long_run_is_kept() {
    let mut trace = long_trace();
    for second in 0..86_400 {
        let lag_ms = if second == 40_000 { 9_876 } else { 3 };
        lag(&mut trace, SimTime::from_secs(second), lag_ms);
    }
    trace.end(86_400_000_000_000);
    let columns = &trace.partitions[0].replicas[1].columns;
    assert_eq!(columns.len(), COLUMNS);
    let with_spike: Vec<f64> =
        columns.iter().map(|column| column.lag.unwrap().max).filter(|max| *max > 3.0).collect();
    assert_eq!(with_spike, [9_876.0]);
    assert_eq!(trace.lag_max(), Some(9_876.0));
}

#[test]
fn a_short_absence_in_a_long_run_is_kept() {
    let mut trace = long_trace();
    trace.isr_changed(&change(SimTime::from_secs(40_000), IsrChangeKind::Shrink));
    trace.isr_changed(&change(SimTime::from_millis(40_000_030), IsrChangeKind::Expand));
    trace.end(86_400_000_000_000);
    let columns = &trace.partitions[0].replicas[1].columns;
    assert_eq!(columns.iter().filter(|column| column.was_out).count(), 1);
    assert!(columns.iter().all(|column| column.was_in));
    assert_eq!(trace.lag_max(), Some(20_000.0), "the lag that drove it out is drawn, sampled or not");
    let svg = figure(&CAPTION, &[("pre-4485", &trace)]);
    assert!(svg.contains("1 shrink, 1 expand, the first shrink at 40000.000 s"), "{svg}");
}

#[test]
fn a_run_that_was_cut_short_is_drawn_to_there() {
    let mut trace = long_trace();
    sample(SimTime::from_secs(1), &mut Watch(&mut trace));
    trace.end(43_200_000_000_000);
    let columns = &trace.partitions[0].replicas[2].columns;
    assert_eq!(columns.iter().filter(|column| column.was_in).count(), COLUMNS / 2 + 1);
    let svg = figure(&CAPTION, &[("pre-4485", &trace)]);
    assert!(svg.contains("pre-4485 was cut short at 43200.000 s."));
}

/// A trace as an observer.
struct Watch<'a>(&'a mut Trace);

impl isrlab_sim::cluster::Observer for Watch<'_> {
    fn sampled(&mut self, sample: &Sample<'_>) {
        self.0.sampled(sample);
    }
}

#[test]
fn an_empty_run_and_no_run_can_be_drawn() {
    let mut trace = long_trace();
    for end_ns in [0, 86_400_000_000_000] {
        trace.end(end_ns);
        assert_well_formed(&figure(&CAPTION, &[("pre-4485", &trace)]));
    }
    let mut spec = spec("pre-4485", "orders");
    spec.duration = SimDuration::ZERO;
    let mut trace = Trace::new(&spec, &Layout::of(&spec));
    lag(&mut trace, SimTime::ZERO, 5);
    trace.end(0);
    assert_well_formed(&figure(&CAPTION, &[("pre-4485", &trace)]));
    assert_well_formed(&figure(&CAPTION, &[]));
}

#[test]
fn odd_names_leave_the_figure_well_formed() {
    let mut spec = spec("pre-4485", "<t>&\"'\n\u{0}");
    spec.topics[0].partitions = vec![spec.topics[0].partitions[0].clone(); 2];
    let mut trace = Trace::new(&spec, &Layout::of(&spec));
    trace.end(30_000_000_000);
    let caption = Caption { scenario: "]]> <script>alert(1)</script> \u{1b}[31m & 日本", ..CAPTION };
    let svg = figure(&caption, &[("<b>", &trace)]);
    assert_well_formed(&svg);
    assert!(!svg.contains("<script"));
}

#[test]
fn many_partitions_are_told_of() {
    let mut spec = spec("pre-4485", "orders");
    spec.topics[0].partitions = vec![spec.topics[0].partitions[0].clone(); 30];
    let mut trace = Trace::new(&spec, &Layout::of(&spec));
    trace.end(30_000_000_000);
    assert_eq!(trace.partitions.len(), 4);
    let svg = figure(&CAPTION, &[("pre-4485", &trace), ("post-4485", &trace)]);
    assert!(svg.contains("Drawn: the first 3 of 30 partitions; 27 not drawn."));
    assert_eq!(svg.matches("aria-label=").count(), 6);
}

#[test]
fn a_real_run_gives_the_same_picture_each_time_without_dates() {
    let scenario = Scenario::from_library("kafka-4485").unwrap();
    let mut seen = Vec::new();
    for threads in [1, 2] {
        let folder = tempfile::tempdir().unwrap();
        let out = Some(folder.path().to_owned());
        let plan = Plan { out, threads, ..Plan::of_scenario(&scenario, "kafka-4485", None).unwrap() };
        run(&plan, &ClusterSimulator).unwrap();
        seen.push(std::fs::read_to_string(folder.path().join("timeline.svg")).unwrap());
    }
    assert_eq!(seen[0], seen[1]);
    assert_well_formed(&seen[0]);
    assert!(seen[0].len() < 500_000, "{}", seen[0].len());
}

#[cfg(feature = "png")]
#[test]
fn the_png_is_drawn_with_text_though_the_machine_gives_no_font() {
    let mut trace = long_trace();
    trace.end(1);
    let with = isrlab_reports::plot::svg_to_png(&figure(&CAPTION, &[("pre-4485", &trace)])).unwrap();
    let caption = Caption { scenario: "another", ..CAPTION };
    let other = isrlab_reports::plot::svg_to_png(&figure(&caption, &[("pre-4485", &trace)])).unwrap();
    assert!(with.starts_with(b"\x89PNG") && with != other, "the names are not seen");
}

#[cfg(feature = "png")]
fn assert_well_formed(svg: &str) {
    resvg::usvg::roxmltree::Document::parse(svg).unwrap();
}

#[cfg(not(feature = "png"))]
fn assert_well_formed(svg: &str) {
    assert!(svg.ends_with("</svg>\n"));
}
