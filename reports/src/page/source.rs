//! Reading a folder: its manifest, and whether a file is there.

use super::error::PageError;
use crate::output::{FolderKind, MADE_BY, MANIFEST};
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What would be accepted as a folder.
const ACCEPTED: &str = "wanted is a folder that isrlab has written: by `isrlab replay`, by `isrlab sweep`, or by \
                        `isrlab check … --out DIR`";

/// The most bytes of a manifest or of a check's answers.
const JSON_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// A folder with a manifest of ours.
pub struct Source {
    path: PathBuf,
    manifest: String,
    /// What it holds.
    pub kind: FolderKind,
}

impl Source {
    /// Opens a folder.
    ///
    /// # Errors
    /// If it is none, or was not written by isrlab.
    pub fn open(path: &Path) -> Result<Self, PageError> {
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(PageError::input(path, None, format!("there is no such folder; {ACCEPTED}")));
            }
            Err(error) => return Err(PageError::io("look at", path, error)),
            Ok(metadata) if !metadata.is_dir() => {
                return Err(PageError::input(path, None, format!("is a file, not a folder; {ACCEPTED}")));
            }
            Ok(_) => {}
        }
        let file = path.join(MANIFEST);
        let Some(manifest) = read_text(&file)? else {
            return Err(PageError::input(path, None, format!("has no {MANIFEST}; {ACCEPTED}")));
        };
        let value: serde_json::Value = parse(&file, &manifest)?;
        if value.get("made_by").and_then(|value| value.as_str()) != Some(MADE_BY) {
            let problem = format!("was not written by isrlab (\"made_by\" is not \"{MADE_BY}\"); {ACCEPTED}");
            return Err(PageError::input(&file, None, problem));
        }
        // Folders from before there were kinds are of replays.
        let kind = match value.get("kind") {
            None => FolderKind::Replay,
            Some(kind) => serde_json::from_value(kind.clone()).map_err(|_| {
                let problem = format!("\"kind\" is {kind}; accepted are \"replay\", \"sweep\" and \"check\"");
                PageError::input(&file, None, problem)
            })?,
        };
        Ok(Source { path: path.to_owned(), manifest, kind })
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The manifest as a value of its kind.
    ///
    /// # Errors
    /// If a field is missing or of the wrong kind.
    pub fn manifest<T: DeserializeOwned>(&self) -> Result<T, PageError> {
        parse(&self.file(MANIFEST), &self.manifest)
    }

    /// A JSON file as a value; none if it is not there.
    ///
    /// # Errors
    /// If it cannot be read, or is not what it should be.
    pub fn json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, PageError> {
        let file = self.file(name);
        read_text(&file)?.map(|text| parse(&file, &text)).transpose()
    }
}

/// The text of a file; none if it is not there.
fn read_text(file: &Path) -> Result<Option<String>, PageError> {
    let size = match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(PageError::io("look at", file, error)),
        Ok(metadata) if !metadata.is_file() => {
            return Err(PageError::input(file, None, "is not a file"));
        }
        Ok(metadata) => metadata.len(),
    };
    if size > JSON_BYTES_MAX {
        let problem = format!("has {size} bytes; at most {JSON_BYTES_MAX} are read");
        return Err(PageError::input(file, None, problem));
    }
    let bytes = fs::read(file).map_err(|error| PageError::io("read", file, error))?;
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() as u64;
        PageError::input(file, Some(line), "is not UTF-8 here")
    })
}

fn parse<T: DeserializeOwned>(file: &Path, text: &str) -> Result<T, PageError> {
    serde_json::from_str(text).map_err(|error| {
        let line = (error.line() > 0).then_some(error.line() as u64);
        // The line is told already.
        let told = error.to_string();
        let what = told.rsplit_once(" at line ").map_or(told.as_str(), |(what, _)| what);
        PageError::input(file, line, what)
    })
}
