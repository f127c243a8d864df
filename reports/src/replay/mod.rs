//! Drives a replay: every variant under every seed, on several threads, with all that is written.

mod collect;
mod ordered;
mod spool;
mod table_file;
mod watch;

pub use collect::{ExpectationResult, FirstCase, MetricResult, MissingRun, VariantResult};

use crate::error::ReportError;
use crate::judge::Judge;
use crate::layout::Layout;
use crate::output::{FileEntry, Folder, MANIFEST, Manifest, RunState};
use crate::plan::{Plan, Variant};
use crate::plot::{self, Trace};
use crate::report::{FolderReport, Report};
use crate::simulate::{RunStop, Simulator};
use crate::tables::{RunContext, RunIdentity, Table, tables_of};
use collect::{Collector, RunOutcome, RunTold};
use isrlab_sim::engine::SimTime;
use ordered::Ordered;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
pub(crate) use table_file::TableFile;
use watch::{RunWatch, Signals};

/// How far a replay is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Progress {
    /// Runs in all.
    pub runs: usize,
    /// Runs that are over.
    pub runs_done: usize,
    /// Virtual time of all runs, nanoseconds.
    pub virtual_ns: u64,
    /// Virtual time that is over, summed over runs, nanoseconds.
    pub virtual_ns_done: u64,
    /// Events of the runs that are over.
    pub events_done: u64,
}

/// Who is asked and told while a replay is under way.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set it to interrupt the replay: rows stay whole, and the report says what is missing.
    pub stop: &'a AtomicBool,
    /// Told now and then, from any thread, how far the replay is. It must be quick: whoever
    /// draws must leave out most calls.
    pub progress: &'a (dyn Fn(&Progress) + Sync),
}

/// How often rows that are few are handed over, so that a file can be watched as it grows.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// Runs a plan and writes everything that comes of it.
///
/// # Errors
/// If the folder must not be written to, if the operating system refuses something, or if the
/// simulator does not take a variant. Broken invariants and expectations are no errors: the
/// report tells of them.
pub fn run<S: Simulator>(
    plan: &Plan,
    simulator: &S,
    judge: &dyn Judge,
    control: Control<'_>,
) -> Result<Report, ReportError> {
    let folder = plan.out.as_deref().map(Folder::prepare).transpose()?;
    let files = match &folder {
        Some(folder) => begin(plan, folder)?,
        None => Vec::new(),
    };
    let mut collector = Collector::new(plan);
    let files = {
        let spool_folder = folder.as_ref().map_or_else(PathBuf::new, |folder| folder.path().to_owned());
        let window = 4 * plan.threads.max(1) + 16;
        let ordered =
            Ordered::new(files, spool_folder, window, |run, told: RunTold| collector.add(run, told));
        let driver = Driver::new(plan, simulator, judge, control, &ordered, folder.is_some());
        let threads = plan.threads.clamp(1, plan.runs().clamp(1, 1_024));
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| driver.work());
            }
            driver.work();
        });
        ordered.close()?
    };
    let (report, traces) = collector.report()?;
    match folder {
        Some(folder) => end(plan, report, &traces, &folder, &files),
        None => Ok(report),
    }
}

/// Makes the files of a replay; the manifest comes first, so that the folder is known to be ours
/// from then on.
fn begin(plan: &Plan, folder: &Folder) -> Result<Vec<TableFile>, ReportError> {
    let listed = tables_of(plan).into_iter().map(|table| table.file).chain(plot::files(plan));
    let entries = listed.map(|file| FileEntry { file: file.to_owned(), rows: None }).collect();
    folder.write_whole(MANIFEST, Manifest::begun(plan, entries).to_json().as_bytes())?;
    tables_of(plan).into_iter().map(|table| TableFile::create(folder.file(table.file), table)).collect()
}

/// Draws the plots, writes the final manifest and tells the report where everything is.
fn end(
    plan: &Plan,
    mut report: Report,
    traces: &[Option<Trace>],
    folder: &Folder,
    files: &[TableFile],
) -> Result<Report, ReportError> {
    let mut entries: Vec<FileEntry> = tables_of(plan)
        .into_iter()
        .zip(files)
        .map(|(table, file)| FileEntry { file: table.file.to_owned(), rows: Some(file.rows()) })
        .collect();
    for (name, content) in plot::render(plan, &report, traces, folder.path())? {
        folder.write_whole(&name, &content)?;
        entries.push(FileEntry { file: name, rows: None });
    }
    let mut manifest = Manifest::begun(plan, entries);
    manifest.runs_finished = report.runs_finished;
    manifest.state = match () {
        () if report.violations_total > 0 => RunState::Violated,
        () if report.missing_total > 0 => RunState::Interrupted,
        () => RunState::Complete,
    };
    folder.write_whole(MANIFEST, manifest.to_json().as_bytes())?;
    manifest.files.push(FileEntry { file: MANIFEST.to_owned(), rows: None });
    report.folder = Some(FolderReport {
        path: folder.path().to_owned(),
        files: manifest.files,
        replaced: folder.replaced,
    });
    Ok(report)
}

/// What the threads share.
struct Driver<'a, 'b, S> {
    plan: &'a Plan,
    simulator: &'a S,
    judge: &'a dyn Judge,
    control: Control<'a>,
    ordered: &'a Ordered<'b, RunTold>,
    layouts: Vec<Arc<Layout>>,
    scenario: Arc<str>,
    writes: bool,
    tables: Vec<&'static Table>,
    next: AtomicUsize,
    runs_done: AtomicUsize,
    virtual_ns: u64,
    virtual_ns_done: AtomicU64,
    events_done: AtomicU64,
}

