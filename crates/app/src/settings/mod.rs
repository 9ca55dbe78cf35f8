//! Settings: one file, `adjutant.toml`, and the environment, each read once, here.

mod delegates;
mod environment;
mod file;
mod keys;
mod lookups;
mod mcp;
mod models;
mod notify;
mod registry;
mod tools;
mod trust;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use adjutant_delegates::DelegateSettings;
use adjutant_effects::{Protection, Redaction};
use adjutant_host::Quotas;
pub use adjutant_host::StartLimits;
use adjutant_mission::{Actor, AgentId, Autonomy, CheckpointType, Role, TenantId};
use adjutant_notify::PublicUrl;
use adjutant_redact::OutgoingPolicy;
use adjutant_supervision::Supervisor;
use adjutant_tools::TENANT_DEFAULT;

pub use environment::Environment;
pub use keys::{keep, master_key};
pub use mcp::{MCP_KEEPER, McpServers};
pub use models::ModelsOf;
pub use notify::ChannelSettings;
pub use registry::help;
pub use tools::ToolsOf;
pub use trust::{TrustedFile, distrust, trust};

use crate::error::{AppError, ErrorKind};
use crate::notes::Notes;
use crate::rules::RuleFiles;
use crate::workflow::WorkflowPolicy;

const FILE_NAME: &str = "adjutant.toml";
const DRAIN_SECONDS: u64 = 10;

/// Where the store is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorePlace {
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
pub struct Keeping {
    /// Days after its end that a mission's journal is kept at least.
    pub days: u32,
    pub quotas: Quotas,
    pub sign_every: Duration,
}

/// How long an audit must be able to look back.
const KEEP_DAYS: u32 = 90;
const SIGN_MINUTES: u64 = 15;

#[derive(Debug, Clone)]
pub struct Settings {
    /// The data folder.
    pub home: PathBuf,
    pub store: StorePlace,
    pub socket: PathBuf,
    /// Where `write_file` writes for the default tenant; those of others are next to it.
    pub files: PathBuf,
    pub tenant: TenantId,
    pub me: AgentId,
    pub roles: Vec<Role>,
    pub tools: ToolsOf,
    pub drain: Duration,
    /// Connected when their tools are first needed; every clone shares the connections.
    pub mcp: Arc<McpServers>,
    /// Programs that tasks are handed to.
    pub delegates: Vec<DelegateSettings>,
    /// The master key, if the environment has it.
    pub master_key: Option<zeroize::Zeroizing<String>>,
    pub master_key_file: PathBuf,
    pub signing_key_file: PathBuf,
    pub keeping: Keeping,
    pub channels: Vec<ChannelSettings>,
    pub models: ModelsOf,
    /// Templates of our own, in the place of built-in ones.
    pub missions: PathBuf,
    /// What is done about threats, and whether personal data leaves as it is.
    pub protection: Protection,
    /// What is replaced in reports and events.
    pub outgoing: OutgoingPolicy,
    /// Where browsers reach the server, if it is known.
    pub public_url: Option<PublicUrl>,
    /// How many missions somebody may start over HTTP.
    pub limits: StartLimits,
    /// Questions that whoever starts a mission does not settle in it.
    pub four_eyes: Vec<CheckpointType>,
    /// The least that missions ask.
    pub autonomy: Option<Autonomy>,
    /// Files with the rules of tenants. Read when a host starts.
    pub rules: RuleFiles,
    /// What programs may do that run workflows.
    pub workflows: WorkflowPolicy,
    /// Those that watch every mission.
    pub supervisors: Vec<Supervisor>,
    /// The settings file that was read.
    pub file: Option<PathBuf>,
    pub notes: Notes,
}

impl Settings {
    pub fn load(environment: &Environment) -> Result<Self, AppError> {
        let home = environment.home()?;
        if std::fs::metadata(&home).is_ok_and(|found| !found.is_dir()) {
            return Err(no_home(&home, "it is not a folder"));
        }
        let candidates = [PathBuf::from(FILE_NAME), home.join(FILE_NAME)];
        let may_use = |path: &Path, text: &str| trust::check(&home, path, text);
        let (file, contents) = file::read_first(&candidates, may_use)?;
        Self::from_parts(home, environment, file, contents)
    }

