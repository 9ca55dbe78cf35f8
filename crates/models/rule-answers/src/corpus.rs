//! The given sources as sentences that can be searched. What a sentence is about is told by the stems of its words.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use adjutant_questions::{Evidence, Source};
use adjutant_text::bm25::{Bm25, inverse_document_frequency, log_frequency};

use crate::aliases::Aliases;
use crate::document_id::document_id;
use crate::kindred::kindred;
use crate::strengths::{Strength, strengths};
use crate::text::{Stems, Word, after_label, is_stop_word, one_line, sentences, states, words};

/// How sources are ranked; the usual values are 1.2 and 0.75. These, and the three weights below, were chosen by hand
/// while looking at some questions of the Cranfield collection: `examples/cranfield.rs` measures them, and
/// `docs/measurements.md` has the result.
const SOURCE_BM25: Bm25 = Bm25 {
    saturation: 1.4,
    length_penalty: 0.6,
};
/// How much a longer sentence counts less. A word counts once however often a sentence has it.
const SENTENCE_LENGTH_PENALTY: f64 = 0.3;
/// What the source of a sentence counts beside the sentence itself.
const SOURCE_WEIGHT: f64 = 1.5;
/// The rarity from which on a word has its full weight of 2.
const RARITY_MAX: f64 = 4.0;
/// From this weight on, few enough sentences have a word for it to say something by itself.
const RARE_MIN: f64 = 1.35;

/// Shorter words are no names of products; what more documents have is no name of one's own.
const NAME_CHARS_MIN: usize = 8;
const OWN_DOCUMENTS_SHARE: usize = 6;
/// How much a word counts that only stands above a sentence.
const ABOVE: f64 = 0.5;

/// What a sentence begins with that speaks of something before it.
const POINTING_BACK: &[&str] = &[
    "both", "he", "her", "his", "it", "its", "she", "such", "that", "their", "these", "they",
    "this", "those",
];

pub(crate) struct Sentence {
    pub(crate) source: usize,
    pub(crate) span: Range<usize>,
    /// Each stem once, in order.
    terms: Vec<u32>,
}

pub(crate) struct Corpus<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) sentences: Vec<Sentence>,
    /// Which sentences are a source's.
    ranges: Vec<Range<usize>>,
    numbers: HashMap<String, u32>,
    /// In how many sentences, and in how many sources, a stem is.
    in_sentences: Vec<u32>,
    in_sources: Vec<u32>,
    /// How often a source has a stem, in title and text.
    counts: Vec<BTreeMap<u32, u32>>,
    /// How many words of a source say something.
    lengths: Vec<f64>,
    titles: Vec<BTreeSet<u32>>,
    aliases: Aliases,
    /// Stems of words that are long enough for a name.
    long: BTreeSet<u32>,
    /// Those of them that stand in a title and that few documents have.
    rare_names: BTreeSet<u32>,
    pub(crate) stems: Stems,
}

/// Something looked for.
pub(crate) struct Query {
    pub(crate) terms: Vec<QueryTerm>,
}

pub(crate) struct QueryTerm {
    /// As it was written.
    pub(crate) word: String,
    stem: String,
    /// The stem and its kindred, as far as the sources have them.
    any_of: Vec<u32>,
    /// The sentences that have it, where stems do not tell: those of `5 mg` and of `40 mg` are half the same.
    only_in: Option<BTreeSet<usize>>,
    /// From 1, what all sentences have, to 2, what few have.
    weight: f64,
    rarity: f64,
    source_rarity: f64,
}

impl<'a> Corpus<'a> {
    pub(crate) fn read(sources: &'a [Source]) -> Self {
        let mut corpus = Self {
            sources,
            sentences: Vec::new(),
            ranges: Vec::new(),
            numbers: HashMap::new(),
            in_sentences: Vec::new(),
            in_sources: Vec::new(),
            counts: Vec::new(),
            lengths: Vec::new(),
            titles: Vec::new(),
            aliases: Aliases::read(sources.iter().map(|at| at.text.as_str())),
            long: BTreeSet::new(),
            rare_names: BTreeSet::new(),
            stems: Stems::new(),
        };
        for (at, source) in sources.iter().enumerate() {
            corpus.read_source(at, source);
        }
        corpus.rare_names = corpus.find_rare_names();
        corpus
    }