impl<'a, 'b, S: Simulator> Driver<'a, 'b, S> {
    fn new(
        plan: &'a Plan,
        simulator: &'a S,
        judge: &'a dyn Judge,
        control: Control<'a>,
        ordered: &'a Ordered<'b, RunTold>,
        writes: bool,
    ) -> Self {
        let durations = plan.variants.iter().map(|variant| variant.spec.duration.as_nanos());
        let virtual_ns = durations.fold(0, u64::saturating_add).saturating_mul(plan.seeds.len() as u64);
        Driver {
            plan,
            simulator,
            judge,
            control,
            ordered,
            layouts: plan.variants.iter().map(|variant| Arc::new(Layout::of(&variant.spec))).collect(),
            scenario: Arc::from(plan.scenario.name.as_str()),
            writes,
            tables: tables_of(plan),
            next: AtomicUsize::new(0),
            runs_done: AtomicUsize::new(0),
            virtual_ns,
            virtual_ns_done: AtomicU64::new(0),
            events_done: AtomicU64::new(0),
        }
    }

    /// Does runs until there are none left.
    fn work(&self) {
        // A thread that panics must not leave the others waiting for its run.
        struct AbandonOnPanic<'a, 'b>(&'a Ordered<'b, RunTold>);
        impl Drop for AbandonOnPanic<'_, '_> {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    self.0.abandon();
                }
            }
        }
        let _guard = AbandonOnPanic(self.ordered);
        loop {
            let run = self.next.fetch_add(1, Ordering::Relaxed);
            if run >= self.plan.runs()
                || self.stopped()
                || self.ordered.wait_for_window(run).is_err()
                || self.stopped()
                || self.run(run).is_err()
            {
                return;
            }
        }
    }

    fn stopped(&self) -> bool {
        self.control.stop.load(Ordering::Relaxed)
    }

    fn run(&self, run: usize) -> Result<(), ordered::Closed> {
        let (variant, seed) = self.plan.run(run);
        let signals = Signals::default();
        let mut watch = self.watch(run, variant, seed, &signals);
        let mut virtual_ns_told = 0;
        let mut flushed = Instant::now();
        let mut keep_going = |now: SimTime| {
            self.tell_time(now.as_nanos(), &mut virtual_ns_told);
            if flushed.elapsed() >= FLUSH_EVERY {
                flushed = Instant::now();
                signals.flush.set(true);
            }
            !signals.closed.get() && !self.stopped()
        };
        let stop =
            self.simulator.run(&variant.spec, seed, self.plan.sample_every, &mut watch, &mut keep_going);
        let (spools, told) = match stop {
            RunStop::Finished(summary) => {
                self.events_done.fetch_add(summary.events, Ordering::Relaxed);
                let (spools, judge, trace) = watch.end(Some(&summary));
                let verdicts = judge.verdicts(&summary);
                (spools, RunTold { outcome: RunOutcome::Finished(summary, verdicts), trace })
            }
            RunStop::Interrupted(summary) => {
                let (spools, _, trace) = watch.end(None);
                (spools, RunTold { outcome: RunOutcome::Interrupted(summary), trace })
            }
            RunStop::Violated(violation) => {
                let (spools, _, trace) = watch.end(None);
                (spools, RunTold { outcome: RunOutcome::Violated(violation), trace })
            }
            RunStop::Refused(reason) => {
                // The same for every seed: no need to try the rest.
                self.next.store(self.plan.runs(), Ordering::Relaxed);
                let (spools, _, _) = watch.end(None);
                (spools, RunTold { outcome: RunOutcome::Refused(reason), trace: None })
            }
        };
        self.ordered.finish(run, spools, told)?;
        self.runs_done.fetch_add(1, Ordering::Relaxed);
        self.tell_time(variant.spec.duration.as_nanos(), &mut virtual_ns_told);
        Ok(())
    }

    fn watch<'s>(
        &'s self,
        run: usize,
        variant: &'s Variant,
        seed: u64,
        signals: &'s Signals,
    ) -> RunWatch<'s, 'b, RunTold> {
        let index = run / self.plan.seeds.len();
        let layout = &self.layouts[index];
        let first_seed = run.is_multiple_of(self.plan.seeds.len());
        let identity = RunIdentity { scenario: self.scenario.clone(), criterion: variant.name.clone(), seed };
        let context = RunContext { identity, layout: layout.clone() };
        let tables = if self.writes {
            self.tables.iter().map(|table| (table.start)(&context)).collect()
        } else {
            vec![]
        };
        let trace = (self.writes && first_seed).then(|| Trace::new(&variant.spec, layout));
        RunWatch::new(run, self.ordered, signals, tables, self.judge.start(variant, seed), trace)
    }

    fn tell_time(&self, now_ns: u64, told_ns: &mut u64) {
        self.virtual_ns_done.fetch_add(now_ns.saturating_sub(*told_ns), Ordering::Relaxed);
        *told_ns = now_ns.max(*told_ns);
        (self.control.progress)(&Progress {
            runs: self.plan.runs(),
            runs_done: self.runs_done.load(Ordering::Relaxed),
            virtual_ns: self.virtual_ns,
            virtual_ns_done: self.virtual_ns_done.load(Ordering::Relaxed),
            events_done: self.events_done.load(Ordering::Relaxed),
        });
    }
}
