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

use crate::output::FolderKind;
use crate::replay::Control;
use source::Source;
use std::fs;
use std::io::Write;
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
    write_whole(&path, text.as_bytes()).map_err(|error| PageError::io("write", &path, error))?;
    Ok(Written { path, kind, bytes: text.len() as u64 })
}

/// Writes under another name first, and renames.
fn write_whole(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut file = crate::output::temporary_file(folder)?;
    file.write_all(content)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
