//! MCP servers as the settings have them. What is wrong with one is told when its tools are wanted: it must not keep
//! anybody from anything else.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use adjutant_mcp_client::{Allowed, Keeper, Reach, Secret, ServerSettings, Servers, Standing};
use adjutant_mission::{EffectClass, MicroUsd};
use serde::Deserialize;

use super::Environment;
use crate::notes::Notes;

const CALL_SECONDS: u64 = 60;
const CALL_SECONDS_MAX: u64 = 3_600;
const START_SECONDS: u64 = 10;
const START_SECONDS_MAX: u64 = 300;
/// The word that makes `adjutant` the process between us and the program of a server.
pub const MCP_KEEPER: &str = "__mcp-keeper";
/// How many notes about one server are told one by one.
const NOTES_MAX: usize = 5;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct McpServer {
    command: Option<Vec<String>>,
    #[serde(default)]
    environment: BTreeMap<String, Given>,
    folder: Option<PathBuf>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, Given>,
    key_env: Option<String>,
    tools: Option<Vec<String>>,
    #[serde(default)]
    read_only: Vec<String>,
    #[serde(default)]
    class: BTreeMap<String, Class>,
    #[serde(default)]
    price: BTreeMap<String, String>,
    timeout_seconds: Option<u64>,
    start_seconds: Option<u64>,
}

