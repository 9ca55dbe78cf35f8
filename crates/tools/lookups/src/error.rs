//! Why a lookup gave no result.

/// One line each: what, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// The search itself cannot be: asking again changes nothing.
    #[error("{0}")]
    InvalidSearch(String),
    /// A setting is missing or wrong; the message names it.
    #[error("{0}")]
    InvalidSetting(String),
    /// The database asks for patience: try again after so many seconds, if it says so.
    #[error("{message}")]
    Busy {
        message: String,
        after_seconds: Option<u64>,
    },
    /// It did not answer as it should, and may the next time.
    #[error("{0}")]
    Unavailable(String),
    /// Its answer cannot be understood.
    #[error("{0}")]
    Unreadable(String),
}
