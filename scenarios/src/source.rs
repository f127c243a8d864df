//! Where the text of a scenario comes from, and how a place in it is shown.

/// A line and a column, both from 1. A column counts characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
}

/// A piece of one of the [`Sources`], in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    /// Index into [`Sources`].
    pub source: usize,
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// `range` of the scenario's own text.
    pub fn in_file(range: std::ops::Range<usize>) -> Self {
        Span { source: 0, start: range.start, end: range.end }
    }

    /// Whether it is in a `--set`.
    pub fn is_override(self) -> bool {
        self.source > 0
    }
}

/// One text: the scenario itself, or one `--set KEY=VALUE`.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// As it is shown: a path, or `--set`.
    pub name: String,
    pub text: String,
    /// Whether a line and a column mean something to the reader.
    pub has_lines: bool,
}

/// All texts that a scenario is made of; the first is its file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources(Vec<Source>);

/// A line of a source and what to mark in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The line, or the part of a long line around the place; control characters are replaced.
    pub text: String,
    /// How many characters stand before the marked ones.
    pub before: usize,
    /// How many characters to mark; at least 1.
    pub width: usize,
}

/// The most characters of a line that a snippet shows.
const SNIPPET_CHARS_MAX: usize = 100;
/// How many of them stand before the marked place in a line that is longer.
const SNIPPET_CHARS_BEFORE: usize = 40;

impl Sources {
    pub fn new(name: &str, text: &str) -> Self {
        Sources(vec![Source { name: name.to_owned(), text: text.to_owned(), has_lines: true }])
    }

    /// Adds one `--set`; returns its index.
    pub fn push_override(&mut self, text: String) -> usize {
        self.0.push(Source { name: "--set".to_owned(), text, has_lines: false });
        self.0.len() - 1
    }

    pub fn get(&self, index: usize) -> &Source {
        &self.0[index]
    }

    /// Line and column of a span's start; none where they would tell nothing.
    pub fn position(&self, span: Span) -> Option<Position> {
        let source = self.get(span.source);
        source.has_lines.then(|| position(source.text.as_bytes(), span.start))
    }

    /// The line a span starts in.
    pub fn snippet(&self, span: Span) -> Snippet {
        let text = &self.get(span.source).text;
        let start = floor_char(text, span.start);
        let end = floor_char(text, span.end.max(start));
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = text[line_start..line_end].trim_end_matches('\r');
        let column = text[line_start..start].chars().count();
        let marked = text[start..end.clamp(start, line_end)].trim_end().chars().count();
        cut(line, column, marked.max(1))
    }
}

/// Line and column of byte `offset`. Bytes that continue a character do not count.
pub(crate) fn position(text: &[u8], offset: usize) -> Position {
    let before = &text[..offset.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let column = 1 + before[line_start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
    Position { line, column }
}

/// The largest character boundary of `text` that is not above `offset`.
fn floor_char(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// A snippet of a line with at most [`SNIPPET_CHARS_MAX`] characters.
fn cut(line: &str, column: usize, width: usize) -> Snippet {
    let long = line.chars().count() > SNIPPET_CHARS_MAX;
    let skipped = if long { column.saturating_sub(SNIPPET_CHARS_BEFORE) } else { 0 };
    let shown = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    let text: String = line.chars().skip(skipped).take(SNIPPET_CHARS_MAX).map(shown).collect();
    let before = column - skipped;
    let width = width.min(SNIPPET_CHARS_MAX.saturating_sub(before)).max(1);
    Snippet { text, before, width }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let text = "a = 1\r\nä = \"ö\"\n";
        let at = |needle: &str| position(text.as_bytes(), text.find(needle).unwrap());
        assert_eq!(at("a"), Position { line: 1, column: 1 });
        assert_eq!(at("ä"), Position { line: 2, column: 1 });
        assert_eq!(at("\"ö"), Position { line: 2, column: 5 });
        assert_eq!(position(text.as_bytes(), 999), Position { line: 3, column: 1 });
    }

    #[test]
    fn snippets_mark_the_place_and_stay_in_their_line() {
        let sources = Sources::new("f", "a = 1\r\n\tkey = [\n1]\n");
        let snippet = sources.snippet(Span::in_file(14..18));
        assert_eq!(snippet, Snippet { text: " key = [".into(), before: 7, width: 1 });
        let end = sources.snippet(Span::in_file(99..120));
        assert_eq!(end, Snippet { text: String::new(), before: 0, width: 1 });
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}x{}", "é".repeat(5_000), "é".repeat(5_000));
        let sources = Sources::new("f", &text);
        let snippet = sources.snippet(Span::in_file(10_000..10_001));
        assert_eq!(snippet.text.chars().count(), SNIPPET_CHARS_MAX);
        assert_eq!(snippet.text.chars().nth(snippet.before), Some('x'));
    }
}
