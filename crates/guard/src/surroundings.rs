//! What stands around a sentence: its place, what the rest of the document does, and whether it speaks of the same things.

use crate::document::{Document, Sentence, Shape, Word};
use crate::features::{Feature, Seen};
use crate::lexicon::Class;
use crate::opening::{Opening, ends_with, opening};

/// Greetings and closings are short sentences.
const LETTER_WORDS_MAX: usize = 14;
/// From here on a text is a procedure: orders are what it is made of.
const PROCEDURE_PERCENT_MIN: usize = 40;
const PROCEDURE_ORDERS_MIN: usize = 2;
/// Sentences before and after that count as near.
const NEAR_SENTENCES: usize = 2;
/// Words of a sentence compared with those of its neighbours.
const LINK_WORDS_MAX: usize = 60;

/// What the rest of the document is like.
pub(crate) struct Surroundings {
    sentences: usize,
    imperatives: usize,
    questions: usize,
    agents: usize,
    /// Orders whose verb is one of writing or telling.
    thinking: usize,
    words: usize,
    technical: bool,
    letter: bool,
    /// For each sentence, whether it asks or tells.
    asking: Vec<bool>,
}

impl Surroundings {
    pub(crate) fn of(document: &Document<'_>) -> Self {
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
            let words = document.words_of(sentence);
            let opening = opening(document, sentence);
            let commands = opening.is_some();
            around.thinking += usize::from(is_thinking(words, opening));
            let asks = ends_with(document, sentence, '?');
            around.imperatives += usize::from(commands);
            around.questions += usize::from(asks);
            around.asking.push(commands || asks);
            around.agents += usize::from(words.iter().any(|word| word.classes.has(Class::Agent)));
            let classes = document.classes_of(sentence);
            around.letter |= classes.has(Class::Letter) && words.len() <= LETTER_WORDS_MAX;
            around.technical |= sentence.shape == Shape::Code;
        }
        around
    }
}

pub(crate) fn see_place(
    seen: &mut Seen,
    document: &Document<'_>,
    around: &Surroundings,
    index: usize,
) {
    let Some(sentence) = document.sentences.get(index) else {
        return;
    };
    seen.see_if(Feature::place_first, index == 0);
    seen.see_if(Feature::place_last, index + 1 == document.sentences.len());
    seen.see_if(Feature::place_start, index < NEAR_SENTENCES);
    seen.see_if(
        Feature::place_end,
        index + NEAR_SENTENCES >= document.sentences.len(),
    );
    seen.see_if(Feature::heading, sentence.shape == Shape::Heading);
    seen.see_if(Feature::item, sentence.shape == Shape::Item);
    seen.see_if(Feature::in_code, sentence.shape == Shape::Code);
    seen.see_if(Feature::technical, around.technical);
    seen.see_if(Feature::starts_small, sentence.starts_small);
    let others = around.imperatives.saturating_sub(1);
    let share = others * 100 / around.sentences.max(1);
    match share {
        0 => seen.see(Feature::imperatives_none),
        1..=19 => seen.see(Feature::imperatives_some),
        _ => seen.see(Feature::imperatives_many),
    }
    seen.see_if(
        Feature::procedure,
        share >= PROCEDURE_PERCENT_MIN && others >= PROCEDURE_ORDERS_MIN,
    );
    seen.see_if(Feature::letter, around.letter);
    seen.see_if(
        Feature::question_alone,
        around.questions == 1 && around.asking.get(index) == Some(&true) && others == 0,
    );
    let words = document.words_of(sentence);
    seen.see_if(
        Feature::only_thinking,
        around.thinking == 1 && others > 0 && is_thinking(words, opening(document, sentence)),
    );
    seen.see_if(
        Feature::only_question,
        around.questions == 1 && others > 0 && ends_with(document, sentence, '?'),
    );
    seen.see_if(
        Feature::longer_than_others,
        others > 1 && words.len() * around.sentences * 2 > around.words * 3,
    );
    seen.see_if(Feature::parts_others, parts_others(document, index));
    seen.see_if(Feature::questions_many, around.questions > 2);
    seen.see_if(Feature::about_agents, around.agents > 2);
    let asks = |index: Option<usize>| {
        index
            .and_then(|index| around.asking.get(index))
            .is_some_and(|asks| *asks)
    };
    seen.see_if(
        Feature::neighbour,
        asks(index.checked_sub(1)) || asks(index.checked_add(1)),
    );
    let near_asking = (1..=NEAR_SENTENCES)
        .flat_map(|step| [index.checked_sub(step), index.checked_add(step)])
        .filter(|near| asks(*near))
        .count();
    seen.see_if(Feature::between_asking, near_asking > 1);
    seen.see_if(Feature::linked, is_linked(document, index));
    seen.see_if(
        Feature::own_line,
        stands_on_own_line(document.view, sentence),
    );
    see_topic(seen, document, document.words_of(sentence));
}

