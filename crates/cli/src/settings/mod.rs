//! Settings: one file, `adjutant.toml`, and the environment, each read once, here.

mod environment;
mod file;
mod keys;
mod lookups;
mod mcp;
mod models;
mod notify;
mod registry;
mod tools;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use adjutant_host::Quotas;
use adjutant_mission::{Actor, AgentId, CheckpointType, Role, TenantId};
use adjutant_perform::{Protection, Redaction};

pub(crate) use environment::Environment;
pub(crate) use keys::{keep, master_key};
pub(crate) use mcp::McpServers;
pub(crate) use models::ModelsOf;
pub(crate) use notify::ChannelSettings;
pub(crate) use registry::help;
pub(crate) use tools::ToolsOf;

use crate::failure::{Exit, Failure};

const FILE_NAME: &str = "adjutant.toml";
const DRAIN_SECONDS: u64 = 10;

/// Where the store is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StorePlace {
    File(PathBuf),
    /// A PostgreSQL server. The address may hold a password, and is never shown.
    Server {
        address: String,
        schema: String,
    },
}

impl fmt::Display for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Server { schema, .. } => write!(f, "the PostgreSQL schema `{schema}`"),
        }
    }
}

const SCHEMA: &str = adjutant_store_postgres::SCHEMA_DEFAULT;

/// How long journals are kept, and how much room they have.
#[derive(Debug, Clone)]
pub(crate) struct Keeping {
    /// Days after its end that a mission's journal is kept at least.
    pub(crate) days: u32,
    pub(crate) quotas: Quotas,
    pub(crate) sign_every: Duration,
}

/// How long an audit must be able to look back.
const KEEP_DAYS: u32 = 90;
const SIGN_MINUTES: u64 = 15;

#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The data folder.
    pub(crate) home: PathBuf,
    pub(crate) store: StorePlace,
    pub(crate) socket: PathBuf,
    /// Where `write_file` writes.
    pub(crate) files: PathBuf,
    pub(crate) tenant: TenantId,
    pub(crate) me: AgentId,
    pub(crate) roles: Vec<Role>,
    pub(crate) tools: ToolsOf,
    pub(crate) drain: Duration,
    /// Connected when their tools are first needed; every clone shares the connections.
    pub(crate) mcp: Arc<McpServers>,
    /// The master key, if the environment has it.
    pub(crate) master_key: Option<zeroize::Zeroizing<String>>,
    pub(crate) master_key_file: PathBuf,
    pub(crate) signing_key_file: PathBuf,
    pub(crate) keeping: Keeping,
    pub(crate) channels: Vec<ChannelSettings>,
    pub(crate) models: ModelsOf,
    /// Templates of our own, in the place of built-in ones.
    pub(crate) missions: PathBuf,
    /// What is done about threats, and whether personal data leaves as it is.
    pub(crate) protection: Protection,
    /// How many missions somebody may start over HTTP.
    pub(crate) limits: adjutant_server::Limits,
    /// Questions that whoever starts a mission does not settle in it.
    pub(crate) four_eyes: Vec<CheckpointType>,
    /// The settings file that was read.
    pub(crate) file: Option<PathBuf>,
}

impl Settings {
    pub(crate) fn load(environment: &Environment) -> Result<Self, Failure> {
        let home = environment.home()?;
        if std::fs::metadata(&home).is_ok_and(|found| !found.is_dir()) {
            return Err(no_home(&home, "it is not a folder"));
        }
        let candidates = [PathBuf::from(FILE_NAME), home.join(FILE_NAME)];
        let (file, contents) = file::read_first(&candidates)?;
        Self::from_parts(home, environment, file, contents)
    }

