//! Names in one line: `van den Berg, Jan`.

use crate::csl::Name;

/// `family, given` or `family, given, suffix` (`suffix` second in BibTeX).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SuffixPlace {
    Second,
    Third,
}

/// A name whose parts are parted by commas; without one it is a body or a single word.
pub(super) fn parted(text: &str, suffix_place: SuffixPlace) -> Name {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let (family, given, suffix) = match (parts.as_slice(), suffix_place) {
        ([family], _) => (*family, "", ""),
        ([family, given], _) => (*family, *given, ""),
        ([family, suffix, given, ..], SuffixPlace::Second) => (*family, *given, *suffix),
        ([family, given, suffix, ..], SuffixPlace::Third) => (*family, *given, *suffix),
        ([], _) => ("", "", ""),
    };
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

/// `van den Berg` is `van den` and `Berg`; a name of small words only stays whole.
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

fn trailing_small_words(given: &str) -> (&str, &str) {
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
