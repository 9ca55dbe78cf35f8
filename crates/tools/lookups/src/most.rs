//! How many results a search may bring.

use serde_json::{Value, json};

use crate::LookupError;

pub(crate) const MOST_MAX: u32 = 100;
const MOST_UNLESS_SAID: u32 = 20;

pub(crate) fn most_unless_said() -> u32 {
    MOST_UNLESS_SAID
}

pub(crate) fn check(most: u32) -> Result<usize, LookupError> {
    match usize::try_from(most) {
        Ok(count) if (1..=MOST_MAX).contains(&most) => Ok(count),
        _ => Err(LookupError::InvalidSearch(format!(
            "`most` is {most}; it must be between 1 and {MOST_MAX}."
        ))),
    }
}

pub(crate) fn schema() -> Value {
    json!({
        "type": "integer",
        "minimum": 1,
        "maximum": MOST_MAX,
        "default": MOST_UNLESS_SAID,
        "description": "The maximum number of results.",
    })
}
