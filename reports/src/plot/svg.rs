//! Writes SVG: a few shapes, numbers of fixed precision, everything escaped.

use std::fmt::Write;

/// An SVG document under construction. Lengths are points of paper.
#[derive(Debug, Default)]
pub struct Svg {
    body: String,
    clips: usize,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    /// Font size.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub fill: &'static str,
    /// Where it stands.
    pub anchor: Anchor,
}

/// A length with at most two decimals.
pub fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A text as XML takes it: special characters escaped, what XML cannot hold replaced.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\r' | '\t' => escaped.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

macro_rules! push {
    ($svg:expr, $($part:tt)*) => {
        writeln!($svg.body, $($part)*).expect("a String takes everything")
    };
}

impl Svg {
    /// A filled rectangle.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str, opacity: f64) {
        let opacity =
            if opacity < 1.0 { format!(" fill-opacity=\"{}\"", number(opacity)) } else { String::new() };
        push!(
            self,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"{opacity}/>",
            number(x),
            number(y),
            number(width),
            number(height)
        );
    }

    /// A line; `dash` is empty for a solid one.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64, dash: &str) {
        let path = format!("M{} {}L{} {}", number(from.0), number(from.1), number(to.0), number(to.1));
        self.stroke(&path, stroke, width, dash);
    }

    /// A stroked path.
    pub fn stroke(&mut self, path: &str, stroke: &str, width: f64, dash: &str) {
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        push!(
            self,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}/>",
            number(width)
        );
    }

    /// A filled path.
    pub fn fill(&mut self, path: &str, fill: &str, opacity: f64) {
        let opacity =
            if opacity < 1.0 { format!(" fill-opacity=\"{}\"", number(opacity)) } else { String::new() };
        push!(self, "<path d=\"{path}\" fill=\"{fill}\"{opacity}/>");
    }

    /// A text; `y` is its base line.
    pub fn text(&mut self, x: f64, y: f64, text: &str, style: TextStyle) {
        let weight = if style.bold { " font-weight=\"700\"" } else { "" };
        let anchor = match style.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        push!(
            self,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{weight}{anchor}>{}</text>",
            number(x),
            number(y),
            number(style.size),
            style.fill,
            escape(text)
        );
    }

    /// Opens a group with a name, for those who edit the figure.
    pub fn open_group(&mut self, label: &str) {
        push!(self, "<g aria-label=\"{}\">", escape(label));
    }

    /// Opens a group of which nothing is seen outside of a rectangle.
    pub fn open_clip(&mut self, x: f64, y: f64, width: f64, height: f64) {
        self.clips += 1;
        let id = self.clips;
        push!(self, "<clipPath id=\"clip{id}\">");
        self.rect(x, y, width, height, "#000", 1.0);
        push!(self, "</clipPath>\n<g clip-path=\"url(#clip{id})\">");
    }

    /// Closes the group.
    pub fn close_group(&mut self) {
        push!(self, "</g>");
    }

    /// The document, `width` points wide on paper.
    pub fn finish(self, width: f64, height: f64, title: &str, description: &str) -> String {
        let millimetres = |points: f64| number(points * 25.4 / 72.0);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\" role=\"img\" \
             font-family=\"'Noto Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
            millimetres(width),
            millimetres(height),
            number(width),
            number(height),
            escape(title),
            escape(description),
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out() {
        assert_eq!(escape("a<b>&\"c\"\n\u{1}日"), "a&lt;b&gt;&amp;&quot;c&quot; \u{fffd}日");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [number(1.0), number(-0.001), number(2.345), number(10.0)],
            ["1", "0", "2.35", "10"].map(String::from)
        );
    }
}
