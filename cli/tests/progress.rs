//! The checks tell progress, each in the same way, and the quiet see nothing.

/// Runs the binary: exit code and standard error.
fn isrlab(arguments: &[&str]) -> (i32, String) {
    let output =
        assert_cmd::Command::cargo_bin("isrlab").expect("built").args(arguments).output().expect("run");
    (output.status.code().expect("an exit code"), String::from_utf8(output.stderr).expect("UTF-8"))
}

#[test]
fn every_check_tells_progress_unless_it_is_to_be_quiet() {
    let checks: [&[&str]; 4] = [
        &["check", "timestamps", "--variant", "append-2024"],
        &["check", "mirror-lag", "--offsets", "2", "--rule", "jira", "--condition", "plain"],
        &["check", "share-lag", "--records", "1", "--variant", "kip-1226", "--condition", "plain"],
        &["check", "replication", "--variant", "kip-101", "--replicas", "2"],
    ];
    for check in checks {
        let (code, told) = isrlab(check);
        assert!([0, 1].contains(&code), "{check:?}: {code}, {told}");
        assert!(told.contains(": done, ") && told.contains(" states"), "{check:?}: {told}");
        assert!(!told.contains('\r'), "{check:?}: a pipe is no terminal: {told}");
        for quiet in ["--quiet", "-q"] {
            let (again, told) = isrlab(&[check, &[quiet]].concat());
            assert_eq!((again, told.as_str()), (code, ""), "{check:?}");
        }
    }
}
