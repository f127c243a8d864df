//! JUnit XML.

use super::cases::{Case, Outcome};
use crate::error::ReportError;
use crate::output::WholeFile;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::path::Path;

/// The cases as one document: a suite for each criterion, without times or dates.
pub fn xml(name: &str, cases: &[Case]) -> String {
    let mut suites: Vec<TestSuite> = Vec::new();
    for case in cases {
        let status = match &case.outcome {
            Outcome::Passed => TestCaseStatus::success(),
            Outcome::Skipped(why) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(why.as_str());
                status
            }
            Outcome::Failed { message, details } => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(message.as_str()).set_description(details.as_str());
                status
            }
        };
        let mut test = TestCase::new(case.name.as_str(), status);
        test.set_classname(format!("{name}.{}", case.suite));
        if let Some((file, line)) = case.place.rsplit_once(':') {
            test.extra.insert("file".into(), file.into());
            test.extra.insert("line".into(), line.into());
        }
        match suites.iter_mut().find(|suite| suite.name.as_str() == case.suite) {
            Some(suite) => {
                suite.add_test_case(test);
            }
            None => {
                let mut suite = TestSuite::new(case.suite.as_str());
                suite.add_test_case(test);
                suites.push(suite);
            }
        }
    }
    let mut report = Report::new(format!("isrlab {name}"));
    report.add_test_suites(suites);
    let mut text = report.to_string().expect("a String takes everything");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Writes the document, as a whole or not at all.
///
/// # Errors
/// If the operating system refuses.
pub fn write(path: &Path, name: &str, cases: &[Case]) -> Result<(), ReportError> {
    WholeFile::write(path, xml(name, cases).as_bytes())
}
