//! Small pieces that all pages have.

use super::VerdictMark;
use maud::{Markup, html};

/// A command with a button that copies it.
pub fn command(label: &str, command: &str) -> Markup {
    html! {
        div.command {
            @if !label.is_empty() { p.label { (label) } }
            div.line {
                code tabindex="0" { (command) }
                button.copy type="button" data-copy=(command) aria-label={ "Copy: " (command) } { "Copy" }
            }
        }
    }
}

/// What opens on demand.
pub fn details(summary: &str, content: Markup) -> Markup {
    html! { details { summary { (summary) } (content) } }
}

/// What a reader should know about the page.
pub fn note_list(notes: &[String]) -> Markup {
    html! { @if !notes.is_empty() { ul.notes { @for note in notes { li { (note) } } } } }
}

/// The sign of a mark, with its meaning for those who do not see it.
pub fn mark_sign(mark: VerdictMark) -> Markup {
    let (class, sign, meaning) = match mark {
        VerdictMark::Good => ("good", "✓", "held"),
        VerdictMark::Bad => ("bad", "✗", "violated"),
        VerdictMark::Unsure => ("unsure", "?", "not settled"),
    };
    html! { span class={ "mark " (class) } role="img" aria-label=(meaning) { (sign) } }
}
