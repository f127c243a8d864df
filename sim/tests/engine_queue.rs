//! The queue and the scheduler against a plain model, under hostile schedules.

use std::collections::BTreeMap;

use isrlab_sim::engine::{EventQueue, Scheduler, SimDuration, SimTime, TimerId};
use proptest::prelude::*;

/// By time, then by order of pushing: what the queue must do.
#[derive(Default)]
struct Model {
    events: BTreeMap<(u64, u64), u32>,
    pushed: u64,
}

impl Model {
    fn push(&mut self, time: u64, event: u32) -> (u64, u64) {
        self.pushed += 1;
        self.events.insert((time, self.pushed), event);
        (time, self.pushed)
    }

    fn pop_before(&mut self, limit: u64) -> Option<(u64, u32)> {
        let first = self.events.first_entry()?;
        let time = first.key().0;
        (time <= limit).then(|| (time, first.remove()))
    }
}

#[derive(Clone, Copy, Debug)]
enum Op {
    /// Push so many events, each so far after the last event popped.
    Push {
        count: usize,
        delay: u64,
    },
    /// Push at an absolute time, which may be past.
    PushAt(u64),
    Pop(usize),
    PopBefore(u64),
    Peek,
    /// Drop the events whose number is a multiple of this.
    Retain(u32),
}

/// Delays of every order of magnitude, with many ties.
fn delay() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => Just(0),
        3 => Just(1_000_000),
        2 => 0..4u64,
        2 => 0..2_000u64,
        2 => 0..30_000_000u64,
        2 => (0..50u32, 0..16u64).prop_map(|(shift, low)| (1 << shift) + low),
        1 => Just(3_600_000_000_000),
        1 => (0..64u32).prop_map(|shift| u64::MAX >> shift),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => (1..6usize, delay()).prop_map(|(count, delay)| Op::Push { count, delay }),
        1 => (1..200usize, delay()).prop_map(|(count, delay)| Op::Push { count, delay }),
        1 => delay().prop_map(Op::PushAt),
        6 => (1..10usize).prop_map(Op::Pop),
        1 => (1..300usize).prop_map(Op::Pop),
        3 => delay().prop_map(Op::PopBefore),
        1 => Just(Op::Peek),
        1 => (2..5u32).prop_map(Op::Retain),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_queue_pops_by_time_and_then_in_order_of_pushing(
        ops in prop::collection::vec(op(), 1..120),
    ) {
        let mut queue = EventQueue::new();
        let mut model = Model::default();
        let mut last = 0u64;
        let mut number = 0;
        for op in ops {
            let mut push = |time: u64| {
                number += 1;
                queue.push(SimTime::from_nanos(time), number);
                model.push(time, number);
            };
            match op {
                Op::Push { count, delay } => {
                    for _ in 0..count {
                        push(last.saturating_add(delay));
                    }
                }
                Op::PushAt(time) => push(time),
                Op::Pop(count) => {
                    for _ in 0..count {
                        let popped = queue.pop().map(|(time, event)| (time.as_nanos(), event));
                        prop_assert_eq!(popped, model.pop_before(u64::MAX));
                        last = popped.map_or(last, |(time, _)| time);
                    }
                }
                Op::PopBefore(delay) => {
                    let limit = last.saturating_add(delay);
                    for _ in 0..40 {
                        let popped = queue
                            .pop_before(SimTime::from_nanos(limit))
                            .map(|(time, event)| (time.as_nanos(), event));
                        prop_assert_eq!(popped, model.pop_before(limit));
                        last = popped.map_or(last, |(time, _)| time);
                    }
                }
                Op::Peek => prop_assert_eq!(
                    queue.peek_time().map(SimTime::as_nanos),
                    model.events.keys().next().map(|key| key.0)
                ),
                Op::Retain(divisor) => {
                    queue.retain(|event| event % divisor != 0);
                    model.events.retain(|_, event| *event % divisor != 0);
                }
            }
            prop_assert_eq!(queue.len(), model.events.len());
        }
        while let Some(popped) = model.pop_before(u64::MAX) {
            let (time, event) = queue.pop().expect("the model has more events");
            prop_assert_eq!((time.as_nanos(), event), popped);
        }
        prop_assert!(queue.is_empty() && queue.pop().is_none());
    }

    /// Each popped event schedules the next one: the pattern of a real run.
    #[test]
    fn the_queue_is_right_in_steady_state(
        pending in 1..400usize,
        delays in prop::collection::vec(delay(), 1..8),
    ) {
        let mut queue = EventQueue::new();
        let mut model = Model::default();
        for event in 0..pending as u32 {
            queue.push(SimTime::ZERO, event);
            model.push(0, event);
        }
        for step in 0..3_000 {
            let (time, event) = queue.pop().expect("the number pending is constant");
            prop_assert_eq!(Some((time.as_nanos(), event)), model.pop_before(u64::MAX));
            let delay = delays[(event as usize + step / 500) % delays.len()];
            let next = time + SimDuration::from_nanos(delay);
            queue.push(next, event);
            model.push(next.as_nanos(), event);
        }
    }

    #[test]
    fn cancelled_timers_never_fire_and_all_others_do(
        ops in prop::collection::vec((0..10u8, delay(), any::<prop::sample::Index>()), 1..400),
    ) {
        let mut scheduler = Scheduler::new();
        let mut model = Model::default();
        let mut timers: Vec<(TimerId, (u64, u64))> = Vec::new();
        for (number, (kind, delay, choice)) in ops.into_iter().enumerate() {
            let at = scheduler.now() + SimDuration::from_nanos(delay);
            let event = number as u32;
            match kind {
                0..2 => {
                    scheduler.schedule(at, event);
                    model.push(at.as_nanos(), event);
                }
                2..6 => {
                    let id = scheduler.schedule_timer(at, event);
                    timers.push((id, model.push(at.as_nanos(), event)));
                }
                6..8 if !timers.is_empty() => {
                    // Also those that have fired or were cancelled before.
                    let (id, key) = *choice.get(&timers);
                    prop_assert_eq!(scheduler.cancel(id), model.events.remove(&key).is_some());
                }
                _ => {
                    let popped = scheduler.pop_before(at);
                    let expected = model.pop_before(at.as_nanos());
                    prop_assert_eq!(popped, expected.map(|(_, event)| event));
                    if let Some((time, _)) = expected {
                        prop_assert_eq!(scheduler.now().as_nanos(), time);
                    }
                }
            }
            prop_assert_eq!(scheduler.pending(), model.events.len());
        }
        while let Some((time, event)) = model.pop_before(u64::MAX) {
            prop_assert_eq!(scheduler.pop(), Some(event));
            prop_assert_eq!(scheduler.now().as_nanos(), time);
        }
        prop_assert_eq!(scheduler.pop(), None);
    }
}

