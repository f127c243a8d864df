//! The search: threads that expand chunks, then fill shards, then take stock, round after round.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Barrier, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::shard::{self, Candidate, Id, NO_PARENT, SHARDS, Shard};
use super::word::Word;
use crate::checker::checkable::{MAX_ACTION_KINDS, MAX_CLAIMS, Packed};
use crate::checker::limits::{StopReason, default_memory_limit};
use crate::checker::options::{Engine, Options, Progress};
use crate::checker::report::{ActionCount, ClaimReport, Report, Verdict};
use crate::checker::witness;

/// States of a chunk.
const CHUNK: usize = 2048;

/// Chunks of a round for each thread: enough that threads wait for each other seldom, few enough
/// that what is found stays in the cache until it is looked up.
const CHUNKS_PER_THREAD: usize = 4;

/// States a thread remembers having passed on lately, to pass on fewer twice. A power of two.
const RECENT: usize = 4096;

/// How often progress is told.
const TICK: Duration = Duration::from_millis(50);

/// Checks every claim of `model` by the fast engine.
///
/// # Panics
/// If the model breaks its contract or itself panics.
pub fn check<M: Packed>(model: &M, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Report {
    let search = Search::new(model, options);
    let found = search.run(progress);
    search.report(options, &found)
}

/// What the states of one chunk came to.
struct Expansion<W> {
    buckets: Vec<Vec<Candidate<W>>>,
    tally: Tally,
}

/// Counts, and the first state in breadth-first order that violates each claim.
#[derive(Clone, Default)]
struct Tally {
    states: u64,
    taken: [u64; MAX_ACTION_KINDS],
    premises: [u64; MAX_CLAIMS],
    violated: [u64; MAX_CLAIMS],
    first_violation: [Option<Id>; MAX_CLAIMS],
}

impl Tally {
    /// Adds what comes after `self` in breadth-first order.
    fn add(&mut self, later: &Self) {
        let sum = |total: &mut [u64], more: &[u64]| {
            total.iter_mut().zip(more).for_each(|(total, more)| *total += more);
        };
        self.states += later.states;
        sum(&mut self.taken, &later.taken);
        sum(&mut self.premises, &later.premises);
        sum(&mut self.violated, &later.violated);
        for (first, later) in self.first_violation.iter_mut().zip(later.first_violation) {
            *first = first.or(later);
        }
    }

    fn transitions(&self) -> u64 {
        self.taken.iter().sum()
    }
}

/// The part of a level that the next round expands.
#[derive(Clone)]
struct Plan {
    /// For each shard, how many states of the level lie in the shards before it; then their sum.
    starts: [usize; SHARDS + 1],
    /// Positions in the level.
    from: usize,
    to: usize,
    finished: bool,
}

impl Plan {
    fn chunks(&self) -> usize {
        (self.to - self.from).div_ceil(CHUNK)
    }
}

/// What a finished search found.
struct Found {
    tally: Tally,
    depth: u32,
    stopped: Option<StopReason>,
}

struct Search<'a, M: Packed> {
    model: &'a M,
    symmetry: bool,
    threads: usize,
    options: &'a Options,
    started: Instant,
    shards: Vec<RwLock<Shard<M::Word>>>,
    expansions: Vec<RwLock<Expansion<M::Word>>>,
    plan: RwLock<Plan>,
    next_chunk: AtomicUsize,
    next_shard: AtomicUsize,
    memory_limit: u64,
    memory: AtomicU64,
    full: AtomicBool,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a, M: Packed> Search<'a, M> {
    fn new(model: &'a M, options: &'a Options) -> Self {
        let threads = options.threads.max(1);
        let expansion =
            || Expansion { buckets: (0..SHARDS).map(|_| Vec::new()).collect(), tally: Tally::default() };
        let shards: Vec<_> = (0..SHARDS).map(Shard::new).collect();
        let memory = shards.iter().map(Shard::memory).sum::<usize>() as u64;
        Self {
            model,
            symmetry: options.symmetry,
            threads,
            options,
            started: Instant::now(),
            shards: shards.into_iter().map(RwLock::new).collect(),
            expansions: (0..threads * CHUNKS_PER_THREAD).map(|_| RwLock::new(expansion())).collect(),
            plan: RwLock::new(Plan { starts: [0; SHARDS + 1], from: 0, to: 0, finished: false }),
            next_chunk: AtomicUsize::new(0),
            next_shard: AtomicUsize::new(0),
            memory_limit: options.limits.max_memory.unwrap_or_else(default_memory_limit),
            memory: AtomicU64::new(memory),
            full: AtomicBool::new(false),
            panic: Mutex::new(None),
        }
    }

    fn run(&self, progress: &mut dyn FnMut(&Progress)) -> Found {
        self.seed();
        let mut found = Found { tally: Tally::default(), depth: 0, stopped: None };
        let mut told = self.started;
        self.plan_next(&mut found);
        let barrier = Barrier::new(self.threads);
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| {
                    self.work(&barrier, || ());
                });
            }
            self.work(&barrier, || {
                self.take_stock(&mut found);
                if told.elapsed() >= TICK {
                    told = Instant::now();
                    progress(&self.progress(&found));
                }
            });
        });
        if let Some(panic) = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take() {
            resume_unwind(panic);
        }
        progress(&self.progress(&found));
        found
    }

    /// Puts the initial states into the shards.
    fn seed(&self) {
        for state in self.model.init_states() {
            let word = self.model.pack(&self.representative(state));
            let candidate = Candidate { word, parent: NO_PARENT };
            self.fill(shard::shard_of(word.mix()), &[candidate]);
        }
    }

    fn representative(&self, state: M::State) -> M::State {
        if self.symmetry { self.model.canonical(&state) } else { state }
    }

    /// One thread's rounds. A panic of the model is kept, so that no thread waits for ever for
    /// the one that had it.
    fn work(&self, barrier: &Barrier, mut take_stock: impl FnMut()) {
        let mut recent = vec![M::Word::EMPTY; RECENT];
        loop {
            let plan = read(&self.plan).clone();
            if plan.finished {
                return;
            }
            self.guarded(|| self.expand_chunks(&plan, &mut recent));
            barrier.wait();
            self.guarded(|| self.fill_shards(plan.chunks()));
            barrier.wait();
            take_stock();
            barrier.wait();
        }
    }

    fn guarded(&self, part: impl FnOnce()) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(part)) {
            *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
        }
    }

    fn expand_chunks(&self, plan: &Plan, recent: &mut [M::Word]) {
        loop {
            let chunk = self.next_chunk.fetch_add(1, Relaxed);
            if chunk >= plan.chunks() {
                return;
            }
            let mut expansion = write(&self.expansions[chunk]);
            expansion.tally = Tally::default();
            expansion.buckets.iter_mut().for_each(Vec::clear);
            let from = plan.from + chunk * CHUNK;
            let to = (from + CHUNK).min(plan.to);
            for number in 0..SHARDS {
                let first = plan.starts[number].max(from);
                let last = plan.starts[number + 1].min(to);
                if first < last {
                    let shard = read(&self.shards[number]);
                    let offset = shard.level_start;
                    let start = plan.starts[number];
                    let places = first - start + offset..last - start + offset;
                    self.expand(&mut expansion, number, &shard, places, recent);
                }
            }
        }
    }

    fn expand(
        &self,
        expansion: &mut Expansion<M::Word>,
        number: usize,
        shard: &Shard<M::Word>,
        places: std::ops::Range<usize>,
        recent: &mut [M::Word],
    ) {
        let Expansion { buckets, tally } = expansion;
        let first = places.start;
        for (i, &word) in shard.states(places).iter().enumerate() {
            let id = shard::id(number, first + i).expect("every state of a shard has an id");
            let state = self.model.unpack(word);
            tally.states += 1;
            let taken = &mut tally.taken;
            let judgement = self.model.judge_and_step(&state, |action, next| {
                taken[self.model.action_kind(&action)] += 1;
                let word = self.model.pack(&self.representative(next));
                let hash = word.mix();
                let seen = &mut recent[hash as usize & (RECENT - 1)];
                if *seen != word {
                    *seen = word;
                    buckets[shard::shard_of(hash)].push(Candidate { word, parent: id });
                }
            });
            count_bits(judgement.premises, |claim| tally.premises[claim] += 1);
            count_bits(judgement.violated, |claim| {
                tally.violated[claim] += 1;
                tally.first_violation[claim].get_or_insert(id);
            });
        }
    }

    fn fill_shards(&self, chunks: usize) {
        loop {
            let number = self.next_shard.fetch_add(1, Relaxed);
            if number >= SHARDS {
                return;
            }
            for expansion in &self.expansions[..chunks] {
                self.fill(number, &read(expansion).buckets[number]);
            }
        }
    }

    fn fill(&self, number: usize, candidates: &[Candidate<M::Word>]) {
        if candidates.is_empty() || self.full.load(Relaxed) {
            return;
        }
        let mut shard = write(&self.shards[number]);
        let before = shard.memory() as u64;
        let mut reserved = 0;
        let filled = shard.insert_all(candidates, |bytes| {
            let bytes = bytes as u64;
            reserved += bytes;
            self.memory.fetch_add(bytes, Relaxed) + bytes <= self.memory_limit
        });
        if filled.is_err() {
            self.full.store(true, Relaxed);
        }
        self.memory.fetch_add(shard.memory() as u64 - before, Relaxed);
        self.memory.fetch_sub(reserved, Relaxed);
    }

    /// Adds up a round and plans the next. Only one thread runs, between two barriers.
    fn take_stock(&self, found: &mut Found) {
        let chunks = read(&self.plan).chunks();
        for expansion in &self.expansions[..chunks] {
            found.tally.add(&read(expansion).tally);
        }
        self.plan_next(found);
        self.next_chunk.store(0, Relaxed);
        self.next_shard.store(0, Relaxed);
    }

    fn plan_next(&self, found: &mut Found) {
        let mut plan = write(&self.plan);
        let panicked = self.panic.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let mut level_ends = plan.to == plan.starts[SHARDS];
        if level_ends && !self.full.load(Relaxed) {
            self.start_level(&mut plan);
            level_ends = plan.starts[SHARDS] == 0;
            found.depth += u32::from(!level_ends);
        }
        if panicked || (level_ends && !self.full.load(Relaxed)) {
            plan.finished = true;
            return;
        }
        found.stopped = self.limit_reached(&found.tally);
        if found.stopped.is_some() {
            plan.finished = true;
            return;
        }
        let admitted = self.options.limits.max_states.unwrap_or(u64::MAX) - found.tally.states;
        let round = (self.expansions.len() * CHUNK).min(usize::try_from(admitted).unwrap_or(usize::MAX));
        plan.from = plan.to;
        plan.to = plan.starts[SHARDS].min(plan.from + round);
    }

    fn start_level(&self, plan: &mut Plan) {
        let mut sum = 0;
        for (number, shard) in self.shards.iter().enumerate() {
            plan.starts[number] = sum;
            sum += write(shard).next_level();
        }
        plan.starts[SHARDS] = sum;
        plan.to = 0;
    }

    fn limit_reached(&self, tally: &Tally) -> Option<StopReason> {
        let limits = &self.options.limits;
        if self.full.load(Relaxed) {
            return Some(StopReason::Memory);
        }
        if limits.interrupt.as_ref().is_some_and(|flag| flag.load(Relaxed)) {
            return Some(StopReason::Interrupt);
        }
        if limits.timeout.is_some_and(|timeout| self.started.elapsed() >= timeout) {
            return Some(StopReason::Timeout);
        }
        limits.max_states.is_some_and(|max| tally.states >= max).then_some(StopReason::MaxStates)
    }

    fn progress(&self, found: &Found) -> Progress {
        let known: usize = self.shards.iter().map(|shard| read(shard).len()).sum();
        Progress {
            states: found.tally.states,
            transitions: found.tally.transitions(),
            depth: found.depth,
            pending: Some(known as u64 - found.tally.states),
            memory: Some(self.memory.load(Relaxed)),
            elapsed: self.started.elapsed(),
        }
    }

    fn report(&self, options: &Options, found: &Found) -> Report {
        let tally = &found.tally;
        let claims = self.model.claims().into_iter().enumerate().map(|(i, claim)| {
            let violation = tally.first_violation[i].filter(|_| options.counterexamples);
            ClaimReport {
                name: claim.name,
                statement: claim.statement,
                premise: claim.premise,
                verdict: Verdict::from_search(tally.violated[i], found.stopped.is_none()),
                premise_states: tally.premises[i],
                violating_states: tally.violated[i],
                counterexample: violation.map(|id| {
                    let path = witness::walk(self.model, &self.path_to(id), self.symmetry);
                    witness::trace(self.model, i, &path)
                }),
            }
        });
        let kinds = self.model.action_kinds().into_iter().zip(tally.taken);
        Report {
            model: self.model.title(),
            bound: self.model.bound(),
            engine: Engine::Fast,
            symmetry: self.symmetry,
            distinct_states: tally.states,
            transitions: tally.transitions(),
            depth: Some(found.depth),
            stopped: found.stopped,
            collision_chance: None,
            actions: kinds.map(|(kind, taken)| ActionCount { kind, taken }).collect(),
            claims: claims.collect(),
        }
    }

    /// The states from an initial one to `id`.
    fn path_to(&self, id: Id) -> Vec<M::State> {
        let mut states = Vec::new();
        let mut id = id;
        while id != NO_PARENT {
            let (number, place) = shard::place(id);
            let shard = read(&self.shards[number]);
            states.push(self.model.unpack(shard.state(place)));
            id = shard.parent(place);
        }
        states.reverse();
        states
    }
}

fn count_bits(mut bits: u32, mut count: impl FnMut(usize)) {
    while bits != 0 {
        count(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Locks for reading. A lock is poisoned only by a panic that is passed on at the end anyway.
fn read<T>(lock: &RwLock<T>) -> std::sync::RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

/// Locks for writing, as [`read`].
fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
