//! Reads the values of those properties that can take an element out of sight.

use cssparser::{ParseError, Parser, Token, parse_important};

use super::colour::Colour;
use super::style::{Declaration, Effect, FONT_PX_DEFAULT, FontSize, Hiding, Value, Weight};

/// How far out of the page, in pixels, nobody scrolls to.
const FAR_AWAY_PX: f32 = -900.0;
const OPACITY_MIN: f32 = 0.05;

/// Reads the value of a property, if it is one that can hide text; a shorthand sets several.
pub(super) fn read_value(name: &str, input: &mut Parser) -> Option<Vec<Declaration>> {
    let values = match name.to_ascii_lowercase().as_str() {
        "background" => background(input)?,
        name => vec![single_value(name, input)?],
    };
    // What follows may make the value another than the one judged here, but never hides less.
    let weight = rest_of(input);
    let declarations = values
        .into_iter()
        .map(|value| Declaration { value, weight });
    Some(declarations.collect())
}

fn rest_of(input: &mut Parser) -> Weight {
    loop {
        if input.try_parse(parse_important).is_ok() {
            return Weight::Important;
        }
        if input.next().is_err() {
            return Weight::Normal;
        }
    }
}

fn single_value(name: &str, input: &mut Parser) -> Option<Value> {
    match name {
        "visibility" => visibility(input),
        "font-size" => Some(Value::FontSize(font_size(input)?)),
        "font" => Some(Value::FontSize(font(input)?)),
        "color" | "-webkit-text-fill-color" => ink(input),
        "background-color" => {
            let token = input.next().ok()?.clone();
            match Colour::from_token(&token, input) {
                Some(colour) => Some(Value::Paper(Some(colour))),
                None => is_global(&token).then_some(Value::Paper(None)),
            }
        }
        "background-image" => {
            // A word says that there is none; a picture is a function or an address.
            let is_word = matches!(input.next().ok()?, Token::Ident(_));
            let picture = if is_word {
                Effect::Shows
            } else {
                Effect::Hides
            };
            Some(Value::PaperPicture(picture))
        }
        "background-clip" | "-webkit-background-clip" => {
            let effect = keyword(input, &["text"], |word| word.ends_with("-box"))?;
            Some(Value::InkFromPaper(effect))
        }
        name => hiding_value(name, input),
    }
}

fn hiding_value(name: &str, input: &mut Parser) -> Option<Value> {
    let (hiding, effect) = match name {
        "display" => (Hiding::Display, keyword(input, &["none"], is_display)?),
        "content-visibility" => (
            Hiding::ContentVisibility,
            keyword(input, &["hidden"], |word| word == "visible")?,
        ),
        "overflow" | "overflow-x" | "overflow-y" => (
            Hiding::Overflow,
            keyword(input, &["hidden", "clip"], |word| {
                matches!(word, "visible" | "scroll")
            })?,
        ),
        "opacity" => (Hiding::Opacity, is_almost_nothing(input)?),
        "scale" => (Hiding::Scale, is_almost_nothing(input)?),
        "left" => (Hiding::Left, is_far(input)?),
        "top" => (Hiding::Top, is_far(input)?),
        "right" => (Hiding::Right, is_far(input)?),
        "bottom" => (Hiding::Bottom, is_far(input)?),
        "translate" => (Hiding::Translate, is_far(input)?),
        "text-indent" => (Hiding::TextIndent, is_far(input)?),
        "margin-left" => (Hiding::MarginLeft, is_far_in_px(input)?),
        "margin-top" => (Hiding::MarginTop, is_far_in_px(input)?),
        "height" => (Hiding::Height, is_nothing(input)?),
        "max-height" => (Hiding::MaxHeight, is_nothing(input)?),
        "width" => (Hiding::Width, is_nothing(input)?),
        "max-width" => (Hiding::MaxWidth, is_nothing(input)?),
        "clip" => (Hiding::Clip, clip(input)),
        "clip-path" => (Hiding::ClipPath, clip(input)),
        "transform" => (Hiding::Transform, transform(input)),
        _ => return None,
    };
    Some(Value::Hiding(hiding, effect))
}

fn effect(value: f32, hides: impl Fn(f32) -> bool) -> Effect {
    if hides(value) {
        Effect::Hides
    } else {
        Effect::Shows
    }
}