/// Pushes numbered events at these times and expects them sorted, ties in order.
fn assert_sorts(queue: &mut EventQueue<usize>, times: &[u64]) {
    for (event, time) in times.iter().enumerate() {
        queue.push(SimTime::from_nanos(*time), event);
    }
    let mut expected: Vec<_> = times.iter().copied().zip(0..).collect();
    expected.sort();
    let popped: Vec<_> =
        std::iter::from_fn(|| queue.pop()).map(|(time, event)| (time.as_nanos(), event)).collect();
    assert_eq!(popped, expected);
}

#[test]
fn equal_times_run_in_order_however_many_there_are() {
    let mut queue = EventQueue::new();
    assert_sorts(&mut queue, &[7; 5_000]);
    assert_sorts(&mut queue, &[u64::MAX; 500]);
    let mixed: Vec<u64> = (0..5_000).map(|n| [u64::MAX, 0, 1 << 40][n % 3]).collect();
    assert_sorts(&mut queue, &mixed);
}

#[test]
fn events_between_a_limit_and_what_lies_behind_it_are_not_lost() {
    let mut queue = EventQueue::new();
    for event in 0..100 {
        queue.push(SimTime::from_nanos(16_777_300 + event % 7), event);
    }
    // The bounded pop divides a slot that starts before the limit, and finds nothing.
    assert_eq!(queue.pop_before(SimTime::from_nanos(16_777_216)), None);
    for event in 0..200 {
        queue.push(SimTime::from_nanos(event), event);
    }
    let mut last = 0;
    let mut count = 0;
    while let Some((time, _)) = queue.pop() {
        assert!(time.as_nanos() >= last);
        last = time.as_nanos();
        count += 1;
    }
    assert_eq!(count, 300);
}

#[test]
fn a_timer_of_another_scheduler_is_not_found() {
    let mut one = Scheduler::new();
    let timer = one.schedule_timer(SimTime::from_secs(1), ());
    assert!(!Scheduler::<()>::new().cancel(timer));
    assert!(one.cancel(timer));
    assert_eq!((one.pending(), one.pop()), (0, None));
}

#[test]
fn an_event_at_the_limit_runs_and_one_after_it_stays() {
    let mut scheduler = Scheduler::new();
    scheduler.schedule(SimTime::from_millis(5), 'a');
    scheduler.schedule(SimTime::from_nanos(5_000_001), 'b');
    assert_eq!(scheduler.pop_before(SimTime::from_millis(5)), Some('a'));
    assert_eq!(scheduler.pop_before(SimTime::from_millis(5)), None);
    assert_eq!((scheduler.now(), scheduler.pending()), (SimTime::from_millis(5), 1));
    assert_eq!(scheduler.pop(), Some('b'));
}

#[test]
#[should_panic(expected = "scheduled at 0.999 s, but it is already 1.000 s")]
fn the_past_cannot_be_scheduled() {
    let mut scheduler = Scheduler::new();
    scheduler.schedule(SimTime::from_secs(1), ());
    scheduler.pop();
    scheduler.schedule(SimTime::from_millis(999), ());
}

#[test]
fn memory_is_bounded_by_what_is_pending() {
    let mut scheduler = Scheduler::new();
    let mut timeout = scheduler.schedule_timer(SimTime::from_secs(30), 0u32);
    for event in 1..=1_000_000 {
        scheduler.schedule_in(SimDuration::from_micros(1), event);
        scheduler.pop();
        assert!(scheduler.cancel(timeout));
        timeout = scheduler.schedule_timer(scheduler.now() + SimDuration::from_secs(30), event);
    }
    assert_eq!(scheduler.pending(), 1);
    assert!(scheduler.capacity() < 1_000, "{}", scheduler.capacity());
}
