//! What speaks against claims: sentences on the same thing that say otherwise, or say so with reservations.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::{
    Contradiction, Object, Objection, ObjectionKind, Objections, Side, Source,
};

use super::conflicts::{conflicts, labels};

use crate::corpus::Corpus;
use crate::stance::{How, Reading, Relation};
use crate::text::{
    Date, Quantity, confidence, is_stop_word, one_line, parse_date, quantities, sentences, states,
    words,
};

/// How many sentences are held against one claim, and how many claims are looked at.
const RELATED_MAX: usize = 60;
/// A claim that no source speaks of is hard to be wrong about; one that rests on rules of words is not certain.
const SURE_OF_NOTHING: f64 = 0.75;
const SURE_OF_CONTRADICTION: f64 = 0.65;
const SURE_OF_RESERVATION: f64 = 0.6;
const SURE_OF_SUPPORT: f64 = 0.7;
const COVERAGE_MIN: f64 = 0.3;
/// Words a sentence may begin with to speak of something named before.
const PRONOUNS: &[&str] = &["it", "they", "he", "she", "its", "their"];
const REFERRING: &[&str] = &[
    "agency",
    "business",
    "city",
    "company",
    "corporation",
    "council",
    "device",
    "drug",
    "firm",
    "group",
    "institute",
    "manufacturer",
    "organisation",
    "organization",
    "plant",
    "product",
    "programme",
    "project",
    "school",
    "system",
    "town",
    "university",
];

pub(crate) fn object(input: &Object) -> Objections {
    let mut corpus = Corpus::read(&input.sources);
    let conflicts = conflicts(&mut corpus, &input.claims.join("\n"));
    let mut objections = Vec::new();
    let mut sure = Vec::new();
    for claim in &input.claims {
        let parts = stated(claim);
        let mut raised: Vec<Objection> = Vec::new();
        for part in &parts {
            raised.extend(against(&mut corpus, part));
            raised.extend(in_conflict(&corpus, &conflicts, part));
        }
        let mut seen = BTreeSet::new();
        raised.retain(|at| {
            let quotes = at.evidence.iter().map(|one| one.quote.clone());
            at.evidence.is_empty() || seen.insert(quotes.collect::<Vec<_>>())
        });
        // A summary is unsupported if none of its sentences is supported.
        let unsupported = |at: &Objection| at.kind == ObjectionKind::Unsupported;
        if raised.iter().filter(|at| unsupported(at)).count() < parts.len() {
            raised.retain(|at| !unsupported(at));
        } else {
            raised.truncate(1);
        }
        for objection in &mut raised {
            objection.claim.clone_from(claim);
        }
        sure.push(
            raised
                .first()
                .map_or(SURE_OF_SUPPORT, |objection| match objection.kind {
                    ObjectionKind::Contradicted | ObjectionKind::Outdated => SURE_OF_CONTRADICTION,
                    ObjectionKind::Weakened => SURE_OF_RESERVATION,
                    ObjectionKind::Unsupported => SURE_OF_NOTHING,
                }),
        );
        objections.extend(raised);
    }
    let mean = sure.iter().sum::<f64>() / (sure.len() as f64).max(1.0);
    Objections {
        objections,
        confidence: confidence(mean),
    }
}

/// What stands against a statement of the sources themselves.
fn in_conflict(corpus: &Corpus<'_>, conflicts: &[Contradiction], claim: &str) -> Vec<Objection> {
    let claim = one_line(claim);
    let says = |side: &Side| {
        let mut quotes = side.evidence.iter().map(|at| one_line(&at.quote));
        quotes.any(|quote| !claim.is_empty() && (claim.contains(&quote) || quote.contains(&claim)))
    };
    let mut raised = Vec::new();
    for conflict in conflicts {
        let Some(own) = conflict.sides.iter().position(says) else {
            continue;
        };
        let others = conflict
            .sides
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != own);
        for evidence in others.filter_map(|(_, side)| side.evidence.first()) {
            let source = corpus.sources.iter().find(|at| at.id == evidence.source);
            raised.extend(source.map(|source| Objection {
                claim: claim.clone(),
                text: describe_objection(
                    source,
                    ObjectionKind::Contradicted,
                    "says otherwise",
                    &one_line(&evidence.quote),
                ),
                kind: ObjectionKind::Contradicted,
                evidence: vec![evidence.clone()],
            }));
        }
    }
    raised
}

/// The sentences of a claim, or all of it if it has but one. What a summary says of its own gaps claims nothing.
fn stated(claim: &str) -> Vec<&str> {
    let all: Vec<&str> = sentences(claim).into_iter().map(|at| &claim[at]).collect();
    let of_itself = |said: &str| {
        ["Sources contradict each other on", "Not found:"]
            .iter()
            .any(|words| said.starts_with(words))
    };
    let kept: Vec<&str> = all
        .iter()
        .copied()
        .filter(|said| states(said) && !of_itself(said))
        .collect();
    match all.len() > 1 && !kept.is_empty() {
        true => kept,
        false => vec![claim],
    }
}

