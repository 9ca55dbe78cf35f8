//! Each document in at most three sentences of its own: those that say most of what it is about and bear on the question, in the
//! order in which they stand; with its kind, its date and its version, where it says them.

mod version;

use std::collections::BTreeMap;

use adjutant_questions::{DocumentSummary, Source, Summarize, Summarized};

use crate::bearing::{Bearing, sure_of};
use crate::corpus::Corpus;
use crate::document_id::document_id;
use crate::text::{dates_in, one_line, states};
pub(super) use version::version;

const SENTENCES_MAX: usize = 3;
/// A longer sentence is a list.
const SENTENCE_CHARS_MAX: usize = 420;
/// What it counts that a sentence bears on the question, and that it opens its document.
const OF_RELEVANCE: f64 = 1.0;
const OF_OPENING: f64 = 0.25;
/// A sentence that has so much in common with one that is told already adds little.
const SAME_MIN: f64 = 0.5;
/// A date in so many sentences at the head of a document is its date.
const HEAD_SENTENCES: usize = 3;

/// Kinds of documents, by what their titles and file names call them; the more definite first.
const KINDS: &[&str] = &[
    "action list",
    "press release",
    "test report",
    "risk register",
    "status report",
    "agreement",
    "amendment",
    "article",
    "budget",
    "contract",
    "guideline",
    "handbook",
    "invoice",
    "letter",
    "log",
    "manual",
    "memo",
    "minutes",
    "newsletter",
    "offer",
    "plan",
    "policy",
    "proposal",
    "protocol",
    "record",
    "register",
    "report",
    "review",
    "schedule",
    "specification",
    "statement",
    "study",
    "survey",
    "trial",
];

pub(crate) fn summarize(input: &Summarize) -> Summarized {
    let mut corpus = Corpus::read(&input.sources);
    let mut bearing = Bearing::new(&mut corpus, &input.about, &input.guidance);
    let mut sure = Vec::new();
    let mut documents = Vec::new();
    for (document, sources) in by_document(&input.sources) {
        if documents.len() == usize::from(input.most) {
            break;
        }
        let told = best_sentences(&corpus, &mut bearing, &sources);
        let Some((first, _)) = told.first() else {
            continue;
        };
        let first = corpus.sentences[*first].source;
        sure.extend(told.iter().map(|(_, worth)| worth.min(1.0)));
        documents.push(DocumentSummary {
            source: input.sources[first].id.clone(),
            kind: kind(input, document, &sources),
            date: date(&corpus, &sources),
            version: sources
                .iter()
                .find_map(|at| version(&input.sources[*at].title))
                .or_else(|| version(document))
                .map(|found| found.written),
            sentences: told.iter().map(|(at, _)| corpus.evidence(*at)).collect(),
        });
    }
    Summarized {
        confidence: sure_of(&sure),
        documents,
    }
}

/// The places of the sources of each document, in the order in which they were given.
fn by_document(sources: &[Source]) -> Vec<(&str, Vec<usize>)> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all: Vec<(&str, Vec<usize>)> = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let document = document_id(&source.id);
        let place = *places.entry(document).or_insert(all.len());
        match all.get_mut(place) {
            Some((_, own)) => own.push(at),
            None => all.push((document, vec![at])),
        }
    }
    all
}

/// The sentences that tell a document best, in its order, each with what it is worth.
fn best_sentences<'a>(
    corpus: &Corpus<'a>,
    bearing: &mut Bearing<'a>,
    sources: &[usize],
) -> Vec<(usize, f64)> {
    let mut found: Vec<(usize, f64)> = Vec::new();
    for source in sources {
        let weights = corpus.weights(*source);
        let heaviest = weights.values().copied().fold(0.0, f64::max).max(1e-9);
        for at in corpus.sentences_of_source(*source) {
            let text = corpus.text(at);
            // A sentence that needs the one before it does not stand by itself.
            let needs_more = corpus.self_contained_span(at).start < corpus.sentences[at].span.start;
            if !states(text)
                || needs_more
                || corpus.points_back(at)
                || text.len() > SENTENCE_CHARS_MAX
            {
                continue;
            }
            let Some(relevance) = bearing.relevance(corpus, at) else {
                continue;
            };
            let terms = corpus.sentence_terms(at);
            let sum: f64 = terms.iter().filter_map(|term| weights.get(term)).sum();
            let telling = sum / heaviest / (terms.len() as f64).max(1.0);
            let opening = match at == corpus.sentences_of_source(*source).start {
                true => OF_OPENING,
                false => 0.0,
            };
            found.push((at, telling + OF_RELEVANCE * relevance + opening));
        }
    }
    found.sort_by(crate::corpus::best_first);
    let mut kept: Vec<(usize, f64)> = Vec::new();
    for one in found {
        let is_new = kept
            .iter()
            .all(|known| corpus.likeness(known.0, one.0) < SAME_MIN);
        if is_new && kept.len() < SENTENCES_MAX {
            kept.push(one);
        }
    }
    kept.sort_by_key(|(at, _)| *at);
    kept
}

/// What was told of it, else what its title or its name calls it.
fn kind(input: &Summarize, document: &str, sources: &[usize]) -> Option<String> {
    let told = input
        .documents
        .iter()
        .find(|at| document_id(&at.source) == document);
    if let Some(told) = told.filter(|at| !at.genre.trim().is_empty()) {
        return Some(one_line(&told.genre));
    }
    let named = |text: &str| {
        let small = text.to_lowercase().replace(['-', '_', '/', '.'], " ");
        let found = adjutant_text::phrases::first_phrase(&small, KINDS);
        found.map(|(_, kind)| kind.to_owned())
    };
    let mut titles = sources.iter().map(|at| input.sources[*at].title.as_str());
    titles.find_map(named).or_else(|| named(document))
}

/// The date that it was given with, else the first one at its head.
fn date(corpus: &Corpus<'_>, sources: &[usize]) -> Option<String> {
    let mut given = sources
        .iter()
        .filter_map(|at| corpus.sources[*at].published.clone());
    given.next().or_else(|| {
        let first = *sources.first()?;
        let title = dates_in(&corpus.sources[first].title).into_iter();
        let head = corpus.sentences_of_source(first).take(HEAD_SENTENCES);
        let head = head.flat_map(|at| dates_in(corpus.text(at)));
        let mut exact = title.chain(head).filter(|(date, _)| date.month().is_some());
        exact.next().map(|(date, _)| date.iso())
    })
}
