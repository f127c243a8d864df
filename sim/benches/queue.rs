//! The event queue beside others, in events per CPU second and as a ratio to a bare
//! loop over the standard library's `BinaryHeap`.
//!
//! `cargo bench -p isrlab-sim --bench queue` prints two tables: the mix of a real run
//! at several numbers of pending events, and hostile patterns of times. All queues run
//! in turn, again and again, and the medians are shown. `-- --quick` runs a tenth.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hint::black_box;
use std::time::Duration;

use cpu_time::ProcessTime;
use isrlab_sim::engine::{EventQueue, Scheduler, SimTime};

const REPETITIONS: usize = 7;

/// What a queue must do to take part. Times are nanoseconds.
trait Queue: Default {
    fn push(&mut self, time: u64, event: Event);
    fn pop(&mut self) -> (u64, Event);
}

/// What happens, and to whom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Produce(u32),
    Fetch(u32),
    Answer(u32),
    Check(u32),
}

impl Event {
    fn number(self) -> u64 {
        match self {
            Event::Produce(n) | Event::Fetch(n) | Event::Answer(n) | Event::Check(n) => n.into(),
        }
    }
}

/// The bare loop everything is compared with.
#[derive(Default)]
struct Binary {
    heap: BinaryHeap<Reverse<(u64, u64, Event)>>,
    pushed: u64,
}

impl Queue for Binary {
    #[inline]
    fn push(&mut self, time: u64, event: Event) {
        self.heap.push(Reverse((time, self.pushed, event)));
        self.pushed += 1;
    }

    #[inline]
    fn pop(&mut self) -> (u64, Event) {
        let Reverse((time, _, event)) = self.heap.pop().expect("an event is pending");
        (time, event)
    }
}

/// A heap with four children per node: half the levels, more comparisons on each.
#[derive(Default)]
struct FourAry {
    heap: Vec<(u64, u64, Event)>,
    pushed: u64,
}

impl Queue for FourAry {
    #[inline]
    fn push(&mut self, time: u64, event: Event) {
        let entry = (time, self.pushed, event);
        self.pushed += 1;
        let mut hole = self.heap.len();
        self.heap.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / 4;
            if (self.heap[parent].0, self.heap[parent].1) <= (entry.0, entry.1) {
                break;
            }
            self.heap[hole] = self.heap[parent];
            hole = parent;
        }
        self.heap[hole] = entry;
    }

    #[inline]
    fn pop(&mut self) -> (u64, Event) {
        let last = self.heap.pop().expect("an event is pending");
        let Some(&first) = self.heap.first() else {
            return (last.0, last.2);
        };
        let mut hole = 0;
        loop {
            let children = 4 * hole + 1;
            let Some(range) =
                self.heap.get(children..(children + 4).min(self.heap.len())).filter(|r| !r.is_empty())
            else {
                break;
            };
            let mut least = 0;
            for child in 1..range.len() {
                if (range[child].0, range[child].1) < (range[least].0, range[least].1) {
                    least = child;
                }
            }
            if (last.0, last.1) <= (range[least].0, range[least].1) {
                break;
            }
            self.heap[hole] = range[least];
            hole = children + least;
        }
        self.heap[hole] = last;
        (first.0, first.2)
    }
}

/// A sorted list, the soonest last.
#[derive(Default)]
struct Sorted {
    entries: Vec<(u64, Event)>,
}

impl Queue for Sorted {
    #[inline]
    fn push(&mut self, time: u64, event: Event) {
        let mut hole = self.entries.len();
        self.entries.push((time, event));
        while hole > 0 && self.entries[hole - 1].0 <= time {
            self.entries[hole] = self.entries[hole - 1];
            hole -= 1;
        }
        self.entries[hole] = (time, event);
    }

    #[inline]
    fn pop(&mut self) -> (u64, Event) {
        self.entries.pop().expect("an event is pending")
    }
}

const RING_BUCKETS: u64 = 4096;

/// A ring of buckets of a fixed width, with a heap for what lies beyond it. The width
/// suits the first mix (2 µs, at 3000 pending): what tuning by hand can give, and what
/// it costs elsewhere.
struct Ring {
    buckets: Vec<VecDeque<(u64, Event)>>,
    used: [u64; RING_BUCKETS as usize / 64],
    current: u64,
    ring_len: usize,
    beyond: Binary,
}

const RING_SHIFT: u32 = 11;

impl Default for Ring {
    fn default() -> Self {
        Self {
            buckets: vec![VecDeque::new(); RING_BUCKETS as usize],
            used: [0; RING_BUCKETS as usize / 64],
            current: 0,
            ring_len: 0,
            beyond: Binary::default(),
        }
    }
}

