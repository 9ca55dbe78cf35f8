//! Reading text: sentences with their places, words with their stems, numbers with their units, dates.

mod dates;
mod numbers;
mod sentences;
mod statement;
mod stems;
mod words;

pub(crate) use adjutant_text::dates::Date;
pub(crate) use adjutant_text::lines::one_line;
pub(crate) use dates::{dates_in, parse_date, precision};
pub(crate) use numbers::{Quantity, number, quantities};
pub use sentences::sentences;
pub(crate) use statement::{after_label, is_clause, states};
pub(crate) use stems::{Stems, is_stop_word};
pub(crate) use words::{Word, words};

/// Two decimals, between 0 and 1: more would pretend to an exactness that is not there.
pub(crate) fn confidence(value: f64) -> f64 {
    if value.is_finite() {
        // Adding nothing turns a negative zero into a plain one.
        (value.clamp(0.0, 1.0) * 100.0).round() / 100.0 + 0.0
    } else {
        0.0
    }
}

/// A text in one line of so many characters at most, cut at a word's end.
pub(crate) fn clipped(text: &str, chars_max: usize) -> String {
    let line = one_line(text);
    let Some((end, _)) = line.char_indices().nth(chars_max) else {
        return line;
    };
    let room = line[..end]
        .char_indices()
        .next_back()
        .map_or(0, |(at, _)| at);
    let head = &line[..room];
    let cut = head.rfind(' ').unwrap_or(room);
    format!("{}…", head[..cut].trim_end())
}

/// The same for what is stated: a number that would be cut in two is left out.
pub(crate) fn clipped_statement(text: &str, chars_max: usize) -> String {
    let clipped = clipped(text, chars_max);
    match clipped.strip_suffix('…') {
        Some(head) if !one_line(text).ends_with('…') => {
            let of_number = |char: char| char.is_ascii_digit() || ".,".contains(char);
            format!("{}…", head.trim_end_matches(of_number).trim_end())
        }
        _ => clipped,
    }
}

/// With a capital at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
