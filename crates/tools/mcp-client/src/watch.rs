//! What happened on a connection besides answers: whether its tools changed, and why it ended.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::lines::{GARBAGE_LINES_MAX, MESSAGE_BYTES_MAX, UNASKED_MAX};

/// Why we stopped listening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    Closed,
    TooLong,
    Garbage { line: String },
    Unreadable { line: String },
    ForeignId { id: String },
    Unasked,
    Broken { message: String },
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("it closed the connection"),
            Self::TooLong => write!(
                f,
                "it sent a message of more than {MESSAGE_BYTES_MAX} bytes"
            ),
            Self::Garbage { line } => write!(
                f,
                "it wrote more than {GARBAGE_LINES_MAX} lines that are not messages, such as `{line}`"
            ),
            Self::Unreadable { line } => write!(
                f,
                "ADJ-6195: it sent a message that cannot be read, `{line}`"
            ),
            Self::ForeignId { id } => write!(
                f,
                "ADJ-6196: it answered the request \"{id}\", a text, but requests are numbered"
            ),
            Self::Unasked => write!(f, "it sent more than {UNASKED_MAX} unsolicited messages"),
            Self::Broken { message } => {
                write!(f, "the connection broke: {message}")
            }
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Watch {
    ending: OnceLock<Ending>,
    changed: AtomicBool,
}

impl Watch {
    /// The first reason stands.
    pub(crate) fn end(&self, why: Ending) {
        let _ = self.ending.set(why);
    }

    pub(crate) fn ending(&self) -> Option<&Ending> {
        self.ending.get()
    }

    pub(crate) fn tools_changed(&self) {
        self.changed.store(true, Ordering::Release);
    }

    /// Whether the tools changed since this was last asked.
    pub(crate) fn take_changed(&self) -> bool {
        self.changed.swap(false, Ordering::AcqRel)
    }
}
