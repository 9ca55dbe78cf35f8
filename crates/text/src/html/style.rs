//! What the declarations that can take an element out of sight do together.

use super::colour::Colour;

const FONT_PX_MIN: f32 = 2.5;
pub(super) const FONT_PX_DEFAULT: f32 = 16.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Normal,
    Important,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Declaration {
    pub(super) value: Value,
    pub(super) weight: Weight,
}

/// Where a declaration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Rule,
    Element,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    /// One of the properties that either hide an element with all that is in it, or do not.
    Hiding(Hiding, Effect),
    Visibility(Effect),
    FontSize(FontSize),
    Ink(Colour),
    Paper(Option<Colour>),
    PaperPicture(Effect),
    /// Shows a picture through the letters.
    InkFromPaper(Effect),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Hides,
    Shows,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hiding {
    Display,
    Opacity,
    Left,
    Top,
    Right,
    Bottom,
    TextIndent,
    MarginLeft,
    MarginTop,
    Clip,
    ClipPath,
    Transform,
    Translate,
    Scale,
    ContentVisibility,
    Height,
    MaxHeight,
    Width,
    MaxWidth,
    Overflow,
}

impl Hiding {
    fn bit(self) -> u32 {
        1 << self as u32
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FontSize {
    Px(f32),
    /// Of the size around it.
    Times(f32),
}

/// What an element takes over from the one around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Inherited {
    visibility: Effect,
    font_px: f32,
    ink: Option<(Colour, Origin)>,
    ink_from_paper: Effect,
    /// What is behind the text, if the page says so.
    paper: Option<Colour>,
}

impl Default for Inherited {
    fn default() -> Self {
        Self {
            visibility: Effect::Shows,
            font_px: FONT_PX_DEFAULT,
            ink: None,
            ink_from_paper: Effect::Shows,
            paper: None,
        }
    }
}

impl Inherited {
    /// Whether text that stands directly in the element is out of sight.
    pub(super) fn hides_text(&self) -> bool {
        let is_unreadable = match (self.ink, self.paper) {
            (Some((Colour::Transparent, _)), _) => self.ink_from_paper == Effect::Shows,
            (Some((ink, _)), Some(paper)) => ink.looks_like(paper),
            // Without a word on it the page is white; a rule may stand beside others that are not known here.
            (Some((ink, Origin::Element)), None) => ink.is_white(),
            _ => false,
        };
        self.visibility == Effect::Hides || self.font_px < FONT_PX_MIN || is_unreadable
    }
}

/// The style of one element, as its declarations come, the weightiest last.
#[derive(Debug)]
pub(super) struct Style {
    inherited: Inherited,
    around_font_px: f32,
    hiding: u32,
    /// The sizes that the element itself sets to nothing.
    own_hiding: u32,
    paper: Option<Colour>,
    has_picture: bool,
}

const SIZES: [Hiding; 4] = [
    Hiding::Height,
    Hiding::MaxHeight,
    Hiding::Width,
    Hiding::MaxWidth,
];

impl Style {
    pub(super) fn inside(around: Inherited) -> Self {
        Self {
            inherited: Inherited {
                ink_from_paper: Effect::Shows,
                ..around
            },
            around_font_px: around.font_px,
            hiding: 0,
            own_hiding: 0,
            paper: None,
            has_picture: false,
        }
    }

    pub(super) fn apply(&mut self, value: Value, origin: Origin) {
        match value {
            Value::Hiding(hiding, effect) => {
                let bit = hiding.bit();
                self.hiding &= !bit;
                self.own_hiding &= !bit;
                if effect == Effect::Hides {
                    self.hiding |= bit;
                    self.own_hiding |= if origin == Origin::Element { bit } else { 0 };
                }
            }
            Value::Visibility(effect) => self.inherited.visibility = effect,
            Value::FontSize(FontSize::Px(size)) => self.inherited.font_px = size,
            Value::FontSize(FontSize::Times(share)) => {
                self.inherited.font_px = self.around_font_px * share;
            }
            Value::Ink(ink) => self.inherited.ink = Some((ink, origin)),
            Value::Paper(paper) => self.paper = paper,
            Value::PaperPicture(effect) => self.has_picture = effect == Effect::Hides,
            Value::InkFromPaper(effect) => self.inherited.ink_from_paper = effect,
        }
    }

    /// What the elements inside take over; nothing if this one is hidden with all that is in it.
    pub(super) fn finish(mut self) -> Option<Inherited> {
        let sizes = SIZES.iter().fold(0, |bits, size| bits | size.bit());
        let overflow = Hiding::Overflow.bit();
        let clips = self.hiding & overflow != 0;
        // What a rule makes zero wide may still show what runs over, as cells of tables do.
        let is_squeezed = self.hiding & sizes != 0 && clips || self.own_hiding & sizes != 0;
        if is_squeezed || self.hiding & !(sizes | overflow) != 0 {
            return None;
        }
        if self.has_picture {
            self.inherited.paper = Some(Colour::Unknown);
        } else if let Some(paper) = self.paper.filter(|paper| *paper != Colour::Transparent) {
            self.inherited.paper = Some(paper);
        }
        Some(self.inherited)
    }
}
