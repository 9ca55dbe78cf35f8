//! MEDLINE records, as PubMed saves them (`.nbib`).

use super::reading::Reading;
use crate::csl::{Date, Field, Item, MONTHS_SHORT, Name};

const TAG_WIDTH: usize = 4;

/// Tags that a list of references does not need.
const NOT_NEEDED: &[&str] = &[
    "OWN", "STAT", "DCOM", "LR", "IS", "SB", "MH", "MHDA", "CRDT", "PHST", "PST", "EDAT", "OT",
    "OTO", "AD", "RN", "GR", "COIS", "DEP", "JID", "CI", "LAU", "AUID", "CIN", "CON", "EIN", "JTL",
    "SI", "PMCR", "RF", "NM", "IR", "FIR", "IRAD", "DA", "PUBM", "GS", "SO", "UOF", "UIN",
];

pub(crate) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    let mut fields: Vec<(usize, String, String)> = Vec::new();
    for (line, content) in (1_usize..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if content.trim().is_empty() {
            continue;
        }
        let tag = content.get(..TAG_WIDTH).map(str::trim).unwrap_or_default();
        let value = content
            .get(TAG_WIDTH..)
            .and_then(|rest| rest.strip_prefix('-'));
        match (tag, value) {
            ("", _) if content.starts_with(' ') => match fields.last_mut() {
                Some((_, _, value)) => {
                    value.push(' ');
                    value.push_str(content.trim());
                }
                None => reading.unread(line, content, "no tag precedes it"),
            },
            (tag, Some(value)) if is_tag(tag) => {
                if tag == "PMID" && !fields.is_empty() {
                    push_record(std::mem::take(&mut fields), &mut reading);
                }
                fields.push((line, tag.to_owned(), value.trim().to_owned()));
            }
            _ => reading.unread(line, content, "the line does not start with a tag"),
        }
    }
    if !fields.is_empty() {
        push_record(fields, &mut reading);
    }
    reading.finish()
}

fn is_tag(tag: &str) -> bool {
    !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn push_record(fields: Vec<(usize, String, String)>, reading: &mut Reading) {
    let first = fields.first().map_or(1, |(line, ..)| *line);
    let mut item = Item::new(format!("line-{first}"), "article-journal");
    let full_names = fields.iter().any(|(_, tag, _)| tag == "FAU");
    for (line, tag, value) in fields {
        match tag.as_str() {
            "PMID" => {
                item.id = format!("PMID:{value}");
                item.set(Field::Pmid, value);
            }
            "PMC" => item.set(Field::Pmcid, value),
            "TI" => item.set(Field::Title, without_stop(&value)),
            "BTI" => item.set(Field::Container, without_stop(&value)),
            "FAU" => item.authors.push(full_name(&value)),
            "AU" if !full_names => item.authors.push(short_name(&value)),
            "AU" => {}
            "CN" => item.authors.push(Name::literal(&value)),
            "FED" => item.editors.push(full_name(&value)),
            "ED" => {}
            "DP" => item.issued = date(&value),
            "JT" => item.set(Field::Container, value),
            "TA" => item.set(Field::ContainerShort, value),
            "VI" => item.set(Field::Volume, value),
            "IP" => item.set(Field::Issue, value),
            "PG" => item.set(Field::Page, value),
            "AB" => item.set(Field::Abstract, value),
            "LA" => item.set(Field::Language, language(&value)),
            "PL" => item.set(Field::Place, value),
            "PB" => item.set(Field::Publisher, value),
            "PT" => publication_type(&mut item, &value),
            "AID" | "LID" => article_id(&mut item, &value),
            tag if NOT_NEEDED.contains(&tag) => {}
            tag => reading.unread(
                line,
                &format!("{tag} - {value}"),
                "this tag is not supported",
            ),
        }
    }
    reading.items.push(item);
}

fn publication_type(item: &mut Item, value: &str) {
    match value {
        "Preprint" => item.csl_type = "article".to_owned(),
        "Books & Documents" | "Book" => item.csl_type = "book".to_owned(),
        _ => {}
    }
}

/// `10.1056/NEJMoa2007764 [doi]`.
fn article_id(item: &mut Item, value: &str) {
    if let Some(doi) = value.strip_suffix("[doi]") {
        item.set(Field::Doi, doi);
    }
}

/// PubMed adds a full stop to titles.
fn without_stop(title: &str) -> &str {
    title.strip_suffix('.').unwrap_or(title)
}

/// PubMed writes `eng` for `en`.
fn language(code: &str) -> &str {
    if code == "eng" { "en" } else { code }
}

fn full_name(value: &str) -> Name {
    if value.contains(',') {
        return super::names::parse_name(value);
    }
    Name {
        family: value.to_owned(),
        ..Name::default()
    }
}

/// `Berg JP`.
fn short_name(value: &str) -> Name {
    match value.rsplit_once(' ') {
        Some((family, initials)) => Name {
            family: family.to_owned(),
            given: initials.to_owned(),
            ..Name::default()
        },
        None => full_name(value),
    }
}

/// `2020 Nov 5`, `2020 Nov-Dec`, `2020 Spring`.
fn date(value: &str) -> Option<Date> {
    let words: Vec<&str> = value.split([' ', '-']).collect();
    let year = words.first().and_then(|year| year.parse().ok());
    let month = words
        .get(1)
        .and_then(|word| MONTHS_SHORT.iter().position(|month| month == word))
        .and_then(|at| i64::try_from(at + 1).ok());
    match (year, words.len()) {
        (Some(year), 1) => Some(Date::Year(year)),
        (Some(year), _) if month.is_some() => {
            let day = words.get(2).and_then(|day| day.parse().ok());
            Some(Date::from_parts(year, month, day))
        }
        _ => Date::from_text(value),
    }
}
