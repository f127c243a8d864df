//! Folders of sequences recorded from Kafka's own code: compressed files of one JSON value a line.

use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The folder of the project's own recordings of this name.
pub fn project_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name)
}

/// Hands out every recording of a folder with its file, in the order of the files' names and of
/// their lines; returns the number of files.
pub fn for_each<T: DeserializeOwned>(folder: &Path, mut act: impl FnMut(&Path, T)) -> usize {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".jsonl.gz"))
        .collect();
    files.sort();
    for file in &files {
        for line in BufReader::new(GzDecoder::new(File::open(file).unwrap())).lines() {
            let recording = serde_json::from_str(&line.unwrap())
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            act(file, recording);
        }
    }
    files.len()
}

/// Runs the recordings of a folder that an environment variable names, if it does; `run` returns
/// the number of files first.
pub fn run_named_by(variable: &str, run: impl FnOnce(&Path) -> (usize, usize, usize)) {
    let Some(folder) = std::env::var_os(variable) else {
        eprintln!("{variable} is not set: no further recordings");
        return;
    };
    let folder = Path::new(&folder);
    let (files, recordings, more) = run(folder);
    assert!(files > 0, "{variable}={}: no file ends in .jsonl.gz", folder.display());
    eprintln!("{files} files, {recordings} recordings; {more}");
}
