//! What a source says of itself: its kind, how many it studied, its year, its limits.

use adjutant_questions::{Source, StudyKind};

use super::table::STUDIES;
use crate::corpus::Corpus;
use crate::text::{Word, dates_in, number, one_line, sentences, words};

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
/// Words before something that say that it is not so.
const DENYING: &[&str] = &[
    "no", "non", "not", "never", "neither", "nor", "without", "cannot",
];
/// Words around something that say that it is not yet so.
const PLANNING: &[&str] = &[
    "aim", "aims", "future", "intend", "intends", "needed", "plan", "planned", "planning", "plans",
    "propose", "proposed", "should", "will", "would",
];
/// How many words away a denial, or a plan, still speaks of something.
const DENIAL_REACH: usize = 4;
const PLAN_REACH_BEFORE: usize = 7;
const PLAN_REACH_AFTER: usize = 4;
const AROUND_CHARS_MAX: usize = 120;
/// Words shortly before the date on which a source came out.
const PUBLISHED: &[&str] = &["published", "copyright", "posted", "issued"];
const PUBLISHED_REACH: usize = 3;
/// How many words may stand between a number and what it counts.
const ADJECTIVES_MAX: usize = 2;

/// The kind by the title, else by the first sentence that tells one.
pub(crate) fn kind(corpus: &Corpus<'_>, source: usize) -> (StudyKind, Option<usize>) {
    let by_title = kind_in(&corpus.sources[source].title);
    let mut own = corpus.sentences_of_source(source);
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

/// Whether the line has the phrase as words of its own, and neither denies it nor only plans it.
fn says(line: &str, cue: &str) -> bool {
    line.match_indices(cue).any(|(at, _)| {
        let before = &line[..at];
        let begins = !before.ends_with(char::is_alphanumeric);
        begins && !before.ends_with("non-") && !taken_back(before, &line[at + cue.len()..])
    })
}

/// Whether the words around something, in its clause, say that it is not so or not yet so.
fn taken_back(before: &str, after: &str) -> bool {
    let mut back = before.char_indices().rev();
    let from = back.nth(AROUND_CHARS_MAX).map_or(0, |(at, _)| at);
    let clause = before[from..].rsplit([',', ';', ':', '(']).next();
    let clause = clause.unwrap_or("");
    let clause = clause.rsplit(" but ").next().unwrap_or("");
    let near = small_words(clause).into_iter().rev();
    let near: Vec<String> = near.take(PLAN_REACH_BEFORE).collect();
    let to = after.char_indices().nth(AROUND_CHARS_MAX);
    let after = &after[..to.map_or(after.len(), |(at, _)| at)];
    let clause = after.split([',', ';', ':', '.', ')']).next().unwrap_or("");
    let next = small_words(clause).into_iter().take(PLAN_REACH_AFTER);
    let mut around = near.iter().cloned().chain(next);
    let denies = |word: &String| DENYING.contains(&word.as_str()) || word.ends_with("n't");
    near.iter().take(DENIAL_REACH).any(denies)
        || around.any(|word| PLANNING.contains(&word.as_str()))
}

fn small_words(text: &str) -> Vec<String> {
    let words = words(text).into_iter();
    words.map(|word| word.text.to_lowercase()).collect()
}

pub(crate) fn size(corpus: &Corpus<'_>, source: usize) -> (Option<u64>, Option<usize>) {
    let own = corpus.sentences_of_source(source);
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
        if text[word.end..].starts_with('%') || taken_back(&text[..word.start], &text[word.end..]) {
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
    let mut own = corpus.sentences_of_source(source);
    own.find(|at| {
        let line = corpus.line(*at).to_lowercase();
        LIMITS.iter().any(|limit| line.contains(limit))
    })
}

/// The year the text gives for itself: `published in 2021`, or `(2021)` right after names.
pub(crate) fn year(source: &Source) -> Option<u16> {
    let spans = sentences(&source.text).into_iter();
    let texts = spans.map(|span| &source.text[span]);
    let mut texts = [source.title.as_str()].into_iter().chain(texts);
    texts.find_map(|text| {
        let words = words(text);
        let mut dated = dates_in(text).into_iter();
        let told = dated.find(|(_, at)| is_publication(text, &words[..at.start], &words[at.start]));
        told.map(|(date, _)| date.year())
    })
}

fn is_publication(text: &str, before: &[Word<'_>], date: &Word<'_>) -> bool {
    let Some(last) = before.last() else {
        return false;
    };
    let close = before.iter().rev().take(PUBLISHED_REACH);
    let published = close
        .into_iter()
        .any(|word| PUBLISHED.contains(&word.text.to_lowercase().as_str()));
    let cited = &text[last.end..date.start] == " ("
        && text[date.end..].starts_with(')')
        && (last.text.starts_with(char::is_uppercase) || last.text == "al");
    published || cited
}
