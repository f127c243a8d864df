//! The progress: a bar on a terminal, lines elsewhere, and only where there is time for it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use isrlab_reports::replay::Progress;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Draws how far a replay or sweep is.
pub struct Bar {
    bar: ProgressBar,
    wanted: bool,
    state: Mutex<State>,
}

struct State {
    started: Instant,
    drawn: Option<Instant>,
}

const PATIENCE: Duration = Duration::from_secs(1);
const REDRAW_EVERY: Duration = Duration::from_millis(100);
/// How often a line is written where there is no terminal, as in the log of a batch system.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl Bar {
    /// If `wanted`: a bar that shows itself after a second where standard error is a terminal,
    /// else a line every ten seconds.
    pub fn new(wanted: bool) -> Self {
        let bar = if wanted && std::io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(1_000_000), ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        let template = "{bar:30} {percent:>3} %  {msg}  {eta} left";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
        Bar { bar, wanted, state: Mutex::new(State { started: Instant::now(), drawn: None }) }
    }

    /// Takes news; most of it is left out.
    pub fn update(&self, progress: &Progress) {
        let Ok(mut state) = self.state.try_lock() else { return };
        let now = Instant::now();
        let elapsed = now - state.started;
        let (patience, every) =
            if self.bar.is_hidden() { (LINE_EVERY, LINE_EVERY) } else { (PATIENCE, REDRAW_EVERY) };
        if !self.wanted || elapsed < patience || state.drawn.is_some_and(|drawn| now - drawn < every) {
            return;
        }
        state.drawn = Some(now);
        let share = (progress.virtual_ns_done as f64 / (progress.virtual_ns as f64).max(1.0)).min(1.0);
        let virtual_s = progress.virtual_ns_done as f64 / 1e9;
        let told = format!(
            "{} of {} runs, {virtual_s:.0} s of virtual time, {:.0} times as fast as real time",
            progress.runs_done,
            progress.runs,
            virtual_s / elapsed.as_secs_f64(),
        );
        if self.bar.is_hidden() {
            let left = elapsed.as_secs_f64() * (1.0 - share) / share.max(1e-9);
            crate::output::note(&format!("{:.0} %: {told}; about {left:.0} s left", share * 100.0));
        } else {
            self.bar.set_position((share * 1e6) as u64);
            self.bar.set_message(told);
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
