//! `field:"words"`, `field:word`, `field:[from TO to]` and words without a field.

use serde_json::Value;

use crate::databases::query::{self, Between, Query};

pub(super) fn parse(text: &str) -> Result<Query, String> {
    query::parse(text, Between::Or).map_err(|error| format!("Invalid search syntax: {error}"))
}

pub(super) fn holds(query: &Query, record: &Value) -> bool {
    query.holds(&mut |leaf| matches(record, leaf))
}

fn matches(record: &Value, leaf: &str) -> bool {
    if leaf.starts_with('"') {
        return any_text(record, &query::words(&phrase(leaf)));
    }
    let Some((field, wanted)) = leaf.split_once(':') else {
        return any_text(record, &query::words(leaf));
    };
    if let Some(range) = wanted
        .strip_prefix('[')
        .and_then(|range| range.strip_suffix(']'))
    {
        let Some((from, to)) = range.split_once(" TO ") else {
            return false;
        };
        let (from, to) = (from.replace('-', ""), to.replace('-', ""));
        let values = values(record, field).into_iter();
        return values
            .map(|value| value.replace('-', ""))
            .any(|value| value >= from && value <= to);
    }
    let wanted = phrase(wanted);
    if let Some(field) = field.strip_suffix(".exact") {
        return values(record, field).iter().any(|value| *value == wanted);
    }
    let wanted = query::words(&wanted);
    let found = values(record, field);
    found
        .iter()
        .any(|value| query::has_phrase(&query::words(value), &wanted))
}

/// Without its quotes and the signs that protect others.
fn phrase(text: &str) -> String {
    let inner = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let mut plain = String::new();
    let mut characters = inner.unwrap_or(text).chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.extend(characters.next()),
            other => plain.push(other),
        }
    }
    plain
}

/// All texts under a path of names, through lists.
pub(super) fn values<'a>(record: &'a Value, path: &str) -> Vec<&'a str> {
    let mut at = vec![record];
    for name in path.split('.') {
        let inner = at
            .into_iter()
            .flat_map(entries)
            .filter_map(|value| value.get(name));
        at = inner.collect();
    }
    at.into_iter()
        .flat_map(entries)
        .filter_map(Value::as_str)
        .collect()
}

fn entries(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(list) => list.iter().collect(),
        other => vec![other],
    }
}

fn any_text(value: &Value, wanted: &[String]) -> bool {
    match value {
        Value::String(text) => query::has_phrase(&query::words(text), wanted),
        Value::Array(list) => list.iter().any(|entry| any_text(entry, wanted)),
        Value::Object(map) => map.values().any(|entry| any_text(entry, wanted)),
        _ => false,
    }
}
