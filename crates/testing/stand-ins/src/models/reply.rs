use std::time::Duration;

use crate::models::server::Format;
use crate::models::{Misbehaviour, anthropic, http, openai};

/// What is done with one request.
#[derive(Debug, Clone)]
pub enum Reply {
    Answer(Answer),
    /// Something wrong, where the answer would have been that.
    Misbehave(Misbehaviour, Answer),
    /// A status with headers and a body.
    Status {
        status: u16,
        headers: Vec<(String, String)>,
        body: String,
    },
}

/// A proper answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub text: String,
    pub calls: Vec<Call>,
    pub finish: Finish,
    pub usage: Usage,
    /// Characters in each frame.
    pub piece: usize,
    /// Between frames.
    pub delay: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub id: String,
    pub name: String,
    /// Sent as it is, JSON or not.
    pub arguments: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    Stop,
    Length,
    ToolCalls,
    Refusal,
    ContentFilter,
}

/// Signed, because servers lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    Missing,
    Tokens {
        input: i64,
        output: i64,
        cache_read: i64,
        cache_write: i64,
    },
}

impl Answer {
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            calls: Vec::new(),
            finish: Finish::Stop,
            usage: Usage::Tokens {
                input: 100,
                output: 20,
                cache_read: 0,
                cache_write: 0,
            },
            piece: 16,
            delay: Duration::ZERO,
        }
    }

    /// Asks for tools.
    pub fn calling(calls: Vec<Call>) -> Self {
        Self {
            calls,
            finish: Finish::ToolCalls,
            ..Self::new("")
        }
    }

    pub(crate) fn pieces(&self) -> Vec<String> {
        let chars: Vec<char> = self.text.chars().collect();
        chars
            .chunks(self.piece.max(1))
            .map(|piece| piece.iter().collect())
            .collect()
    }
}

/// What is done on the connection, in order.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Bytes(Vec<u8>),
    /// The same bytes so many times.
    Repeat(Vec<u8>, u64),
    Wait(Duration),
    WaitForEver,
    /// Ends the connection so that the other side sees an error.
    Reset,
}

impl Reply {
    pub(crate) fn steps(&self, format: Format) -> Vec<Step> {
        match self {
            Self::Answer(answer) => {
                let mut steps = vec![Step::Bytes(http::stream_head("text/event-stream"))];
                for frame in frames(format, answer) {
                    steps.push(Step::Bytes(http::chunk(frame.as_bytes())));
                    if !answer.delay.is_zero() {
                        steps.push(Step::Wait(answer.delay));
                    }
                }
                steps.push(Step::Bytes(http::LAST_CHUNK.to_vec()));
                steps
            }
            Self::Misbehave(misbehaviour, answer) => misbehaviour.steps(format, answer),
            Self::Status {
                status,
                headers,
                body,
            } => vec![Step::Bytes(http::response(*status, headers, body))],
        }
    }
}

/// The events of an answer, each as it goes over the wire.
pub(crate) fn frames(format: Format, answer: &Answer) -> Vec<String> {
    match format {
        Format::OpenAi => openai::frames(answer),
        Format::Anthropic => anthropic::frames(answer),
    }
}
