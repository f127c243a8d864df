//! The scenario reference, as Markdown.

/// The reference of the format: every table, key, metric and profile.
pub fn reference() -> String {
    String::new()
}
