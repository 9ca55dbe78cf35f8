//! Features of a sentence's context: its position, the rest of the document, and whether they share a topic.

use crate::document::{Document, Sentence, Shape, Word};
use crate::features::{Feature, FeatureSet};
use crate::lexicon::Class;
use crate::opening::{Opening, ends_with, find_opening};

/// Greetings and closings are short sentences.
const LETTER_WORDS_MAX: usize = 14;
/// From this share of commands on, a text is a procedure.
const PROCEDURE_PERCENT_MIN: usize = 40;
const PROCEDURE_ORDERS_MIN: usize = 2;
/// Sentences before and after that count as neighbours.
const NEAR_SENTENCES: usize = 2;
/// Words of a sentence that are compared with its neighbours.
const LINK_WORDS_MAX: usize = 60;

/// A summary of the document.
pub(crate) struct Surroundings {
    sentences: usize,
    imperatives: usize,
    questions: usize,
    agents: usize,
    /// Commands to write or tell something.
    thinking: usize,
    words: usize,
    technical: bool,
    letter: bool,
    /// For each sentence, whether it is a command or a question.
    asking: Vec<bool>,
}

impl Surroundings {
    pub(crate) fn new(document: &Document<'_>) -> Self {
        let mut around = Self {
            sentences: document.sentences.len(),
            imperatives: 0,
            questions: 0,
            agents: 0,
            thinking: 0,
            words: document.words.len(),
            technical: false,
            letter: false,
            asking: Vec::with_capacity(document.sentences.len()),
        };
        for sentence in &document.sentences {
            let words = document.words_in(sentence);
            around.words -= sentence.polite_words;
            let opening = find_opening(document, sentence);
            let commands = opening.is_some();
            around.thinking += usize::from(asks_for_words(words, opening));
            let asks = ends_with(document, sentence, '?');
            around.imperatives += usize::from(commands);
            around.questions += usize::from(asks);
            around.asking.push(commands || asks);
            around.agents += usize::from(words.iter().any(|word| word.classes.has(Class::Agent)));
            let classes = document.classes_in(sentence);
            around.letter |= classes.has(Class::Letter) && words.len() <= LETTER_WORDS_MAX;
            around.technical |= sentence.shape == Shape::Code;
        }
        around
    }
}

pub(crate) fn add_context_features(
    features: &mut FeatureSet,
    document: &Document<'_>,
    around: &Surroundings,
    index: usize,
) {
    let Some(sentence) = document.sentences.get(index) else {
        return;
    };
    features.insert_if(Feature::place_first, index == 0);
    features.insert_if(Feature::place_last, index + 1 == document.sentences.len());
    features.insert_if(Feature::place_start, index < NEAR_SENTENCES);
    features.insert_if(
        Feature::place_end,
        index + NEAR_SENTENCES >= document.sentences.len(),
    );
    features.insert_if(Feature::heading, sentence.shape == Shape::Heading);
    features.insert_if(Feature::item, sentence.shape == Shape::Item);
    features.insert_if(Feature::in_code, sentence.shape == Shape::Code);
    features.insert_if(Feature::technical, around.technical);
    features.insert_if(Feature::starts_small, sentence.starts_small);
    let others = around.imperatives.saturating_sub(1);
    let share = others * 100 / around.sentences.max(1);
    match share {
        0 => features.insert(Feature::imperatives_none),
        1..=19 => features.insert(Feature::imperatives_some),
        _ => features.insert(Feature::imperatives_many),
    }
    features.insert_if(
        Feature::procedure,
        share >= PROCEDURE_PERCENT_MIN && others >= PROCEDURE_ORDERS_MIN,
    );
    features.insert_if(Feature::letter, around.letter);
    features.insert_if(
        Feature::question_alone,
        around.questions == 1 && around.asking.get(index) == Some(&true) && others == 0,
    );
    let words = document.words_in(sentence);
    features.insert_if(
        Feature::only_thinking,
        around.thinking == 1
            && others > 0
            && asks_for_words(words, find_opening(document, sentence)),
    );
    features.insert_if(
        Feature::only_question,
        around.questions == 1 && others > 0 && ends_with(document, sentence, '?'),
    );
    features.insert_if(
        Feature::longer_than_others,
        others > 1 && words.len() * around.sentences * 2 > around.words * 3,
    );
    features.insert_if(
        Feature::parts_others,
        separates_related_sentences(document, index),
    );
    features.insert_if(Feature::questions_many, around.questions > 2);
    features.insert_if(Feature::about_agents, around.agents > 2);
    let asks = |index: Option<usize>| {
        index
            .and_then(|index| around.asking.get(index))
            .is_some_and(|asks| *asks)
    };
    features.insert_if(
        Feature::neighbour,
        asks(index.checked_sub(1)) || asks(index.checked_add(1)),
    );
    let near_asking = (1..=NEAR_SENTENCES)
        .flat_map(|step| [index.checked_sub(step), index.checked_add(step)])
        .filter(|near| asks(*near))
        .count();
    features.insert_if(Feature::between_asking, near_asking > 1);
    features.insert_if(Feature::linked, is_linked(document, index));
    features.insert_if(
        Feature::own_line,
        stands_on_own_line(document.folded, sentence),
    );
    add_topic_features(features, document, sentence);
}

