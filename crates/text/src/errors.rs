//! What an error says, with or without its causes, in one line.

use std::error::Error;

/// What is said of a request that failed without a cause.
const NO_CAUSE: &str = "the request failed";
/// Causes behind a cause that are looked at: an error that names itself as its cause must not hang the program.
const CAUSES_MAX: usize = 64;

/// The innermost cause of a failed request. The outer messages only say that it failed, and quote its address, which may
/// hold a secret.
pub fn request_cause(error: &dyn Error) -> String {
    causes(error)
        .last()
        .map_or_else(|| NO_CAUSE.to_owned(), ToString::to_string)
}

/// The message and all its causes, separated by colons. A cause that the message ends with is not repeated.
pub fn with_causes(error: &dyn Error) -> String {
    causes(error).fold(error.to_string(), |text, cause| {
        let cause = cause.to_string();
        match text.ends_with(&cause) {
            true => text,
            false => format!("{text}: {cause}"),
        }
    })
}

fn causes<'a>(error: &'a (dyn Error + 'a)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause| (*cause).source()).take(CAUSES_MAX)
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
