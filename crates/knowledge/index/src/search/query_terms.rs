//! The question's text as terms, in every language that is searched.

use std::collections::BTreeMap;

use crate::language::{Language, Stems};
use crate::query::QUERY_WORDS_MAX;
use crate::ranking::Ranking;
use crate::search::Spell;
use crate::search::scope::Scope;
use crate::search::spelling::similarly_spelled;
use crate::search::words::Term;
use crate::search_result::TermOrigin;
use crate::words::{WordKind, for_each_word};

/// The terms of a question, in the order they first come up. Stop words count only where there is
/// nothing else.
pub(crate) fn query_terms(
    scope: &Scope<'_>,
    ranking: &Ranking,
    text: &str,
    spell: Spell,
) -> Vec<Term> {
    let words = words_of(text);
    let stems: Vec<Stems> = scope.languages().into_iter().map(Stems::new).collect();
    let language = stop_word_language(&stems, &words);
    let is_stop_word = |word: &str| language.is_some_and(|stems| stems.is_stop_word(word));
    let only_stop_words = words.iter().all(|(word, _)| is_stop_word(word));
    let mut counted: Vec<(String, Vec<String>, f64)> = Vec::new();
    for (word, kind) in &words {
        if !only_stop_words && is_stop_word(word) {
            continue;
        }
        let mut forms: Vec<String> = stems.iter().map(|stems| stems.term(word, *kind)).collect();
        forms.sort_unstable();
        forms.dedup();
        match counted
            .iter_mut()
            .find(|(_, counted_forms, _)| *counted_forms == forms)
        {
            Some((_, _, count)) => *count += 1.0,
            None => counted.push((word.clone(), forms, 1.0)),
        }
    }
    let mut terms = Vec::new();
    for (word, forms, count) in counted {
        let numbers = numbers_in_use(scope, &forms);
        if !numbers.is_empty() {
            terms.push(Term::new(scope, TermOrigin::Asked, word, count, numbers));
        } else if spell == Spell::Alike {
            let weight = count * ranking.spelling_weight;
            terms.extend(similarly_spelled(scope, &word, &forms, weight));
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
pub(crate) fn numbers_in_use(scope: &Scope<'_>, forms: &[String]) -> Vec<u32> {
    forms
        .iter()
        .filter_map(|form| scope.index.find(form))
        .filter(|number| scope.chunks_with[*number] > 0)
        .filter_map(|number| u32::try_from(number).ok())
        .collect()
}

/// The language whose stop words the question has most of: "die" is one in German but not in English.
fn stop_word_language<'a>(stems: &'a [Stems], words: &[(String, WordKind)]) -> Option<&'a Stems> {
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
