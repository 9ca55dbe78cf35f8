//! `run_code`: runs a few lines of a language in the sandbox. They have what they are given, no network and no files of
//! the machine, and nothing of theirs remains but what they print and the files that are wanted.

mod wasm;

use std::collections::BTreeMap;
use std::time::Duration;

use adjutant_mission::{EffectClass, Millis, Provenance};
use adjutant_sandbox::{
    Collected, Ended, Exit, FILES_IN_MAX, FILES_OUT_MAX, FileIn, FileOut, Job, Language,
    LimitReached, Limits, Program, RunFailure,
};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::wasm::Wasm;
use super::captured::{Captured, STREAM_BYTES_MAX};
use super::sandboxed::Confined;
use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Isolation, Manifest, RegistryError, Tool, ToolFailure, ToolSettings};

const CODE_CHARS_MAX: usize = 1024 * 1024;
const FILES_OUT_BYTES_MAX: usize = 4 * 1024 * 1024;
const TIMEOUT_SECONDS_DEFAULT: f64 = 30.0;
const TIMEOUT_SECONDS_MAX: u64 = 300;
/// What starting a job and taking its files may take besides.
const OVERHEAD_SECONDS_MAX: u64 = 70;
/// The most characters JSON writes a byte of text with.
const CHARS_PER_BYTE_MAX: usize = 6;

pub(super) struct RunCode {
    manifest: Manifest,
    sandbox: Confined,
    wasm: Wasm,
}

#[derive(Deserialize)]
struct Arguments {
    language: String,
    code: String,
    #[serde(default)]
    stdin: String,
    #[serde(default)]
    files: BTreeMap<String, Content>,
    #[serde(default)]
    wanted: Vec<String>,
    timeout: Option<f64>,
    #[serde(default)]
    accept_exit: Vec<i32>,
}

/// What a call gives the code, whatever it is written in.
struct Given {
    code: String,
    stdin: Vec<u8>,
    files: Vec<FileIn>,
    wanted: Vec<String>,
    timeout: Duration,
}

/// What became of it, whoever ran it.
struct Ran {
    end: End,
    stdout: Captured,
    stderr: Captured,
    files: Vec<FileOut>,
}

enum End {
    Code(i32),
    TimedOut,
    Stopped { how: String },
}

/// A file as JSON has it: text, or anything else as base64.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Bytes { base64: String },
}

impl Content {
    fn of(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(other) => Self::Bytes {
                base64: BASE64_STANDARD.encode(other.as_bytes()),
            },
        }
    }

    fn bytes(self) -> Result<Vec<u8>, base64::DecodeError> {
        match self {
            Self::Text(text) => Ok(text.into_bytes()),
            Self::Bytes { base64 } => BASE64_STANDARD.decode(base64),
        }
    }
}

