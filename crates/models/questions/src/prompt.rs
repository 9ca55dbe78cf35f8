//! Prompts: files with a version, rendered with a question's input. The version and the hash of what was sent are
//! kept with the answer.

use std::collections::BTreeMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use adjutant_mission::AgentLevel;

use crate::{Asker, Input, Purpose};

/// How much work rendering one prompt may be, in steps of the template engine.
const FUEL: u64 = 5_000_000;
const PROMPT_BYTES_MAX: usize = 64 * 1024;
/// The name and the duties of an agent, each.
const ROLE_CHARS_MAX: usize = 200;

/// A prompt as it is written: what the model is, and what it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub version: String,
    pub system: String,
    pub user: String,
}

/// A prompt as it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendered {
    pub purpose: Purpose,
    pub version: String,
    /// BLAKE3 of both texts.
    pub hash: String,
    #[serde(skip)]
    pub system: String,
    #[serde(skip)]
    pub user: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("prompt `{name}`: {message}")]
pub struct PromptError {
    pub name: String,
    pub message: String,
}

/// The prompts of an installation: the built-in ones, some of them perhaps replaced.
#[derive(Debug, Clone)]
pub struct Prompts {
    by_purpose: BTreeMap<Purpose, Prompt>,
    /// What each agent does, by its id.
    duties: BTreeMap<String, String>,
}

impl Prompts {
    pub fn built_in() -> Result<Self, PromptError> {
        let mut prompts = Self {
            by_purpose: BTreeMap::new(),
            duties: BTreeMap::new(),
        };
        for purpose in Purpose::ALL {
            prompts.replace(*purpose, purpose.built_in_prompt())?;
        }
        Ok(prompts)
    }

    /// Puts a prompt in the place of the one there is.
    pub fn replace(&mut self, purpose: Purpose, text: &str) -> Result<(), PromptError> {
        let wrong = |message: String| PromptError {
            name: purpose.name().to_owned(),
            message,
        };
        let prompt = Prompt::parse(text).map_err(wrong)?;
        for part in [&prompt.system, &prompt.user] {
            environment()
                .template_from_str(part)
                .map_err(|error| wrong(one_line(&error)))?;
        }
        self.by_purpose.insert(purpose, prompt);
        Ok(())
    }

    /// Adds what agents do, such as `extracts data from documents`, by the agents' ids.
    #[must_use]
    pub fn with_duties(mut self, duties: impl IntoIterator<Item = (String, String)>) -> Self {
        self.duties.extend(duties);
        self
    }

    pub fn get(&self, purpose: Purpose) -> Option<&Prompt> {
        self.by_purpose.get(&purpose)
    }

    /// The prompt of a question that no agent asks.
    pub fn render(&self, input: &Input) -> Result<Rendered, PromptError> {
        self.render_for(None, input)
    }

    /// The prompt of a question; the model is told the name, the rank and the duties of the agent in whose name it answers.
    pub fn render_for(
        &self,
        asker: Option<&Asker>,
        input: &Input,
    ) -> Result<Rendered, PromptError> {
        let purpose = input.purpose();
        let wrong = |message: String| PromptError {
            name: purpose.name().to_owned(),
            message,
        };
        let prompt = self
            .get(purpose)
            .ok_or_else(|| wrong("there is none".to_owned()))?;
        let environment = environment();
        let values = input.value();
        let render = |part: &str, values: &Value| {
            environment
                .render_str(part, Serde(values))
                .map_err(|error| wrong(one_line(&error)))
        };
        let role = asker.map(|asker| self.role(asker)).unwrap_or_default();
        let (system, user) = (
            role + &render(&prompt.system, &values)?,
            render(&prompt.user, &values)?,
        );
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(system.len() as u64).to_le_bytes());
        hasher.update(system.as_bytes());
        hasher.update(user.as_bytes());
        Ok(Rendered {
            purpose,
            version: prompt.version.clone(),
            hash: hasher.finalize().to_hex().to_string(),
            system,
            user,
        })
    }
}

impl Prompts {
    /// Who the model is: `You are the Timeline Builder, a worker of the team (L4). You put events in order of time.`
    fn role(&self, asker: &Asker) -> String {
        let short = |text: &str| -> String {
            let line = attribute(text);
            line.trim().chars().take(ROLE_CHARS_MAX).collect()
        };
        let rank = match asker.level {
            AgentLevel::L1 => "the head of the team",
            AgentLevel::L2 => "the expert who leads this mission",
            AgentLevel::L3 => "a specialist of the team",
            AgentLevel::L4 => "a worker of the team",
            AgentLevel::L5 => "a tool of the team",
        };
        let mut role = format!(
            "You are the {}, {rank} ({}).",
            short(&asker.name),
            asker.level.name()
        );
        if let Some(duties) = self.duties.get(asker.id.as_str()) {
            role.push_str(&format!(" Your part: {}.", short(duties)));
        }
        role + "\n\n"
    }
}

impl Prompt {
    /// Reads `version: …`, then what stands under `--- system` and under `--- user`.
    fn parse(text: &str) -> Result<Self, String> {
        if text.len() > PROMPT_BYTES_MAX {
            return Err(format!(
                "it is longer than {PROMPT_BYTES_MAX} bytes: shorten it"
            ));
        }
        let missing = |what: &str| {
            format!("`{what}` is missing: write `version: 1`, `--- system`, `--- user`")
        };
        let (head, rest) = text
            .split_once("\n--- system\n")
            .ok_or_else(|| missing("--- system"))?;
        let (system, user) = rest
            .split_once("\n--- user\n")
            .ok_or_else(|| missing("--- user"))?;
        let version = head
            .lines()
            .find_map(|line| line.strip_prefix("version:"))
            .map(str::trim)
            .filter(|version| !version.is_empty())
            .ok_or_else(|| missing("version:"))?;
        Ok(Self {
            version: version.to_owned(),
            system: system.trim().to_owned(),
            user: user.trim().to_owned(),
        })
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build();
    environment.set_syntax(syntax.unwrap_or_default());
    environment.add_filter("material", material);
    environment.add_filter("attribute", attribute);
    environment.add_filter("json", json);
    environment
}

/// Text that cannot end the mark it stands in.
fn material(text: &str) -> String {
    text.replace("</source", "< /source")
        .replace("<source", "< source")
}

fn json(value: &minijinja::Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn attribute(text: &str) -> String {
    text.replace(['"', '<', '>', '\n', '\r'], " ")
}

fn one_line(error: &minijinja::Error) -> String {
    let line = error.line().map(|line| format!(" (line {line})"));
    format!("{error}{}", line.unwrap_or_default()).replace('\n', " ")
}
