//! What the operator lets the built-in tools do. Read from `adjutant.toml` by the binary, not here.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use adjutant_mission::{MicroUsd, Timestamp};
use adjutant_sandbox::Sandbox;

use crate::{AllowedHosts, Library, Sites};

pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

#[derive(Clone)]
pub struct ToolSettings {
    /// The only folder `write_file` writes to, and where `run_command` starts programs.
    pub output_folder: PathBuf,
    /// Which programs `run_command` may start: exactly as a plan names them, `git` or `/usr/bin/git`.
    pub programs: Vec<String>,
    /// All a started program sees of the environment.
    pub environment: Vec<(String, String)>,
    /// How a sandbox is started. Without one nothing runs that is to run in one.
    pub sandbox: Option<Sandbox>,
    pub command_sandbox: CommandSandbox,
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
    /// Every public host reachable, no program allowed.
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
