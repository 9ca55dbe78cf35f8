//! What a cell of a spreadsheet shows: dates as dates, numbers without the noise of their storage.

use calamine::{Data, ExcelDateTime, Style};

/// What spreadsheets show of a number at most.
const SIGNIFICANT_DIGITS: usize = 15;
/// From here on a number is shown with an exponent.
const PLAIN_NUMBER_MAX: f64 = 1e21;
const PLAIN_NUMBER_MIN: f64 = 1e-9;
const SECONDS_PER_DAY: f64 = 86_400.0;

pub(super) fn shown(value: &Data) -> String {
    match value {
        Data::Empty => String::new(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number_shown(*number),
        Data::Bool(true) => "TRUE".to_owned(),
        Data::Bool(false) => "FALSE".to_owned(),
        Data::DateTime(date) if date.is_duration() => duration_shown(date.as_f64()),
        Data::DateTime(date) => date_shown(date),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Error(error) => error.to_string(),
    }
}

pub(super) fn shown_as_percentage(value: &Data) -> String {
    match value {
        Data::Float(number) => format!("{}%", number_shown(number * 100.0)),
        Data::Int(number) => format!("{}%", number_shown(*number as f64 * 100.0)),
        other => shown(other),
    }
}

pub(super) fn is_percentage(style: &Style) -> bool {
    let format = style.number_format.as_ref();
    format.is_some_and(|format| format.format_code.contains('%'))
}

fn number_shown(number: f64) -> String {
    // 0.1 + 0.2 is stored as 0.30000000000000004.
    let digits = SIGNIFICANT_DIGITS - 1;
    let rounded: f64 = format!("{number:.digits$e}").parse().unwrap_or(number);
    let size = rounded.abs();
    if size >= PLAIN_NUMBER_MAX || (size < PLAIN_NUMBER_MIN && size > 0.0) {
        return format!("{rounded:e}");
    }
    rounded.to_string()
}

fn date_shown(date: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = date.to_ymd_hms_milli();
    let time = match second {
        0 => format!("{hour:02}:{minute:02}"),
        second => format!("{hour:02}:{minute:02}:{second:02}"),
    };
    if date.as_f64() < 1.0 {
        return time;
    }
    let day = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) == (0, 0, 0) {
        return day;
    }
    format!("{day} {time}")
}

/// Hours may be more than a day has.
fn duration_shown(days: f64) -> String {
    let seconds = (days * SECONDS_PER_DAY).round();
    let sign = if seconds < 0.0 { "-" } else { "" };
    let seconds = seconds.abs() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{sign}{hours}:{minutes:02}:{seconds:02}")
}
