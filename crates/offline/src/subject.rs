//! What a question is about, as far as names tell: what else it is called, in which strength, and what of the sources is
//! on something else of the same kind.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_ask::Source;

use crate::corpus::document;
use crate::text::{Word, is_stop_word, number, words};

/// A shorter word in brackets is no name.
const ALIAS_CHARS_MIN: usize = 5;
/// Names of one kind of thing end alike: so many letters at least.
const ENDING_CHARS_MIN: usize = 6;
/// How many words may stand between a strength and what has it: `5 mg immediate-release tablet` has two.
const FORM_REACH: usize = 4;
/// A document that names another strength so often is on it.
const NAMED_MIN: usize = 2;
/// What strengths are measured in. Larger units tell of amounts, which may be contested.
pub(crate) const STRENGTHS: &[&str] = &["mg", "µg", "μg", "mcg"];
/// What comes in strengths.
const FORMS: &[&str] = &[
    "capsule",
    "capsules",
    "dose",
    "formulation",
    "injection",
    "patch",
    "tablet",
    "tablets",
    "vial",
    "vials",
];
/// Words that set two things apart: `Velmoran or placebo`.
const APART: &[&str] = &[
    "against", "and", "or", "than", "to", "versus", "vs", "with", "plus",
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

/// What things are also called: `Velmoran 5 mg tablets (velordrostat)`, each by its other name, written small.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    of: BTreeMap<String, BTreeSet<String>>,
}

impl Aliases {
    pub(crate) fn read<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for text in texts.clone() {
            for (name, other) in text.match_indices('(').filter_map(|(at, _)| pair(text, at)) {
                of.entry(name.clone()).or_default().insert(other.clone());
                of.entry(other).or_default().insert(name);
            }
        }
        if of.is_empty() {
            return Self::default();
        }
        // What is set apart somewhere is not the same.
        for text in texts {
            let words: Vec<String> = words(text)
                .iter()
                .map(|at| at.text.to_lowercase())
                .collect();
            for three in words.windows(3) {
                let [one, between, other] = three else {
                    continue;
                };
                if APART.contains(&between.as_str()) {
                    for (a, b) in [(one, other), (other, one)] {
                        if let Some(known) = of.get_mut(a) {
                            known.remove(b);
                        }
                    }
                }
            }
        }
        Self { of }
    }

    pub(crate) fn of(&self, name: &str) -> impl Iterator<Item = &str> {
        let known = self.of.get(&name.to_lowercase());
        known.into_iter().flatten().map(String::as_str)
    }
}

/// The name before a bracket and the one in it; between them only a strength and its form.
fn pair(text: &str, bracket: usize) -> Option<(String, String)> {
    let inside = text[bracket + 1..].split(')').next()?;
    let is_name = |word: &str| {
        word.chars().count() >= ALIAS_CHARS_MIN
            && word.chars().all(char::is_alphabetic)
            && !is_stop_word(&word.to_lowercase())
    };
    if !is_name(inside) {
        return None;
    }
    let line = text[..bracket].rsplit('\n').next()?;
    let before = words(line);
    let last = before.last()?;
    if !line[last.end..].trim().is_empty() {
        return None;
    }
    let of_form = |word: &str| {
        let small = word.to_lowercase();
        STRENGTHS.contains(&small.as_str())
            || FORMS.contains(&small.as_str())
            || small.starts_with(|char: char| char.is_ascii_digit())
    };
    let name = before
        .iter()
        .rev()
        .take(FORM_REACH)
        .find(|at| !of_form(at.text))?;
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let one_is_a_name = is_name(name.text) && (capital(name.text) || capital(inside));
    let (name, inside) = (name.text.to_lowercase(), inside.to_lowercase());
    (one_is_a_name && name != inside).then_some((name, inside))
}

/// What is asked about: by which names, and in which strength.
#[derive(Debug)]
pub struct Subject {
    /// Written small, with what else it is called.
    names: BTreeSet<String>,
    strengths: Vec<Strength>,
    /// Names, written small, of what ends as one of the names does.
    others: BTreeSet<String>,
    /// Documents on another strength only.
    other_documents: BTreeSet<String>,
    /// Documents that name the asked strength.
    asked_documents: BTreeSet<String>,
}

impl Subject {
    pub fn of(asked: &str, sources: &[Source]) -> Self {
        let texts = || sources.iter().map(|at| at.text.as_str());
        let aliases = Aliases::read(texts());
        let of_question = words(asked);
        let begins = |at: usize| at == 0 || ends_sentence(asked, of_question[at - 1].end);
        let called: BTreeSet<String> = (0..of_question.len())
            .filter(|at| {
                let word = of_question[*at].text;
                let capital = word.starts_with(char::is_uppercase) && !begins(*at);
                capital || aliases.of(word).next().is_some()
            })
            .map(|at| of_question[at].text.to_lowercase())
            .collect();
        let mut also: BTreeSet<String> = BTreeSet::new();
        for name in &called {
            let others = aliases.of(name).map(str::to_owned);
            let before = also.len();
            also.extend(others);
            if also.len() > before {
                also.insert(name.clone());
            }
        }
        let mut subject = Self {
            others: others(&also, texts()),
            names: called,
            strengths: Vec::new(),
            other_documents: BTreeSet::new(),
            asked_documents: BTreeSet::new(),
        };
        subject.names.extend(also);
        subject.strengths = subject.of_a_name(asked);
        if !subject.strengths.is_empty() {
            subject.read_documents(sources);
        }
        subject
    }

