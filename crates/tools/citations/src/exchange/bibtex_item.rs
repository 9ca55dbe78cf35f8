//! A BibTeX entry as a bibliographic record.

use super::bibtex_read::RawEntry;
use super::bibtex_write::{FIELDS, TYPES, is_article};
use super::latex::decode;
use super::names::{leading_small_words, trailing_small_words};
use super::reading::Reading;
use crate::csl::{Date, Field, Item, Kind, MONTHS_SHORT, Name, bare_doi};
use crate::notes::Notes;

/// Types that other programs write.
const OTHER_TYPES: &[(&str, &str)] = &[
    ("inbook", "chapter"),
    ("conference", "paper-conference"),
    ("proceedings", "book"),
    ("booklet", "pamphlet"),
    ("mastersthesis", "thesis"),
    ("thesis", "thesis"),
    ("report", "report"),
    ("manual", "report"),
    ("electronic", "webpage"),
    ("www", "webpage"),
    ("unpublished", "manuscript"),
];

const OTHER_FIELDS: &[(&str, Field)] = &[
    ("journal", Field::Container),
    ("journaltitle", Field::Container),
    ("booktitle", Field::Container),
    ("publisher", Field::Publisher),
    ("school", Field::Publisher),
    ("institution", Field::Publisher),
    ("organization", Field::Publisher),
    ("location", Field::Place),
    ("eid", Field::Number),
    ("issue", Field::Issue),
    ("langid", Field::Language),
];

/// Fields that are read elsewhere.
const READ_ELSEWHERE: &[&str] = &[
    "author",
    "editor",
    "year",
    "month",
    "day",
    "date",
    "urldate",
    "pages",
    "doi",
    "url",
    "number",
    "entrysubtype",
    "howpublished",
];

pub(super) fn item(raw: &RawEntry, line: usize, reading: &mut Reading) -> Item {
    let notes = &mut reading.notes;
    let key = if raw.key.is_empty() {
        format!("line-{line}")
    } else {
        raw.key.clone()
    };
    let mut item = Item::new(key, csl_type(raw, notes));
    let get = |name: &str| raw.fields.get(name).map_or("", String::as_str);
    for (name, value) in &raw.fields {
        let named = FIELDS
            .iter()
            .find(|(_, field)| field == name)
            .map(|(field, _)| *field);
        let other = OTHER_FIELDS
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, field)| *field);
        match named.or(other) {
            Some(field) if !item.has(field) => item.set(field, decode(value, notes)),
            Some(_) => notes.add(format!(
                "{}: `{name}` repeats another field and is left out.",
                item.id
            )),
            None if READ_ELSEWHERE.contains(&name.as_str()) => {}
            None => notes.add(format!(
                "{}: the BibTeX field `{name}` is left out.",
                item.id
            )),
        }
    }
    let number = if is_article(&raw.kind) && !item.has(Field::Issue) {
        Field::Issue
    } else {
        Field::Number
    };
    if !get("number").is_empty() {
        item.set(number, decode(get("number"), notes));
    }
    let pages = decode(get("pages"), notes).replace(['–', '—'], "-");
    item.set(Field::Page, pages);
    item.set(Field::Doi, bare_doi(get("doi")));
    item.set(Field::Url, address(get("url")));
    let published = get("howpublished");
    if published.contains("http") && !item.has(Field::Url) {
        item.set(Field::Url, address(published));
    } else if !published.is_empty() {
        item.set(Field::Medium, decode(published, notes));
    }
    item.authors = names(get("author"), notes);
    item.editors = names(get("editor"), notes);
    item.issued = issued(get("date"), get("year"), get("month"), get("day"), notes);
    item.accessed = Date::from_text(&decode(get("urldate"), notes));
    item
}

fn csl_type(raw: &RawEntry, notes: &mut Notes) -> String {
    let subtype = raw.fields.get("entrysubtype").map_or("", String::as_str);
    if Kind::is_known_type(subtype) {
        return subtype.to_owned();
    }
    match subtype {
        "magazine" => return "article-magazine".to_owned(),
        "newspaper" => return "article-newspaper".to_owned(),
        _ => {}
    }
    let named = TYPES.iter().find(|(_, kind)| *kind == raw.kind);
    if let Some((csl, _)) = named {
        return (*csl).to_owned();
    }
    let other = OTHER_TYPES.iter().find(|(kind, _)| *kind == raw.kind);
    if other.is_none() && raw.kind != "misc" {
        notes.add(format!(
            "{}: the BibTeX type `{}` is unknown and read as `document`.",
            raw.key, raw.kind
        ));
    }
    other.map_or("document", |(_, csl)| csl).to_owned()
}

