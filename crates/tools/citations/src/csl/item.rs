//! One bibliographic record.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Date, Field, Kind, Name};
use crate::limits::{FIELD_BYTES_MAX, NAMES_MAX};
use crate::notes::Notes;
use crate::refusal::Refusal;

/// The tags that CSL allows inside of texts; they are removed.
const TAGS: &[&str] = &["i", "b", "em", "strong", "sub", "sup", "sc", "span"];

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) csl_type: String,
    pub(crate) authors: Vec<Name>,
    pub(crate) editors: Vec<Name>,
    pub(crate) issued: Option<Date>,
    pub(crate) accessed: Option<Date>,
    fields: BTreeMap<Field, String>,
}

impl Item {
    pub(crate) fn new(id: impl Into<String>, csl_type: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            csl_type: csl_type.into(),
            ..Self::default()
        }
    }

    /// The text of a field; empty if there is none.
    pub(crate) fn text(&self, field: Field) -> &str {
        self.fields.get(&field).map_or("", String::as_str)
    }

    pub(crate) fn has(&self, field: Field) -> bool {
        self.fields.contains_key(&field)
    }

    pub(crate) fn set(&mut self, field: Field, text: impl AsRef<str>) {
        let text = text
            .as_ref()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if text.is_empty() {
            self.fields.remove(&field);
        } else {
            self.fields.insert(field, text);
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        Kind::from_item(self)
    }

    pub(crate) fn from_csl(value: &Value, at: usize, notes: &mut Notes) -> Result<Self, Refusal> {
        let path = format!("items[{at}]");
        let Value::Object(object) = value else {
            return Err(Refusal::unusable(path, value, "give a CSL-JSON object"));
        };
        let id = object.get("id").and_then(to_text).unwrap_or_else(|| {
            let id = format!("item-{}", at + 1);
            notes.add(format!("{path} has no `id`; it is given the id `{id}`."));
            id
        });
        let csl_type = object.get("type").and_then(to_text).unwrap_or_default();
        if !Kind::is_known_type(&csl_type) {
            notes.add(format!(
                "{id}: the type `{csl_type}` is unknown; it is written as a web page if it has a `URL`, else as a report."
            ));
        }
        let mut item = Self::new(id, csl_type);
        for &field in Field::ALL {
            let Some(value) = object.get(field.name()) else {
                continue;
            };
            let first = value
                .as_array()
                .and_then(|all| all.first())
                .unwrap_or(value);
            match to_text(first) {
                Some(text) => {
                    let name = format!("{path}.{}", field.name());
                    Refusal::check_length(&name, text.len(), FIELD_BYTES_MAX)?;
                    item.set(field, without_tags(&text));
                }
                None if value.is_null() || value.as_array().is_some_and(Vec::is_empty) => {}
                None => notes.add(format!(
                    "{}: `{}` is not a text; it is left out.",
                    item.id,
                    field.name()
                )),
            }
        }
        let doi = bare_doi(item.text(Field::Doi)).to_owned();
        item.set(Field::Doi, doi);
        if !item.has(Field::ContainerShort)
            && let Some(short) = object.get("journalAbbreviation").and_then(to_text)
        {
            item.set(Field::ContainerShort, short);
        }
        item.authors = names(object, "author", &path)?;
        if item.authors.is_empty() {
            item.authors = names(object, "inventor", &path)?;
        }
        item.editors = names(object, "editor", &path)?;
        item.issued = object.get("issued").and_then(Date::from_csl);
        item.accessed = object.get("accessed").and_then(Date::from_csl);
        if object
            .get("issued")
            .is_some_and(|date| date["date-parts"][1].is_array())
        {
            notes.add(format!(
                "{}: of the range of dates, only the first is used.",
                item.id
            ));
        }
        Ok(item)
    }

    pub(crate) fn to_csl(&self) -> Value {
        let mut object = Map::new();
        object.insert("id".to_owned(), self.id.as_str().into());
        object.insert("type".to_owned(), self.csl_type.as_str().into());
        for (key, names) in [("author", &self.authors), ("editor", &self.editors)] {
            if !names.is_empty() {
                object.insert(key.to_owned(), names.iter().map(Name::to_csl).collect());
            }
        }
        for (key, date) in [("issued", &self.issued), ("accessed", &self.accessed)] {
            if let Some(date) = date {
                object.insert(key.to_owned(), date.to_csl());
            }
        }
        for (field, text) in &self.fields {
            object.insert(field.name().to_owned(), text.as_str().into());
        }
        Value::Object(object)
    }

    /// Fills empty fields from another record of the same work.
    pub(crate) fn fill_from(&mut self, other: &Self) {
        for (field, text) in &other.fields {
            self.fields.entry(*field).or_insert_with(|| text.clone());
        }
        if self.authors.is_empty() {
            self.authors.clone_from(&other.authors);
        }
        if self.editors.is_empty() {
            self.editors.clone_from(&other.editors);
        }
        if self.issued.is_none() {
            self.issued.clone_from(&other.issued);
        }
        if self.accessed.is_none() {
            self.accessed.clone_from(&other.accessed);
        }
    }
}

fn to_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn names(object: &Map<String, Value>, key: &str, path: &str) -> Result<Vec<Name>, Refusal> {
    let Some(Value::Array(list)) = object.get(key) else {
        return Ok(Vec::new());
    };
    Refusal::check_count(&format!("{path}.{key}"), list.len(), NAMES_MAX)?;
    Ok(list.iter().filter_map(Name::from_csl).collect())
}

/// A DOI without `https://doi.org/` or `doi:`.
pub(crate) fn bare_doi(doi: &str) -> &str {
    let doi = doi.trim();
    const PREFIXES: &[&str] = &[
        "https://doi.org/",
        "http://doi.org/",
        "https://dx.doi.org/",
        "http://dx.doi.org/",
        "doi.org/",
    ];
    for prefix in PREFIXES {
        if let Some(bare) = doi.strip_prefix(prefix) {
            return bare;
        }
    }
    match doi.get(..4) {
        Some(word) if word.eq_ignore_ascii_case("doi:") => doi[4..].trim_start(),
        _ => doi,
    }
}

fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        plain.push_str(&rest[..start]);
        let after = &rest[start + 1..];
        let end = after.find('>');
        match end.filter(|&end| is_removed_tag(&after[..end])) {
            Some(end) => rest = &after[end + 1..],
            None => {
                plain.push('<');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn is_removed_tag(tag: &str) -> bool {
    let name = tag.strip_prefix('/').unwrap_or(tag);
    let name = name.split_whitespace().next().unwrap_or(name);
    TAGS.contains(&name)
}
