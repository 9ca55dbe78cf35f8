//! Why an analysis was not done: what, where, and what to do.

/// Plain where a number is short that way, with an exponent where it is not.
pub(crate) fn shown(value: f64) -> String {
    if value == 0.0 || (1e-5..1e15).contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// A request that has no honest answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("`{field}` has {got} values and needs at least {needed}: give more")]
    TooShort {
        field: String,
        needed: usize,
        got: usize,
    },
    #[error("`{field}` has {got} values; the limit is {max}: send fewer, or a summary")]
    TooLong {
        field: String,
        got: usize,
        max: usize,
    },
    #[error("`{field}[{index}]` is not a finite number: leave it out or correct it")]
    NotFinite { field: String, index: usize },
    #[error("`{field}[{index}]` is {}, beyond {}: use a larger unit", shown(*got), shown(*max))]
    TooBig {
        field: String,
        index: usize,
        got: f64,
        max: f64,
    },
    #[error("`{field}` is {}: it must be {allowed}", shown(*got))]
    OutOfRange {
        field: String,
        got: f64,
        allowed: String,
    },
    #[error(
        "`{field}` does not vary beyond rounding, so {what} is not defined: use values that differ"
    )]
    Constant { field: String, what: &'static str },
    #[error(
        "`{left}` has {left_length} values and `{right}` has {right_length}: give the same number of both"
    )]
    Lengths {
        left: String,
        left_length: usize,
        right: String,
        right_length: usize,
    },
    #[error("`{field}` {problem}: {remedy}")]
    Unsuitable {
        field: String,
        problem: String,
        remedy: &'static str,
    },
    #[error(
        "`{field}` is a combination of the intercept and the predictors before it: leave it out"
    )]
    Collinear { field: String },
    #[error(
        "`{field}` separates the outcomes, so its coefficient has no finite estimate: leave it out or merge its categories"
    )]
    Separation { field: String },
    #[error("{work} is {got}; the limit is {max}: {remedy}")]
    TooMuchWork {
        work: &'static str,
        got: u64,
        max: u64,
        remedy: &'static str,
    },
    #[error("`model.expression` at character {position}: {problem}")]
    Expression { position: usize, problem: String },
    #[error(
        "draw {draw} of the model is not a finite number: bound the inputs or change the expression"
    )]
    DrawNotFinite { draw: usize },
    #[error("{what} is not a finite number: rescale the values")]
    NotComputable { what: &'static str },
}
