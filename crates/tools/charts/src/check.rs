//! What every kind of chart asks of its input.

use crate::Refusal;

/// Larger numbers could overflow while they are added up or scaled.
pub const VALUE_MAX: f64 = 1e300;
pub const TEXT_CHARS_MAX: usize = 500;

pub(crate) fn finite(value: f64, field: impl FnOnce() -> String) -> Result<(), Refusal> {
    if !value.is_finite() {
        return Err(Refusal::NotFinite { field: field() });
    }
    if value.abs() > VALUE_MAX {
        return Err(Refusal::TooLarge {
            field: field(),
            value,
        });
    }
    Ok(())
}

pub(crate) fn all_finite(values: &[f64], field: &str) -> Result<(), Refusal> {
    for (index, value) in values.iter().enumerate() {
        finite(*value, || format!("{field}[{index}]"))?;
    }
    Ok(())
}

pub(crate) fn count(count: usize, max: usize, field: impl Into<String>) -> Result<(), Refusal> {
    let field = field.into();
    match count {
        0 => Err(Refusal::Empty { field }),
        _ if count > max => Err(Refusal::TooMany { field, count, max }),
        _ => Ok(()),
    }
}

pub(crate) fn same_length(
    count: usize,
    field: impl FnOnce() -> String,
    wanted: usize,
    other: &str,
) -> Result<(), Refusal> {
    if count == wanted {
        return Ok(());
    }
    Err(Refusal::Mismatched {
        field: field(),
        count,
        other: other.to_owned(),
        wanted,
    })
}

pub(crate) fn text(text: &str, field: impl FnOnce() -> String) -> Result<(), Refusal> {
    if crate::text::clean(text).is_empty() {
        return Err(Refusal::Empty { field: field() });
    }
    if text.chars().count() > TEXT_CHARS_MAX {
        return Err(Refusal::TooLong {
            field: field(),
            max: TEXT_CHARS_MAX,
        });
    }
    Ok(())
}

pub(crate) fn texts(all: &[String], field: &str) -> Result<(), Refusal> {
    for (index, one) in all.iter().enumerate() {
        text(one, || format!("{field}[{index}]"))?;
    }
    Ok(())
}
