//! Runs a sweep on all cores and brings its runs into the order of the grid.

use super::finish;
use super::journal::{JOURNAL, Journal};
use super::manifest::SweepManifest;
use super::plan::SweepPlan;
use super::prepare::{self, Prepared, Refusal};
use super::record::RunRecord;
use super::report::SweepReport;
use super::tables::TABLES;
use super::writer::Writer;
use crate::error::ReportError;
use crate::judge::{Judge, RunJudge};
use crate::output::{FileEntry, Folder, MANIFEST};
use crate::page::REPORT_FILE;
use crate::replay::{Control, Progress};
use crate::simulate::{RunStop, Simulator};
use isrlab_sim::cluster::{IsrChange, LagSample, METRICS, Observer, Sample};
use isrlab_sim::engine::SimTime;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Runs a sweep from its beginning and writes its folder.
///
/// # Errors
/// If the grid is wrong, if the folder must not be written to, or if the operating system refuses
/// something. What was run until then is in the folder, and [`resume`] goes on with it.
pub fn run<S: Simulator>(
    plan: &SweepPlan,
    simulator: &S,
    control: Control<'_>,
) -> Result<SweepReport, ReportError> {
    let pool = pool(plan.threads.clamp(1, plan.runs().clamp(1, THREADS_MAX)))?;
    let checked = pool.install(|| prepare::check(plan, control.stop));
    let notes = checked.map_err(|refusal| ReportError::Sweep(Box::new(refusal)))?;
    if control.stop.load(Ordering::Relaxed) {
        return Err(ReportError::Stopped);
    }
    // Held from before anything is touched: another process may be at work in the folder.
    let held = if plan.restart { Journal::open_existing(&plan.out)? } else { None };
    let folder =
        if plan.restart { Folder::prepare_over(&plan.out, &[JOURNAL]) } else { Folder::prepare(&plan.out) }?;
    let header = plan.journal_header();
    let journal = match held {
        Some(journal) => journal.begin(&header)?,
        None => Journal::create(folder.path(), &header)?,
    };
    let manifest = begin(plan, &folder)?;
    let state = State::new(Writer::create(plan, folder.path())?);
    go(plan, simulator, control, &pool, &folder, manifest, &journal, state, notes)
}

/// Finishes what is missing of the sweep in a folder: no run is lost, and none that is over is
/// run again.
///
/// # Errors
/// As [`run`]; and if the folder holds no sweep, or one of another version.
pub fn resume<S: Simulator>(
    path: &Path,
    threads: usize,
    simulator: &S,
    control: Control<'_>,
) -> Result<SweepReport, ReportError> {
    let manifest = SweepManifest::read(path)?;
    let plan = manifest.plan(path, threads)?;
    let complete = |manifest: &SweepManifest| {
        Folder::reopen(path).remove(JOURNAL)?;
        SweepReport::read(&plan, manifest, vec!["note: nothing was missing".to_owned()])
    };
    if manifest.is_complete() {
        return complete(&manifest);
    }
    let pool = pool(threads.clamp(1, plan.runs().clamp(1, THREADS_MAX)))?;
    let folder = Folder::reopen(path);
    // Before anything is written: another process may be at work here, or have just finished.
    let journal = Journal::open(path)?;
    let manifest = SweepManifest::read(path)?;
    if manifest.is_complete() {
        return complete(&manifest);
    }
    let mut state = State::new(Writer::create(&plan, path)?);
    let (mut known, mut wrong) = (0usize, None);
    journal.read(&plan.journal_header(), |record| {
        known += 1;
        if wrong.is_none() {
            // The first line says of which sweep the journal is.
            wrong = (!state.take_known(record, plan.runs())).then_some(known + 1);
        }
    })?;
    if let Some(line) = wrong {
        return Err(ReportError::Damaged { path: path.join(JOURNAL), line });
    }
    if let Some(error) = state.error.take() {
        return Err(error);
    }
    let notes = vec![format!("note: {known} of {} runs were there already", plan.runs())];
    let manifest = begin(&plan, &folder)?;
    go(&plan, simulator, control, &pool, &folder, manifest, &journal, state, notes)
}

/// Threads at most: a machine with more cores is not known, and each thread costs memory.
const THREADS_MAX: usize = 1_024;

fn pool(threads: usize) -> Result<rayon::ThreadPool, ReportError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| ReportError::Sweep(Box::new(Refusal::Plan(format!("{threads} threads: {error}")))))
}

