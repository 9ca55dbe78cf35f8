//! What a run came to: a result that dependents can rely on, or why there is none.

use std::time::Duration;

use adjutant_mission::FailureKind;
use adjutant_sandbox::{Collected, Ended, Exit, FileOut, LimitReached, Stream};
use adjutant_tools::{Finding, ToolFailure};
use serde_json::{Value, json};

use crate::file_content::NamedFile;
use crate::{AnswerFrom, AnswerSchema, WhenLost};

/// Of what a program writes beside its answer, for people who look for the reason of something.
/// What separates the last words of a program from the failure, and from each other.
pub const LAST_WORDS: &str = "; its standard ";
/// What stands between the name of a stream and its last words.
pub const SAID: &str = " ends with: ";
const LOG_CHARS_MAX: usize = 8_000;
/// Of the end of each stream, in a failure. With everything else a failure says, it must stay below what is kept of one.
const LAST_CHARS_MAX: usize = 500;
const LAST_BYTES_MAX: usize = 4 * LAST_CHARS_MAX;
/// A shorter secret is no secret, and would take out half a text.
const SECRET_BYTES_MIN: usize = 4;
/// In place of a secret.
const MASK: &str = "[secret]";
/// A program that uses this part of its memory when it fails may well have failed because of it.
const NEARLY_ALL_PERCENT: u64 = 90;
/// How programs say that they were refused memory. The kernel refuses it without ending them, so that nobody else knows.
const OUT_OF_MEMORY: [&str; 12] = [
    "memoryerror",
    "out of memory",
    "outofmemory",
    "cannot allocate",
    "can't allocate memory",
    "bad_alloc",
    "memory exhausted",
    "failed to allocate memory",
    "memory allocation of",
    "not enough memory",
    "could not reserve enough space",
    "enomem",
];
/// How many findings of a schema one message lists.
const FINDINGS_TOLD_MAX: usize = 5;
const FINDINGS_CHARS_MAX: usize = 400;

/// What was asked of a run.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) delegate: &'a str,
    pub(crate) answer: &'a AnswerFrom,
    pub(crate) schema: Option<&'a AnswerSchema>,
    pub(crate) time: Duration,
    pub(crate) when_lost: WhenLost,
    pub(crate) memory_bytes: u64,
    /// What must not be shown of what the program wrote.
    pub(crate) secrets: &'a [String],
}

