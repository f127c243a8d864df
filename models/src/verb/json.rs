//! The answer as JSON.

use std::io::{self, Write};

use serde_json::json;

use super::replication::Answer;

pub(super) fn write(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
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
    let document = json!({
        "matrix": matrix.collect::<Vec<_>>(),
        "unexercised": answer.unexercised(),
        "strict": answer.strict,
        "exit_code": answer.exit_code(),
        "reports": reports,
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
