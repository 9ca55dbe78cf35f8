//! RIS, read.

use super::names::parted;
use super::reading::Reading;
use super::ris::{FIELDS, TYPES};
use crate::csl::{Date, Field, Item, Name, bare_doi};
use crate::limits::FIELD_BYTES_MAX;

/// Further tags that other programs write.
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
    let mut open: Option<Open> = None;
    let text = text.trim_start_matches('\u{feff}');
    for (line, content) in (1_usize..).zip(text.lines()) {
        if content.trim().is_empty() {
            continue;
        }
        let Some((tag, value)) = tagged(content) else {
            let carried = open
                .as_mut()
                .is_some_and(|record| record.carry_on(content.trim()));
            if !carried {
                reading.unread(line, content, "no tag at the beginning of the line");
            }
            continue;
        };
        match (tag, open.as_mut()) {
            ("TY", _) => {
                if let Some(record) = open.take() {
                    reading.unread(line, content, "the record before has no `ER`");
                    reading.items.push(record.finish());
                }
                open = Some(Open::new(value, line, &mut reading));
            }
            ("ER", Some(_)) => reading.items.extend(open.take().map(Open::finish)),
            (_, Some(record)) => record.take(tag, value, line, &mut reading),
            (_, None) => reading.unread(line, content, "no `TY` before it"),
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

/// `AU  - Berg, Jan`; some programs leave out a blank or the last one.
fn tagged(line: &str) -> Option<(&str, &str)> {
    let tag = line.get(..2)?;
    let fits = tag
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let rest = line.get(2..)?.trim_start().strip_prefix('-')?;
    (fits && line.as_bytes().get(2) == Some(&b' ')).then_some((tag, rest.trim()))
}

struct Open {
    item: Item,
    from: String,
    to: String,
    year: String,
    last: Option<Field>,
}

impl Open {
    fn new(kind: &str, line: usize, reading: &mut Reading) -> Self {
        let id = format!("line-{line}");
        let mut all = TYPES
            .iter()
            .map(|(csl, tag)| (*tag, *csl))
            .chain(OTHER_TYPES.iter().copied());
        let csl = all.find(|(tag, _)| *tag == kind).map(|(_, csl)| csl);
        if csl.is_none() {
            reading.unread(line, kind, "an unknown type, read as `document`");
        }
        Self {
            item: Item::new(id, csl.unwrap_or("document")),
            from: String::new(),
            to: String::new(),
            year: String::new(),
            last: None,
        }
    }

    fn take(&mut self, tag: &str, value: &str, line: usize, reading: &mut Reading) {
        if value.is_empty() {
            return;
        }
        self.last = None;
        match tag {
            "ID" => self.item.id = value.to_owned(),
            "AU" | "A1" => self.item.authors.push(name(value)),
            "ED" | "A2" | "A3" => self.item.editors.push(name(value)),
            "PY" | "Y1" => self.year = value.to_owned(),
            "DA" => self.item.issued = date(value),
            "Y2" => self.item.accessed = date(value),
            "SP" => self.from = value.to_owned(),
            "EP" => self.to = value.to_owned(),
            "DO" => self.item.set(Field::Doi, bare_doi(value)),
            "SN" => self.item.set(serial_number(value), value),
            _ => self.field(tag, value, line, reading),
        }
    }

    fn field(&mut self, tag: &str, value: &str, line: usize, reading: &mut Reading) {
        let mut all = FIELDS
            .iter()
            .map(|(field, tag)| (*tag, *field))
            .chain(OTHER_FIELDS.iter().copied());
        let Some((_, field)) = all.find(|(name, _)| *name == tag) else {
            reading.unread(line, &format!("{tag}  - {value}"), "this tag is not used");
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
                format!("`{}` is known already", field.name()),
            ),
        }
        self.last = Some(field);
    }

    /// A long text may go on in the next line.
    fn carry_on(&mut self, more: &str) -> bool {
        let Some(field) = self.last else {
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
        let page = if self.to.is_empty() {
            self.from
        } else {
            format!("{}-{}", self.from, self.to)
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
        return parted(value);
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