/// Writes the manifest of a sweep that is under way: from then on the folder is known to be ours,
/// and what is in it.
fn begin(plan: &SweepPlan, folder: &Folder) -> Result<SweepManifest, ReportError> {
    // A page of what was there before would be of something else.
    folder.remove(REPORT_FILE)?;
    let mut manifest = SweepManifest::begun(plan);
    let tables = TABLES.iter().map(|table| table.csv());
    let listed = tables.chain([JOURNAL.to_owned()]).chain(finish::files(plan));
    manifest.files = listed.map(|file| FileEntry { file, rows: None }).collect();
    folder.write_whole(MANIFEST, manifest.to_json().as_bytes())?;
    Ok(manifest)
}

#[expect(clippy::too_many_arguments, reason = "the parts of a sweep that is ready to go")]
fn go<S: Simulator>(
    plan: &SweepPlan,
    simulator: &S,
    control: Control<'_>,
    pool: &rayon::ThreadPool,
    folder: &Folder,
    mut manifest: SweepManifest,
    journal: &Journal,
    state: State<'_>,
    notes: Vec<String>,
) -> Result<SweepReport, ReportError> {
    let duration_ns = plan.scenario.duration().as_nanos();
    let driver = Driver {
        plan,
        simulator,
        control,
        journal,
        duration_ns,
        runs_known: state.runs_over() as u64,
        state: Mutex::new(state),
        moved: Condvar::new(),
        virtual_ns_done: AtomicU64::new(0),
        events_done: AtomicU64::new(0),
        runs_done: AtomicU64::new(0),
    };
    pool.broadcast(|_| driver.work());
    let mut state = driver.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = state.error {
        return Err(error);
    }
    state.writer.flush()?;
    manifest.runs_finished = state.runs_over();
    let rows = state.writer.rows();
    pool.install(|| finish::finish(plan, folder, manifest, &rows, notes))
}

/// Runs that may be under way or wait for their turn, for each thread.
const WINDOW_PER_THREAD: usize = 64;

/// What the threads share under a lock.
struct State<'a> {
    /// The next run to be handed out.
    next: usize,
    /// The first run that is not written.
    written: usize,
    /// Runs that are over and wait for the ones before them.
    waiting: BTreeMap<usize, RunRecord>,
    writer: Writer<'a>,
    error: Option<ReportError>,
    abandoned: bool,
}

impl<'a> State<'a> {
    fn new(writer: Writer<'a>) -> Self {
        State { next: 0, written: 0, waiting: BTreeMap::new(), writer, error: None, abandoned: false }
    }

    fn runs_over(&self) -> usize {
        self.written + self.waiting.len()
    }

    fn has(&self, run: usize) -> bool {
        run < self.written || self.waiting.contains_key(&run)
    }

    /// Takes in a run of the journal; false if it is none of this sweep, or was there before.
    fn take_known(&mut self, record: RunRecord, runs: usize) -> bool {
        let fits = match &record.outcome {
            super::record::RunOutcome::Finished { metrics, .. } => metrics.len() == METRICS.len(),
            super::record::RunOutcome::Violated { .. } => true,
        };
        if record.run >= runs || self.has(record.run) || !fits {
            return false;
        }
        self.take(record);
        true
    }

    /// Takes in a run that is over, and writes those whose turn has come.
    fn take(&mut self, record: RunRecord) {
        self.waiting.insert(record.run, record);
        while self.error.is_none()
            && let Some(record) = self.waiting.remove(&self.written)
        {
            self.error = self.writer.add(&record).err();
            self.written += 1;
        }
    }
}

struct Driver<'a, S> {
    plan: &'a SweepPlan,
    simulator: &'a S,
    control: Control<'a>,
    journal: &'a Journal,
    duration_ns: u64,
    runs_known: u64,
    state: Mutex<State<'a>>,
    moved: Condvar,
    virtual_ns_done: AtomicU64,
    events_done: AtomicU64,
    runs_done: AtomicU64,
}

