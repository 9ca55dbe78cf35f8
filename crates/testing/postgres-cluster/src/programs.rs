//! Where PostgreSQL's programs are, and as whom they run.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::ClusterError;

/// Names the folder of PostgreSQL's programs, for those who keep them in an unusual place.
pub const PROGRAMS_VARIABLE: &str = "ADJUTANT_POSTGRES_BIN";

/// Where Debian puts the programs: one folder per version.
const DEBIAN: &str = "/usr/lib/postgresql";

#[derive(Debug, Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Programs {
    folder: PathBuf,
    /// Whom to run as; as ourselves if absent.
    user: Option<User>,
}

impl Programs {
    pub(crate) fn find() -> Result<Self, ClusterError> {
        let folder = places()
            .into_iter()
            .find(|folder| folder.join("postgres").exists() && folder.join("initdb").exists())
            .ok_or(ClusterError::NoPrograms)?;
        let user = if fs::metadata("/proc/self")?.uid() == 0 {
            let found = ["postgres", "nobody"].into_iter().find_map(user);
            Some(found.ok_or(ClusterError::NoUser)?)
        } else {
            None
        };
        Ok(Self { folder, user })
    }

    pub(crate) fn path(&self, program: &str) -> PathBuf {
        self.folder.join(program)
    }

    /// One of PostgreSQL's programs, in the server's account, with no terminal and no neighbours: what is sent
    /// to the process group of a test does not reach it.
    pub(crate) fn command(&self, program: &str) -> Command {
        self.in_account(&self.path(program))
    }

    pub(crate) fn in_account(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        if let Some(user) = self.user {
            command.uid(user.uid).gid(user.gid);
        }
        command
            .current_dir("/")
            .env("LC_ALL", "C")
            .process_group(0)
            .stdin(Stdio::null());
        command
    }

    /// Gives a folder to the server's account.
    pub(crate) fn hand_over(&self, folder: &Path) -> Result<(), ClusterError> {
        if let Some(user) = self.user {
            std::os::unix::fs::chown(folder, Some(user.uid), Some(user.gid))?;
        }
        Ok(())
    }
}

/// Runs a command to its end and gives what it printed.
pub(crate) fn run(command: &mut Command) -> Result<String, ClusterError> {
    let program = PathBuf::from(command.get_program());
    let output = match command.output() {
        Ok(output) => output,
        Err(source) => return Err(ClusterError::Run { program, source }),
    };
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(ClusterError::Failed { program, said })
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests are told by the environment where PostgreSQL is; no product code runs this"
)]
fn places() -> Vec<PathBuf> {
    if let Ok(folder) = std::env::var(PROGRAMS_VARIABLE) {
        return vec![folder.into()];
    }
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(DEBIAN)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    let path = std::env::var("PATH").unwrap_or_default();
    let newest_first = versions.into_iter().map(|(_, folder)| folder);
    newest_first.chain(std::env::split_paths(&path)).collect()
}

fn user(name: &str) -> Option<User> {
    let id = |which: &str| {
        let printed = run(Command::new("id").args([which, name])).ok()?;
        printed.trim().parse().ok()
    };
    Some(User {
        uid: id("-u")?,
        gid: id("-g")?,
    })
}
