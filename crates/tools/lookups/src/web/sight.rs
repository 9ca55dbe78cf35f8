//! What of a page is its text, what is code, and what is on every page of a site.
//!
//! What is hidden from readers is marked before, in `adjutant_text::html`.

use adjutant_text::html::{Node, Visibility};

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
/// What readers see of an element, given what they see of the one around it.
pub(super) fn sight_of(node: &Node, around: Sight, inside: Inside) -> Sight {
    if around == Sight::Code || is_code(node) {
        return Sight::Code;
    }
    if node.visibility == Visibility::Hidden {
        return Sight::Hidden;
    }
    if around == Sight::Boilerplate || is_boilerplate(node, inside) {
        return Sight::Boilerplate;
    }
    Sight::Shown
}

fn is_code(node: &Node) -> bool {
    matches!(
        node.name(),
        "script"
            | "style"
            | "svg"
            | "canvas"
            | "iframe"
            | "object"
            | "embed"
            | "audio"
            | "video"
            | "math"
            | "head"
    )
}

/// Whether an element is part of what the page is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    Article,
    Page,
}

fn is_boilerplate(node: &Node, inside: Inside) -> bool {
    if !node.is_element() {
        return false;
    }
    match node.name() {
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
