//! A row of a table by plain names. Headers of older spreadsheets become the same names.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::dates::Date;

#[derive(Debug, Default)]
pub(super) struct Row {
    fields: BTreeMap<String, String>,
}

impl Row {
    /// Nothing for what is no row.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let given = value.as_object()?;
        let fields = given
            .iter()
            .map(|(name, value)| (plain(name), text(value)))
            .filter(|(_, value)| !value.is_empty());
        Some(Self {
            fields: fields.collect(),
        })
    }

    /// The first of these that is there.
    pub(super) fn text(&self, names: &[&str]) -> Option<&str> {
        let found = names.iter().find_map(|name| self.fields.get(*name));
        found.map(String::as_str)
    }

    pub(super) fn date(&self, names: &[&str]) -> Option<Date> {
        names.iter().find_map(|name| date(self.fields.get(*name)?))
    }

    pub(super) fn fields(&self) -> &BTreeMap<String, String> {
        &self.fields
    }
}

/// `Medicine name` and `medicine_name` are the same.
fn plain(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(number) => number.to_string(),
        Value::Bool(true) => "Yes".into(),
        Value::Bool(false) => "No".into(),
        Value::Array(list) => {
            let texts = list.iter().map(text).filter(|text| !text.is_empty());
            texts.collect::<Vec<_>>().join("; ")
        }
        Value::Null | Value::Object(_) => String::new(),
    }
}

fn date(text: &str) -> Option<Date> {
    let first = text.split_whitespace().next()?;
    Date::from_day_first(first).or_else(|| Date::from_iso(first))
}

#[cfg(test)]
#[path = "row_tests.rs"]
mod tests;
