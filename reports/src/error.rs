//! What can go wrong when results leave a run.

use crate::report::ExitCode;
use crate::sweep::Refusal;
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
    /// The output folder holds a sweep that is not finished.
    UnfinishedSweep {
        /// The folder.
        path: PathBuf,
    },
    /// A folder holds no sweep that could be gone on with.
    NoSweep {
        /// The folder.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// It was told to stop before anything was done.
    Stopped,
    /// Another process is at work in a folder.
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A file that isrlab wrote was changed since.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first line that is not as it was written, from 1.
        line: usize,
    },
    /// A sweep that cannot be run as it was asked for.
    Sweep(Box<Refusal>),
    /// Folders that are not the shards of one sweep.
    Unmergeable {
        /// Why not.
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
            ReportError::Io { .. } | ReportError::Picture { .. } | ReportError::Stopped => {
                ExitCode::Inconclusive
            }
            ReportError::FolderInUse { .. }
            | ReportError::NotAFolder { .. }
            | ReportError::UnfinishedSweep { .. }
            | ReportError::NoSweep { .. }
            | ReportError::Busy { .. }
            | ReportError::Damaged { .. }
            | ReportError::Sweep(_)
            | ReportError::Unmergeable { .. }
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
            ReportError::UnfinishedSweep { path } => write!(
                f,
                "{} holds a sweep that is not finished; nothing was touched: finish it with isrlab sweep --resume {}, \
                 begin it anew with isrlab sweep … --restart, or choose another folder with --out",
                path.display(),
                path.display()
            ),
            ReportError::NoSweep { path, reason } => {
                write!(f, "{} holds no sweep to go on with: {reason}", path.display())
            }
            ReportError::Stopped => f.write_str("stopped before anything ran"),
            ReportError::Busy { path } => write!(
                f,
                "another process is at work in {}; wait for it, or choose another folder with --out",
                path.display()
            ),
            ReportError::Damaged { path, line } => write!(
                f,
                "{} is damaged at line {line}: it is not as isrlab wrote it for this sweep; nothing was touched. Cut the file off \
                 before that line to go on with the runs above it, or begin anew with --restart",
                path.display()
            ),
            ReportError::Sweep(refusal) => write!(f, "{refusal}"),
            ReportError::Unmergeable { reason } => write!(f, "the folders cannot be merged: {reason}"),
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
