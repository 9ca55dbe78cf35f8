//! The question's text as terms, in every language that is searched.

use std::collections::BTreeMap;

use crate::found::TermOrigin;
use crate::language::{Language, Stems};
use crate::query::QUERY_WORDS_MAX;
use crate::ranking::Ranking;
use crate::search::Spell;
use crate::search::scope::Scope;
use crate::search::spelling::alike;
use crate::search::words::Term;
use crate::words::{WordKind, for_each_word};

/// The terms of a question, in the order they first come up. Words that say nothing count only where there is nothing else.
pub(crate) fn asked(scope: &Scope<'_>, ranking: &Ranking, text: &str, spell: Spell) -> Vec<Term> {
    let words = words_of(text);
    let stems: Vec<Stems> = scope.languages().into_iter().map(Stems::of).collect();
    let quiet = stop_words_by(&stems, &words);
    let is_quiet = |word: &str| quiet.is_some_and(|stems| stems.is_stop_word(word));
    let silent = words.iter().all(|(word, _)| is_quiet(word));
    let mut counted: Vec<(String, Vec<String>, f64)> = Vec::new();
    for (word, kind) in &words {
        if !silent && is_quiet(word) {
            continue;
        }
        let mut forms: Vec<String> = stems.iter().map(|stems| stems.term(word, *kind)).collect();
        forms.sort_unstable();
        forms.dedup();
        match counted.iter_mut().find(|(_, known, _)| *known == forms) {
            Some((_, _, count)) => *count += 1.0,
            None => counted.push((word.clone(), forms, 1.0)),
        }
    }
    let mut terms = Vec::new();
    for (word, forms, count) in counted {
        let numbers = known(scope, &forms);
        if !numbers.is_empty() {
            terms.push(Term::of(scope, TermOrigin::Asked, word, count, numbers));
        } else if spell == Spell::Alike {
            let weight = count * ranking.spelling_weight;
            terms.extend(alike(scope, &word, &forms, weight));
        }
    }
    terms
}

fn words_of(text: &str) -> Vec<(String, WordKind)> {
    let mut words = Vec::new();
    for_each_word(text, |small, kind| {
        if words.len() < QUERY_WORDS_MAX {
            words.push((small.to_owned(), kind));
        }
    });
    words
}

/// The numbers of those forms that some passage has.
pub(crate) fn known(scope: &Scope<'_>, forms: &[String]) -> Vec<u32> {
    forms
        .iter()
        .filter_map(|form| scope.index.find(form))
        .filter(|number| scope.chunks_with[*number] > 0)
        .filter_map(|number| u32::try_from(number).ok())
        .collect()
}

/// The language whose small words the question has most of: "die" is one in German, and none in English.
fn stop_words_by<'a>(stems: &'a [Stems], words: &[(String, WordKind)]) -> Option<&'a Stems> {
    let mut counts: BTreeMap<Language, (usize, &Stems)> = BTreeMap::new();
    for stems in stems {
        let count = words
            .iter()
            .filter(|(word, _)| stems.is_stop_word(word))
            .count();
        counts.insert(stems.language(), (count, stems));
    }
    // Of equals the first in order.
    let most = counts.values().map(|(count, _)| *count).max()?;
    let (_, stems) = counts.values().find(|(count, _)| *count == most)?;
    Some(stems)
}
