//! What a source says of itself: its kind, how many it studied, its year, its limits.

use adjutant_ask::{Source, StudyKind};

use super::table::STUDIES;
use crate::corpus::Corpus;
use crate::text::{dates, number, one_line, sentences, words};

/// What is counted when the size of a study is told, as words.
const STUDIED: &[&str] = &[
    "adults",
    "cases",
    "children",
    "companies",
    "controls",
    "firms",
    "homes",
    "hospitals",
    "households",
    "individuals",
    "infants",
    "men",
    "participants",
    "patients",
    "people",
    "persons",
    "respondents",
    "samples",
    "schools",
    "ships",
    "sites",
    "specimens",
    "students",
    "subjects",
    "vessels",
    "volunteers",
    "women",
];
/// Words of sentences that tell who was studied, and not who was asked or left out.
const TAKEN_IN: &[&str] = &[
    "enrol", "randomi", "recruit", "includ", "assign", "analys", "follow", "studied", "survey",
];
const LIMITS: &[&str] = &[
    "open-label",
    "not blinded",
    "unblinded",
    "small sample",
    "risk of bias",
    "underpowered",
    "lost to follow-up",
    "stopped early",
    "no control group",
    "uncontrolled",
    "limitation",
    "single centre",
    "single-centre",
];
/// How many words may stand between a number and what it counts.
const ADJECTIVES_MAX: usize = 2;

/// The kind by the title, else by the first sentence that tells one.
pub(crate) fn kind(corpus: &Corpus<'_>, source: usize) -> (StudyKind, Option<usize>) {
    let by_title = kind_in(&corpus.sources[source].title);
    let mut own = corpus.of_source(source);
    let told = own.find_map(|at| {
        let kind = kind_in(corpus.text(at))?;
        by_title
            .is_none_or(|title| title == kind)
            .then_some((kind, at))
    });
    match (by_title, told) {
        (_, Some((kind, at))) => (kind, Some(at)),
        (Some(kind), None) => (kind, None),
        (None, None) => (StudyKind::Unknown, None),
    }
}

fn kind_in(text: &str) -> Option<StudyKind> {
    let line = one_line(text).to_lowercase();
    let told = STUDIES
        .iter()
        .find(|facts| facts.cues.iter().any(|cue| says(&line, cue)));
    told.map(|facts| facts.kind)
}

/// Whether the line has the phrase as words of its own, and not as `not randomised` or `non-randomised`.
fn says(line: &str, cue: &str) -> bool {
    line.match_indices(cue).any(|(at, _)| {
        let before = &line[..at];
        let begins = !before.ends_with(char::is_alphanumeric);
        begins
            && !before.ends_with("not ")
            && !before.ends_with("non-")
            && !before.ends_with("non ")
    })
}

pub(crate) fn size(corpus: &Corpus<'_>, source: usize) -> (Option<u64>, Option<usize>) {
    let own = corpus.of_source(source);
    let mut best: Option<(bool, u64, usize)> = None;
    for at in own {
        let text = corpus.text(at);
        let line = text.to_lowercase();
        let Some(most) = counted(text).into_iter().max() else {
            continue;
        };
        let taken_in = TAKEN_IN.iter().any(|word| line.contains(word));
        let better = best.is_none_or(|(was_taken_in, _, _)| taken_in && !was_taken_in);
        if better {
            best = Some((taken_in, most, at));
        }
    }
    (best.map(|(_, size, _)| size), best.map(|(_, _, at)| at))
}

/// The numbers of a sentence that say how many were studied: `412 older adults`, `n = 412`.
fn counted(text: &str) -> Vec<u64> {
    let words = words(text);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(value) = number(word.text).filter(|value| value.fract() == 0.0 && *value < 1e9)
        else {
            continue;
        };
        if text[word.end..].starts_with('%') {
            continue;
        }
        let mut next = words.iter().skip(at + 1).take(ADJECTIVES_MAX + 1);
        let of_people = next.any(|next| STUDIED.contains(&next.text.to_lowercase().as_str()));
        let lettered = at
            .checked_sub(1)
            .and_then(|before| words.get(before))
            .is_some_and(|before| {
                before.text.eq_ignore_ascii_case("n") && text[before.end..word.start].trim() == "="
            });
        if of_people || lettered {
            found.push(value as u64);
        }
    }
    found
}

pub(crate) fn limits(corpus: &Corpus<'_>, source: usize) -> Option<usize> {
    let mut own = corpus.of_source(source);
    own.find(|at| {
        let line = corpus.line(*at).to_lowercase();
        LIMITS.iter().any(|limit| line.contains(limit))
    })
}

/// The newest year the text names.
pub(crate) fn year(source: &Source) -> Option<u16> {
    let spans = sentences(&source.text);
    let years = spans.into_iter().flat_map(|span| dates(&source.text[span]));
    years.map(|date| date.year).max()
}
