//! Instants as text, without a clock or a calendar library.

use adjutant_mission::Timestamp;

const DAY_MS: i64 = 86_400_000;
/// The first and the last millisecond that four digits of a year can tell.
const FIRST_MS: i64 = -62_167_219_200_000;
const LAST_MS: i64 = 253_402_300_799_999;

/// An instant as RFC 3339 writes it, in UTC with milliseconds. What lies outside the years 0 to 9999, as deadlines that
/// never come do, is told as the nearest instant inside.
pub fn rfc3339(at: Timestamp) -> String {
    let ms = at.0.clamp(FIRST_MS, LAST_MS);
    let (days, of_day) = (ms.div_euclid(DAY_MS), ms.rem_euclid(DAY_MS));
    let (year, month, day) = date_of(days);
    let (seconds, ms) = (of_day / 1_000, of_day % 1_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

/// The date of a day, counted from 1 January 1970. Years are taken to begin in March, so that a leap day is the last
/// of its year, and four centuries always have the same number of days.
fn date_of(days: i64) -> (i64, i64, i64) {
    let since_march_0 = days + 719_468;
    let era = since_march_0.div_euclid(146_097);
    let day_of_era = since_march_0.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = match month_from_march {
        0..=9 => month_from_march + 3,
        _ => month_from_march - 9,
    };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}
