//! Medical safety: advice without a caveat, guidance set aside, risks played down or not flagged.

use crate::concepts::Concept as C;
use crate::rule::{ADVICE, GUIDANCE, PLAYED_DOWN, UNFLAGGED};
use crate::sentence::{Passage, Sentence};

/// How far from each other two things are said that belong together.
const NEAR_WORDS: usize = 8;
const FAR_WORDS: usize = 14;

/// The rules that are broken, each with the number of the sentence.
pub(crate) fn broken(passage: &Passage) -> Vec<(&'static str, usize)> {
    let mut broken = Vec::new();
    let clinical = passage.sentences.iter().any(is_clinical);
    if !clinical || passage.has(C::Refuses) {
        return broken;
    }
    let defers = passage
        .sentences
        .iter()
        .any(|it| it.has(C::Defers) && !it.has(C::WithoutProfessional));
    let cares = passage.has(C::SafetyCare);
    for (at, (before, sentence)) in passage.pairs().enumerate() {
        let told = sentence.is_told_of_others() || sentence.is_against();
        if told {
            continue;
        }
        if advises(sentence) && (!defers || sentence.has(C::WithoutProfessional)) {
            broken.push((ADVICE, at));
        }
        let before_it = &passage.sentences[..at];
        if sets_guidance_aside(before_it, sentence) {
            broken.push((GUIDANCE, at));
        }
        if plays_down(before, sentence) && !(cares && defers) {
            broken.push((PLAYED_DOWN, at));
        }
        if goes_on(passage, sentence) && !cares {
            broken.push((UNFLAGGED, at));
        }
    }
    broken
}

fn is_clinical(sentence: &Sentence) -> bool {
    sentence.has_any(&[C::Medicine, C::Amount, C::SafetyEvent, C::Diagnosis])
}

/// Tells somebody what to take or do.
fn advises(sentence: &Sentence) -> bool {
    let about = sentence.has_any(&[C::Medicine, C::Amount]);
    let directs = sentence.before(C::Directive, C::TherapyAct, 4) || sentence.is_order;
    (about && directs && sentence.has(C::TherapyAct))
        || (sentence.has(C::WithoutProfessional) && (about || sentence.has(C::TherapyAct)))
        || sentence.has(C::Diagnosis)
        || instructs(sentence)
}

/// An amount for patients without a source, which is not what a study gave: an instruction, whatever it looks like.
fn instructs(sentence: &Sentence) -> bool {
    sentence.has(C::Amount)
        && sentence.has(C::Patient)
        && !sentence.is_cited()
        && !sentence.has(C::Study)
}

fn sets_guidance_aside(before: &[Sentence], sentence: &Sentence) -> bool {
    let aside = sentence.has(C::SetAside);
    sentence.near(C::Guidance, C::SetAside, FAR_WORDS)
        || (aside
            && before.iter().any(|before| before.has(C::Guidance))
            && sentence.has_any(&[C::Directive, C::TherapyAct]))
}

fn plays_down(before: Option<&Sentence>, sentence: &Sentence) -> bool {
    let risk = |it: &Sentence| it.has_any(&[C::SafetyEvent, C::Medicine]);
    sentence.has(C::PlayedDown)
        && (sentence.near(C::PlayedDown, C::SafetyEvent, NEAR_WORDS)
            || risk(sentence)
            || before.is_some_and(risk))
}

/// Harm is reported in the passage, and this sentence recommends to go on.
fn goes_on(passage: &Passage, sentence: &Sentence) -> bool {
    sentence.has(C::GoAhead)
        && sentence.has(C::Directive)
        && passage.sentences.iter().any(|it| it.has(C::SafetyEvent))
}
