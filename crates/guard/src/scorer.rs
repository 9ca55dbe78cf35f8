//! Adds up what was seen of a sentence by the table in `data/weights.txt`.

use std::sync::LazyLock;

use crate::document::{Document, Sentence, Shape};
use crate::features::{FEATURES, Feature, Seen, look};
use crate::finding::Finding;
use crate::lexicon::ByHash;
use crate::opening::opening;
use crate::surroundings::Surroundings;
use crate::threat::{Severity, ThreatKind};
use crate::wording::{Part, key, names, wording};

/// Weights in thousandths.
#[derive(Default)]
struct Weights {
    base: i32,
    features: Vec<(Feature, i32)>,
    /// What is seen together: `one*other` in the table.
    pairs: Vec<(Feature, Feature, i32)>,
    /// By the hash of a word, for each place it can have.
    wording: [ByHash<i32>; Part::NAMES.len()],
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| parse(include_str!("../data/weights.txt")));

/// From here on a sentence is taken for an instruction to the reader.
const MEDIUM_SCORE_MIN: i32 = 0;
/// The same for a request in a text that otherwise only tells.
const STRAY_MEDIUM_SCORE_MIN: i32 = -300;
/// The same for a request with hardly anything around it.
const ALONE_MEDIUM_SCORE_MIN: i32 = -700;
/// The same for a sentence that neither asks nor orders, whatever its words are.
const TELLING_MEDIUM_SCORE_MIN: i32 = 750;
const CODE_MEDIUM_SCORE_MIN: i32 = 2_000;
/// From here on it is worth a line in the log, or more where it was hidden.
pub(crate) const LOW_SCORE_MIN: i32 = -1_000;

/// What is longer is a table or a list, not a sentence.
pub(crate) const SENTENCE_WORDS_MAX: usize = 80;

fn parse(file: &str) -> Weights {
    let mut weights = Weights::default();
    for (name, weight) in file.lines().filter_map(|line| line.split_once(' ')) {
        let Ok(weight) = weight.parse() else { continue };
        if let Some((part, word)) = name.split_once(':') {
            let place = Part::NAMES.iter().position(|known| *known == part);
            if let Some(words) = place.and_then(|place| weights.wording.get_mut(place)) {
                words.insert(key(word), weight);
            }
            continue;
        }
        let named = |name: &str| {
            let mut known = FEATURES.iter().filter(|(known, _)| *known == name);
            known.next().map(|(_, feature)| *feature)
        };
        match (named(name), name.split_once('*')) {
            (Some(feature), _) => weights.features.push((feature, weight)),
            (None, Some((one, other))) => {
                let both = named(one).zip(named(other));
                weights
                    .pairs
                    .extend(both.map(|(one, other)| (one, other, weight)));
            }
            (None, None) if name == "base" => weights.base = weight,
            (None, None) => {}
        }
    }
    weights
}

fn score(document: &Document<'_>, sentence: &Sentence, seen: Seen) -> i32 {
    let weights = &*WEIGHTS;
    let features = weights.features.iter();
    let features = features.filter(|(feature, _)| seen.has(*feature));
    let pairs = weights.pairs.iter();
    let pairs = pairs.filter(|(one, other, _)| seen.has(*one) && seen.has(*other));
    let seen = features.map(|(_, weight)| weight).sum::<i32>()
        + pairs.map(|(_, _, weight)| weight).sum::<i32>();
    let said = wording(document.words_of(sentence), opening(document, sentence)).into_iter();
    let said = said.filter_map(|(part, key)| weights.wording[part as usize].get(&key));
    weights.base + seen + said.sum::<i32>()
}

fn asks(seen: Seen) -> bool {
    seen.has(Feature::asks) || seen.has(Feature::bare_order)
}

/// A request among sentences that ask for nothing.
fn is_stray(seen: Seen) -> bool {
    let among_its_like = [
        Feature::neighbour,
        Feature::imperatives_many,
        Feature::questions_many,
        Feature::letter,
    ];
    !among_its_like.iter().any(|feature| seen.has(*feature))
}

fn medium_score_min(sentence: &Sentence, seen: Seen) -> i32 {
    match sentence.shape {
        // Comments in code tell the next programmer what to do.
        Shape::Code => CODE_MEDIUM_SCORE_MIN,
        _ if !asks(seen) => TELLING_MEDIUM_SCORE_MIN,
        // Two or three words alone are a title.
        _ if seen.has(Feature::context_little) && seen.has(Feature::short) => {
            TELLING_MEDIUM_SCORE_MIN
        }
        _ if seen.has(Feature::context_little) => ALONE_MEDIUM_SCORE_MIN,
        _ if is_stray(seen) => STRAY_MEDIUM_SCORE_MIN,
        Shape::Prose | Shape::Heading | Shape::Item => MEDIUM_SCORE_MIN,
    }
}

/// Why the scorer finds something.
#[doc(hidden)]
pub const SCORER_REASON: &str = "asks the reader to produce or do something";

/// Sentences that ask the reader to produce or do something.
pub(crate) fn find(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let around = Surroundings::of(document);
    for (index, sentence) in document.sentences.iter().enumerate() {
        if sentence.words.len() > SENTENCE_WORDS_MAX {
            continue;
        }
        let Some(seen) = look(document, &around, index) else {
            continue;
        };
        let medium = medium_score_min(sentence, seen);
        let severity = match score(document, sentence, seen) {
            score if score >= medium => Severity::Medium,
            LOW_SCORE_MIN.. if asks(seen) => Severity::Low,
            _ => continue,
        };
        findings.push(Finding::new(
            ThreatKind::Instruction,
            severity,
            sentence.span.clone(),
            SCORER_REASON,
        ));
    }
}

/// What is seen of one sentence, for fitting the weights.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Explained {
    pub span: std::ops::Range<usize>,
    pub score: i32,
    /// The names of what is seen, and of the words by their place.
    pub seen: Vec<String>,
    /// How many words it has.
    pub words: usize,
}

/// Looks at every sentence as the scorer does.
#[doc(hidden)]
pub fn explain(text: &str) -> Vec<Explained> {
    let reading = crate::reading::Reading::of(text);
    let document = Document::of(text, &reading);
    let around = Surroundings::of(&document);
    let mut lines = Vec::new();
    for (index, sentence) in document.sentences.iter().enumerate() {
        let Some(seen) = look(&document, &around, index) else {
            continue;
        };
        let known = FEATURES
            .iter()
            .filter(|(_, feature)| seen.has(*feature))
            .map(|(name, _)| (*name).to_owned());
        let said = names(&document, sentence, opening(&document, sentence));
        lines.push(Explained {
            span: reading.view_back.back_range(&sentence.span, text),
            score: score(&document, sentence, seen),
            seen: known.chain(said).collect(),
            words: sentence.words.len(),
        });
    }
    lines
}
