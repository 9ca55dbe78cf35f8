//! Marks that models read as the border between turns, roles, sources and tools.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

use crate::finding::{Finding, pattern};
use crate::threat::{Severity, ThreatKind};

struct Border {
    /// One of these is in every text the pattern finds; looking for them is cheap.
    signs: &'static [&'static str],
    pattern: &'static str,
    kind: ThreatKind,
    severity: Severity,
    reason: &'static str,
}

const BORDERS: &[Border] = &[
    Border {
        signs: &[
            "<|",
            "<｜",
            "sys>>",
            "inst]",
            "_of_turn>",
            "tools]",
            "_calls]",
            "_results]",
        ],
        pattern: r"<\|[a-z][a-z0-9_ ]{1,30}\|>|<｜[^｜\n]{2,40}｜>|<</?sys>>|\[/?inst\]|<(?:start|end)_of_turn>|\[/?(?:available_tools|tool_calls|tool_results)\]",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::High,
        reason: "holds a mark of a chat template",
    },
    Border {
        signs: &[
            "---system",
            "--- system",
            "--- user",
            "---user",
            "--- assistant",
            "<source id=",
            "```system",
            "```assistant",
            "``` system",
        ],
        pattern: r"(?m)^---[ \t]*(?:system|user|assistant)[ \t]*$|<source id=|^[ \t]*```[ \t]*(?:system|assistant)[ \t]*$",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::High,
        reason: "imitates the borders of our own prompts",
    },
    Border {
        signs: &[
            "system",
            "assistant>",
            "instruction",
            "human>",
            "sys>",
            "admin>",
            "tool_re",
            "function_re",
            "untrusted",
        ],
        pattern: r"</?(?:system|assistant|system[_-]?prompt|system[_-]?message|instructions?|human|sys|admin|tool_response|tool_results?|function_results?|untrusted[a-z_]*)>",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "holds a tag that names a role",
    },
    Border {
        signs: &[
            "tool_call",
            "function_call",
            "tool_use",
            "invoke",
            "use_mcp_tool",
            "action input",
            "action_input",
        ],
        pattern: r"(?m)</?(?:tool_calls?|function_calls?|tool_use|invoke|use_mcp_tool)(?: [^>\n]*)?>|^[ \t]*action[ \t]*:[^\n]+\n[ \t]*action[ _]input[ \t]*:|function_call[ \t]*:[ \t]*\{",
        kind: ThreatKind::ToolHijack,
        severity: Severity::High,
        reason: "is shaped like a call of a tool",
    },
    Border {
        signs: &[
            "\"arguments\"",
            "\"parameters\"",
            "\"args\"",
            "\"tool_input\"",
            "\"action_input\"",
        ],
        pattern: r#""(?:tool|tool_name|function|function_name|name|action|recipient_name)"[ \n\t]*:[ \n\t]*"[a-z0-9_.\-]{2,60}"[ \n\t]*,[ \n\t]*"(?:arguments|parameters|args|tool_input|action_input)"[ \n\t]*:"#,
        kind: ThreatKind::ToolHijack,
        severity: Severity::High,
        reason: "is shaped like a call of a tool",
    },
    Border {
        signs: &[" tool", "tool "],
        pattern: r"(?-u:\b)(?:call|invoke|use|execute|run|trigger) (?:the |your )?(?:tool |function )[a-z]+_[a-z_]+|(?-u:\b)(?:call|invoke|use|execute|run|trigger) (?:the |your )?[a-z]+_[a-z_]+ tool(?-u:\b)",
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        reason: "asks to have a tool called",
    },
    Border {
        signs: &[
            "rm -rf",
            "| sh",
            "|sh",
            "| bash",
            "|bash",
            "drop table",
            "/etc/passwd",
            "/etc/shadow",
        ],
        pattern: r"(?:run|execute|type|paste|enter|command)[^\n]{0,80}(?:rm -rf [/~*]|(?:curl|wget) [^\n|]{4,200}\|[ ]?(?:sudo )?(?:ba)?sh(?-u:\b)|drop table)|(?:open|read|print|show|send|cat) [^\n]{0,40}/etc/(?:passwd|shadow)",
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        reason: "asks to run something destructive",
    },
    Border {
        signs: &["\"role\""],
        pattern: r#""role"[ \n\t]*:[ \n\t]*"(?:system|developer|assistant)"[ \n\t]*,[ \n\t]*"content"[ \n\t]*:"#,
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::High,
        reason: "is shaped like a message with a role",
    },
    Border {
        signs: &[
            "system:",
            "instruction:",
            "response:",
            "human:",
            "assistant:",
            "user:",
            "input:",
            "instructions:",
        ],
        pattern: r"(?m)^[ \t]*#{2,6}[ \t]*(?:system|instruction|response|human|assistant|user|input|new instructions?):",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "holds a heading that names a role",
    },
    Border {
        signs: &[
            "[system",
            "[admin",
            "[developer",
            "[root",
            "[/system",
            "[/admin",
        ],
        pattern: r"\[/?(?:system|admin|developer|administrator|root)(?: [a-z]{2,20}){0,2}\]",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "pretends that a system speaks",
    },
    Border {
        signs: &["end of ", "begin of ", "start of ", "beginning of "],
        pattern: r"(?m)^[^a-z\n]*(?:begin|end|start|beginning) of (?:the )?(?:context|document|user input|prompt|input|data|untrusted [a-z]+|system [a-z]+|instructions?|source|article|email|text)[^a-z\n]*$",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "pretends that the text ends",
    },
    Border {
        signs: &["instruction", "prompt", "user input", "override"],
        pattern: r"[=\-#*~<\[]{3,}[ \t]*(?:(?:new|real|updated|system|admin|begin|start|end)[a-z ]{0,30})?(?:instructions?|prompt|user input|override)[a-z ]{0,20}[=\-#*~>\]]{3,}",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "draws a border between parts of a prompt",
    },
];

static PATTERNS: LazyLock<Vec<Option<Regex>>> = LazyLock::new(|| {
    BORDERS
        .iter()
        .map(|border| pattern(border.pattern))
        .collect()
});

/// All signs at once, and the border each belongs to.
static SIGNS: LazyLock<Option<(AhoCorasick, Vec<usize>)>> = LazyLock::new(|| {
    let each = || {
        BORDERS
            .iter()
            .enumerate()
            .flat_map(|(index, border)| border.signs.iter().map(move |sign| (index, sign)))
    };
    let signs = AhoCorasick::new(each().map(|(_, sign)| sign)).ok()?;
    Some((signs, each().map(|(index, _)| index).collect()))
});

/// The borders whose signs are in the text.
fn suspected(view: &str) -> [bool; BORDERS.len()] {
    let mut suspected = [false; BORDERS.len()];
    if let Some((signs, owners)) = SIGNS.as_ref() {
        for sign in signs.find_overlapping_iter(view) {
            let owner = owners.get(sign.pattern().as_usize());
            if let Some(flag) = owner.and_then(|owner| suspected.get_mut(*owner)) {
                *flag = true;
            }
        }
    }
    suspected
}

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
    let suspected = suspected(view);
    for ((border, pattern), suspected) in BORDERS.iter().zip(PATTERNS.iter()).zip(suspected) {
        let Some(pattern) = pattern.as_ref().filter(|_| suspected) else {
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
    if view.contains("</") {
        unopened(view, findings);
    }
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
    if ![
        "system:",
        "assistant:",
        "human:",
        "ai:",
        "system prompt:",
        "system message:",
    ]
    .iter()
    .any(|sign| view.contains(sign))
    {
        return;
    }
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
