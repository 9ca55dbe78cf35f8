//! Limits of what is taken, and the checks every analysis begins with.

use serde::Deserialize;

use crate::Refusal;

/// Values in one list.
pub const VALUES_MAX: usize = 100_000;
/// Groups, predictors, rows or columns in one request.
pub const GROUPS_MAX: usize = 50;
/// A value farther from zero is refused, so that squares and their sums stay finite.
pub const MAGNITUDE_MAX: f64 = 1e100;
/// Characters of a name that an answer repeats.
pub const NAME_CHARACTERS_MAX: usize = 200;
const ROUNDING_STEPS: f64 = 8.0;
/// One count.
pub const COUNT_MAX: u64 = 1_000_000_000;

/// How sure an interval is to be, as a share: 0.95 unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Level(pub f64);

impl Default for Level {
    fn default() -> Self {
        Self(0.95)
    }
}

impl Level {
    pub(crate) fn check(self) -> Result<f64, Refusal> {
        if self.0 >= 0.5 && self.0 <= 0.9999 {
            Ok(self.0)
        } else {
            Err(out_of_range("level", self.0, "from 0.5 to 0.9999"))
        }
    }
}

/// Which deviation from the hypothesis counts against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alternative {
    #[default]
    TwoSided,
    Less,
    Greater,
}

impl Alternative {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::TwoSided => "two-sided",
            Self::Less => "one-sided (less)",
            Self::Greater => "one-sided (greater)",
        }
    }
}

/// A whole number of things counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "f64")]
pub struct Count(pub u64);

impl Count {
    pub(crate) fn value(self) -> f64 {
        self.0 as f64
    }
}

impl TryFrom<f64> for Count {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        if (0.0..=COUNT_MAX as f64).contains(&value) && value.fract() == 0.0 {
            Ok(Self(value as u64))
        } else {
            Err(format!(
                "{value} is not a count: give a whole number from 0 to {COUNT_MAX}"
            ))
        }
    }
}

pub(crate) fn out_of_range(
    field: impl Into<String>,
    got: f64,
    allowed: impl Into<String>,
) -> Refusal {
    Refusal::OutOfRange {
        field: field.into(),
        got,
        allowed: allowed.into(),
    }
}

pub(crate) fn length(field: &str, got: usize, needed: usize, max: usize) -> Result<(), Refusal> {
    if got < needed {
        return Err(Refusal::TooShort {
            field: field.to_owned(),
            needed,
            got,
        });
    }
    if got > max {
        return Err(Refusal::TooLong {
            field: field.to_owned(),
            got,
            max,
        });
    }
    Ok(())
}

/// A list of at least `needed` finite numbers.
pub(crate) fn sample(field: &str, values: &[f64], needed: usize) -> Result<(), Refusal> {
    length(field, values.len(), needed, VALUES_MAX)?;
    for (index, &value) in values.iter().enumerate() {
        if !value.is_finite() {
            return Err(Refusal::NotFinite {
                field: field.to_owned(),
                index,
            });
        }
        if value.abs() > MAGNITUDE_MAX {
            return Err(Refusal::TooBig {
                field: field.to_owned(),
                index,
                got: value,
                max: MAGNITUDE_MAX,
            });
        }
    }
    Ok(())
}

/// One finite number.
pub(crate) fn number(field: &str, value: f64) -> Result<f64, Refusal> {
    if value.abs() <= MAGNITUDE_MAX {
        Ok(value)
    } else {
        Err(out_of_range(
            field,
            value,
            format!("a finite number up to {MAGNITUDE_MAX:e}"),
        ))
    }
}

/// One finite number above zero.
pub(crate) fn positive(field: &str, value: f64) -> Result<f64, Refusal> {
    if value > 0.0 && value <= MAGNITUDE_MAX {
        Ok(value)
    } else {
        Err(out_of_range(
            field,
            value,
            format!("above 0 and at most {MAGNITUDE_MAX:e}"),
        ))
    }
}

/// A share strictly between nothing and all.
pub(crate) fn share(field: &str, value: f64) -> Result<f64, Refusal> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(out_of_range(field, value, "between 0 and 1, both excluded"))
    }
}

/// The largest distance from zero.
pub(crate) fn magnitude(values: &[f64]) -> f64 {
    values.iter().map(|value| value.abs()).fold(0.0, f64::max)
}

/// What differs by no more than this, in values up to `magnitude`, may differ by rounding alone.
pub(crate) fn rounding(magnitude: f64) -> f64 {
    ROUNDING_STEPS * f64::EPSILON * magnitude
}

/// Whether values made of numbers up to `magnitude` are all alike, but for rounding.
pub(crate) fn constant(values: &[f64], magnitude: f64) -> bool {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    high - low <= rounding(magnitude)
}

pub(crate) fn varied(field: &str, values: &[f64], what: &'static str) -> Result<(), Refusal> {
    if constant(values, magnitude(values)) {
        return Err(Refusal::Constant {
            field: field.to_owned(),
            what,
        });
    }
    Ok(())
}

pub(crate) fn name(field: &str, name: &str) -> Result<(), Refusal> {
    let characters = name.chars().count();
    if (1..=NAME_CHARACTERS_MAX).contains(&characters) {
        return Ok(());
    }
    Err(Refusal::Unsuitable {
        field: field.to_owned(),
        problem: format!("has {characters} characters, and names have 1 to {NAME_CHARACTERS_MAX}"),
        remedy: "give another name",
    })
}

pub(crate) fn same_length(
    left: &str,
    left_length: usize,
    right: &str,
    right_length: usize,
) -> Result<(), Refusal> {
    if left_length == right_length {
        return Ok(());
    }
    Err(Refusal::Lengths {
        left: left.to_owned(),
        left_length,
        right: right.to_owned(),
        right_length,
    })
}

pub(crate) fn groups(groups: &[Vec<f64>], needed_each: usize) -> Result<(), Refusal> {
    length("groups", groups.len(), 2, GROUPS_MAX)?;
    for (index, group) in groups.iter().enumerate() {
        sample(&format!("groups[{index}]"), group, needed_each)?;
    }
    length("groups", groups.iter().map(Vec::len).sum(), 0, VALUES_MAX)
}

/// The last guard: a figure that overflowed is refused, not shown.
pub(crate) fn computable(what: &'static str, value: f64) -> Result<f64, Refusal> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Refusal::NotComputable { what })
    }
}
