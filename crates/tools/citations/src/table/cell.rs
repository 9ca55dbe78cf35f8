//! Values as the text of a cell.

use adjutant_text::lines::one_line;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::limits::DECIMALS_MAX;
use crate::notes::Notes;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberStyle {
    #[default]
    Decimal,
    /// A share of 1, written as a percentage.
    Percent,
    PValue,
}

/// How numbers of a column are written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Number {
    #[serde(default)]
    pub style: NumberStyle,
    /// Unrounded if left out; three for p-values.
    #[serde(default)]
    pub decimals: Option<u32>,
    /// The separator of groups of three digits; none if left out.
    #[serde(default)]
    pub thousands: Option<String>,
    #[serde(default)]
    pub unit: Option<String>,
}

impl Number {
    pub(super) fn schema() -> Value {
        json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "style": {
                    "enum": ["decimal", "percent", "p_value"],
                    "description": "`percent` writes 0.12 as 12%; `p_value` writes <0.001 for less."
                },
                "decimals": { "type": "integer", "minimum": 0, "maximum": DECIMALS_MAX },
                "thousands": { "type": "string", "maxLength": 3 },
                "unit": { "type": "string", "maxLength": 40 }
            }
        })
    }

    pub(crate) fn write(&self, value: Decimal) -> String {
        let number = match self.style {
            NumberStyle::PValue => p_value(value, self.places().unwrap_or(3)),
            NumberStyle::Percent => match value.checked_mul(Decimal::ONE_HUNDRED) {
                Some(percent) => format!("{}%", self.grouped(percent)),
                None => value.to_string(),
            },
            NumberStyle::Decimal => self.grouped(value),
        };
        match self.unit.as_deref() {
            Some(unit) if !unit.is_empty() => format!("{number} {unit}"),
            _ => number,
        }
    }

    fn places(&self) -> Option<u32> {
        self.decimals.map(|places| places.min(DECIMALS_MAX))
    }

    fn grouped(&self, value: Decimal) -> String {
        let plain = match self.places() {
            Some(places) => rounded(value, places),
            None => value.normalize().to_string(),
        };
        let Some(separator) = self.thousands.as_deref() else {
            return plain;
        };
        let (sign, digits) = match plain.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", plain.as_str()),
        };
        let (whole, rest) = match digits.split_once('.') {
            Some((whole, rest)) => (whole, format!(".{rest}")),
            None => (digits, String::new()),
        };
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push_str(separator);
            }
            grouped.push(digit);
        }
        format!("{sign}{grouped}{rest}")
    }
}

fn rounded(value: Decimal, places: u32) -> String {
    let rounded = value.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero);
    let text = format!("{rounded:.*}", usize::try_from(places).unwrap_or(0));
    // No minus sign before zero.
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| byte == b'0' || byte == b'.') => {
            digits.to_owned()
        }
        _ => text,
    }
}

/// Values too close to 0 or 1 to be shown become `<0.001` or `>0.999`.
fn p_value(value: Decimal, places: u32) -> String {
    let step = Decimal::new(1, places);
    if value < step {
        return format!("<{step}");
    }
    if value > Decimal::ONE - step {
        return format!(">{}", Decimal::ONE - step);
    }
    rounded(value, places)
}

/// The exact number in a value, if it holds one.
pub(crate) fn parse_decimal(value: &Value) -> Option<Decimal> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    text.parse()
        .ok()
        .or_else(|| Decimal::from_scientific(&text).ok())
}

/// A value as the text of a cell; `None` if there is no value.
pub(crate) fn render_cell(
    value: &Value,
    number: Option<&Number>,
    column: &str,
    notes: &mut Notes,
) -> Option<String> {
    let plain = match value {
        Value::Null => return None,
        Value::String(text) if text.trim().is_empty() => return None,
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    };
    let plain = one_line(&plain);
    let Some(format) = number else {
        return Some(plain);
    };
    let Some(decimal) = parse_decimal(value) else {
        notes.add(format!(
            "{column}: `{plain}` is not a number and is left unchanged."
        ));
        return Some(plain);
    };
    let possible = Decimal::ZERO..=Decimal::ONE;
    if format.style == NumberStyle::PValue && !possible.contains(&decimal) {
        notes.add(format!(
            "{column}: {decimal} is not a p-value and is left unchanged."
        ));
        return Some(plain);
    }
    Some(format.write(decimal))
}
