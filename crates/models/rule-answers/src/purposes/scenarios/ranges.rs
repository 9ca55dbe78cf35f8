//! A range that a sentence gives for one thing: `between 40 and 65 million euros`.

use adjutant_text::dates::english_month;

use crate::text::{number, words};

/// Words between the opening and the number, such as `about`.
const BETWEEN_MAX: usize = 2;
/// Words behind the upper end that belong to it.
const BEHIND_MAX: usize = 2;
const YEARS: std::ops::RangeInclusive<f64> = 1900.0..=2100.0;

pub(super) struct Range<'t> {
    pub(super) low: &'t str,
    pub(super) high: &'t str,
    pub(super) written: &'t str,
}

/// The first range of a sentence. Years are no range of anything.
pub(super) fn range(text: &str) -> Option<Range<'_>> {
    let all = words(text);
    for (at, opening) in all.iter().enumerate() {
        let joins = match opening.text.to_lowercase().as_str() {
            "between" => "and",
            "from" => "to",
            _ => continue,
        };
        let numbered = |from: usize| {
            let near = (from..all.len()).take(BETWEEN_MAX + 1);
            let mut near = near.filter_map(|at| Some((at, number(all[at].text)?)));
            near.next()
        };
        let Some((low, least)) = numbered(at + 1) else {
            continue;
        };
        let joined = (low + 1..all.len())
            .take(BETWEEN_MAX + 1)
            .find(|at| all[*at].text.eq_ignore_ascii_case(joins));
        let Some((high, most)) = joined.and_then(|at| numbered(at + 1)) else {
            continue;
        };
        // Days of a month and times of a day are no amounts.
        let is_day = all
            .get(high + 1)
            .is_some_and(|next| english_month(&next.text.to_lowercase()).is_some());
        let is_time = [low, high]
            .iter()
            .any(|at| text[all[*at].end..].starts_with(':'));
        if is_day || is_time {
            continue;
        }
        if least >= most || (YEARS.contains(&least) && YEARS.contains(&most)) {
            continue;
        }
        let same_sentence =
            |from: usize, to: usize| !text[from..to].contains([',', ';', '(', ')', '.']);
        let end = (high + 1..all.len())
            .take(BEHIND_MAX)
            .take_while(|at| same_sentence(all[high].end, all[*at].start))
            .last()
            .unwrap_or(high);
        return Some(Range {
            low: all[low].text,
            high: &text[all[high].start..all[end].end],
            written: &text[all[low].start..all[end].end],
        });
    }
    None
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that fails may panic")]
mod tests {
    use super::range;

    #[test]
    fn ranges_are_read_and_years_are_none() {
        let found = range("It would cost between 40 and 65 million euros.").unwrap();
        assert_eq!(
            (found.low, found.high, found.written),
            ("40", "65 million euros", "40 and 65 million euros")
        );
        let found = range("Repairs take from about 3 to 5 days, they say.").unwrap();
        assert_eq!((found.low, found.high), ("3", "5 days"));
        for text in [
            "It ran from 2021 to 2023.",
            "It is open from 13 to 14 October.",
            "The shop was shut from 10:19 to 16:58.",
            "A walk from A to B takes 5 minutes.",
            "Between 9 and 9 it rests.",
        ] {
            assert!(range(text).is_none(), "{text}");
        }
    }
}
