//! The host's side: has a child process run a job, and outlives whatever the job does.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};

use crate::ended::STREAM_END_BYTES_MAX;
use crate::wire::{
    ANSWER_LINE_BYTES_MAX, Answer, AnswerEnded, Length, Named, REQUEST_LINE_BYTES_MAX, Refusal,
    Request, RequestProgram,
};
use crate::{BadJob, Collected, Ended, FileOut, Folder, Job, Limits, Program, Protections, Stream};

/// How much longer than its job the child may take before it is given up.
const OVERHEAD_MAX: Duration = Duration::from_secs(60);
const LAST_WORDS_BYTES_MAX: u64 = 4 * 1024;

/// Runs jobs, each in a child process of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// The program whose only work is [`crate::supervise`], and how it is called.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

#[derive(Debug, Error)]
pub enum RunFailure {
    #[error(transparent)]
    BadJob(#[from] BadJob),
    /// This machine cannot run anything safely; says what to install or to set.
    #[error("no sandbox is available on this machine: {why}")]
    Unavailable { why: String },
    #[error("the program `{name}` is not installed")]
    NoProgram { name: String },
    /// Whether the job ran is not known.
    #[error("the sandbox failed: {why}")]
    Trouble { why: String },
}

impl Sandbox {
    /// Which protections a job has here, each with why not. Runs a job that does nothing to find out.
    pub async fn detect(&self) -> Protections {
        let nothing = Job::new(Program::Arguments(vec!["true".into()]));
        match self.run(nothing).await {
            Ok(ended) => ended.protections,
            Err(failure) => Protections::all_missing(&failure.to_string()),
        }
    }

    /// Runs a job to its end. When this is dropped, the job is killed with everything it started.
    pub async fn run(&self, job: Job) -> Result<Ended, RunFailure> {
        job.check()?;
        let wall = job.limits.wall.saturating_add(OVERHEAD_MAX);
        let mut child = self.spawn()?;
        let answered = tokio::time::timeout(wall, converse(&mut child, job)).await;
        // Whatever came of it, nothing of it goes on.
        let killed = child.kill().await;
        let answered = answered.map_err(|_| trouble(format!("no answer within {wall:?}")))?;
        killed.map_err(|error| trouble(format!("its child process cannot be stopped: {error}")))?;
        answered
    }

