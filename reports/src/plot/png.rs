//! PNG from the very SVG, with bundled fonts: the machine needs none.

use resvg::{tiny_skia, usvg};
use std::sync::Arc;

const REGULAR: &[u8] = include_bytes!("../../fonts/NotoSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../../fonts/NotoSans-Bold.ttf");

/// Width of a PNG in pixels: about 290 to the inch at paper width.
const WIDTH_PX: u32 = 2_040;

/// Draws an SVG.
///
/// # Errors
/// A text that says what the SVG or its size is not fit for.
pub fn svg_to_png(svg: &str) -> Result<Vec<u8>, String> {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(BOLD.to_vec());
    let options = usvg::Options {
        font_family: "Noto Sans".to_owned(),
        fontdb: Arc::new(fonts),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(&drawable(svg), &options).map_err(|error| error.to_string())?;
    let size = tree.size();
    let scale = WIDTH_PX as f32 / size.width();
    let height_px = (size.height() * scale).ceil() as u32;
    let mut pixmap = tiny_skia::Pixmap::new(WIDTH_PX, height_px)
        .ok_or_else(|| format!("{WIDTH_PX} × {height_px} pixels are too many"))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| error.to_string())
}

/// What the bundled fonts hold, as the first and last character of each range beyond ASCII.
const GLYPHS: [(char, char); 9] = [
    ('\u{a0}', '\u{17f}'),
    ('\u{218}', '\u{21b}'),
    ('\u{2c6}', '\u{2dd}'),
    ('\u{370}', '\u{45f}'),
    ('\u{490}', '\u{491}'),
    ('\u{2010}', '\u{203a}'),
    ('\u{2070}', '\u{208e}'),
    ('\u{20ac}', '\u{20ac}'),
    ('\u{fffd}', '\u{fffd}'),
];

/// The SVG with a replacement sign for each character that no bundled font has, so that a
/// reader sees that something is there. The SVG file itself keeps them all.
fn drawable(svg: &str) -> String {
    let has_glyph =
        |c: char| c.is_ascii() || GLYPHS.iter().any(|(first, last)| (*first..=*last).contains(&c));
    svg.chars().map(|c| if has_glyph(c) { c } else { '\u{fffd}' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_glyph_is_seen_to_be_there() {
        assert_eq!(drawable("é×日"), "é×\u{fffd}");
    }

    #[test]
    fn what_is_no_svg_is_refused() {
        assert!(svg_to_png("no svg").is_err());
    }
}
