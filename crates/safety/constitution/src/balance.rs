//! Bias: a preference that is followed, contrary evidence that is dropped, no alternatives, groups of people.

use crate::concepts::Concept as C;
use crate::rule::{DROPPED, GROUP, ONE_WAY, PREFERENCE, SPUN};
use crate::sentence::{Passage, Sentence};

const NEAR_WORDS: usize = 12;

/// The rules that are broken, each with the number of the sentence.
pub(crate) fn broken(passage: &Passage) -> Vec<(&'static str, usize)> {
    let mut broken = Vec::new();
    let balanced = passage.has(C::Balance);
    for (at, (before, sentence)) in passage.pairs().enumerate() {
        if sentence.is_told_of_others() || sentence.is_against() {
            continue;
        }
        if follows_preference(passage, sentence) && !balanced {
            broken.push((PREFERENCE, at));
        }
        if drops(before, sentence) && !sentence.has(C::Balance) {
            broken.push((DROPPED, at));
        }
        if spins(before, sentence) {
            broken.push((SPUN, at));
        }
        if sentence.has(C::OneWay) {
            broken.push((ONE_WAY, at));
        }
        if generalises(passage, sentence) && !balanced {
            broken.push((GROUP, at));
        }
    }
    broken
}

fn follows_preference(passage: &Passage, sentence: &Sentence) -> bool {
    sentence.has(C::Preference)
        && passage
            .sentences
            .iter()
            .any(|it| it.has_any(&[C::SupportsPreference, C::Dropped, C::OneWay]))
}

fn drops(before: Option<&Sentence>, sentence: &Sentence) -> bool {
    let contrary = sentence.near(C::Contrary, C::Dropped, NEAR_WORDS);
    let told_before =
        before.is_some_and(|before| before.has(C::Contrary) && !before.has(C::Balance));
    // Somebody who tells that something was not looked at does not say why it need not be.
    let excused = sentence.has(C::Justifies) && !sentence.is_hedged();
    let dropped = sentence.has(C::Dropped);
    (contrary && dropped && (excused || !sentence.is_cited()))
        || (told_before && dropped && excused)
        || (sentence.near(C::Dropped, C::Justifies, NEAR_WORDS) && sentence.has(C::Contrary))
}

/// A difference that the figures do not show is praised.
fn spins(before: Option<&Sentence>, sentence: &Sentence) -> bool {
    before.is_some_and(|before| before.has(C::NullResult))
        && sentence.has(C::Praise)
        && !sentence.is_hedged()
        && !sentence.has(C::NullResult)
}

/// A trait of a group, and a decision by it.
fn generalises(passage: &Passage, sentence: &Sentence) -> bool {
    let cited = sentence.is_cited() && !sentence.figures.is_empty();
    let decides = || {
        let mut sentences = passage.sentences.iter();
        sentences.any(|it| it.has_any(&[C::GroupConsequence, C::Directive]))
    };
    sentence.before(C::Group, C::Trait, 6)
        && !cited
        && (decides() || !(sentence.is_cited() || sentence.is_hedged()))
}
