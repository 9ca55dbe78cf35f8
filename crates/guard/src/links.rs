//! Addresses that carry something away when they are loaded.

use std::sync::LazyLock;

use regex::Regex;

use crate::finding::{Finding, pattern};
use crate::threat::{Severity, ThreatKind};

static IMAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r#"!\[[^\]\n]*\]\(\s{0,9}(https?://[^)\n]+)\)?|<img\b[^>]*?src\s{0,9}=\s{0,9}["']?(https?://[^"'>]+)"#,
    )
});
static LINK: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"\[[^\]\n]*\]\(\s{0,9}(https?://[^)\n]+)\)"));
/// A gap to be filled in: braces, brackets, angle brackets, or a value left empty at the end.
static GAP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"[?&][^=\s]{1,40}=[^&\s]*?(?:\{\{?[a-z_ .]{2,40}\}|\$\{|\[[a-z_ ]{2,40}\]|<[a-z_ ]{2,40}>|%7b(?:%7b)?[a-z_+ ]{2,}|\b(?:summary|chat|conversation|secret|password|history|prompt|user)[a-z]{0,12}_|_(?:chat|conversation|secret|password|history|prompt|data|here)\b)",
    )
});
/// An address somebody is told to load or to show.
static BIDDEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?-u:\b)(?:fetch|load|open|visit|call|request|get|ping|show|display|add|append|insert|include|embed|render|cite|contact|query|link)(?-u:\b)[^\n]{0,120}?(https?://[^\s)]+)",
    )
});
static EMPTY_VALUE: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"[?&][a-z_]{1,20}=(?:[\s)]|$)"));
static SCRIPT: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"data:text/html|javascript:(?:fetch|document|eval|window|location)"));

pub(crate) fn find(view: &str, findings: &mut Vec<Finding>) {
    let has = |pattern: &LazyLock<Option<Regex>>, text: &str| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(text))
    };
    let kind = ThreatKind::Exfiltration;
    if let Some(pattern) = IMAGE.as_ref() {
        for image in pattern.captures_iter(view) {
            let (Some(whole), Some(url)) = (image.get(0), image.get(1).or_else(|| image.get(2)))
            else {
                continue;
            };
            if has(&GAP, url.as_str()) || has(&EMPTY_VALUE, url.as_str()) {
                let reason = "an image whose address has room for data";
                findings.push(Finding::new(kind, Severity::High, whole.range(), reason));
            }
        }
    }
    if let Some(pattern) = LINK.as_ref() {
        for link in pattern.captures_iter(view) {
            let (Some(whole), Some(url)) = (link.get(0), link.get(1)) else {
                continue;
            };
            if has(&GAP, url.as_str()) {
                let reason = "a link whose address has room for data";
                findings.push(Finding::new(kind, Severity::Medium, whole.range(), reason));
            }
        }
    }
    if let Some(pattern) = BIDDEN
        .as_ref()
        .filter(|_| view.contains("=<") || view.contains("={"))
    {
        for bidden in pattern.captures_iter(view) {
            let (Some(whole), Some(url)) = (bidden.get(0), bidden.get(1)) else {
                continue;
            };
            if has(&GAP, url.as_str()) {
                let reason = "an address to be loaded that has room for data";
                findings.push(Finding::new(kind, Severity::Medium, whole.range(), reason));
            }
        }
    }
    if let Some(pattern) = SCRIPT.as_ref() {
        for script in pattern.find_iter(view) {
            findings.push(Finding::new(
                kind,
                Severity::Medium,
                script.range(),
                "an address that runs a script",
            ));
        }
    }
}
