//! What a check leaves for a report: its answer as one JSON document, and its counterexamples.

use serde_json::{Value, json};

use crate::checker::Report;
use crate::expected::Comparison;
use crate::trace::{Trace, mermaid, text};

/// The name of the file with the answer.
pub const ANSWERS: &str = "answers.json";

/// One file, to be written by whoever asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub content: String,
}

/// Gathers files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The files, in the order in which they are to be listed.
    pub files: Vec<KeptFile>,
}

impl Kept {
    /// Keeps the answer.
    pub(crate) fn answer(&mut self, document: &Value) {
        let mut content = serde_json::to_string(document).expect("plain JSON can be written");
        content.push('\n');
        self.files.push(KeptFile { name: ANSWERS.to_owned(), content });
    }

    /// Keeps a counterexample as text and as a Mermaid diagram.
    pub(crate) fn trace(&mut self, name: &str, trace: &Trace) {
        let full = text::TextOptions { full_state: true };
        self.file(format!("{name}.txt"), text::render(trace, full));
        self.file(format!("{name}.mmd"), mermaid::render(trace));
    }

    /// Keeps a file.
    pub(crate) fn file(&mut self, name: String, content: String) {
        self.files.push(KeptFile { name, content });
    }
}

/// One claim of one check, as all checks but that of the ISR tell it.
pub(crate) fn cell(
    variant: &str,
    condition: Option<&str>,
    report: &Report,
    claim: &crate::checker::ClaimReport,
    comparison: &Comparison,
) -> Value {
    json!({
        "variant": variant,
        "condition": condition,
        "model": report.model,
        "claim": claim.name,
        "verdict": claim.verdict,
        "counterexample_states": claim.counterexample_states(),
        "comparison": comparison.to_string(),
        "as_expected": !matches!(comparison, Comparison::Changed(_)),
    })
}