    /// When it is dropped, its input closes, and it ends itself with its job. Killing it instead would leave half of
    /// `bwrap` behind for good if its namespaces are being made at that moment.
    fn spawn(&self) -> Result<Child, RunFailure> {
        Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Whoever interrupts the host from a terminal leaves it to the host to end jobs.
            .process_group(0)
            .spawn()
            .map_err(|error| trouble(format!("its child process cannot be started: {error}")))
    }
}

fn trouble(why: impl Into<String>) -> RunFailure {
    RunFailure::Trouble { why: why.into() }
}

async fn converse(child: &mut Child, job: Job) -> Result<Ended, RunFailure> {
    let (Some(mut input), Some(output), Some(errors)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(trouble("its child process has no standard streams"));
    };
    let (request, parts, wanted) = request(job);
    let asked = send_request(&mut input, &request, &parts).await;
    drop(parts);
    let mut output = BufReader::new(output);
    // The input stays open until the answer is there: closing it would call the job off.
    let answer = read_answer(&mut output, &request.limits, wanted).await;
    drop(input);
    match (asked, answer) {
        (_, Ok(answer)) => answer,
        (asked, Err(unreadable)) => {
            let words = last_words(errors).await;
            let asked = asked.err().map(|error| format!("; {error}"));
            let asked = asked.unwrap_or_default();
            Err(trouble(format!("{unreadable}{asked}{words}")))
        }
    }
}

fn request(job: Job) -> (Request, Vec<Vec<u8>>, Vec<String>) {
    let mut parts = Vec::new();
    let program = match job.program {
        Program::Arguments(words) => RequestProgram::Arguments(words),
        Program::Code { language, code } => {
            let bytes = code.len() as u64;
            parts.push(code.into_bytes());
            RequestProgram::Code { language, bytes }
        }
    };
    let stdin_bytes = job.stdin.len() as u64;
    parts.push(job.stdin);
    let mut files = Vec::new();
    for file in job.files {
        files.push(Named {
            name: file.name,
            bytes: file.bytes.len() as u64,
        });
        parts.push(file.bytes);
    }
    let request = Request {
        program,
        environment: job.environment,
        shared_folder: match job.folder {
            Folder::Own => None,
            Folder::Shared(path) => Some(path),
        },
        stdin_bytes,
        files,
        wanted: job.wanted.clone(),
        readable: job.readable,
        limits: job.limits,
    };
    (request, parts, job.wanted)
}

async fn send_request(
    input: &mut ChildStdin,
    request: &impl Serialize,
    parts: &[Vec<u8>],
) -> std::io::Result<()> {
    let line = serde_json::to_vec(request)?;
    let length = u32::try_from(line.len())
        .ok()
        .filter(|length| u64::from(*length) <= REQUEST_LINE_BYTES_MAX)
        .ok_or_else(|| std::io::Error::other("the arguments are too long"))?;
    input.write_all(&length.to_be_bytes()).await?;
    input.write_all(&line).await?;
    for part in parts {
        input.write_all(part).await?;
    }
    input.flush().await
}

async fn read_answer(
    output: &mut (impl AsyncBufReadExt + Unpin),
    limits: &Limits,
    wanted: Vec<String>,
) -> Result<Result<Ended, RunFailure>, String> {
    let mut line = Vec::new();
    (&mut *output)
        .take(ANSWER_LINE_BYTES_MAX)
        .read_until(b'\n', &mut line)
        .await
        .map_err(|error| error.to_string())?;
    if line.is_empty() {
        return Err("its child process did not answer".into());
    }
    let answer: Answer = serde_json::from_slice(&line)
        .map_err(|error| format!("the answer of its child process cannot be read: {error}"))?;
    match answer {
        Ok(ended) => read_ended(output, ended, limits, wanted).await.map(Ok),
        Err(Refusal::Unavailable(why)) => Ok(Err(RunFailure::Unavailable { why })),
        Err(Refusal::NoProgram(name)) => Ok(Err(RunFailure::NoProgram { name })),
        Err(Refusal::Trouble(why)) => Ok(Err(trouble(why))),
    }
}

async fn read_ended(
    output: &mut (impl AsyncRead + Unpin),
    answer: AnswerEnded,
    limits: &Limits,
    wanted: Vec<String>,
) -> Result<Ended, String> {
    let mut room = limits.collected_bytes;
    let stdout = stream(output, answer.stdout, limits).await?;
    let stderr = stream(output, answer.stderr, limits).await?;
    let mut files = Vec::new();
    for (name, found) in wanted.into_iter().zip(answer.files) {
        let content = match found {
            Ok(bytes) => {
                let content = part(output, bytes, room).await?;
                room -= bytes;
                Collected::Bytes(content)
            }
            Err(refused) => Collected::Refused(refused),
        };
        files.push(FileOut { name, content });
    }
    Ok(Ended {
        exit: answer.exit,
        limit: answer.limit,
        stdout,
        stderr,
        files,
        used: answer.used,
        protections: answer.protections,
    })
}

async fn stream(
    output: &mut (impl AsyncRead + Unpin),
    length: Length,
    limits: &Limits,
) -> Result<Stream, String> {
    Ok(Stream {
        bytes: part(output, length.bytes, limits.output_bytes).await?,
        left_out: length.left_out,
        end: part(output, length.end_bytes, STREAM_END_BYTES_MAX as u64).await?,
    })
}

async fn part(
    output: &mut (impl AsyncRead + Unpin),
    bytes: u64,
    bytes_max: u64,
) -> Result<Vec<u8>, String> {
    if bytes > bytes_max {
        return Err(format!(
            "the answer of its child process has a part of {bytes} bytes; the limit is {bytes_max}"
        ));
    }
    let mut part = Vec::new();
    output
        .take(bytes)
        .read_to_end(&mut part)
        .await
        .map_err(|error| error.to_string())?;
    if part.len() as u64 != bytes {
        return Err("the answer of its child process is cut off".into());
    }
    Ok(part)
}

async fn last_words(errors: impl AsyncRead + Unpin) -> String {
    let mut words = Vec::new();
    let _ = errors
        .take(LAST_WORDS_BYTES_MAX)
        .read_to_end(&mut words)
        .await;
    match String::from_utf8_lossy(&words).trim() {
        "" => String::new(),
        words => format!(" ({words})"),
    }
}
