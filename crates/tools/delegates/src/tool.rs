//! A delegate as a tool. Runs in the sandbox; when the call is dropped, the program and all it started are killed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use adjutant_mission::{EffectClass, EffectId, FailureKind, MicroUsd, Millis, TenantId, ToolId};
use adjutant_sandbox::{Job, Limits, Program, RunFailure, Sandbox};
use adjutant_tools::{
    BoxFuture, Call, Finding, Isolation, Manifest, References, RegistryError, Tool, ToolFailure,
    read_arguments,
};
use serde_json::{Value, json};

use crate::brief::{Arguments, Brief, FILES_MAX, GOAL_CHARS_MAX, OUTPUT_FILES_MAX, ROLE_CHARS_MAX};
use crate::result::Asked;
use crate::task_check::{self, Takes};
use crate::{AnswerSchema, DelegateSettings, Reach, RunHistory, Start, WhenLost};

/// What the ids of delegates begin with among those of tools.
pub const TOOL_PREFIX: &str = "delegate.";

const MEGABYTE: u64 = 1024 * 1024;
const OPEN_FILES_MAX: u64 = 1_024;
/// The folder is in memory.
const DISK_BYTES_MAX: u64 = 256 * MEGABYTE;
const FILES_IN_FOLDER_MAX: u64 = 50_000;
const STREAM_BYTES_MAX: u64 = 256 * 1024;
const COLLECTED_BYTES_MAX: u64 = 4 * MEGABYTE;
/// What starting a job and taking its files may take besides.
const OVERHEAD_SECONDS_MAX: u64 = 70;
/// The most characters JSON writes a byte of text with.
const CHARS_PER_BYTE_MAX: u64 = 6;

pub struct DelegateTool {
    settings: DelegateSettings,
    sandbox: Option<Sandbox>,
    history: Option<Arc<dyn RunHistory>>,
    manifest: Manifest,
}

impl fmt::Debug for DelegateTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DelegateTool")
            .field(&self.settings.name)
            .finish()
    }
}

impl DelegateTool {
    /// Without a sandbox its calls are refused. Without a history, as outside of missions, there are no earlier runs.
    pub fn new(
        settings: DelegateSettings,
        sandbox: Option<Sandbox>,
        history: Option<Arc<dyn RunHistory>>,
    ) -> Result<Self, RegistryError> {
        Ok(Self {
            manifest: manifest(&settings)?,
            settings,
            sandbox,
            history,
        })
    }

    /// In place of one that cannot be used here. Its class and price are those that it would have.
    pub fn missing(
        settings: &DelegateSettings,
        class: EffectClass,
        price: MicroUsd,
        why: String,
    ) -> Result<Self, RegistryError> {
        let mut manifest = delegate_manifest(settings, class, millis(settings.time))?;
        manifest.price = price;
        manifest.description = format!("Cannot be used: {why}. {}", manifest.description);
        Ok(Self {
            settings: DelegateSettings {
                reach: Reach::Unusable { why },
                ..settings.clone()
            },
            sandbox: None,
            history: None,
            manifest,
        })
    }

    async fn run(&self, call: Call) -> Result<Value, ToolFailure> {
        let start = self.start()?;
        self.ask_about_lost_run(&call.tenant, call.effect).await?;
        // Reading a journal takes a while.
        call.check_lease()?;
        let arguments: Arguments = read_arguments(call.arguments)?;
        let (job, schema) = self.job(start, arguments).map_err(ToolFailure::bad_input)?;
        let asked = Asked {
            delegate: &self.settings.name,
            answer: &start.answer,
            schema: schema.as_ref(),
            time: job.limits.wall,
            when_lost: self.settings.when_lost,
            memory_bytes: self.settings.memory_bytes,
            secrets: &start.environment.secrets,
        };
        let ended = match &self.sandbox {
            Some(sandbox) => sandbox.run(job).await,
            None => Err(RunFailure::Unavailable {
                why: "this process has no way to start one".into(),
            }),
        };
        asked.result(ended.map_err(|failure| self.not_run(failure))?)
    }

    /// What is run, and what its answer must look like.
    fn job(
        &self,
        start: &Start,
        arguments: Arguments,
    ) -> Result<(Job, Option<AnswerSchema>), String> {
        let brief = Brief::new(arguments, &start.answer, self.settings.time)?;
        let mut job = Job::new(Program::Arguments(start.command.clone()));
        job.environment
            .extend(start.environment.variables.iter().cloned());
        job.stdin = brief.stdin.into_bytes();
        job.files = brief.files;
        job.wanted = brief.collected;
        job.readable = start.reads.clone();
        job.limits = self.limits(brief.time);
        Ok((job, brief.schema))
    }

    /// How it is started, if all is there that it needs. Looked at before each run: folders come and go.
    fn start(&self) -> Result<&Start, ToolFailure> {
        if let Some(missing) = self.settings.missing() {
            return Err(self.unusable(&missing));
        }
        match &self.settings.reach {
            Reach::Program(start) => Ok(start),
            Reach::Unusable { why } => Err(self.unusable(why)),
            Reach::Tool { tool, .. } => {
                Err(self.unusable(&format!("the MCP tool `{tool}` is not connected here")))
            }
        }
    }

    /// A run that was lost in a crash cost something, and is not repeated before a person says so.
    async fn ask_about_lost_run(
        &self,
        tenant: &TenantId,
        effect: EffectId,
    ) -> Result<(), ToolFailure> {
        let history = match (self.settings.when_lost, &self.history) {
            (WhenLost::Ask, Some(history)) => history,
            (WhenLost::Ask, None) | (WhenLost::Repeat, _) => return Ok(()),
        };
        match history.has_lost_run(tenant.clone(), effect).await? {
            false => Ok(()),
            true => Err(ToolFailure::new(
                FailureKind::NeedsHuman,
                format!(
                    "the delegate `{}` was at work on this task when Adjutant was stopped, and what it did is lost. \
                     Retrying runs it again, which costs up to {} again [ADJ-6311]",
                    self.settings.name, self.settings.price
                ),
            )),
        }
    }