impl Ring {
    #[inline]
    fn insert(&mut self, time: u64, event: Event) {
        let index = (time >> RING_SHIFT) % RING_BUCKETS;
        let bucket = &mut self.buckets[index as usize];
        let mut place = bucket.len();
        while place > 0 && bucket[place - 1].0 > time {
            place -= 1;
        }
        bucket.insert(place, (time, event));
        self.used[index as usize / 64] |= 1 << (index % 64);
        self.ring_len += 1;
    }

    /// The first bucket in use at or after the current one.
    #[inline]
    fn next_used(&self) -> u64 {
        let start = self.current % RING_BUCKETS;
        let mut word = start as usize / 64;
        let mut bits = self.used[word] & (u64::MAX << (start % 64));
        while bits == 0 {
            word = (word + 1) % self.used.len();
            bits = self.used[word];
        }
        let index = word as u64 * 64 + u64::from(bits.trailing_zeros());
        self.current + (index.wrapping_sub(start)) % RING_BUCKETS
    }
}

impl Queue for Ring {
    #[inline]
    fn push(&mut self, time: u64, event: Event) {
        if time >> RING_SHIFT < self.current + RING_BUCKETS {
            self.insert(time, event);
        } else {
            self.beyond.push(time, event);
        }
    }

    #[inline]
    fn pop(&mut self) -> (u64, Event) {
        if self.ring_len == 0 {
            let Reverse((time, ..)) = *self.beyond.heap.peek().expect("an event is pending");
            self.current = time >> RING_SHIFT;
        } else {
            self.current = self.next_used();
        }
        while let Some(&Reverse((time, _, event))) = self.beyond.heap.peek()
            && time >> RING_SHIFT < self.current + RING_BUCKETS
        {
            self.beyond.heap.pop();
            self.insert(time, event);
        }
        let index = self.current % RING_BUCKETS;
        let bucket = &mut self.buckets[index as usize];
        let first = bucket.pop_front().expect("the bucket is in use");
        if bucket.is_empty() {
            self.used[index as usize / 64] &= !(1 << (index % 64));
        }
        self.ring_len -= 1;
        first
    }
}

const LADDER_BOTTOM: usize = 50;

/// The ladder queue of Tang, Goh and Thng (2005): an unsorted top, rungs of buckets that
/// divide a bucket of the rung above when it is too full, and a sorted bottom.
#[derive(Default)]
struct Ladder {
    top: Vec<(u64, Event)>,
    top_start: u64,
    rungs: Vec<Rung>,
    spare: Vec<Rung>,
    bottom: Sorted,
}

#[derive(Default)]
struct Rung {
    start: u64,
    width: u64,
    current: usize,
    len: usize,
    buckets: Vec<Vec<(u64, Event)>>,
}

impl Rung {
    fn fill(&mut self, entries: &mut Vec<(u64, Event)>, start: u64, end: u64) {
        self.start = start;
        self.width = ((end - start) / entries.len() as u64).max(1);
        self.current = 0;
        self.len = entries.len();
        let needed = ((end - start) / self.width) as usize + 1;
        if self.buckets.len() < needed {
            self.buckets.resize_with(needed, Vec::new);
        }
        for entry in entries.drain(..) {
            self.buckets[((entry.0 - start) / self.width) as usize].push(entry);
        }
    }

    fn current_start(&self) -> u64 {
        self.start + self.current as u64 * self.width
    }
}

impl Ladder {
    fn refill(&mut self) {
        let mut moved = Vec::new();
        loop {
            let Some(rung) = self.rungs.last_mut() else {
                let start = self.top.iter().map(|entry| entry.0).min().expect("pending");
                let end = self.top.iter().map(|entry| entry.0).max().expect("pending");
                let mut rung = self.spare.pop().unwrap_or_default();
                rung.fill(&mut self.top, start, end);
                self.top_start = end + 1;
                self.rungs.push(rung);
                continue;
            };
            if rung.len == 0 {
                self.spare.extend(self.rungs.pop());
                continue;
            }
            while rung.buckets[rung.current].is_empty() {
                rung.current += 1;
            }
            let start = rung.current_start();
            std::mem::swap(&mut moved, &mut rung.buckets[rung.current]);
            rung.len -= moved.len();
            rung.current += 1;
            if moved.len() <= LADDER_BOTTOM || rung.width == 1 {
                moved.reverse();
                moved.sort_by_key(|entry| Reverse(entry.0));
                self.bottom.entries.append(&mut moved);
                let rung = self.rungs.last_mut().expect("not popped");
                std::mem::swap(&mut moved, &mut rung.buckets[rung.current - 1]);
                return;
            }
            let end = start + rung.width - 1;
            let mut lower = self.spare.pop().unwrap_or_default();
            lower.fill(&mut moved, start, end);
            let rung = self.rungs.last_mut().expect("not popped");
            std::mem::swap(&mut moved, &mut rung.buckets[rung.current - 1]);
            self.rungs.push(lower);
        }
    }
}

