//! What is wrong with a scenario: where, why, and what would be accepted.

use std::fmt;

use crate::source::{Position, Snippet, Sources, Span};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file as it was named, or `--set`.
    pub file: String,
    /// Where in the file; none where no line is to blame (`--set`, a file that cannot be read).
    pub position: Option<Position>,
    /// The path of the key, such as `producer.p-0.record.bytes`; empty where none is to blame.
    pub key: String,
    /// What is wrong, a lower-case fragment that follows the key.
    pub message: String,
    /// What would be accepted instead.
    pub accepted: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// The line in question.
    pub snippet: Option<Snippet>,
}

/// Everything that is wrong with a scenario, at least one thing, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// How many more there were than are kept.
    omitted: usize,
}

/// The most diagnostics that are kept of one scenario.
pub const DIAGNOSTICS_MAX: usize = 100;

impl Diagnostics {
    /// The diagnostics, at most [`DIAGNOSTICS_MAX`].
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// How many there were beyond [`DIAGNOSTICS_MAX`].
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// One that blames a whole file.
    pub(crate) fn of_file(file: &str, message: impl Into<String>, help: Option<String>) -> Self {
        let problem = Problem { message: message.into(), help, ..Problem::default() };
        Diagnostics { list: vec![problem.locate(&Sources::new(file, ""))], omitted: 0 }
    }

    /// One that blames a place of a file which is not text.
    pub(crate) fn at(file: &str, position: Position, message: &str) -> Self {
        let mut diagnostics = Diagnostics::of_file(file, message, None);
        diagnostics.list[0].position = Some(position);
        diagnostics
    }
}

impl std::error::Error for Diagnostics {}

/// A blank line between any two.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str("\n\n")?;
            }
            fmt::Display::fmt(diagnostic, f)?;
        }
        if self.omitted > 0 {
            write!(f, "\n\n… and {} more", self.omitted)?;
        }
        Ok(())
    }
}

/// `file:line:column: key: message`, the source line with a caret, what would be accepted, and
/// what to do; no line break at the end.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(Position { line, column }) = self.position {
            write!(f, "{line}:{column}:")?;
        }
        if !self.key.is_empty() {
            write!(f, " {}:", self.key)?;
        }
        write!(f, " {}", self.message)?;
        if let Some(snippet) = &self.snippet {
            let number = self.position.map_or(String::new(), |position| position.line.to_string());
            let margin = " ".repeat(number.len());
            let Snippet { text, before, width } = snippet;
            write!(f, "\n  {number} | {}", text.trim_end())?;
            write!(f, "\n  {margin} | {}{}", " ".repeat(*before), "^".repeat(*width))?;
        }
        if let Some(accepted) = &self.accepted {
            write!(f, "\n  accepted: {accepted}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

/// A diagnostic whose place is still a span.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub span: Option<Span>,
    pub key: String,
    pub message: String,
    pub accepted: Option<String>,
    pub help: Option<String>,
}

impl Problem {
    fn locate(self, sources: &Sources) -> Diagnostic {
        Diagnostic {
            file: sources.get(self.span.map_or(0, |span| span.source)).name.clone(),
            position: self.span.and_then(|span| sources.position(span)),
            key: self.key,
            message: self.message,
            accepted: self.accepted,
            help: self.help,
            snippet: self.span.map(|span| sources.snippet(span)),
        }
    }
}

/// Collects problems while a scenario is read.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// Notes a problem; what it returns may be completed with [`Problem::accepted`] and
    /// [`Problem::help`].
    pub fn add(&mut self, span: Span, key: impl Into<String>, message: impl Into<String>) -> &mut Problem {
        self.0.push(Problem {
            span: Some(span),
            key: key.into(),
            message: message.into(),
            accepted: None,
            help: None,
        });
        self.0.last_mut().expect("one was just pushed")
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Nothing if there was no problem.
    ///
    /// # Errors
    /// All of them, in the order of the sources.
    pub fn into_result(mut self, sources: &Sources) -> Result<(), Diagnostics> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.0.sort_by_key(|problem| problem.span);
        self.0.dedup_by(|a, b| a.span == b.span && a.message == b.message && a.key == b.key);
        let omitted = self.0.len().saturating_sub(DIAGNOSTICS_MAX);
        self.0.truncate(DIAGNOSTICS_MAX);
        let list = self.0.into_iter().map(|problem| problem.locate(sources)).collect();
        Err(Diagnostics { list, omitted })
    }
}

impl Problem {
    /// Says what would be accepted.
    pub fn accepted(&mut self, accepted: impl Into<String>) -> &mut Self {
        self.accepted = Some(accepted.into());
        self
    }

    /// Says what to do.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_its_line_and_a_caret() {
        let sources = Sources::new("f.toml", "title = \"t\"\nduration = 5\n");
        let mut problems = Problems::default();
        problems.add(Span::in_file(23..24), "duration", "is an integer").accepted("a duration").help("add s");
        let text = problems.into_result(&sources).unwrap_err().to_string();
        let expected = "f.toml:2:12: duration: is an integer\n  2 | duration = 5\n    |            ^\n  \
                        accepted: a duration\n  help: add s";
        assert_eq!(text, expected);
    }

    #[test]
    fn many_problems_are_cut_and_counted() {
        let sources = Sources::new("f", "");
        let mut problems = Problems::default();
        for number in 0..DIAGNOSTICS_MAX + 7 {
            problems.add(Span::in_file(0..0), number.to_string(), "is bad");
        }
        let diagnostics = problems.into_result(&sources).unwrap_err();
        assert_eq!((diagnostics.list().len(), diagnostics.omitted()), (DIAGNOSTICS_MAX, 7));
        assert!(diagnostics.to_string().ends_with("… and 7 more"));
    }
}
