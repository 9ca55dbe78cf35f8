//! Reading text as far as methods need it: one-line forms, content words, numbers with their unit.

use adjutant_text::dates::english_month;
use std::collections::BTreeSet;

/// Words that say nothing of a subject.
const EMPTY_WORDS: &[&str] = &[
    "about", "after", "all", "also", "and", "any", "are", "been", "before", "but", "can", "could",
    "did", "does", "each", "for", "from", "had", "has", "have", "how", "into", "its", "more",
    "most", "not", "our", "shall", "should", "such", "than", "that", "the", "their", "them",
    "then", "there", "they", "this", "those", "was", "were", "what", "when", "where", "whether",
    "which", "who", "why", "will", "with", "would",
];
const STEM_CHARS: usize = 6;
const WORD_CHARS_MIN: usize = 3;

/// A text in one line.
pub(crate) fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many characters, cut at a word.
pub(crate) fn short(text: &str, chars_max: usize) -> String {
    let text = plain(text);
    if text.chars().count() <= chars_max {
        return text;
    }
    let head: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    let cut = head.rfind(' ').filter(|at| *at > 0).unwrap_or(head.len());
    format!(
        "{}…",
        head[..cut].trim_end_matches([',', ';', ':', '.', ' '])
    )
}

/// Without the full stop at its end.
pub(crate) fn bare(text: &str) -> String {
    plain(text)
        .trim_end_matches(['.', ' ', ';', ','])
        .to_owned()
}

/// Beginnings of the words that say what a text is about.
pub(crate) fn content(text: &str) -> BTreeSet<String> {
    let words = text.split(|char: char| !char.is_alphanumeric());
    let small = words.map(str::to_lowercase);
    let kept = small.filter(|word| {
        word.chars().count() >= WORD_CHARS_MIN && !EMPTY_WORDS.contains(&word.as_str())
    });
    kept.map(|word| {
        let single = word.strip_suffix('s').unwrap_or(&word);
        single.chars().take(STEM_CHARS).collect()
    })
    .collect()
}

/// Which share of all their words two texts have in common, from 0 to 1.
pub(crate) fn likeness(one: &str, other: &str) -> f64 {
    let (one, other) = (content(one), content(other));
    match one.union(&other).count() {
        0 => 0.0,
        all => one.intersection(&other).count() as f64 / all as f64,
    }
}

/// Which share of the words of the first text the second has, from 0 to 1.
pub(crate) fn coverage(of: &str, within: &str) -> f64 {
    let (of, within) = (content(of), content(within));
    match of.len() {
        0 => 0.0,
        all => of.intersection(&within).count() as f64 / all as f64,
    }
}

/// A number in a text, and the word or sign that follows it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Amount {
    pub(crate) value: f64,
    /// The number as it is written: `1.25 million`.
    pub(crate) number: String,
    /// In small letters; empty if nothing that could be a unit follows or precedes.
    pub(crate) unit: String,
}

/// A value with its unit as people write it: `15 days`, `98.5 %`.
pub(crate) fn with_unit(value: &str, unit: &str) -> String {
    match unit {
        "" => value.to_owned(),
        "percent" | "%" => format!("{value} %"),
        "day" | "hour" | "minute" | "month" | "quarter" | "second" | "week" | "year"
            if value != "1" =>
        {
            format!("{value} {unit}s")
        }
        unit => format!("{value} {unit}"),
    }
}

/// The numbers of a text, in order. A number inside a name (`B2`, `2.1.3`) and the parts of a date are none.
pub(crate) fn amounts(text: &str) -> Vec<Amount> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied();
        let after = words.get(at + 1).copied();
        if names_a_place_or_a_day(word, before, after) {
            continue;
        }
        found.extend(amount(word, before, after, words.get(at + 2).copied()));
    }
    found
}

