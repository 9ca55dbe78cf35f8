//! Where the documents report that something was done, or that it was not.

use std::collections::HashMap;
use std::ops::Range;

use adjutant_text::bm25::inverse_document_frequency;
use adjutant_text::dates::Date;

use crate::irregular::usual_form;
use crate::reading::Reading;
use crate::statement::StatementForm;
use crate::terms::Term;
use crate::tokens::{Token, is_denial, is_participle, tokens};
use crate::verbs::{is_act, is_writing as is_writing_word};
use crate::words::{is_stop_word, stemmed, words};

/// Words that say that something is not done yet.
const PENDING: &[&str] = &[
    "outstanding",
    "pending",
    "missing",
    "overdue",
    "awaited",
    "open",
    "planned",
    "expected",
    "intended",
    "yet",
    "still",
    "due",
    "requested",
    "asked",
    "missed",
    "if",
    "announced",
    "drafted",
];
/// Verbs of the one who gets it, or of the thing itself.
const ARRIVED: &[&str] = &[
    "received", "arrived", "came", "begun", "began", "done", "took", "got", "closed",
];
const FUTURE: &[&str] = &[
    "will", "shall", "must", "should", "would", "could", "might", "may", "can", "please",
];
const PREPOSITIONS: &[&str] = &[
    "with",
    "of",
    "for",
    "on",
    "in",
    "to",
    "by",
    "at",
    "from",
    "including",
    "that",
    "which",
];
/// Verbs that say only that something is done.
const LIGHT: &[&str] = &[
    "take", "takes", "taken", "place", "hold", "held", "carry", "carried", "put", "set", "give",
    "given", "make", "made",
];
/// Which share of an act's words another statement must have to be about it.
const SAME_ACT: f64 = 0.62;
const SAME_ACT_DENIED: f64 = 0.5;
/// Which share of them a document's title must have.
const SAME_WRITING: f64 = 0.6;
/// Fewer words are not enough to know an act by.
const WORDS_MIN: usize = 2;
const SENTENCE_WORDS: usize = 40;
/// A term that more statements have does not help to find any.
const COMMON: usize = 400;

/// The words of an act, with what each weighs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Act {
    pub(crate) terms: Vec<(Term, f64)>,
    pub(crate) total: f64,
    is_writing: bool,
    /// How many of the terms come before the first preposition.
    head: usize,
}

/// What statements a term is in.
pub(crate) type Places = HashMap<Term, Vec<usize>>;

