//! The answer as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::kept::{self, Kept};
use super::replication::{Answer, Cell};

pub(super) fn write(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(answer))?;
    writeln!(out)
}

fn document(answer: &Answer) -> Value {
    let cells = answer.cells();
    let matrix = cells.iter().map(|cell| {
        json!({
            "variant": cell.model.name(),
            "model": cell.report.model,
            "claim": cell.claim.name,
            "verdict": cell.claim.verdict,
            "counterexample_states": cell.claim.counterexample_states(),
            "comparison": cell.comparison.to_string(),
        })
    });
    let reports: Vec<_> = answer.rows.iter().flat_map(|row| &row.reports).collect();
    json!({
        "matrix": matrix.collect::<Vec<_>>(),
        "unexercised": answer.unexercised(),
        "strict": answer.strict,
        "exit_code": answer.exit_code(),
        "reports": reports,
    })
}

/// Keeps the answer and its counterexamples.
pub(super) fn keep(kept: &mut Kept, answer: &Answer) {
    let cells = answer.cells();
    let mut document = document(answer);
    let told =
        |cell: &Cell<'_>| kept::cell(cell.model.name(), None, cell.report, cell.claim, &cell.comparison);
    document["matrix"] = cells.iter().map(told).collect();
    kept.answer(&document);
    for cell in &cells {
        if let Some(trace) = &cell.claim.counterexample {
            kept.trace(&format!("{}-{}", cell.model.name(), cell.claim.name), trace);
        }
    }
}
