//! Phrases in a text: where they stand as words of their own, and whether they are denied.

/// Words that deny what stands shortly behind them.
const DENIALS: &[&str] = &[
    "cannot", "neither", "never", "no", "none", "nor", "not", "without",
];
/// How many words a denial reaches.
const DENIAL_REACH: usize = 3;

/// Where a phrase stands in a text, both in small letters.
pub fn phrase_at(small: &str, phrase: &str) -> Option<usize> {
    let is_edge = |char: Option<char>| char.is_none_or(|char| !char.is_alphanumeric());
    small.match_indices(phrase).map(|(at, _)| at).find(|at| {
        is_edge(small[..*at].chars().next_back())
            && is_edge(small[at + phrase.len()..].chars().next())
    })
}

/// The phrase of a list that stands first in a text, and of those the longest.
pub fn first_phrase(small: &str, phrases: &[&'static str]) -> Option<(usize, &'static str)> {
    phrases
        .iter()
        .filter_map(|phrase| Some((phrase_at(small, phrase)?, *phrase)))
        .min_by_key(|(at, phrase)| (*at, usize::MAX - phrase.len()))
}

/// Whether what stands at a place is denied by a word shortly before it: `was not exceeded`.
pub fn is_denied_at(small: &str, at: usize) -> bool {
    let before = small.get(..at).unwrap_or_default();
    let mut words = before
        .rsplit(|char: char| !char.is_alphanumeric() && char != '\'' && char != '’')
        .filter(|word| !word.is_empty());
    let mut near = words.by_ref().take(DENIAL_REACH);
    near.any(|word| DENIALS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t"))
}

#[cfg(test)]
mod tests {
    use super::{first_phrase, is_denied_at, phrase_at};

    #[test]
    fn phrases_are_words_of_their_own() {
        assert_eq!(phrase_at("the cause is because of it", "because"), Some(13));
        assert_eq!(phrase_at("overdone", "done"), None);
        assert_eq!(phrase_at("ändert, der", "der"), Some(9));
        assert_eq!(
            first_phrase("caused by rain", &["caused", "caused by", "rain"]),
            Some((0, "caused by"))
        );
    }

    #[test]
    fn a_denial_reaches_three_words() {
        let is_denied = |text: &str| is_denied_at(text, phrase_at(text, "exceeded").unwrap());
        assert!(is_denied("it was not exceeded"));
        assert!(is_denied("it wasn't ever exceeded"));
        assert!(!is_denied("not one of all these was exceeded"));
        assert!(!is_denied("exceeded, not met"));
    }
}
