//! Finds forged delimiters: what models read as borders between turns, roles, sources and tool calls.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

use crate::finding::{Finding, compile_pattern};
use crate::threat::{Severity, ThreatKind};

struct Border {
    /// Every match of the pattern contains one of these; they are cheap to search for.
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
        reason: "contains a chat template marker",
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
        reason: "imitates the delimiters of our own prompts",
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
        reason: "contains a tag that names a role",
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
        reason: "is formatted like a tool call",
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
        reason: "is formatted like a tool call",
    },
    Border {
        signs: &[" tool", "tool ", " action", " plugin", " skill"],
        pattern: r"(?-u:\b)(?:call|invoke|use|execute|run|trigger) (?:the |your )?(?:tool |function )`?[a-z]+_[a-z_]+|(?-u:\b)(?:call|invoke|use|execute|run|trigger) (?:the |your )?`?[a-z]+_[a-z_]+`? (?:tool|action|plugin|skill)(?-u:\b)",
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        reason: "asks for a tool call",
    },
    Border {
        signs: &[
            "rm -",
            "| sh",
            "|sh",
            "| bash",
            "|bash",
            "drop table",
            "/etc/passwd",
            "/etc/shadow",
        ],
        pattern: r"(?:run|execute|type|paste|enter|command)[^\n]{0,80}(?:rm -r?fr? [^\s]|(?:curl|wget) [^\n|]{4,200}\|[ ]?(?:sudo )?(?:ba)?sh(?-u:\b)|drop table)|(?:open|read|print|show|send|cat) [^\n]{0,40}/etc/(?:passwd|shadow)",
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        reason: "asks to run a destructive command",
    },
    Border {
        signs: &["("],
        pattern: r#"(?:^|[^`a-z0-9_.])(?:[a-z]+[._])?(?:send|transfer|pay|wire|delete|remove|share|grant|invite|unlock|lock|disable|purchase|buy|order|forward|upload|wipe|approve|cancel|book|charge|refund|mute|publish|execute)(?:_[a-z]+){0,2}\((?:[a-z_]+ ?= ?["'<0-9*]|[a-z]+_[a-z_]+\)|["'][^"'\n]{1,80}["']\) *(?:$|[;,.] ))"#,
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        reason: "is formatted like a call that pays, sends or deletes",
    },
    Border {
        signs: &["\"function_call\"", "\"tool_call", "\"tool\"", "\"action\""],
        pattern: r#""(?:function_call|tool_calls?)"[ \n\t]*:[ \n\t]*[\[{]|"(?:tool|action)"[ \n\t]*:[ \n\t]*"[a-z]+[_.][a-z_.]+"[ \n\t]*,[ \n\t]*"(?:to|input|params|query|command|cmd|url|path|amount|recipient)""#,
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        reason: "is formatted like a tool call",
    },
    Border {
        signs: &[" tool", " plugin", " connector", "-tool"],
        pattern: r"(?-u:\b)(?:your (?:e?-?mail|calendar|browser|browsing|payments?|booking|transfer|file|files|shell|search|web|messaging|chat|sms|banking|drive|crm|ticket|ticketing|contacts?|home|database|member list|account)|the (?:e?-?mail|calendar|payments?|booking|transfer|messaging|sms|banking|member list|contacts?))[ -](?:tool|plugin|connector)(?-u:\b)",
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        reason: "asks for a tool call",
    },
    Border {
        signs: &["role: ", "role:"],
        pattern: r"(?-u:\b)role:[ ]?(?:system|developer|assistant|tool)[ \t]*(?:\\n|\n)[ \t]*content:",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::High,
        reason: "is formatted like a chat message with a role",
    },
    Border {
        signs: &["---begin ", "--- begin ", "===begin ", "=== begin "],
        pattern: r"[-=]{3,} ?begin (?:admin|operator|system|model|agent|assistant|developer|policy|override)[a-z ]{0,20}[-=]{3,}",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "imitates a border between parts of a prompt",
    },
    Border {
        signs: &["\"role\""],
        pattern: r#""role"[ \n\t]*:[ \n\t]*"(?:system|developer|assistant)"[ \n\t]*,[ \n\t]*"content"[ \n\t]*:"#,
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::High,
        reason: "is formatted like a chat message with a role",
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
        reason: "contains a heading that names a role",
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
        pattern: r"\[/?(?:system|admin|developer|administrator|root)(?:[ :_-]+(?:message|prompt|notes?|notice|override|instructions?|update|alert|mode|command|directive|reminder|speaking|only|access|end|start|begin)){0,2}\]",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "pretends to be a system message",
    },
    Border {
        signs: &["end of ", "begin of ", "start of ", "beginning of "],
        pattern: r"(?m)^[^a-z\n]*(?:begin|end|start|beginning) of (?:the )?(?:context|document|user input|prompt|input|data|untrusted [a-z]+|system [a-z]+|instructions?|source|article|email|text)[^a-z\n]*$",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "pretends that the text ends here",
    },
    Border {
        signs: &["instruction", "prompt", "user input", "override"],
        pattern: r"[=\-#*~<\[]{3,}[ \t]*(?:(?:new|real|updated|system|admin|begin|start|end)[a-z ]{0,30})?(?:instructions?|prompt|user input|override)[a-z ]{0,20}[=\-#*~>\]]{3,}",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "imitates a border between parts of a prompt",
    },
    Border {
        signs: &["(", " function"],
        pattern: r#"(?-u:\b)(?:send|transfer|wire|make|pay|delete|forward|share|grant|update|reset|book|buy|create|add|invite|upload|download|execute|run|post|schedule)_(?:[a-z]+_){0,2}(?:money|payment|payments|transaction|transactions|funds|invoice|e?mails?|direct_message|sms|password|admin|execute|shell|command|purchase|invitation|wallet|account|access|permissions?|contacts?|secrets?|credentials?)(?:\([^)\n]{0,200}[=\x22'@0-9]|`?(?:\(\))? function(?-u:\b))"#,
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        reason: "names a call that pays, sends or deletes",
    },
    Border {
        signs: &[
            "-reminder",
            "_reminder",
            "prompt",
            "message",
            "override",
            "instruction",
            "-note",
            "_note",
            "update",
            "directive",
            "command",
            "polic",
            "-task",
            "_task",
            "-turn",
            "_turn",
            "-rule",
            "_rule",
            "-role",
            "_role",
            "output",
            "result",
            "response",
        ],
        pattern: r"</?(?:system|admin|administrator|developer|operator|root|assistant|agent|ai|model|platform|new|hidden|secret|priority|tool|function)[_-](?:reminder|prompt|message|override|instructions?|note|notice|update|directive|command|policy|policies|role|task|turn|rules?|output|results?|response)(?:[_-][a-z]+)?(?: [^<>\n]{0,80})?>",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "contains a tag that names a role",
    },
    Border {
        signs: &["role", "from=", "author=", "speaker=", "sender="],
        pattern: r#"<[a-z_]{2,20} (?:role|from|author|speaker|sender)=["']?(?:system|developer|assistant|admin|tool)["']?[ />]|(?m)^[ \t-]*["']?role["']?[ \t]*:[ \t]*["']?(?:system|developer|assistant|tool)["']?[ \t]*,?[ \t]*\n[ \t]*["']?content["']?[ \t]*:|"role"[ \n\t]*:[ \n\t]*"(?:system|developer)""#,
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "is formatted like a chat message with a role",
    },
    Border {
        signs: &[
            " end", "end ", "ends", "begin", "start", "-end", "=end", "*end", "#end", "[end",
        ],
        pattern: r"(?m)(?:^|[ \t])(?:[=\-#*~_]{3,}|[<\[]{1,4})[ \t]*(?:(?:begin|beginning|start|end)(?: of)?(?: the| this| all)? (?:(?:trusted|untrusted|external|retrieved|system|tool|user|quoted|uploaded|attached|web|search|customer|original) )?(?:file|context|document|documents|user|input|output|outputs|prompt|data|section|content|instructions?|source|sources|article|e?mail|page|web ?page|results?|transcript|conversation|attachment)|(?:trusted|untrusted|external|retrieved|system|tool|user|document|context|data|file|page)(?: [a-z]+)? (?:begins?|starts?|ends?))(?: (?:here|now))?(?: ?\([^)\n]{0,60}\))?[ \t]*(?:[=\-#*~_]{3,}|[>\]]{1,4})",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "pretends that a part of the prompt begins or ends here",
    },
    Border {
        signs: &[
            "notice:",
            "message:",
            "note:",
            "update:",
            "override:",
            "alert:",
            "reminder:",
            "prompt:",
            "instruction:",
            "instructions:",
            "directive:",
            "command:",
            "output:",
            "result:",
            "results:",
            "response:",
        ],
        // A real tool result may start like this; in the middle of a text it is forged.
        pattern: r"(?m)(?:^[^a-z0-9\n]{0,12}(?:(?:system|admin|administrator|developer|operator|platform|root|assistant|ai|model)[ _-](?:notice|message|note|update|override|alert|reminder|prompt|instructions?|directive|command)|(?:user|human)[ _-](?:message|instructions?))|\n[^a-z0-9\n]{0,12}(?:tool|function)[ _-](?:output|results?|response))\**[ \t]*:\**[ \t]+[^\s]",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "pretends to be a message from a system, user or tool",
    },
    Border {
        signs: &["{{", "[assistant", "[[", "[tool", "[|"],
        pattern: r"\{\{[#/~]?(?:system|assistant)~?\}\}|\[\[(?:system|assistant|admin|instructions?)\]\]|\[/?assistant\]|\[/?tool[ _](?:output|results?|response)\]|\[\|[a-z]{2,20}\|\]",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "contains a marker that names a role",
    },
    Border {
        signs: &["agent", "assistant", "model", "bots", "reviewers", "llm"],
        pattern: r"(?m)(?:^|[.!?\n] ?)(?:(?:note|message|hint|attention|notice|instructions?)(?: to| for|,|:)? (?:all |any |the |every |whichever )?)?(?:(?:ai|coding|automated|browser|browsing|llm)[ -](?:agents?|assistants?|models?|reviewers?|bots?)|language models|llms|ai systems)(?: [a-z]+){0,5}:[ \t]",
        kind: ThreatKind::Override,
        severity: Severity::Medium,
        reason: "addresses AI readers",
    },
    Border {
        signs: &["observation:"],
        pattern: r"(?m)^[ \t]*(?:thought|action|action input)[ \t]*:[^\n]*\n(?:[^\n]*\n){0,2}[ \t]*observation[ \t]*:",
        kind: ThreatKind::DelimiterForgery,
        severity: Severity::Medium,
        reason: "imitates a tool result",
    },
];

