//! The page of a check.

mod answers;
mod isr;
mod matrix;
mod trace;

use super::error::PageError;
use super::html::{PageParts, command};
use super::source::Source;
use crate::output::CheckManifest;
use answers::Answers;
use isr::IsrAnswers;
use maud::{Markup, html};

/// The file with the answer.
const ANSWERS: &str = "answers.json";

const SCRIPT: &str = include_str!("../../../assets/check.js");

/// The page of a folder with a check.
///
/// # Errors
/// If a file is not what it should be.
pub fn page(source: &Source) -> Result<PageParts, PageError> {
    let manifest: CheckManifest = source.manifest()?;
    let (verdict, mut sections) = if manifest.check == "isr" {
        let found: IsrAnswers = answers(source)?;
        (isr::verdict(&found), isr::sections(&found))
    } else {
        let found: Answers = answers(source)?;
        (matrix::verdict(&found), matrix::sections(&found))
    };
    sections.push(("reproduce", "Reproduce".to_owned(), reproduce(&manifest)));
    Ok(PageParts {
        kind: "check",
        name: format!("check {}", manifest.check),
        subtitle: subject(&manifest.check).to_owned(),
        verdict,
        sections,
        data: String::new(),
        script: SCRIPT,
    })
}

fn answers<T: serde::de::DeserializeOwned>(source: &Source) -> Result<T, PageError> {
    source.json(ANSWERS)?.ok_or_else(|| {
        let problem = "is not there; it holds all answers: run the manifest's command again with --out";
        PageError::input(&source.file(ANSWERS), None, problem)
    })
}

/// What a check is about.
fn subject(check: &str) -> &'static str {
    match check {
        "isr" => "The guarantees that the in-sync replica set is to give, and what KAFKA-4485 claims",
        "replication" => "Five generations of log truncation and fencing, and ISR changes in flight",
        "timestamps" => "What leaders do to the times of records (KIP-32, KAFKA-3026)",
        "mirror-lag" => "What each rule for MirrorMaker 2’s replication offset lag can be trusted with",
        "share-lag" => "What the lag of a share partition can be trusted with (KIP-1226)",
        _ => "A model, over every run within a bound",
    }
}

fn reproduce(manifest: &CheckManifest) -> Markup {
    html! {
        (command("The same answers:", &manifest.command))
        dl.facts {
            dt { "isrlab" } dd { "version " (manifest.version) }
            dt { "exit code" } dd { (manifest.exit_code) }
            dt { "files" } dd { @for (index, entry) in manifest.files.iter().enumerate() {
                @if index > 0 { ", " }
                code { (entry.file) }
            } }
        }
        p.hint { "The .txt files are the counterexamples as text, the .mmd files as Mermaid sequence diagrams." }
    }
}
