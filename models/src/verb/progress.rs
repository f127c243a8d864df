//! How progress is told.

use std::io::Write;

/// Whether and how progress is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Telling {
    /// Each time a line of its own: for files and pipes.
    #[default]
    Lines,
    /// One line that is written over, for terminals.
    InPlace,
    /// Not at all.
    Nothing,
}

impl Telling {
    /// As the command line says, for a standard error that is a terminal or not.
    pub fn of(quiet: bool, terminal: bool) -> Telling {
        match (quiet, terminal) {
            (true, _) => Telling::Nothing,
            (false, true) => Telling::InPlace,
            (false, false) => Telling::Lines,
        }
    }

    /// Tells what changes. Progress that cannot be told is no reason to stop.
    pub fn tell(self, out: &mut dyn Write, line: &str) {
        let _ = match self {
            Telling::Nothing => Ok(()),
            Telling::Lines => writeln!(out, "{line}"),
            // To the beginning of the line, and what was longer before is erased.
            Telling::InPlace => write!(out, "\r{line}\u{1b}[K").and_then(|()| out.flush()),
        };
    }

    /// Tells what will not change any more: the next thing goes on a new line.
    pub fn tell_last(self, out: &mut dyn Write, line: &str) {
        self.tell(out, line);
        if self == Telling::InPlace {
            let _ = writeln!(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(telling: Telling) -> String {
        let mut out = Vec::new();
        telling.tell(&mut out, "1 of 2");
        telling.tell_last(&mut out, "2 of 2");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn only_a_terminal_is_written_over_and_the_quiet_see_nothing() {
        assert_eq!(told(Telling::of(false, false)), "1 of 2\n2 of 2\n");
        assert_eq!(told(Telling::of(false, true)), "\r1 of 2\u{1b}[K\r2 of 2\u{1b}[K\n");
        assert_eq!(told(Telling::of(true, true)), "");
    }
}
