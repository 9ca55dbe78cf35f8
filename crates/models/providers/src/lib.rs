//! Asks models: one question, many answerers. Providers, fallback chains, limits, prices, cassettes.
//!
//! Knows nothing of missions' state, of the store and of the environment: keys, the clock and chance are passed in.
//! Never sleeps long and never asks twice what was answered.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod answering;
mod bound;
mod breaker;
mod bucket;
mod cassette;
mod chain;
mod conversation;
mod embeddings;
mod exchange;
mod fit;
mod gate;
mod models;
mod options;
mod price;
mod retry;
mod secret;
mod settings;
mod sse;
mod tools;
mod transport;
mod wire;

pub use bound::{Bound, Calling};
pub use cassette::{Cassette, CassetteError};
pub use chain::Route;
pub use embeddings::{EMBEDDED_AT_ONCE_MAX, Embedder, Embeddings};
pub use models::{Clock, ModelParts, Models, ModelsError, OFFLINE, Random};
pub use options::{AskOptions, Progress, Watcher};
pub use secret::Secret;
pub use settings::{
    ModelSettings, OutputLimit, PriceSettings, Problem, ProviderKind, ProviderSettings,
    SettingsError, Structured, TierSettings,
};
pub use tools::{
    TOOL_RESULT_BYTES_MAX, TOOL_ROUNDS_MAX, TOOL_TOKENS_MAX, ToolCall, ToolDefinition, ToolFuture,
    ToolHandler, Tools,
};
