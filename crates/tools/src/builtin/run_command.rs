//! `run_command`: starts one allowed program with an argument list. No shell, no inherited environment, and
//! when it ends, is dropped or takes too long, its whole process group is killed. It is no sandbox: an
//! allowed program may do whatever the user who runs Adjutant may do.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use adjutant_mission::{EffectClass, Millis, Provenance};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, Command};

use super::{About, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure, ToolSettings};

const STREAM_BYTES_MAX: usize = 256 * 1024;
const ARGUMENTS_MAX: usize = 1_000;
const TIMEOUT_SECONDS_DEFAULT: f64 = 60.0;
const TIMEOUT_SECONDS_MAX: u64 = 3_600;
/// How long the output of a program that has ended may still trickle in.
const DRAIN: Duration = Duration::from_secs(1);
const LAST_LINE_CHARS_MAX: usize = 300;

pub(super) struct RunCommand {
    manifest: Manifest,
    folder: PathBuf,
    programs: Vec<String>,
    environment: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct Arguments {
    program: String,
    #[serde(default)]
    args: Vec<String>,
    stdin: Option<String>,
    timeout: Option<f64>,
    #[serde(default)]
    accept_exit: Vec<i32>,
}

impl RunCommand {
    pub(super) fn new(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let manifest = About {
            id: "run_command",
            name: "Run a program",
            description: "Runs one of the allowed programs in the output folder, without a shell. An exit code other \
                          than 0 fails unless `accept_exit` lists it.",
            class: EffectClass::Once,
            provenance: Provenance::Outside,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["program"],
                "properties": {
                    "program": { "type": "string", "minLength": 1, "maxLength": 1_024 },
                    "args": {
                        "type": "array",
                        "maxItems": ARGUMENTS_MAX,
                        "items": { "type": "string" }
                    },
                    "stdin": { "type": "string" },
                    "timeout": {
                        "type": "number",
                        "exclusiveMinimum": 0,
                        "maximum": TIMEOUT_SECONDS_MAX,
                        "description": "Seconds."
                    },
                    "accept_exit": {
                        "type": "array",
                        "items": { "type": "integer", "minimum": 0, "maximum": 255 }
                    }
                }
            }),
            output: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["exit_code", "stdout", "stderr", "truncated"],
                "properties": {
                    "exit_code": { "type": "integer" },
                    "stdout": { "type": "string" },
                    "stderr": { "type": "string" },
                    "truncated": { "type": "boolean" }
                }
            })),
            time_limit: Millis::seconds(TIMEOUT_SECONDS_MAX + 10),
            output_bytes_max: 16 * STREAM_BYTES_MAX,
        }
        .manifest()?;
        Ok(Self {
            manifest,
            folder: settings.output_folder.clone(),
            programs: settings.programs.clone(),
            environment: settings.environment.clone(),
        })
    }

    async fn run(&self, call: Call) -> Result<Value, ToolFailure> {
        let arguments: Arguments = read(call.arguments)?;
        let program = arguments.program.as_str();
        self.allowed(program)?;
        let seconds = arguments.timeout.unwrap_or(TIMEOUT_SECONDS_DEFAULT);
        let timeout = Duration::try_from_secs_f64(seconds)
            .map_err(|error| ToolFailure::bad_input(format!("`timeout`: {error}")))?;

        let mut child = self.start(program, &arguments.args)?;
        let group = Group::of(&child);
        let stdin = child.stdin.take();
        let mut stdout = Captured::default();
        let mut stderr = Captured::default();
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let status = {
            let reading = async {
                tokio::join!(stdout.fill(out), stderr.fill(err));
            };
            let running = async {
                let (status, ()) = tokio::join!(child.wait(), feed(stdin, arguments.stdin));
                // What it left running would keep the pipes open and outlive the task.
                drop(group);
                status
            };
            tokio::pin!(reading, running);
            let finishing = async {
                tokio::select! {
                    status = &mut running => {
                        let _ = tokio::time::timeout(DRAIN, &mut reading).await;
                        status
                    }
                    () = &mut reading => running.await,
                }
            };
            tokio::time::timeout(timeout, finishing).await
        };
        match status {
            Ok(Ok(status)) => judge(program, status, &arguments.accept_exit, &stdout, &stderr),
            Ok(Err(error)) => Err(ToolFailure::in_doubt(format_args!(
                "`{program}` was started, but how it ended cannot be learnt: {error}"
            ))),
            Err(_) => Err(ToolFailure::in_doubt(format_args!(
                "`{program}` ran longer than {timeout:?} and was killed{}",
                stderr.last_line()
            ))),
        }
    }

    fn allowed(&self, program: &str) -> Result<(), ToolFailure> {
        let exact = !program.contains('/') || Path::new(program).is_absolute();
        if exact && self.programs.iter().any(|known| known == program) {
            return Ok(());
        }
        let name = program.escape_default();
        Err(ToolFailure::denied(format!(
            "the program `{name}` is not allowed; to allow it, write in adjutant.toml: [tools.run_command] programs = [\"{name}\"]"
        )))
    }

    fn start(&self, program: &str, args: &[String]) -> Result<Child, ToolFailure> {
        std::fs::create_dir_all(&self.folder)
            .and_then(|()| {
                Command::new(program)
                    .args(args)
                    .env_clear()
                    .envs(self.environment.iter().map(|(name, value)| (name, value)))
                    .current_dir(&self.folder)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .process_group(0)
                    .kill_on_drop(true)
                    .spawn()
            })
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => ToolFailure::permanent(format!(
                    "the program `{program}` is not on this machine: install it, or allow and name its full path"
                )),
                std::io::ErrorKind::InvalidInput => ToolFailure::bad_input(format!(
                    "`{program}` cannot be started: {error}"
                )),
                _ => ToolFailure::permanent(format!("`{program}` cannot be started: {error}")),
            })
    }
}

