//! Finds URLs that send data to somebody else when they are loaded.

use std::sync::LazyLock;

use regex::Regex;

use crate::finding::{Finding, compile_pattern};
use crate::threat::{Severity, ThreatKind};

static IMAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(
        r#"!\[[^\]\n]*\]\(\s{0,9}(https?://[^)\n]+)\)?|<img\b[^>]*?src\s{0,9}=\s{0,9}["']?(https?://[^"'>]+)"#,
    )
});
static LINK: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile_pattern(r"\[[^\]\n]*\]\(\s{0,9}(https?://[^)\n]+)\)"));
/// A placeholder for data: braces, brackets, angle brackets, or a name such as `chat_history_here`.
static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(
        r"[?&][^=\s]{1,40}=[^&\s]*?(?:\{\{?[a-z_ .]{2,40}\}|\$\{|\[[a-z_ ]{2,40}\]|<[a-z_ ]{2,40}>|%7b(?:%7b)?[a-z_+ ]{2,}|\b(?:summary|chat|conversation|secret|password|history|prompt|user)[a-z]{0,12}_|_(?:chat|conversation|secret|password|history|prompt|data|here)\b)",
    )
});
/// A URL that the model is asked to load or show.
static REQUESTED_ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(
        r"(?-u:\b)(?:fetch|load|open|visit|call|request|get|ping|show|display|add|append|insert|include|embed|render|cite|contact|query|link)(?-u:\b)[^\n]{0,120}?(https?://[^\s)]+)",
    )
});
static EMPTY_VALUE: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile_pattern(r"[?&][a-z_]{1,20}=(?:[\s)]|$)"));
static SCRIPT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(r"data:text/html|javascript:(?:fetch|document|eval|window|location)")
});

pub(crate) fn find_threats(folded: &str, findings: &mut Vec<Finding>) {
    let has = |pattern: &LazyLock<Option<Regex>>, text: &str| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(text))
    };
    let kind = ThreatKind::Exfiltration;
    if let Some(pattern) = IMAGE.as_ref() {
        for image in pattern.captures_iter(folded) {
            let (Some(whole), Some(url)) = (image.get(0), image.get(1).or_else(|| image.get(2)))
            else {
                continue;
            };
            if has(&PLACEHOLDER, url.as_str()) || has(&EMPTY_VALUE, url.as_str()) {
                let reason = "an image whose URL has a placeholder for data";
                findings.push(Finding::new(kind, Severity::High, whole.range(), reason));
            }
        }
    }
    if let Some(pattern) = LINK.as_ref() {
        for link in pattern.captures_iter(folded) {
            let (Some(whole), Some(url)) = (link.get(0), link.get(1)) else {
                continue;
            };
            if has(&PLACEHOLDER, url.as_str()) {
                let reason = "a link whose URL has a placeholder for data";
                findings.push(Finding::new(kind, Severity::Medium, whole.range(), reason));
            }
        }
    }
    if let Some(pattern) = REQUESTED_ADDRESS
        .as_ref()
        .filter(|_| folded.contains("=<") || folded.contains("={"))
    {
        for requested in pattern.captures_iter(folded) {
            let (Some(whole), Some(url)) = (requested.get(0), requested.get(1)) else {
                continue;
            };
            if has(&PLACEHOLDER, url.as_str()) {
                let reason = "asks to load a URL that has a placeholder for data";
                findings.push(Finding::new(kind, Severity::Medium, whole.range(), reason));
            }
        }
    }
    if let Some(pattern) = SCRIPT.as_ref() {
        for script in pattern.find_iter(folded) {
            findings.push(Finding::new(
                kind,
                Severity::Medium,
                script.range(),
                "a URL that runs a script",
            ));
        }
    }
}
