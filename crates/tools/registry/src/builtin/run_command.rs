//! `run_command`: starts one allowed program with an argument list. No shell, no inherited environment.
//!
//! It runs in the sandbox, where it has the tenant's folder of written files and no network. Where the operator has turned that
//! off, it may do whatever the user who runs Adjutant may do; when it ends, is dropped or takes too long, its whole
//! process group is killed.

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use adjutant_mission::{EffectClass, Millis, Provenance};
use adjutant_sandbox::{Exit, Folder, Job, LimitReached, Limits, Program, RunFailure};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, Command};

use super::captured::{Captured, STREAM_BYTES_MAX};
use super::sandboxed::Confined;
use super::{ToolOutline, known_to_fail, literal, read};
use crate::settings::folder_of;
use crate::{
    BoxFuture, Call, CommandSandbox, Finding, Isolation, Manifest, References, RegistryError, Tool,
    ToolFailure, ToolSettings,
};

const MEMORY_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;
const DISK_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;
const PROCESSES_MAX: u64 = 512;
const OPEN_FILES_MAX: u64 = 1_024;
const FILES_MAX: u64 = 100_000;
const ARGUMENTS_MAX: usize = 1_000;
const TIMEOUT_SECONDS_DEFAULT: f64 = 60.0;
const TIMEOUT_SECONDS_MAX: u64 = 3_600;
/// How long the output of a program that has ended may still trickle in.
const DRAIN: Duration = Duration::from_secs(1);

pub(super) struct RunCommand {
    manifest: Manifest,
    folder: PathBuf,
    programs: Vec<String>,
    environment: Vec<(String, String)>,
    /// None where the operator has turned it off.
    sandbox: Option<Confined>,
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
        let mut manifest = ToolOutline {
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
        if settings.command_sandbox == CommandSandbox::On {
            manifest.isolation = Isolation::Sandbox;
        }
        Ok(Self {
            manifest,
            folder: settings.output_folder.clone(),
            programs: settings.programs.clone(),
            environment: settings.environment.clone(),
            sandbox: match settings.command_sandbox {
                CommandSandbox::On => Some(Confined::new(settings)),
                CommandSandbox::Off => None,
            },
        })
    }

    async fn run(&self, call: Call) -> Result<Value, ToolFailure> {
        let folder = folder_of(&self.folder, &call.tenant);
        let arguments: Arguments = read(call.arguments)?;
        let program = arguments.program.as_str();
        self.allowed(program)?;
        let seconds = arguments.timeout.unwrap_or(TIMEOUT_SECONDS_DEFAULT);
        let timeout = Duration::try_from_secs_f64(seconds)
            .map_err(|error| ToolFailure::bad_input(format!("`timeout`: {error}")))?;
        match &self.sandbox {
            Some(sandbox) => {
                self.run_confined(sandbox, arguments, &folder, timeout)
                    .await
            }
            None => Box::pin(self.run_openly(arguments, &folder, timeout)).await,
        }
    }

    async fn run_confined(
        &self,
        sandbox: &Confined,
        arguments: Arguments,
        folder: &Path,
        timeout: Duration,
    ) -> Result<Value, ToolFailure> {
        let program = arguments.program.as_str();
        // The sandbox binds a folder by its real path, and has to find it there.
        let folder = std::fs::create_dir_all(folder)
            .and_then(|()| folder.canonicalize())
            .map_err(|error| ToolFailure::permanent(format!("the output folder: {error}")))?;
        let words = std::iter::once(&arguments.program).chain(&arguments.args);
        let job = Job {
            stdin: arguments.stdin.unwrap_or_default().into_bytes(),
            environment: self.environment.clone(),
            folder: Folder::Shared(folder),
            limits: command_limits(timeout),
            ..Job::new(Program::Arguments(words.cloned().collect()))
        };
        let ended = sandbox.run(job).await.map_err(|failure| match failure {
            RunFailure::NoProgram { .. } => not_here(program),
            RunFailure::BadJob(bad) => ToolFailure::bad_input(bad.to_string()),
            failure @ RunFailure::Unavailable { .. } => ToolFailure::denied(format!(
                "{failure}; or let programs run without one: [tools.run_command] sandbox = \"off\""
            )),
            RunFailure::Trouble { why } => {
                ToolFailure::in_doubt(format_args!("`{program}`: {why}"))
            }
        })?;
        let (stdout, stderr) = (Captured::from(ended.stdout), Captured::from(ended.stderr));
        match ended.limit {
            Some(LimitReached::Wall { .. }) => Err(too_long(program, timeout, &stderr)),
            Some(limit) => Err(ToolFailure::in_doubt(format_args!(
                "`{program}` was killed: {limit}{}",
                stderr.last_line()
            ))),
            None => judge(
                program,
                ended.exit,
                &arguments.accept_exit,
                &stdout,
                &stderr,
            ),
        }
    }

