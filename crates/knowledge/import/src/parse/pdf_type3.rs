//! How large the glyphs of Type 3 fonts are. Such fonts draw each glyph with a small page of its own, in any unit.

use std::collections::HashMap;

use hayro_interpret::font::{Glyph, Type3Glyph};
use hayro_interpret::{
    BlendMode, CacheKey, ClipPath, Device, GlyphDrawMode, Image, Paint, PathDrawMode, SoftMask,
};
use kurbo::{Affine, BezPath, Rect, Shape};

/// Of different glyphs whose size is kept, in a whole file.
const GLYPHS_KEPT_MAX: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct Type3Sizes {
    kept: HashMap<u128, Option<Rect>>,
}

impl Type3Sizes {
    /// The area that a glyph draws on, in thousandths of the text's size; nothing if it draws nothing.
    pub(super) fn area<'a>(&mut self, glyph: &Type3Glyph<'a>, paint: &Paint<'a>) -> Option<Rect> {
        let key = glyph.cache_key();
        if let Some(area) = self.kept.get(&key) {
            return *area;
        }
        let mut drawn = Drawn { area: None };
        glyph.interpret(&mut drawn, Affine::IDENTITY, Affine::IDENTITY, paint);
        if self.kept.len() < GLYPHS_KEPT_MAX {
            self.kept.insert(key, drawn.area);
        }
        drawn.area
    }
}

struct Drawn {
    area: Option<Rect>,
}

impl Drawn {
    fn add(&mut self, area: Rect) {
        if area.is_finite() {
            self.area = Some(self.area.map_or(area, |before| before.union(area)));
        }
    }
}

impl<'a> Device<'a> for Drawn {
    fn draw_path(&mut self, path: &BezPath, place: Affine, _: &Paint<'a>, _: &PathDrawMode) {
        self.add(place.transform_rect_bbox(path.bounding_box()));
    }

    fn draw_image(&mut self, image: Image<'a, '_>, place: Affine) {
        let dots = Rect::new(0.0, 0.0, image.width().into(), image.height().into());
        self.add(place.transform_rect_bbox(dots));
    }

    fn draw_glyph(
        &mut self,
        glyph: &Glyph<'a>,
        place: Affine,
        within: Affine,
        _: &Paint<'a>,
        _: &GlyphDrawMode,
    ) {
        if let Glyph::Outline(glyph) = glyph {
            let area = (place * within).transform_rect_bbox(glyph.outline().bounding_box());
            self.add(area);
        }
    }

    fn set_soft_mask(&mut self, _: Option<SoftMask<'a>>) {}
    fn set_blend_mode(&mut self, _: BlendMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip_path(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