impl Queue for Ladder {
    fn push(&mut self, time: u64, event: Event) {
        if time >= self.top_start {
            self.top.push((time, event));
            return;
        }
        for rung in &mut self.rungs {
            if time >= rung.current_start() {
                let bucket = ((time - rung.start) / rung.width) as usize;
                if bucket < rung.buckets.len() {
                    rung.buckets[bucket].push((time, event));
                    rung.len += 1;
                    return;
                }
            }
        }
        self.bottom.push(time, event);
    }

    fn pop(&mut self) -> (u64, Event) {
        if self.bottom.entries.is_empty() {
            self.refill();
        }
        self.bottom.pop()
    }
}

/// The engine's queue alone.
impl Queue for EventQueue<Event> {
    #[inline]
    fn push(&mut self, time: u64, event: Event) {
        EventQueue::push(self, SimTime::from_nanos(time), event);
    }

    #[inline]
    fn pop(&mut self) -> (u64, Event) {
        let (time, event) = EventQueue::pop(self).expect("an event is pending");
        (time.as_nanos(), event)
    }
}

/// The engine with clock and timers.
impl Queue for Scheduler<Event> {
    #[inline]
    fn push(&mut self, time: u64, event: Event) {
        self.schedule(SimTime::from_nanos(time), event);
    }

    #[inline]
    fn pop(&mut self) -> (u64, Event) {
        let event = self.pop_before(SimTime::MAX).expect("an event is pending");
        (self.now().as_nanos(), event)
    }
}

/// A quick generator for jitter, the same for all queues.
struct Jitter(u64);

impl Jitter {
    #[inline]
    fn below_pow2(&mut self, bits: u32) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        self.0 >> (64 - bits)
    }
}

/// How long after an event the next one of its actor comes.
type Delay = fn(Event, &mut Jitter) -> (u64, Event);

/// A partition has a producer (one record per millisecond), two followers (a request and
/// an answer, with jitter, 1 to 25 ms), and a check every 5 s.
#[inline]
fn real_mix(event: Event, jitter: &mut Jitter) -> (u64, Event) {
    match event {
        Event::Produce(n) => (1_000_000, Event::Produce(n)),
        Event::Fetch(n) => (500_000 + jitter.below_pow2(18), Event::Answer(n)),
        Event::Answer(n) if n.is_multiple_of(2) => (500_000 + jitter.below_pow2(18), Event::Fetch(n)),
        Event::Answer(n) => (12_000_000 + jitter.below_pow2(20), Event::Fetch(n)),
        Event::Check(n) => (5_000_000_000, Event::Check(n)),
    }
}

fn all_equal(event: Event, _: &mut Jitter) -> (u64, Event) {
    (1_000_000, event)
}

/// Every order of magnitude from 1 ns to an hour is as likely as any other.
fn magnitudes(event: Event, jitter: &mut Jitter) -> (u64, Event) {
    let magnitude = (jitter.below_pow2(32) * 42) >> 32;
    ((1 << magnitude) + jitter.below_pow2(20) % (1 << magnitude), event)
}

/// One event in 16 is a timer far away, the others come within a microsecond.
fn far_timers(event: Event, jitter: &mut Jitter) -> (u64, Event) {
    if jitter.below_pow2(4) == 0 {
        (30_000_000_000 + jitter.below_pow2(30), event)
    } else {
        (jitter.below_pow2(10), event)
    }
}

/// Thousands of events an hour away while one loop ticks each nanosecond.
fn one_fast_loop(event: Event, _: &mut Jitter) -> (u64, Event) {
    if event.number() == 0 { (1, event) } else { (3_600_000_000_000, event) }
}

/// Smooth: uniform over a second.
fn uniform(event: Event, jitter: &mut Jitter) -> (u64, Event) {
    (jitter.below_pow2(30), event)
}

fn first_event(number: u32) -> Event {
    match number % 4 {
        0 => Event::Produce(number),
        1 | 2 => Event::Fetch(number),
        _ => Event::Check(number),
    }
}

/// Runs so many events and answers the CPU time and a digest of all that was popped.
#[inline(never)]
fn run<Q: Queue>(
    delay: impl Fn(Event, &mut Jitter) -> (u64, Event),
    pending: u32,
    events: u64,
) -> (Duration, u64) {
    let mut queue = Q::default();
    let mut jitter = Jitter(1);
    for number in 0..pending {
        queue.push(u64::from(number % 997) * 1_003, first_event(number));
    }
    let mut digest = 0u64;
    let start = ProcessTime::now();
    for _ in 0..events {
        let (time, event) = queue.pop();
        digest = digest.rotate_left(5) ^ time ^ event.number();
        let (delay, next) = delay(event, &mut jitter);
        queue.push(time + delay, next);
    }
    (start.elapsed(), black_box(digest))
}

