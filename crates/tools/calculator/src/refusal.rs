//! Why there is no answer: what, where, and what to do, in one line.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("`{field}` is {value}, outside {low} to {high} {unit}: check the number and its unit")]
    OutOfRange {
        field: &'static str,
        value: String,
        low: String,
        high: String,
        unit: &'static str,
    },
    #[error("`{field}` is missing: {advice}")]
    Missing { field: String, advice: String },
    #[error("`{field}` is `{value}`: {advice}")]
    Unusable {
        field: String,
        value: String,
        advice: String,
    },
    #[error("`{unit}` at `{at}` of `{field}` is not a known unit: {advice}")]
    UnknownUnit {
        field: &'static str,
        unit: String,
        at: String,
        advice: &'static str,
    },
    #[error("`{from}` measures {from_measures} and `{to}` {to_measures}: {advice}")]
    DifferentDimensions {
        from: String,
        from_measures: String,
        to: String,
        to_measures: String,
        advice: &'static str,
    },
    #[error(
        "{time} happens twice in {zone}, as {first} and as {second}: give `time` as one of the two"
    )]
    TimeHappensTwice {
        time: String,
        zone: String,
        first: String,
        second: String,
    },
    #[error(
        "{time} does not happen in {zone}, the clock jumps: give `time` as {first} or as {second}"
    )]
    TimeIsSkipped {
        time: String,
        zone: String,
        first: String,
        second: String,
    },
    #[error("`{field}` has {count} entries, more than {max}: {advice}")]
    TooMany {
        field: String,
        count: usize,
        max: usize,
        advice: String,
    },
    #[error(
        "the cash flows have several internal rates, {rates}: none of them is a meaningful return, use net present \
         value"
    )]
    SeveralRates { rates: String },
    #[error(
        "the cash flows have no internal rate between {low} and {high} percent: check the signs, or use net present value"
    )]
    NoRate { low: String, high: String },
    #[error(
        "the result has more than 28 digits, or something is divided by zero: check the numbers and their units"
    )]
    Overflow,
}

impl Refusal {
    pub(crate) fn unusable(field: &str, value: impl ToString, advice: impl Into<String>) -> Self {
        Self::Unusable {
            field: field.to_owned(),
            value: value.to_string(),
            advice: advice.into(),
        }
    }

    pub(crate) fn missing(field: &str, advice: impl Into<String>) -> Self {
        Self::Missing {
            field: field.to_owned(),
            advice: advice.into(),
        }
    }
}
