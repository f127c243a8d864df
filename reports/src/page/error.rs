//! What can be wrong with a folder that a page is to be made of.

use crate::report::ExitCode;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why no page could be made. The text follows "error: " and names file and line.
#[derive(Debug)]
pub enum PageError {
    /// The operating system refused something.
    Io {
        /// What was being done, as in "failed to …".
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file is not what it should be.
    Input {
        /// The file or folder.
        path: PathBuf,
        /// The line, from 1; none where the file as a whole is meant.
        line: Option<u64>,
        /// What is wrong and what would be accepted.
        problem: String,
    },
    /// It was told to stop.
    Interrupted,
}

impl PageError {
    /// Wraps an error of the operating system.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        PageError::Io { action, path: path.to_owned(), source }
    }

    /// A file that is not what it should be.
    pub fn input(path: &Path, line: Option<u64>, problem: impl Into<String>) -> Self {
        PageError::Input { path: path.to_owned(), line, problem: problem.into() }
    }

    /// The exit code that tells of it.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            PageError::Io { .. } | PageError::Interrupted => ExitCode::Inconclusive,
            PageError::Input { .. } => ExitCode::BadInput,
        }
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::Io { action, path, source } => {
                write!(f, "failed to {action} {}: {source}", path.display())
            }
            PageError::Input { path, line: Some(line), problem } => {
                write!(f, "{}, line {line}: {problem}", path.display())
            }
            PageError::Input { path, line: None, problem } => write!(f, "{}: {problem}", path.display()),
            PageError::Interrupted => write!(f, "interrupted: no report was written"),
        }
    }
}

impl std::error::Error for PageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PageError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
