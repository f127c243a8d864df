//! The run folder: what may be written where, and its manifest.

mod folder;
mod manifest;

pub use folder::Folder;
pub use manifest::{FileEntry, MANIFEST, Manifest, RunState};
