//! Why a request was refused: the argument, its value and what to do, in one line.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("`{field}` is missing: {advice}")]
    Missing { field: String, advice: String },
    #[error("`{field}` is `{value}`: {advice}")]
    Unusable {
        field: String,
        value: String,
        advice: String,
    },
    #[error("`{field}` has {count} entries, more than {max}: split the request")]
    TooMany {
        field: String,
        count: usize,
        max: usize,
    },
    #[error("`{field}` has {count} bytes, more than {max}: make it shorter")]
    TooLong {
        field: String,
        count: usize,
        max: usize,
    },
}

/// Longer values are cut in messages.
const SHOWN_CHARS_MAX: usize = 80;

impl Refusal {
    pub(crate) fn missing(field: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Missing {
            field: field.into(),
            advice: advice.into(),
        }
    }

    pub(crate) fn unusable(
        field: impl Into<String>,
        value: impl ToString,
        advice: impl Into<String>,
    ) -> Self {
        Self::Unusable {
            field: field.into(),
            value: shorten(&value.to_string()),
            advice: advice.into(),
        }
    }

    pub(crate) fn check_count(field: &str, count: usize, max: usize) -> Result<(), Self> {
        if count > max {
            return Err(Self::TooMany {
                field: field.to_owned(),
                count,
                max,
            });
        }
        Ok(())
    }

    pub(crate) fn check_length(field: &str, count: usize, max: usize) -> Result<(), Self> {
        if count > max {
            return Err(Self::TooLong {
                field: field.to_owned(),
                count,
                max,
            });
        }
        Ok(())
    }
}

/// A value, cut to the length that a message can hold.
pub(crate) fn shorten(value: &str) -> String {
    if value.chars().count() <= SHOWN_CHARS_MAX {
        return value.to_owned();
    }
    let mut cut: String = value.chars().take(SHOWN_CHARS_MAX).collect();
    cut.push('…');
    cut
}
