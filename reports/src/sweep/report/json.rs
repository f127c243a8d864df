//! A sweep's report as JSON.

use super::SweepReport;
use serde_json::{Value, json};

/// One document.
pub fn json(report: &SweepReport) -> String {
    let cells = report.cells.iter().map(|cell| {
        let (values, criterion) = report.place(cell.cell);
        let settings: serde_json::Map<String, Value> = report
            .axes
            .iter()
            .zip(values)
            .map(|(axis, value)| (axis.key().to_owned(), axis.values()[value].text().into()))
            .collect();
        json!({
            "cell": cell.cell,
            "criterion": report.criteria[criterion],
            "settings": settings,
            "runs": cell.runs,
            "flapped": cell.flapped,
            "shrunk": cell.shrunk,
            "isr_flaps_mean": cell.flaps_mean,
            "isr_shrinks_mean": cell.shrinks_mean,
        })
    });
    let expectations = report.expectations.iter().map(|known| {
        json!({
            "expectation": known.expectation,
            "place": known.place,
            "verdict": known.kind().name(),
            "cells": known.cells(),
            "held": known.held,
            "premise_never_met": known.premise_never_met,
            "violated": known.violated,
            "inconclusive": known.inconclusive,
            "first": {
                "cell": known.first.cell,
                "got": known.first.got,
                "wanted": known.first.wanted,
                "command": known.first.command,
            },
        })
    });
    let document = json!({
        "scenario": report.scenario,
        "command": report.command,
        "exit_code": report.exit_code() as u8,
        "shard": { "index": report.shard.index, "count": report.shard.count },
        "runs": report.runs,
        "runs_finished": report.runs_finished,
        "runs_violated": report.runs_violated,
        "seeds": report.seeds,
        "seeds_matter": report.seeds_matter(),
        "criteria": report.criteria,
        "vary": report.axes.iter().map(|axis| json!({
            "key": axis.key(),
            "column": axis.column(),
            "values": axis.values().iter().map(|value| value.text()).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "cells": cells.collect::<Vec<_>>(),
        "expectations": expectations.collect::<Vec<_>>(),
        "unjudged": report.unjudged,
        "failures_total": report.failures_total,
        "failures": report.failures,
        "notes": report.notes,
        "folder": report.folder.display().to_string(),
        "files": report.files,
    });
    let mut text = serde_json::to_string_pretty(&document).expect("a report is plain data");
    text.push('\n');
    text
}