    /// Where a text names the asked strength.
    pub fn strength_places(&self, text: &str) -> Vec<usize> {
        let words = words(text);
        let given = strengths(text, &words);
        let given = given.iter().filter(|at| self.is_asked(at));
        given
            .filter_map(|at| Some(words.get(at.from)?.start))
            .collect()
    }

    /// Whether the document of a source names the asked strength; if none is asked for, every one does.
    pub fn is_at_strength(&self, source: &Source) -> bool {
        self.strengths.is_empty() || self.asked_documents.contains(document(&source.id))
    }

    pub(crate) fn is_named(&self, text: &str) -> bool {
        let mut words = words(text).into_iter();
        words.any(|word| self.names.contains(&word.text.to_lowercase()))
    }

    pub(crate) fn names_another(&self, text: &str) -> bool {
        let mut words = words(text).into_iter();
        words.any(|word| self.others.contains(&word.text.to_lowercase()))
    }

    /// Whether a text of a source is on something else of the kind, or on another strength.
    pub fn is_another(&self, source: &Source, text: &str) -> bool {
        let on_another = |text: &str| self.names_another(text) && !self.is_named(text);
        if on_another(text) || (on_another(&source.title) && !self.is_named(text)) {
            return true;
        }
        if self.strengths.is_empty() || self.has_asked(text) {
            return false;
        }
        self.gives_another(text) || self.other_documents.contains(document(&source.id))
    }

    fn has_asked(&self, text: &str) -> bool {
        strengths(text, &words(text))
            .iter()
            .any(|at| self.is_asked(at))
    }

    fn is_asked(&self, given: &Strength) -> bool {
        let mut own = self.strengths.iter();
        own.any(|own| own.value == given.value && own.unit == given.unit)
    }

    /// Strengths beside one of the names, or of a form: not those of something else that is named besides.
    fn gives_another(&self, text: &str) -> bool {
        let words = words(text);
        let of_form = |at: &Strength| {
            let after = words.iter().skip(at.to).take(FORM_REACH);
            let mut after = after.map(|word| word.text.to_lowercase());
            after.any(|word| FORMS.contains(&word.as_str()))
        };
        let given = strengths(text, &words);
        let beside = self.of_a_name(text);
        let same_unit = |at: &&Strength| self.strengths.iter().any(|own| own.unit == at.unit);
        let mut given = given.iter().filter(same_unit);
        given.any(|at| beside.contains(at) || of_form(at))
    }

    fn of_a_name(&self, text: &str) -> Vec<Strength> {
        let words = words(text);
        let is_name = |at: Option<usize>| {
            let word = at.and_then(|at| words.get(at));
            word.is_some_and(|word| self.names.contains(&word.text.to_lowercase()))
        };
        let mut given = strengths(text, &words);
        given.retain(|at| {
            is_name(at.from.checked_sub(1)) || is_name(Some(at.to)) || is_name(Some(at.to + 1))
        });
        given
    }

    /// Which documents name the asked strength, and which never do and are on another: they name it in their title or
    /// more than once.
    fn read_documents(&mut self, sources: &[Source]) {
        let mut others: BTreeMap<&str, usize> = BTreeMap::new();
        let mut asked = BTreeSet::new();
        let mut titles = BTreeSet::new();
        for source in sources {
            let document = document(&source.id);
            for (text, is_title) in [(&source.title, true), (&source.text, false)] {
                if is_title && !titles.insert((document, text)) {
                    continue;
                }
                if self.has_asked(text) {
                    asked.insert(document.to_owned());
                }
                let times = self.of_a_name(text).len();
                *others.entry(document).or_default() += match is_title {
                    true => times * NAMED_MIN,
                    false => times,
                };
            }
        }
        let others = others.into_iter().filter(|(_, times)| *times >= NAMED_MIN);
        let others = others.map(|(document, _)| document.to_owned());
        self.other_documents = others.filter(|at| !asked.contains(at)).collect();
        self.asked_documents = asked;
    }
}

fn ends_sentence(text: &str, end: usize) -> bool {
    let gap = text[end..].split(char::is_alphanumeric).next();
    gap.is_some_and(|gap| gap.contains(['.', '!', '?', '\n']))
}

/// Words that end as a name does that is written small, and are another.
fn others<'a>(also: &BTreeSet<String>, texts: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let ending = |word: &str| -> Option<String> {
        let chars: Vec<char> = word.chars().collect();
        let from = chars
            .len()
            .checked_sub(ENDING_CHARS_MIN)
            .filter(|from| *from > 1)?;
        Some(chars[from..].iter().collect())
    };
    let endings: BTreeSet<String> = also.iter().filter_map(|name| ending(name)).collect();
    if endings.is_empty() {
        return BTreeSet::new();
    }
    let mut found = BTreeSet::new();
    for text in texts {
        for word in words(text) {
            let small = word.text.to_lowercase();
            let alike = ending(&small).is_some_and(|ending| endings.contains(&ending));
            if alike && !also.contains(&small) {
                found.insert(small);
            }
        }
    }
    found
}

#[cfg(test)]
#[path = "subject_tests.rs"]
mod tests;