/// Whether a command asks for text rather than for an action.
fn asks_for_words(words: &[Word], opening: Option<Opening>) -> bool {
    let verb = opening.and_then(|opening| words.get(opening.word));
    verb.is_some_and(|verb| verb.classes.has(Class::Write) || verb.classes.has(Class::Tell))
}

/// Whether it shares no word with its neighbours, while they share one with each other.
fn separates_related_sentences(document: &Document<'_>, index: usize) -> bool {
    let (before, after) = (index.checked_sub(1), index.checked_add(1));
    let (own, before, after) = (
        sentence_stems(document, Some(index)),
        sentence_stems(document, before),
        sentence_stems(document, after),
    );
    let share = |one: &[u64], other: &[u64]| one.iter().any(|stem| other.contains(stem));
    share(&before, &after) && !share(&own, &before) && !share(&own, &after)
}

fn sentence_stems(document: &Document<'_>, index: Option<usize>) -> Vec<u64> {
    let sentence = index.and_then(|index| document.sentences.get(index));
    let words = sentence.map(|sentence| document.words_in(sentence));
    let words = words.unwrap_or_default().iter().take(LINK_WORDS_MAX);
    words.filter_map(|word| word.stem).collect()
}

/// Whether it shares a word with a neighbour, which planted sentences rarely do.
fn is_linked(document: &Document<'_>, index: usize) -> bool {
    let own = sentence_stems(document, Some(index));
    [index.checked_sub(1), index.checked_add(1)]
        .into_iter()
        .any(|near| {
            sentence_stems(document, near)
                .iter()
                .any(|stem| own.contains(stem))
        })
}

fn stands_on_own_line(folded: &str, sentence: &Sentence) -> bool {
    let blank = [' ', '\t', '\r'];
    let before = folded
        .get(..sentence.span.start)
        .unwrap_or_default()
        .trim_end_matches(blank);
    let body = folded.get(..sentence.span.end).unwrap_or_default();
    let after = folded
        .get(sentence.span.end..)
        .unwrap_or_default()
        .trim_start_matches(blank);
    let ends = body.ends_with('\n') || after.is_empty() || after.starts_with('\n');
    ends && (before.is_empty() || before.ends_with('\n'))
}

/// With fewer other words, the topic of the document is unknown.
const CONTEXT_WORDS_MIN: usize = 15;

fn add_topic_features(features: &mut FeatureSet, document: &Document<'_>, sentence: &Sentence) {
    let words = document.words_in(sentence);
    if document.words.len() - words.len() - sentence.polite_words < CONTEXT_WORDS_MIN {
        features.insert(Feature::context_little);
        return;
    }
    let stems: Vec<u64> = words.iter().filter_map(|word| word.stem).collect();
    let elsewhere = stems
        .iter()
        .filter(|stem| {
            let here = stems
                .iter()
                .filter(|other| other == stem)
                .take(SENTENCE_WORDS_COUNTED)
                .count();
            document.stems.get(stem).is_some_and(|all| *all > here)
        })
        .count();
    let share = (stems.len() - elsewhere) * 100 / stems.len().max(1);
    features.insert_if(Feature::new_words_all, stems.len() > 1 && elsewhere == 0);
    match share {
        80.. => features.insert(Feature::new_words_most),
        50..80 => features.insert(Feature::new_words_many),
        _ => features.insert(Feature::new_words_few),
    }
}

/// Enough to tell whether a word occurs elsewhere too.
const SENTENCE_WORDS_COUNTED: usize = 40;
