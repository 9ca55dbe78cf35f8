//! What a run came to: a result that dependents can rely on, or why there is none.

use std::time::Duration;

use adjutant_mission::FailureKind;
use adjutant_sandbox::{Collected, Ended, Exit, FileOut, LimitReached, Stream};
use adjutant_tools::{Finding, ToolFailure};
use serde_json::{Value, json};

use crate::file_content::NamedFile;
use crate::{AnswerFrom, AnswerSchema, WhenLost};

/// Of what a program writes beside its answer, for people who look for the reason of something.
const LOG_CHARS_MAX: usize = 8_000;
const LAST_LINE_CHARS_MAX: usize = 300;
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
}

impl Asked<'_> {
    /// The result of a run that has ended.
    pub(crate) fn result(&self, ended: Ended) -> Result<Value, ToolFailure> {
        self.ended_well(&ended)?;
        let mut files = ended.files;
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
            .collect::<Result<Vec<_>, ToolFailure>>()?;
        let mut log = String::new();
        if *self.answer != AnswerFrom::StandardOutput {
            log.push_str(&String::from_utf8_lossy(&ended.stdout.bytes));
        }
        log.push_str(&String::from_utf8_lossy(&ended.stderr.bytes));
        Ok(json!({
            "delegate": self.delegate,
            "answer": answer,
            "files": files,
            "log": readable(&log, LOG_CHARS_MAX),
        }))
    }

    fn ended_well(&self, ended: &Ended) -> Result<(), ToolFailure> {
        let delegate = self.delegate;
        let last = last_line(&ended.stderr);
        match (ended.limit, ended.exit) {
            (Some(LimitReached::Wall { .. }), _) => Err(self.failure(
                FailureKind::TimedOut,
                format!(
                    "the delegate `{delegate}` ran longer than {:?} and was stopped{last} [ADJ-6305]",
                    self.time
                ),
            )),
            (Some(limit), _) => Err(self.failure(
                FailureKind::Permanent,
                format!("the delegate `{delegate}` was stopped: {limit}{last} [ADJ-6306]"),
            )),
            (None, Exit::Code(0)) => Ok(()),
            (None, Exit::Code(code)) => Err(self.failure(
                FailureKind::Permanent,
                format!("the delegate `{delegate}` ended with exit code {code}{last} [ADJ-6307]"),
            )),
            (None, Exit::Signal(signal)) => Err(self.failure(
                FailureKind::Permanent,
                format!("the delegate `{delegate}` was ended by a signal ({signal}){last} [ADJ-6307]"),
            )),
        }
    }

    fn printed(&self, stdout: &Stream) -> Result<Vec<u8>, ToolFailure> {
        if stdout.left_out == 0 {
            return Ok(stdout.bytes.clone());
        }
        Err(self.failure(
            FailureKind::BadOutput,
            format!(
                "the delegate `{}` printed {} bytes more than the {} that an answer may have [ADJ-6308]",
                self.delegate,
                stdout.left_out,
                stdout.bytes.len()
            ),
        ))
    }

    fn bytes_of(&self, file: FileOut) -> Result<(String, Vec<u8>), ToolFailure> {
        match file.content {
            Collected::Bytes(bytes) => Ok((file.name, bytes)),
            Collected::Refused(why) => Err(self.failure(
                FailureKind::BadOutput,
                format!(
                    "the delegate `{}` was to write the file `{}`, but {why} [ADJ-6309]",
                    self.delegate, file.name
                ),
            )),
        }
    }

    /// With a schema the answer is JSON that fits it, and without one it is text, whatever it looks like.
    fn answer(&self, bytes: Vec<u8>) -> Result<Value, ToolFailure> {
        let Some(schema) = self.schema else {
            let text = String::from_utf8_lossy(&bytes);
            return Ok(text.trim_end().into());
        };
        let answer: Value = serde_json::from_slice(&bytes).map_err(|error| {
            let message = format!(
                "the answer of the delegate `{}` does not fit `output_schema`: it is not JSON: {error} [ADJ-6304]",
                self.delegate
            );
            self.failure(FailureKind::BadOutput, message)
        })?;
        let findings = schema.check(&answer);
        if findings.is_empty() {
            return Ok(answer);
        }
        Err(self.failure(FailureKind::BadOutput, misfit(self.delegate, &findings)))
    }

    /// The run has ended and changed nothing outside its folder, so nothing is in doubt. Whether it may be tried again
    /// without asking is the same question as after a crash.
    fn failure(&self, kind: FailureKind, message: String) -> ToolFailure {
        let kind = match self.when_lost {
            WhenLost::Ask => FailureKind::Permanent,
            WhenLost::Repeat => kind,
        };
        ToolFailure::new(kind, message)
    }
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

/// For the end of a message: empty when nothing was written.
fn last_line(stream: &Stream) -> String {
    let text = String::from_utf8_lossy(&stream.bytes);
    match text.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => format!(": {}", readable(line.trim(), LAST_LINE_CHARS_MAX)),
        None => String::new(),
    }
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
