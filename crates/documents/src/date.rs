//! The date a file states of itself.

use jiff::civil::Date;

const YEAR_MIN: i16 = 1000;
const YEAR_MAX: i16 = 2999;
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// `2024-03-01`, `2024-03` or `2024` out of the ways files write a date; nothing if it is not clearly one.
pub(crate) fn stated(text: &str) -> Option<String> {
    let text = text
        .trim()
        .trim_matches(|quote| quote == '"' || quote == '\'');
    by_digits(text).or_else(|| by_name(text))
}

pub(crate) fn of_day(year: i16, month: i8, day: i8) -> Option<String> {
    if !(YEAR_MIN..=YEAR_MAX).contains(&year) {
        return None;
    }
    let date = Date::new(year, month, day).ok()?;
    Some(date.to_string())
}

/// `2024-03-01T…`, `2024/3/1`, `D:20240301…`, `20240301`, `2024-03`, `2024`.
fn by_digits(text: &str) -> Option<String> {
    let text = text.strip_prefix("D:").unwrap_or(text);
    let run: String = text.chars().take_while(char::is_ascii_digit).collect();
    if run.len() >= 8 {
        let (year, rest) = run.split_at_checked(4)?;
        let (month, rest) = rest.split_at_checked(2)?;
        let (day, _) = rest.split_at_checked(2)?;
        return of_day(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    }
    if run.len() != 4 {
        return None;
    }
    let year: i16 = run.parse().ok()?;
    if !(YEAR_MIN..=YEAR_MAX).contains(&year) {
        return None;
    }
    let rest = text.get(4..)?;
    let mut numbers = rest
        .split(|character: char| !character.is_ascii_digit())
        .filter(|number| !number.is_empty());
    let separated = rest.starts_with(['-', '/', '.']);
    let month: Option<i8> = numbers.next().and_then(|number| number.parse().ok());
    let day: Option<i8> = numbers.next().and_then(|number| number.parse().ok());
    match (separated, month, day) {
        (true, Some(month), Some(day)) => of_day(year, month, day),
        (true, Some(month), None) if (1..=12).contains(&month) => {
            Some(format!("{year:04}-{month:02}"))
        }
        (false, ..) if rest.is_empty() => Some(format!("{year:04}")),
        _ => None,
    }
}

/// `1 March 2024`, `March 1, 2024`, `Fri, 1 Mar 2024 10:00`, `March 2024`.
fn by_name(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let (at, month) = words
        .iter()
        .enumerate()
        .find_map(|(at, word)| Some((at, month_named(word)?)))?;
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<i16>().ok());
    let before = at.checked_sub(1).and_then(number);
    let (day, year) = match (before, number(at + 1), number(at + 2)) {
        (Some(day), Some(year), _) if (1..=31).contains(&day) => (Some(day), year),
        (_, Some(day), Some(year)) if (1..=31).contains(&day) => (Some(day), year),
        (_, Some(year), _) => (None, year),
        _ => return None,
    };
    match day {
        Some(day) => of_day(year, month, i8::try_from(day).ok()?),
        None if (YEAR_MIN..=YEAR_MAX).contains(&year) => Some(format!("{year:04}-{month:02}")),
        None => None,
    }
}

fn month_named(word: &str) -> Option<i8> {
    let start = word.get(..3)?.to_ascii_lowercase();
    let place = MONTHS.iter().position(|month| *month == start)?;
    i8::try_from(place + 1).ok()
}
