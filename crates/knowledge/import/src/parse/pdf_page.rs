//! The letters of a PDF's page: where they stand, and whether a reader sees them. Makes no words or lines of them.

use hayro_interpret::font::Glyph;
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::{
    BlendMode, ClipPath, Device, FillRule, GlyphDrawMode, Image, Paint, PathDrawMode, SoftMask,
};
use kurbo::{Affine, BezPath, Point, Rect, Shape};

use super::pdf_ground::{Colour, Grounds, Ink};
use super::pdf_type3::Type3Sizes;

/// Letters below this size cannot be read by anyone.
const LETTER_POINTS_MIN: f64 = 1.0;
/// Paint more transparent than this is none.
const ALPHA_MIN: f32 = 0.1;
/// A scan has at least so many dots for a point; less cannot be read.
const SCAN_DOTS_PER_POINT_MIN: f64 = 0.5;
/// Invisible text is the text of a scan only where scans make up this much of a page.
const SCAN_PERCENT_MIN: usize = 25;
/// Lines at least this wide can be the ground behind text.
const BROAD_LINE_POINTS_MIN: f64 = 2.0;
const LETTERS_PER_PAGE_MAX: usize = 1_000_000;
/// From the base of a letter to its middle and its ends, in thousandths of its size.
const MIDDLE: f64 = 250.0;
const FOOT: f64 = -200.0;
const HEAD: f64 = 700.0;
/// What a letter is as wide as if its font does not say.
const WIDTH_UNKNOWN: f64 = 500.0;

/// A letter, or several that are one glyph.
#[derive(Debug)]
pub(super) struct Letter {
    pub(super) text: BfString,
    /// The left end of its base, upwards from the foot of the page.
    pub(super) left: f64,
    pub(super) base: f64,
    pub(super) right: f64,
    pub(super) size: f64,
    middle: Point,
    look: Look,
    drawn_at: u32,
}

/// Where a glyph stands on its page.
#[derive(Debug)]
struct Drawn {
    left: f64,
    base: f64,
    right: f64,
    size: f64,
    middle: Point,
    area: Rect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Painted,
    /// Put on the page without ink, as over scans.
    Unpainted,
    Hidden,
    /// A space. It is seen or not as what is before it.
    Blank,
}

/// What a page says.
#[derive(Debug)]
pub(super) struct PageLetters {
    /// In the order the file draws them.
    pub(super) seen: Vec<Letter>,
    pub(super) hidden: usize,
    /// Glyphs that are seen, of fonts that do not say which letters they are.
    pub(super) unreadable: usize,
    pub(super) is_cut: bool,
}

/// A group of what is drawn that is put on the page as one.
#[derive(Debug)]
struct Group {
    opacity: f32,
    is_plain: bool,
}

#[derive(Debug)]
pub(super) struct PageDevice<'s> {
    sheet: Rect,
    grounds: Grounds,
    sizes: &'s mut Type3Sizes,
    groups: Vec<Group>,
    has_mask: bool,
    blend: BlendMode,
    /// Counts what is drawn.
    moment: u32,
    letters: Vec<Letter>,
    unreadable: usize,
    is_cut: bool,
}

impl<'s> PageDevice<'s> {
    /// For a page of this size, whose lower left corner is the origin.
    pub(super) fn new(width: f64, height: f64, sizes: &'s mut Type3Sizes) -> Self {
        Self {
            sheet: Rect::new(0.0, 0.0, width, height),
            grounds: Grounds::new(width, height),
            sizes,
            groups: Vec::new(),
            has_mask: false,
            blend: BlendMode::Normal,
            moment: 0,
            letters: Vec::new(),
            unreadable: 0,
            is_cut: false,
        }
    }

    pub(super) fn finish(self) -> PageLetters {
        let has_scan = self.grounds.scan_percent() >= SCAN_PERCENT_MIN;
        let mut seen = Vec::with_capacity(self.letters.len());
        let mut hidden = 0;
        let mut last_is_seen = true;
        for letter in self.letters {
            let is_seen = match letter.look {
                Look::Painted => !(self.grounds).was_covered_after(letter.middle, letter.drawn_at),
                Look::Unpainted => has_scan && self.grounds.is_scan(letter.middle),
                Look::Hidden => false,
                Look::Blank => last_is_seen,
            };
            if letter.look != Look::Blank {
                hidden += usize::from(!is_seen);
            }
            last_is_seen = is_seen;
            if is_seen {
                seen.push(letter);
            }
        }
        PageLetters {
            seen,
            hidden,
            unreadable: self.unreadable,
            is_cut: self.is_cut,
        }
    }

