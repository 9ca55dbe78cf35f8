//! What all searches have in common: how many records, in which time, and how a schema says so.

use serde_json::{Map, Value, json};

use crate::LookupError;
use crate::dates::Date;

pub(crate) const MOST: u32 = 20;
pub(crate) const MOST_MAX: u32 = 200;
pub(crate) const TEXT_CHARS_MAX: usize = 2_000;
pub(crate) const LIST_MAX: usize = 50;

pub(crate) fn most() -> u32 {
    MOST
}

/// How many records are wanted, or why that many cannot be.
pub(crate) fn check_most(most: u32) -> Result<usize, LookupError> {
    if !(1..=MOST_MAX).contains(&most) {
        return Err(LookupError::InvalidSearch(format!(
            "most is {most}; it must be between 1 and {MOST_MAX}"
        )));
    }
    Ok(most as usize)
}

/// No longer than a query may be, without control characters.
pub(crate) fn check_text(field: &str, text: &str) -> Result<(), LookupError> {
    if text.chars().count() > TEXT_CHARS_MAX {
        return Err(LookupError::InvalidSearch(format!(
            "{field} is longer than {TEXT_CHARS_MAX} characters"
        )));
    }
    if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
        return Err(LookupError::InvalidSearch(format!(
            "{field} contains a control character"
        )));
    }
    Ok(())
}

pub(crate) fn check_list(field: &str, texts: &[String], max: usize) -> Result<(), LookupError> {
    if texts.len() > max {
        return Err(LookupError::InvalidSearch(format!(
            "{field} has {} entries; the limit is {max}",
            texts.len()
        )));
    }
    texts.iter().try_for_each(|text| check_text(field, text))
}

/// A date from a search, or which field is wrong.
pub(crate) fn date(field: &str, text: Option<&str>) -> Result<Option<Date>, LookupError> {
    let Some(text) = text else { return Ok(None) };
    match Date::from_iso(text) {
        Some(date) => Ok(Some(date)),
        None => Err(LookupError::InvalidSearch(format!(
            "{field} is `{text}`; it must be a year, a month or a day, such as 2024, 2024-05 or 2024-05-17"
        ))),
    }
}

/// Both ends of a range, in their order.
pub(crate) fn range(
    (from_field, from): (&str, Option<&str>),
    (to_field, to): (&str, Option<&str>),
) -> Result<(Option<Date>, Option<Date>), LookupError> {
    let (from, to) = (date(from_field, from)?, date(to_field, to)?);
    if let (Some(from), Some(to)) = (from, to)
        && from.first_day() > to.last_day()
    {
        return Err(LookupError::InvalidSearch(format!(
            "{from_field} is later than {to_field}"
        )));
    }
    Ok((from, to))
}

pub(crate) fn text_schema(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": TEXT_CHARS_MAX, "description": description })
}

pub(crate) fn list_schema(description: &str, max: usize) -> Value {
    json!({
        "type": "array",
        "items": { "type": "string", "minLength": 1, "maxLength": TEXT_CHARS_MAX },
        "maxItems": max,
        "description": description
    })
}

pub(crate) fn date_schema(description: &str) -> Value {
    json!({ "type": "string", "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$", "description": description })
}

pub(crate) fn choice_schema(words: &[&str], description: &str) -> Value {
    json!({ "enum": words, "description": description })
}

pub(crate) fn choices_schema(words: &[&str], description: &str) -> Value {
    json!({ "type": "array", "items": { "enum": words }, "uniqueItems": true, "description": description })
}

/// A search that needs at least one of these fields: without any of them it says nothing of what is wanted.
pub(crate) fn needs_one_of(mut schema: Value, fields: &[&str]) -> Value {
    let alternatives = fields.iter().map(|field| json!({ "required": [field] }));
    schema["anyOf"] = alternatives.collect();
    schema
}

/// An object of these fields and of `most`, none of them required.
pub(crate) fn object_schema(description: &str, fields: Vec<(&str, Value)>) -> Value {
    let mut properties = Map::new();
    for (name, schema) in fields {
        properties.insert(name.to_owned(), schema);
    }
    let most = json!({
        "type": "integer", "minimum": 1, "maximum": MOST_MAX, "default": MOST,
        "description": "the maximum number of records"
    });
    properties.insert("most".to_owned(), most);
    json!({
        "type": "object",
        "additionalProperties": false,
        "description": description,
        "properties": properties
    })
}

/// The schema and the search's own check must agree: each argument that the schema names is enough by itself, and all others
/// together are not. `samples` has a value for every argument.
#[cfg(test)]
pub(crate) fn check_agrees<Search: serde::de::DeserializeOwned>(
    schema: &Value,
    samples: &Value,
    passes: impl Fn(Search) -> bool,
) {
    let alternatives = schema["anyOf"].as_array().unwrap();
    let names: Vec<&str> = alternatives
        .iter()
        .filter_map(|one| one["required"][0].as_str())
        .collect();
    let required: Vec<&str> = match schema["required"].as_array() {
        Some(required) => required.iter().filter_map(Value::as_str).collect(),
        None => Vec::new(),
    };
    let call = |with: &dyn Fn(&str) -> bool| {
        let wanted = samples
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| with(name));
        Value::Object(
            wanted
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        )
    };
    for name in &names {
        let one = call(&|other| other == *name || required.contains(&other));
        assert!(
            passes(serde_json::from_value(one.clone()).unwrap()),
            "{one}"
        );
    }
    let others = call(&|other| !names.contains(&other));
    assert!(
        !passes(serde_json::from_value(others.clone()).unwrap()),
        "{others}"
    );
}
