//! Text that markup hides from the eye: comments, invisible elements, titles of links.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::finding::pattern;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hiding {
    Comment,
    /// Not shown at all; common in web pages.
    NotShown,
    /// Shown so that nobody can read it; hardly ever meant well.
    Unreadable,
    /// Seen only when pointed at.
    Title,
}

#[derive(Debug, Clone)]
pub(crate) struct Hidden {
    pub(crate) hiding: Hiding,
    pub(crate) span: Range<usize>,
}

static COMMENT: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?s)<!--.*?-->|(?m)^\[//\]: # .*$"));
/// Only these names, so that looking for their ends stays linear.
static ELEMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)<(span|div|p|font|a|b|i|u|em|td|li|h[1-6]|small|section|article|aside|label|pre|code|center|strong|template|noscript)\s([^<>]+)>",
    )
});
static NOT_SHOWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)display\s*:\s*none|visibility\s*:\s*hidden|(?:^|\s)hidden(?:\s|$|=)|aria-hidden\s*=\s*.true|left\s*:\s*-\d{3,}|text-indent\s*:\s*-\d{3,}",
    )
});
static UNREADABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)font-size\s*:\s*[01](?:px|pt|em|rem|%)?\s*(?:[;'\x22]|$)|(?:^|[^-])opacity\s*:\s*0(?:\.0+)?\s*(?:[;'\x22]|$)|(?:^|[^-])color\s*[:=]\s*.?(?:white\b|#fff(?:fff)?\b|rgba?\(255,\s*255,\s*255|transparent)|(?:^|[^-])(?:width|height)\s*:\s*0(?:px)?\s*[;'\x22]",
    )
});
static TITLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r#"\]\([^()\s]*\s+["']([^"'\n]+)["']\s*\)"#));

/// In the order of their places.
pub(crate) fn find(text: &str) -> Vec<Hidden> {
    let mut found = Vec::new();
    if let Some(pattern) = COMMENT.as_ref() {
        let spans = pattern.find_iter(text).map(|comment| comment.range());
        found.extend(spans.map(|span| Hidden {
            hiding: Hiding::Comment,
            span,
        }));
    }
    if let Some(pattern) = TITLE.as_ref() {
        let titles = pattern.captures_iter(text).filter_map(|link| link.get(1));
        found.extend(titles.map(|title| Hidden {
            hiding: Hiding::Title,
            span: title.range(),
        }));
    }
    elements(text, &mut found);
    found.sort_by_key(|hidden| hidden.span.start);
    found
}

fn elements(text: &str, found: &mut Vec<Hidden>) {
    let Some(pattern) = ELEMENT.as_ref() else {
        return;
    };
    let mut ends = BTreeMap::<String, usize>::new();
    for element in pattern.captures_iter(text) {
        let (Some(whole), Some(name), Some(attributes)) =
            (element.get(0), element.get(1), element.get(2))
        else {
            continue;
        };
        let is = |pattern: &LazyLock<Option<Regex>>| {
            pattern
                .as_ref()
                .is_some_and(|pattern| pattern.is_match(attributes.as_str()))
        };
        let hiding = if is(&UNREADABLE) {
            Hiding::Unreadable
        } else if is(&NOT_SHOWN) {
            Hiding::NotShown
        } else {
            continue;
        };
        let name = name.as_str().to_ascii_lowercase();
        let known = ends.get(&name).copied().unwrap_or_default();
        let end = if known >= whole.end() {
            known
        } else {
            end_of(text, &name, whole.end())
        };
        ends.insert(name, end);
        found.push(Hidden {
            hiding,
            span: whole.end()..end,
        });
    }
}

/// An element that is never closed reaches to the end of the text.
fn end_of(text: &str, name: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(rest) = text.get(at..).and_then(|rest| rest.find("</")) {
        let start = at + rest;
        let tag = bytes.get(start + 2..start + 2 + name.len());
        if tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes())) {
            return start;
        }
        at = start + 2;
    }
    text.len()
}