    /// Where a glyph is; nothing if it draws nothing.
    fn drawn<'a>(
        &mut self,
        glyph: &Glyph<'a>,
        place: Affine,
        paint: &Paint<'a>,
        text: Option<&BfString>,
    ) -> Option<Drawn> {
        let [a, b, c, d, left, base] = place.as_coeffs();
        let (across, up) = (a.hypot(b) * 1000.0, c.hypot(d) * 1000.0);
        let numbers = [across, up, left, base];
        if !numbers.iter().all(|number| number.is_finite()) {
            return None;
        }
        let (area, middle, advance, size) = match glyph {
            Glyph::Outline(glyph) => {
                let width = glyph.advance_width().map_or(WIDTH_UNKNOWN, f64::from);
                let area = Rect::new(0.0, FOOT, width, HEAD);
                let middle = Point::new(width / 2.0, MIDDLE);
                let size = if across < LETTER_POINTS_MIN {
                    across
                } else {
                    up
                };
                (area, middle, width, size)
            }
            Glyph::Type3(glyph) => {
                let nothing = text.is_some_and(is_white_space).then_some(Rect::ZERO);
                let area = self.sizes.area(glyph, paint).or(nothing)?;
                let drawn = place.transform_rect_bbox(area);
                let side = drawn.width().max(drawn.height());
                // Its unit is its own, and not the size of letters where it draws larger ones.
                let size = if side > 1.2 * up { 1.4 * side } else { up };
                // Its width is not known: as much room is taken to be after it as is before it.
                (area, area.center(), area.x1 + area.x0.max(0.0), size)
            }
        };
        Some(Drawn {
            left,
            base,
            right: left + advance / 1000.0 * across,
            size,
            middle: place * middle,
            area: place.transform_rect_bbox(area),
        })
    }

    fn opacity(&self) -> f32 {
        self.groups.iter().map(|group| group.opacity).product()
    }

    /// The colour that paint comes to, unless that depends on more than is looked at here.
    fn colour(&self, paint: &Paint<'_>) -> Option<Colour> {
        let Paint::Color(colour) = paint else {
            return None;
        };
        if self.has_mask || !self.groups.iter().all(|group| group.is_plain) {
            return None;
        }
        let [red, green, blue, _] = colour.to_rgba().to_rgba8();
        let [.., alpha] = colour.to_rgba().components();
        Some(Colour {
            rgb: [red, green, blue],
            alpha: alpha * self.opacity(),
            blend: self.blend,
        })
    }

    fn look(&self, drawn: &Drawn, paint: &Paint<'_>, mode: &GlyphDrawMode) -> Look {
        if !self.sheet.contains(drawn.middle) || self.grounds.is_clipped_away(drawn.area) {
            return Look::Hidden;
        }
        if matches!(mode, GlyphDrawMode::Invisible) {
            return Look::Unpainted;
        }
        match self.colour(paint) {
            Some(colour) if colour.alpha < ALPHA_MIN => Look::Unpainted,
            Some(colour) if !self.grounds.shows(drawn.middle, colour) => Look::Hidden,
            _ => Look::Painted,
        }
    }

    fn add(&mut self, letter: Letter, mode: &GlyphDrawMode) {
        // Letters with an outline of another colour come twice.
        if let (Some(last), GlyphDrawMode::Stroke(_)) = (self.letters.last_mut(), mode)
            && last.left == letter.left
            && last.base == letter.base
            && last.text == letter.text
        {
            if letter.look == Look::Painted {
                last.look = Look::Painted;
            }
            return;
        }
        if self.letters.len() >= LETTERS_PER_PAGE_MAX {
            self.is_cut = true;
            return;
        }
        self.letters.push(letter);
    }
}