    fn unusable(&self, why: &str) -> ToolFailure {
        ToolFailure::denied(format!(
            "the delegate `{}` cannot be used: {why} [ADJ-6301]",
            self.settings.name
        ))
    }

    fn not_run(&self, failure: RunFailure) -> ToolFailure {
        match failure {
            RunFailure::BadJob(bad) => ToolFailure::bad_input(bad.to_string()),
            RunFailure::Unavailable { .. } => self.unusable(&failure.to_string()),
            RunFailure::NoProgram { name } => self.unusable(&format!(
                "its program `{name}` is not installed, or only where a sandboxed program cannot see it"
            )),
            RunFailure::Trouble { why } => {
                let message = format!("the delegate `{}`: {why}", self.settings.name);
                match self.settings.when_lost {
                    WhenLost::Ask => ToolFailure::in_doubt(message),
                    WhenLost::Repeat => ToolFailure::temporary(message),
                }
            }
        }
    }

    fn limits(&self, time: Duration) -> Limits {
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
        Limits {
            cpu_seconds: time.as_secs().saturating_add(1).saturating_mul(processors),
            wall: time,
            memory_bytes: self.settings.memory_bytes,
            processes: self.settings.processes,
            open_files: OPEN_FILES_MAX,
            file_bytes: DISK_BYTES_MAX,
            disk_bytes: DISK_BYTES_MAX,
            total_files: FILES_IN_FOLDER_MAX,
            output_bytes: STREAM_BYTES_MAX,
            collected_bytes: COLLECTED_BYTES_MAX,
        }
    }
}

impl Tool for DelegateTool {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn check(&self, arguments: &Value, references: References) -> Vec<Finding> {
        // What is missing on this machine is told by a call, and is no mistake of the task.
        let Reach::Program(start) = &self.settings.reach else {
            return Vec::new();
        };
        let found = task_check::problems(arguments, references, Takes::Files(&start.answer));
        if !found.is_empty() || references == References::Open {
            return found;
        }
        let job = serde_json::from_value(arguments.clone())
            .map_err(|error| error.to_string())
            .and_then(|arguments| self.job(start, arguments));
        let job = job.and_then(|(job, _)| job.check().map_err(|error| error.to_string()));
        job.err().map(task_check::whole).into_iter().collect()
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(self.run(call))
    }
}

/// A run changes nothing outside its folder, and costs each time. So it is announced, and can be cancelled at any time.
fn manifest(settings: &DelegateSettings) -> Result<Manifest, RegistryError> {
    let mut manifest = delegate_manifest(settings, EffectClass::Paid, millis(settings.time))?;
    manifest.price = settings.price;
    manifest.isolation = Isolation::Sandbox;
    manifest.time_limit = Millis(
        manifest
            .time_limit
            .0
            .saturating_add(1_000 * OVERHEAD_SECONDS_MAX),
    );
    Ok(manifest)
}

fn millis(time: Duration) -> Millis {
    Millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// What delegates of all kinds have in common.
pub(crate) fn delegate_manifest(
    settings: &DelegateSettings,
    class: EffectClass,
    time: Millis,
) -> Result<Manifest, RegistryError> {
    let id = format!("{TOOL_PREFIX}{}", settings.name);
    let id = ToolId::new(id).map_err(|error| RegistryError::Builtin {
        message: format!("the delegate `{}`: {error}", settings.name),
    })?;
    let mut manifest = Manifest::new(id, class, input(time.0));
    manifest.name = format!("Delegate to {}", settings.name);
    manifest.description = match settings.about.as_str() {
        "" => "Hands a task to an agent of somebody else.".into(),
        about => about.to_owned(),
    };
    manifest.output = Some(output());
    manifest.time_limit = time;
    let bytes = CHARS_PER_BYTE_MAX * (3 * STREAM_BYTES_MAX + COLLECTED_BYTES_MAX);
    manifest.output_bytes_max = usize::try_from(bytes).unwrap_or(usize::MAX);
    Ok(manifest)
}

fn file() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["name"],
        "properties": {
            "name": name(),
            "text": { "type": "string" },
            "base64": { "type": "string" }
        }
    })
}

fn name() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": 255 })
}

fn input(time_ms_max: u64) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["goal"],
        "properties": {
            "goal": {
                "type": "string",
                "minLength": 1,
                "maxLength": GOAL_CHARS_MAX,
                "description": "What the agent is to do."
            },
            "role": { "type": "string", "maxLength": ROLE_CHARS_MAX },
            "inputs": {
                "type": "object",
                "description": "What earlier tasks gave. The agent finds it in task.json, as data."
            },
            "files": {
                "type": "array",
                "maxItems": FILES_MAX,
                "items": file(),
                "description": "Written to the agent's folder: each has `text` or `base64`."
            },
            "output_files": {
                "type": "array",
                "maxItems": OUTPUT_FILES_MAX,
                "uniqueItems": true,
                "items": name(),
                "description": "Files that the agent must write to its folder; they become part of the result."
            },
            "output_schema": {
                "type": "object",
                "description": "A JSON Schema that the answer must fit. Without one, the answer is text."
            },
            "timeout_ms": { "type": "integer", "minimum": 1, "maximum": time_ms_max }
        }
    })
}

fn output() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["delegate", "answer", "files", "log"],
        "properties": {
            "delegate": { "type": "string" },
            "answer": true,
            "files": { "type": "array", "items": file() },
            "log": { "type": "string" }
        }
    })
}
