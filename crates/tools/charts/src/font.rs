//! The built-in font: widths and outlines. It does no shaping: one character is one glyph.

use std::fmt::Write;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::Refusal;

const REGULAR: &[u8] = include_bytes!("../font/Roboto-Regular.ttf");
const MEDIUM: &[u8] = include_bytes!("../font/Roboto-Medium.ttf");

/// The built-in font's two weights, for what is set in type beside the charts.
#[must_use]
pub fn fonts() -> [&'static [u8]; 2] {
    [REGULAR, MEDIUM]
}

pub(crate) const UNITS_PER_EM: f64 = 2048.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    Regular,
    Medium,
}

pub(crate) struct Fonts {
    regular: Face<'static>,
    medium: Face<'static>,
}

impl Fonts {
    pub(crate) fn load() -> Result<Self, Refusal> {
        let face = |bytes| Face::parse(bytes, 0).map_err(|_| Refusal::Font);
        Ok(Self {
            regular: face(REGULAR)?,
            medium: face(MEDIUM)?,
        })
    }

    fn face(&self, weight: Weight) -> &Face<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Medium => &self.medium,
        }
    }

    pub(crate) fn glyph(&self, character: char, weight: Weight) -> Option<GlyphId> {
        self.face(weight).glyph_index(character)
    }

    /// In font units. A character the font lacks is taken to be as wide as it is high.
    pub(crate) fn advance(&self, character: char, weight: Weight) -> f64 {
        let face = self.face(weight);
        face.glyph_index(character)
            .and_then(|glyph| face.glyph_hor_advance(glyph))
            .map_or(UNITS_PER_EM, f64::from)
    }

    pub(crate) fn width(&self, text: &str, weight: Weight, size: f64) -> f64 {
        let units: f64 = text.chars().map(|c| self.advance(c, weight)).sum();
        units * size / UNITS_PER_EM
    }

    pub(crate) fn outline(&self, glyph: GlyphId, weight: Weight) -> String {
        let mut path = Path(String::new());
        self.face(weight).outline_glyph(glyph, &mut path);
        path.0
    }
}

/// Font units count upwards, SVG downwards.
struct Path(String);

impl Path {
    fn push(&mut self, command: char, numbers: &[f32]) {
        self.0.push(command);
        for (index, number) in numbers.iter().enumerate() {
            let flipped = if index % 2 == 1 { -number } else { *number };
            let rounded = flipped.round() as i32;
            if index > 0 && rounded >= 0 {
                self.0.push(' ');
            }
            // Writing to a String cannot fail.
            let _ = write!(self.0, "{rounded}");
        }
    }
}

impl OutlineBuilder for Path {
    fn move_to(&mut self, x: f32, y: f32) {
        self.push('M', &[x, y]);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.push('L', &[x, y]);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.push('Q', &[x1, y1, x, y]);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.push('C', &[x1, y1, x2, y2, x, y]);
    }
    fn close(&mut self) {
        self.0.push('Z');
    }
}
