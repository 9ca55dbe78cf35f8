//! Dates, as precise as the record has them.

use serde_json::{Value, json};

pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
pub(crate) const MONTHS_SHORT: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Date {
    Year(i32),
    Month(i32, u8),
    Day(i32, u8, u8),
    /// Not a calendar date: "Spring 2020".
    Words(String),
}

impl Date {
    /// Parts out of range are dropped: a month of 13 leaves the year.
    pub(crate) fn from_parts(year: i32, month: Option<i64>, day: Option<i64>) -> Self {
        let within = |part: Option<i64>, max: i64| {
            part.filter(|part| (1..=max).contains(part))
                .and_then(|part| u8::try_from(part).ok())
        };
        match (within(month, 12), within(day, 31)) {
            (Some(month), Some(day)) => Self::Day(year, month, day),
            (Some(month), None) => Self::Month(year, month),
            (None, _) => Self::Year(year),
        }
    }

    /// `2024`, `2024-05`, `2024-05-17` (also with slashes), else the words.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let date = text.split('T').next().unwrap_or(text);
        let parts: Vec<&str> = date.split(['-', '/']).collect();
        let number = |at: usize| {
            parts
                .get(at)
                .and_then(|part| part.trim().parse::<i64>().ok())
        };
        let digits = parts
            .iter()
            .all(|part| part.trim().bytes().all(|byte| byte.is_ascii_digit()));
        let year = number(0).and_then(|year| i32::try_from(year).ok());
        match year {
            Some(year) if digits && parts.len() <= 4 && parts[0].trim().len() == 4 => {
                Some(Self::from_parts(year, number(1), number(2)))
            }
            _ => Some(Self::Words(text.to_owned())),
        }
    }

    pub(crate) fn from_csl(value: &Value) -> Option<Self> {
        if let Value::String(text) = value {
            return Self::from_text(text);
        }
        let first = &value["date-parts"][0];
        if let Some(year) = to_integer(&first[0]).and_then(|year| i32::try_from(year).ok()) {
            return Some(Self::from_parts(
                year,
                to_integer(&first[1]),
                to_integer(&first[2]),
            ));
        }
        let words = value["raw"]
            .as_str()
            .or_else(|| value["literal"].as_str())?;
        Self::from_text(words)
    }

    pub(crate) fn to_csl(&self) -> Value {
        match self {
            Self::Year(year) => json!({ "date-parts": [[year]] }),
            Self::Month(year, month) => json!({ "date-parts": [[year, month]] }),
            Self::Day(year, month, day) => json!({ "date-parts": [[year, month, day]] }),
            Self::Words(words) => json!({ "literal": words }),
        }
    }

    pub(crate) fn year(&self) -> String {
        match self {
            Self::Year(year) | Self::Month(year, _) | Self::Day(year, ..) => year.to_string(),
            Self::Words(words) => words.clone(),
        }
    }

    /// `2024 May 17`.
    pub(crate) fn year_first(&self) -> String {
        match self {
            Self::Month(year, month) => format!("{year} {}", short_month(*month)),
            Self::Day(year, month, day) => format!("{year} {} {day}", short_month(*month)),
            Self::Year(_) | Self::Words(_) => self.year(),
        }
    }

    /// `May 17, 2024`.
    pub(crate) fn month_first(&self) -> String {
        match self {
            Self::Month(year, month) => format!("{} {year}", long_month(*month)),
            Self::Day(year, month, day) => format!("{} {day}, {year}", long_month(*month)),
            Self::Year(_) | Self::Words(_) => self.year(),
        }
    }

    /// Month and day: `May 17`.
    pub(crate) fn within_year(&self) -> Option<String> {
        match self {
            Self::Month(_, month) => Some(long_month(*month).to_owned()),
            Self::Day(_, month, day) => Some(format!("{} {day}", long_month(*month))),
            Self::Year(_) | Self::Words(_) => None,
        }
    }

    /// `2024-05-17`, as precise as it is.
    pub(crate) fn iso(&self) -> String {
        match self {
            Self::Year(year) => format!("{year:04}"),
            Self::Month(year, month) => format!("{year:04}-{month:02}"),
            Self::Day(year, month, day) => format!("{year:04}-{month:02}-{day:02}"),
            Self::Words(words) => words.clone(),
        }
    }
}

fn to_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn long_month(month: u8) -> &'static str {
    month_name(&MONTHS, month)
}

fn short_month(month: u8) -> &'static str {
    month_name(&MONTHS_SHORT, month)
}

fn month_name(names: &[&'static str; 12], month: u8) -> &'static str {
    names
        .get(usize::from(month).wrapping_sub(1))
        .copied()
        .unwrap_or_default()
}
