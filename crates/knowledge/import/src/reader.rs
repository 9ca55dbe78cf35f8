//! Has a file read by a child process, and outlives whatever the file does to it.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use adjutant_knowledge_index::Document;
use rustix::process::Signal;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};

use crate::child::Request;
use crate::file::{self, Fingerprint, Opened};
use crate::{Limits, ReadFailure, trust};

const BUFFER_BYTES: usize = 64 * 1024;
/// What is kept of the last words of a child that died.
const LAST_WORDS_BYTES_MAX: u64 = 64 * 1024;
const LAST_WORDS_SHOWN_MAX: usize = 200;

/// What was read, and of which bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub document: Document,
    pub fingerprint: Fingerprint,
}

/// Reads files, each in a process of its own.
#[derive(Debug, Clone)]
pub struct Reader {
    /// The program whose only work is [`crate::serve`], and how it is called.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub limits: Limits,
}

impl Reader {
    /// Reads a regular file; a link is not followed. The child sees its bytes and its name, never a path, and has
    /// ended when this returns.
    pub async fn read(&self, path: &Path) -> Result<Read, ReadFailure> {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let path = path.to_owned();
        let bytes_max = self.limits.file_bytes_max;
        let opened = tokio::task::spawn_blocking(move || file::open(&path, bytes_max))
            .await
            .map_err(|error| crashed(error.to_string()))??;
        let mut child = self.spawn()?;
        let wall = Duration::from_secs(self.limits.wall_seconds_max);
        let read = tokio::time::timeout(wall, self.converse(&mut child, name, opened)).await;
        // Whatever came of it, nothing of it goes on.
        child
            .kill()
            .await
            .map_err(|error| crashed(format!("it could not be ended: {error}")))?;
        match read {
            Ok(read) => read,
            Err(_) => Err(ReadFailure::TimedOut {
                seconds: self.limits.wall_seconds_max,
            }),
        }
    }

    fn spawn(&self) -> Result<Child, ReadFailure> {
        Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| crashed(format!("it did not start: {error}")))
    }

    async fn converse(
        &self,
        child: &mut Child,
        name: String,
        opened: Opened,
    ) -> Result<Read, ReadFailure> {
        let request = Request {
            name,
            limits: self.limits.clone(),
        };
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(crashed("it has no standard streams"));
        };
        let answer_bytes_max = self.limits.answer_bytes_max();
        let (fingerprint, answer, last_words) = tokio::join!(
            feed(input, &request, opened),
            read_at_most(output, answer_bytes_max),
            read_at_most(errors, LAST_WORDS_BYTES_MAX),
        );
        let fingerprint = fingerprint?;
        if answer.len() as u64 > answer_bytes_max {
            return Err(crashed("its answer is too long"));
        }
        let status = child
            .wait()
            .await
            .map_err(|error| crashed(error.to_string()))?;
        if !status.success() {
            return Err(self.how_it_died(status, &last_words));
        }
        let document: Result<Document, ReadFailure> = serde_json::from_slice(&answer)
            .map_err(|error| crashed(format!("its answer is not readable: {error}")))?;
        let document = document?;
        trust::check(&document, &self.limits)?;
        let fingerprint = fingerprint.ok_or_else(|| crashed("it did not read the whole file"))?;
        Ok(Read {
            document,
            fingerprint,
        })
    }

    fn how_it_died(&self, status: ExitStatus, last_words: &[u8]) -> ReadFailure {
        let words = String::from_utf8_lossy(last_words);
        let signal = status.signal();
        if words.contains("memory allocation of") || signal == Some(Signal::KILL.as_raw()) {
            return ReadFailure::OutOfMemory {
                max: self.limits.memory_bytes_max,
            };
        }
        if signal == Some(Signal::XCPU.as_raw()) {
            return ReadFailure::TimedOut {
                seconds: self.limits.cpu_seconds_max,
            };
        }
        if words.contains("overflowed its stack") {
            return crashed("it nests too deeply");
        }
        match panic_message(&words) {
            Some(message) => crashed(message),
            None => crashed(status.to_string()),
        }
    }
}

/// The line after the one that says where; where is about our machine, not about the file.
fn panic_message(words: &str) -> Option<String> {
    let mut lines = words
        .lines()
        .skip_while(|line| !line.contains("panicked at"));
    lines.next()?;
    let message = lines.next()?.trim();
    Some(message.chars().take(LAST_WORDS_SHOWN_MAX).collect())
}

/// Sends the request and the file. Nothing is returned if the child stopped listening, and nothing is wrong then:
/// its answer says why.
async fn feed(
    mut input: ChildStdin,
    request: &Request,
    opened: Opened,
) -> Result<Option<Fingerprint>, ReadFailure> {
    let mut line = serde_json::to_vec(request).map_err(|error| crashed(error.to_string()))?;
    line.push(b'\n');
    if input.write_all(&line).await.is_err() {
        return Ok(None);
    }
    let unreadable = |error: std::io::Error| ReadFailure::unreadable(&error);
    let file = opened.file.try_clone().map_err(unreadable)?;
    let mut source = tokio::fs::File::from_std(file);
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut bytes: u64 = 0;
    loop {
        let count = source.read(&mut buffer).await.map_err(unreadable)?;
        if count == 0 {
            break;
        }
        bytes += count as u64;
        if bytes > opened.bytes {
            return Err(ReadFailure::Changed);
        }
        let piece = buffer.get(..count).unwrap_or_default();
        hasher.update(piece);
        if input.write_all(piece).await.is_err() {
            return Ok(None);
        }
    }
    opened.unchanged(&opened.file, bytes)?;
    Ok(Some(Fingerprint {
        bytes,
        blake3: *hasher.finalize().as_bytes(),
    }))
}

/// Reads until the end or one byte more than allowed; then the reader is dropped, and who writes on is told.
async fn read_at_most(stream: impl AsyncRead + Unpin, bytes_max: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut limited = stream.take(bytes_max.saturating_add(1));
    // What came before an error is all there is; the child's end tells the rest.
    let _ = limited.read_to_end(&mut bytes).await;
    bytes
}

fn crashed(what: impl Into<String>) -> ReadFailure {
    ReadFailure::Crashed { what: what.into() }
}
