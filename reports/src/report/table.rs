//! A table of text.

use std::fmt::Write;

/// Lays rows out in columns two blanks apart: the first column to the left, the others to the
/// right. Headers may have several lines, and stand at the bottom of theirs.
pub fn lay_out(header: &[&str], rows: &[Vec<String>]) -> String {
    let headers: Vec<Vec<&str>> = header.iter().map(|title| title.split('\n').collect()).collect();
    let height = headers.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len())
        .map(|column| {
            let titles = headers[column].iter().map(|line| width(line));
            let cells = rows.iter().map(|row| width(&row[column]));
            titles.chain(cells).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for line in 0..height {
        let cells = headers.iter().map(|lines| {
            let above = height - lines.len();
            if line < above { "" } else { lines[line - above] }
        });
        push_row(&mut text, &widths, cells);
    }
    let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
    push_row(&mut text, &widths, rule.iter().map(String::as_str));
    for row in rows {
        push_row(&mut text, &widths, row.iter().map(String::as_str));
    }
    text
}

fn push_row<'a>(text: &mut String, widths: &[usize], cells: impl Iterator<Item = &'a str>) {
    let mut line = String::new();
    for (column, cell) in cells.enumerate() {
        let padding = " ".repeat(widths[column] - width(cell));
        match column {
            0 => write!(line, "{cell}{padding}"),
            _ => write!(line, "  {padding}{cell}"),
        }
        .expect("a String takes everything");
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Breaks text at blanks so that no line is wider than `width_max`: the first line keeps its
/// indent, later ones get `indent`. A number stays with its unit.
pub fn wrap(text: &str, width_max: usize, indent: &str) -> String {
    let words = text.trim_start();
    let mut wrapped = String::new();
    let mut line = text[..text.len() - words.len()].to_owned();
    let mut is_begun = false;
    for word in unbreakable(words) {
        if is_begun && width(&line) + 1 + width(&word) > width_max {
            wrapped.push_str(&line);
            wrapped.push('\n');
            line = indent.to_owned();
        } else if is_begun {
            line.push(' ');
        }
        line.push_str(&word);
        is_begun = true;
    }
    wrapped.push_str(&line);
    wrapped.push('\n');
    wrapped
}

/// The words of a text; units belong to the word before them.
fn unbreakable(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let is_unit =
            matches!(word.trim_end_matches([',', '.', ';', ')', ':']), "%" | "ms" | "s" | "min" | "h");
        match words.last_mut() {
            Some(last) if is_unit => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["pre-4485".to_owned(), "6".to_owned()], vec!["é".to_owned(), "12".to_owned()]];
        assert_eq!(
            lay_out(&["criterion", "ISR\nshrinks"], &rows),
            "               ISR\ncriterion  shrinks\n─────────  ───────\npre-4485         6\né               12\n"
        );
    }

    #[test]
    fn long_lines_are_broken() {
        assert_eq!(wrap("one two three", 7, "  "), "one two\n  three\n");
        assert_eq!(wrap("unbreakable", 3, "  "), "unbreakable\n");
        assert_eq!(wrap("    in for 70 s.", 12, "  "), "    in for\n  70 s.\n");
    }
}
