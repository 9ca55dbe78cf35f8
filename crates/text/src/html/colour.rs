//! Colours as style sheets and old attributes write them.

use cssparser::color::{parse_hash_color, parse_named_color};
use cssparser::{ParseError, Parser, Token};

/// Colours that differ by no more than this in every part look the same.
const PART_DIFFERENCE_MAX: u8 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    Opaque([u8; 3]),
    Transparent,
    /// Half transparent, or written in a way that is not read here.
    Unknown,
}

impl Colour {
    const WHITE: Self = Self::Opaque([255; 3]);

    pub(super) fn looks_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Opaque(one), Self::Opaque(other)) => one
                .iter()
                .zip(other)
                .all(|(one, other)| one.abs_diff(other) <= PART_DIFFERENCE_MAX),
            _ => false,
        }
    }

    pub(super) fn is_white(self) -> bool {
        self.looks_like(Self::WHITE)
    }

    /// As `color` and `bgcolor` have it: a name, or digits with or without their sign.
    pub(super) fn from_attribute(value: &str) -> Option<Self> {
        let named = parse_named_color(value);
        let [red, green, blue] = match named {
            Ok((red, green, blue)) => [red, green, blue],
            Err(()) => {
                let digits = value.trim_start_matches('#').as_bytes();
                let (red, green, blue, _) = parse_hash_color(digits).ok()?;
                [red, green, blue]
            }
        };
        Some(Self::Opaque([red, green, blue]))
    }

    /// The colour that a token begins, if it begins one. A function is read to its end.
    pub(super) fn from_token(token: &Token, input: &mut Parser) -> Option<Self> {
        match token {
            Token::Hash(digits) | Token::IDHash(digits) => {
                let (red, green, blue, alpha) = parse_hash_color(digits.as_bytes()).ok()?;
                Some(Self::with_alpha([red, green, blue], alpha))
            }
            Token::Ident(name) if name.eq_ignore_ascii_case("transparent") => {
                Some(Self::Transparent)
            }
            Token::Ident(name) => {
                let (red, green, blue) = parse_named_color(name).ok()?;
                Some(Self::Opaque([red, green, blue]))
            }
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                let parts = input.parse_nested_block(|input| Ok::<_, ParseError<()>>(parts(input)));
                let parts = parts.ok()?;
                match name.as_str() {
                    "rgb" | "rgba" => Some(from_rgb(&parts)),
                    "hsl" | "hsla" => Some(from_hsl(&parts)),
                    "hwb" | "lab" | "lch" | "oklab" | "oklch" | "color" | "color-mix"
                    | "light-dark" | "var" => Some(Self::Unknown),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn with_alpha(parts: [u8; 3], alpha: f32) -> Self {
        if alpha <= 0.01 {
            Self::Transparent
        } else if alpha >= 0.99 {
            Self::Opaque(parts)
        } else {
            Self::Unknown
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Part {
    Number(f32),
    /// From 0 to 1.
    Share(f32),
}

fn parts(input: &mut Parser) -> Vec<Part> {
    const PARTS_MAX: usize = 4;
    let mut parts = Vec::new();
    while let Ok(token) = input.next() {
        match token {
            Token::Number { value, .. } | Token::Dimension { value, .. } => {
                parts.push(Part::Number(*value));
            }
            Token::Percentage { unit_value, .. } => parts.push(Part::Share(*unit_value)),
            Token::Comma | Token::Delim('/') => {}
            // What is computed is not known.
            _ => return Vec::new(),
        }
        if parts.len() > PARTS_MAX {
            return Vec::new();
        }
    }
    parts
}

fn alpha_of(part: Option<&Part>) -> f32 {
    match part {
        Some(Part::Number(alpha) | Part::Share(alpha)) => *alpha,
        None => 1.0,
    }
}

fn from_rgb(parts: &[Part]) -> Colour {
    let [red, green, blue, alpha @ ..] = parts else {
        return Colour::Unknown;
    };
    let byte = |part: &Part| match part {
        // The cast stops at the bounds of a byte.
        Part::Number(number) => number.round() as u8,
        Part::Share(share) => (share * 255.0).round() as u8,
    };
    let parts = [byte(red), byte(green), byte(blue)];
    Colour::with_alpha(parts, alpha_of(alpha.first()))
}

/// Black and white only: other hues are rarely hidden in.
fn from_hsl(parts: &[Part]) -> Colour {
    let [_, _, lightness, alpha @ ..] = parts else {
        return Colour::Unknown;
    };
    let (Part::Share(lightness) | Part::Number(lightness)) = lightness;
    let alpha = alpha_of(alpha.first());
    if *lightness >= 0.995 {
        Colour::with_alpha([255; 3], alpha)
    } else if *lightness <= 0.005 {
        Colour::with_alpha([0; 3], alpha)
    } else {
        Colour::Unknown
    }
}
