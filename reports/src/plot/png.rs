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
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size();
    let scale = WIDTH_PX as f32 / size.width();
    let height_px = (size.height() * scale).ceil() as u32;
    let mut pixmap = tiny_skia::Pixmap::new(WIDTH_PX, height_px)
        .ok_or_else(|| format!("{WIDTH_PX} × {height_px} pixels are too many"))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| error.to_string())
}