/// Whether an order asks for words rather than for something done.
fn is_thinking(words: &[Word], opening: Option<Opening>) -> bool {
    let verb = opening.and_then(|opening| words.get(opening.word));
    verb.is_some_and(|verb| verb.classes.has(Class::Write) || verb.classes.has(Class::Tell))
}

/// Stands between two sentences that speak of the same and says nothing of it.
fn parts_others(document: &Document<'_>, index: usize) -> bool {
    let (before, after) = (index.checked_sub(1), index.checked_add(1));
    let (own, before, after) = (
        stems(document, Some(index)),
        stems(document, before),
        stems(document, after),
    );
    let share = |one: &[u64], other: &[u64]| one.iter().any(|stem| other.contains(stem));
    share(&before, &after) && !share(&own, &before) && !share(&own, &after)
}

fn stems(document: &Document<'_>, index: Option<usize>) -> Vec<u64> {
    let sentence = index.and_then(|index| document.sentences.get(index));
    let words = sentence.map(|sentence| document.words_of(sentence));
    let words = words.unwrap_or_default().iter().take(LINK_WORDS_MAX);
    words.filter_map(|word| word.stem).collect()
}

/// A planted sentence seldom takes up a word of the one before or after it.
fn is_linked(document: &Document<'_>, index: usize) -> bool {
    let own = stems(document, Some(index));
    [index.checked_sub(1), index.checked_add(1)]
        .into_iter()
        .any(|near| stems(document, near).iter().any(|stem| own.contains(stem)))
}

fn stands_on_own_line(view: &str, sentence: &Sentence) -> bool {
    let blank = [' ', '\t', '\r'];
    let before = view
        .get(..sentence.span.start)
        .unwrap_or_default()
        .trim_end_matches(blank);
    let body = view.get(..sentence.span.end).unwrap_or_default();
    let after = view
        .get(sentence.span.end..)
        .unwrap_or_default()
        .trim_start_matches(blank);
    let ends = body.ends_with('\n') || after.is_empty() || after.starts_with('\n');
    ends && (before.is_empty() || before.ends_with('\n'))
}

/// Too few other words to say what the document is about.
const CONTEXT_WORDS_MIN: usize = 15;

fn see_topic(seen: &mut Seen, document: &Document<'_>, words: &[Word]) {
    if document.words.len() - words.len() < CONTEXT_WORDS_MIN {
        seen.see(Feature::context_little);
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
    seen.see_if(Feature::new_words_all, stems.len() > 1 && elsewhere == 0);
    match share {
        80.. => seen.see(Feature::new_words_most),
        50..80 => seen.see(Feature::new_words_many),
        _ => seen.see(Feature::new_words_few),
    }
}

/// Enough to tell a word that is only here from one that is elsewhere too.
const SENTENCE_WORDS_COUNTED: usize = 40;
