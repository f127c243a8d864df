//! What can go wrong when results leave a run.

use crate::report::ExitCode;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why results could not be written. The texts follow "error: ".
#[derive(Debug)]
pub enum ReportError {
    /// The operating system refused something.
    Io {
        /// What was being done, as in "failed to …".
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The output folder holds files that no run of isrlab is known to have written.
    FolderInUse {
        /// The folder.
        path: PathBuf,
    },
    /// The output path is there and is not a folder.
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// A scenario that the simulator does not take.
    Refused {
        /// The criterion or profile it was refused for.
        variant: String,
        /// Why.
        reason: String,
    },
    /// A picture could not be made.
    Picture {
        /// Its file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl ReportError {
    /// Wraps an error of the operating system.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        ReportError::Io { action, path: path.to_owned(), source }
    }

    /// The exit code that tells of this error: bad input, or inconclusive because the machine
    /// did not let results be written.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            ReportError::Io { .. } | ReportError::Picture { .. } => ExitCode::Inconclusive,
            ReportError::FolderInUse { .. }
            | ReportError::NotAFolder { .. }
            | ReportError::Refused { .. } => ExitCode::BadInput,
        }
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportError::Io { action, path, source } => {
                write!(f, "failed to {action} {}: {source}", path.display())?;
                match source.kind() {
                    io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => write!(
                        f,
                        "; every row in the CSV files is whole, but rows are missing: free some space, or choose \
                         another folder with --out, and run again"
                    ),
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                        write!(f, "; choose another folder with --out")
                    }
                    _ => Ok(()),
                }
            }
            ReportError::FolderInUse { path } => write!(
                f,
                "folder {} is not empty and was not written by isrlab (it has no manifest.json of ours); nothing \
                 was touched: empty it, or choose another folder with --out",
                path.display()
            ),
            ReportError::NotAFolder { path } => write!(
                f,
                "{} is a file, not a folder; choose a folder for the results with --out",
                path.display()
            ),
            ReportError::Refused { variant, reason } => write!(f, "scenario under {variant}: {reason}"),
            ReportError::Picture { path, reason } => {
                write!(f, "failed to draw {}: {reason}", path.display())
            }
        }
    }
}

impl std::error::Error for ReportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReportError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