    fn read_source(&mut self, at: usize, source: &Source) {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        let mut title = BTreeSet::new();
        for term in self.terms_of(&source.title) {
            title.insert(term);
            *counts.entry(term).or_default() += 1;
        }
        let first = self.sentences.len();
        for span in sentences(&source.text) {
            let mut terms = self.terms_of(&source.text[span.clone()]);
            for term in &terms {
                *counts.entry(*term).or_default() += 1;
            }
            terms.sort_unstable();
            terms.dedup();
            for term in &terms {
                self.in_sentences[*term as usize] += 1;
            }
            self.sentences.push(Sentence {
                source: at,
                span,
                terms,
            });
        }
        self.ranges.push(first..self.sentences.len());
        for term in counts.keys() {
            self.in_sources[*term as usize] += 1;
        }
        let length = counts.values().map(|count| f64::from(*count)).sum();
        self.lengths.push(length);
        self.counts.push(counts);
        self.titles.push(title);
    }

    /// The numbers of a text's stems, as often as they stand in it, new ones added.
    fn terms_of(&mut self, text: &str) -> Vec<u32> {
        let mut terms = Vec::new();
        for word in words(text) {
            let small = word.text.to_lowercase();
            if is_stop_word(&small) {
                continue;
            }
            let stem = self.stems.stem(&small);
            let number = match self.numbers.get(stem) {
                Some(number) => *number,
                None => {
                    let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
                    self.numbers.insert(stem.to_owned(), number);
                    self.in_sentences.push(0);
                    self.in_sources.push(0);
                    if small.chars().all(char::is_alphabetic)
                        && small.chars().count() >= NAME_CHARS_MIN
                    {
                        self.long.insert(number);
                    }
                    number
                }
            };
            terms.push(number);
        }
        terms
    }

    fn find_rare_names(&self) -> BTreeSet<u32> {
        let document = |source: usize| document_id(&self.sources[source].id);
        let documents: BTreeSet<&str> = (0..self.sources.len()).map(document).collect();
        // Of a few documents nobody can tell what is rare.
        let documents_max = documents.len() / OWN_DOCUMENTS_SHARE;
        let in_titles: BTreeSet<u32> = self.titles.iter().flatten().copied().collect();
        let is_rare = |name: &u32| {
            let having: BTreeSet<&str> = (0..self.sources.len())
                .filter(|source| self.counts[*source].contains_key(name))
                .map(document)
                .collect();
            having.len() <= documents_max
        };
        let names = in_titles.intersection(&self.long).copied();
        names.filter(is_rare).collect()
    }

    /// The sentences of a source.
    pub(crate) fn sentences_of_source(&self, source: usize) -> Range<usize> {
        self.ranges[source].clone()
    }