impl<'a, S: Simulator> Driver<'a, S> {
    fn work(&self) {
        // A thread that panics must not leave the others waiting for its run.
        struct AbandonOnPanic<'a, 'b, S>(&'a Driver<'b, S>);
        impl<S> Drop for AbandonOnPanic<'_, '_, S> {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    self.0.state.lock().unwrap_or_else(PoisonError::into_inner).abandoned = true;
                    self.0.moved.notify_all();
                }
            }
        }
        let _guard = AbandonOnPanic(self);
        let mut prepared: Option<Prepared> = None;
        while let Some(run) = self.claim() {
            let (cell, seed) = self.plan.run(run);
            if prepared.as_ref().is_none_or(|known| known.cell != cell) {
                match prepare::prepare(self.plan, cell) {
                    Ok(fresh) => prepared = Some(fresh),
                    Err(refusal) => return self.fail(ReportError::Sweep(Box::new(refusal))),
                }
            }
            let prepared = prepared.as_ref().expect("it was just made");
            let Some(record) = self.simulate(run, seed, prepared) else { return };
            if let Err(error) = self.journal.append(&record) {
                return self.fail(error);
            }
            self.lock().take(record);
            self.moved.notify_all();
            self.runs_done.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, error: ReportError) {
        self.lock().error.get_or_insert(error);
        self.moved.notify_all();
    }

    fn stopped(&self) -> bool {
        self.control.stop.load(Ordering::Relaxed)
    }

    /// The next run that is to be done, once it is within the window; none: there is none, or
    /// the sweep is over.
    fn claim(&self) -> Option<usize> {
        let window = WINDOW_PER_THREAD * self.plan.threads.clamp(1, THREADS_MAX);
        let mut state = self.lock();
        loop {
            if state.error.is_some() || state.abandoned || self.stopped() {
                return None;
            }
            while state.has(state.next) {
                state.next += 1;
            }
            if state.next >= self.plan.runs() {
                return None;
            }
            if state.next < state.written + window {
                state.next += 1;
                return Some(state.next - 1);
            }
            let pause = Duration::from_millis(100);
            state = self.moved.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Does a run; none: it was interrupted or refused, and that has been noted.
    fn simulate(&self, run: usize, seed: u64, prepared: &Prepared) -> Option<RunRecord> {
        let mut told_ns = 0;
        let mut keep_going = |now: SimTime| {
            let now_ns = now.as_nanos();
            self.virtual_ns_done.fetch_add(now_ns.saturating_sub(told_ns), Ordering::Relaxed);
            told_ns = told_ns.max(now_ns);
            self.tell();
            !self.stopped()
        };
        let sample_every = prepared.samples.then(|| prepared.scenario.sample_every());
        let mut watch = Watch(prepared.scenario.start(&prepared.variant, seed));
        let spec = &prepared.variant.spec;
        let stop = self.simulator.run(spec, seed, sample_every, &mut watch, &mut keep_going);
        match &stop {
            RunStop::Finished(summary) => {
                self.events_done.fetch_add(summary.events, Ordering::Relaxed);
                self.virtual_ns_done
                    .fetch_add(summary.duration_ns.saturating_sub(told_ns), Ordering::Relaxed);
            }
            RunStop::Refused(reason) => self.fail(ReportError::Refused {
                variant: prepared.variant.name.to_string(),
                reason: reason.clone(),
            }),
            RunStop::Interrupted(_) | RunStop::Violated(_) => {}
        }
        self.tell();
        RunRecord::of(run, stop, |summary| watch.0.verdicts(summary))
    }

    fn tell(&self) {
        let known = self.runs_known;
        (self.control.progress)(&Progress {
            runs: self.plan.runs(),
            runs_done: (known + self.runs_done.load(Ordering::Relaxed)) as usize,
            virtual_ns: self.duration_ns.saturating_mul((self.plan.runs() as u64).saturating_sub(known)),
            virtual_ns_done: self.virtual_ns_done.load(Ordering::Relaxed),
            events_done: self.events_done.load(Ordering::Relaxed),
        });
    }
}

/// Lets the judge watch a run.
struct Watch<'a>(Box<dyn RunJudge + 'a>);

impl Observer for Watch<'_> {
    fn isr_changed(&mut self, change: &IsrChange) {
        self.0.isr_changed(change);
    }

    fn sampled(&mut self, sample: &Sample<'_>) {
        self.0.sampled(sample);
    }

    fn lag_sampled(&mut self, sample: &LagSample<'_>) {
        self.0.lag_sampled(sample);
    }

    fn fault(&mut self, at: SimTime, fault: usize, started: bool) {
        self.0.fault(at, fault, started);
    }
}