impl Asked<'_> {
    /// The result of a run that has ended.
    pub(crate) fn result(&self, mut ended: Ended) -> Result<Value, ToolFailure> {
        let files = std::mem::take(&mut ended.files);
        let result = self
            .ended_well(&ended)
            .and_then(|()| self.made(&ended, files));
        result.map_err(|failed| self.failure(failed, &ended))
    }

    fn made(&self, ended: &Ended, mut files: Vec<FileOut>) -> Result<Value, Failed> {
        let answer = match self.answer {
            AnswerFrom::StandardOutput => self.printed(&ended.stdout)?,
            // It was asked for last.
            AnswerFrom::File(_) => match files.pop() {
                Some(file) => self.bytes_of(file)?.1,
                None => Vec::new(),
            },
        };
        let answer = self.answer(answer)?;
        let files = files
            .into_iter()
            .map(|file| {
                let (name, bytes) = self.bytes_of(file)?;
                Ok(NamedFile::new(name, bytes))
            })
            .collect::<Result<Vec<_>, Failed>>()?;
        let mut log = String::new();
        if *self.answer != AnswerFrom::StandardOutput {
            log.push_str(&String::from_utf8_lossy(&ended.stdout.bytes));
        }
        log.push_str(&String::from_utf8_lossy(&ended.stderr.bytes));
        Ok(json!({
            "delegate": self.delegate,
            "answer": answer,
            "files": files,
            "log": readable(&self.without_secrets(&log), LOG_CHARS_MAX),
        }))
    }

    fn ended_well(&self, ended: &Ended) -> Result<(), Failed> {
        let delegate = self.delegate;
        let exit = match (ended.limit, ended.exit) {
            (Some(LimitReached::Wall { .. }), _) => {
                return Err(Failed {
                    kind: FailureKind::TimedOut,
                    message: format!(
                        "the delegate `{delegate}` ran longer than {:?} and was stopped [ADJ-6305]",
                        self.time
                    ),
                });
            }
            (Some(limit), _) => {
                return Err(permanent(format!(
                    "the delegate `{delegate}` was stopped: {limit} [ADJ-6306]"
                )));
            }
            (None, Exit::Code(0)) => return Ok(()),
            (None, Exit::Code(code)) => format!("ended with exit code {code}"),
            (None, Exit::Signal(signal)) => format!("was ended by a signal ({signal})"),
        };
        let limit = self.memory_bytes;
        let peak = ended.used.memory_bytes_peak;
        let message = if says_out_of_memory(ended) {
            format!(
                "the delegate `{delegate}` {exit} and says that it was refused memory: it may use {limit} bytes [ADJ-6306]"
            )
        } else if peak >= limit / 100 * NEARLY_ALL_PERCENT {
            format!(
                "the delegate `{delegate}` {exit} when it used {peak} of the {limit} bytes of memory that it may use [ADJ-6306]"
            )
        } else {
            format!("the delegate `{delegate}` {exit} [ADJ-6307]")
        };
        Err(permanent(message))
    }

    fn printed(&self, stdout: &Stream) -> Result<Vec<u8>, Failed> {
        if stdout.left_out == 0 {
            return Ok(stdout.bytes.clone());
        }
        Err(bad_output(format!(
            "the delegate `{}` printed {} bytes more than the {} that an answer may have [ADJ-6308]",
            self.delegate,
            stdout.left_out,
            stdout.bytes.len()
        )))
    }

    fn bytes_of(&self, file: FileOut) -> Result<(String, Vec<u8>), Failed> {
        match file.content {
            Collected::Bytes(bytes) => Ok((file.name, bytes)),
            Collected::Refused(why) => Err(bad_output(format!(
                "the delegate `{}` was to write the file `{}`, but {why} [ADJ-6309]",
                self.delegate, file.name
            ))),
        }
    }

    /// With a schema the answer is JSON that fits it, and without one it is text, whatever it looks like.
    fn answer(&self, bytes: Vec<u8>) -> Result<Value, Failed> {
        let Some(schema) = self.schema else {
            let text = String::from_utf8_lossy(&bytes);
            return Ok(text.trim_end().into());
        };
        let answer: Value = serde_json::from_slice(&bytes).map_err(|error| {
            bad_output(format!(
                "the answer of the delegate `{}` does not fit `output_schema`: it is not JSON: {error} [ADJ-6304]",
                self.delegate
            ))
        })?;
        let findings = schema.check(&answer);
        if findings.is_empty() {
            return Ok(answer);
        }
        Err(bad_output(misfit(self.delegate, &findings)))
    }

    /// The run has ended and changed nothing outside its folder, so nothing is in doubt. Whether it may be tried again
    /// without asking is the same question as after a crash. Nothing else is kept of a run that failed, so its last words
    /// are told with the failure, to whoever decides about another try.
    fn failure(&self, failed: Failed, ended: &Ended) -> ToolFailure {
        let kind = match self.when_lost {
            WhenLost::Ask => FailureKind::Permanent,
            WhenLost::Repeat => failed.kind,
        };
        let mut message = failed.message;
        for (name, stream) in [("error", &ended.stderr), ("output", &ended.stdout)] {
            let last = self.last_words(stream);
            if !last.is_empty() {
                message.push_str(&format!("{LAST_WORDS}{name}{SAID}{last}"));
            }
        }
        ToolFailure::new(kind, message)
    }

    /// The end of what was written, on one line, without what must not be shown.
    fn last_words(&self, stream: &Stream) -> String {
        let longest = self.secrets.iter().map(String::len).max().unwrap_or(0);
        let bytes = stream.last(LAST_BYTES_MAX + longest);
        let written = stream.bytes.len() as u64 + stream.left_out;
        let is_whole = bytes.len() as u64 == written;
        let text = self.without_secrets(&String::from_utf8_lossy(&bytes));
        // What the text begins with may be the rest of a secret.
        let text = match is_whole {
            true => text.as_str(),
            false => text.get(text.ceil_char_boundary(longest)..).unwrap_or(""),
        };
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let line = lines.collect::<Vec<_>>().join(" ⏎ ");
        let shown: Vec<char> = line.chars().filter(|c| !c.is_control()).collect();
        let from = shown.len().saturating_sub(LAST_CHARS_MAX);
        let end: String = shown[from..].iter().collect();
        match from == 0 && is_whole {
            true => end,
            false => format!("…{end}"),
        }
    }

    fn without_secrets(&self, text: &str) -> String {
        let mut secrets: Vec<&str> = self.secrets.iter().map(String::as_str).collect();
        secrets.retain(|secret| secret.len() >= SECRET_BYTES_MIN);
        // One may be a part of another one.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        let without = |text: String, secret| text.replace(secret, MASK);
        secrets.into_iter().fold(text.to_owned(), without)
    }
}

/// Why a run has no result.
struct Failed {
    kind: FailureKind,
    message: String,
}

fn permanent(message: String) -> Failed {
    Failed {
        kind: FailureKind::Permanent,
        message,
    }
}

fn bad_output(message: String) -> Failed {
    Failed {
        kind: FailureKind::BadOutput,
        message,
    }
}

fn says_out_of_memory(ended: &Ended) -> bool {
    let last = ended.stderr.last(LAST_BYTES_MAX);
    let last = String::from_utf8_lossy(&last).to_lowercase();
    OUT_OF_MEMORY.iter().any(|words| last.contains(words))
}

/// What in an answer does not fit the schema.
pub(crate) fn misfit(delegate: &str, findings: &[Finding]) -> String {
    let told = findings.iter().take(FINDINGS_TOLD_MAX);
    let told: Vec<String> = told.map(ToString::to_string).collect();
    let told = readable(&told.join("; "), FINDINGS_CHARS_MAX);
    format!(
        "the answer of the delegate `{delegate}` does not fit `output_schema`: {told} [ADJ-6304]"
    )
}

/// The beginning of a text, without the characters that steer a terminal.
fn readable(text: &str, chars_max: usize) -> String {
    let seen = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let mut seen = text.chars().filter(seen);
    let mut kept: String = seen.by_ref().take(chars_max).collect();
    if seen.next().is_some() {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
#[path = "result_tests.rs"]
mod tests;
