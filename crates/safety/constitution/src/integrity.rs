//! Information integrity: claims without a source, certainty and conclusions beyond the evidence, motives as facts.

use crate::Origin;
use crate::concepts::Concept as C;
use crate::rule::{CERTAIN, CONFLICT, MOTIVE, NO_SOURCE, OVERREACH, VAGUE};
use crate::sentence::{Passage, Sentence};

/// How many bare statements with figures a passage without any source may make.
const WORDS_MIN: usize = 5;

/// The rules that are broken, each with the number of the sentence.
pub(crate) fn broken(passage: &Passage, origin: Origin) -> Vec<(&'static str, usize)> {
    let mut broken = Vec::new();
    for (at, (before, sentence)) in passage.pairs().enumerate() {
        let bare = !sentence.is_cited() && !sentence.is_hedged() && !sentence.is_against();
        if sentence.has(C::VagueAuthority) && !sentence.is_cited() && !sentence.is_against() {
            broken.push((VAGUE, at));
        }
        let foretells = sentence.has(C::Forecast) && !sentence.has(C::Conclusion);
        if (sentence.has(C::Certainty) || foretells) && bare {
            broken.push((CERTAIN, at));
        }
        if bare && reaches_too_far(before, sentence) {
            broken.push((OVERREACH, at));
        }
        if bare && sentence.has(C::Motive) && !sentence.is_told_of_others() {
            broken.push((MOTIVE, at));
        }
        if bare && before.is_some_and(|before| hides_conflict(before, sentence)) {
            broken.push((CONFLICT, at));
        }
        if bare && origin == Origin::Own && lacks_source(passage, sentence) {
            broken.push((NO_SOURCE, at));
        }
    }
    broken
}

/// Thin evidence before it or in it, and a conclusion without a sign of doubt.
fn reaches_too_far(before: Option<&Sentence>, sentence: &Sentence) -> bool {
    let thin = |it: &Sentence| it.has(C::ThinEvidence);
    let concludes = sentence.has(C::Conclusion)
        || (sentence.has(C::Universal) && before.is_some_and(Sentence::is_cited));
    concludes && (thin(sentence) || before.is_some_and(thin))
}

/// The sentence before cites several sources with several figures, and this one repeats one of them.
fn hides_conflict(before: &Sentence, sentence: &Sentence) -> bool {
    before.cites.len() > 1
        && before.figures.len() > 1
        && sentence
            .figures
            .iter()
            .any(|it| before.figures.contains(it))
}

/// Figures, forecasts or causes in a passage that names no source at all.
fn lacks_source(passage: &Passage, sentence: &Sentence) -> bool {
    let claims =
        !sentence.figures.is_empty() || (sentence.has(C::Conclusion) && sentence.has(C::Universal));
    let told = sentence.is_told_of_others();
    let claims_cause = sentence.has_any(&[C::CauseClaim, C::ResultClaim]) && !told;
    (claims_cause || (passage.cites == 0 && claims))
        && sentence.words() >= WORDS_MIN
        && !sentence.has(C::OwnWork)
        && !sentence.is_order
}
