//! Why a chart is not drawn: one line that names the field and its index.

use crate::check::VALUE_MAX;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("{field} is empty")]
    Empty { field: String },
    #[error("{field} is not a finite number")]
    NotFinite { field: String },
    #[error("{field} is {value:e}, beyond ±{VALUE_MAX:e}")]
    TooLarge { field: String, value: f64 },
    #[error("{field} has {count} entries; at most {max} can be drawn")]
    TooMany {
        field: String,
        count: usize,
        max: usize,
    },
    #[error("{field} has {count} entries, but {other} has {wanted}")]
    Mismatched {
        field: String,
        count: usize,
        other: String,
        wanted: usize,
    },
    #[error("{field} is not a date: write YYYY-MM-DD, YYYY-MM or YYYY")]
    NotADate { field: String },
    #[error("{field} is longer than {max} characters")]
    TooLong { field: String, max: usize },
    #[error("{field} is nested more than {max} branches deep")]
    TooDeep { field: String, max: usize },
    #[error("the edges form more than {max} layers; use the force layout")]
    TooManyLayers { max: usize },
    #[error("{field} {problem}")]
    Wrong {
        field: String,
        problem: &'static str,
    },
    #[error("the built-in font cannot be read")]
    Font,
}

impl Refusal {
    pub(crate) fn wrong(field: impl Into<String>, problem: &'static str) -> Self {
        Self::Wrong {
            field: field.into(),
            problem,
        }
    }
}
