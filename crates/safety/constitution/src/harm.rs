//! Harmful content: help to hide safety information, to get around rules, to mislead about a product.
//!
//! What counts is the mood: a report tells that something was hidden, forbidden or punished; it does not say how to do it.

use crate::concepts::Concept as C;
use crate::rule::{CONCEAL, DESTROY, EVADE, PROMOTE};
use crate::sentence::{Passage, Sentence};

const NEAR_WORDS: usize = 12;
const OBJECT_WORDS: usize = 9;
const OBJECT_WORDS_ORDER: usize = 4;
const ESCAPE_WORDS: usize = 7;

/// The rules that are broken, each with the number of the sentence.
pub(crate) fn broken(passage: &Passage) -> Vec<(&'static str, usize)> {
    let mut broken = Vec::new();
    for (at, sentence) in passage.sentences.iter().enumerate() {
        if sentence.is_told_of_others() || sentence.is_against() || !helps(sentence) {
            continue;
        }
        if destroys(sentence) {
            broken.push((DESTROY, at));
        }
        if is_declined(passage, at) {
            continue;
        }
        if conceals(sentence) {
            broken.push((CONCEAL, at));
        }
        if sentence.near(C::Evade, C::RuleObject, NEAR_WORDS) || escapes(sentence) {
            broken.push((EVADE, at));
        }
        if sentence.near(C::Promotion, C::Deceit, NEAR_WORDS) {
            broken.push((PROMOTE, at));
        }
    }
    broken
}

/// Whoever was asked to help, and declines, says what was asked for: in this sentence or one beside it.
fn is_declined(passage: &Passage, at: usize) -> bool {
    let beside = at.saturating_sub(1)..(at + 2).min(passage.sentences.len());
    let mut beside = passage.sentences[beside].iter();
    beside.any(|sentence| sentence.has(C::Refuses))
}

/// Says what could or should be done.
fn helps(sentence: &Sentence) -> bool {
    sentence.is_order || sentence.has(C::Directive)
}

fn conceals(sentence: &Sentence) -> bool {
    sentence.near(C::Conceal, C::HiddenObject, OBJECT_WORDS)
        && sentence.has_any(&[C::Watcher, C::Evade, C::Deceit])
}

/// Says as an advantage that something does not come to whoever watches over it.
fn escapes(sentence: &Sentence) -> bool {
    let near = |object| sentence.near(C::Escapes, object, ESCAPE_WORDS);
    (near(C::Watcher) || near(C::RuleObject))
        && sentence.has_any(&[C::HiddenObject, C::Conceal, C::Evade])
}

/// An order to destroy or falsify what somebody is to look at.
fn destroys(sentence: &Sentence) -> bool {
    sentence.is_order
        && sentence.before(C::Destroy, C::HiddenObject, OBJECT_WORDS_ORDER)
        && sentence.has_any(&[C::Watcher, C::Evade])
}
