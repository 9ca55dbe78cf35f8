//! Cleans up after a cluster, whether its maker ends well or is killed.
//!
//! A shell that reads from a pipe whose other end only we hold. The system closes that end when we die, so
//! there is no way to go without its noticing.

use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};

use crate::ClusterError;
use crate::programs::Programs;

const SCRIPT: &str = include_str!("watchdog.sh");

#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Child,
    /// What it waits for. Dropped to let it go ahead.
    leash: Option<ChildStdin>,
}

impl Watchdog {
    /// From here on the folder goes when we do, and the server in it.
    pub(crate) fn start(programs: &Programs, folder: &Path) -> Result<Self, ClusterError> {
        let mut command = programs.in_account(Path::new("/bin/sh"));
        command.args(["-c", SCRIPT, "watchdog"]).arg(folder);
        // Nobody must wait for our output to end because this one still holds it.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut shell = command.stdin(Stdio::piped()).spawn()?;
        let leash = shell.stdin.take();
        Ok(Self { shell, leash })
    }

    pub(crate) fn let_go(&mut self) {
        self.leash = None;
    }

    pub(crate) fn wait(&mut self) {
        // It is our child and nobody else waits for it.
        let _ = self.shell.wait();
    }
}
