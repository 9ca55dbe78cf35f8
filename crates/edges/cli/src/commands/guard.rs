//! `adjutant guard`: what the prompt guard finds in a text, and what would be done about it.

use adjutant_guard::{Action, Inspected, Origin, Severity, Threat, inspect};
use serde_json::json;

use crate::args::{Guard, OriginOf};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::text_file;
use crate::view::{Line, Tone, count};
use adjutant_app::error::AppError;
use adjutant_app::settings::Settings;

/// How much of a passage is shown.
const WORDS_CHARS_MAX: usize = 100;

pub(super) fn run(settings: &Settings, guard: &Guard) -> Result<Exit, AppError> {
    let text = text_file::read(&guard.file)?;
    let origin = match guard.origin {
        OriginOf::Person => Origin::Person,
        OriginOf::Document => Origin::Document,
        OriginOf::ToolResult => Origin::ToolResult,
        OriginOf::WebPage => Origin::WebPage,
        OriginOf::Mcp => Origin::Mcp,
        OriginOf::Model => Origin::Model,
    };
    let protection = &settings.protection;
    let inspected = inspect(&text, origin, &protection.limits);
    let actions = protection.guard.actions(origin);
    let action = protection.guard.action(origin, &inspected);
    if Form::from(guard.json.json) == Form::Json {
        let threats = inspected.threats.iter().map(|threat| {
            let (line, column) = text_file::place(&text, threat.span.start);
            json!({
                "kind": threat.kind, "severity": threat.severity, "action": actions.for_severity(threat.severity),
                "start": threat.span.start, "end": threat.span.end, "line": line, "column": column,
                "text": words(&text, threat), "reason": threat.reason,
            })
        });
        let told = json!({
            "origin": origin, "severity": inspected.severity, "action": action,
            "threats": threats.collect::<Vec<_>>(),
        });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    show(&text, origin, &inspected, action)
}

fn show(
    text: &str,
    origin: Origin,
    inspected: &Inspected,
    action: Option<Action>,
) -> Result<Exit, AppError> {
    let from = name(&origin);
    let (Some(severity), Some(action)) = (inspected.severity, action) else {
        let good = Line::new()
            .plain(" ")
            .and(Tone::Done, "✓")
            .plain(" no attempt to manipulate a model was found")
            .and(Tone::Dim, format!("  as {from}"));
        Line::print_all(&[good], output::paint())?;
        return Ok(Exit::Ok);
    };
    let done = match action {
        Action::Log => "it would be sent to a model unchanged, and recorded",
        Action::Fence => "it would be sent to a model with the passages marked as data",
        Action::Ask => "a person would be asked before it is sent to a model",
        Action::Block => "it would not be sent to a model",
    };
    let mut lines = vec![
        Line::new()
            .plain(" ")
            .and(tone(severity), "!")
            .plain(" ")
            .and(Tone::Bold, count(inspected.threats.len(), "threat"))
            .and(Tone::Dim, format!("  as {from}: {done}")),
        Line::new(),
    ];
    for threat in &inspected.threats {
        let (line, column) = text_file::place(text, threat.span.start);
        let head = Line::new()
            .plain("   ")
            .and(
                tone(threat.severity),
                format!("{:<7}", name(&threat.severity)),
            )
            .and(Tone::Bold, name(&threat.kind))
            .and(Tone::Dim, format!("  line {line}, column {column}"));
        lines.push(head);
        let reason = Line::new().plain("          ").plain(&threat.reason);
        lines.push(reason);
        let words = Line::new()
            .plain("          ")
            .and(Tone::Dim, format!("“{}”", words(text, threat)));
        lines.push(words);
    }
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

/// The words a threat is about, on one line.
fn words(text: &str, threat: &Threat) -> String {
    let passage = text.get(threat.span.clone()).unwrap_or_default();
    let flat = passage.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(WORDS_CHARS_MAX) {
        Some((end, _)) => format!("{}…", flat.get(..end).unwrap_or_default()),
        None => flat,
    }
}

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Low => Tone::Dim,
        Severity::Medium => Tone::Human,
        Severity::High => Tone::Failed,
    }
}

/// A word as it is written in records, with spaces.
fn name(word: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(word).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}
