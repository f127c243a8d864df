//! The memory of a trace in text, in JSON Lines and for viewers does not grow with its window.

use isrlab_reports::ClusterSimulator;
use isrlab_reports::trace::{Filter, TraceFormat, TraceRequest, Window, trace};
use isrlab_scenarios::Scenario;
use isrlab_sim::engine::SimTime;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Counts the bytes that are allocated, and the most there were.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "an allocator is an unsafe trait; every call goes to the system's")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let stop = AtomicBool::new(false);
    let traced = trace(&request, &ClusterSimulator, &mut std::io::sink(), &stop).unwrap();
    (traced.lines, PEAK.load(Ordering::Relaxed) - before)
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
