//! Fields that a record lacks for a complete entry. They are noted, never filled in.

use crate::csl::{Field, Item, Kind};
use crate::notes::Notes;

pub(crate) fn note_missing(item: &Item, notes: &mut Notes) {
    let mut missing: Vec<&str> = Vec::new();
    if !item.has(Field::Title) {
        missing.push("title");
    }
    let anonymous = matches!(item.kind(), Kind::Law | Kind::Trial);
    let edited = matches!(item.kind(), Kind::Book | Kind::Report) && !item.editors.is_empty();
    if item.authors.is_empty() && !anonymous && !edited {
        missing.push("author");
    }
    if item.issued.is_none() {
        missing.push("issued");
    }
    for field in required_fields(item) {
        if !item.has(*field) {
            missing.push(field.name());
        }
    }
    if missing.is_empty() {
        return;
    }
    let named: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    notes.add(format!("{}: {} missing.", item.id, named.join(", ")));
}

fn required_fields(item: &Item) -> &'static [Field] {
    match item.kind() {
        Kind::Journal if ahead_of_print(item) => &[Field::Container],
        Kind::Journal if item.has(Field::Page) || item.has(Field::Number) => {
            &[Field::Container, Field::Volume]
        }
        Kind::Journal => &[Field::Container, Field::Volume, Field::Page],
        Kind::Magazine | Kind::Newspaper => &[Field::Container],
        Kind::Chapter => &[Field::Container, Field::Publisher, Field::Page],
        Kind::Conference => &[Field::Container],
        Kind::Book | Kind::Report | Kind::Thesis | Kind::Dataset => &[Field::Publisher],
        Kind::WebPage | Kind::PressRelease => &[Field::Url],
        Kind::Patent | Kind::Trial | Kind::Law => &[Field::Number],
        Kind::Preprint => &[Field::Doi],
    }
}

fn ahead_of_print(item: &Item) -> bool {
    !item.has(Field::Volume) && item.has(Field::Doi)
}
