//! When something was: dates of the same that agree or do not, and dates that are denied.

use super::{DENIAL_REACH, Reading, SAME_EVENT_WORDS_MIN};
use crate::text::{Date, Word};

/// After these a denial only says when something began.
const TURNING: &[&str] = &["until", "till", "before"];

pub(crate) struct DateSaid {
    pub(crate) date: Date,
    pub(crate) denied: bool,
    pub(super) at: usize,
}

/// Whether two sentences speak of the same time.
pub(super) enum When {
    Unknown,
    Same,
    /// What the claim says, what the other says.
    Other(String, String),
    /// One of them only says when it was not.
    NotThen,
}

impl Reading {
    pub(super) fn has_date(&self, wanted: &DateSaid) -> bool {
        let mut own = self.dates.iter();
        own.any(|own| own.denied == wanted.denied && own.date.is_within(wanted.date))
    }

    pub(super) fn when(&self, said: &Self) -> When {
        let mut found = When::Unknown;
        for own in &self.dates {
            for other in &said.dates {
                if own.date.is_within(other.date) || other.date.is_within(own.date) {
                    return When::Same;
                }
                let (about, others) = (self.window(own.at), said.window(other.at));
                if about.intersection(&others).count() < SAME_EVENT_WORDS_MIN
                    || !(about.is_subset(&others) || others.is_subset(&about))
                {
                    continue;
                }
                found = match found {
                    When::Unknown if own.denied || other.denied => When::NotThen,
                    When::Unknown => When::Other(own.date.iso(), other.date.iso()),
                    found => found,
                };
            }
        }
        found
    }
}

/// Whether a denial before a date, in the same clause, is of it: `not built in 1950`, but not `not until 1950`.
pub(super) fn date_denied(text: &str, words: &[Word<'_>], denials: &[usize], at: usize) -> bool {
    let small = |at: usize| words[at].text.to_lowercase();
    let turned = |denial: usize| {
        let between = &text[words[denial].end..words[at].start];
        between.contains([',', ';', ':']) || (denial..at).any(|at| small(at) == "but")
    };
    let until =
        (at.saturating_sub(DENIAL_REACH)..at).any(|at| TURNING.contains(&small(at).as_str()));
    let mut near = denials.iter();
    !until && near.any(|denial| *denial < at && at - denial <= DENIAL_REACH && !turned(*denial))
}
