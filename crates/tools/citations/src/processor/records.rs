//! Records in the form that hayagriva reads.
//!
//! Leaves out what it cannot read or panics on, and notes it: ranges of dates, dates in words, years beyond 16 bits.

use std::collections::BTreeMap;

use hayagriva::citationberg::json;

use crate::Refusal;
use crate::csl::{Date, Field, Item, Name};
use crate::limits::{CSL_FIELD_BYTES_MAX, CSL_NAMES_MAX};
use crate::notes::Notes;

/// Fields that no style prints.
const UNPRINTED: &[Field] = &[Field::Abstract, Field::Keyword];

pub(super) fn to_record(item: &Item, notes: &mut Notes) -> Result<json::Item, Refusal> {
    let mut record = BTreeMap::new();
    let mut insert = |key: &str, value: json::Value| record.insert(key.to_owned(), value);
    insert("id", json::Value::String(item.id.clone()));
    insert("type", json::Value::String(item.csl_type.clone()));
    for &field in Field::ALL {
        if !item.has(field) || UNPRINTED.contains(&field) {
            continue;
        }
        let text = item.text(field);
        let name = format!("{}.{}", item.id, field.name());
        Refusal::check_length(&name, text.len(), CSL_FIELD_BYTES_MAX)?;
        insert(field.name(), json::Value::String(text.to_owned()));
    }
    for (key, names) in [("author", &item.authors), ("editor", &item.editors)] {
        Refusal::check_count(&format!("{}.{key}", item.id), names.len(), CSL_NAMES_MAX)?;
        if !names.is_empty() {
            insert(key, json::Value::Names(names.iter().map(to_name).collect()));
        }
    }
    for (key, date) in [("issued", &item.issued), ("accessed", &item.accessed)] {
        let Some(date) = date else { continue };
        match to_date(date) {
            Some(parts) => {
                insert(key, parts);
            }
            None => notes.add(format!(
                "{}: the date `{}` has no year that CSL styles can write; it is left out.",
                item.id,
                date.iso()
            )),
        }
        if let Date::Words(words) = date {
            notes.add(format!(
                "{}: CSL styles write only the year of the date `{words}`.",
                item.id
            ));
        }
    }
    Ok(json::Item(record))
}

fn to_name(name: &Name) -> json::NameValue {
    if !name.literal.is_empty() {
        return json::NameValue::Literal(json::LiteralName {
            literal: name.literal.clone(),
        });
    }
    let filled = |part: &str| (!part.is_empty()).then(|| part.to_owned());
    // Without a particle, hayagriva looks for one in the family name and drops it: "van der Berg" becomes "Berg".
    let whole = name.family();
    let (particle, family) = match whole.split_once(' ') {
        Some((first, rest)) => (filled(first), rest.to_owned()),
        None => (None, whole),
    };
    json::NameValue::Item(json::NameItem {
        family,
        given: filled(&name.given),
        non_dropping_particle: particle,
        dropping_particle: filled(&name.dropping),
        suffix: filled(&name.suffix),
        comma_suffix: None,
    })
}

/// One date and never two: a range makes hayagriva panic, as does a date without a year.
fn to_date(date: &Date) -> Option<json::Value> {
    let year = |year: i32| i16::try_from(year).ok();
    let parts = match date {
        Date::Year(number) => vec![year(*number)?],
        Date::Month(number, month) => vec![year(*number)?, i16::from(*month)],
        Date::Day(number, month, day) => vec![year(*number)?, i16::from(*month), i16::from(*day)],
        Date::Words(words) => vec![year_in(words)?],
    };
    Some(json::Value::Date(json::DateValue::DateParts {
        date_parts: json::VecDateRange(vec![json::VecDate(parts)]),
        literal: None,
        season: None,
        circa: false,
    }))
}

/// The first four digits in a row: 2020 in `Spring 2020`.
fn year_in(words: &str) -> Option<i16> {
    words
        .split(|letter: char| !letter.is_ascii_digit())
        .find(|digits| digits.len() == 4)
        .and_then(|digits| digits.parse().ok())
}
