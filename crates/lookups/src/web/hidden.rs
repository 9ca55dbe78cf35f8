//! What no reader of a page sees, and what is on every page of a site.

use super::dom::Node;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    Shown,
    /// Text that readers do not see.
    Hidden,
    /// Programs, styles and pictures: no text at all.
    Code,
    /// Menus, banners, advertisements.
    Boilerplate,
}

/// How the page is painted around an element, as far as it says so itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    White,
    Painted,
}

const BOILERPLATE_WORDS: [&str; 38] = [
    "cookie",
    "cookies",
    "consent",
    "gdpr",
    "cookiebanner",
    "advert",
    "advertisement",
    "ads",
    "ad",
    "adsbygoogle",
    "sponsored",
    "promo",
    "newsletter",
    "subscribe",
    "share",
    "sharing",
    "social",
    "sidebar",
    "related",
    "recommended",
    "comments",
    "comment",
    "disqus",
    "breadcrumb",
    "breadcrumbs",
    "nav",
    "navbar",
    "navigation",
    "menu",
    "footer",
    "popup",
    "modal",
    "toolbar",
    "pagination",
    "pager",
    "skip",
    "outbrain",
    "taboola",
];
const FAR_AWAY: i64 = -900;

pub(super) fn ground_of(node: &Node, around: Ground) -> Ground {
    let painted = match node
        .attribute("bgcolor")
        .map(str::to_owned)
        .or_else(|| background(node))
    {
        Some(colour) if is_white(&colour) => return Ground::White,
        other => other.is_some(),
    };
    if painted { Ground::Painted } else { around }
}

pub(super) fn sight_of(node: &Node, ground: Ground, inside: Inside) -> Sight {
    match node.name.as_str() {
        "script" | "style" | "svg" | "canvas" | "iframe" | "object" | "embed" | "audio"
        | "video" | "math" | "head" => {
            return Sight::Code;
        }
        "template" | "noscript" => return Sight::Hidden,
        _ => {}
    }
    if is_hidden(node, ground) {
        return Sight::Hidden;
    }
    if is_boilerplate(node, inside) {
        return Sight::Boilerplate;
    }
    Sight::Shown
}

fn is_hidden(node: &Node, ground: Ground) -> bool {
    let flagged =
        node.attribute("hidden").is_some() || node.attribute("aria-hidden") == Some("true");
    let classed = node
        .attribute("class")
        .unwrap_or_default()
        .split_whitespace()
        .any(|class| {
            matches!(
                class,
                "sr-only"
                    | "visually-hidden"
                    | "screen-reader-text"
                    | "d-none"
                    | "invisible"
                    | "hidden"
                    | "is-hidden"
            )
        });
    let inked = node.name == "font"
        && node.attribute("color").is_some_and(is_white)
        && ground == Ground::White;
    flagged || classed || inked || hides(node.attribute("style").unwrap_or_default(), ground)
}

fn declarations(style: &str) -> impl Iterator<Item = (String, String)> {
    style.split(';').filter_map(|part| {
        let (name, value) = part.split_once(':')?;
        let value = value.to_lowercase().replace("!important", "");
        let value: Vec<&str> = value.split_whitespace().collect();
        Some((name.trim().to_lowercase(), value.join(" ")))
    })
}

fn background(node: &Node) -> Option<String> {
    let style = node.attribute("style")?;
    let found =
        declarations(style).filter(|(name, _)| name == "background" || name == "background-color");
    found.map(|(_, value)| value).last()
}

fn hides(style: &str, ground: Ground) -> bool {
    let mut ink = None;
    let mut paper = None;
    for (name, value) in declarations(style) {
        let hidden = match name.as_str() {
            "display" => value == "none",
            "visibility" => value == "hidden" || value == "collapse",
            "opacity" => number(&value) == Some(0),
            "font-size" | "max-height" | "height" | "width" => is_nothing(&value),
            "left" | "top" | "right" | "bottom" | "text-indent" | "margin-left" | "margin-top" => {
                number(&value).is_some_and(|distance| distance < FAR_AWAY)
            }
            "clip" | "clip-path" => {
                value.contains("rect(0")
                    || value.contains("inset(50%")
                    || value.contains("inset(100%")
            }
            "transform" => value.contains("scale(0)"),
            _ => false,
        };
        if hidden {
            return true;
        }
        match name.as_str() {
            "color" => ink = Some(value),
            "background" | "background-color" => paper = Some(value),
            _ => {}
        }
    }
    match (ink, paper) {
        (Some(ink), _) if ink == "transparent" => true,
        (Some(ink), Some(paper)) => ink == paper || (is_white(&ink) && is_white(&paper)),
        (Some(ink), None) => is_white(&ink) && ground == Ground::White,
        (None, _) => false,
    }
}

fn is_nothing(value: &str) -> bool {
    let (digits, unit) = parted(value);
    let small_unit = matches!(unit, "" | "px" | "em" | "rem" | "%" | "pt");
    let zero = !digits.is_empty() && digits.chars().all(|sign| matches!(sign, '0' | '.'));
    small_unit && zero
}

/// The whole part of a number before its unit.
fn number(value: &str) -> Option<i64> {
    let (digits, _) = parted(value);
    let whole = digits.split('.').next()?;
    let fraction = digits.split('.').nth(1).unwrap_or_default();
    if fraction.chars().any(|digit| digit != '0') && matches!(whole, "" | "0") {
        return None;
    }
    whole.parse().ok()
}

fn parted(value: &str) -> (&str, &str) {
    let end = value
        .find(|sign: char| !(sign.is_ascii_digit() || matches!(sign, '.' | '-')))
        .unwrap_or(value.len());
    value.split_at(end)
}

fn is_white(colour: &str) -> bool {
    let colour: String = colour
        .to_lowercase()
        .chars()
        .filter(|sign| !sign.is_whitespace())
        .collect();
    matches!(
        colour.as_str(),
        "white"
            | "#fff"
            | "#ffffff"
            | "#fefefe"
            | "#fdfdfd"
            | "rgb(255,255,255)"
            | "rgba(255,255,255,1)"
            | "hsl(0,0%,100%)"
    )
}

/// Whether an element is part of what the page is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    Article,
    Page,
}

fn is_boilerplate(node: &Node, inside: Inside) -> bool {
    match node.name.as_str() {
        "nav" | "footer" | "aside" | "button" | "select" | "textarea" | "dialog" | "menu"
        | "datalist" => return true,
        "header" if inside == Inside::Page => return true,
        "html" | "body" | "main" | "article" | "h1" | "h2" => return false,
        _ => {}
    }
    let role = node.attribute("role").unwrap_or_default();
    if matches!(
        role,
        "navigation"
            | "banner"
            | "contentinfo"
            | "complementary"
            | "search"
            | "dialog"
            | "alertdialog"
            | "menu"
            | "menubar"
            | "tablist"
            | "toolbar"
    ) {
        return true;
    }
    let names = [node.attribute("class"), node.attribute("id")];
    names.into_iter().flatten().any(|name| {
        let name = name.to_lowercase();
        let mut words = name.split(|sign: char| !sign.is_alphanumeric());
        words.any(|word| BOILERPLATE_WORDS.contains(&word))
    })
}