impl<'a> Device<'a> for PageDevice<'_> {
    fn draw_glyph(
        &mut self,
        glyph: &Glyph<'a>,
        transform: Affine,
        glyph_transform: Affine,
        paint: &Paint<'a>,
        mode: &GlyphDrawMode,
    ) {
        self.moment = self.moment.saturating_add(1);
        let place = transform * glyph_transform;
        let text = glyph.as_unicode().filter(says_something);
        // What draws nothing is no letter, whatever the file says it means.
        let Some(drawn) = self.drawn(glyph, place, paint, text.as_ref()) else {
            return;
        };
        let look = if text.as_ref().is_some_and(is_white_space) {
            Look::Blank
        } else if drawn.size < LETTER_POINTS_MIN {
            Look::Hidden
        } else {
            self.look(&drawn, paint, mode)
        };
        let Some(text) = text else {
            let is_blank = matches!(glyph, Glyph::Outline(glyph) if glyph.outline().is_empty());
            self.unreadable += usize::from(look == Look::Painted && !is_blank);
            return;
        };
        let letter = Letter {
            text,
            left: drawn.left,
            base: drawn.base,
            right: drawn.right,
            size: drawn.size,
            middle: drawn.middle,
            look,
            drawn_at: self.moment,
        };
        self.add(letter, mode);
    }

    fn draw_path(
        &mut self,
        path: &BezPath,
        transform: Affine,
        paint: &Paint<'a>,
        mode: &PathDrawMode,
    ) {
        self.moment = self.moment.saturating_add(1);
        let ink = self.colour(paint).map_or(Ink::Unknown, Ink::Colour);
        match mode {
            PathDrawMode::Fill(rule) => {
                self.grounds
                    .paint(&(transform * path.clone()), *rule, ink, self.moment);
            }
            PathDrawMode::Stroke(line) => {
                let scale = transform.determinant().abs().sqrt();
                if f64::from(line.line_width) * scale < BROAD_LINE_POINTS_MIN {
                    return;
                }
                let style = kurbo::Stroke::new(line.line_width.into())
                    .with_caps(line.line_cap)
                    .with_join(line.line_join);
                let broad = kurbo::stroke(path, &style, &kurbo::StrokeOpts::default(), 0.5);
                self.grounds
                    .paint(&(transform * broad), FillRule::NonZero, ink, self.moment);
            }
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, transform: Affine) {
        self.moment = self.moment.saturating_add(1);
        if self.opacity() < ALPHA_MIN {
            return;
        }
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        let dots = Rect::new(0.0, 0.0, width, height);
        let [a, b, c, d, ..] = transform.as_coeffs();
        let points_per_dot = a.hypot(b).max(c.hypot(d));
        let ink = match points_per_dot * SCAN_DOTS_PER_POINT_MIN <= 1.0 {
            true => Ink::Scan,
            false => Ink::Unknown,
        };
        let area = transform * dots.to_path(0.1);
        self.grounds
            .paint(&area, FillRule::NonZero, ink, self.moment);
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.grounds.push_clip(&clip.path, clip.fill);
    }

    fn pop_clip_path(&mut self) {
        self.grounds.pop_clip();
    }

    fn push_transparency_group(
        &mut self,
        opacity: f32,
        mask: Option<SoftMask<'a>>,
        blend: BlendMode,
    ) {
        self.groups.push(Group {
            opacity,
            is_plain: mask.is_none() && blend == BlendMode::Normal,
        });
    }

    fn pop_transparency_group(&mut self) {
        self.groups.pop();
    }

    fn set_soft_mask(&mut self, mask: Option<SoftMask<'a>>) {
        self.has_mask = mask.is_some();
    }

    fn set_blend_mode(&mut self, blend: BlendMode) {
        self.blend = blend;
    }
}

fn says_something(text: &BfString) -> bool {
    match text {
        BfString::Char(letter) => !matches!(letter, '\0' | '\u{fffd}'),
        BfString::String(letters) => !letters.is_empty(),
    }
}

fn is_white_space(text: &BfString) -> bool {
    match text {
        BfString::Char(letter) => letter.is_whitespace(),
        BfString::String(letters) => letters.chars().all(char::is_whitespace),
    }
}