fn is_global(token: &Token) -> bool {
    matches!(token, Token::Ident(word)
        if matches!(word.to_ascii_lowercase().as_str(), "initial" | "inherit" | "unset" | "revert" | "revert-layer" | "none" | "auto" | "normal"))
}

/// Browsers overlook a value they do not know, so it must not stand for one that shows.
fn keyword(input: &mut Parser, hiding: &[&str], shows: impl Fn(&str) -> bool) -> Option<Effect> {
    let token = input.next().ok()?;
    let Token::Ident(word) = token else {
        return None;
    };
    let lower = word.to_ascii_lowercase();
    if hiding.contains(&lower.as_str()) {
        Some(Effect::Hides)
    } else {
        (shows(&lower) || is_global(token)).then_some(Effect::Shows)
    }
}

fn is_display(word: &str) -> bool {
    matches!(
        word,
        "block" | "inline" | "flow" | "flow-root" | "contents" | "list-item" | "flex" | "grid"
    ) || ["inline-", "table", "ruby", "-webkit-", "-ms-", "math"]
        .iter()
        .any(|start| word.starts_with(start))
}

fn visibility(input: &mut Parser) -> Option<Value> {
    let token = input.next().ok()?;
    let Token::Ident(word) = token else {
        return None;
    };
    match word.to_ascii_lowercase().as_str() {
        "hidden" | "collapse" => Some(Value::Visibility(Effect::Hides)),
        "visible" | "initial" => Some(Value::Visibility(Effect::Shows)),
        _ => None,
    }
}

fn ink(input: &mut Parser) -> Option<Value> {
    let token = input.next().ok()?.clone();
    if let Some(colour) = Colour::from_token(&token, input) {
        return Some(Value::Ink(colour));
    }
    match &token {
        Token::Ident(word) if word.eq_ignore_ascii_case("initial") => {
            Some(Value::Ink(Colour::Unknown))
        }
        _ => None,
    }
}

fn background(input: &mut Parser) -> Option<Vec<Value>> {
    let (mut colour, mut picture) = (None, Effect::Shows);
    loop {
        let before = input.state();
        let Ok(token) = input.next().cloned() else {
            break;
        };
        match &token {
            Token::Delim('!') => {
                input.reset(&before);
                break;
            }
            Token::UnquotedUrl(_) => picture = Effect::Hides,
            Token::Function(name) if !is_colour_function(name) => picture = Effect::Hides,
            token => colour = Colour::from_token(token, input).or(colour),
        }
    }
    Some(vec![Value::Paper(colour), Value::PaperPicture(picture)])
}

fn is_colour_function(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "rgb", "hsl", "hwb", "lab", "lch", "ok", "color", "light", "var",
    ]
    .iter()
    .any(|start| name.starts_with(start))
}

/// A length in pixels, and whether it is a share of what is around.
enum Length {
    Px(f32),
    Share(f32),
}

fn length(input: &mut Parser) -> Option<Length> {
    let token = input.next().ok()?.clone();
    match &token {
        Token::Number { value, .. } => Some(Length::Px(*value)),
        Token::Percentage { unit_value, .. } => Some(Length::Share(*unit_value)),
        Token::Dimension { value, unit, .. } => {
            let px = match unit.to_ascii_lowercase().as_str() {
                "pt" => 4.0 / 3.0,
                "em" | "rem" | "lh" | "pc" => FONT_PX_DEFAULT,
                "ex" | "ch" => FONT_PX_DEFAULT / 2.0,
                "in" => 96.0,
                "cm" => 37.8,
                "mm" => 3.78,
                "vw" | "vh" | "vmin" | "vmax" | "dvh" | "svh" | "lvh" => {
                    return Some(Length::Share(value / 100.0));
                }
                _ => 1.0,
            };
            Some(Length::Px(value * px))
        }
        Token::Function(name) if name.eq_ignore_ascii_case("calc") => {
            let inside =
                input.parse_nested_block(|input| length(input).ok_or(ParseError::<()>::custom(())));
            inside.ok()
        }
        token => is_global(token).then_some(Length::Px(f32::NAN)),
    }
}

/// The length that a function begins with, if it begins with one.
fn first_length_inside(input: &mut Parser) -> Option<Length> {
    let first = input.parse_nested_block(|input| {
        let first = length(input);
        while input.next().is_ok() {}
        Ok::<_, ParseError<()>>(first)
    });
    first.ok().flatten()
}

