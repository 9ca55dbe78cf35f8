//! JSON and JSON lines: every leaf as a line `path: value`, one part for each record.
//!
//! Values stand as they are written (`1.10` stays `1.10`), in the file's order.

use std::fmt;

use adjutant_knowledge_index::{Document, DocumentKind, Form};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::writing::{About, Writing, squeeze};
use crate::{Limits, ReadFailure};

const NESTING_MAX: usize = 64;
/// A record longer than this is cut into several parts, between two of its lines.
const PART_BYTES_MAX: usize = 16 * 1024;

/// Whether a text is one JSON object or array, or several; numbers and words alone are text.
pub(super) fn is_whole(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with(['{', '['])
        && serde_json::Deserializer::from_str(text)
            .into_iter::<&RawValue>()
            .all(|value| value.is_ok_and(|value| value.get().starts_with(['{', '['])))
}

pub(super) fn read(text: &str, limits: &Limits) -> Result<Document, ReadFailure> {
    let mut writing = Writing::new(limits);
    put(&mut writing, text)?;
    writing.finish(DocumentKind::Json, About::default())
}

pub(super) fn put(writing: &mut Writing, text: &str) -> Result<(), ReadFailure> {
    let mut values = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        values.push(value.map_err(broken)?);
    }
    match values.as_slice() {
        [one] => put_top(writing, one.get()),
        many => {
            for value in many {
                put_record(writing, "", value.get())?;
            }
            Ok(())
        }
    }
}

/// The outermost object or array: each record in it is a part.
fn put_top(writing: &mut Writing, text: &str) -> Result<(), ReadFailure> {
    match value_of(text)? {
        Value::Leaf => put_record(writing, "", text),
        Value::Array(items) => {
            for item in items {
                put_record(writing, "", item.get())?;
            }
            Ok(())
        }
        Value::Object(fields) => {
            let mut plain = Lines::default();
            for (key, value) in fields {
                match value_of(value.get())? {
                    Value::Leaf => plain.leaf(&key, value.get())?,
                    Value::Object(_) => {
                        plain.flush(writing)?;
                        put_record(writing, &key, value.get())?;
                    }
                    Value::Array(items) => {
                        plain.flush(writing)?;
                        put_items(writing, &key, &items)?;
                    }
                }
            }
            plain.flush(writing)
        }
    }
}

/// An array of records is a part for each; an array of plain values is one.
fn put_items(writing: &mut Writing, key: &str, items: &[&RawValue]) -> Result<(), ReadFailure> {
    let mut plain = Lines::default();
    for (place, item) in items.iter().enumerate() {
        let path = format!("{key}[{place}]");
        match value_of(item.get())? {
            Value::Leaf => {
                plain.leaf(&path, item.get())?;
                plain.flush_if_long(writing)?;
            }
            Value::Array(_) | Value::Object(_) => {
                plain.flush(writing)?;
                put_record(writing, &path, item.get())?;
            }
        }
    }
    plain.flush(writing)
}

fn put_record(writing: &mut Writing, path: &str, text: &str) -> Result<(), ReadFailure> {
    let mut lines = Lines::default();
    put_value(writing, &mut lines, path, text, 0)?;
    lines.flush(writing)
}

fn put_value(
    writing: &mut Writing,
    lines: &mut Lines,
    path: &str,
    text: &str,
    depth: usize,
) -> Result<(), ReadFailure> {
    if depth > NESTING_MAX {
        return Err(ReadFailure::too_much(format!(
            "values nested deeper than {NESTING_MAX}"
        )));
    }
    lines.flush_if_long(writing)?;
    match value_of(text)? {
        Value::Leaf => lines.leaf(path, text),
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                let path = format!("{path}[{place}]");
                put_value(writing, lines, &path, item.get(), depth + 1)?;
            }
            Ok(())
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = if path.is_empty() {
                    key
                } else {
                    format!("{path}.{key}")
                };
                put_value(writing, lines, &path, value.get(), depth + 1)?;
            }
            Ok(())
        }
    }
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn leaf(&mut self, path: &str, text: &str) -> Result<(), ReadFailure> {
        let text = text.trim();
        let value = if text.starts_with('"') {
            serde_json::from_str::<String>(text).map_err(broken)?
        } else {
            text.to_owned()
        };
        if value.is_empty() || value == "null" {
            return Ok(());
        }
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        if !path.is_empty() {
            self.0.push_str(&squeeze(path));
            self.0.push_str(": ");
        }
        self.0.push_str(&value);
        Ok(())
    }

    fn flush_if_long(&mut self, writing: &mut Writing) -> Result<(), ReadFailure> {
        if self.0.len() > PART_BYTES_MAX {
            self.flush(writing)?;
        }
        Ok(())
    }

    fn flush(&mut self, writing: &mut Writing) -> Result<(), ReadFailure> {
        writing.put(Form::Paragraph, &self.0)?;
        self.0.clear();
        Ok(())
    }
}

/// One level of a value. What is inside stays unread text, so no depth of nesting costs stack here.
enum Value<'a> {
    Leaf,
    Array(Vec<&'a RawValue>),
    Object(Vec<(String, &'a RawValue)>),
}

fn value_of(text: &str) -> Result<Value<'_>, ReadFailure> {
    if !text.trim_start().starts_with(['{', '[']) {
        return Ok(Value::Leaf);
    }
    serde_json::from_str(text).map_err(broken)
}

impl<'de: 'a, 'a> Deserialize<'de> for Value<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneLevel)
    }
}

struct OneLevel;

impl<'de> Visitor<'de> for OneLevel {
    type Value = Value<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object or an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(field) = fields.next_entry()? {
            all.push(field);
        }
        Ok(Value::Object(all))
    }
}

fn broken(error: serde_json::Error) -> ReadFailure {
    ReadFailure::broken(error.to_string())
}
