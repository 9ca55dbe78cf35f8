//! Which reports tell the same story.

use std::collections::BTreeSet;

use super::story::Story;
use crate::address;
use crate::words::words;

/// Of all words in two titles, so many percent must be in both.
const SHARED_PERCENT_MIN: usize = 60;
/// Shorter titles say too little to be compared.
const WORDS_MIN: usize = 4;
const DAYS_MAX: i64 = 3;

/// Each story once, with the others that tell it; and how many were put together.
pub(super) fn merged(stories: Vec<Story>) -> (Vec<Story>, usize) {
    let mut kept: Vec<(BTreeSet<String>, Story)> = Vec::new();
    let mut count = 0;
    for story in stories {
        let title = title_words(&story);
        let place = kept
            .iter()
            .position(|(known, first)| is_same(known, first, &title, &story));
        match place.and_then(|place| kept.get_mut(place)) {
            Some((_, first)) => {
                count += 1;
                if address::canonical(&first.url) != address::canonical(&story.url) {
                    first.others.push(story);
                }
            }
            None => kept.push((title, story)),
        }
    }
    (kept.into_iter().map(|(_, story)| story).collect(), count)
}

fn is_same(
    known: &BTreeSet<String>,
    first: &Story,
    title: &BTreeSet<String>,
    story: &Story,
) -> bool {
    if address::canonical(&first.url) == address::canonical(&story.url) {
        return true;
    }
    let near = match (
        first.published.as_deref().and_then(day),
        story.published.as_deref().and_then(day),
    ) {
        (Some(one), Some(other)) => (one - other).abs() <= DAYS_MAX,
        _ => true,
    };
    let shared = known.intersection(title).count();
    let all = known.union(title).count();
    near && known.len().min(title.len()) >= WORDS_MIN && shared * 100 >= all * SHARED_PERCENT_MIN
}

/// Aggregators put the outlet behind the title: it says nothing of the story.
fn title_words(story: &Story) -> BTreeSet<String> {
    let title = match story.title.rsplit_once(" - ") {
        Some((title, last)) if last.eq_ignore_ascii_case(&story.outlet) => title,
        _ => &story.title,
    };
    words(title).into_iter().collect()
}

/// Days on a line, after the calendar of Howard Hinnant's `days_from_civil`.
fn day(date: &str) -> Option<i64> {
    let mut parts = date.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, day) = (
        parts.next()?.ok()?,
        parts.next()?.ok()?,
        parts.next()?.ok()?,
    );
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year)
}
