//! The folder of a check.

use super::folder::Folder;
use super::manifest::{FileEntry, FolderKind, MADE_BY, MANIFEST, RunState};
use crate::VERSION;
use crate::error::ReportError;
use crate::report::ExitCode;
use serde::{Deserialize, Serialize};

/// The manifest of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckManifest {
    /// Always `isrlab`.
    pub made_by: String,
    /// The version of isrlab.
    pub version: String,
    /// Always a check.
    pub kind: FolderKind,
    /// Whether it was whole, and what it found.
    pub state: RunState,
    /// Which check: `isr`, `replication`, `timestamps`, `mirror-lag` or `share-lag`.
    pub check: String,
    /// The command that makes the same answers again.
    pub command: String,
    /// The exit code.
    pub exit_code: u8,
    /// The files.
    pub files: Vec<FileEntry>,
}

/// Writes what a check has left into its folder.
///
/// # Errors
/// If the operating system refuses.
pub fn write_check(
    folder: &Folder,
    check: &str,
    command: &str,
    exit_code: u8,
    files: Vec<(String, Vec<u8>)>,
) -> Result<(), ReportError> {
    let entry = |(name, _): &(String, Vec<u8>)| FileEntry { file: name.clone(), rows: None };
    let manifest = |state| CheckManifest {
        made_by: MADE_BY.to_owned(),
        version: VERSION.to_owned(),
        kind: FolderKind::Check,
        state,
        check: check.to_owned(),
        command: command.to_owned(),
        exit_code,
        files: files.iter().map(entry).collect(),
    };
    // The manifest comes first, so that the folder is known to be ours from then on.
    write_manifest(folder, &manifest(RunState::Unfinished))?;
    for (name, content) in &files {
        folder.write_whole(name, content)?;
    }
    let state = match exit_code {
        code if code == ExitCode::Held as u8 => RunState::Complete,
        code if code == ExitCode::Violated as u8 => RunState::Violated,
        _ => RunState::Interrupted,
    };
    write_manifest(folder, &manifest(state))
}

fn write_manifest(folder: &Folder, manifest: &CheckManifest) -> Result<(), ReportError> {
    let mut text = serde_json::to_string_pretty(manifest).expect("a manifest is plain data");
    text.push('\n');
    folder.write_whole(MANIFEST, text.as_bytes())
}
