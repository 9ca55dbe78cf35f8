//! What is said to providers and what they say, apart from how it gets there: bytes in, bytes out, no I/O.

pub(crate) mod anthropic;
pub(crate) mod openai;
mod schema;

use adjutant_mission::Ppm;
use adjutant_questions::{Finish, Ordered, Tokens};
use serde_json::Value;

use crate::settings::{Provider, ProviderKind};
use crate::sse::Event;
use crate::tools::ToolDefinition;

/// The text, thinking and arguments of one answer. More is not an answer.
pub(crate) const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Tool calls in one answer.
const CALLS_MAX: usize = 64;
/// Content blocks in one answer of Anthropic's.
const BLOCKS_MAX: usize = 256;

/// One request, as every provider understands it in its own words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) model: &'a str,
    pub(crate) system: &'a str,
    pub(crate) turns: &'a [Turn],
    pub(crate) schema_name: &'a str,
    pub(crate) schema: &'a Ordered,
    pub(crate) tools: &'a [ToolDefinition],
    pub(crate) output_tokens_max: u32,
    pub(crate) temperature: Ppm,
    pub(crate) caching: Caching,
}

/// Whether the provider is told to keep the beginning of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caching {
    Off,
    On,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Turn {
    User(String),
    Model(Said),
    Results(Vec<ToolResult>),
}

/// What a model said in one turn, to be said back to it in the next.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) calls: Vec<RawCall>,
    /// Blocks that a provider wants back as they were: Anthropic's thinking.
    pub(crate) kept: Vec<Value>,
}

/// A tool call as the model wrote it: the arguments may be no JSON at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RawCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolResult {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Done,
    Failed,
}

/// One whole answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) said: Said,
    pub(crate) finish: Finish,
    /// What it gave as its reason to decline.
    pub(crate) refusal: Option<String>,
    /// None if the provider told nothing that can be true.
    pub(crate) usage: Option<Tokens>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WireError {
    /// An error that the provider sent in the middle of its answer.
    #[error("{kind}: {message}")]
    Told {
        status: u16,
        kind: String,
        message: String,
    },
    #[error("its answer cannot be read: {0}")]
    Malformed(String),
    #[error("its answer ended in the middle")]
    Unfinished,
    #[error("its answer is longer than {ANSWER_BYTES_MAX} bytes")]
    TooLarge,
}

pub(crate) fn body(provider: &Provider, question: &Question<'_>) -> Ordered {
    match provider.kind {
        ProviderKind::Anthropic => anthropic::body(provider, question),
        _ => openai::body(provider, question),
    }
}

#[derive(Debug)]
pub(crate) enum Decoder {
    OpenAi(openai::Decoder),
    Anthropic(anthropic::Decoder),
}

impl Decoder {
    pub(crate) fn new(kind: ProviderKind) -> Self {
        match kind {
            ProviderKind::Anthropic => Self::Anthropic(anthropic::Decoder::default()),
            _ => Self::OpenAi(openai::Decoder::default()),
        }
    }

    /// Takes in an event; the text it brought.
    pub(crate) fn take(&mut self, event: &Event) -> Result<String, WireError> {
        match self {
            Self::OpenAi(decoder) => decoder.take(event),
            Self::Anthropic(decoder) => decoder.take(event),
        }
    }

    /// Whether nothing more is to come.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Self::OpenAi(decoder) => decoder.is_over(),
            Self::Anthropic(decoder) => decoder.is_over(),
        }
    }

    pub(crate) fn finish(self) -> Result<Reply, WireError> {
        match self {
            Self::OpenAi(decoder) => decoder.finish(),
            Self::Anthropic(decoder) => decoder.finish(),
        }
    }
}

/// What the body of an error says: its kind and its message, else its first characters.
pub(crate) fn error_of(body: &str) -> (String, String) {
    const QUOTE_CHARS_MAX: usize = 200;
    let quote = |text: &str| -> String {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        line.chars().take(QUOTE_CHARS_MAX).collect()
    };
    let value: Value = serde_json::from_str(body).unwrap_or(Value::Null);
    let error = match &value["error"] {
        Value::Null => &value,
        error => error,
    };
    let text = |name: &str| error[name].as_str().map(quote).unwrap_or_default();
    let kind = match text("code") {
        code if code.is_empty() => text("type"),
        code => code,
    };
    let message = match (text("message"), error.as_str()) {
        (message, _) if !message.is_empty() => message,
        (_, Some(message)) => quote(message),
        (_, None) => quote(body),
    };
    (kind, message)
}

/// Grows a text within the limit of a whole answer.
fn grow(room: &mut usize, text: &mut String, by: &str) -> Result<(), WireError> {
    *room = room.checked_sub(by.len()).ok_or(WireError::TooLarge)?;
    text.push_str(by);
    Ok(())
}

/// The schema in words, for providers that are not held to it.
fn schema_in_words(schema: &Ordered) -> String {
    format!("\n\nThe JSON Schema of the answer:\n{schema}")
}

#[cfg(test)]
#[path = "wire/wire_tests.rs"]
mod tests;
