//! Each test has a folder and a command of its own.
#![allow(dead_code, reason = "each test file uses its part")]

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder of its own, in which commands run.
pub struct Lab {
    folder: TempDir,
}

/// What a command came to.
pub struct Got {
    pub command: String,
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Lab {
    pub fn new() -> Self {
        Lab { folder: tempfile::tempdir().expect("a folder for the test") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names in a folder, in order.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries =
            std::fs::read_dir(self.path(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The command, to be given more.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("isrlab"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_remove("RUST_BACKTRACE")
            .env_remove("GITHUB_ACTIONS");
        command
    }

    pub fn run(&self, args: &[&str]) -> Got {
        let output = self.command(args).output().expect("the command starts");
        Got::of(args.join(" "), output)
    }

    /// Runs a command line as it is printed for people, `isrlab …`.
    pub fn run_line(&self, line: &str) -> Got {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[0], "isrlab", "{line}");
        self.run(&words[1..])
    }
}

impl Got {
    pub fn of(command: String, output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is UTF-8");
        let code = output.status.code().unwrap_or(-1);
        let got = Got { command, code, out: text(output.stdout), err: text(output.stderr) };
        assert!(!got.err.contains("panicked"), "{}", got.shown());
        got
    }

    /// All of it, between fences.
    pub fn shown(&self) -> String {
        let Got { command, code, out, err } = self;
        format!("isrlab {command}\nexit code {code}, stdout\n~~~\n{out}\n~~~\nstderr\n~~~\n{err}\n~~~\n")
    }

    #[track_caller]
    pub fn code(self, wanted: i32) -> Self {
        assert!(self.code == wanted, "wanted exit code {wanted}, got\n{}", self.shown());
        self
    }

    #[track_caller]
    pub fn out_has(self, wanted: &str) -> Self {
        assert!(self.out.contains(wanted), "wanted in stdout\n~~~\n{wanted}\n~~~\ngot\n{}", self.shown());
        self
    }

    #[track_caller]
    pub fn err_has(self, wanted: &str) -> Self {
        assert!(self.err.contains(wanted), "wanted in stderr\n~~~\n{wanted}\n~~~\ngot\n{}", self.shown());
        self
    }

    #[track_caller]
    pub fn out_is(self, wanted: &str) -> Self {
        assert!(self.out == wanted, "wanted as stdout\n~~~\n{wanted}\n~~~\ngot\n{}", self.shown());
        self
    }

    #[track_caller]
    pub fn err_is(self, wanted: &str) -> Self {
        assert!(self.err == wanted, "wanted as stderr\n~~~\n{wanted}\n~~~\ngot\n{}", self.shown());
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("not JSON: {error}\n{}", self.shown()))
    }
}

/// Checks that an object has exactly these fields.
#[track_caller]
pub fn has_fields(value: &Value, wanted: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("wanted an object, got\n~~~\n{value:#}\n~~~"));
    let mut got: Vec<&str> = object.keys().map(String::as_str).collect();
    let mut wanted = wanted.to_vec();
    got.sort_unstable();
    wanted.sort_unstable();
    assert!(got == wanted, "wanted fields\n~~~\n{wanted:#?}\n~~~\ngot\n~~~\n{got:#?}\n~~~");
}

/// A small scenario that is over in no time: one partition, two replicas, 3 s.
pub const SMALL: &str = r#"title = "small"
duration = "3s"
brokers = 2
compare = ["post-4485"]

[[topic]]
name = "orders"
replicas = [1, 2]

[[producer]]
name = "p"
topic = "orders"
arrivals = { kind = "poisson", mean = "10ms" }
"#;

/// Two elections in quick succession, under which Kafka before 0.11 loses what it acknowledged
/// (the first scenario of KIP-101).
pub const KIP_101: &str = r#"title = "two elections in quick succession"
duration = "10s"
compare = ["kafka-0.10.2", "kafka-0.11.0"]

[[broker]]
id = 1
"first.fetch" = "1ms"

[[broker]]
id = 2
"first.fetch" = "1ms"

[[broker]]
id = 3
"first.fetch" = "1ms"

[[topic]]
name = "orders"
replicas = [1, 2, 3]

[[producer]]
name = "p"
topic = "orders"
acks = "all"
arrivals = { kind = "constant", first = "5ms", interval = "10ms" }

[link.follower]
"request.latency" = "0s"
"response.latency" = "5ms"

[link.producer]
latency = "0s"

[[fault]]
name = "first"
kind = "election"
leader = 3
at = "4.012s"

[[fault]]
name = "second"
kind = "election"
leader = 2
at = "4.013s"
"#;

/// Checks that a CSV file is whole: CR LF after every row, and as many fields in each.
#[track_caller]
pub fn is_whole_csv(name: &str, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).expect("a CSV file is UTF-8");
    assert!(
        text.ends_with("\r\n"),
        "{name} ends within a row:\n~~~\n{}\n~~~",
        &text[text.len().saturating_sub(300)..]
    );
    let fields = |row: &str| row.split(',').count();
    let header = text.lines().next().unwrap_or_default();
    for (number, row) in text.lines().enumerate().filter(|(_, row)| !row.contains('"')) {
        assert!(
            fields(row) == fields(header),
            "{name}, line {}: as many fields wanted as in\n~~~\n{header}\n~~~\ngot\n~~~\n{row}\n~~~",
            number + 1
        );
    }
}
