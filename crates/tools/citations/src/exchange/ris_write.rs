//! Writes RIS.

use super::ris::{FIELDS, TYPES};
use crate::Entry;
use crate::csl::{Date, Field, Item, Name};
use crate::notes::Notes;

pub(crate) fn write(items: &[Item], notes: &mut Notes) -> Vec<Entry> {
    items
        .iter()
        .map(|item| Entry {
            id: item.id.clone(),
            number: None,
            key: Some(item.id.clone()),
            text: record(item, notes),
            cited: None,
        })
        .collect()
}

fn record(item: &Item, notes: &mut Notes) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut add = |tag: &str, text: &str| {
        if !text.is_empty() {
            lines.push(format!("{tag}  - {text}"));
        }
    };
    let named = TYPES.iter().find(|(csl, _)| *csl == item.csl_type);
    if named.is_none() {
        notes.add(format!(
            "{}: RIS has no type for `{}`; `GEN` is used.",
            item.id, item.csl_type
        ));
    }
    add("TY", named.map_or("GEN", |(_, tag)| tag));
    add("ID", &item.id);
    for (tag, names) in [("AU", &item.authors), ("ED", &item.editors)] {
        for name in names {
            add(tag, &format_name(name));
            if name.literal.contains(',') {
                notes.add(format!(
                    "{}: RIS readers take `{}` for a person because of its comma.",
                    item.id, name.literal
                ));
            }
        }
    }
    if let Some(date) = &item.issued {
        if !matches!(date, Date::Words(_)) {
            add("PY", &date.year());
        }
        add("DA", &format_date(date));
    }
    for (field, tag) in FIELDS {
        add(tag, item.text(*field));
    }
    match item.text(Field::Page).split_once('-') {
        Some((from, to)) if !to.contains(['-', ',']) && !from.is_empty() && !to.is_empty() => {
            add("SP", from);
            add("EP", to);
        }
        _ => add("SP", item.text(Field::Page)),
    }
    if let Some(date) = &item.accessed {
        add("Y2", &format_date(date));
    }
    lines.push("ER  - ".to_owned());
    for field in [Field::Authority, Field::Medium, Field::Version] {
        if item.has(field) {
            notes.add(format!(
                "{}: RIS has no tag for `{}`; it is left out.",
                item.id,
                field.name()
            ));
        }
    }
    lines.join("\n")
}

/// `2024/05/17/`, as precise as it is.
fn format_date(date: &Date) -> String {
    match date {
        Date::Year(year) => format!("{year:04}///"),
        Date::Month(year, month) => format!("{year:04}/{month:02}//"),
        Date::Day(year, month, day) => format!("{year:04}/{month:02}/{day:02}/"),
        Date::Words(words) => words.clone(),
    }
}

fn format_name(name: &Name) -> String {
    if !name.literal.is_empty() {
        return name.literal.clone();
    }
    let given = crate::csl::words([name.given.as_str(), name.dropping.as_str()]);
    let family = name.family();
    if name.suffix.is_empty() {
        return format!("{family}, {given}").trim_end().to_owned();
    }
    format!("{family}, {given}, {}", name.suffix)
}