/// Words after which a number says where something stands, and words of dates.
const BEFORE_PLACES: &[&str] = &[
    "section",
    "sections",
    "clause",
    "clauses",
    "schedule",
    "article",
    "chapter",
    "paragraph",
    "annex",
    "appendix",
    "figure",
    "table",
    "page",
    "version",
    "no",
    "number",
    "item",
    "§",
];
const YEARS: std::ops::RangeInclusive<u32> = 1900..=2100;
/// Words of which a year may be the object.
const BEFORE_YEARS: &[&str] = &[
    "by", "during", "early", "from", "in", "late", "of", "since", "until", "year",
];

/// Whether a number is that of a clause (`2.1 The fee`, `section 7.1`) or a part of a date (`28 September 2026`).
fn names_a_place_or_a_day(word: &str, before: Option<&str>, after: Option<&str>) -> bool {
    let small = |word: &str| {
        let bare = word.trim_matches(|char: char| !char.is_alphanumeric() && char != '§');
        bare.to_lowercase()
    };
    let is_month = |word: Option<&str>| {
        word.is_some_and(|it| {
            it.starts_with(char::is_uppercase) && english_month(&small(it)).is_some()
        })
    };
    let is_one_of = |word: Option<&str>, list: &[&str]| {
        word.is_some_and(|it| list.contains(&small(it).as_str()))
    };
    let is_day_or_number = word
        .chars()
        .all(|char| char.is_ascii_digit() || ".,;:".contains(char));
    let opens = before.is_none_or(|before| before.ends_with(['.', ':', '*', '-', '#']));
    let is_clause = is_day_or_number
        && word.trim_end_matches('.').contains('.')
        && opens
        && after.is_some_and(|after| after.starts_with(char::is_uppercase));
    let bare = word.trim_end_matches(['.', ',', ';', ':', ')', '?']);
    let is_year = bare.parse().is_ok_and(|year: u32| YEARS.contains(&year))
        && (is_month(before) || is_one_of(before, BEFORE_YEARS));
    is_clause
        || is_year
        || is_one_of(before, BEFORE_PLACES)
        || (is_day_or_number && (is_month(after) || is_month(before)))
}

fn amount(
    word: &str,
    before: Option<&str>,
    after: Option<&str>,
    next: Option<&str>,
) -> Option<Amount> {
    let word = word.trim_matches(|char: char| "()[]\"“”:;,.?!*".contains(char));
    let (sign, rest) = match word.strip_prefix(['-', '−']) {
        Some(rest) => (-1.0, rest),
        None => (1.0, word),
    };
    let (money, rest) = match rest.strip_prefix(['€', '$', '£']) {
        Some(less) => (rest.chars().next(), less),
        None => (None, rest),
    };
    let end = rest.find(|char: char| !char.is_ascii_digit() && char != ',' && char != '.');
    let (digits, tail) = rest.split_at(end.unwrap_or(rest.len()));
    let mut value = sign * number(digits)?;
    let is_unit = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|char| char.is_alphabetic() || "%°/²³µ€$£".contains(char))
    };
    if !tail.is_empty() && !is_unit(tail) {
        return None;
    }
    let clean = |text: &str| {
        text.trim_matches(|char: char| "()[],.;:".contains(char))
            .to_lowercase()
    };
    let mut written = digits.to_owned();
    let mut unit = tail.to_lowercase();
    let mut following = after.map(clean).unwrap_or_default();
    if unit.is_empty() && ["million", "thousand", "billion"].contains(&following.as_str()) {
        value *= match following.as_str() {
            "thousand" => 1e3,
            "million" => 1e6,
            _ => 1e9,
        };
        written = format!("{digits} {following}");
        following = next.map(clean).unwrap_or_default();
    }
    // `per cent` is one unit; `2 per night` has none that could be compared.
    if following == "per" {
        following = match next.map(clean).as_deref() {
            Some("cent") => "%".to_owned(),
            _ => String::new(),
        };
    }
    let currency = before
        .map(clean)
        .filter(|word| CURRENCIES.contains(&word.as_str()));
    if let Some(sign) = money {
        unit = currency_of(sign).to_owned();
    } else if let Some(name) = currency {
        unit = name;
    } else if unit.is_empty() && is_unit(&following) && !is_function_word(&following) {
        unit = following;
    }
    Some(Amount {
        value,
        number: written,
        unit: singular(&unit),
    })
}

