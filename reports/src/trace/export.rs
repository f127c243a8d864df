//! What a format has to do.

use super::filter::{Filter, Window};
use super::line::Line;
use super::names::Names;
use super::state::State;
use isrlab_sim::cluster::{Happening, IsrChange};
use isrlab_sim::engine::SimTime;
use std::io::{self, Write};

/// What was run, and which part of it is shown.
#[derive(Clone, Debug)]
pub struct Header {
    /// The scenario's name.
    pub scenario: String,
    /// The profile or criterion.
    pub criterion: String,
    /// The seed.
    pub seed: u64,
    /// The part that is shown.
    pub window: Window,
    /// Which lines of it are.
    pub filter: Filter,
    /// Who is who.
    pub names: Names,
}

/// How it went.
#[derive(Clone, Debug)]
pub struct Footer {
    /// Lines that were shown.
    pub lines: u64,
    /// Lines that were not, because of the limit.
    pub left_out: u64,
    /// The simulator's events in the window.
    pub events: u64,
    /// `complete`, `interrupted` or `violated`.
    pub run: &'static str,
    /// How far the run came within the window.
    pub until: SimTime,
}

/// What a line is about, where a format needs more than the line.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// Something that happened.
    Happening(&'a Happening<'a>),
    /// An ISR change.
    IsrChange(&'a IsrChange),
    /// All else.
    Other,
}

/// Writes lines in one format.
pub trait Exporter {
    /// The first line is about to come.
    ///
    /// # Errors
    /// If `out` fails.
    fn begin(&mut self, header: &Header, out: &mut dyn Write) -> io::Result<()>;

    /// A line that is shown. `state` is as it was before.
    ///
    /// # Errors
    /// If `out` fails.
    fn line(
        &mut self,
        header: &Header,
        state: &State,
        line: &Line,
        told: Told<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// There are no more lines. `state` is as it is at the end.
    ///
    /// # Errors
    /// If `out` fails.
    fn end(&mut self, header: &Header, state: &State, footer: &Footer, out: &mut dyn Write)
    -> io::Result<()>;

    /// Why there is no trace in this format, if there is none; asked at the end.
    fn refusal(&self) -> Option<String> {
        None
    }
}
