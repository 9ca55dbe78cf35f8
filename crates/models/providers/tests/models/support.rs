use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use adjutant_mission::{AgentLevel, Complexity, Millis, Timestamp};
use adjutant_providers::{Cassette, ModelParts, Models, Secret};
use adjutant_questions::{Ask, Input, Limits, Output, Prompts, Purpose};
use serde_json::{Value, json};

pub(crate) const KEY: &str = "sk-very-secret";
const BEGIN: Timestamp = Timestamp(1_750_000_000_000);

pub(crate) fn question() -> Input {
    let question = json!({
        "question": "What colour is the sky?",
        "sources": [{ "id": "s", "text": "On clear days the sky is blue." }],
    });
    Input::read(Purpose::Extract, question).unwrap()
}

pub(crate) fn answer() -> Value {
    json!({
        "findings": [{ "text": "It is blue.", "kind": "fact", "confidence": 0.9,
            "evidence": [{ "source": "s", "quote": "the sky is blue" }] }],
        "not_found": [],
        "confidence": 0.8,
    })
}

/// Finds nothing.
pub(crate) fn offline(_: &Input) -> Output {
    let nothing = json!({ "findings": [], "not_found": ["everything"], "confidence": 0.1 });
    Output::read(Purpose::Extract, nothing).unwrap()
}

pub(crate) fn ask() -> Ask {
    Ask {
        key: "eff_1".to_owned(),
        level: AgentLevel::L4,
        input: question(),
        unmarked: None,
        limits: Limits {
            input_tokens_max: 3_000,
            output_tokens_max: 1_000,
            time_max: Millis::seconds(25),
        },
        domain: None,
        complexity: Complexity::Ordinary,
        model: None,
        without: Vec::new(),
        asker: None,
    }
}

pub(crate) fn parts(settings: &str) -> ModelParts {
    let begin = Instant::now();
    let settings: adjutant_providers::ModelSettings = toml::from_str(settings).unwrap();
    let keys: BTreeMap<String, Secret> = settings
        .keys_wanted()
        .filter(|(_, variable)| *variable != "UNSET")
        .map(|(name, _)| (name.to_owned(), Secret::new(KEY)))
        .collect();
    ModelParts {
        settings,
        keys,
        prompts: Prompts::built_in().unwrap(),
        offline,
        offline_notice: "",
        clock: Arc::new(move || {
            BEGIN.plus(Millis(u64::try_from(begin.elapsed().as_millis()).unwrap()))
        }),
        random: Arc::new(|| 7),
        cassette: Cassette::Off,
    }
}

pub(crate) fn models(settings: &str) -> Models {
    Models::new(parts(settings)).unwrap()
}

/// A provider `p` of that kind at that address, and the worker's chain.
pub(crate) fn settings(kind: &str, url: &str, more: &str, chain: &str) -> String {
    format!(
        r#"
[providers.p]
kind = "{kind}"
url = "{url}"
key_env = "THE_KEY"
retry_wait_ms = 1
timeout = 20
idle_timeout = 3
{more}
[tiers]
worker = {chain}
[prices."p/m"]
input = "3.00"
output = "15.00"
cache_read = "0.30"
cache_write = "3.75"
"#
    )
}

pub(crate) const ONE: &str = r#"["p/m"]"#;
pub(crate) const KINDS: [&str; 2] = ["openai", "anthropic"];
