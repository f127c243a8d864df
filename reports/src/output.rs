//! The run folder: what may be written where, and its manifest.

mod folder;
mod manifest;

pub use folder::Folder;
pub(crate) use folder::plain_file_permissions;
pub use manifest::{FileEntry, FolderKind, MADE_BY, MANIFEST, Manifest, Mark, RunState};
