//! Text: one line for each thing that happened, in fixed columns, each actor in a column of its own.

use super::export::{Exporter, Footer, Header, Told};
use super::kinds::KINDS;
use super::line::Line;
use super::names::Actor;
use super::state::State;
use crate::report::human;
use isrlab_sim::engine::SimTime;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The most actors that have columns of their own; more are named in two columns instead.
const LANES_MAX: usize = 12;
/// The widest head of an actor's column; longer names are cut.
const HEAD_MAX: usize = 8;

/// Writes text.
#[derive(Debug, Default)]
pub struct Text {
    lanes: Vec<Actor>,
    lane_width: usize,
    kind_width: usize,
    /// A line under construction.
    row: String,
}

impl Text {
    /// The cells of the actors' columns: a message that arrives is an arrow from its sender.
    fn draw(&self, header: &Header, line: &Line) -> String {
        if self.lanes.is_empty() {
            let from = header.names.actor(line.from);
            let to = line.to.map_or(String::new(), |to| header.names.actor(to));
            return format!("{from:<20} {} {to:<20}", if line.to.is_some() { '→' } else { ' ' });
        }
        let place = |actor: Actor| self.lanes.iter().position(|lane| *lane == actor);
        let mut cells: Vec<char> = vec![' '; self.lanes.len() * self.lane_width];
        for lane in 0..self.lanes.len() {
            cells[lane * self.lane_width] = '·';
        }
        let Some(from) = place(line.from).map(|lane| lane * self.lane_width) else {
            return cells.into_iter().collect();
        };
        match line.to.and_then(place).map(|lane| lane * self.lane_width) {
            Some(to) if to > from => {
                cells[from..to].fill('─');
                (cells[from], cells[to]) = ('├', '▶');
            }
            Some(to) if to < from => {
                cells[to..from].fill('─');
                (cells[from], cells[to]) = ('┤', '◀');
            }
            _ => cells[from] = if line.departs.is_some() { '○' } else { '●' },
        }
        cells.into_iter().collect()
    }
}

/// Seconds with all nine decimals: a fixed width up to an hour, and no digit is lost.
fn seconds(at: SimTime) -> String {
    format!("{}.{:09}", at.as_secs(), at.as_nanos() % 1_000_000_000)
}

fn cut(name: &str) -> String {
    let count = name.chars().count();
    if count <= HEAD_MAX {
        return name.to_owned();
    }
    name.chars().take(HEAD_MAX - 1).chain(['…']).collect()
}

impl Exporter for Text {
    fn begin(&mut self, header: &Header, out: &mut dyn Write) -> io::Result<()> {
        let names = &header.names;
        let partitions = header.filter.partitions();
        let concerned = |actor: &Actor| match actor {
            Actor::Broker(id) if !partitions.is_empty() => {
                partitions.iter().any(|&partition| names.layout().partitions[partition].brokers.contains(id))
            }
            _ => true,
        };
        self.lanes = names.actors().iter().copied().filter(concerned).collect();
        if self.lanes.len() > LANES_MAX {
            self.lanes.clear();
        }
        let heads: Vec<String> = self.lanes.iter().map(|&actor| cut(&names.short(actor))).collect();
        let widest = heads.iter().map(|head| head.chars().count()).max().unwrap_or(0);
        self.lane_width = (widest + 2).max(6);
        self.kind_width = KINDS.iter().map(|kind| kind.name.len()).max().unwrap_or(0);
        writeln!(
            out,
            "{} under {}, seed {}: from {} to {}",
            header.scenario, header.criterion, header.seed, header.window.from, header.window.until
        )?;
        let legend = if self.lanes.is_empty() {
            "who acts, and to whom a message arrives"
        } else {
            "● acts, ○ sends, ├─▶ a message arrives"
        };
        writeln!(out, "{legend}\n")?;
        let lanes = if self.lanes.is_empty() {
            format!("{:<43}", "who")
        } else {
            heads.iter().fold(String::new(), |mut row, head| {
                let _ = write!(row, "{head:<width$}", width = self.lane_width);
                row
            })
        };
        writeln!(
            out,
            "{:>15} {:>8}  {lanes} {:<width$}  what",
            "time in s",
            "event",
            "kind",
            width = self.kind_width
        )
    }

    fn line(
        &mut self,
        header: &Header,
        _: &State,
        line: &Line,
        _: Told<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.row.clear();
        let lanes = self.draw(header, line);
        let _ = write!(
            self.row,
            "{:>15} {:>8}  {lanes} {:<width$}  ",
            seconds(line.at),
            line.event,
            line.kind.name,
            width = self.kind_width
        );
        // A name in a scenario may hold anything; a line stays a line.
        self.row.extend(line.words.chars().map(|c| if c.is_control() { ' ' } else { c }));
        self.row.push('\n');
        out.write_all(self.row.as_bytes())
    }

    fn end(&mut self, _: &Header, _: &State, footer: &Footer, out: &mut dyn Write) -> io::Result<()> {
        let count = |value: u64, what: &str| {
            format!("{} {what}{}", human::count(value as f64), if value == 1 { "" } else { "s" })
        };
        write!(out, "\n{} of {}", count(footer.lines, "line"), count(footer.events, "event"))?;
        if footer.left_out > 0 {
            write!(out, "; {} more left out", count(footer.left_out, "line"))?;
        }
        match footer.run {
            "complete" => writeln!(out),
            run => writeln!(out, "; the run was {run} at {}", footer.until),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_fixed_width_and_heads_are_cut() {
        assert_eq!(seconds(SimTime::from_nanos(20_030_000_001)), "20.030000001");
        assert_eq!(cut("producer-of-orders"), "produce…");
        assert_eq!(cut("p"), "p");
    }
}
