//! The progress bar: on a terminal, and only for runs of more than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use isrlab_reports::replay::Progress;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Draws how far a replay is.
pub struct Bar {
    bar: ProgressBar,
    state: Mutex<State>,
}

struct State {
    started: Instant,
    drawn: Option<Instant>,
}

const PATIENCE: Duration = Duration::from_secs(1);
const REDRAW_EVERY: Duration = Duration::from_millis(100);

impl Bar {
    /// A bar that shows itself after a second, if standard error is a terminal and `wanted`.
    pub fn new(wanted: bool) -> Self {
        let bar = if wanted && std::io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(1_000_000), ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        let template = "{bar:30} {percent:>3} %  {msg}  {eta} left";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
        Bar { bar, state: Mutex::new(State { started: Instant::now(), drawn: None }) }
    }

    /// Takes news; most of it is left out.
    pub fn update(&self, progress: &Progress) {
        let Ok(mut state) = self.state.try_lock() else { return };
        let now = Instant::now();
        let elapsed = now - state.started;
        if elapsed < PATIENCE || state.drawn.is_some_and(|drawn| now - drawn < REDRAW_EVERY) {
            return;
        }
        state.drawn = Some(now);
        let share = progress.virtual_ns_done as f64 / (progress.virtual_ns as f64).max(1.0);
        let virtual_s = progress.virtual_ns_done as f64 / 1e9;
        self.bar.set_position((share * 1e6) as u64);
        self.bar.set_message(format!(
            "{} of {} runs, {virtual_s:.0} s of virtual time, {:.0} times as fast as real time",
            progress.runs_done,
            progress.runs,
            virtual_s / elapsed.as_secs_f64(),
        ));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
