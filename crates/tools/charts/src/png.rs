//! A drawing as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::Drawing;

/// Of the longer side, in pixels.
pub const PNG_SIDE_MAX: f64 = 8000.0;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PngRefusal {
    #[error("a scale of {scale} gives a side of {side} pixels; 1 to {PNG_SIDE_MAX} are allowed")]
    Side { scale: f64, side: f64 },
    #[error("the chart has characters that the built-in font lacks; only the SVG can show them")]
    Characters,
    #[error("the drawing is not valid SVG")]
    Svg,
    #[error("the picture cannot be encoded")]
    Encoding,
}

pub fn png(drawing: &Drawing, scale: f64) -> Result<Vec<u8>, PngRefusal> {
    let (width, height) = (drawing.width * scale, drawing.height * scale);
    let side = width.max(height);
    if !(1.0..=PNG_SIDE_MAX).contains(&side) || width.min(height) < 1.0 {
        return Err(PngRefusal::Side { scale, side });
    }
    if drawing.svg.contains("<text ") {
        return Err(PngRefusal::Characters);
    }
    let tree = Tree::from_str(&drawing.svg, &Options::default()).map_err(|_| PngRefusal::Svg)?;
    let mut pixels =
        Pixmap::new(width.ceil() as u32, height.ceil() as u32).ok_or(PngRefusal::Encoding)?;
    let transform = Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels.encode_png().map_err(|_| PngRefusal::Encoding)
}
