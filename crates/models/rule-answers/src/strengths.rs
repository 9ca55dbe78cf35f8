//! How much of a substance one dose has: `40 mg`.

use crate::text::{Word, number};

/// How many words may stand between a strength and what has it: `5 mg immediate-release tablet` has two.
pub(crate) const FORM_REACH: usize = 4;
/// What strengths are measured in. Larger units tell of amounts, which may be contested.
pub(crate) const STRENGTHS: &[&str] = &["mg", "µg", "μg", "mcg"];
/// What comes in strengths.
pub(crate) const FORMS: &[&str] = &[
    "ampoule",
    "ampoules",
    "capsule",
    "capsules",
    "cream",
    "dose",
    "formulation",
    "gel",
    "infusion",
    "inhaler",
    "injection",
    "ointment",
    "patch",
    "pill",
    "pills",
    "solution",
    "suppository",
    "suspension",
    "syrup",
    "tablet",
    "tablets",
    "vial",
    "vials",
];
/// `40 mg`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Strength {
    pub(crate) value: f64,
    pub(crate) unit: String,
    /// Which of the words the number is, and which comes after the unit.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// The strengths of a text, `40 mg` and `40mg`.
pub(crate) fn strengths(text: &str, words: &[Word<'_>]) -> Vec<Strength> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let small = word.text.to_lowercase();
        let split = small.find(|char: char| char.is_alphabetic());
        let (digits, unit, to) = match split {
            Some(0) => continue,
            Some(split) => (&small[..split], small[split..].to_owned(), at + 1),
            None => match words.get(at + 1).filter(|next| joined(text, word, next)) {
                Some(next) => (small.as_str(), next.text.to_lowercase(), at + 2),
                None => continue,
            },
        };
        let value = number(digits).filter(|_| STRENGTHS.contains(&unit.as_str()));
        found.extend(value.map(|value| Strength {
            value,
            unit,
            from: at,
            to,
        }));
    }
    found
}

/// Only a space or a hyphen between the two.
fn joined(text: &str, first: &Word<'_>, second: &Word<'_>) -> bool {
    [" ", "-", "\u{a0}", "\u{202f}"].contains(&&text[first.end..second.start])
}
