//! How what happened becomes an outcome: failures, and what a result says of itself. Calls nothing.

use std::any::Any;

use adjutant_mission::{Failure, FailureKind, Outcome, Ppm, Remarks, Usage};
use serde_json::Value;

const MESSAGE_BYTES_MAX: usize = 2_000;
const SURPRISE_CHARS_MAX: usize = 500;
const GIST_CHARS_MAX: usize = 800;

/// A failure that cost nothing, because nothing was called.
pub(crate) fn before_call(kind: FailureKind, message: String) -> Outcome {
    fail(kind, message, Usage::NONE)
}

pub(crate) fn fail(kind: FailureKind, message: String, usage: Usage) -> Outcome {
    Outcome::Failed {
        failure: Failure {
            kind,
            message: shorten(message),
        },
        usage,
    }
}

/// What a result says of itself: `confidence` from 0 to 1, `surprise` in words, and its `summary` or `text`.
pub(crate) fn remarks(output: &Value) -> Remarks {
    let confidence = output.get("confidence").and_then(Value::as_f64);
    let confidence = confidence.filter(|sure| (0.0..=1.0).contains(sure));
    let words = |of: &str, chars_max: usize| {
        let words = output.get(of).and_then(Value::as_str).map(str::trim);
        words
            .filter(|words| !words.is_empty())
            .map(|words| cut(words, chars_max))
    };
    Remarks {
        confidence: confidence.map(|sure| Ppm((sure * 1e6).round() as u32)),
        surprise: words("surprise", SURPRISE_CHARS_MAX),
        gist: words("summary", GIST_CHARS_MAX).or_else(|| words("text", GIST_CHARS_MAX)),
        signs: None,
    }
}

fn cut(words: &str, chars_max: usize) -> String {
    match words.char_indices().nth(chars_max) {
        None => words.into(),
        Some((end, _)) => format!("{}…", words[..end].trim_end()),
    }
}

/// Messages are kept in the journal, so none may be as long as what it quotes.
pub(crate) fn shorten(mut message: String) -> String {
    if message.len() > MESSAGE_BYTES_MAX {
        message.truncate(message.floor_char_boundary(MESSAGE_BYTES_MAX));
        message.push('…');
    }
    message
}

pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (None, Some(text)) => text,
        (None, None) => "it gave no reason",
    }
}
