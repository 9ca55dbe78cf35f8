//! Scores sentences by their features, with the weights in `data/weights.txt`.

use std::sync::LazyLock;

use crate::document::{Document, Sentence, Shape};
use crate::features::{FEATURES, Feature, FeatureSet, extract_features};
use crate::finding::Finding;
use crate::letters::fold_text;
use crate::lexicon::ByHash;
use crate::opening::find_opening;
use crate::surroundings::Surroundings;
use crate::threat::{Severity, ThreatKind};
use crate::wording::{Part, wording_features, wording_key, wording_names};

/// Weights in thousandths.
#[derive(Default)]
struct Weights {
    base: i32,
    features: Vec<(Feature, i32)>,
    /// Two features together: `one*other` in the table.
    pairs: Vec<(Feature, Feature, i32)>,
    /// By the hash of a word, for each position.
    wording: [ByHash<i32>; Part::NAMES.len()],
}

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| parse_weights(include_str!("../data/weights.txt")));

/// From this score on, a sentence counts as an instruction to the model.
const MEDIUM_SCORE_MIN: i32 = 0;
/// The same for a request in a text that has no others.
const STRAY_MEDIUM_SCORE_MIN: i32 = -300;
/// The same for a request with almost no other text around it.
const ALONE_MEDIUM_SCORE_MIN: i32 = -700;
/// The same for a sentence that is neither a request nor a command.
const TELLING_MEDIUM_SCORE_MIN: i32 = 750;
const CODE_MEDIUM_SCORE_MIN: i32 = 2_000;
/// From this score on, a sentence is worth logging, or more if it was hidden.
pub(crate) const LOW_SCORE_MIN: i32 = -1_000;

/// Longer ones are tables or lists, not sentences.
pub(crate) const SENTENCE_WORDS_MAX: usize = 80;

fn parse_weights(file: &str) -> Weights {
    let mut weights = Weights::default();
    for (name, weight) in file.lines().filter_map(|line| line.split_once(' ')) {
        let Ok(weight) = weight.parse() else { continue };
        if let Some((part, word)) = name.split_once(':') {
            let place = Part::NAMES.iter().position(|known| *known == part);
            if let Some(words) = place.and_then(|place| weights.wording.get_mut(place)) {
                words.insert(wording_key(&fold_text(word)), weight);
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

fn score_sentence(document: &Document<'_>, sentence: &Sentence, features: FeatureSet) -> i32 {
    let weights = &*WEIGHTS;
    let singles = weights.features.iter();
    let singles = singles.filter(|(feature, _)| features.has(*feature));
    let pairs = weights.pairs.iter();
    let pairs = pairs.filter(|(one, other, _)| features.has(*one) && features.has(*other));
    let feature_sum = singles.map(|(_, weight)| weight).sum::<i32>()
        + pairs.map(|(_, _, weight)| weight).sum::<i32>();
    let wording = wording_features(
        document.words_in(sentence),
        find_opening(document, sentence),
    )
    .into_iter();
    let wording = wording.filter_map(|(part, key)| weights.wording[part as usize].get(&key));
    weights.base + feature_sum + wording.sum::<i32>()
}

fn asks(features: FeatureSet) -> bool {
    features.has(Feature::asks) || features.has(Feature::bare_order)
}

/// A request among sentences that request nothing.
fn is_stray(features: FeatureSet) -> bool {
    let among_its_like = [
        Feature::neighbour,
        Feature::imperatives_many,
        Feature::questions_many,
        Feature::letter,
    ];
    !among_its_like.iter().any(|feature| features.has(*feature))
}

fn medium_score_min(sentence: &Sentence, features: FeatureSet) -> i32 {
    match sentence.shape {
        // Comments in code are addressed to programmers.
        Shape::Code => CODE_MEDIUM_SCORE_MIN,
        _ if !asks(features) => TELLING_MEDIUM_SCORE_MIN,
        // Two or three words with little around them are a title.
        _ if features.has(Feature::context_little) && features.has(Feature::short) => {
            TELLING_MEDIUM_SCORE_MIN
        }
        _ if features.has(Feature::context_little) => ALONE_MEDIUM_SCORE_MIN,
        _ if is_stray(features) => STRAY_MEDIUM_SCORE_MIN,
        Shape::Prose | Shape::Heading | Shape::Item => MEDIUM_SCORE_MIN,
    }
}

/// The reason of every finding of the scorer.
#[doc(hidden)]
pub const SCORER_REASON: &str = "asks the model to produce or do something";

/// Finds sentences that ask the model to produce or do something.
pub(crate) fn find_threats(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let around = Surroundings::new(document);
    for (index, sentence) in document.sentences.iter().enumerate() {
        if sentence.words.len() > SENTENCE_WORDS_MAX {
            continue;
        }
        let Some(features) = extract_features(document, &around, index) else {
            continue;
        };
        let medium = medium_score_min(sentence, features);
        let severity = match score_sentence(document, sentence, features) {
            score if score >= medium => Severity::Medium,
            LOW_SCORE_MIN.. if asks(features) => Severity::Low,
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

/// The features of one sentence, for fitting the weights.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Explained {
    pub span: std::ops::Range<usize>,
    pub score: i32,
    /// The names of its features, and its words by position.
    pub seen: Vec<String>,
    /// Number of words.
    pub words: usize,
}

/// The features and score of every sentence.
#[doc(hidden)]
pub fn explain(text: &str) -> Vec<Explained> {
    let reading = crate::reading::Reading::new(text);
    let document = Document::new(text, &reading);
    let around = Surroundings::new(&document);
    let mut lines = Vec::new();
    for (index, sentence) in document.sentences.iter().enumerate() {
        let Some(features) = extract_features(&document, &around, index) else {
            continue;
        };
        let feature_names = FEATURES
            .iter()
            .filter(|(_, feature)| features.has(*feature))
            .map(|(name, _)| (*name).to_owned());
        let wording = wording_names(&document, sentence, find_opening(&document, sentence));
        lines.push(Explained {
            span: reading.folded_offsets.source_range(&sentence.span, text),
            score: score_sentence(&document, sentence, features),
            seen: feature_names.chain(wording).collect(),
            words: sentence.words.len(),
        });
    }
    lines
}