static PATTERNS: LazyLock<Vec<Option<Regex>>> = LazyLock::new(|| {
    BORDERS
        .iter()
        .map(|border| compile_pattern(border.pattern))
        .collect()
});

/// One automaton for all signs, and the index of the border each belongs to.
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

/// Which borders have a sign in the text.
fn find_suspected_borders(folded: &str) -> [bool; BORDERS.len()] {
    let mut suspected = [false; BORDERS.len()];
    if let Some((signs, owners)) = SIGNS.as_ref() {
        for sign in signs.find_overlapping_iter(folded) {
            let owner = owners.get(sign.pattern().as_usize());
            if let Some(flag) = owner.and_then(|owner| suspected.get_mut(*owner)) {
                *flag = true;
            }
        }
    }
    suspected
}

/// Prompt tags that ordinary markup also uses; a closing tag without an opening one is a forgery.
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
    compile_pattern(
        r"(?m)^[ \t>*]{0,8}\**(system|assistant|human|user|ai|q)(?: prompt| message)?\**[ \t]*:\**[ \t]+[a-z]",
    )
});

pub(crate) fn find_threats(
    folded: &str,
    is_code: impl Fn(usize) -> bool,
    findings: &mut Vec<Finding>,
) {
    let suspected = find_suspected_borders(folded);
    for ((border, pattern), suspected) in BORDERS.iter().zip(PATTERNS.iter()).zip(suspected) {
        let Some(pattern) = pattern.as_ref().filter(|_| suspected) else {
            continue;
        };
        for found in pattern.find_iter(folded) {
            // Documentation shows these shapes in code blocks; there they are only logged.
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
    if folded.contains("</") {
        find_unopened_tags(folded, findings);
    }
    find_role_lines(folded, findings);
}

fn find_unopened_tags(folded: &str, findings: &mut Vec<Finding>) {
    for name in ENCLOSING {
        let close = format!("</{name}");
        let Some(at) = folded.find(&close) else {
            continue;
        };
        let end = at + close.len();
        if !folded[end..].starts_with('>') && !folded[end..].starts_with(' ') {
            continue;
        }
        let opened = folded[..at].contains(&format!("<{name}"));
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
            "closes a tag that encloses text from outside",
        ));
    }
}

/// A forged conversation has lines of at least two speakers, one of them a machine.
fn find_role_lines(folded: &str, findings: &mut Vec<Finding>) {
    if ![
        "system:",
        "assistant:",
        "human:",
        "ai:",
        "system prompt:",
        "system message:",
    ]
    .iter()
    .any(|sign| folded.contains(sign))
    {
        return;
    }
    let Some(pattern) = ROLE_LINE.as_ref() else {
        return;
    };
    let mut first = None::<usize>;
    let mut people = false;
    let mut machine = false;
    for found in pattern.captures_iter(folded) {
        let Some(role) = found.get(1) else { continue };
        match role.as_str() {
            "human" | "user" | "q" => people = true,
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
                "imitates a conversation between roles",
            ));
            if severity == Severity::High {
                return;
            }
        }
    }
}