/// A value, or the variable that holds it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Given {
    Value(String),
    Variable(Variable),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Variable {
    pub(super) from: String,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Class {
    Pure,
    Idempotent,
    Once,
}

/// The configured servers, and whether it was told how they stand.
#[derive(Debug)]
pub struct McpServers {
    servers: Servers,
    told: AtomicBool,
    notes: Notes,
}

impl McpServers {
    /// Connects them at the first call, and says once what is left out.
    pub async fn standings(&self) -> &[Standing] {
        let standings = self.servers.standings().await;
        if !self.told.swap(true, Ordering::Relaxed) {
            standings
                .iter()
                .flat_map(notes)
                .for_each(|note| self.notes.write(&note));
        }
        standings
    }

    /// The same, for somebody who tells it in another way.
    pub async fn quietly(&self) -> &[Standing] {
        self.told.store(true, Ordering::Relaxed);
        self.servers.standings().await
    }

    /// What the settings say of a tool of this id, whether or not it is there.
    pub fn expected(&self, tool: &str) -> Option<(EffectClass, MicroUsd)> {
        self.servers.expected(tool)
    }

    /// Whether a tool of this id would be one of theirs. Needs no connection.
    pub fn may_have(&self, tool: &str) -> bool {
        self.servers.may_have(tool)
    }
}

fn notes(standing: &Standing) -> Vec<String> {
    let server = &standing.server;
    if let Err(error) = &standing.tools {
        let help = error.help(server);
        return vec![format!(
            "note[ADJ-6090]: the MCP server `{server}` is not used: {error}. {help}"
        )];
    }
    let told = standing.left_out.iter().take(NOTES_MAX).map(|left| {
        format!(
            "note[ADJ-6091]: MCP server `{server}`: {} is not used: {}",
            left.what, left.why
        )
    });
    let mut told: Vec<String> = told.collect();
    if let Some(more) = standing.left_out.len().checked_sub(NOTES_MAX + 1) {
        told.push(format!(
            "note[ADJ-6091]: MCP server `{server}`: {} more not used; see `adjutant doctor`",
            more + 1
        ));
    }
    told
}

pub(super) fn servers(
    written: BTreeMap<String, McpServer>,
    environment: &Environment,
    placed: &dyn Fn(PathBuf) -> PathBuf,
) -> McpServers {
    let servers = written
        .into_iter()
        .map(|(name, server)| server.settings(name, environment, placed));
    McpServers {
        servers: Servers::new(servers.collect()),
        told: AtomicBool::new(false),
        notes: environment.notes.clone(),
    }
}

impl McpServer {
    fn settings(
        self,
        name: String,
        environment: &Environment,
        placed: &dyn Fn(PathBuf) -> PathBuf,
    ) -> ServerSettings {
        let seconds = |given: Option<u64>, usual: u64, max: u64| {
            Duration::from_secs(given.unwrap_or(usual).clamp(1, max))
        };
        let (prices, wrong_price) = prices(&self.price);
        let mut settings = ServerSettings {
            name,
            allowed: self.tools.clone().map_or(Allowed::All, Allowed::Only),
            classes: self.classes(),
            prices,
            call_limit: seconds(self.timeout_seconds, CALL_SECONDS, CALL_SECONDS_MAX),
            start_limit: seconds(self.start_seconds, START_SECONDS, START_SECONDS_MAX),
            reach: match wrong_price {
                Some(why) => Reach::Unusable { why },
                None => self
                    .reach(environment, placed)
                    .unwrap_or_else(|why| Reach::Unusable { why }),
            },
        };
        if let Err(error) = settings.check() {
            settings.reach = Reach::Unusable {
                why: error.to_string(),
            };
        }
        settings
    }

    fn classes(&self) -> BTreeMap<String, EffectClass> {
        let reads = self.read_only.iter().map(|tool| (tool, Class::Pure));
        let classes = self.class.iter().map(|(tool, class)| (tool, *class));
        reads
            .chain(classes)
            .map(|(tool, class)| {
                let class = match class {
                    Class::Pure => EffectClass::Pure,
                    Class::Idempotent => EffectClass::Idempotent,
                    Class::Once => EffectClass::Once,
                };
                (tool.clone(), class)
            })
            .collect()
    }

    fn reach(
        self,
        environment: &Environment,
        placed: &dyn Fn(PathBuf) -> PathBuf,
    ) -> Result<Reach, String> {
        match (self.command, self.url) {
            (Some(command), None) => {
                if !self.headers.is_empty() || self.key_env.is_some() {
                    return Err("`headers` and `key_env` are for servers with a `url`".into());
                }
                let mut words = command.into_iter();
                let usual = [
                    ("PATH", &environment.path),
                    ("HOME", &environment.user_home),
                ];
                let usual = usual.into_iter().filter_map(|(name, value)| {
                    Some((name.to_owned(), Secret::new(value.as_deref()?)))
                });
                let mut all: BTreeMap<String, Secret> = usual.collect();
                all.extend(fetched(self.environment)?);
                Ok(Reach::Program {
                    keeper: keeper()?,
                    program: words.next().unwrap_or_default(),
                    arguments: words.collect(),
                    environment: all,
                    folder: self.folder.map(placed),
                })
            }
            (None, Some(url)) => {
                if !self.environment.is_empty() || self.folder.is_some() {
                    return Err(
                        "`environment` and `folder` are for servers with a `command`".into(),
                    );
                }
                Ok(Reach::Address {
                    url,
                    headers: fetched(self.headers)?,
                    key: self.key_env.as_deref().map(variable).transpose()?,
                })
            }
            _ => Err("it needs either `command` or `url`".into()),
        }
    }
}

fn keeper() -> Result<Keeper, String> {
    let program = std::env::current_exe();
    Ok(Keeper {
        program: program.map_err(|error| format!("our own program cannot be found: {error}"))?,
        arguments: vec![MCP_KEEPER.into()],
    })
}

fn fetched(given: BTreeMap<String, Given>) -> Result<BTreeMap<String, Secret>, String> {
    let mut fetched = BTreeMap::new();
    for (name, given) in given {
        let value = match given {
            Given::Value(value) => Secret::new(value),
            Given::Variable(Variable { from }) => variable(&from)?,
        };
        fetched.insert(name, value);
    }
    Ok(fetched)
}

fn variable(name: &str) -> Result<Secret, String> {
    let value = Environment::secret(name);
    let value = value.ok_or_else(|| format!("the environment variable {name} is not set"))?;
    Ok(Secret::new(value.as_str()))
}

/// The prices, and what is wrong with one.
fn prices(written: &BTreeMap<String, String>) -> (BTreeMap<String, MicroUsd>, Option<String>) {
    let mut prices = BTreeMap::new();
    for (tool, text) in written {
        match adjutant_plans::parse_money(text) {
            Ok(price) => prices.insert(tool.clone(), price),
            Err(why) => return (prices, Some(format!("price.{tool}: {why}"))),
        };
    }
    (prices, None)
}

#[cfg(test)]
#[path = "mcp_tests.rs"]
mod tests;