/// The address, without `\url{…}` around it.
fn address(text: &str) -> String {
    let inside = text
        .split_once("\\url{")
        .and_then(|(_, rest)| rest.split_once('}'))
        .map_or(text, |(inside, _)| inside);
    inside
        .trim_matches(['{', '}', ' ', '\n'])
        .replace("\\_", "_")
        .replace("\\%", "%")
}

fn issued(date: &str, year: &str, month: &str, day: &str, notes: &mut Notes) -> Option<Date> {
    if !date.is_empty() {
        return Date::from_text(&decode(date, notes));
    }
    let year = decode(year, notes);
    let month = decode(month, notes).trim().to_lowercase();
    let named = MONTHS_SHORT
        .iter()
        .position(|name| month.starts_with(&name.to_lowercase()))
        .and_then(|at| i64::try_from(at + 1).ok());
    let month = named.or_else(|| month.parse().ok());
    match year.trim().parse() {
        Ok(year) => Some(Date::from_parts(year, month, day.trim().parse().ok())),
        Err(_) => Date::from_text(&year),
    }
}

fn names(text: &str, notes: &mut Notes) -> Vec<Name> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut names = Vec::new();
    for part in split_outside_braces(&text, Separator::And) {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        if part == "others" {
            notes.add("`and others` in BibTeX stands for names that the file does not have.");
            continue;
        }
        names.push(name(part, notes));
    }
    names
}

fn name(text: &str, notes: &mut Notes) -> Name {
    if is_braced(text) {
        return Name::literal(&decode(text, notes));
    }
    let parts = split_outside_braces(text, Separator::Comma);
    if parts.len() == 1 {
        return given_first(text, notes);
    }
    let (family, suffix, given) = match parts.as_slice() {
        [family, given] => (*family, "", *given),
        [family, suffix, given, ..] => (*family, *suffix, *given),
        _ => (text, "", ""),
    };
    let (particle, family) = family_parts(family.trim(), notes);
    let given = given.trim();
    let plain = decode(given, notes);
    let whole =
        closing_brace(given).filter(|end| matches!(given.as_bytes().get(*end), None | Some(b' ')));
    let (given, dropping) = match whole {
        Some(end) => (decode(&given[..end], notes), decode(&given[end..], notes)),
        None => {
            let (given, dropping) = trailing_small_words(&plain);
            (given.to_owned(), dropping.to_owned())
        }
    };
    Name {
        family,
        given,
        particle,
        dropping: dropping.trim().to_owned(),
        suffix: decode(suffix.trim(), notes),
        literal: String::new(),
    }
}

/// `van den {Berg}`: the lowercase words are the particle.
fn family_parts(family: &str, notes: &mut Notes) -> (String, String) {
    if is_braced(family) {
        return (String::new(), decode(family, notes));
    }
    let (particle, rest) = leading_small_words(family);
    (decode(particle, notes), decode(rest, notes))
}

/// `Jan van den Berg`: the family name starts at the first lowercase word.
fn given_first(text: &str, notes: &mut Notes) -> Name {
    let words: Vec<&str> = text.split_whitespace().collect();
    let small = words.iter().position(|word| super::names::is_small(word));
    let start = small.unwrap_or(words.len().saturating_sub(1));
    let (given, family) = words.split_at(start);
    let (particle, family) = family_parts(&family.join(" "), notes);
    Name {
        family,
        given: decode(&given.join(" "), notes),
        particle,
        ..Name::default()
    }
}

/// Whether one pair of braces encloses the whole text.
fn is_braced(text: &str) -> bool {
    text.starts_with('{') && closing_brace(text) == Some(text.len())
}

/// The end of the braces that the text starts with.
fn closing_brace(text: &str) -> Option<usize> {
    if !text.starts_with('{') {
        return None;
    }
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[derive(Clone, Copy)]
enum Separator {
    And,
    Comma,
}

/// Splits at separators that are not inside of braces.
fn split_outside_braces(text: &str, separator: Separator) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > 0 || at < start {
            continue;
        }
        let width = match separator {
            Separator::Comma if letter == ',' => 1,
            Separator::And if letter.is_whitespace() => and_width(&text[at..]),
            _ => 0,
        };
        if width > 0 {
            parts.push(&text[start..at]);
            start = at + width;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The length of ` and` at the start; 0 if it is not there.
fn and_width(text: &str) -> usize {
    let before = text.len() - text.trim_start().len();
    let word = &text[before..];
    match word.get(..3) {
        Some(and) if and.eq_ignore_ascii_case("and") => {
            let after = &word[3..];
            let blank = after.chars().next().is_some_and(char::is_whitespace);
            if blank { before + 3 } else { 0 }
        }
        _ => 0,
    }
}