/// Words that are no unit.
fn is_function_word(word: &str) -> bool {
    const SHORT: &[&str] = &[
        "a", "an", "as", "at", "by", "dr", "if", "in", "is", "it", "mr", "mrs", "ms", "no", "of",
        "on", "or", "so", "to", "we",
    ];
    SHORT.contains(&word) || EMPTY_WORDS.contains(&word)
}

const CURRENCIES: &[&str] = &["eur", "usd", "gbp", "chf", "€", "$", "£"];

fn currency_of(sign: char) -> &'static str {
    match sign {
        '€' => "eur",
        '$' => "usd",
        _ => "gbp",
    }
}

fn singular(unit: &str) -> String {
    match unit {
        "€" | "euro" | "euros" => "eur".to_owned(),
        "$" => "usd".to_owned(),
        "£" => "gbp".to_owned(),
        "percent" => "%".to_owned(),
        _ if unit.len() > 3 => unit.strip_suffix('s').unwrap_or(unit).to_owned(),
        _ => unit.to_owned(),
    }
}

/// Reads `412`, `1,204`, `0.5`. Not `2.1.3`, and not `3,4`: nobody knows whether that is a decimal.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches(['.', ',']);
    if !text.starts_with(|char: char| char.is_ascii_digit()) {
        return None;
    }
    let mut groups = text.split(',');
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let grouped = |group: &&str| {
        group
            .split('.')
            .next()
            .is_some_and(|whole| whole.len() == 3)
    };
    if !rest.is_empty() && (first.len() > 3 || !rest.iter().all(grouped)) {
        return None;
    }
    let value: f64 = text.replace(',', "").parse().ok()?;
    value.is_finite().then_some(value)
}

/// A number with at most one decimal, thousands apart.
pub(crate) fn written(value: f64) -> String {
    let decimals = usize::from((value.abs().fract() * 10.0).round() % 10.0 != 0.0);
    let fixed = format!("{:.decimals$}", value.abs());
    let (whole, rest) = fixed.split_once('.').unwrap_or((&fixed, ""));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 { "-" } else { "" };
    match rest {
        "" => format!("{sign}{grouped}"),
        rest => format!("{sign}{grouped}.{rest}"),
    }
}

/// `1 option`, `2 options`.
pub(crate) fn counted(count: usize, name: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {name}{ending}")
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_their_unit() {
        let read = |text: &str| -> Vec<(f64, String)> {
            amounts(text)
                .into_iter()
                .map(|one| (one.value, one.unit))
                .collect()
        };
        assert_eq!(read("at most 12 weeks"), [(12.0, "week".to_owned())]);
        assert_eq!(read("EUR 1.5 million in all"), [(1.5e6, "eur".to_owned())]);
        assert_eq!(read("€12,000"), [(12_000.0, "eur".to_owned())]);
        assert_eq!(
            read("4 % of 30kg"),
            [(4.0, "%".to_owned()), (30.0, "kg".to_owned())]
        );
        assert_eq!(read("clause 2.1.3 and 2026-09-30"), []);
        assert_eq!(
            read("3.1 Mr Ode meets on 28 September 2026 under section 7.1 of the lease"),
            []
        );
        assert_eq!(
            read("The roof was new in 1994, and of 2 in use"),
            [(2.0, String::new())]
        );
        assert_eq!(
            read("98.5 per cent of 3 per shift"),
            [(98.5, "%".to_owned()), (3.0, String::new())]
        );
        assert_eq!(read("2.5 mg may be given"), [(2.5, "mg".to_owned())]);
    }

    #[test]
    fn numbers_are_written_as_people_do() {
        assert_eq!(written(12_000.0), "12,000");
        assert_eq!(written(0.26), "0.3");
        assert_eq!(written(-4.0), "-4");
        assert_eq!(written(9.96), "10");
    }
}
