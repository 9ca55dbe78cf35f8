//! What a calculation gives back, and the sheet on which one is worked out.

use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Number as JsonNumber, Value, json};

use crate::{Number, Refusal, maths};

/// At this many digits a quotient has most likely been cut.
const CUT_DIGITS: usize = 27;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The nearest JSON number, where the answer is a number that fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<JsonNumber>,
    /// The exact decimal, the date or the text.
    pub text: String,
    /// The number as the field it is from usually writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounded: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Further figures that belong to the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
    /// Each formula with its numbers, in order, for a person to check.
    pub steps: Vec<String>,
    /// Where the formula is from, by name and year.
    pub method: String,
    /// Doubts: outside the usual range, rounded, not for every patient.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<JsonNumber>,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// The JSON Schema of an answer.
pub fn answer_schema() -> Value {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["text", "steps", "method", "notes"],
        "properties": {
            "value": { "type": "number", "description": "The answer as the nearest JSON number." },
            "text": { "type": "string", "description": "The exact decimal, the date or the text." },
            "rounded": { "type": "string", "description": "The number as it is usually written in its field." },
            "unit": { "type": "string" },
            "parts": {
                "type": "array",
                "description": "Further figures that belong to the answer.",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["name", "text"],
                    "properties": {
                        "name": { "type": "string" },
                        "value": { "type": "number" },
                        "text": { "type": "string" },
                        "unit": { "type": "string" }
                    }
                }
            },
            "table": {
                "type": "object",
                "additionalProperties": false,
                "required": ["columns", "rows"],
                "properties": { "columns": texts, "rows": { "type": "array", "items": texts } }
            },
            "steps": texts,
            "method": { "type": "string", "description": "Where the formula is from." },
            "notes": texts
        }
    })
}

/// Where a number stops being possible, and where it stops being usual.
pub(crate) struct Range {
    pub(crate) field: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) possible: (Decimal, Decimal),
    pub(crate) usual: (Decimal, Decimal),
}

pub(crate) struct Sheet {
    method: String,
    steps: Vec<String>,
    notes: Vec<String>,
    parts: Vec<Part>,
    table: Option<Table>,
}

impl Sheet {
    pub(crate) fn new(method: impl Into<String>) -> Self {
        Self {
            method: method.into(),
            steps: Vec::new(),
            notes: Vec::new(),
            parts: Vec::new(),
            table: None,
        }
    }

    pub(crate) fn step(&mut self, step: impl Into<String>) {
        self.steps.push(step.into());
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub(crate) fn part(&mut self, name: &str, number: Number, unit: &str) -> Result<(), Refusal> {
        self.parts.push(Part {
            name: name.to_owned(),
            value: json_number(number)?,
            text: number.decimal()?.to_string(),
            unit: named(unit),
        });
        Ok(())
    }

    pub(crate) fn part_in_words(&mut self, name: &str, text: impl Into<String>) {
        self.parts.push(Part {
            name: name.to_owned(),
            value: None,
            text: text.into(),
            unit: None,
        });
    }

    pub(crate) fn table(&mut self, columns: &[&str], rows: Vec<Vec<String>>) {
        self.table = Some(Table {
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows,
        });
    }

    /// Refuses what cannot be and notes what is rare.
    pub(crate) fn check(&mut self, value: Number, range: &Range) -> Result<(), Refusal> {
        let outside = |(low, high): (Decimal, Decimal)| {
            value < Number::from(low) || value > Number::from(high)
        };
        if outside(range.possible) {
            return Err(Refusal::OutOfRange {
                field: range.field,
                value: value.to_string(),
                low: range.possible.0.to_string(),
                high: range.possible.1.to_string(),
                unit: range.unit,
            });
        }
        if outside(range.usual) {
            let (low, high) = range.usual;
            self.note(format!(
                "`{}` is {value} {}, outside the usual {low} to {high}: check it.",
                range.field, range.unit
            ));
        }
        Ok(())
    }

    pub(crate) fn number(
        mut self,
        number: Number,
        unit: &str,
        places: u32,
    ) -> Result<Answer, Refusal> {
        let decimal = number.decimal()?;
        let text = decimal.to_string();
        if text.bytes().filter(u8::is_ascii_digit).count() >= CUT_DIGITS {
            self.note("The exact decimal is infinite; it is rounded to 28 digits.");
        }
        let mut answer = self.words(text);
        answer.value = json_number(number)?;
        answer.rounded = Some(number.fixed(places));
        answer.unit = named(unit);
        Ok(answer)
    }

    /// A number that came from roots, powers or logarithms: only the digits that hold.
    pub(crate) fn irrational(
        mut self,
        number: Number,
        unit: &str,
        places: u32,
    ) -> Result<Answer, Refusal> {
        let held = maths::held(number);
        if held != number {
            self.note(format!(
                "Irrational: {} digits are given.",
                maths::HELD_DIGITS
            ));
        }
        self.number(held, unit, places)
    }

    pub(crate) fn words(self, text: impl Into<String>) -> Answer {
        Answer {
            value: None,
            text: text.into(),
            rounded: None,
            unit: None,
            parts: self.parts,
            table: self.table,
            steps: self.steps,
            method: self.method,
            notes: self.notes,
        }
    }
}

fn named(unit: &str) -> Option<String> {
    (!unit.is_empty()).then(|| unit.to_owned())
}

/// Exact for whole numbers of 64 bits and for up to 15 digits.
fn json_number(number: Number) -> Result<Option<JsonNumber>, Refusal> {
    let text = number.decimal()?.to_string();
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(Some(whole.into()));
    }
    Ok(text.parse().ok().and_then(JsonNumber::from_f64))
}
