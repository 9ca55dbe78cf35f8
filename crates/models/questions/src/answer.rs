//! What came back: an answer, or why there is none.

use adjutant_mission::{FailureKind, MicroUsd, Millis, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{LeftOut, Output, Rendered};

#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Fits the purpose's schema.
    pub output: Output,
    /// What the model wrote, as it wrote it.
    pub text: String,
    pub tokens: Tokens,
    pub cost: MicroUsd,
    /// As its provider calls it; `offline` if there was none.
    pub model: String,
    pub provider: String,
    pub latency: Millis,
    pub finish: Finish,
    /// The prompt it was asked with; none was needed offline.
    pub prompt: Option<Rendered>,
    pub left_out: Vec<LeftOut>,
    /// What every reader should know of how it was made; empty if there is nothing.
    pub notice: String,
}

impl Answer {
    /// The answer as a task's result: its fields, and under `answered_by` who gave it, with what prompt and at what cost.
    /// Entries that are no findings stand under `findings` too.
    pub fn result(&self) -> Value {
        let mut result = self.output.value();
        let mut by = json!({
            "purpose": self.output.purpose(),
            "model": self.model,
            "provider": self.provider,
            "tokens": self.tokens,
            "cost": self.cost,
            "latency_ms": self.latency.0,
            "finish": self.finish,
        });
        if let Some(prompt) = &self.prompt {
            by["prompt"] = json!(prompt);
        }
        if !self.left_out.is_empty() {
            by["left_out"] = json!(self.left_out);
        }
        if !self.notice.is_empty() {
            by["notice"] = json!(self.notice);
        }
        if let Value::Object(fields) = &mut result {
            if let Some(findings) = self.output.as_findings() {
                fields.insert("findings".to_owned(), json!(findings));
            }
            fields.insert("answered_by".to_owned(), by);
        }
        result
    }
}

/// Tokens as the provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// All that went in, what was cached included.
    pub input: u64,
    pub output: u64,
    /// Of the input, what the provider read from its cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_read: u64,
    /// Of the input, what the provider wrote to its cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write: u64,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

impl Tokens {
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
        }
    }
}

/// Why the model stopped writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done.
    Stop,
    /// It came to the limit of its answer.
    Length,
    /// It wants tools called.
    ToolCalls,
    /// The provider's filter ended it, or the model declined.
    Refusal,
}

/// Why there is no answer. What was used up all the same stands beside it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskFailure {
    #[error("{provider} cannot be reached: {message}")]
    Unreachable { provider: String, message: String },
    #[error("{provider} took longer than {limit}")]
    TimedOut { provider: String, limit: Millis },
    /// A rate limit or an open circuit: nothing was sent, or it was turned away.
    #[error("{provider} is to be asked again later")]
    Busy { provider: String, until: Timestamp },
    #[error("{provider} had trouble ({status}): {message}")]
    Trouble {
        provider: String,
        status: u16,
        message: String,
    },
    /// Keys, permissions, unknown models, malformed requests: the same again will fail again.
    #[error("{provider} does not take the question ({status}): {message}")]
    Rejected {
        provider: String,
        status: u16,
        message: String,
    },
    #[error("{provider} declined to answer: {message}")]
    Declined { provider: String, message: String },
    #[error("the answer of {provider} was cut off at {tokens_max} tokens")]
    CutOff { provider: String, tokens_max: u32 },
    /// No JSON, or none that fits, after one round of repair.
    #[error("the answer of {provider} does not fit: {message}")]
    BadAnswer { provider: String, message: String },
    #[error("the answer of {provider} is longer than {bytes_max} bytes")]
    TooLarge { provider: String, bytes_max: usize },
    #[error("the question is longer than its limit of {tokens_max} tokens even without any source")]
    TooLong { tokens_max: u32 },
    /// Its tools were called so often that it was stopped.
    #[error("{provider} asked for tools more than {rounds_max} times")]
    ToolLoop { provider: String, rounds_max: u16 },
    #[error("the price of `{model}` is not known: put it under [models.prices]")]
    Unpriced { model: String },
    #[error("there is no model `{model}`: add its provider under [models.providers]")]
    UnknownModel { model: String },
    #[error("no model is set for the tier `{tier}`")]
    NoModel { tier: String },
    #[error("the prompt cannot be rendered: {message}")]
    Prompt { message: String },
    /// Exchanges are replayed and this one was not recorded, or are recorded and this one cannot be.
    #[error("no exchange with {provider}: {message}")]
    Cassette { provider: String, message: String },
}

impl AskFailure {
    /// What it means for the task that asked.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Unreachable { .. } | Self::Busy { .. } | Self::Trouble { .. } => {
                FailureKind::Temporary
            }
            Self::TimedOut { .. } => FailureKind::TimedOut,
            Self::BadAnswer { .. } => FailureKind::BadOutput,
            Self::Rejected { .. }
            | Self::Declined { .. }
            | Self::CutOff { .. }
            | Self::TooLarge { .. }
            | Self::ToolLoop { .. } => FailureKind::Permanent,
            Self::TooLong { .. }
            | Self::Unpriced { .. }
            | Self::UnknownModel { .. }
            | Self::NoModel { .. }
            | Self::Prompt { .. }
            | Self::Cassette { .. } => FailureKind::BadInput,
        }
    }

    /// Whether another provider, or the same one later, may do better.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::Busy { .. }
            | Self::Trouble { .. }
            | Self::CutOff { .. }
            | Self::BadAnswer { .. }
            | Self::TooLarge { .. }
            | Self::ToolLoop { .. } => true,
            Self::Rejected { .. }
            | Self::Declined { .. }
            | Self::TooLong { .. }
            | Self::Unpriced { .. }
            | Self::UnknownModel { .. }
            | Self::NoModel { .. }
            | Self::Prompt { .. }
            | Self::Cassette { .. } => false,
        }
    }
}
