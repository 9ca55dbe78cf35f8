//! Holds lists against samples.

use std::collections::BTreeSet;
use std::fmt;

use crate::WordList;
use crate::english::{Band, English};
use crate::samples::{Sample, Visibility};
use crate::scopes::{Compared, Scope};
use crate::words::{is_telling, stem, words};

/// An uncommon word that a sample has this often is one of its subject.
const SUBJECT_MIN: usize = 10;
/// So many uncommon words of one sample in a list, and this share of the list, are no accident.
const TOGETHER_MIN: usize = 3;
const TOGETHER_SHARE: f64 = 0.08;
/// A phrase that one sample has this often and no other has was read there.
const PHRASE_MIN: usize = 3;

/// Why a word may not stand in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Name,
    Word,
    Phrase,
}

/// Words of one list that mirror one sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    pub file: String,
    pub line: usize,
    pub list: String,
    pub sample: String,
    pub visibility: Visibility,
    pub words: Vec<(Kind, String)>,
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            list,
            sample,
            ..
        } = self;
        write!(f, "{file}:{line} {list} mirrors samples/{sample}: ")?;
        match self.visibility {
            Visibility::Unseen => write!(f, "{} (unseen, so not shown)", self.words.len()),
            Visibility::Open => {
                let shown = self.words.iter().map(|(kind, word)| match kind {
                    Kind::Name => format!("{word} (name)"),
                    Kind::Word => word.clone(),
                    Kind::Phrase => format!("\"{word}\""),
                });
                write!(f, "{}", shown.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Every list with words that mirror a sample.
pub fn leaks(
    lists: &[WordList],
    scopes: &[Scope],
    samples: &[Sample],
    english: &English,
) -> Vec<Leak> {
    let mut found = Vec::new();
    for list in lists {
        let mut own = scopes.iter();
        let scope = own.find(|scope| scope.covers(&list.file, &list.name));
        let compared = scope.map_or(Compared::WordsAndNames, |scope| scope.compared);
        if compared == Compared::Nothing {
            continue;
        }
        let excepted = scope
            .map(|scope| scope.except.as_slice())
            .unwrap_or_default();
        for sample in samples {
            let mut mirrored = names(list, sample);
            if compared == Compared::WordsAndNames {
                let others = samples.iter().filter(|at| at.name != sample.name);
                mirrored.extend(of_the_subject(
                    list,
                    sample,
                    &others.collect::<Vec<_>>(),
                    english,
                ));
            }
            mirrored.retain(|(_, word)| !excepted.contains(word));
            if !mirrored.is_empty() {
                found.push(Leak {
                    file: list.file.clone(),
                    line: list.line,
                    list: list.name.clone(),
                    sample: sample.name.clone(),
                    visibility: sample.visibility,
                    words: mirrored.into_iter().collect(),
                });
            }
        }
    }
    found
}

fn names(list: &WordList, sample: &Sample) -> BTreeSet<(Kind, String)> {
    let all = list.entries.iter().flat_map(|entry| words(entry));
    all.filter(|word| sample.names(word))
        .map(|word| (Kind::Name, word.to_lowercase()))
        .collect()
}

/// Words and phrases that no other sample has. One that is rare in English or frequent in the sample is enough; of others
/// it takes several in one list.
fn of_the_subject(
    list: &WordList,
    sample: &Sample,
    others: &[&Sample],
    english: &English,
) -> BTreeSet<(Kind, String)> {
    let mut sure = BTreeSet::new();
    let mut weak = BTreeSet::new();
    let all: BTreeSet<String> = list
        .entries
        .iter()
        .flat_map(|entry| words(entry))
        .filter(|word| is_telling(word))
        .map(str::to_lowercase)
        .collect();
    for word in &all {
        let stem = stem(word);
        let count = sample.count(&stem);
        let band = english.band(&stem);
        if count == 0 || band == Band::Common || others.iter().any(|at| at.count(&stem) > 0) {
            continue;
        }
        let found = match band == Band::Rare || count >= SUBJECT_MIN {
            true => &mut sure,
            false => &mut weak,
        };
        found.insert((Kind::Word, word.clone()));
    }
    for entry in &list.entries {
        let parts = words(entry);
        // A unit such as mmol/L is no phrase, and `of those` is in every text.
        let says = parts.iter().all(|word| word.len() > 1)
            && parts.iter().any(|word| !english.is_function_word(word));
        let phrase = parts.join(" ").to_lowercase();
        let count = if says {
            sample.count_phrase(&phrase)
        } else {
            0
        };
        if count == 0 || others.iter().any(|at| at.count_phrase(&phrase) > 0) {
            continue;
        }
        let found = match count >= PHRASE_MIN {
            true => &mut sure,
            false => &mut weak,
        };
        found.insert((Kind::Phrase, phrase));
    }
    let together = sure.len() + weak.len();
    if together >= TOGETHER_MIN && together as f64 >= TOGETHER_SHARE * all.len() as f64 {
        sure.append(&mut weak);
    }
    sure
}
