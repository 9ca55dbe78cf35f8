//! Why there is no answer: what, where, and what to do, in one line.

/// A request that has no honest answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("`{field}` has {got} characters; the limit is {max}: send it in parts")]
    TooLong {
        field: &'static str,
        got: usize,
        max: usize,
    },
    #[error("`{field}` has no words: send text")]
    NoWords { field: &'static str },
    #[error("`{field}` is {got}: it must be {low} to {high}")]
    OutOfRange {
        field: &'static str,
        got: usize,
        low: usize,
        high: usize,
    },
    #[error("{what} is not known for {language}: {advice}")]
    OtherLanguage {
        what: &'static str,
        language: String,
        advice: &'static str,
    },
    #[error("the language of `{field}` is not certain ({reason}): {advice}")]
    UnsureLanguage {
        field: &'static str,
        reason: String,
        advice: &'static str,
    },
}
