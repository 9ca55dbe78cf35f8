//! Finds text that markup hides: comments, invisible elements, link titles.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::finding::compile_pattern;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HidingMethod {
    Comment,
    /// Not displayed; common in web pages.
    NotShown,
    /// Displayed so that nobody can read it; rarely legitimate.
    Unreadable,
    /// Displayed only on hover.
    Title,
}

#[derive(Debug, Clone)]
pub(crate) struct Hidden {
    pub(crate) method: HidingMethod,
    pub(crate) span: Range<usize>,
}

static COMMENT: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile_pattern(r"(?s)<!--.*?-->|(?m)^\[//\]: # .*$"));
/// Only these elements, so that the search for their ends stays linear.
static ELEMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)<(span|div|p|font|a|b|i|u|em|td|li|h[1-6]|small|section|article|aside|label|pre|code|center|strong|template|noscript)\s([^<>]+)>",
    )
});
static NOT_SHOWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)display\s*:\s*none|visibility\s*:\s*hidden|(?:^|\s)hidden(?:\s|$|=)|aria-hidden\s*=\s*.true|left\s*:\s*-\d{3,}|text-indent\s*:\s*-\d{3,}",
    )
});
static UNREADABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)font-size\s*:\s*[01](?:px|pt|em|rem|%)?\s*(?:[;'\x22]|$)|(?:^|[^-])opacity\s*:\s*0(?:\.0+)?\s*(?:[;'\x22]|$)|(?:^|[^-])color\s*[:=]\s*.?(?:white\b|#fff(?:fff)?\b|rgba?\(255,\s*255,\s*255|transparent)|(?:^|[^-])(?:width|height)\s*:\s*0(?:px)?\s*[;'\x22]",
    )
});
static TITLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile_pattern(r#"\]\([^()\s]*\s+["']([^"'\n]+)["']\s*\)"#));

/// Sorted by location.
pub(crate) fn find_hidden_text(text: &str) -> Vec<Hidden> {
    let mut found = Vec::new();
    if let Some(pattern) = COMMENT.as_ref() {
        let spans = pattern.find_iter(text).map(|comment| comment.range());
        found.extend(spans.map(|span| Hidden {
            method: HidingMethod::Comment,
            span,
        }));
    }
    if let Some(pattern) = TITLE.as_ref() {
        let titles = pattern.captures_iter(text).filter_map(|link| link.get(1));
        found.extend(titles.map(|title| Hidden {
            method: HidingMethod::Title,
            span: title.range(),
        }));
    }
    find_hidden_elements(text, &mut found);
    found.sort_by_key(|hidden| hidden.span.start);
    found
}

fn find_hidden_elements(text: &str, found: &mut Vec<Hidden>) {
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
        let method = if is(&UNREADABLE) {
            HidingMethod::Unreadable
        } else if is(&NOT_SHOWN) {
            HidingMethod::NotShown
        } else {
            continue;
        };
        let name = name.as_str().to_ascii_lowercase();
        let known = ends.get(&name).copied().unwrap_or_default();
        let end = if known >= whole.end() {
            known
        } else {
            find_element_end(text, &name, whole.end())
        };
        ends.insert(name, end);
        found.push(Hidden {
            method,
            span: whole.end()..end,
        });
    }
}

/// An element that is never closed ends at the end of the text.
fn find_element_end(text: &str, name: &str, from: usize) -> usize {
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
