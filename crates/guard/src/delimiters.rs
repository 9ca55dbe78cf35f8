//! Marks that models read as the border between turns, roles, sources and tools.

use std::sync::LazyLock;

use regex::Regex;

use crate::finding::{Finding, pattern};
use crate::threat::{Severity, ThreatKind};

struct Border {
    pattern: Option<Regex>,
    kind: ThreatKind,
    severity: Severity,
    reason: &'static str,
}

const SOURCES: &[(&str, ThreatKind, Severity, &str)] = &[
    (
        r"<\|[a-z][a-z0-9_ ]{1,30}\|>|<｜[^｜\n]{2,40}｜>|<</?sys>>|\[/?inst\]|<(?:start|end)_of_turn>|\[/?(?:available_tools|tool_calls|tool_results)\]",
        ThreatKind::DelimiterForgery,
        Severity::High,
        "holds a mark of a chat template",
    ),
    (
        r#"(?m)^---[ \t]*(?:system|user|assistant)[ \t]*$|<source id=|(?m)^[ \t]*```[ \t]*(?:system|assistant)[ \t]*$"#,
        ThreatKind::DelimiterForgery,
        Severity::High,
        "imitates the borders of our own prompts",
    ),
    (
        r"</?(?:system|assistant|system[_-]?prompt|system[_-]?message|instructions?|human|sys|admin|tool_response|tool_results?|function_results?|untrusted[a-z_]*)>",
        ThreatKind::DelimiterForgery,
        Severity::Medium,
        "holds a tag that names a role",
    ),
    (
        r"</?(?:tool_calls?|function_calls?|tool_use|invoke|use_mcp_tool)\b[^>\n]{0,80}>|(?m)^[ \t]*action[ \t]*:[^\n]{1,80}\n[ \t]*action[ _]input[ \t]*:|\bfunction_call[ \t]*:[ \t]*\{",
        ThreatKind::ToolHijack,
        Severity::High,
        "is shaped like a call of a tool",
    ),
    (
        r#""(?:tool|tool_name|function|function_name|name|action|recipient_name)"\s{0,9}:\s{0,9}"[a-z0-9_.\-]{2,60}"\s{0,9},\s{0,9}"(?:arguments|parameters|args|tool_input|action_input)"\s{0,9}:"#,
        ThreatKind::ToolHijack,
        Severity::High,
        "is shaped like a call of a tool",
    ),
    (
        r#""role"\s{0,9}:\s{0,9}"(?:system|developer|assistant)"\s{0,9},\s{0,9}"content"\s{0,9}:"#,
        ThreatKind::DelimiterForgery,
        Severity::High,
        "is shaped like a message with a role",
    ),
    (
        r"(?m)^[ \t]*#{2,6}[ \t]*(?:system|instruction|response|human|assistant|user|input|new instructions?)[ \t]*:",
        ThreatKind::DelimiterForgery,
        Severity::Medium,
        "holds a heading that names a role",
    ),
    (
        r"\[/?(?:system|admin|developer|administrator|root)(?: [a-z]{2,20}){0,2}\]|(?:^|[\s(])(?:begin|end|start) of (?:the )?(?:context|document|user input|prompt|input|data|untrusted|system|instructions?|source|article|email|text)\b[^a-z\n]{0,3}(?:\n|$|[=\-#*~\].])",
        ThreatKind::DelimiterForgery,
        Severity::Medium,
        "pretends that the text ends or that a system speaks",
    ),
    (
        r"[=\-#*~<\[]{3,}[ \t]*(?:(?:new|real|updated|system|admin|begin|start|end)[a-z ]{0,30})?(?:instructions?|prompt|system|user input|override|context)[a-z ]{0,20}[=\-#*~>\]]{3,}",
        ThreatKind::DelimiterForgery,
        Severity::Medium,
        "draws a border between parts of a prompt",
    ),
];

static BORDERS: LazyLock<Vec<Border>> = LazyLock::new(|| {
    SOURCES
        .iter()
        .map(|(source, kind, severity, reason)| Border {
            pattern: pattern(source),
            kind: *kind,
            severity: *severity,
            reason,
        })
        .collect()
});

/// Tags of prompts that ordinary markup also has; a closing one that nothing opened is a forgery.
const ENCLOSING: &[&str] = &[
    "source",
    "sources",
    "document",
    "documents",
    "context",
    "quote",
    "information",
    "data",
    "text",
    "content",
    "email",
    "page",
    "result",
    "search_results",
    "message",
    "input",
    "user_input",
    "query",
    "passage",
    "article_text",
];

static ROLE_LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?m)^[ \t>*]{0,8}\**(system|assistant|human|user|ai)(?: prompt| message)?\**[ \t]*:\**[ \t]+[a-z]",
    )
});

pub(crate) fn find(view: &str, is_code: impl Fn(usize) -> bool, findings: &mut Vec<Finding>) {
    for border in BORDERS.iter() {
        let Some(pattern) = &border.pattern else {
            continue;
        };
        for found in pattern.find_iter(view) {
            // Documentation shows such shapes in blocks of code; there they only get a line in the log.
            let severity = if is_code(found.start()) {
                Severity::Low
            } else {
                border.severity
            };
            findings.push(Finding::new(
                border.kind,
                severity,
                found.range(),
                border.reason,
            ));
        }
    }
    unopened(view, findings);
    role_lines(view, findings);
}

fn unopened(view: &str, findings: &mut Vec<Finding>) {
    for name in ENCLOSING {
        let close = format!("</{name}");
        let Some(at) = view.find(&close) else {
            continue;
        };
        let end = at + close.len();
        if !view[end..].starts_with('>') && !view[end..].starts_with(' ') {
            continue;
        }
        let opened = view[..at].contains(&format!("<{name}"));
        let own = name.starts_with("source");
        let severity = match (opened, own) {
            (false, true) => Severity::High,
            (true, true) | (false, false) => Severity::Medium,
            (true, false) if *name == "information" => Severity::Medium,
            (true, false) => continue,
        };
        let kind = ThreatKind::DelimiterForgery;
        findings.push(Finding::new(
            kind,
            severity,
            at..end + 1,
            "closes a mark that stands around outside text",
        ));
    }
}

/// A made-up conversation has lines of at least two speakers, one of them a machine.
fn role_lines(view: &str, findings: &mut Vec<Finding>) {
    let Some(pattern) = ROLE_LINE.as_ref() else {
        return;
    };
    let mut first = None::<usize>;
    let mut people = false;
    let mut machine = false;
    for found in pattern.captures_iter(view) {
        let Some(role) = found.get(1) else { continue };
        match role.as_str() {
            "human" | "user" => people = true,
            _ => machine = true,
        }
        let system = role.as_str() == "system";
        let start = *first.get_or_insert(role.start());
        if (people && machine) || system {
            let severity = if people && machine {
                Severity::High
            } else {
                Severity::Low
            };
            let kind = ThreatKind::DelimiterForgery;
            findings.push(Finding::new(
                kind,
                severity,
                start..role.end(),
                "imitates a conversation with its roles",
            ));
            if severity == Severity::High {
                return;
            }
        }
    }
}
