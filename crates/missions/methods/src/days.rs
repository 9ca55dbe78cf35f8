//! Days between two dates, such as 2026-09-30.

use adjutant_text::dates::Date;

/// From the first to the second day; below 0 if the second is earlier. Nothing if one of them is not a whole date.
pub(crate) fn days_between(first: &str, second: &str) -> Option<i64> {
    Some(number(second)? - number(first)?)
}

/// Days since 1 March of the year 0, by which leap days come last in a year.
fn number(text: &str) -> Option<i64> {
    let date = Date::from_iso(text.trim())?;
    let (month, day) = (i64::from(date.month()?), i64::from(date.day()?));
    let year = i64::from(date.year()) - i64::from(month <= 2);
    let since_march = (month + 9) % 12;
    let in_years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(in_years + (153 * since_march + 2) / 5 + day - 1)
}

#[cfg(test)]
mod tests {
    use super::days_between;

    #[test]
    fn leap_days_and_turns_of_years_count() {
        assert_eq!(days_between("2024-02-28", "2024-03-01"), Some(2));
        assert_eq!(days_between("2026-02-28", "2026-03-01"), Some(1));
        assert_eq!(days_between("2025-12-31", "2026-01-01"), Some(1));
        assert_eq!(days_between("2026-01-01", "2027-01-01"), Some(365));
        assert_eq!(days_between("2000-01-01", "2026-11-18"), Some(9818));
        assert_eq!(days_between("2026-03-10", "2026-03-01"), Some(-9));
        assert_eq!(days_between("2026-03", "2026-03-01"), None);
        assert_eq!(days_between("", "2026-03-01"), None);
    }
}
