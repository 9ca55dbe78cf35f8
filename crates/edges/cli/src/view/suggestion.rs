//! A suggested graph: its tasks by layers, each with its arguments and why it is there, and how sure it all is.

use std::collections::BTreeMap;

use adjutant_suggestion::{AilReason, GraphTask, Missing, Suggestion};
use serde_json::Value;

use super::{Line, Tone, wrap};

const WIDTH_MAX: usize = 110;
/// Layers that are set in; later ones stand below each other.
const SET_IN_MAX: usize = 8;

pub(crate) fn suggestion(suggested: &Suggestion, width: usize) -> Vec<Line> {
    let width = width.min(WIDTH_MAX);
    let mut lines = Vec::new();
    let why: BTreeMap<&str, &str> = suggested
        .why
        .iter()
        .map(|why| (why.task.as_str(), why.because.as_str()))
        .collect();
    for (layer, tasks) in suggested.graph.layers().into_iter().enumerate() {
        for task in tasks {
            let because = why.get(task.id.as_str()).copied().unwrap_or_default();
            lines.extend(one_task(suggested, task, because, layer, width));
        }
    }
    if suggested.graph.tasks.is_empty() {
        lines.push(Line::of(Tone::Bold, " No tool serves this intent."));
    }
    lines.push(Line::new());
    lines.extend(verdict(suggested, width));
    lines
}

fn one_task(
    suggested: &Suggestion,
    task: &GraphTask,
    because: &str,
    layer: usize,
    width: usize,
) -> Vec<Line> {
    let inset = "    ".repeat(layer.saturating_sub(1).min(SET_IN_MAX));
    let (mark, below) = match layer {
        0 => (" ● ".to_owned(), "   ".to_owned()),
        _ => (format!(" {inset}└─▶ "), format!(" {inset}    ")),
    };
    let mut lines = vec![
        Line::new()
            .plain(&mark)
            .and(Tone::Bold, &task.id)
            .and(Tone::Dim, format!("  {}", task.tool)),
    ];
    let mut add = |tone: Tone, text: &str| {
        let room = width.saturating_sub(below.chars().count()).max(20);
        for part in wrap(text, room) {
            lines.push(Line::new().plain(&below).and(tone, part));
        }
    };
    if task.depends_on.len() > 1 {
        add(Tone::Dim, &format!("after {}", task.depends_on.join(", ")));
    }
    for (name, value) in &task.arguments {
        add(Tone::Plain, &format!("{name}: {}", told(value)));
    }
    for missing in suggested
        .missing
        .iter()
        .filter(|missing| missing.task == task.id)
    {
        let about = match missing.about.as_str() {
            "" => String::new(),
            about => format!(": {about}"),
        };
        add(
            Tone::Human,
            &format!("{} is missing ({}){about}", names(missing), missing.kind),
        );
    }
    add(Tone::Dim, because);
    lines
}

/// The argument, and those that do as well.
fn names(missing: &Missing) -> String {
    let others = missing.or.iter().map(|other| format!(" or {other}"));
    format!("{}{}", missing.argument, others.collect::<String>())
}

fn told(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim_end().replace('\n', " ⏎ "),
        Value::Array(items) => items.iter().map(told).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// How sure it is, and whether somebody must decide.
fn verdict(suggested: &Suggestion, width: usize) -> Vec<Line> {
    let confidence = &suggested.confidence;
    let mut lines = vec![
        Line::new()
            .plain(" Confidence ")
            .and(Tone::Bold, percent(confidence.value)),
    ];
    let mut add = |tone: Tone, text: &str| {
        lines.extend(
            wrap(text, width.saturating_sub(1))
                .into_iter()
                .map(|part| Line::new().plain(" ").and(tone, part)),
        );
    };
    let weights = &confidence.weights;
    add(
        Tone::Dim,
        &format!(
            "{} before calibration: words {} × {}, PageRank {} × {}, paths {} × {} (density {:.3})",
            percent(confidence.raw),
            percent(confidence.hybrid),
            weights.hybrid,
            percent(confidence.pagerank),
            weights.pagerank,
            percent(confidence.path),
            weights.path,
            confidence.density,
        ),
    );
    if let Some(nearest) = &suggested.nearest {
        add(
            Tone::Dim,
            &format!(
                "Most like it, {} alike, and completed: {}, “{}”",
                percent(nearest.similarity),
                nearest.workflow,
                nearest.intent
            ),
        );
    }
    for piece in &suggested.not_covered {
        add(Tone::Human, &format!("No task covers “{piece}”."));
    }
    if !suggested.missing.is_empty() && suggested.ail_required != Some(AilReason::MissingArguments)
    {
        add(Tone::Human, AilReason::MissingArguments.sentence());
    }
    match suggested.ail_required {
        Some(reason) => add(
            Tone::Human,
            &format!("Somebody must decide before it runs: {}", reason.sentence()),
        ),
        None => add(Tone::Done, "It may run without asking."),
    }
    lines
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
