//! Words as numbers: what statements are found and compared by.

use std::collections::{HashMap, HashSet};

use crate::words::{is_stop_word, stemmed, words};

/// Stems of one word begin alike, at this length, and differ in few letters at the end.
const FORM_BYTES_MIN: usize = 5;
const FORM_BYTES_MORE: usize = 2;

/// The number of a stem.
pub(crate) type Term = u32;

#[derive(Debug, Default)]
pub(crate) struct Terms {
    numbers: HashMap<String, Term>,
    by_word: HashMap<String, Option<Term>>,
    with_digit: HashSet<Term>,
}

impl Terms {
    /// The terms of a text in its order, new ones added. Stop words are none.
    pub(crate) fn read(&mut self, text: &str) -> Vec<Term> {
        words(text)
            .into_iter()
            .filter_map(|word| self.take(&text[word].to_lowercase()))
            .collect()
    }

    fn take(&mut self, small: &str) -> Option<Term> {
        if let Some(known) = self.by_word.get(small) {
            return *known;
        }
        let term = (!is_stop_word(small)).then(|| {
            let next = Term::try_from(self.numbers.len()).unwrap_or(Term::MAX);
            *self.numbers.entry(stemmed(small)).or_insert(next)
        });
        if small.contains(|char: char| char.is_ascii_digit()) {
            self.with_digit.extend(term);
        }
        self.by_word.insert(small.to_owned(), term);
        term
    }

    /// The terms of a stem: its own, and those of forms that the rules for stems do not bring together, such as `recov`
    /// and `recover`.
    pub(crate) fn find(&self, stem: &str) -> Vec<Term> {
        let is_form = |own: &str| {
            let (short, long) = if own.len() < stem.len() {
                (own, stem)
            } else {
                (stem, own)
            };
            let alike =
                short.len() >= FORM_BYTES_MIN && long.len() - short.len() <= FORM_BYTES_MORE;
            short == long || (alike && long.starts_with(short))
        };
        let all = self.numbers.iter().filter(|(own, _)| is_form(own));
        all.map(|(_, term)| *term).collect()
    }

    pub(crate) fn has_digit(&self, term: Term) -> bool {
        self.with_digit.contains(&term)
    }

    /// The term of a word in small letters, if any statement has it.
    pub(crate) fn get(&self, small: &str) -> Option<Term> {
        self.by_word.get(small).copied().flatten()
    }

    /// The term of a stem exactly as it is.
    pub(crate) fn of_stem(&self, stem: &str) -> Option<Term> {
        self.numbers.get(stem).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }
}
