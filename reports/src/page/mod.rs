//! `isrlab report`: a folder as one HTML file that asks nothing of a network.
//!
//! A replay is read from its CSV files, and run again from its manifest for what no file holds:
//! the verdicts, and every step of the leaders. Sweeps and checks are read from their files. The same folder gives the same bytes.

mod check;
mod csv_file;
mod error;
mod html;
mod replay;
mod source;
mod sweep;

pub use error::PageError;

use crate::error::ReportError;
use crate::output::{FolderKind, WholeFile};
use crate::replay::Control;
use source::Source;
use std::fs;
use std::path::{Path, PathBuf};

/// The report's name in the folder that it is of.
pub const REPORT_FILE: &str = "report.html";

/// A report that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where.
    pub path: PathBuf,
    /// What it is of.
    pub kind: FolderKind,
    /// Its size.
    pub bytes: u64,
}

/// Makes the report of a folder, as a text.
///
/// # Errors
/// If the folder or a file in it is not what it should be, or if it was told to stop.
pub fn render(folder: &Path, control: Control<'_>) -> Result<(FolderKind, String), PageError> {
    let source = Source::open(folder)?;
    let page = match source.kind {
        FolderKind::Replay => replay::page(&source, control)?,
        FolderKind::Check => check::page(&source)?,
        FolderKind::Sweep => sweep::page(&source)?,
    };
    Ok((source.kind, html::shell(&page)))
}

/// Writes the report of a folder: to `out`, or into the folder. It is there as a whole or not at
/// all.
///
/// # Errors
/// As for [`render`], or if the operating system refuses.
pub fn write(folder: &Path, out: Option<&Path>, control: Control<'_>) -> Result<Written, PageError> {
    let path = out.map_or_else(|| folder.join(REPORT_FILE), Path::to_owned);
    let (kind, text) = render(folder, control)?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| PageError::io("create", folder, error))?;
    }
    WholeFile::write(&path, text.as_bytes()).map_err(|error| match error {
        ReportError::Io { action, path, source } => PageError::Io { action, path, source },
        other => PageError::input(&path, None, other.to_string()),
    })?;
    Ok(Written { path, kind, bytes: text.len() as u64 })
}
