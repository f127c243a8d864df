//! The memory of a trace in text, in JSON Lines and for viewers does not grow with its window.

#[path = "common/allocator.rs"]
mod allocator;

use isrlab_reports::ClusterSimulator;
use isrlab_reports::trace::{Filter, TraceFormat, TraceRequest, Window, trace};
use isrlab_scenarios::Scenario;
use isrlab_sim::engine::SimTime;
use std::sync::atomic::AtomicBool;

/// The lines of a window of the same run, and the most bytes beyond those at the start.
fn peak(scenario: &Scenario, format: TraceFormat, from_s: u64) -> (u64, usize) {
    let spec = scenario.cluster_spec(&scenario.variants()[0]).unwrap();
    let until = SimTime::ZERO + spec.duration;
    let request = TraceRequest {
        scenario: scenario.name().to_owned(),
        spec,
        seed: scenario.seed(),
        window: Window { from: SimTime::from_secs(from_s), until },
        filter: Filter::default(),
        limit: Some(u64::MAX),
        format,
    };
    let stop = AtomicBool::new(false);
    let work = || trace(&request, &ClusterSimulator, &mut std::io::sink(), &stop).unwrap();
    let (traced, peak) = allocator::peak_of(work);
    (traced.lines, peak)
}

// One test: what another does at the same time would count too.
#[test]
fn a_window_ten_times_as_long_takes_no_more() {
    let scenario = Scenario::from_library("kafka-4485").unwrap();
    for format in [TraceFormat::Text, TraceFormat::JsonLines, TraceFormat::Chrome] {
        let (few_lines, short) = peak(&scenario, format, 63);
        let (many_lines, long) = peak(&scenario, format, 0);
        assert!(many_lines > 9 * few_lines, "{format:?}: {few_lines} and {many_lines} lines");
        assert!(
            long < short + 16 * 1024,
            "{format:?}: {short} bytes for the short window, {long} for the long"
        );
    }
}
