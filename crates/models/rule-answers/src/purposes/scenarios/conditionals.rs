//! A sentence taken apart into a condition and what follows from it: `If the pump fails, the line stops.`

use adjutant_text::phrases::phrase_at;

use crate::text::{is_clause, words};

/// What a condition begins with; the longest of those that begin at the same place counts.
const MARKERS: &[&str] = &[
    "as long as",
    "if",
    "in case",
    "in case of",
    "in the event of",
    "in the event that",
    "on condition that",
    "only if",
    "provided that",
    "unless",
];
/// A question put as a condition opens so: `Should the pump fail, the line stops.`
const INVERTED: &str = "should";
/// Sentences to whoever reads a letter: no condition of the matter.
const TO_THE_READER: &[&str] = &["please", "you", "your"];
/// `if possible before winter` sets no condition.
const IDIOMS: &[&str] = &["any", "necessary", "needed", "possible", "so"];
/// Fewer words are a phrase, such as `if possible`.
const CONDITION_WORDS_MIN: usize = 3;
const OUTCOME_WORDS_MIN: usize = 2;
/// What goes on with the list that a condition is.
const GOES_ON: &[&str] = &["and ", "or ", "nor "];

pub(super) struct Conditional<'t> {
    /// With its marker.
    pub(super) condition: &'t str,
    pub(super) outcome: &'t str,
}

/// `small` is the text in small letters, of the same length.
pub(super) fn conditional<'t>(text: &'t str, small: &str) -> Option<Conditional<'t>> {
    if TO_THE_READER
        .iter()
        .any(|word| phrase_at(small, word).is_some())
    {
        return None;
    }
    let opening = text.len()
        - text
            .trim_start_matches(|char: char| !char.is_alphanumeric())
            .len();
    let found = MARKERS
        .iter()
        .filter_map(|marker| Some((phrase_at(small, marker)?, marker.len())))
        .min_by_key(|(at, length)| (*at, usize::MAX - length));
    let inverted = phrase_at(small, INVERTED).filter(|at| *at == opening);
    let found = match (found, inverted) {
        (Some(_), Some(at)) | (None, Some(at)) => (at, INVERTED.len()),
        (Some(found), None) => found,
        (None, None) => return None,
    };
    let (start, length) = found;
    let (condition, outcome) = match start <= opening {
        true => before_comma(text, start)?,
        false => behind(text, start)?,
    };
    let inside = words(&condition[length.min(condition.len())..]);
    let is_idiom = inside
        .first()
        .is_some_and(|word| IDIOMS.contains(&word.text.to_lowercase().as_str()));
    if is_idiom {
        return None;
    }
    let of_condition = words(&condition[length.min(condition.len())..]).len();
    let names_both =
        of_condition >= CONDITION_WORDS_MIN && words(outcome).len() >= OUTCOME_WORDS_MIN;
    names_both.then_some(Conditional { condition, outcome })
}

/// `If A, B.`
fn before_comma(text: &str, start: usize) -> Option<(&str, &str)> {
    let mut from = start;
    loop {
        let comma = from + comma_at(&text[from..])?;
        let rest = text[comma + 1..].trim_start();
        let goes_on = GOES_ON.iter().any(|word| rest.starts_with(word));
        // What follows has a verb of its own; a list of things has none.
        if rest.is_empty() {
            return None;
        }
        if !goes_on && (is_clause(rest) || !rest.contains(',')) {
            let outcome = rest.strip_prefix("then ").unwrap_or(rest);
            return Some((text[start..comma].trim(), ended(outcome)));
        }
        from = comma + 1;
    }
}

/// `B if A.`
fn behind(text: &str, start: usize) -> Option<(&str, &str)> {
    let outcome = text[..start].trim().trim_end_matches([',', '–', '-', '(']);
    let condition = text[start..].split([';', ')']).next()?;
    (!outcome.is_empty()).then(|| (ended(condition), ended(outcome)))
}

/// The first comma or colon that is not inside a number.
fn comma_at(text: &str) -> Option<usize> {
    let mut found = text.match_indices([',', ':']).map(|(at, _)| at);
    found.find(|at| text[at + 1..].starts_with(char::is_whitespace))
}

fn ended(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '!'])
}

#[cfg(test)]
mod tests {
    use super::conditional;

    fn read(text: &str) -> Option<(&str, &str)> {
        let small = text.to_ascii_lowercase();
        conditional(text, &small).map(|found| (found.condition, found.outcome))
    }

    #[test]
    fn either_may_come_first() {
        for (text, condition, outcome) in [
            (
                "If the pump fails, the line stops.",
                "If the pump fails",
                "the line stops",
            ),
            (
                "The line stops if the pump fails.",
                "if the pump fails",
                "The line stops",
            ),
            (
                "The permit lapses unless the fee is paid by May.",
                "unless the fee is paid by May",
                "The permit lapses",
            ),
            (
                "Should the river rise above the wall, the road is closed.",
                "Should the river rise above the wall",
                "the road is closed",
            ),
            (
                "If the pump fails, or the valve is shut, the line stops.",
                "If the pump fails, or the valve is shut",
                "the line stops",
            ),
            (
                "Work may begin only if the council has agreed.",
                "only if the council has agreed",
                "Work may begin",
            ),
            (
                "If it costs more than 1,750 euros, the board decides.",
                "If it costs more than 1,750 euros",
                "the board decides",
            ),
            (
                "The board decides if it costs 1.25 million.",
                "if it costs 1.25 million",
                "The board decides",
            ),
        ] {
            assert_eq!(read(text), Some((condition, outcome)), "{text}");
        }
    }

    #[test]
    fn phrases_and_letters_to_the_reader_are_no_conditions() {
        for text in [
            "If possible, the line stops.",
            "The line stops if possible before the winter.",
            "If in doubt, stop the line.",
            "If you have received this by mistake, please delete it.",
            "The line stops every night.",
            "If the pump fails",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
