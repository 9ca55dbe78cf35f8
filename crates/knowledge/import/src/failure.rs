//! Why a file could not be read.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a file could not be read. It crosses the border between the child process and its parent, so it is data.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ReadFailure {
    #[error("the file has {bytes} bytes, more than the {max} that are read")]
    TooLarge { bytes: u64, max: u64 },
    /// Small on disk, but more than fits once unpacked or taken apart.
    #[error("there is more text in it than is taken: {what}")]
    TooMuchText { what: String },
    #[error("this kind of file is not read: {what}")]
    Unsupported { what: String },
    #[error("the file is protected by a password")]
    PasswordProtected,
    #[error("the file is broken: {what}")]
    Broken { what: String },
    #[error("there is no text in the file; it may be scanned pages or pictures")]
    NoText,
    #[error("reading the file took longer than {seconds} s")]
    TimedOut { seconds: u64 },
    #[error("reading the file needed more than {max} bytes of memory")]
    OutOfMemory { max: u64 },
    /// The process that read it died or answered nonsense.
    #[error("the file made its reader fail: {what}")]
    Crashed { what: String },
    /// Nothing was read.
    #[error(
        "the process that reads files cannot be cut off from the network, so it reads none: {what}; this needs a kernel \
         with seccomp filters [ADJ-6172]"
    )]
    HasNetwork { what: String },
    #[error("the path leads to something that is not a file: {what}")]
    NotAFile { what: String },
    #[error("the path leads through symbolic links in a circle")]
    LinkLoop,
    #[error("the file changed while it was read")]
    Changed,
    #[error("the file cannot be opened or read: {what}")]
    Unreadable { what: String },
}

impl ReadFailure {
    pub(crate) fn broken(what: impl Into<String>) -> Self {
        Self::Broken { what: what.into() }
    }

    pub(crate) fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into() }
    }

    pub(crate) fn too_much(what: impl Into<String>) -> Self {
        Self::TooMuchText { what: what.into() }
    }

    pub(crate) fn unreadable(error: &std::io::Error) -> Self {
        Self::Unreadable {
            what: error.to_string(),
        }
    }
}