impl RunCode {
    pub(super) fn new(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let languages: Vec<_> = Language::ALL
            .map(Language::name)
            .into_iter()
            .chain([wasm::NAME])
            .collect();
        let content = json!({
            "oneOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["base64"],
                    "properties": { "base64": { "type": "string" } }
                }
            ]
        });
        let name = json!({ "type": "string", "minLength": 1, "maxLength": 255 });
        let mut manifest = ToolOutline {
            id: "run_code",
            name: "Run code",
            description: "Runs code in a sandbox: no network, no files other than those given, limits on time, memory \
                          and disk. Returns what the code prints and the requested files. An exit code other than \
                          0 fails unless `accept_exit` lists it.",
            class: EffectClass::Pure,
            provenance: Provenance::Outside,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["language", "code"],
                "properties": {
                    "language": { "enum": languages },
                    "code": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": CODE_CHARS_MAX,
                        "description": "For `wasm`: a WASI preview-1 command as WebAssembly text, or `base64:` and a \
                                        module."
                    },
                    "stdin": { "type": "string" },
                    "files": {
                        "type": "object",
                        "maxProperties": FILES_IN_MAX,
                        "propertyNames": name,
                        "additionalProperties": content,
                        "description": "Written to the code's folder: text, or {\"base64\": …}."
                    },
                    "wanted": {
                        "type": "array",
                        "maxItems": FILES_OUT_MAX,
                        "items": name,
                        "description": "Files that the code writes to its folder and that are returned."
                    },
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
                "required": ["exit_code", "stdout", "stderr", "truncated", "files"],
                "properties": {
                    "exit_code": { "type": "integer" },
                    "stdout": { "type": "string" },
                    "stderr": { "type": "string" },
                    "truncated": { "type": "boolean" },
                    "files": { "type": "object", "additionalProperties": content }
                }
            })),
            time_limit: Millis::seconds(TIMEOUT_SECONDS_MAX + OVERHEAD_SECONDS_MAX),
            output_bytes_max: CHARS_PER_BYTE_MAX * (3 * STREAM_BYTES_MAX + FILES_OUT_BYTES_MAX),
        }
        .manifest()?;
        manifest.isolation = Isolation::Sandbox;
        Ok(Self {
            manifest,
            sandbox: Confined::new(settings),
            wasm: Wasm::new(),
        })
    }

    async fn run(&self, call: Call) -> Result<Value, ToolFailure> {
        let arguments: Arguments = read(call.arguments)?;
        let seconds = arguments.timeout.unwrap_or(TIMEOUT_SECONDS_DEFAULT);
        let timeout = Duration::try_from_secs_f64(seconds)
            .map_err(|error| ToolFailure::bad_input(format!("`timeout`: {error}")))?;
        let mut files = Vec::new();
        for (name, content) in arguments.files {
            let bytes = content
                .bytes()
                .map_err(|error| ToolFailure::bad_input(format!("`files`: `{name}`: {error}")))?;
            files.push(FileIn { name, bytes });
        }
        let given = Given {
            code: arguments.code,
            stdin: arguments.stdin.into_bytes(),
            files,
            wanted: arguments.wanted,
            timeout,
        };
        let Ran {
            end,
            stdout,
            stderr,
            files,
        } = match arguments.language.as_str() {
            wasm::NAME => self.wasm.run(given).await?,
            name => self.run_program(name, given).await?,
        };
        let last_line = stderr.last_line();
        let code = match end {
            End::Code(code) if code == 0 || arguments.accept_exit.contains(&code) => code,
            End::Code(code) => {
                return Err(ToolFailure::permanent(format!(
                    "the code ended with exit code {code}{last_line} (add {code} to `accept_exit` if that is fine)"
                )));
            }
            End::TimedOut => {
                return Err(ToolFailure::timed_out(format!(
                    "the code ran longer than {timeout:?} and was killed{last_line}"
                )));
            }
            End::Stopped { how } => {
                return Err(ToolFailure::permanent(format!("the code {how}{last_line}")));
            }
        };
        Ok(json!({
            "exit_code": code,
            "stdout": stdout.text(),
            "stderr": stderr.text(),
            "truncated": stdout.left_out + stderr.left_out > 0,
            "files": collected(files)?,
        }))
    }

    async fn run_program(&self, language: &str, given: Given) -> Result<Ran, ToolFailure> {
        let language = Language::ALL
            .into_iter()
            .find(|known| known.name() == language)
            .ok_or_else(|| {
                ToolFailure::bad_input(format!("`{language}` is not a supported language"))
            })?;
        let job = Job {
            stdin: given.stdin,
            files: given.files,
            wanted: given.wanted,
            limits: limits(given.timeout),
            ..Job::new(Program::Code {
                language,
                code: given.code,
            })
        };
        let ended = self.sandbox.run(job).await;
        Ok(ended.map_err(|failure| not_run(language, failure))?.into())
    }
}

impl Tool for RunCode {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(self.run(call))
    }
}

impl From<Ended> for Ran {
    fn from(ended: Ended) -> Self {
        let end = match (ended.limit, ended.exit) {
            (Some(LimitReached::Wall { .. }), _) => End::TimedOut,
            (Some(limit), _) => End::Stopped {
                how: format!("was killed: {limit}"),
            },
            (None, Exit::Code(code)) => End::Code(code),
            (None, Exit::Signal(signal)) => End::Stopped {
                how: format!("was ended by a signal ({signal})"),
            },
        };
        Self {
            end,
            stdout: ended.stdout.into(),
            stderr: ended.stderr.into(),
            files: ended.files,
        }
    }
}

fn limits(timeout: Duration) -> Limits {
    Limits {
        cpu_seconds: timeout.as_secs().saturating_add(1),
        wall: timeout,
        output_bytes: STREAM_BYTES_MAX as u64,
        collected_bytes: FILES_OUT_BYTES_MAX as u64,
        ..Limits::default()
    }
}

fn not_run(language: Language, failure: RunFailure) -> ToolFailure {
    match failure {
        RunFailure::BadJob(bad) => ToolFailure::bad_input(bad.to_string()),
        failure @ RunFailure::Unavailable { .. } => ToolFailure::denied(format!(
            "{failure}; code in `{}` runs without one",
            wasm::NAME
        )),
        RunFailure::NoProgram { name } => ToolFailure::permanent(format!(
            "{} needs `{name}`, which is not installed in /usr/local/bin, /usr/bin or /bin: \
             install it there",
            language.name()
        )),
        failure @ RunFailure::Trouble { .. } => ToolFailure::temporary(failure.to_string()),
    }
}

fn collected(files: Vec<FileOut>) -> Result<BTreeMap<String, Content>, ToolFailure> {
    files
        .into_iter()
        .map(|file| match file.content {
            Collected::Bytes(bytes) => Ok((file.name, Content::of(bytes))),
            Collected::Refused(why) => Err(ToolFailure::permanent(format!(
                "the file `{}` was requested, but {why}",
                file.name
            ))),
        })
        .collect()
}
