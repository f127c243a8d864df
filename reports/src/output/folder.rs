//! The folder that a replay writes to.

use super::manifest::{FolderKind, MANIFEST, Mark};
use crate::error::ReportError;
use crate::page::REPORT_FILE;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// A folder that is ours to write to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
    /// Whether an earlier replay's files were there and were removed.
    pub replaced: bool,
}

impl Folder {
    /// Makes the folder, parents included, or takes over one that an earlier replay wrote: the
    /// files that its manifest lists are removed, all others stay.
    ///
    /// # Errors
    /// If the path is a file, if the folder holds anything but no manifest of ours or a sweep that
    /// is not finished, or if the operating system refuses.
    pub fn prepare(path: &Path) -> Result<Self, ReportError> {
        Folder::prepare_unless(path, &[], |mark| mark.kind == FolderKind::Sweep && mark.is_unfinished())
    }

    /// The same, but takes over a folder with an unfinished sweep too. Files of these names are
    /// spared.
    ///
    /// # Errors
    /// As [`Folder::prepare`].
    pub fn prepare_over(path: &Path, spared: &[&str]) -> Result<Self, ReportError> {
        Folder::prepare_unless(path, spared, |_| false)
    }

    /// A folder of which it is known that it is ours; nothing in it is touched.
    pub fn reopen(path: &Path) -> Self {
        Folder { path: path.to_owned(), replaced: false }
    }

    fn prepare_unless(
        path: &Path,
        spared: &[&str],
        keep: impl Fn(&Mark) -> bool,
    ) -> Result<Self, ReportError> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(ReportError::NotAFolder { path: path.to_owned() });
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(|source| ReportError::io("create folder", path, source))?;
            }
            Err(source) => return Err(ReportError::io("look at", path, source)),
        }
        let replaced = clear(path, spared, keep)?;
        Ok(Folder { path: path.to_owned(), replaced })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Removes a file, if it is there.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn remove(&self, name: &str) -> Result<(), ReportError> {
        remove(&self.file(name))
    }

    /// Writes a file that is either there as a whole or not at all: under another name first,
    /// then renamed.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn write_whole(&self, name: &str, content: &[u8]) -> Result<(), ReportError> {
        let path = self.file(name);
        self.write_whole_by(name, |file| {
            file.write_all(content).map_err(|source| ReportError::io("write", &path, source))
        })
    }

    /// The same for a file that is not in memory: `write` writes it.
    ///
    /// # Errors
    /// Those of `write`, and those of the operating system.
    pub fn write_whole_by(
        &self,
        name: &str,
        write: impl FnOnce(&mut fs::File) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        let path = self.file(name);
        let failed = |source| ReportError::io("write", &path, source);
        let mut file = temporary_file(&self.path).map_err(failed)?;
        write(file.as_file_mut())?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// A file that is to be renamed when it is whole.
///
/// # Errors
/// If the operating system refuses.
pub fn temporary_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().prefix(".isrlab-").permissions(plain_file_permissions()).tempfile_in(folder)
}

/// What a file made by an ordinary program gets, less the umask; a temporary file would be for
/// its owner alone.
#[cfg(unix)]
pub(crate) fn plain_file_permissions() -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(0o666)
}

#[cfg(not(unix))]
pub(crate) fn plain_file_permissions() -> fs::Permissions {
    fs::metadata(std::env::temp_dir()).expect("there is a folder for temporary files").permissions()
}

/// Removes what an earlier replay wrote; an empty folder has nothing to remove.
fn clear(path: &Path, spared: &[&str], keep: impl Fn(&Mark) -> bool) -> Result<bool, ReportError> {
    let mut entries = fs::read_dir(path).map_err(|source| ReportError::io("list", path, source))?;
    if entries.next().is_none() {
        return Ok(false);
    }
    let manifest_path = path.join(MANIFEST);
    let mark = match fs::read_to_string(&manifest_path) {
        Ok(text) => Mark::from_json(&text),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => None,
        Err(source) => return Err(ReportError::io("read", &manifest_path, source)),
    };
    let Some(mark) = mark else {
        return Err(ReportError::FolderInUse { path: path.to_owned() });
    };
    if keep(&mark) {
        return Err(ReportError::UnfinishedSweep { path: path.to_owned() });
    }
    // The manifest goes last: until then the folder is known to be ours.
    let listed = mark.files.iter().map(|entry| entry.file.as_str()).filter(|file| is_plain_name(file));
    // A page that `isrlab report` made of what is gone would tell of it as if it were still there.
    for name in listed.chain([REPORT_FILE, MANIFEST]).filter(|name| !spared.contains(name)) {
        remove(&path.join(name))?;
    }
    Ok(true)
}

/// Removes a file, if it is there. One that is not is not asked for: a read-only file system would
/// refuse even that.
fn remove(file: &Path) -> Result<(), ReportError> {
    if fs::symlink_metadata(file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(());
    }
    fs::remove_file(file).map_err(|source| ReportError::io("remove", file, source))
}

/// Whether a name from a manifest is of a file in the folder itself: a manifest is only text,
/// and must not lead elsewhere.
fn is_plain_name(name: &str) -> bool {
    let mut components = Path::new(name).components();
    matches!((components.next(), components.next()), (Some(Component::Normal(part)), None) if part == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_in_the_folder_count() {
        for (name, plain) in
            [("a.csv", true), ("../a", false), ("/etc/passwd", false), ("a/b", false), ("", false)]
        {
            assert_eq!(is_plain_name(name), plain, "{name}");
        }
        assert!(!is_plain_name(".."));
        assert!(!is_plain_name("a/"));
    }
}
