//! The run folder: what may be written where, and its manifest.

mod check;
mod folder;
mod manifest;
mod whole_file;

pub use check::{CheckManifest, write_check};
pub use folder::Folder;
pub use manifest::{FileEntry, FolderKind, MADE_BY, MANIFEST, Manifest, Mark, RunState};
pub use whole_file::WholeFile;
