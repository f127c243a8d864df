//! Exit code 3: inconclusive. Also what is left when a run does not reach its end.

mod common;

use common::*;

#[cfg(unix)]
mod unix {
    use super::*;
    use std::process::{Child, Stdio};
    use std::time::{Duration, Instant};

    fn wait(mut child: Child, command: &str) -> Got {
        let deadline = Instant::now() + Duration::from_secs(60);
        while child.try_wait().unwrap().is_none() {
            if Instant::now() > deadline {
                child.kill().unwrap();
                panic!("it did not stop: isrlab {command}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Got::of(command.to_owned(), child.wait_with_output().unwrap())
    }

    fn signal(child: &Child, name: &str) {
        let sent = std::process::Command::new("kill").args([name, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Starts a command, and interrupts it once `begun` says that it is at work.
    fn interrupted(lab: &Lab, args: &[&str], signal_name: &str, begun: impl Fn() -> bool) -> Got {
        let mut command = lab.command(args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while !begun() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(&child, signal_name);
        wait(child, &args.join(" "))
    }

    #[test]
    fn ctrl_c_leaves_whole_rows_and_says_so() {
        let lab = Lab::new();
        lab.write("small.toml", SMALL);
        let args =
            ["replay", "small.toml", "--out", "out", "--duration", "1000000h", "--set", "sample.every=100ms"];
        let timeline = lab.path("out/timeline.csv");
        let begun = || std::fs::metadata(&timeline).is_ok_and(|file| file.len() > 100_000);
        let got = interrupted(&lab, &args, "-INT", begun).code(3);
        let got = got.err_has("stopping; once more ends at once");
        let got = got.out_has(
            "Interrupted: 0 of 1 runs reached their end. Every row in the files is whole; missing are",
        );
        got.out_has("post-4485, seed 1: cut short at ");
        for name in lab.names("out").iter().filter(|name| name.ends_with(".csv")) {
            is_whole_csv(name, &lab.bytes(&format!("out/{name}")));
        }
        let manifest: serde_json::Value = serde_json::from_str(&lab.read("out/manifest.json")).unwrap();
        assert_eq!(manifest["state"], "interrupted");
        let rows = lab.read("out/timeline.csv").lines().count() as u64 - 1;
        assert_eq!(manifest["files"][1]["rows"], rows, "{manifest:#}");
        assert!(lab.names("out").iter().all(|name| !name.starts_with('.')), "{:?}", lab.names("out"));
    }

    #[test]
    fn a_request_to_terminate_is_heeded_while_there_are_only_samples() {
        let lab = Lab::new();
        // No event for a long time, and a sample each nanosecond.
        let text =
            SMALL.replace("kind = \"poisson\", mean = \"10ms\"", "kind = \"constant\", interval = \"1s\"");
        lab.write("small.toml", text);
        let args = ["replay", "small.toml", "--no-files", "--set", "sample.every=1ns", "--format", "json"];
        let started = Instant::now();
        let begun = || started.elapsed() > Duration::from_millis(300);
        let json = interrupted(&lab, &args, "-TERM", begun).code(3).json();
        assert_eq!((&json["exit_code"], &json["missing_total"]), (&3.into(), &1.into()));
        has_fields(&json["missing"][0], &["criterion", "seed", "reached_ns"]);
    }

    #[test]
    fn runs_that_did_not_start_are_counted() {
        let lab = Lab::new();
        lab.write("small.toml", SMALL);
        let args =
            ["replay", "small.toml", "--no-files", "--duration", "10000h", "--seeds", "40", "--threads", "2"];
        let started = Instant::now();
        let begun = || started.elapsed() > Duration::from_millis(300);
        let got = interrupted(&lab, &args, "-INT", begun).code(3);
        got.out_has("Interrupted: 0 of 40 runs").out_has("not started").out_has("more\n");
    }

    #[test]
    fn a_closed_pipe_is_no_error() {
        let lab = Lab::new();
        for args in [
            &["schema"][..],
            &["show", "kafka-4485"],
            &["replay", "kafka-4485", "--no-files", "--seeds", "20"],
        ] {
            let child = lab.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let mut child = child;
            drop(child.stdout.take());
            wait(child, &args.join(" ")).code(0).err_is("");
        }
    }

    #[test]
    fn a_file_that_can_grow_no_further_ends_with_a_whole_row() {
        let lab = Lab::new();
        lab.write("small.toml", SMALL);
        // A limit on the size of files stands for a full disk: a write is cut off within a row.
        let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" replay small.toml --out out --duration 10h --set sample.every=100ms";
        let mut command = std::process::Command::new("sh");
        let program = lab.command(&[]).get_program().to_owned();
        let output = command.arg("-c").arg(script).arg(program).current_dir(lab.path(".")).output().unwrap();
        let got = Got::of(script.to_owned(), output).code(3).out_is("");
        got.err_has("error: failed to write out/timeline.csv: ");
        for name in lab.names("out").iter().filter(|name| name.ends_with(".csv")) {
            is_whole_csv(name, &lab.bytes(&format!("out/{name}")));
        }
        let manifest: serde_json::Value = serde_json::from_str(&lab.read("out/manifest.json")).unwrap();
        assert_eq!(manifest["state"], "unfinished");
        lab.run(&["replay", "small.toml", "--out", "out"]).code(0).out_has("were replaced");
    }

    #[test]
    fn a_folder_that_cannot_be_written_to_is_told_of() {
        use std::os::unix::fs::PermissionsExt;
        let lab = Lab::new();
        lab.write("small.toml", SMALL);
        std::fs::create_dir(lab.path("closed")).unwrap();
        std::fs::set_permissions(lab.path("closed"), std::fs::Permissions::from_mode(0o555)).unwrap();
        if std::fs::write(lab.path("closed/probe"), "").is_ok() {
            return; // the superuser may write anywhere
        }
        let got = lab.run(&["replay", "small.toml", "--out", "closed/out"]).code(3).out_is("");
        got.err_has("failed to create folder closed/out").err_has("choose another folder with --out");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_printed_is_told_of() {
    let lab = Lab::new();
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output = lab.command(&["schema"]).stdout(full).output().unwrap();
    Got::of("schema > /dev/full".to_owned(), output).code(3).err_has("error: failed to print the result: ");
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_below_what_is_no_folder_is_an_io_failure() {
    let lab = Lab::new();
    lab.write("small.toml", SMALL);
    lab.write("file", "");
    let got = lab.run(&["replay", "small.toml", "--out", "file/out"]);
    assert!(matches!(got.code, 2 | 3), "{}", got.shown());
    got.out_is("").err_has("file/out");
}

#[test]
fn strict_makes_a_fault_that_never_happened_inconclusive() {
    let lab = Lab::new();
    // Broker 2 is paused, and so cannot be elected.
    let faults = r#"
[[fault]]
name = "gc"
kind = "pause"
broker = 2
at = "1s"
for = "1s"

[[fault]]
name = "move"
kind = "election"
leader = 2
at = "1500ms"
"#;
    lab.write("small.toml", format!("{SMALL}{faults}"));
    let args = ["replay", "small.toml", "--no-files"];
    lab.run(&args).code(0).out_has("warning: under post-4485, fault 'move' was never applied");
    let got = lab.run(&[&args[..], &["--strict"]].concat()).code(3);
    let got = got.out_has("error (--strict): under post-4485, fault 'move' was never applied");
    let json = lab.run(&[&args[..], &["--strict", "--format", "json"]].concat()).code(3).json();
    assert_eq!(json["not_exercised"][0]["what"], "fault 'move' was never applied", "{}", got.shown());
}

/// Exit code 4: nothing ran.
#[test]
fn a_run_in_which_nothing_happens_is_no_success() {
    let lab = Lab::new();
    let args = ["replay", "kafka-4485", "--duration", "1ns", "--no-files"];
    let got = lab.run(&args).code(4).err_is("");
    let got = got.out_has("Nothing ran: nothing happens in the first 1ns; take a longer --duration.\n");
    assert!(!got.out.contains("VIOLATED"), "{}", got.shown());
    lab.run(&[&args[..], &["--quiet"]].concat()).code(4).out_has("Nothing ran");
    lab.run(&[&args[..], &["--strict"]].concat()).code(4);
    assert_eq!(lab.run(&[&args[..], &["--format", "json"]].concat()).code(4).json()["exit_code"], 4);
}
