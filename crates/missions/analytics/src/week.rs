//! Weeks as ISO 8601 counts them, in UTC.

use adjutant_mission::Timestamp;

const DAY_MILLIS: i64 = 86_400_000;
/// 1970-01-01 was a Thursday.
const DAYS_FROM_MONDAY: i64 = 3;

/// The Monday of the week that an instant falls into, as days since 1970.
pub(crate) fn monday_of(at: Timestamp) -> i64 {
    let day = at.0.div_euclid(DAY_MILLIS);
    day - (day + DAYS_FROM_MONDAY).rem_euclid(7)
}

/// `2026-W47`, for a Monday as days since 1970.
pub(crate) fn name_of(monday: i64) -> String {
    // A week belongs to the year of its Thursday.
    let thursday = monday + 3;
    let (year, _, _) = date_of(thursday);
    let first_day = days_to_year(year);
    let week = (thursday - first_day) / 7 + 1;
    format!("{year}-W{week:02}")
}

/// `2026-11-16`, for days since 1970.
pub(crate) fn day_name(day: i64) -> String {
    let (year, month, day) = date_of(day);
    format!("{year}-{month:02}-{day:02}")
}

pub(crate) fn day_of(at: Timestamp) -> i64 {
    at.0.div_euclid(DAY_MILLIS)
}

/// Year, month and day of days since 1970, in the Gregorian calendar.
fn date_of(days: i64) -> (i64, i64, i64) {
    // Eras of 400 years that begin in March, so that a leap day is the last of its year.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

fn days_to_year(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_are_those_of_the_calendar() {
        for (millis, week, day) in [
            (0, "1970-W01", "1970-01-01"),
            (1_609_459_200_000, "2020-W53", "2021-01-01"),
            (1_609_718_400_000, "2021-W01", "2021-01-04"),
            (1_794_960_000_000, "2026-W47", "2026-11-18"),
            (-86_400_000, "1970-W01", "1969-12-31"),
            (1_709_164_800_000, "2024-W09", "2024-02-29"),
        ] {
            let at = Timestamp(millis);
            assert_eq!(name_of(monday_of(at)), week, "{millis}");
            assert_eq!(day_name(day_of(at)), day, "{millis}");
        }
    }
}
