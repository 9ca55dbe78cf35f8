//! Numbers in sentences: which there are, and whether two sentences on the same give different ones.

use std::collections::BTreeSet;

use crate::context::terms;

/// How many of the words of two sentences both must have to be on the same.
const SAME_SUBJECT_MIN: f64 = 0.7;
/// Numbers closer than this, of the larger, are not at odds.
const TOLERANCE: f64 = 0.1;
const YEARS: std::ops::RangeInclusive<f64> = 1900.0..=2100.0;

struct Figure {
    value: f64,
    /// What it counts, as far as it can be told: a sign of currency or percent, the next word.
    unit: String,
    /// It belongs to a name, as in `CAIRN-2`.
    of_name: bool,
}

/// The numbers of a text, each written one way: `1,204` and `1204` are the same, `5` and `5.0` too.
pub(crate) fn figures(text: &str) -> BTreeSet<String> {
    read(text).iter().map(written).collect()
}

/// Those that do not belong to a name.
pub(crate) fn asserted(text: &str) -> BTreeSet<String> {
    let read = read(text).into_iter().filter(|figure| !figure.of_name);
    read.map(|figure| written(&figure)).collect()
}

/// The first numbers by which two sentences on the same differ, if they give the same thing different numbers.
pub fn numbers_at_odds(one: &str, other: &str) -> Option<(String, String)> {
    let (one_read, other_read) = (counted(one), counted(other));
    if one_read.is_empty() || other_read.is_empty() || !same_subject(one, other) {
        return None;
    }
    let (one_years, other_years) = (years(one), years(other));
    let other_time =
        !one_years.is_empty() && !other_years.is_empty() && one_years.is_disjoint(&other_years);
    if other_time {
        return None;
    }
    one_read.iter().find_map(|own| {
        let same_unit: Vec<&Figure> = other_read.iter().filter(|at| at.unit == own.unit).collect();
        let agrees = same_unit.iter().any(|at| close(own.value, at.value));
        let differing = same_unit.first().filter(|_| !agrees)?;
        Some((written(own), written(differing)))
    })
}

fn counted(text: &str) -> Vec<Figure> {
    let mut read = read(text);
    read.retain(|figure| !figure.of_name && !figure.unit.is_empty());
    read
}

fn years(text: &str) -> BTreeSet<String> {
    let years = read(text)
        .into_iter()
        .filter(|figure| is_year(figure.value));
    years.map(|figure| written(&figure)).collect()
}

fn is_year(value: f64) -> bool {
    YEARS.contains(&value) && value.fract() == 0.0
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= TOLERANCE * one.abs().max(other.abs())
}

fn same_subject(one: &str, other: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let wordy = |term: &String| !term.starts_with(|char: char| char.is_ascii_digit());
        terms(text).into_iter().filter(wordy).collect()
    };
    let (one, other) = (words(one), words(other));
    let both = one.intersection(&other).count();
    let either = one.union(&other).count();
    both > 0 && both as f64 / either as f64 >= SAME_SUBJECT_MIN
}

fn written(figure: &Figure) -> String {
    figure.value.to_string()
}

fn read(text: &str) -> Vec<Figure> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(|char: char| char.is_ascii_digit()) {
        let start = from + at;
        let end = number_end(text, start);
        from = end;
        let Ok(value) = text[start..end].replace(',', "").parse::<f64>() else {
            continue;
        };
        let unit = unit(text, start, end);
        // A bare year tells when, not how many.
        let when = is_year(value) && !text[start..end].contains([',', '.']);
        found.push(Figure {
            value,
            unit: if when { String::new() } else { unit },
            of_name: of_name(&text[..start]),
        });
    }
    found
}

/// Past digits, and past points and commas between digits.
fn number_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = start;
    let mut point = false;
    while digit(end) || (matches!(bytes.get(end), Some(b'.' | b',')) && digit(end + 1)) {
        if bytes[end] == b'.' {
            if point {
                break;
            }
            point = true;
        }
        end += 1;
    }
    end
}

fn of_name(before: &str) -> bool {
    let joined = before.strip_suffix('-').unwrap_or(before);
    joined.ends_with(char::is_alphabetic)
}

fn unit(text: &str, start: usize, end: usize) -> String {
    let sign = text[..start].chars().next_back();
    if let Some(sign) = sign.filter(|sign| "$€£¥".contains(*sign)) {
        return sign.to_string();
    }
    let after = text[end..].trim_start_matches([' ', '\u{a0}', '-']);
    if after.starts_with('%') {
        return "%".to_owned();
    }
    let word: String = after.chars().take_while(|at| at.is_alphabetic()).collect();
    let small = word.to_lowercase();
    match small.strip_suffix('s') {
        Some("") | None => small,
        Some(singular) => singular.to_owned(),
    }
}
