//! Reads RIS.

use super::names::parse_name;
use super::reading::Reading;
use super::ris::{FIELDS, TYPES};
use crate::csl::{Date, Field, Item, Name, bare_doi};
use crate::limits::FIELD_BYTES_MAX;

/// Tags that other programs write.
const OTHER_FIELDS: &[(&str, Field)] = &[
    ("T1", Field::Title),
    ("JO", Field::Container),
    ("JF", Field::Container),
    ("BT", Field::Container),
    ("JA", Field::ContainerShort),
    ("PP", Field::Place),
    ("N2", Field::Abstract),
];
const OTHER_TYPES: &[(&str, &str)] = &[
    ("CONF", "paper-conference"),
    ("EJOUR", "article-journal"),
    ("JFULL", "article-journal"),
    ("INPR", "article-journal"),
    ("EBOOK", "book"),
    ("EDBOOK", "book"),
    ("ECHAP", "chapter"),
    ("WEB", "webpage"),
    ("GOVDOC", "report"),
    ("DBASE", "dataset"),
    ("AGGR", "dataset"),
];

pub(crate) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    let mut open: Option<OpenRecord> = None;
    let text = text.trim_start_matches('\u{feff}');
    for (line, content) in (1_usize..).zip(text.lines()) {
        if content.trim().is_empty() {
            continue;
        }
        let Some((tag, value)) = split_tag(content) else {
            let continued = open
                .as_mut()
                .is_some_and(|record| record.continue_field(content.trim()));
            if !continued {
                reading.unread(line, content, "the line does not start with a tag");
            }
            continue;
        };
        match (tag, open.as_mut()) {
            ("TY", _) => {
                if let Some(record) = open.take() {
                    reading.unread(line, content, "the record before it has no `ER`");
                    reading.items.push(record.finish());
                }
                open = Some(OpenRecord::new(value, line, &mut reading));
            }
            ("ER", Some(_)) => reading.items.extend(open.take().map(OpenRecord::finish)),
            (_, Some(record)) => record.add_tag(tag, value, line, &mut reading),
            (_, None) => reading.unread(line, content, "no `TY` precedes it"),
        }
    }
    if let Some(record) = open {
        reading
            .notes
            .add(format!("{}: the last record has no `ER`.", record.item.id));
        reading.items.push(record.finish());
    }
    reading.finish()
}

/// `AU  - Berg, Jan`; some programs leave out a space.
fn split_tag(line: &str) -> Option<(&str, &str)> {
    let tag = line.get(..2)?;
    let fits = tag
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let rest = line.get(2..)?.trim_start().strip_prefix('-')?;
    (fits && line.as_bytes().get(2) == Some(&b' ')).then_some((tag, rest.trim()))
}

struct OpenRecord {
    item: Item,
    first_page: String,
    last_page: String,
    year: String,
    last_field: Option<Field>,
}

impl OpenRecord {
    fn new(kind: &str, line: usize, reading: &mut Reading) -> Self {
        let id = format!("line-{line}");
        let mut all = TYPES
            .iter()
            .map(|(csl, tag)| (*tag, *csl))
            .chain(OTHER_TYPES.iter().copied());
        let csl = all.find(|(tag, _)| *tag == kind).map(|(_, csl)| csl);
        if csl.is_none() {
            reading.unread(line, kind, "unknown type; read as `document`");
        }
        Self {
            item: Item::new(id, csl.unwrap_or("document")),
            first_page: String::new(),
            last_page: String::new(),
            year: String::new(),
            last_field: None,
        }
    }

    fn add_tag(&mut self, tag: &str, value: &str, line: usize, reading: &mut Reading) {
        if value.is_empty() {
            return;
        }
        self.last_field = None;
        match tag {
            "ID" => self.item.id = value.to_owned(),
            "AU" | "A1" => self.item.authors.push(name(value)),
            "ED" | "A2" | "A3" => self.item.editors.push(name(value)),
            "PY" | "Y1" => self.year = value.to_owned(),
            "DA" => self.item.issued = date(value),
            "Y2" => self.item.accessed = date(value),
            "SP" => self.first_page = value.to_owned(),
            "EP" => self.last_page = value.to_owned(),
            "DO" => self.item.set(Field::Doi, bare_doi(value)),
            "SN" => self.item.set(serial_number(value), value),
            _ => self.add_field(tag, value, line, reading),
        }
    }

    fn add_field(&mut self, tag: &str, value: &str, line: usize, reading: &mut Reading) {
        let mut all = FIELDS
            .iter()
            .map(|(field, tag)| (*tag, *field))
            .chain(OTHER_FIELDS.iter().copied());
        let Some((_, field)) = all.find(|(name, _)| *name == tag) else {
            reading.unread(
                line,
                &format!("{tag}  - {value}"),
                "this tag is not supported",
            );
            return;
        };
        match (self.item.has(field), field) {
            (false, _) => self.item.set(field, value),
            (true, Field::Keyword) if self.item.text(field).len() < FIELD_BYTES_MAX => {
                let all = format!("{}, {value}", self.item.text(field));
                self.item.set(field, all);
            }
            (true, _) if self.item.text(field) == value => {}
            (true, _) => reading.unread(
                line,
                &format!("{tag}  - {value}"),
                format!("`{}` already has a value", field.name()),
            ),
        }
        self.last_field = Some(field);
    }

    /// Appends a line without a tag to the field before it.
    fn continue_field(&mut self, more: &str) -> bool {
        let Some(field) = self.last_field else {
            return false;
        };
        if self.item.text(field).len() + more.len() > FIELD_BYTES_MAX {
            return false;
        }
        let text = format!("{} {more}", self.item.text(field));
        self.item.set(field, text);
        true
    }

    fn finish(mut self) -> Item {
        let page = if self.last_page.is_empty() {
            self.first_page
        } else {
            format!("{}-{}", self.first_page, self.last_page)
        };
        self.item.set(Field::Page, page);
        if self.item.issued.is_none() {
            self.item.issued = date(&self.year);
        }
        self.item
    }
}

fn name(value: &str) -> Name {
    if value.contains(',') {
        return parse_name(value);
    }
    Name::literal(value)
}

/// `2024/05/17/`, or words.
fn date(value: &str) -> Option<Date> {
    Date::from_text(value.trim_end_matches('/'))
}

fn serial_number(value: &str) -> Field {
    let digits = value
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric())
        .count();
    if digits == 8 {
        Field::Issn
    } else {
        Field::Isbn
    }
}