struct Contender {
    name: &'static str,
    /// With more pending events it is left out.
    pending_max: u32,
    real_mix: fn(u32, u64) -> (Duration, u64),
    hostile: fn(Delay, u32, u64) -> (Duration, u64),
}

fn contender<Q: Queue>(name: &'static str, pending_max: u32) -> Contender {
    Contender {
        name,
        pending_max,
        real_mix: |pending, events| run::<Q>(real_mix, pending, events),
        hostile: |delay, pending, events| run::<Q>(delay, pending, events),
    }
}

fn table(title: &str, contenders: &[Contender], columns: &[(String, u32, u64, Option<Delay>)]) {
    let mut rates = vec![vec![Vec::new(); columns.len()]; contenders.len()];
    for _ in 0..REPETITIONS {
        for (column, &(_, pending, events, delay)) in columns.iter().enumerate() {
            let mut digest = None;
            for (row, contender) in contenders.iter().enumerate() {
                if pending > contender.pending_max {
                    continue;
                }
                let (time, found) = match delay {
                    None => (contender.real_mix)(pending, events),
                    Some(delay) => (contender.hostile)(delay, pending, events),
                };
                assert_eq!(*digest.get_or_insert(found), found, "{} pops another order", contender.name);
                rates[row][column].push(events as f64 / time.as_secs_f64() / 1e6);
            }
        }
    }
    println!("\n{title}: M events per CPU second (ratio to the bare BinaryHeap loop)\n");
    print!("{:<24}", "queue");
    for (name, ..) in columns {
        print!("{name:>16}");
    }
    println!();
    let median = |rates: &mut Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates.get(rates.len() / 2).copied()
    };
    let mut bare = vec![0.0; columns.len()];
    for (row, contender) in contenders.iter().enumerate() {
        print!("{:<24}", contender.name);
        for column in 0..columns.len() {
            match median(&mut rates[row][column]) {
                None => print!("{:>16}", "-"),
                Some(rate) => {
                    if row == 0 {
                        bare[column] = rate;
                    }
                    print!("{:>16}", format!("{rate:.1} ({:.2})", rate / bare[column]));
                }
            }
        }
        println!();
    }
}

const EXPLANATION: &str = "\
Event queues beside a bare loop over the standard library's BinaryHeap. Each column keeps a fixed
number of events pending: the soonest is popped and its successor pushed. A cell is millions of such
events per CPU second, and in parentheses how many times the heap's rate that is (higher is better),
medians of rounds in which all queues take turns. EventQueue is the engine's queue, Scheduler the
queue with the clock and timers around it, as the simulation uses it.
  the mix            producers each 1 ms, fetches 0.5 to 13 ms on their way, a check each 5 s
  all equal          each event's successor 1 ms later, many at the same time
  uniform            within about a second, each delay as likely
  magnitudes         1 ns to an hour, each power of two as likely
  far timers         one in 16 half a minute away, the others within a microsecond
  one fast loop      one source each nanosecond, the others an hour away";

fn main() {
    println!("{EXPLANATION}");
    let scale = if std::env::args().any(|argument| argument == "--quick") { 10 } else { 1 };
    let contenders = [
        contender::<Binary>("BinaryHeap", u32::MAX),
        contender::<FourAry>("4-ary heap", u32::MAX),
        contender::<Sorted>("sorted list", 1_000),
        contender::<Ring>("calendar ring, 2 us", u32::MAX),
        contender::<Ladder>("ladder", u32::MAX),
        contender::<EventQueue<Event>>("EventQueue", u32::MAX),
        contender::<Scheduler<Event>>("Scheduler", u32::MAX),
    ];
    let mix: Vec<_> = [4, 8, 16, 32, 100, 300, 1_000, 3_000, 30_000]
        .map(|pending| (format!("{pending} pending"), pending, 4_000_000 / scale, None))
        .into();
    table("The mix of a run", &contenders, &mix);
    let patterns: [(&str, Delay); 6] = [
        ("all equal", all_equal),
        ("uniform", uniform),
        ("magnitudes", magnitudes),
        ("far timers", far_timers),
        ("one fast loop", one_fast_loop),
        ("the mix", real_mix),
    ];
    let hostile: Vec<_> =
        patterns.map(|(name, delay)| (name.to_owned(), 3_000, 400_000 / scale, Some(delay))).into();
    // A ring of a fixed width is quadratic on some of these; it had its chance above.
    let robust: Vec<_> = contenders
        .into_iter()
        .filter(|c| !["calendar ring, 2 us", "sorted list"].contains(&c.name))
        .collect();
    table("Hostile patterns, 3000 pending", &robust, &hostile);
}
