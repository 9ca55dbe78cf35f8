//! What the operator lets the built-in tools do. Read from `adjutant.toml` by the binary, not here.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adjutant_mission::{MicroUsd, TenantId, Timestamp};
use adjutant_sandbox::Sandbox;

use crate::{AllowedHosts, Library, Sites};

pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The tenant of an installation where nobody has named one.
pub const TENANT_DEFAULT: &str = "local";

/// Where the files of one tenant are. The default tenant has the output folder itself, so the others have theirs next to
/// it: inside, it could reach them. A tenant may be called `..`, so the name is never a folder's whole name.
pub fn folder_of(output_folder: &Path, tenant: &TenantId) -> PathBuf {
    if tenant.as_str() == TENANT_DEFAULT {
        return output_folder.to_owned();
    }
    // As `.` it has no name to put the tenant's behind.
    let whole = std::path::absolute(output_folder).unwrap_or_else(|_| output_folder.to_owned());
    let mut name = whole.file_name().unwrap_or_default().to_owned();
    name.push(format!("-{tenant}"));
    whole.with_file_name(name)
}

#[derive(Clone)]
pub struct ToolSettings {
    /// The only folder `write_file` writes to, and where `run_command` starts programs; see [`folder_of`].
    pub output_folder: PathBuf,
    /// Which programs `run_command` may start: exactly as a plan names them, `git` or `/usr/bin/git`.
    pub programs: Vec<String>,
    /// All a started program sees of the environment.
    pub environment: Vec<(String, String)>,
    /// How a sandbox is started. Without one nothing runs that is to run in one.
    pub sandbox: Option<Sandbox>,
    pub command_sandbox: CommandSandbox,
    /// Without a list, `http` reaches every public host, and `http_post` none.
    pub http_hosts: AllowedHosts,
    /// Hosts that tools may reach although their addresses are not public.
    pub private_hosts: Vec<String>,
    /// Where public databases are asked.
    pub sites: Sites,
    /// Where `http` learns the time, to turn `Retry-After` into an instant.
    pub clock: Clock,
    /// Where `recall` looks; none where plans are only checked.
    pub library: Option<Arc<dyn Library>>,
    /// What one look of `recall` costs at most.
    pub recall_price: MicroUsd,
}

impl ToolSettings {
    /// Every public host may be asked and none be sent anything, no program is allowed.
    pub fn new(output_folder: impl Into<PathBuf>, clock: Clock) -> Self {
        Self {
            output_folder: output_folder.into(),
            programs: Vec::new(),
            environment: vec![
                ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()),
                ("LANG".into(), "C.UTF-8".into()),
            ],
            sandbox: None,
            command_sandbox: CommandSandbox::On,
            http_hosts: AllowedHosts::Any,
            private_hosts: Vec::new(),
            sites: Sites::default(),
            clock,
            library: None,
            recall_price: MicroUsd::ZERO,
        }
    }
}

impl fmt::Debug for ToolSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSettings")
            .field("output_folder", &self.output_folder)
            .field("programs", &self.programs)
            .field("command_sandbox", &self.command_sandbox)
            .field("http_hosts", &self.http_hosts)
            .finish_non_exhaustive()
    }
}

/// Whether `run_command` starts its programs in the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommandSandbox {
    #[default]
    On,
    /// Programs may do whatever the user who runs Adjutant may do.
    Off,
}
