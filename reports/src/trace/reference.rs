//! `docs/trace.md`, made from the table of kinds.

use super::kinds::{COMMON, FIELDS, Field, KINDS, is_frame};
use std::fmt::Write;

/// `docs/trace.md`, in Markdown.
pub fn trace_reference() -> String {
    let mut page = String::from(include_str!("trace_intro.md"));
    page.push_str("\n## Kinds of lines\n\n");
    page.push_str("The first sixteen are the simulator's own events; the others are what comes of one.\n\n");
    page.push_str("| kind | what has happened | fields in JSON Lines |\n|---|---|---|\n");
    for kind in &KINDS {
        let fields: Vec<String> = kind.fields.iter().map(|field| format!("`{field}`")).collect();
        writeln!(page, "| `{}` | {} | {} |", kind.name, kind.meaning, fields.join(", "))
            .expect("a String takes everything");
    }
    page.push_str("\n## Fields in JSON Lines\n\nEvery line has\n\n");
    table(&mut page, &COMMON);
    let frames: Vec<String> =
        KINDS.iter().filter(|kind| is_frame(kind.name)).map(|kind| format!("`{}`", kind.name)).collect();
    writeln!(page, "\n(`event` is null in {}), and by its kind\n", frames.join(" and "))
        .expect("a String takes everything");
    table(&mut page, &FIELDS);
    page
}

fn table(page: &mut String, fields: &[Field]) {
    page.push_str("| field | unit or values | meaning |\n|---|---|---|\n");
    for field in fields {
        writeln!(page, "| `{}` | {} | {} |", field.name, field.unit, field.meaning)
            .expect("a String takes everything");
    }
}
