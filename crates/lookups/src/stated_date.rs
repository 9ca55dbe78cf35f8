//! Dates as databases, feeds and pages write them.

const YEAR_MIN: u16 = 1000;
const YEAR_MAX: u16 = 2999;
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// `2024-03-01`, `2024-03` or `2024`; nothing if the text is not clearly a date that exists.
pub(crate) fn stated_date(text: &str) -> Option<String> {
    let text = text.trim();
    by_digits(text).or_else(|| by_name(text))
}

/// Whether the text is a whole day as a search takes it.
pub(crate) fn is_day(text: &str) -> bool {
    text.len() == 10 && stated_date(text).as_deref() == Some(text)
}

/// The same day so many years later; the last of February where there is no such day.
pub(crate) fn years_after(day: &str, years: u16) -> Option<String> {
    let mut parts = day.splitn(3, '-');
    let year: u16 = parts.next()?.parse().ok()?;
    let month: u8 = parts.next()?.parse().ok()?;
    let date: u8 = parts.next()?.parse().ok()?;
    let year = year.checked_add(years)?;
    of_day(year, month, date).or_else(|| of_day(year, month, date.checked_sub(1)?))
}

fn of_day(year: u16, month: u8, day: u8) -> Option<String> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    let exists = (YEAR_MIN..=YEAR_MAX).contains(&year) && (1..=last).contains(&day);
    exists.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// `2024-03-01T…`, `2024/3/1`, `20240301`, `20240301T101500`, `2024-03`, `2024`.
fn by_digits(text: &str) -> Option<String> {
    let run: String = text.chars().take_while(char::is_ascii_digit).collect();
    let rest = text.get(run.len()..)?;
    if run.len() >= 8 {
        let (year, month, day) = (run.get(..4)?, run.get(4..6)?, run.get(6..8)?);
        return of_day(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    }
    if run.len() != 4 {
        return None;
    }
    let year: u16 = run.parse().ok()?;
    if !(YEAR_MIN..=YEAR_MAX).contains(&year) {
        return None;
    }
    if rest.is_empty() {
        return Some(format!("{year:04}"));
    }
    let mut numbers = rest
        .split(|character: char| !character.is_ascii_digit())
        .filter(|number| !number.is_empty());
    if !rest.starts_with(['-', '/', '.']) {
        return None;
    }
    let month: u8 = numbers.next()?.parse().ok()?;
    match numbers.next() {
        Some(day) => of_day(year, month, day.parse().ok()?),
        None if (1..=12).contains(&month) => Some(format!("{year:04}-{month:02}")),
        None => None,
    }
}

/// `Fri, 1 Mar 2024 10:00 GMT`, `1 March 24`, `March 1, 2024`, `March 2024`.
fn by_name(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let (at, month) = words
        .iter()
        .enumerate()
        .find_map(|(at, word)| Some((at, month_named(word)?)))?;
    let number = |at: usize| {
        let word = words.get(at)?;
        let digits = word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        digits.parse::<u16>().ok()
    };
    let before = at.checked_sub(1).and_then(number);
    let is_date = |day: u16| (1..=31).contains(&day);
    match (before, number(at + 1), number(at + 2)) {
        (Some(day), Some(year), _) if is_date(day) => {
            of_day(full_year(year), month, u8::try_from(day).ok()?)
        }
        (_, Some(day), Some(year)) if is_date(day) && year >= YEAR_MIN => {
            of_day(year, month, u8::try_from(day).ok()?)
        }
        (None, Some(year), _) if (YEAR_MIN..=YEAR_MAX).contains(&year) => {
            Some(format!("{year:04}-{month:02}"))
        }
        _ => None,
    }
}

/// RFC 822 allowed two digits; the split is that of RFC 2822.
fn full_year(year: u16) -> u16 {
    match year {
        0..=49 => 2000 + year,
        50..=99 => 1900 + year,
        _ => year,
    }
}

fn month_named(word: &str) -> Option<u8> {
    let start = word.get(..3)?.to_ascii_lowercase();
    let place = MONTHS.iter().position(|month| *month == start)?;
    u8::try_from(place + 1).ok()
}

#[cfg(test)]
#[path = "stated_date_tests.rs"]
mod tests;
