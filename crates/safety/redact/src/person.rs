//! Compares names of people: `Dr. Weber`, `A. Weber` and `Weber, Anna` may be the same person.

use crate::gazetteer::fold;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) given: Vec<String>,
    /// Also holds a name of only one word.
    pub(crate) surname: String,
}

impl Person {
    pub(crate) fn parse(name: &str) -> Self {
        let words = |part: &str| -> Vec<String> {
            part.split(|character: char| character.is_whitespace() || character == '.')
                .map(fold)
                .filter(|word| !word.is_empty())
                .collect()
        };
        if let Some((surname, given)) = name.split_once(',') {
            return Self {
                given: words(given),
                surname: words(surname).join(" "),
            };
        }
        let mut given = words(name);
        let surname = given.pop().unwrap_or_default();
        // Particles are part of the surname: "van der Berg".
        let from = name
            .split_whitespace()
            .position(|word| word.chars().next().is_some_and(char::is_lowercase));
        let particles = match from {
            Some(from) if from > 0 && from < given.len() => given.split_off(from),
            _ => Vec::new(),
        };
        let surname = particles
            .into_iter()
            .chain([surname])
            .collect::<Vec<_>>()
            .join(" ");
        Self { given, surname }
    }

    /// Identical for all spellings of the same words.
    pub(crate) fn normalized(&self) -> String {
        format!("{} {}", self.given.join(" "), self.surname)
            .trim()
            .to_owned()
    }

    /// How specific the name is.
    pub(crate) fn detail(&self) -> usize {
        self.given
            .iter()
            .map(|given| if given.chars().count() > 1 { 2 } else { 1 })
            .sum::<usize>()
    }

    /// The words that may refer to the person on their own.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.given
            .first()
            .filter(|given| given.chars().count() > 1)
            .map(String::as_str)
            .into_iter()
            .chain([self.surname.as_str()])
    }

    /// Whether the two names are compatible.
    pub(crate) fn may_be_same_as(&self, other: &Self) -> bool {
        let alone = |one: &Self, many: &Self| {
            one.given.is_empty()
                && (one.surname == many.surname || many.given.first() == Some(&one.surname))
        };
        if self.given.is_empty() || other.given.is_empty() {
            return alone(self, other) || alone(other, self);
        }
        self.surname == other.surname
            && self
                .given
                .iter()
                .zip(&other.given)
                .all(|(one, two)| is_same_given(one, two))
    }
}

fn is_same_given(one: &str, two: &str) -> bool {
    let initial = one.chars().count() == 1 || two.chars().count() == 1;
    one == two || initial && one.chars().next() == two.chars().next()
}