    fn from_parts(
        home: PathBuf,
        environment: &Environment,
        file: Option<PathBuf>,
        contents: file::Contents,
    ) -> Result<Self, Failure> {
        // A path in a settings file is meant as seen from where that file is.
        let base = file.as_deref().and_then(Path::parent);
        let placed = |path: PathBuf| base.map_or(path.clone(), |base| base.join(path));
        let tenant = name(
            "ADJUTANT_TENANT",
            environment.tenant.as_deref().unwrap_or("local"),
            TenantId::new,
        )?;
        let keeping = contents.keeping.of(&tenant)?;
        let channels = notify::channels(contents.notify, &tenant, &placed)?;
        let me = environment.me.clone().or(contents.me.id);
        let roles = environment.roles.clone().unwrap_or(contents.me.roles);
        Ok(Self {
            store: match environment.store_url.clone().or(contents.store.url) {
                Some(address) => StorePlace::Server {
                    address,
                    schema: contents.store.schema.unwrap_or_else(|| SCHEMA.into()),
                },
                None => StorePlace::File(
                    contents
                        .store
                        .path
                        .map_or_else(|| home.join("adjutant.db"), placed),
                ),
            },
            socket: home.join("control.sock"),
            files: contents
                .tools
                .write_file
                .folder
                .clone()
                .map_or_else(|| home.join("files"), placed),
            tenant,
            me: name(
                "me.id",
                &me.unwrap_or_else(|| environment.user()),
                AgentId::new,
            )?,
            roles: roles
                .iter()
                .map(|role| name("me.roles", role, Role::new))
                .collect::<Result<_, _>>()?,
            tools: contents.tools.of(contents.lookups.of(environment))?,
            mcp: Arc::new(mcp::servers(contents.mcp, environment, &placed)),
            master_key: environment.master_key.clone(),
            master_key_file: contents
                .keys
                .master_file
                .map_or_else(|| home.join("master.key"), placed),
            signing_key_file: contents
                .keys
                .signing_file
                .map_or_else(|| home.join("signing.key"), placed),
            keeping,
            channels,
            models: models::of(
                contents.models,
                environment.cassette.as_deref(),
                home.join("prompts"),
            )?,
            missions: home.join("missions"),
            protection: Protection {
                guard: contents.guard,
                redaction: match contents.privacy.redact {
                    Some(false) => Redaction::Off,
                    Some(true) | None => Redaction::On,
                },
                ..Protection::default()
            },
            limits: contents.server.limits,
            four_eyes: contents.rules.four_eyes,
            drain: Duration::from_secs(contents.host.drain_seconds.unwrap_or(DRAIN_SECONDS)),
            file,
            home,
        })
    }

    /// Me, in the role that a question asks for if I hold it.
    pub(crate) fn actor(&self, wanted: Option<&Role>) -> Actor {
        let held = wanted.filter(|role| self.roles.contains(role));
        let actor = Actor::human(self.me.clone());
        match held.or(self.roles.first()) {
            Some(role) => actor.with_role(role.clone()),
            None => actor,
        }
    }

    /// Makes the data folder, readable for its owner only.
    pub(crate) fn make_home(&self) -> Result<(), Failure> {
        use std::os::unix::fs::DirBuilderExt;
        let made = std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.home);
        made.map_err(|error| no_home(&self.home, &error.to_string()))
    }
}

fn no_home(home: &Path, why: &str) -> Failure {
    Failure::new(
        Exit::Trouble,
        "ADJ-6007",
        format!("there can be no data folder at {}: {why}", home.display()),
        "Set ADJUTANT_HOME to a folder that you may write to.",
    )
}

fn name<T>(
    setting: &str,
    text: &str,
    parse: impl Fn(String) -> Result<T, adjutant_mission::IdError>,
) -> Result<T, Failure> {
    parse(text.to_owned()).map_err(|error| {
        Failure::new(
            Exit::BadInput,
            "ADJ-6005",
            format!("`{text}` cannot be the value of {setting}: {error}"),
            format!("Give {setting} a short name, such as `anna` or `finance`."),
        )
    })
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
