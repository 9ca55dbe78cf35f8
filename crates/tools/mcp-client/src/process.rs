//! The process of a server: below a keeper, with an environment of its own, and gone when this is dropped.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::{AbortHandle, JoinHandle};

use crate::{Keeper, Secret};

/// How much of the end of what it writes to its standard error is kept.
const COMPLAINT_BYTES_MAX: usize = 4 * 1024;
const LAST_LINE_CHARS_MAX: usize = 300;
/// How long a process whose output has ended may take to end too.
const EXIT: Duration = Duration::from_secs(1);
/// Where the system looks for programs if nobody says where.
const PATH: &str = "/bin:/usr/bin";

pub(crate) struct Process {
    child: tokio::sync::Mutex<Child>,
    keeper: Option<OwnedFd>,
    complaints: Arc<Mutex<Vec<u8>>>,
    /// Finishes when standard error is closed; the first caller that waits for it takes it.
    listening: tokio::sync::Mutex<Option<JoinHandle<()>>>,
    stop_listening: Option<AbortHandle>,
}

impl Process {
    pub(crate) fn start(
        keeper: &Keeper,
        program: &str,
        arguments: &[String],
        environment: &BTreeMap<String, Secret>,
        folder: Option<&Path>,
    ) -> io::Result<(Self, ChildStdout, ChildStdin)> {
        let mut command = Command::new(&keeper.program);
        command
            .args(&keeper.arguments)
            .arg(program)
            .args(arguments)
            .env_clear()
            .envs(
                environment
                    .iter()
                    .map(|(name, value)| (name, value.reveal())),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Not killed when dropped: it would leave what it keeps behind.
            .process_group(0);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        let mut child = command.spawn()?;
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let id = id.and_then(Pid::from_raw);
        let complaints = Arc::new(Mutex::new(Vec::new()));
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let listening = child
            .stderr
            .take()
            .map(|stderr| tokio::spawn(keep_end(stderr, Arc::clone(&complaints))));
        let process = Self {
            child: tokio::sync::Mutex::new(child),
            keeper: id.and_then(|id| pidfd_open(id, PidfdFlags::empty()).ok()),
            complaints,
            stop_listening: listening.as_ref().map(JoinHandle::abort_handle),
            listening: tokio::sync::Mutex::new(listening),
        };
        match (stdout, stdin) {
            (Some(stdout), Some(stdin)) => Ok((process, stdout, stdin)),
            _ => Err(io::Error::other("it has no standard input or output")),
        }
    }

    /// Ends it and all that it started. Where its keeper cannot be told, that sees our end of its input close.
    pub(crate) fn kill(&self) {
        if let Some(keeper) = &self.keeper {
            let _ = pidfd_send_signal(keeper, Signal::TERM);
        }
    }

    /// How it ended, if it did, and its last words.
    pub(crate) async fn how_it_ended(&self) -> String {
        let mut child = self.child.lock().await;
        match tokio::time::timeout(EXIT, child.wait()).await {
            Ok(Ok(status)) => {
                // What it wrote before it ended may still be on its way. A child of its own can keep the pipe open.
                if let Some(listening) = self.listening.lock().await.take() {
                    let _ = tokio::time::timeout(EXIT, listening).await;
                }
                format!(" ({status}){}", self.last_words())
            }
            Ok(Err(_)) | Err(_) => self.last_words(),
        }
    }

    /// For the end of a message: empty when nothing was written.
    pub(crate) fn last_words(&self) -> String {
        let kept = self
            .complaints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        match text.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => {
                let shown = line.trim().chars().filter(|c| !c.is_control());
                let shown: String = shown.take(LAST_LINE_CHARS_MAX).collect();
                format!("; it last wrote: {shown}")
            }
            None => String::new(),
        }
    }
}

/// Fails as starting it would: what its keeper meets, it could only say in words.
pub(crate) fn check(
    program: &str,
    environment: &BTreeMap<String, Secret>,
    folder: Option<&Path>,
) -> io::Result<()> {
    let places: Vec<PathBuf> = match program.contains('/') {
        true => vec![folder.unwrap_or(Path::new("")).join(program)],
        false => {
            let path = environment.get("PATH").map_or(PATH, Secret::reveal);
            let folders = path.split(':');
            folders.map(|path| Path::new(path).join(program)).collect()
        }
    };
    let mut failure = io::Error::from(io::ErrorKind::NotFound);
    for place in places {
        match std::fs::metadata(place) {
            Ok(found) if !found.is_file() => {}
            Ok(found) if found.permissions().mode() & 0o111 != 0 => return Ok(()),
            Ok(_) => failure = io::ErrorKind::PermissionDenied.into(),
            Err(_) => {}
        }
    }
    Err(failure)
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        if let Some(listening) = &self.stop_listening {
            listening.abort();
        }
    }
}

async fn keep_end(mut stream: impl AsyncRead + Unpin, kept: Arc<Mutex<Vec<u8>>>) {
    let mut chunk = [0u8; 4 * 1024];
    while let Ok(count) = stream.read(&mut chunk).await {
        if count == 0 {
            break;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..count]);
        let over = kept.len().saturating_sub(COMPLAINT_BYTES_MAX);
        kept.drain(..over);
    }
}
