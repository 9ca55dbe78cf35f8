//! How the styles write an entry.

mod ama;
mod apa;
mod case;
mod missing;
mod pages;
mod vancouver;

pub(crate) use ama::entry as ama_entry;
pub(crate) use apa::{
    Shown, entry as apa_entry, mention as apa_mention, sort_key as apa_sort_key, year as apa_year,
};
pub(crate) use missing::note_missing;
pub(crate) use vancouver::entry as vancouver_entry;

use crate::csl::{Field, Item, Name};
use crate::notes::Notes;

/// A title as the styles want those of articles: only the first word and names with a capital.
fn article_title(item: &Item, notes: &mut Notes) -> String {
    let title = item.text(Field::Title);
    match case::sentence(title, item.text(Field::Language)) {
        Some(sentence) => {
            notes.add(format!(
                "{}: the title was written with capitals throughout and is put into sentence case; check the names in it.",
                item.id
            ));
            sentence
        }
        None => title.to_owned(),
    }
}

/// Names up to a number, `et al` beyond it.
fn listed(names: &[Name], most: usize, shown: usize) -> String {
    let take = if names.len() > most {
        shown
    } else {
        names.len()
    };
    let mut listed: Vec<String> = names.iter().take(take).map(Name::without_stops).collect();
    if names.len() > most {
        listed.push("et al".to_owned());
    }
    listed.join(", ")
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

/// Whether the genre says something that the kind of work does not.
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