    pub(crate) fn text(&self, at: usize) -> &'a str {
        let sentence = &self.sentences[at];
        &self.sources[sentence.source].text[sentence.span.clone()]
    }

    pub(crate) fn source_of(&self, at: usize) -> &'a Source {
        &self.sources[self.sentences[at].source]
    }

    /// A sentence and, if there is one, the sentence before it in the same paragraph.
    pub(crate) fn with_previous_sentence(&self, at: usize) -> &'a str {
        let sentence = &self.sentences[at];
        let text = &self.sources[sentence.source].text;
        if at == self.ranges[sentence.source].start {
            return self.text(at);
        }
        let before = self.sentences[at - 1].span.clone();
        match text[before.end..sentence.span.start].contains("\n\n") {
            true => self.text(at),
            false => &text[before.start..sentence.span.end],
        }
    }

    pub(crate) fn line(&self, at: usize) -> String {
        one_line(self.text(at))
    }

    pub(crate) fn evidence(&self, at: usize) -> Evidence {
        Evidence {
            source: self.sources[self.sentences[at].source].id.clone(),
            quote: self.text(at).to_owned(),
        }
    }

    /// The sentence so that it stands on its own.
    pub(crate) fn self_contained_line(&self, at: usize) -> String {
        let source = self.sentences[at].source;
        one_line(&self.sources[source].text[self.self_contained_span(at)])
    }

    pub(crate) fn self_contained_evidence(&self, at: usize) -> Evidence {
        let source = &self.sources[self.sentences[at].source];
        Evidence {
            source: source.id.clone(),
            quote: source.text[self.self_contained_span(at)].to_owned(),
        }
    }

    /// The sentence that a passage is, or ends with.
    pub(crate) fn sentence_of(&self, evidence: &Evidence) -> Option<usize> {
        let source = self
            .sources
            .iter()
            .position(|at| at.id == evidence.source)?;
        let mut own = self.sentences_of_source(source);
        own.find(|at| evidence.quote.ends_with(after_label(self.text(*at))))
    }

    /// What is looked for: each word of the text that says something, once.
    pub(crate) fn query(&mut self, text: &str) -> Query {
        let mut seen = BTreeSet::new();
        let mut terms = Vec::new();
        let all = words(text);
        let strengths = strengths(text, &all);
        for (at, word) in all.iter().enumerate() {
            let small = word.text.to_lowercase();
            if is_stop_word(&small) {
                continue;
            }
            let strength = strengths.iter().find(|of| (of.from..of.to).contains(&at));
            if let Some(strength) = strength {
                let written = &text[all[strength.from].start..all[strength.to - 1].end];
                if seen.insert(format!("{} {}", strength.value, strength.unit)) {
                    terms.push(self.strength_term(written, strength));
                }
                continue;
            }
            let stem = self.stems.stem(&small).to_owned();
            if seen.insert(stem.clone()) {
                terms.push(self.query_term(word, &stem));
            }
        }
        Query { terms }
    }

    fn query_term(&mut self, word: &Word<'_>, stem: &str) -> QueryTerm {
        let also = self.aliases.other_names(word.text);
        let also: Vec<String> = also.map(|name| self.stems.stem(name).to_owned()).collect();
        let mut any_of: Vec<u32> = [stem]
            .into_iter()
            .chain(kindred(stem))
            .chain(also.iter().map(String::as_str))
            .filter_map(|stem| self.numbers.get(stem).copied())
            .collect();
        any_of.sort_unstable();
        any_of.dedup();
        let spread = |of: &[u32]| any_of.iter().map(|term| of[*term as usize]).sum();
        let rarity = inverse_document_frequency(spread(&self.in_sentences), self.sentences.len());
        QueryTerm {
            word: word.text.to_owned(),
            stem: stem.to_owned(),
            weight: weight(rarity),
            rarity,
            source_rarity: inverse_document_frequency(spread(&self.in_sources), self.sources.len()),
            any_of,
            only_in: None,
        }
    }

    fn strength_term(&self, written: &str, asked: &Strength) -> QueryTerm {
        let given = |at: &usize| {
            let text = self.text(*at);
            let mut given = strengths(text, &words(text)).into_iter();
            given.any(|at| at.value == asked.value && at.unit == asked.unit)
        };
        let only_in: BTreeSet<usize> = (0..self.sentences.len()).filter(given).collect();
        let sources: BTreeSet<usize> = only_in
            .iter()
            .map(|at| self.sentences[*at].source)
            .collect();
        let count = |set: &BTreeSet<usize>| u32::try_from(set.len()).unwrap_or(u32::MAX);
        let rarity = inverse_document_frequency(count(&only_in), self.sentences.len());
        QueryTerm {
            word: written.to_owned(),
            stem: format!("{} {}", asked.value, asked.unit),
            weight: weight(rarity),
            rarity,
            source_rarity: inverse_document_frequency(count(&sources), self.sources.len()),
            any_of: Vec::new(),
            only_in: Some(only_in),
        }
    }

    /// Which share of what is looked for a sentence has.
    pub(crate) fn coverage(&self, query: &Query, at: usize) -> f64 {
        let all: f64 = query.terms.iter().map(|term| term.weight).sum();
        let has: f64 = query
            .terms
            .iter()
            .filter(|term| self.has(term, at))
            .map(|term| term.weight)
            .sum();
        if all > 0.0 { has / all } else { 0.0 }
    }

    /// The same, where what only stands above a sentence, in its title, counts for less.
    pub(crate) fn coverage_with_title(&self, query: &Query, at: usize) -> f64 {
        let source = self.sentences[at].source;
        let all: f64 = query.terms.iter().map(|term| term.weight).sum();
        let has = query.terms.iter().map(|term| match self.has(term, at) {
            true => term.weight,
            false if self.title_has(term, source) => term.weight * ABOVE,
            false => 0.0,
        });
        if all > 0.0 {
            has.sum::<f64>() / all
        } else {
            0.0
        }
    }

    pub(crate) fn has(&self, term: &QueryTerm, at: usize) -> bool {
        if let Some(only_in) = &term.only_in {
            return only_in.contains(&at);
        }
        let terms = &self.sentences[at].terms;
        term.any_of
            .iter()
            .any(|any| terms.binary_search(any).is_ok())
    }

    pub(crate) fn title_has(&self, term: &QueryTerm, source: usize) -> bool {
        term.any_of
            .iter()
            .any(|any| self.titles[source].contains(any))
    }

    /// The documents, given in passages or whole, that have one of the names of what is looked for; all if none does.
    pub(crate) fn documents_naming(&self, query: &Query, opening: &str) -> BTreeSet<&'a str> {
        let named = |term: &&QueryTerm| {
            term.word.starts_with(char::is_uppercase)
                && !opening.trim_start().starts_with(&term.word)
        };
        let names: Vec<&QueryTerm> = query.terms.iter().filter(named).collect();
        let has = |source: usize| {
            let mut any = names.iter().flat_map(|term| &term.any_of);
            any.any(|term| self.counts[source].contains_key(term))
        };
        let all = || 0..self.sources.len();
        let on: BTreeSet<&str> = all()
            .filter(|source| has(*source))
            .map(|source| document_id(&self.sources[source].id))
            .collect();
        match on.is_empty() {
            true => all()
                .map(|source| document_id(&self.sources[source].id))
                .collect(),
            false => on,
        }
    }

    pub(crate) fn every_source_has(&self, term: &QueryTerm) -> bool {
        let mut any = term.any_of.iter();
        any.any(|any| self.sources_with(*any) as usize == self.sources.len())
    }

    /// Sentences that have something of what is looked for, best first.
    pub(crate) fn search(&self, query: &Query) -> Vec<(usize, f64)> {
        let mean = self.lengths.iter().sum::<f64>() / (self.lengths.len() as f64).max(1.0);
        let of_sources: Vec<f64> = (0..self.sources.len())
            .map(|source| self.source_score(query, source, mean))
            .collect();
        let total: usize = self.sentences.iter().map(|at| at.terms.len()).sum();
        let mean = total as f64 / (self.sentences.len() as f64).max(1.0);
        let mut found: Vec<(usize, f64)> = Vec::new();
        for (at, sentence) in self.sentences.iter().enumerate() {
            let has = query.terms.iter().filter(|term| self.has(term, at));
            let sum: f64 = has.map(|term| term.rarity).sum();
            if sum > 0.0 {
                let length = sentence.terms.len() as f64 / mean.max(1.0);
                let own = sum / (1.0 - SENTENCE_LENGTH_PENALTY + SENTENCE_LENGTH_PENALTY * length);
                found.push((at, own + SOURCE_WEIGHT * of_sources[sentence.source]));
            }
        }
        found.sort_by(best_first);
        found
    }

    fn source_score(&self, query: &Query, source: usize, mean: f64) -> f64 {
        let norm = SOURCE_BM25.length_norm(self.lengths[source], mean.max(1.0));
        let score = query.terms.iter().map(|term| {
            let count = match &term.only_in {
                Some(only_in) => only_in.range(self.sentences_of_source(source)).count() as f64,
                None => {
                    let any = term.any_of.iter();
                    let counts = any.filter_map(|any| self.counts[source].get(any));
                    f64::from(counts.sum::<u32>())
                }
            };
            SOURCE_BM25.score(term.source_rarity, count, norm)
        });
        score.sum()
    }

    /// How many stems two sentences share.
    pub(crate) fn shared_stems(&self, a: usize, b: usize) -> usize {
        let (a, b) = (&self.sentences[a].terms, &self.sentences[b].terms);
        a.iter()
            .filter(|term| b.binary_search(term).is_ok())
            .count()
    }

    /// The sentence, with the one before it if it speaks of something named there.
    pub(crate) fn self_contained_span(&self, at: usize) -> Range<usize> {
        let sentence = &self.sentences[at];
        let text = &self.sources[sentence.source].text;
        let mut own = sentence.span.clone();
        own.start = own.end - after_label(&text[own.clone()]).len();
        if !points_back(&text[own.clone()]) || at == self.ranges[sentence.source].start {
            return own;
        }
        let before = self.sentences[at - 1].span.clone();
        let together = !text[before.end..own.start].contains("\n\n");
        let stands = states(&text[before.clone()]) && !points_back(&text[before.clone()]);
        match together && stands {
            true => before.start..own.end,
            false => own,
        }
    }

    pub(crate) fn points_back(&self, at: usize) -> bool {
        let sentence = &self.sentences[at];
        let span = self.self_contained_span(at);
        points_back(&self.sources[sentence.source].text[span])
    }

    /// How much two sentences have in common: 1 if they have the same stems.
    pub(crate) fn likeness(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (&self.sentences[a].terms, &self.sentences[b].terms);
        let both = a
            .iter()
            .filter(|term| b.binary_search(term).is_ok())
            .count();
        let either = a.len() + b.len() - both;
        if either == 0 {
            1.0
        } else {
            both as f64 / either as f64
        }
    }

    /// Long words that a sentence shares with its title, and hardly any other document has: what that one is on. Not
    /// those that are asked about.
    pub(crate) fn own_names(&self, at: usize, asked: &Query) -> BTreeSet<u32> {
        let sentence = &self.sentences[at];
        let asked_for = |term: &u32| asked.terms.iter().any(|at| at.any_of.contains(term));
        let named = sentence.terms.iter().copied();
        named
            .filter(|term| self.titles[sentence.source].contains(term))
            .filter(|term| self.rare_names.contains(term) && !asked_for(term))
            .collect()
    }

    /// Each source's stems and how much they say: frequent in it, rare elsewhere.
    pub(crate) fn weights(&self, source: usize) -> BTreeMap<u32, f64> {
        let weights = self.counts[source].iter().map(|(term, count)| {
            let rarity =
                inverse_document_frequency(self.in_sources[*term as usize], self.sources.len());
            (*term, log_frequency(f64::from(*count)) * rarity)
        });
        weights.collect()
    }

    pub(crate) fn sources_with(&self, term: u32) -> u32 {
        self.in_sources[term as usize]
    }

    pub(crate) fn sentence_terms(&self, at: usize) -> &[u32] {
        &self.sentences[at].terms
    }

    pub(crate) fn stem_number(&self, stem: &str) -> Option<u32> {
        self.numbers.get(stem).copied()
    }
}