fn is_far(input: &mut Parser) -> Option<Effect> {
    Some(match length(input)? {
        Length::Px(px) => effect(px, |px| px < FAR_AWAY_PX),
        Length::Share(share) => effect(share, |share| share <= -1.0),
    })
}

/// A margin of minus its whole width puts a column beside another.
fn is_far_in_px(input: &mut Parser) -> Option<Effect> {
    Some(match length(input)? {
        Length::Px(px) => effect(px, |px| px < FAR_AWAY_PX),
        Length::Share(_) => Effect::Shows,
    })
}

fn is_nothing(input: &mut Parser) -> Option<Effect> {
    Some(match length(input)? {
        Length::Px(size) | Length::Share(size) => effect(size, |size| size == 0.0),
    })
}

/// For shares of one, which are written as numbers or percentages.
fn is_almost_nothing(input: &mut Parser) -> Option<Effect> {
    Some(match length(input)? {
        Length::Px(share) | Length::Share(share) => effect(share, |share| share < OPACITY_MIN),
    })
}

fn font_size(input: &mut Parser) -> Option<FontSize> {
    let before = input.state();
    let token = input.next().ok()?.clone();
    match &token {
        Token::Ident(word) => {
            let size = match word.to_ascii_lowercase().as_str() {
                "inherit" | "unset" | "larger" | "smaller" => FontSize::Times(1.0),
                "initial" | "medium" | "small" | "x-small" | "xx-small" | "large" | "x-large"
                | "xx-large" | "xxx-large" => FontSize::Px(FONT_PX_DEFAULT),
                _ => return None,
            };
            Some(size)
        }
        Token::Dimension { value, unit, .. } if unit.eq_ignore_ascii_case("em") => {
            Some(FontSize::Times(*value))
        }
        Token::Percentage { unit_value, .. } => Some(FontSize::Times(*unit_value)),
        _ => {
            input.reset(&before);
            match length(input)? {
                Length::Px(px) => Some(FontSize::Px(px)),
                // A share of the window, which is some hundred pixels wide.
                Length::Share(share) => Some(FontSize::Px(share * 1000.0)),
            }
        }
    }
}

/// The first length in the shorthand is the size; a number before it is a weight.
fn font(input: &mut Parser) -> Option<FontSize> {
    loop {
        let before = input.state();
        match input.next().ok()? {
            Token::Number { value, .. } if *value == 0.0 => return Some(FontSize::Px(0.0)),
            Token::Dimension { .. } | Token::Percentage { .. } => {
                input.reset(&before);
                return font_size(input);
            }
            Token::Delim('!') => {
                input.reset(&before);
                return None;
            }
            _ => {}
        }
    }
}

/// `rect(0…`, `inset(50%…` and more, and a circle of nothing leave nothing to see.
fn clip(input: &mut Parser) -> Effect {
    let Ok(token) = input.next().cloned() else {
        return Effect::Shows;
    };
    let Token::Function(name) = &token else {
        return Effect::Shows;
    };
    let name = name.to_ascii_lowercase();
    let first = first_length_inside(input);
    let hides = match (name.as_str(), first) {
        ("rect" | "circle" | "ellipse", Some(Length::Px(size) | Length::Share(size))) => {
            size == 0.0
        }
        ("inset", Some(Length::Share(share))) => share >= 0.5,
        _ => false,
    };
    if hides { Effect::Hides } else { Effect::Shows }
}

fn transform(input: &mut Parser) -> Effect {
    loop {
        let before = input.state();
        let Ok(token) = input.next().cloned() else {
            return Effect::Shows;
        };
        let name = match &token {
            Token::Function(name) => name,
            Token::Delim('!') => {
                input.reset(&before);
                return Effect::Shows;
            }
            _ => continue,
        };
        let name = name.to_ascii_lowercase();
        let first = first_length_inside(input);
        let hides = match first {
            Some(Length::Px(px)) if name.starts_with("translate") => px < FAR_AWAY_PX,
            Some(Length::Px(size)) if name.starts_with("scale") => size.abs() < OPACITY_MIN,
            _ => false,
        };
        if hides {
            return Effect::Hides;
        }
    }
}
