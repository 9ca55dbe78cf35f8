//! What the host and its child say to each other: a line of JSON, then bytes whose lengths the line gives.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Exit, FileRefused, Language, LimitReached, Limits, Protections, Used};

pub(crate) const REQUEST_LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;
pub(crate) const ANSWER_LINE_BYTES_MAX: u64 = 256 * 1024;

/// After it: the code, if any, the standard input, and the files.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    pub(crate) program: RequestProgram,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) shared_folder: Option<PathBuf>,
    pub(crate) stdin_bytes: u64,
    pub(crate) files: Vec<Named>,
    pub(crate) wanted: Vec<String>,
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) limits: Limits,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum RequestProgram {
    Arguments(Vec<String>),
    Code { language: Language, bytes: u64 },
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

pub(crate) type Answer = Result<AnswerEnded, Refusal>;

/// After it: standard output and what is kept of its end, the same of standard error, and the files that are there.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct AnswerEnded {
    pub(crate) exit: Exit,
    pub(crate) limit: Option<LimitReached>,
    pub(crate) stdout: Length,
    pub(crate) stderr: Length,
    pub(crate) files: Vec<Result<u64, FileRefused>>,
    pub(crate) used: Used,
    pub(crate) protections: Protections,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Length {
    pub(crate) bytes: u64,
    pub(crate) left_out: u64,
    pub(crate) end_bytes: u64,
}

/// Why nothing was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Refusal {
    /// The machine lacks something; says what.
    Unavailable(String),
    /// The program is not there.
    NoProgram(String),
    Trouble(String),
}
