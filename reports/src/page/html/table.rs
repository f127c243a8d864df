//! Tables that sort.

use maud::{Markup, PreEscaped, html};

/// The head of a column.
pub struct Head {
    title: String,
    help: String,
    is_number: bool,
}

impl Head {
    /// A column of texts.
    pub fn text(title: impl Into<String>) -> Self {
        Head { title: title.into(), help: String::new(), is_number: false }
    }

    /// A column of numbers.
    pub fn number(title: impl Into<String>) -> Self {
        Head { title: title.into(), help: String::new(), is_number: true }
    }

    /// With what it means.
    pub fn meaning(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// One value.
pub struct Cell {
    content: Markup,
    sort: Option<String>,
    class: &'static str,
}

impl Cell {
    /// A text, sorted as it stands.
    pub fn text(text: impl AsRef<str>) -> Self {
        Cell { content: html! { (text.as_ref()) }, sort: None, class: "" }
    }

    /// Markup, sorted by `sort`.
    pub fn markup(content: Markup, sort: impl Into<String>) -> Self {
        Cell { content, sort: Some(sort.into()), class: "" }
    }

    /// A number as it is shown; none: there is none, which sorts last.
    pub fn number(value: Option<f64>, show: impl Fn(f64) -> String) -> Self {
        match value {
            Some(value) => {
                Cell { content: html! { (show(value)) }, sort: Some(value.to_string()), class: "" }
            }
            None => Cell { content: PreEscaped("–".to_owned()), sort: Some(String::new()), class: "none" },
        }
    }

    /// With a class of its own.
    pub fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }
}

/// A table.
pub struct Table {
    /// What it shows, for those who do not see it.
    pub caption: String,
    /// The columns.
    pub heads: Vec<Head>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// The table, in a box that scrolls sideways where it is too wide.
    pub fn markup(&self) -> Markup {
        html! {
            div.scroll role="region" aria-label=(self.caption) tabindex="0" {
                table.sorts {
                    caption.unseen { (self.caption) }
                    thead { tr { @for head in &self.heads {
                        th scope="col" class=[head.is_number.then_some("num")] aria-sort="none" {
                            button type="button" title=[(!head.help.is_empty()).then_some(&head.help)] {
                                (head.title)
                            }
                        }
                    } } }
                    tbody { @for row in &self.rows { tr { @for (cell, head) in row.iter().zip(&self.heads) {
                        td class=(classes(head, cell)) data-sort=[&cell.sort] { (cell.content) }
                    } } } }
                }
            }
        }
    }
}

fn classes(head: &Head, cell: &Cell) -> String {
    let number = if head.is_number { "num" } else { "" };
    [number, cell.class].iter().filter(|class| !class.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_numbers_sort_by_value() {
        let table = Table {
            caption: "a \"b\"".into(),
            heads: vec![Head::text("<x>"), Head::number("n").meaning("\"><script>")],
            rows: vec![vec![
                Cell::text("</td><img onerror=alert(1)>"),
                Cell::number(Some(1200.5), |value| format!("{value} ms")),
            ]],
        };
        let text = table.markup().into_string();
        assert!(
            !text.contains("<img") && !text.contains("<script") && text.contains("&lt;/td&gt;"),
            "{text}"
        );
        assert!(text.contains("data-sort=\"1200.5\">1200.5 ms<"), "{text}");
    }
}