pub(crate) fn against(corpus: &mut Corpus<'_>, claim: &str) -> Vec<Objection> {
    let query = corpus.query(claim);
    let own = Reading::new(claim, &mut corpus.stems);
    let found = corpus.search(&query).into_iter().map(|(at, _)| at);
    let related: Vec<usize> = found
        .filter(|at| corpus.coverage(&query, *at) >= COVERAGE_MIN || refers_back(corpus.text(*at)))
        .take(RELATED_MAX)
        .collect();
    let mut supports: Vec<usize> = Vec::new();
    let mut denied: BTreeMap<usize, (usize, How)> = BTreeMap::new();
    let mut hedged: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for at in related {
        let source = corpus.sentences[at].source;
        let mut said = Reading::new(corpus.text(at), &mut corpus.stems);
        if refers_back(corpus.text(at)) {
            said.speaks_of(referred_to(corpus, at));
        }
        let other_case = labels(claim).differ(&labels(corpus.text(at)));
        match own.relation(&said) {
            Relation::Contradicts(_) if other_case => {}
            Relation::Contradicts(How::Number(..)) if !one_value(claim, corpus, at) => {}
            Relation::Contradicts(how) => {
                denied.entry(source).or_insert((at, how));
            }
            Relation::Agrees => match said.hedge {
                Some(word) => {
                    hedged.entry(source).or_insert((at, word));
                }
                None => supports.push(source),
            },
            Relation::Apart | Relation::Related => {}
        }
    }
    let newest_support = supports
        .iter()
        .chain(hedged.keys())
        .filter_map(|at| publication_date(&corpus.sources[*at]))
        .max();
    let mut raised = Vec::new();
    for (source, (at, how)) in &denied {
        let newer = match (publication_date(&corpus.sources[*source]), newest_support) {
            (Some(date), Some(support)) => date > support,
            _ => false,
        };
        let kind = if newer {
            ObjectionKind::Outdated
        } else {
            ObjectionKind::Contradicted
        };
        raised.push(objection(corpus, claim, kind, *at, &otherwise(how)));
    }
    for (source, (at, word)) in &hedged {
        if !denied.contains_key(source) && !supports.contains(source) {
            let text = format!("only says so with reservations (“{word}”)");
            raised.push(objection(
                corpus,
                claim,
                ObjectionKind::Weakened,
                *at,
                &text,
            ));
        }
    }
    let line = one_line(claim);
    let mut texts = corpus.sources.iter().map(|at| one_line(&at.text));
    if raised.is_empty() && supports.is_empty() && !texts.any(|text| text.contains(&line)) {
        raised.push(Objection {
            claim: claim.to_owned(),
            text: "No sentence was found in the sources that says so.".to_owned(),
            kind: ObjectionKind::Unsupported,
            evidence: Vec::new(),
        });
    }
    raised
}

/// Whether a claim and a sentence give one value each of some unit; of several, nobody knows which is which.
fn one_value(claim: &str, corpus: &mut Corpus<'_>, at: usize) -> bool {
    let own = quantities(claim, &mut corpus.stems);
    let other = quantities(corpus.text(at), &mut corpus.stems);
    let once = |of: &[Quantity], unit: &str| of.iter().filter(|at| at.unit == unit).count() == 1;
    // Years are no quantities.
    own.is_empty()
        || other.is_empty()
        || own
            .iter()
            .any(|at| once(&own, &at.unit) && once(&other, &at.unit))
}

/// Whether a sentence begins by speaking of something named before: `It`, `The company`.
fn refers_back(text: &str) -> bool {
    let mut first = words(text).into_iter().map(|word| word.text.to_lowercase());
    let (first, second) = (first.next(), first.next());
    let (first, second) = (first.unwrap_or_default(), second.unwrap_or_default());
    PRONOUNS.contains(&first.as_str())
        || (["the", "this"].contains(&first.as_str()) && REFERRING.contains(&second.as_str()))
}

/// What is named by the title, and by the nearest sentence before that names something itself.
fn referred_to(corpus: &mut Corpus<'_>, at: usize) -> BTreeSet<String> {
    let source = corpus.sentences[at].source;
    let mut before = (corpus.sentences_of_source(source).start..at).rev();
    let nearest = before.find(|before| !refers_back(corpus.text(*before)));
    let nearest = nearest.map_or("", |before| corpus.text(before));
    let mut named = BTreeSet::new();
    for word in words(&corpus.sources[source].title)
        .into_iter()
        .chain(words(nearest))
    {
        let small = word.text.to_lowercase();
        if word.text.starts_with(char::is_uppercase) && !is_stop_word(&small) {
            named.insert(corpus.stems.stem(&small).to_owned());
        }
    }
    named
}

fn objection(
    corpus: &Corpus<'_>,
    claim: &str,
    kind: ObjectionKind,
    at: usize,
    text: &str,
) -> Objection {
    let source = &corpus.sources[corpus.sentences[at].source];
    Objection {
        claim: claim.to_owned(),
        text: describe_objection(source, kind, text, &corpus.line(at)),
        kind,
        evidence: vec![corpus.evidence(at)],
    }
}

fn describe_objection(source: &Source, kind: ObjectionKind, how: &str, quote: &str) -> String {
    let newer = match (kind, &source.published) {
        (ObjectionKind::Outdated, Some(date)) => format!(" (newer, {date})"),
        (_, Some(date)) => format!(" ({date})"),
        (_, None) => String::new(),
    };
    format!("{}{newer} {how}: “{quote}”", source_label(source))
}

fn otherwise(how: &How) -> String {
    match how {
        How::Denied => "denies it".to_owned(),
        How::Opposite => "says the opposite".to_owned(),
        How::Number(own, other) => format!("has another number ({other} instead of {own})"),
    }
}

/// What a reader knows a source by.
pub(crate) fn source_label(source: &Source) -> String {
    let title = one_line(&source.title);
    if title.is_empty() {
        format!("Source “{}”", source.id)
    } else {
        format!("“{title}”")
    }
}

pub(crate) fn publication_date(source: &Source) -> Option<Date> {
    source.published.as_deref().and_then(parse_date)
}
