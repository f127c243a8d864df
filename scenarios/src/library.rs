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
const LIBRARY: &[LibraryEntry] = entries![
    "healthy",
    "kafka-4485",
    "kafka-4485-two-replicas",
    "kafka-4485-bursts",
    "flapping-map",
    "follower-pause",
    "follower-pause-one-behind",
    "kip-16-batch",
    "idle-partition",
    "new-leader-first-check",
    "timestamps",
    "timestamps-failover",
    "timestamps-units",
    "timestamps-retries",
    "mirror-lag",
    "mirror-lag-idle",
    "mirror-lag-restart",
    "mirror-lag-gaps",
    "mirror-lag-source-recreated",
    "share-lag",
    "share-lag-failed-writes",
    "share-lag-loses-acquired",
    "share-lag-moves-back",
];

/// Every scenario of the library, in the order in which they are best read.
pub fn library() -> &'static [LibraryEntry] {
    LIBRARY
}

/// The file of a library scenario as messages name it.
pub(crate) fn file_name(name: &str) -> String {
    format!("library/{name}.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_library_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/library");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut listed: Vec<String> = library().iter().map(|entry| format!("{}.toml", entry.name)).collect();
        listed.sort();
        assert_eq!(files, listed);
    }
}
