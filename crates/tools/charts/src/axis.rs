//! An axis as it is asked for.

use serde::{Deserialize, Serialize};

use crate::scale::{Scale, range};
use crate::text::clean;
use crate::{Refusal, check, date};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    #[serde(default)]
    pub scale: AxisScale,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AxisScale {
    #[default]
    Linear,
    Log,
}

/// A number, a date or a name. One chart has one sort of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Position {
    Number(f64),
    Text(String),
}

impl Axis {
    pub(crate) fn check(&self, field: &str) -> Result<(), Refusal> {
        for (text, name) in [(&self.label, "label"), (&self.unit, "unit")] {
            if let Some(text) = text {
                check::text(text, || format!("{field}.{name}"))?;
            }
        }
        Ok(())
    }

    pub(crate) fn caption(&self) -> Option<String> {
        match (&self.label, &self.unit) {
            (Some(label), Some(unit)) => Some(format!("{} ({})", clean(label), clean(unit))),
            (Some(text), None) | (None, Some(text)) => Some(clean(text)),
            (None, None) => None,
        }
    }

    /// A value for sentences, with its unit.
    pub(crate) fn say(&self, value: f64) -> String {
        let number = crate::number::value(value);
        match self.unit.as_deref().map(clean) {
            Some(unit) if unit == "%" => format!("{number}%"),
            Some(unit) => format!("{number} {unit}"),
            None => number,
        }
    }

    pub(crate) fn scale_of(&self, low: f64, high: f64) -> Scale {
        match self.scale {
            AxisScale::Linear => Scale::linear(low, high),
            AxisScale::Log => Scale::log(low, high),
        }
    }

    /// On a log axis there is no zero.
    pub(crate) fn check_value(
        &self,
        value: f64,
        field: impl Fn() -> String,
    ) -> Result<(), Refusal> {
        check::finite(value, &field)?;
        if self.scale == AxisScale::Log && value <= 0.0 {
            return Err(Refusal::wrong(
                field(),
                "is not above zero, as a log axis requires",
            ));
        }
        Ok(())
    }
}

/// The positions of a chart as numbers, and their scale.
pub(crate) struct Positions {
    pub(crate) numbers: Vec<f64>,
    pub(crate) scale: Scale,
    pub(crate) first: String,
    pub(crate) last: String,
}

pub(crate) const NAMES_MAX: usize = 200;

/// `field` names the position with the given index.
pub(crate) fn positions(
    all: &[&Position],
    axis: &Axis,
    field: impl Fn(usize) -> String,
) -> Result<Positions, Refusal> {
    let numbers: Vec<Option<f64>> = all
        .iter()
        .map(|p| match p {
            Position::Number(number) => Some(*number),
            Position::Text(_) => None,
        })
        .collect();
    if numbers.iter().any(Option::is_some) {
        for (index, number) in numbers.iter().enumerate() {
            match number {
                Some(value) => axis.check_value(*value, || field(index))?,
                None => {
                    return Err(Refusal::wrong(
                        field(index),
                        "is text, but the other values are numbers",
                    ));
                }
            }
        }
        let numbers: Vec<f64> = numbers.into_iter().flatten().collect();
        let (low, high) = range(numbers.iter().copied());
        return Ok(Positions {
            scale: axis.scale_of(low, high),
            first: axis.say(low),
            last: axis.say(high),
            numbers,
        });
    }
    let texts: Vec<&str> = all
        .iter()
        .filter_map(|p| match p {
            Position::Text(text) => Some(text.as_str()),
            Position::Number(_) => None,
        })
        .collect();
    let days: Option<Vec<f64>> = texts.iter().map(|text| date::parse(text)).collect();
    if let Some(days) = days {
        let (low, high) = range(days.iter().copied());
        return Ok(Positions {
            numbers: days,
            scale: Scale::days(low, high, 12.0),
            first: date::long(low),
            last: date::long(high),
        });
    }
    named(&texts, field)
}

fn named(texts: &[&str], field: impl Fn(usize) -> String) -> Result<Positions, Refusal> {
    let mut names: Vec<String> = Vec::new();
    let mut numbers = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        check::text(text, || field(index))?;
        let name = clean(text);
        let place = names.iter().position(|n| *n == name).unwrap_or(names.len());
        if place == names.len() {
            check::count(names.len() + 1, NAMES_MAX, "the names on the x axis")?;
            names.push(name);
        }
        numbers.push(place as f64);
    }
    Ok(Positions {
        numbers,
        scale: Scale::names(&names),
        first: names.first().cloned().unwrap_or_default(),
        last: names.last().cloned().unwrap_or_default(),
    })
}
