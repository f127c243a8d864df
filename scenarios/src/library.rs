//! The scenarios that come with isrlab.

/// One scenario of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

macro_rules! entries {
    ($($name:literal),* $(,)?) => {
        &[$(LibraryEntry {
            name: $name,
            text: include_str!(concat!("../library/", $name, ".toml")),
        }),*]
    };
}

/// Every scenario of the library, in the order in which they are best read.
const LIBRARY: &[LibraryEntry] =
    entries!["healthy", "kafka-4485", "kafka-4485-two-replicas", "kafka-4485-bursts",];

/// Every scenario of the library, in the order in which they are best read.
pub fn library() -> &'static [LibraryEntry] {
    LIBRARY
}

/// The file of a library scenario as messages name it.
pub(crate) fn file_name(name: &str) -> String {
    format!("library/{name}.toml")
}
