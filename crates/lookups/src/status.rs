//! What the status of an answer means for a lookup, where a database has no meaning of its own for it.

use crate::{Reply, Trouble};

const SAID_CHARS_MAX: usize = 200;

/// Nothing for an answer that may be read.
pub(crate) fn check(database: &str, reply: &Reply) -> Result<(), Trouble> {
    let said = said(reply);
    match reply.status {
        200..=299 => Ok(()),
        429 => Err(busy(database, reply)),
        401 | 403 => Err(Trouble::Setting(format!(
            "{database} refuses this key or address ({}): {said}. Look at its key in the settings.",
            reply.status
        ))),
        408 | 500..=599 => match retry_after_seconds(reply) {
            Some(_) => Err(busy(database, reply)),
            None => Err(Trouble::Away(format!(
                "{database} failed ({}): {said}. Try again later.",
                reply.status
            ))),
        },
        400..=499 => Err(Trouble::BadSearch(format!(
            "{database} does not take this search ({}): {said}",
            reply.status
        ))),
        status => Err(Trouble::Unreadable(format!(
            "{database} answered with status {status}, which no search leads to."
        ))),
    }
}

/// The database asks for patience.
pub(crate) fn busy(database: &str, reply: &Reply) -> Trouble {
    let after_seconds = retry_after_seconds(reply);
    let when = match after_seconds {
        Some(seconds) => format!("in {seconds} seconds"),
        None => "later".to_owned(),
    };
    Trouble::Busy {
        message: format!("{database} takes no more requests now. Try again {when}."),
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
        "it says no more".into()
    } else {
        line
    }
}

#[cfg(test)]
#[path = "status_tests.rs"]
mod tests;
