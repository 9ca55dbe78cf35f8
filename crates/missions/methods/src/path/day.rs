//! Days of the calendar, as far as a schedule needs them.

/// So many days after a day such as `2026-09-30`. Nothing if that is no day.
pub(super) fn after(start: &str, days: f64) -> Option<String> {
    let mut parts = start.trim().split('-');
    let year: i64 = parts.next()?.parse().ok()?;
    let month: i64 = parts.next()?.parse().ok()?;
    let day: i64 = parts.next()?.parse().ok()?;
    if parts.next().is_some()
        || !(1..=12).contains(&month)
        || !(1..=31).contains(&day)
        || !(1900..=9000).contains(&year)
    {
        return None;
    }
    if !(0.0..=300_000.0).contains(&days) {
        return None;
    }
    Some(written(number(year, month, day) + days.floor() as i64))
}

/// Days since 1970-01-01, counted in years that begin in March, so that a leap day comes last.
fn number(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn written(number: i64) -> String {
    let shifted = number + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::after;

    #[test]
    fn days_follow_the_calendar() {
        assert_eq!(after("2024-02-28", 1.0).as_deref(), Some("2024-02-29"));
        assert_eq!(after("2026-02-28", 1.0).as_deref(), Some("2026-03-01"));
        assert_eq!(after("2026-12-31", 366.0).as_deref(), Some("2028-01-01"));
        assert_eq!(after("soon", 1.0), None);
    }
}