impl QueryTerm {
    /// Whether few enough sentences have it for it to say something by itself.
    pub(crate) fn is_rare(&self) -> bool {
        self.weight >= RARE_MIN
    }
}

impl Query {
    /// Whether any word of it but the first is written as names are.
    pub(crate) fn has_names(&self) -> bool {
        let mut behind = self.terms.iter().skip(1);
        behind.any(|term| term.word.starts_with(char::is_uppercase))
    }

    pub(crate) fn has(&self, term: &QueryTerm) -> bool {
        self.terms.iter().any(|own| own.stem == term.stem)
    }

    pub(crate) fn has_stem(&self, stem: &str) -> bool {
        self.terms.iter().any(|own| own.stem == stem)
    }

    /// The words no sentence of these has.
    pub(crate) fn missing(&self, corpus: &Corpus<'_>, sentences: &[usize]) -> Vec<&str> {
        let missing = self.terms.iter().filter(|term| {
            let mut among = sentences.iter();
            !among.any(|at| corpus.has(term, *at))
        });
        missing.map(|term| term.word.as_str()).collect()
    }
}

/// Whether a sentence begins with a word for something that was named before it.
fn points_back(text: &str) -> bool {
    let first = words(text).into_iter().next();
    first.is_some_and(|word| POINTING_BACK.contains(&word.text.to_lowercase().as_str()))
}

fn weight(rarity: f64) -> f64 {
    1.0 + rarity.min(RARITY_MAX) / RARITY_MAX
}

pub(crate) fn best_first(a: &(usize, f64), b: &(usize, f64)) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}