impl Tool for RunCommand {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(self.run(call))
    }
}

fn judge(
    program: &str,
    status: ExitStatus,
    accept: &[i32],
    stdout: &Captured,
    stderr: &Captured,
) -> Result<Value, ToolFailure> {
    match status.code() {
        Some(code) if code == 0 || accept.contains(&code) => Ok(json!({
            "exit_code": code,
            "stdout": stdout.text(),
            "stderr": stderr.text(),
            "truncated": stdout.left_out + stderr.left_out > 0,
        })),
        Some(code) => Err(ToolFailure::permanent(format!(
            "`{program}` ended with exit code {code}{} (add {code} to `accept_exit` if that is fine)",
            stderr.last_line()
        ))),
        None => Err(ToolFailure::permanent(format!(
            "`{program}` was ended by a signal ({status}){}",
            stderr.last_line()
        ))),
    }
}

/// A program may end without reading all it is given; that is its own business.
async fn feed(stdin: Option<ChildStdin>, text: Option<String>) {
    if let (Some(mut stdin), Some(text)) = (stdin, text) {
        let _ = stdin.write_all(text.as_bytes()).await;
    }
}

/// Kills the process group when dropped.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// The beginning of a stream, and how much more there was.
#[derive(Default)]
struct Captured {
    kept: Vec<u8>,
    left_out: usize,
}

impl Captured {
    async fn fill(&mut self, stream: Option<impl AsyncRead + Unpin>) {
        let Some(mut stream) = stream else { return };
        let mut chunk = [0u8; 8 * 1024];
        while let Ok(count) = stream.read(&mut chunk).await {
            if count == 0 {
                break;
            }
            let room = (STREAM_BYTES_MAX - self.kept.len()).min(count);
            self.kept.extend_from_slice(&chunk[..room]);
            self.left_out += count - room;
        }
    }

    fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.kept);
        match self.left_out {
            0 => text.into_owned(),
            count => format!("{text}\n[… {count} more bytes left out]"),
        }
    }

    /// For the end of a message: empty when nothing was written.
    fn last_line(&self) -> String {
        let text = String::from_utf8_lossy(&self.kept);
        match text.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => {
                let line: String = line.trim().chars().take(LAST_LINE_CHARS_MAX).collect();
                format!(": {line}")
            }
            None => String::new(),
        }
    }
}

#[cfg(test)]
#[path = "run_command_tests.rs"]
mod tests;