impl Reading<'_> {
    /// The words of a range of a document, without those that carry no meaning and those of `without`.
    pub(crate) fn act(&self, document: usize, what: &Range<usize>, without: &str) -> Act {
        let text = self.range(document, what);
        let of_owner: Vec<String> = words(without)
            .into_iter()
            .map(|word| without[word].to_lowercase())
            .collect();
        let mut terms: Vec<(Term, f64)> = Vec::new();
        let mut is_writing = false;
        let mut head = None;
        let dates = crate::due::dates_in(text, &tokens(text), self.facts[document].date);
        for word in words(text) {
            let small = text[word.clone()].to_lowercase();
            let of_date = dates.iter().any(|(span, _)| span.contains(&word.start));
            if head.is_none() && !terms.is_empty() && PREPOSITIONS.contains(&small.as_str()) {
                head = Some(terms.len());
            }
            if is_stop_word(&small) || of_owner.contains(&small) || of_date {
                continue;
            }
            // The verb that hands it over is no part of the thing.
            if terms.is_empty() && is_act(&small) && !is_writing_word(&small)
                || LIGHT.contains(&small.as_str())
            {
                continue;
            }
            is_writing |= head.is_none() && is_writing_word(&small);
            if let Some(term) = self.terms.of_stem(&stemmed(&small))
                && terms.iter().all(|(known, _)| *known != term)
            {
                let weight = inverse_document_frequency(
                    self.spread[term as usize].max(1),
                    self.statements.len(),
                );
                terms.push((term, weight));
            }
        }
        let total = terms.iter().map(|(_, weight)| weight).sum();
        Act {
            head: head.unwrap_or(terms.len()),
            terms,
            total,
            is_writing,
        }
    }

    /// Where the terms of these acts stand.
    pub(crate) fn places(&self, acts: &[Act]) -> Places {
        let mut places: Places = acts
            .iter()
            .flat_map(|act| act.terms.iter().map(|(term, _)| (*term, Vec::new())))
            .collect();
        for (at, indexed) in self.indexed.iter().enumerate() {
            for term in &indexed.own {
                if let Some(list) = places.get_mut(term) {
                    list.push(at);
                }
            }
        }
        places
    }

    /// The statements that have much of an act's words, with the share they have.
    pub(crate) fn about(&self, act: &Act, places: &Places) -> Vec<(usize, f64)> {
        let mut shares: HashMap<usize, (f64, usize)> = HashMap::new();
        for (term, weight) in &act.terms {
            let list = places.get(term).map_or(&[][..], Vec::as_slice);
            let is_common = list.len() > COMMON;
            for at in list {
                if is_common && !shares.contains_key(at) {
                    continue;
                }
                let share = shares.entry(*at).or_default();
                *share = (share.0 + weight, share.1 + 1);
            }
        }
        let needed = WORDS_MIN.min(act.terms.len());
        let near = shares
            .into_iter()
            .filter(|(_, (_, count))| *count >= needed);
        let mut found: Vec<(usize, f64)> = near
            .map(|(at, (sum, _))| (at, sum / act.total.max(f64::MIN_POSITIVE)))
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    /// The statement that reports an act as done, after the day it was promised and not later than `today`.
    pub(crate) fn done(
        &self,
        act: &Act,
        places: &Places,
        promised: &[usize],
        since: Option<Date>,
        today: Date,
    ) -> Option<usize> {
        if act.terms.len() < WORDS_MIN {
            return None;
        }
        let about = self.about(act, places);
        let in_time = |document: usize| {
            self.facts[document]
                .date
                .is_some_and(|date| since.is_none_or(|since| date >= since) && date <= today)
        };
        let other = |at: usize| {
            !promised
                .iter()
                .any(|own| self.statements[*own].document == self.statements[at].document)
        };
        let later = about
            .iter()
            .filter(|(at, _)| in_time(self.statements[*at].document) && other(*at));
        let denied = later
            .clone()
            .filter(|(at, share)| *share >= SAME_ACT_DENIED && is_denied(self.text(*at)));
        let last_denied = denied
            .filter_map(|(at, _)| self.facts[self.statements[*at].document].date)
            .max();
        let after_denial = |document: usize| {
            last_denied
                .is_none_or(|denied| self.facts[document].date.is_some_and(|date| date > denied))
        };
        let reported = later.clone().find(|(at, share)| {
            let statement = &self.statements[*at];
            let is_sentence = self.indexed[*at].words <= SENTENCE_WORDS;
            *share >= SAME_ACT
                && act.terms.len() > WORDS_MIN
                && is_sentence
                && statement.form != StatementForm::Row
                && is_reported(self.text(*at))
                && after_denial(statement.document)
                && !self.is_of_rules(statement.document)
        });
        let written = self
            .written(act, promised, since, today)
            .filter(|at| after_denial(self.statements[*at].document));
        written.or(reported.map(|(at, _)| *at))
    }

    /// The first statement of the document that was promised.
    fn written(
        &self,
        act: &Act,
        promised: &[usize],
        since: Option<Date>,
        today: Date,
    ) -> Option<usize> {
        if !act.is_writing {
            return None;
        }
        let telling = self.telling_terms(promised);
        let beside =
            |document: usize| self.terms_shared(&self.titles[document], telling.iter().copied());
        let is_later = |document: &usize| {
            self.facts[*document]
                .date
                .is_some_and(|date| since.is_some_and(|since| date > since) && date <= today)
        };
        let is_other = |document: &usize| {
            promised
                .iter()
                .all(|own| self.statements[*own].document != *document)
        };
        let best = (0..self.given.len())
            .filter(is_later)
            .filter(is_other)
            .map(|document| (document, self.title_share(act, document, beside(document))));
        // The nearest in subject, then the first in time.
        let best = best.filter(|(_, share)| *share >= SAME_WRITING);
        let best = best
            .max_by(|a, b| {
                a.1.total_cmp(&b.1)
                    .then(beside(a.0).cmp(&beside(b.0)))
                    .then(self.facts[b.0].date.cmp(&self.facts[a.0].date))
            })?
            .0;
        // Statements stand in the order of their documents.
        let first = self.statements.partition_point(|own| own.document < best);
        let end = self.statements.partition_point(|own| own.document <= best);
        let own = (first..end).filter(|at| !self.text(*at).starts_with("From:"));
        let held = |at: usize| {
            self.terms_shared(
                &self.indexed[at].own,
                act.terms.iter().map(|(term, _)| *term),
            )
        };
        own.max_by(|a, b| held(*a).cmp(&held(*b)).then(b.cmp(a)))
    }

    /// How many of some terms a list has.
    fn terms_shared(&self, list: &[Term], terms: impl Iterator<Item = Term>) -> usize {
        terms
            .filter(|term| list.binary_search(term).is_ok())
            .count()
    }

    /// The terms of the title of a promise's document that few titles have: they tell what it is about.
    fn telling_terms(&self, promised: &[usize]) -> Vec<Term> {
        let few = (self.titles.len() / 5).max(WORDS_MIN);
        let is_telling = |term: &Term| {
            let with = self.titles.iter();
            with.filter(|title| title.binary_search(term).is_ok())
                .count()
                <= few
        };
        let source = promised.first().map(|own| self.statements[*own].document);
        let title = source.map_or(&[][..], |source| self.titles[source].as_slice());
        title.iter().copied().filter(is_telling).collect()
    }

    /// Which share of a promised writing the title of a document has, 1 if it names the writing.
    fn title_share(&self, act: &Act, document: usize, beside: usize) -> f64 {
        let title = &self.titles[document];
        let held = act.terms.iter();
        let held = held.filter(|(term, _)| title.binary_search(term).is_ok());
        let (sum, count) = held.fold((0.0, 0), |(sum, count), (_, weight)| {
            (sum + weight, count + 1)
        });
        let head = &act.terms[..act.head];
        let of_head = self.terms_shared(title, head.iter().map(|(term, _)| *term));
        // `a forecast of cost with low and high values`: a title names the thing, not all that is wanted of it.
        let is_named = of_head >= WORDS_MIN && of_head * 3 >= head.len() * 2;
        // `written response`: that of the same matter.
        let is_same_matter = act.terms.len() <= WORDS_MIN && of_head >= 1 && beside >= WORDS_MIN;
        match () {
            () if is_named || is_same_matter => 1.0,
            () if count >= WORDS_MIN => sum / act.total,
            () => 0.0,
        }
    }
}

