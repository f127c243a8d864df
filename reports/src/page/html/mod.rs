//! The page as HTML: one file with everything in it.

mod parts;
mod policy;
mod shell;
mod table;

pub use parts::{command, details, mark_sign, note_list};
pub use shell::{PageParts, Verdict, VerdictMark, shell};
pub use table::{Cell, Head, Table};

/// JSON that can stand in a `<script>`: nothing in it looks like a tag to an HTML parser.
pub fn script_json(json: &str) -> String {
    // Only strings have these characters, and there an escape means the same.
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_a_script_has_no_tags_and_means_the_same() {
        let name = "</script><img src=x onerror=alert(1)><!-- \u{2028}";
        let json = serde_json::to_string(name).unwrap();
        let safe = script_json(&json);
        assert!(!safe.contains('<') && !safe.contains('\u{2028}'));
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), name);
    }
}
