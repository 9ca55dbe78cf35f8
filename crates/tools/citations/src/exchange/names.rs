//! Names written as one text: `van den Berg, Jan`.

use crate::csl::Name;

/// `family, given, suffix`.
pub(super) fn parse_name(text: &str) -> Name {
    let mut parts = text.split(',').map(str::trim);
    let mut part = || parts.next().unwrap_or_default();
    let (family, given, suffix) = (part(), part(), part());
    let (particle, family) = leading_small_words(family);
    let (given, dropping) = trailing_small_words(given);
    Name {
        family: family.to_owned(),
        given: given.to_owned(),
        particle: particle.to_owned(),
        dropping: dropping.to_owned(),
        suffix: suffix.to_owned(),
        literal: String::new(),
    }
}

/// `van den Berg` is `van den` and `Berg`; a name of lowercase words only is not split.
pub(super) fn leading_small_words(family: &str) -> (&str, &str) {
    let mut start = 0;
    for word in family.split(' ') {
        if !is_small(word) {
            return (family[..start].trim(), &family[start..]);
        }
        start += word.len() + 1;
    }
    ("", family)
}

pub(super) fn trailing_small_words(given: &str) -> (&str, &str) {
    let mut end = given.len();
    for word in given.rsplit(' ') {
        if !is_small(word) {
            return (given[..end].trim(), given[end..].trim());
        }
        end = end.saturating_sub(word.len() + 1);
    }
    (given, "")
}

pub(super) fn is_small(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_lowercase)
}
