//! The two themes. Marks stand out from the ground by 3:1, text by 4.5:1; a test computes it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// As many series as there are colours, dashes, markers and hatchings.
pub const SERIES_MAX: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl Colour {
    pub(crate) fn mix(self, other: Self, share: f64) -> Self {
        let one = |a: u8, b: u8| {
            (f64::from(a) + (f64::from(b) - f64::from(a)) * share.clamp(0.0, 1.0)).round() as u8
        };
        Self(
            one(self.0, other.0),
            one(self.1, other.1),
            one(self.2, other.2),
        )
    }

    /// Relative luminance as WCAG defines it.
    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                libm::pow((c + 0.055) / 1.055, 2.4)
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    pub(crate) fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Black or white, whichever reads better on this colour.
    pub(crate) fn legible(self) -> Self {
        let (black, white) = (Self(0, 0, 0), Self(255, 255, 255));
        if self.contrast(white) >= self.contrast(black) {
            white
        } else {
            black
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Palette {
    pub(crate) ground: Colour,
    pub(crate) ink: Colour,
    /// Of captions, ticks and notes.
    pub(crate) soft: Colour,
    pub(crate) grid: Colour,
    pub(crate) axis: Colour,
    /// Behind boxes that hold text.
    pub(crate) panel: Colour,
    pub(crate) marks: [Colour; SERIES_MAX],
    /// Of heat maps, from little to much.
    pub(crate) ramp: [Colour; 3],
    /// Of heat maps around a middle: far below, middle, far above.
    pub(crate) around: [Colour; 3],
}

const LIGHT: Palette = Palette {
    ground: Colour(0xff, 0xff, 0xff),
    ink: Colour(0x17, 0x20, 0x2b),
    soft: Colour(0x55, 0x60, 0x6d),
    grid: Colour(0xe4, 0xe8, 0xed),
    axis: Colour(0x8a, 0x94, 0xa0),
    panel: Colour(0xf3, 0xf5, 0xf8),
    marks: [
        Colour(0x00, 0x72, 0xb2),
        Colour(0xd5, 0x5e, 0x00),
        Colour(0x00, 0x8f, 0x68),
        Colour(0xb3, 0x4f, 0x8b),
        Colour(0x6e, 0x3c, 0x00),
        Colour(0x33, 0x2f, 0x86),
        Colour(0x2b, 0x90, 0xbf),
        Colour(0x5c, 0x66, 0x70),
    ],
    ramp: [
        Colour(0xe6, 0xf1, 0xf8),
        Colour(0x5a, 0xa7, 0xd3),
        Colour(0x05, 0x3c, 0x6b),
    ],
    around: [
        Colour(0x0b, 0x5c, 0x94),
        Colour(0xf2, 0xf3, 0xf5),
        Colour(0xb8, 0x4a, 0x00),
    ],
};

const DARK: Palette = Palette {
    ground: Colour(0x12, 0x17, 0x1d),
    ink: Colour(0xec, 0xf0, 0xf4),
    soft: Colour(0xa6, 0xb0, 0xbb),
    grid: Colour(0x2a, 0x32, 0x3b),
    axis: Colour(0x6b, 0x76, 0x82),
    panel: Colour(0x1d, 0x24, 0x2c),
    marks: [
        Colour(0x56, 0xb4, 0xe9),
        Colour(0xf0, 0x8a, 0x3c),
        Colour(0x2f, 0xc4, 0x98),
        Colour(0xdd, 0x8f, 0xbd),
        Colour(0xf0, 0xe4, 0x42),
        Colour(0x8f, 0x8a, 0xf0),
        Colour(0xb5, 0xdc, 0xf5),
        Colour(0x98, 0xa3, 0xae),
    ],
    ramp: [
        Colour(0x1b, 0x2b, 0x39),
        Colour(0x2b, 0x7c, 0xab),
        Colour(0xbf, 0xe4, 0xfa),
    ],
    around: [
        Colour(0x56, 0xb4, 0xe9),
        Colour(0x26, 0x2d, 0x35),
        Colour(0xf0, 0x8a, 0x3c),
    ],
};

impl Theme {
    pub(crate) fn palette(self) -> &'static Palette {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl Palette {
    pub(crate) fn mark(&self, series: usize) -> Colour {
        self.marks[series % SERIES_MAX]
    }

    pub(crate) fn on_ramp(stops: &[Colour; 3], share: f64) -> Colour {
        if share < 0.5 {
            stops[0].mix(stops[1], share * 2.0)
        } else {
            stops[1].mix(stops[2], share * 2.0 - 1.0)
        }
    }
}

#[cfg(test)]
#[path = "theme_tests.rs"]
mod tests;