    async fn run_openly(
        &self,
        arguments: Arguments,
        folder: &Path,
        timeout: Duration,
    ) -> Result<Value, ToolFailure> {
        let program = arguments.program.as_str();
        let mut child = self.start(program, &arguments.args, folder)?;
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
            Ok(Ok(status)) => judge(
                program,
                exit(status),
                &arguments.accept_exit,
                &stdout,
                &stderr,
            ),
            Ok(Err(error)) => Err(ToolFailure::in_doubt(format_args!(
                "`{program}` was started, but its exit status cannot be read: {error}"
            ))),
            Err(_) => Err(too_long(program, timeout, &stderr)),
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

    fn start(&self, program: &str, args: &[String], folder: &Path) -> Result<Child, ToolFailure> {
        std::fs::create_dir_all(folder)
            .and_then(|()| {
                Command::new(program)
                    .args(args)
                    .env_clear()
                    .envs(self.environment.iter().map(|(name, value)| (name, value)))
                    .current_dir(folder)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .process_group(0)
                    .kill_on_drop(true)
                    .spawn()
            })
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => not_here(program),
                std::io::ErrorKind::InvalidInput => {
                    ToolFailure::bad_input(format!("`{program}` cannot be started: {error}"))
                }
                _ => ToolFailure::permanent(format!("`{program}` cannot be started: {error}")),
            })
    }
}

impl Tool for RunCommand {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn check(&self, arguments: &Value, references: References) -> Vec<Finding> {
        known_to_fail(
            "program",
            literal(arguments, "program"),
            references,
            |program| self.allowed(program),
        )
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(self.run(call))
    }
}

fn not_here(program: &str) -> ToolFailure {
    ToolFailure::permanent(format!(
        "the program `{program}` is not installed: install it, or allow and use its full path"
    ))
}

fn too_long(program: &str, timeout: Duration, stderr: &Captured) -> ToolFailure {
    ToolFailure::in_doubt(format_args!(
        "`{program}` ran longer than {timeout:?} and was killed{}",
        stderr.last_line()
    ))
}

/// What an honest program stays below; a hostile one does no harm with it.
fn command_limits(timeout: Duration) -> Limits {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    Limits {
        cpu_seconds: timeout
            .as_secs()
            .saturating_add(1)
            .saturating_mul(processors),
        wall: timeout,
        memory_bytes: MEMORY_BYTES_MAX,
        processes: PROCESSES_MAX,
        open_files: OPEN_FILES_MAX,
        file_bytes: DISK_BYTES_MAX,
        disk_bytes: DISK_BYTES_MAX,
        total_files: FILES_MAX,
        output_bytes: STREAM_BYTES_MAX as u64,
        collected_bytes: 0,
    }
}

fn exit(status: ExitStatus) -> Exit {
    match status.code() {
        Some(code) => Exit::Code(code),
        None => Exit::Signal(status.signal().unwrap_or_default()),
    }
}

fn judge(
    program: &str,
    exit: Exit,
    accept: &[i32],
    stdout: &Captured,
    stderr: &Captured,
) -> Result<Value, ToolFailure> {
    match exit {
        Exit::Code(code) if code == 0 || accept.contains(&code) => Ok(json!({
            "exit_code": code,
            "stdout": stdout.text(),
            "stderr": stderr.text(),
            "truncated": stdout.left_out + stderr.left_out > 0,
        })),
        Exit::Code(code) => Err(ToolFailure::permanent(format!(
            "`{program}` ended with exit code {code}{} (add {code} to `accept_exit` if that is fine)",
            stderr.last_line()
        ))),
        Exit::Signal(signal) => Err(ToolFailure::permanent(format!(
            "`{program}` was ended by a signal ({signal}){}",
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

#[cfg(test)]
#[path = "run_command_tests.rs"]
mod tests;
