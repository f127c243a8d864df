//! Brings what parallel runs write into the order of the runs.
//!
//! The first run that is not finished is *live*: its rows go straight to the files. Rows of the
//! runs after it wait in their spools until their turn comes. A run may start only within a
//! window from the live one on, so that what waits stays bounded however many runs there are.

use super::spool::Spool;
use super::table_file::TableFile;
use crate::error::ReportError;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The files of a replay, and what is told of each run when its turn has come.
pub struct Ordered<'a, T> {
    state: Mutex<State<'a, T>>,
    moved: Condvar,
    folder: PathBuf,
    window: usize,
}

struct State<'a, T> {
    live: usize,
    files: Vec<TableFile>,
    finished: BTreeMap<usize, (Vec<Spool>, T)>,
    in_order: Box<dyn FnMut(usize, T) + Send + 'a>,
    error: Option<ReportError>,
    abandoned: bool,
}

/// Told to a run that its rows have no place to go any more: the replay is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

impl<'a, T> Ordered<'a, T> {
    /// Rows go to `files`, in their order; `in_order` is told of each run in the order of the
    /// runs. Temporary files are made in `folder`. `window` runs may be under way or waiting.
    pub fn new(
        files: Vec<TableFile>,
        folder: PathBuf,
        window: usize,
        in_order: impl FnMut(usize, T) + Send + 'a,
    ) -> Self {
        let state = State {
            live: 0,
            files,
            finished: BTreeMap::new(),
            in_order: Box::new(in_order),
            error: None,
            abandoned: false,
        };
        Ordered { state: Mutex::new(state), moved: Condvar::new(), folder, window: window.max(1) }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `run` may start.
    ///
    /// # Errors
    /// If the replay is over.
    pub fn wait_for_window(&self, run: usize) -> Result<(), Closed> {
        let waiting = |state: &mut State<'a, T>| !state.is_over() && run >= state.live + self.window;
        let state = self.moved.wait_while(self.lock(), waiting).unwrap_or_else(PoisonError::into_inner);
        if state.is_over() { Err(Closed) } else { Ok(()) }
    }

    /// Takes the rows of a run that goes on.
    ///
    /// # Errors
    /// If the replay is over.
    pub fn offer(&self, run: usize, spools: &mut [Spool]) -> Result<(), Closed> {
        let mut state = self.lock();
        if state.is_over() {
            return Err(Closed);
        }
        let taken = if run == state.live {
            state.drain(spools)
        } else {
            drop(state);
            let spilled = spools.iter_mut().try_for_each(|spool| spool.spill(&self.folder));
            state = self.lock();
            spilled
        };
        taken.map_err(|error| self.fail(state, error))
    }

    /// Takes the last rows of a run, and what is to be told of it.
    ///
    /// # Errors
    /// If the replay is over.
    pub fn finish(&self, run: usize, spools: Vec<Spool>, told: T) -> Result<(), Closed> {
        let mut state = self.lock();
        if state.is_over() {
            return Err(Closed);
        }
        state.finished.insert(run, (spools, told));
        let advanced = state.advance();
        self.moved.notify_all();
        advanced.map_err(|error| self.fail(state, error))
    }

    /// Ends the replay without its rest: no run waits any longer.
    pub fn abandon(&self) {
        self.lock().abandoned = true;
        self.moved.notify_all();
    }

    /// Writes what still waits behind runs that never finished, in order, and gives the files
    /// back.
    ///
    /// # Errors
    /// The first error that any write had.
    pub fn close(self) -> Result<Vec<TableFile>, ReportError> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.error {
            return Err(error);
        }
        while let Some((&run, _)) = state.finished.first_key_value() {
            state.live = run;
            state.advance()?;
        }
        Ok(state.files)
    }

    fn fail(&self, mut state: MutexGuard<'_, State<'a, T>>, error: ReportError) -> Closed {
        state.error.get_or_insert(error);
        self.moved.notify_all();
        Closed
    }
}

impl<T> State<'_, T> {
    fn is_over(&self) -> bool {
        self.abandoned || self.error.is_some()
    }

    fn drain(&mut self, spools: &mut [Spool]) -> Result<(), ReportError> {
        spools.iter_mut().zip(&mut self.files).try_for_each(|(spool, file)| spool.drain_to(file))
    }

    /// Makes the next unfinished run the live one.
    fn advance(&mut self) -> Result<(), ReportError> {
        while let Some((mut spools, told)) = self.finished.remove(&self.live) {
            self.drain(&mut spools)?;
            (self.in_order)(self.live, told);
            self.live += 1;
        }
        Ok(())
    }
}
