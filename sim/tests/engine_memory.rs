//! The engine allocates nothing in a steady state, however long it runs.
//!
//! Memory is watched through `capacity`, which counts all that grows; `allocation.rs` counts what
//! whole runs ask of the allocator.

use isrlab_sim::engine::{EventQueue, Scheduler, SimDuration, SimTime, Streams};

/// Runs with a constant number pending; the delays are log-uniform from 1 ns to 1 h.
fn run(queue: &mut EventQueue<u32>, events: u32) {
    let mut draws = Streams::new(1).stream("test", "memory");
    for _ in 0..events {
        let (time, event) = queue.pop().expect("the number pending is constant");
        let magnitude = draws.below(42);
        let delay = 1 + draws.below(1 << magnitude);
        queue.push(time + SimDuration::from_nanos(delay), event);
    }
}

#[test]
fn a_long_run_needs_no_more_than_a_short_one() {
    for pending in [1, 4, 30, 100, 3_000] {
        let mut queue = EventQueue::new();
        for event in 0..pending {
            queue.push(SimTime::ZERO, event);
        }
        run(&mut queue, 10_000);
        let early = queue.capacity();
        run(&mut queue, 300_000);
        assert_eq!(queue.len(), pending as usize);
        assert!(queue.capacity() <= (2 * pending as usize).max(200), "{}", queue.capacity());
        assert!(queue.capacity() <= 2 * early, "{early} became {}", queue.capacity());
    }
}

#[test]
fn rearming_many_timers_needs_no_more_than_they_do() {
    let mut scheduler = Scheduler::new();
    let timeout = SimDuration::from_secs(30);
    let mut timers: Vec<_> =
        (0..500u32).map(|n| scheduler.schedule_timer(SimTime::ZERO + timeout, n)).collect();
    scheduler.schedule(SimTime::ZERO, u32::MAX);
    for round in 0..1_000_000 {
        assert_eq!(scheduler.pop(), Some(u32::MAX));
        let timer = &mut timers[round % 500];
        assert!(scheduler.cancel(*timer));
        assert!(!scheduler.cancel(*timer));
        *timer = scheduler.schedule_timer(scheduler.now() + timeout, round as u32);
        scheduler.schedule_in(SimDuration::from_micros(10), u32::MAX);
    }
    assert_eq!(scheduler.pending(), 501);
    assert!(scheduler.capacity() < 6_000, "{}", scheduler.capacity());
}