/// Whether a statement tells what was done: in the past or perfect, without a denial.
pub(crate) fn is_reported(text: &str) -> bool {
    let all = tokens(text);
    let any = |list: &[&str]| all.iter().any(|word| list.contains(&word.small.as_str()));
    let past = |at: usize| {
        let word = all[at].small.as_str();
        let before = at.checked_sub(1).map_or("", |at| all[at].small.as_str());
        let is_past = word.ends_with("ed") && word.len() > 4 || usual_form(word) != word;
        is_past && before != "be" && (is_act(word) || ARRIVED.contains(&word))
            || is_participle(word) && matches!(before, "was" | "were" | "been")
    };
    let told = (0..all.len()).any(past);
    told && !any(PENDING) && !any(FUTURE) && !denies(&all) && !text.trim_end().ends_with('?')
}

/// Whether a statement says that something has not been done or is not there.
pub(crate) fn is_denied(text: &str) -> bool {
    let all = tokens(text);
    let says = |word: &Token| {
        matches!(
            word.small.as_str(),
            "outstanding" | "pending" | "missing" | "overdue" | "yet" | "awaited"
        )
    };
    (denies(&all) || all.iter().any(says)) && !text.trim_end().ends_with('?')
}

fn denies(all: &[Token]) -> bool {
    all.iter()
        .any(|word| is_denial(&word.small) && word.small != "without" && word.small != "cannot")
}
