//! The styles that this crate writes itself: entries, and APA's citations in the text.

mod ama;
mod apa;
mod apa_in_text;
mod case;
mod missing;
mod pages;
mod vancouver;

pub(crate) use ama::entry as ama_entry;
pub(crate) use apa::{entry as apa_entry, sort_key as apa_sort_key};
pub(crate) use apa_in_text::in_text_citations as apa_in_text_citations;
pub(crate) use missing::note_missing;
pub(crate) use vancouver::entry as vancouver_entry;

use crate::csl::{Field, Item, Name};
use crate::notes::Notes;

/// The title of an article in sentence case.
fn article_title(item: &Item, notes: &mut Notes) -> String {
    let title = item.text(Field::Title);
    match case::sentence(title, item.text(Field::Language)) {
        Some(sentence) => {
            notes.add(format!(
                "{}: the title was in title case and is changed to sentence case; check the names in it.",
                item.id
            ));
            sentence
        }
        None => title.to_owned(),
    }
}

/// All names, or the first `shown` and `et al` if there are more than `max`.
fn list_names(names: &[Name], max: usize, shown: usize) -> String {
    let take = if names.len() > max {
        shown
    } else {
        names.len()
    };
    let mut texts: Vec<String> = names
        .iter()
        .take(take)
        .map(Name::family_first_without_stops)
        .collect();
    if names.len() > max {
        texts.push("et al".to_owned());
    }
    texts.join(", ")
}

/// `5th ed`, or the words of the record.
fn edition(item: &Item) -> String {
    let edition = item.text(Field::Edition);
    let Ok(number) = edition.parse::<u32>() else {
        return edition.trim_end_matches('.').to_owned();
    };
    let ending = match (number % 10, number % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending} ed")
}

/// The genre, with a capital.
fn genre(item: &Item) -> String {
    let genre = item.text(Field::Genre);
    let mut letters = genre.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// `Patent US 1 B2`, with the country where the record has one.
fn patent_number(item: &Item) -> String {
    let number = item.text(Field::Number);
    let authority = item.text(Field::Authority);
    if number.is_empty() {
        return String::new();
    }
    if authority.is_empty() || authority.to_lowercase().contains("patent") {
        return format!("Patent {number}");
    }
    format!("{authority} patent {number}")
}

fn bracketed(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("[{text}]")
    }
}
