//! What is refused, and what is said then.

mod common;

use common::{plan, run, script, short_run};
use isrlab_reports::{ExitCode, ReportError, RunStop};
use std::fs;
use std::path::Path;

fn finished() -> impl isrlab_reports::Simulator {
    script(|_, _, observer, _| RunStop::Finished(short_run(observer)))
}

fn error(out: &Path) -> ReportError {
    match run(&plan(&["pre-4485"], 1, 1, Some(out.to_owned())), &finished()) {
        Ok(_) => panic!("{} was taken", out.display()),
        Err(error) => error,
    }
}

#[test]
fn parents_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/b/c");
    run(&plan(&["pre-4485"], 1, 1, Some(out.clone())), &finished()).unwrap();
    assert!(out.join("summary.csv").is_file());
}

#[test]
fn a_folder_of_somebody_else_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    for foreign in ["", "{}", "{\"made_by\": \"another\"}", "not json"] {
        fs::write(folder.path().join("thesis.txt"), "dear").unwrap();
        if !foreign.is_empty() {
            fs::write(folder.path().join("manifest.json"), foreign).unwrap();
        }
        let error = error(folder.path());
        assert_eq!(error.exit_code(), ExitCode::BadInput);
        assert!(error.to_string().contains("is not empty and was not written by isrlab"), "{error}");
        assert_eq!(fs::read_to_string(folder.path().join("thesis.txt")).unwrap(), "dear");
    }
}

#[test]
fn a_folder_of_ours_is_replaced_and_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&["pre-4485"], 1, 1, Some(folder.path().to_owned()));
    let first = run(&plan, &finished()).unwrap();
    assert!(!first.folder.as_ref().unwrap().replaced);
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let manifest = folder.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    // A manifest of an earlier version may list what is not written any more, or lie.
    let outside = tempfile::NamedTempFile::new().unwrap();
    let lie = format!(
        "\"files\": [{{\"file\": {:?}, \"rows\": null}}, {{\"file\": \"old.csv\", \"rows\": 1}},",
        outside.path()
    );
    fs::write(&manifest, text.replace("\"files\": [", &lie)).unwrap();
    fs::write(folder.path().join("old.csv"), "x").unwrap();
    let second = run(&plan, &finished()).unwrap();
    assert!(second.folder.as_ref().unwrap().replaced);
    assert!(second.text().contains("those of an earlier replay were replaced"), "{}", second.text());
    assert!(!folder.path().join("old.csv").exists());
    assert!(outside.path().exists());
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "mine");
}

#[test]
fn a_file_is_not_a_folder() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = error(file.path());
    assert_eq!(error.exit_code(), ExitCode::BadInput);
    assert!(error.to_string().contains("is a file, not a folder"), "{error}");
    let below = error_text(&file.path().join("below"));
    assert!(
        below.starts_with("failed to look at") || below.starts_with("failed to create folder"),
        "{below}"
    );
}

fn error_text(out: &Path) -> String {
    error(out).to_string()
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_inconclusive() {
    let error = error(Path::new("/proc/isrlab"));
    assert_eq!(error.exit_code(), ExitCode::Inconclusive);
    assert!(error.to_string().starts_with("failed to create folder /proc/isrlab: "), "{error}");
}

#[test]
fn nothing_is_left_of_temporary_files() {
    let folder = tempfile::tempdir().unwrap();
    run(&plan(&["pre-4485"], 4, 2, Some(folder.path().to_owned())), &finished()).unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.starts_with('.'), "{name}");
    }
}

#[test]
fn a_refused_variant_is_bad_input() {
    let simulator = script(|_, _, _, _| RunStop::Refused("topic 'orders': why".to_owned()));
    let Err(error) = run(&plan(&["pre-4485"], 3, 2, None), &simulator) else { panic!("it was taken") };
    assert_eq!(error.exit_code(), ExitCode::BadInput);
    assert_eq!(error.to_string(), "scenario under pre-4485: topic 'orders': why");
}
