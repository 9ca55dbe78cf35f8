//! `[models]` of the settings file, as it is written. What is wrong with it is told by [`ModelSettings::problems`].

mod check;

use std::collections::BTreeMap;

use adjutant_mission::MicroUsd;
use adjutant_questions::ProviderZone;
use serde::Deserialize;

pub(crate) use check::{Chains, Checked, Provider, Service};

/// By tier: the models to ask, first to last, as `provider/model` or `offline`.
pub type TierSettings = BTreeMap<String, Vec<String>>;

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelSettings {
    pub providers: BTreeMap<String, ProviderSettings>,
    /// A tier that is not named here is answered offline; one with an empty list is not answered.
    pub tiers: TierSettings,
    /// Other models for a field of knowledge. They go before those of a complexity.
    pub domains: BTreeMap<String, TierSettings>,
    /// Other models for `simple`, `ordinary` or `complex` questions.
    pub complexity: BTreeMap<String, TierSettings>,
    pub prices: BTreeMap<String, PriceSettings>,
    /// Who makes vectors of passages and questions, as `provider/model`.
    pub embeddings: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderSettings {
    pub kind: ProviderKind,
    /// Without the last part: `https://api.openai.com/v1`, `https://NAME.openai.azure.com/openai`,
    /// `https://api.anthropic.com`.
    pub url: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// Azure's; without it the newer addresses that need none are used.
    pub api_version: Option<String>,
    pub structured: Option<Structured>,
    pub output_limit: Option<OutputLimit>,
    /// Whether the level's temperature is sent. Newer models of OpenAI and Anthropic refuse it.
    pub temperature: Option<bool>,
    /// Whether the question's key is sent as `Idempotency-Key`.
    pub idempotency_key: Option<bool>,
    /// What goes outside goes with pseudonyms. Without it, only servers on this machine are inside.
    pub zone: Option<ProviderZone>,
    /// Allows plain `http:` to another machine.
    #[serde(default)]
    pub insecure: bool,
    pub concurrency_max: Option<u32>,
    pub requests_per_minute: Option<u32>,
    pub tokens_per_minute: Option<u64>,
    /// Seconds for one request.
    pub timeout: Option<u64>,
    /// Seconds without a sign of life.
    pub idle_timeout: Option<u64>,
    /// Milliseconds before the first repetition; each next one waits twice as long.
    pub retry_wait_ms: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    Openai,
    Azure,
    /// Whatever else speaks OpenAI's chat completions: vLLM, Ollama, llama.cpp.
    Compatible,
    Anthropic,
    Offline,
}

/// How a provider is held to an answer's schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// By the schema, narrowed to what the question names.
    Narrowed,
    /// By the schema, the same for every question.
    Schema,
    /// To JSON of any shape; the schema stands in the prompt.
    Json,
    /// By the prompt alone.
    Prompt,
}

/// What a provider calls the limit of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputLimit {
    MaxCompletionTokens,
    MaxTokens,
}

/// US dollars per million tokens, as text: `"2.50"`. Or `price = "free"` and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PriceSettings {
    pub price: Option<String>,
    pub input: Option<String>,
    pub output: Option<String>,
    pub cache_read: Option<String>,
    pub cache_write: Option<String>,
}

/// Something wrong with the settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Problem {
    /// As `models.tiers.expert`.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// Everything that is wrong with the settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct SettingsError {
    pub problems: Vec<Problem>,
}

impl ModelSettings {
    /// Everything that is wrong, not only the first thing.
    pub fn problems(&self) -> Vec<Problem> {
        check::check(self).err().unwrap_or_default()
    }

    /// What a text of that many bytes costs at most to make a vector of.
    pub fn embedding_cost_max(&self, bytes: u64) -> MicroUsd {
        let price = self.embeddings.as_ref().and_then(|model| {
            let checked = check::check(self).ok()?;
            checked.prices.get(model).copied()
        });
        price.map_or(MicroUsd::ZERO, |price| price.cost_max(bytes, 0))
    }

    /// Each provider that wants a key, with the environment variable that holds it.
    pub fn keys_wanted(&self) -> impl Iterator<Item = (&str, &str)> {
        self.providers
            .iter()
            .filter_map(|(name, provider)| Some((name.as_str(), provider.key_env.as_deref()?)))
    }

    pub(crate) fn checked(&self) -> Result<Checked, SettingsError> {
        check::check(self).map_err(|problems| SettingsError { problems })
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
