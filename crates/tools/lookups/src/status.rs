//! What the status of an answer means for a lookup, where a database has no meaning of its own for it.

use crate::{LookupError, Reply};

const SAID_CHARS_MAX: usize = 200;

/// Nothing for an answer that may be read.
pub(crate) fn check(database: &str, reply: &Reply) -> Result<(), LookupError> {
    let said = said(reply);
    match reply.status {
        200..=299 => Ok(()),
        429 => Err(busy(database, reply)),
        401 | 403 => Err(LookupError::InvalidSetting(format!(
            "{database} rejects this key or address ({}): {said}. Check its key in the settings.",
            reply.status
        ))),
        408 | 500..=599 => match retry_after_seconds(reply) {
            Some(_) => Err(busy(database, reply)),
            None => Err(LookupError::Unavailable(format!(
                "{database} failed ({}): {said}. Try again later.",
                reply.status
            ))),
        },
        400..=499 => Err(LookupError::InvalidSearch(format!(
            "{database} rejects this search ({}): {said}",
            reply.status
        ))),
        status => Err(LookupError::Unreadable(format!(
            "{database} answered with the unexpected status {status}."
        ))),
    }
}

/// The database asks for patience.
pub(crate) fn busy(database: &str, reply: &Reply) -> LookupError {
    let after_seconds = retry_after_seconds(reply);
    let when = match after_seconds {
        Some(seconds) => format!("in {seconds} seconds"),
        None => "later".to_owned(),
    };
    LookupError::Busy {
        message: format!("{database} accepts no more requests now. Try again {when}."),
        after_seconds,
    }
}

/// A date instead of seconds is not read: without a clock it says nothing.
pub(crate) fn retry_after_seconds(reply: &Reply) -> Option<u64> {
    reply.header("retry-after")?.trim().parse().ok()
}

/// The beginning of what it says, on one line.
pub(crate) fn said(reply: &Reply) -> String {
    let text = String::from_utf8_lossy(&reply.body);
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(SAID_CHARS_MAX).collect();
    if line.is_empty() {
        "it gives no reason".into()
    } else {
        line
    }
}

#[cfg(test)]
#[path = "status_tests.rs"]
mod tests;
