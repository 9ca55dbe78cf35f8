//! `calc`: arithmetic on exact decimals, so that sums of money come out right. No comparison, no logic:
//! gates have rules for that.

mod expression;

use std::collections::BTreeMap;

use adjutant_mission::{EffectClass, Millis, Provenance};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};
use expression::{EXPRESSION_BYTES_MAX, Operand};

const VALUES_MAX: usize = 1_000;

pub(super) struct Calc {
    manifest: Manifest,
}

#[derive(Deserialize)]
struct Arguments {
    expression: String,
    #[serde(default)]
    values: BTreeMap<String, Value>,
}

impl Calc {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let number = json!({ "type": ["number", "string"] });
        let manifest = ToolOutline {
            id: "calc",
            name: "Calculate",
            description: "Exact decimal arithmetic: + - * / % ^ and parentheses; min, max, sum, avg, round(x, places), \
                          abs, floor, ceil, sqrt. Names refer to `values`; min, max, sum and avg accept a list. \
                          `text` is exact; `value` is the same as a JSON number.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["expression"],
                "properties": {
                    "expression": { "type": "string", "minLength": 1, "maxLength": EXPRESSION_BYTES_MAX },
                    "values": {
                        "type": "object",
                        "maxProperties": VALUES_MAX,
                        "additionalProperties": {
                            "type": ["number", "string", "array"],
                            "items": number
                        }
                    }
                }
            }),
            output: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["value", "text"],
                "properties": { "value": { "type": "number" }, "text": { "type": "string" } }
            })),
            time_limit: Millis::seconds(10),
            output_bytes_max: 1024,
        }
        .manifest()?;
        Ok(Self { manifest })
    }
}

impl Tool for Calc {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(std::future::ready(calculate(call.arguments)))
    }
}

fn calculate(arguments: Value) -> Result<Value, ToolFailure> {
    let Arguments { expression, values } = read(arguments)?;
    let values = values
        .into_iter()
        .map(|(name, value)| Ok((name.clone(), operand(&name, &value)?)))
        .collect::<Result<BTreeMap<_, _>, ToolFailure>>()?;
    let result = expression::evaluate(&expression, &values)
        .map_err(|error| ToolFailure::bad_input(error.to_string()))?;
    Ok(json!({ "value": number(result)?, "text": result.to_string() }))
}

fn operand(name: &str, value: &Value) -> Result<Operand, ToolFailure> {
    let decimal = |value: &Value| {
        let text = match value {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.trim().to_owned(),
            other => other.to_string(),
        };
        expression::decimal(&text).ok_or_else(|| {
            ToolFailure::bad_input(format!(
                "`values.{name}` is `{text:.40}`, which is not a decimal number of at most 28 digits"
            ))
        })
    };
    match value {
        Value::Array(items) => items
            .iter()
            .map(decimal)
            .collect::<Result<_, _>>()
            .map(Operand::List),
        single => decimal(single).map(Operand::Number),
    }
}

/// The nearest JSON number: exact for whole numbers of 64 bits and for up to 15 digits.
fn number(value: Decimal) -> Result<Number, ToolFailure> {
    let value = value.normalize();
    let text = value.to_string();
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(whole.into());
    }
    text.parse().ok().and_then(Number::from_f64).ok_or_else(|| {
        ToolFailure::permanent(format!(
            "{text} cannot be represented as a JSON number: use `text`"
        ))
    })
}
