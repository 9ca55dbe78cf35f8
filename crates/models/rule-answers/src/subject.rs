//! What a question is about, as far as names tell: what else it is called, in which strength, and what of the sources is
//! on something else of the same kind.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::Source;

use crate::aliases::Aliases;
use crate::document_id::document_id;
use crate::strengths::{FORM_REACH, FORMS, Strength, strengths};
use crate::text::words;

/// Names of one kind of thing end alike: so many letters at least.
const ENDING_CHARS_MIN: usize = 6;
/// A document that names another strength so often is on it.
const NAMED_MIN: usize = 2;
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
    pub fn new(asked: &str, sources: &[Source]) -> Self {
        let texts = || sources.iter().map(|at| at.text.as_str());
        let aliases = Aliases::read(texts());
        let of_question = words(asked);
        let begins = |at: usize| at == 0 || ends_sentence(asked, of_question[at - 1].end);
        let called: BTreeSet<String> = (0..of_question.len())
            .filter(|at| {
                let word = of_question[*at].text;
                let capital = word.starts_with(char::is_uppercase) && !begins(*at);
                capital || aliases.other_names(word).next().is_some()
            })
            .map(|at| of_question[at].text.to_lowercase())
            .collect();
        let mut also: BTreeSet<String> = BTreeSet::new();
        for name in &called {
            let others = aliases.other_names(name).map(str::to_owned);
            let before = also.len();
            also.extend(others);
            if also.len() > before {
                also.insert(name.clone());
            }
        }
        let mut subject = Self {
            others: similar_names(&also, texts()),
            names: called,
            strengths: Vec::new(),
            other_documents: BTreeSet::new(),
            asked_documents: BTreeSet::new(),
        };
        subject.names.extend(also);
        subject.strengths = subject.strengths_beside_names(asked);
        if !subject.strengths.is_empty() {
            subject.read_documents(sources);
        }
        subject
    }

    /// Where a text names the asked strength.
    pub fn strength_offsets(&self, text: &str) -> Vec<usize> {
        let words = words(text);
        let given = strengths(text, &words);
        let given = given.iter().filter(|at| self.is_asked_strength(at));
        given
            .filter_map(|at| Some(words.get(at.from)?.start))
            .collect()
    }

    /// Whether the document of a source names the asked strength; if none is asked for, every one does.
    pub fn names_strength(&self, source: &Source) -> bool {
        self.strengths.is_empty() || self.asked_documents.contains(document_id(&source.id))
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
    pub fn is_about_another(&self, source: &Source, text: &str) -> bool {
        let on_another = |text: &str| self.names_another(text) && !self.is_named(text);
        if on_another(text) || (on_another(&source.title) && !self.is_named(text)) {
            return true;
        }
        if self.strengths.is_empty() || self.names_asked_strength(text) {
            return false;
        }
        self.names_another_strength(text) || self.other_documents.contains(document_id(&source.id))
    }

    fn names_asked_strength(&self, text: &str) -> bool {
        strengths(text, &words(text))
            .iter()
            .any(|at| self.is_asked_strength(at))
    }

    fn is_asked_strength(&self, given: &Strength) -> bool {
        let mut own = self.strengths.iter();
        own.any(|own| own.value == given.value && own.unit == given.unit)
    }

    /// Strengths beside one of the names, or of a form: not those of something else that is named besides.
    fn names_another_strength(&self, text: &str) -> bool {
        let words = words(text);
        let of_form = |at: &Strength| {
            let after = words.iter().skip(at.to).take(FORM_REACH);
            let mut after = after.map(|word| word.text.to_lowercase());
            after.any(|word| FORMS.contains(&word.as_str()))
        };
        let given = strengths(text, &words);
        let beside = self.strengths_beside_names(text);
        let same_unit = |at: &&Strength| self.strengths.iter().any(|own| own.unit == at.unit);
        let mut given = given.iter().filter(same_unit);
        given.any(|at| beside.contains(at) || of_form(at))
    }

    fn strengths_beside_names(&self, text: &str) -> Vec<Strength> {
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
            let document = document_id(&source.id);
            for (text, is_title) in [(&source.title, true), (&source.text, false)] {
                if is_title && !titles.insert((document, text)) {
                    continue;
                }
                if self.names_asked_strength(text) {
                    asked.insert(document.to_owned());
                }
                let times = self.strengths_beside_names(text).len();
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
fn similar_names<'a>(
    also: &BTreeSet<String>,
    texts: impl Iterator<Item = &'a str>,
) -> BTreeSet<String> {
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
