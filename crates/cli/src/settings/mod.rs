//! Settings: one file, `adjutant.toml`, and the environment, each read once, here.

mod environment;
mod file;
mod registry;

use std::path::{Path, PathBuf};
use std::time::Duration;

use adjutant_mission::{Actor, AgentId, Role, TenantId};
use adjutant_tools::AllowedHosts;

pub(crate) use environment::Environment;
pub(crate) use registry::help;

use crate::failure::{Exit, Failure};

const FILE_NAME: &str = "adjutant.toml";
const DRAIN_SECONDS: u64 = 10;

#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The data folder.
    pub(crate) home: PathBuf,
    pub(crate) store: PathBuf,
    pub(crate) socket: PathBuf,
    /// Where `write_file` writes.
    pub(crate) files: PathBuf,
    pub(crate) tenant: TenantId,
    pub(crate) me: AgentId,
    pub(crate) roles: Vec<Role>,
    pub(crate) programs: Vec<String>,
    pub(crate) hosts: AllowedHosts,
    pub(crate) drain: Duration,
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
        let me = environment.me.clone().or(contents.me.id);
        let roles = environment.roles.clone().unwrap_or(contents.me.roles);
        Ok(Self {
            store: contents
                .store
                .path
                .map_or_else(|| home.join("adjutant.db"), placed),
            socket: home.join("control.sock"),
            files: contents
                .tools
                .write_file
                .folder
                .map_or_else(|| home.join("files"), placed),
            tenant: name(
                "ADJUTANT_TENANT",
                environment.tenant.as_deref().unwrap_or("local"),
                TenantId::new,
            )?,
            me: name(
                "me.id",
                &me.unwrap_or_else(|| environment.user()),
                AgentId::new,
            )?,
            roles: roles
                .iter()
                .map(|role| name("me.roles", role, Role::new))
                .collect::<Result<_, _>>()?,
            programs: contents.tools.run_command.programs,
            hosts: match contents.tools.http.hosts {
                None => AllowedHosts::Any,
                Some(hosts) => AllowedHosts::Only(hosts),
            },
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