    /// Where `write_file` writes for this process's tenant.
    pub fn own_files(&self) -> PathBuf {
        adjutant_tools::folder_of(&self.files, &self.tenant)
    }

    fn from_parts(
        home: PathBuf,
        environment: &Environment,
        file: Option<PathBuf>,
        contents: file::Contents,
    ) -> Result<Self, AppError> {
        // A path in a settings file is meant as seen from where that file is.
        let base = file.as_deref().and_then(Path::parent);
        let placed = |path: PathBuf| base.map_or(path.clone(), |base| base.join(path));
        let tenant = name(
            "ADJUTANT_TENANT",
            environment.tenant.as_deref().unwrap_or(TENANT_DEFAULT),
            TenantId::new,
        )?;
        let keeping = contents.keeping.of(&tenant)?;
        let elsewhere = [
            &contents.keys.master_file,
            &contents.keys.signing_file,
            &contents.store.path,
        ];
        let elsewhere = elsewhere.into_iter().flatten().cloned().map(placed);
        let private: Vec<PathBuf> = elsewhere.chain([home.clone()]).collect();
        let public_url = contents.server.public_url.as_deref();
        let public_url = public_url.map(notify::public_url).transpose()?;
        let channels = notify::channels(contents.notify, &tenant, &placed, public_url.as_ref())?;
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
            delegates: delegates::delegates(contents.delegates, &contents.mcp, &private, &placed)?,
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
            outgoing: contents.privacy.outgoing,
            public_url,
            limits: contents.server.limits,
            rules: contents.rules.files(&placed)?,
            workflows: contents.workflows.policy()?,
            supervisors: supervisors(contents.supervisors)?,
            four_eyes: contents.rules.four_eyes,
            autonomy: contents.rules.autonomy,
            drain: Duration::from_secs(contents.host.drain_seconds.unwrap_or(DRAIN_SECONDS)),
            file,
            home,
            notes: environment.notes.clone(),
        })
    }

    /// The autonomy that is wanted, unless the rules say that more must be asked.
    pub fn at_least(&self, wanted: Autonomy) -> Autonomy {
        self.autonomy.map_or(wanted, |least| wanted.min(least))
    }

    /// Me, in the role that a question asks for if I hold it.
    pub fn actor(&self, wanted: Option<&Role>) -> Actor {
        let held = wanted.filter(|role| self.roles.contains(role));
        let actor = Actor::human(self.me.clone());
        match held.or(self.roles.first()) {
            Some(role) => actor.with_role(role.clone()),
            None => actor,
        }
    }

    /// Makes the data folder, readable for its owner only.
    pub fn make_home(&self) -> Result<(), AppError> {
        use std::os::unix::fs::DirBuilderExt;
        let made = std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.home);
        made.map_err(|error| no_home(&self.home, &error.to_string()))
    }
}

/// The operator's, if they can be used.
fn supervisors(declared: Vec<Supervisor>) -> Result<Vec<Supervisor>, AppError> {
    match adjutant_supervision::check_operators(&declared) {
        Ok(()) => Ok(declared),
        Err(problem) => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6272",
            format!("the setting `supervisors` is not valid: {problem}"),
            "Correct it as the message says; see docs/supervisors.md.",
        )),
    }
}

fn no_home(home: &Path, why: &str) -> AppError {
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-6007",
        format!(
            "the data folder {} cannot be created: {why}",
            home.display()
        ),
        "Set ADJUTANT_HOME to a writable folder.",
    )
}

fn name<T>(
    setting: &str,
    text: &str,
    parse: impl Fn(String) -> Result<T, adjutant_mission::IdError>,
) -> Result<T, AppError> {
    parse(text.to_owned()).map_err(|error| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6005",
            format!("`{text}` cannot be the value of {setting}: {error}"),
            format!("Give {setting} a short name, such as `anna` or `finance`."),
        )
    })
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
