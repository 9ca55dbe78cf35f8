//! Words as numbers: what statements are found and compared by.

use std::collections::{HashMap, HashSet};

use crate::derivation::bases;
use crate::words::{is_stop_word, one_spelling, stemmed, words};

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
    /// The terms of words by the stem of what they are made from.
    made_from: HashMap<String, Vec<Term>>,
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
            let term = *self.numbers.entry(stem(small)).or_insert(next);
            for root in roots(small) {
                let family = self.made_from.entry(root).or_default();
                if !family.contains(&term) {
                    family.push(term);
                }
            }
            term
        });
        if small.contains(|char: char| char.is_ascii_digit()) {
            self.with_digit.extend(term);
        }
        self.by_word.insert(small.to_owned(), term);
        term
    }

    /// The terms of a text's words in its order; none of stop words.
    pub(crate) fn known(&self, text: &str) -> Vec<Option<Term>> {
        let of = |word: std::ops::Range<usize>| {
            let small = text[word].to_lowercase();
            self.by_word.get(&small).copied().flatten()
        };
        words(text).into_iter().map(of).collect()
    }

    /// The terms of a word in lower case, and of forms that the rules for stems do not bring together, such as `recov` and
    /// `recover`.
    pub(crate) fn find(&self, small: &str) -> Vec<Term> {
        let stem = stem(small);
        let is_form = |own: &str| {
            let (short, long) = if own.len() < stem.len() {
                (own, stem.as_str())
            } else {
                (stem.as_str(), own)
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

    /// The term of exactly this word's stem.
    pub(crate) fn of(&self, small: &str) -> Option<Term> {
        self.numbers.get(&stem(small)).copied()
    }

    /// The terms of the words that are made from this one, or that it is made from.
    pub(crate) fn family(&self, small: &str) -> Vec<Term> {
        let roots = roots(small);
        let families = roots.iter().filter_map(|root| self.made_from.get(root));
        let mut found: Vec<Term> = families.flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }
}

/// The stem of a word, however it is spelled.
pub(crate) fn stem(small: &str) -> String {
    stemmed(&one_spelling(small))
}

/// The stems of a word and of those it is made from.
fn roots(small: &str) -> Vec<String> {
    let mut found = vec![stem(small)];
    found.extend(bases(small).iter().map(|base| stem(base)));
    found.sort_unstable();
    found.dedup();
    found
}
