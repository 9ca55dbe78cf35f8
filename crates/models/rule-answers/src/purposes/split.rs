//! A question taken apart: the questions it is made of, what it takes for granted, or what has to be learned first.

use adjutant_mission::StepRole;
use adjutant_questions::{Cluster, Split, SplitInto};

use super::cluster::cluster;
use crate::text::{Stems, clipped, confidence, is_stop_word, one_line, quantities, words};

const PART_CHARS_MAX: usize = 230;
/// A part must say at least so much to be worked on by itself.
const CONTENT_WORDS_MIN: usize = 2;
const SUBJECT_WORDS_MAX: usize = 6;
const SURE_OF_WORDS: f64 = 0.7;
const SURE_OF_FACETS: f64 = 0.5;
const SURE_OF_WHOLE: f64 = 0.4;

/// Words that compare with something the question does not always name.
const COMPARING: &[&str] = &[
    "better",
    "best",
    "worse",
    "worst",
    "more",
    "less",
    "most",
    "least",
    "higher",
    "lower",
    "superior",
    "inferior",
    "safer",
    "cheaper",
    "faster",
    "slower",
    "larger",
    "smaller",
    "than",
    "improve",
    "improves",
    "reduce",
    "reduces",
    "increase",
    "increases",
];
/// Questions that ask how or why something is, and take for granted that it is.
const PRESUPPOSING: &[&str] = &["why", "how", "when", "since", "where", "who"];

pub(crate) fn split(input: &Split) -> SplitInto {
    let most = usize::from(input.most.max(1));
    let (mut parts, sure) = match input.role {
        StepRole::Assumptions => (assumptions(&input.question), SURE_OF_WORDS),
        StepRole::Lessons => (lessons(input, most), SURE_OF_FACETS),
        _ => questions(input),
    };
    parts.truncate(most);
    let mut kept: Vec<String> = Vec::new();
    for part in parts.iter().map(|part| clipped(part, PART_CHARS_MAX)) {
        let known = kept
            .iter()
            .any(|at| at.to_lowercase() == part.to_lowercase());
        if !part.is_empty() && !known {
            kept.push(part);
        }
    }
    if kept.is_empty() {
        kept.push("What do the sources say?".to_owned());
    }
    SplitInto {
        parts: kept,
        confidence: confidence(sure),
    }
}

/// Where the question joins several; a question that does not is looked at by what its sources speak of.
fn questions(input: &Split) -> (Vec<String>, f64) {
    let joined = conjuncts(&input.question);
    if joined.len() > 1 {
        return (joined, SURE_OF_WORDS);
    }
    let question = one_line(&input.question);
    let bare = question.trim_end_matches(['?', '.', ' ']);
    let facets = facets(input);
    if facets.len() < 2 || bare.is_empty() {
        return (vec![question], SURE_OF_WHOLE);
    }
    let parts = facets.iter().map(|label| format!("{bare}, as to {label}?"));
    (parts.collect(), SURE_OF_FACETS)
}

/// What groups of sources are about; nothing that an earlier thought was about by the same words.
fn facets(input: &Split) -> Vec<String> {
    let found = cluster(&Cluster {
        about: input.question.clone(),
        sources: input.sources.clone(),
        most: input.most.max(1),
        guidance: Vec::new(),
    });
    let labels = found.clusters.into_iter().map(|at| at.label);
    let said = |label: &String| {
        let mut texts = input.thoughts.iter().map(|at| at.text.to_lowercase());
        texts.any(|text| text.contains(label.as_str()))
    };
    labels
        .filter(|label| !label.is_empty() && !said(label))
        .collect()
}

/// The questions that a question joins, by semicolons, question marks and `and`. One that has lost its subject is told
/// what it is on.
fn conjuncts(question: &str) -> Vec<String> {
    let line = one_line(question);
    let mut parts: Vec<String> = Vec::new();
    for sentence in line.split([';', '?', '\n']) {
        let mut open = String::new();
        for piece in sentence.split(" and ") {
            let piece = piece.trim().trim_matches(',').trim();
            let whole = content_words(piece).len() >= CONTENT_WORDS_MIN;
            if whole && (open.is_empty() || content_words(&open).len() >= CONTENT_WORDS_MIN) {
                parts.extend((!open.is_empty()).then(|| std::mem::take(&mut open)));
                open = piece.to_owned();
            } else if open.is_empty() {
                open = piece.to_owned();
            } else {
                open = format!("{open} and {piece}");
            }
        }
        parts.extend((!open.is_empty()).then_some(open));
    }
    parts.retain(|part| !content_words(part).is_empty());
    if parts.len() < 2 {
        return parts;
    }
    let subject = subject(&parts[0]);
    let told = parts.iter().enumerate().map(|(at, part)| {
        let named = content_words(part)
            .iter()
            .any(|word| subject.contains(word));
        let part = capitalised(part.trim_end_matches(['.', ' ']));
        match (at, named || subject.is_empty()) {
            (0, _) | (_, true) => format!("{part}?"),
            (_, false) => format!("{part} (on {})?", subject.join(" ")),
        }
    });
    told.collect()
}

fn content_words(text: &str) -> Vec<String> {
    let small = words(text).into_iter().map(|word| word.text.to_owned());
    small
        .filter(|word| !is_stop_word(&word.to_lowercase()))
        .collect()
}

/// The names a text has, else its words.
fn subject(text: &str) -> Vec<String> {
    let all = content_words(text);
    let first = words(text).first().map(|word| word.text.to_owned());
    let names = all
        .iter()
        .filter(|word| word.starts_with(char::is_uppercase) && Some(*word) != first.as_ref());
    let names: Vec<String> = names.take(SUBJECT_WORDS_MAX).cloned().collect();
    match names.is_empty() {
        true => all.into_iter().take(SUBJECT_WORDS_MAX).collect(),
        false => names,
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next();
    first
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

fn assumptions(question: &str) -> Vec<String> {
    let line = one_line(question);
    let all = words(&line);
    let mut found = Vec::new();
    if let Some(first) = all.first() {
        let asks = first.text.to_lowercase();
        let rest = line[first.end..].trim_end_matches(['?', ' ']).trim();
        if PRESUPPOSING.contains(&asks.as_str()) && !rest.is_empty() {
            found.push(format!(
                "Is it so at all, before it is asked {asks}: {rest}?"
            ));
        }
    }
    for quantity in quantities(&line, &mut Stems::new()) {
        found.push(format!(
            "Is {} right, and where does it come from?",
            quantity.written
        ));
    }
    for word in &all {
        if COMPARING.contains(&word.text.to_lowercase().as_str()) {
            found.push(format!(
                "“{}” compared with what, and is that comparison fair?",
                word.text
            ));
        }
    }
    for pair in all.windows(2) {
        let noun = pair[1].text.to_lowercase();
        if pair[0].text.eq_ignore_ascii_case("the") && !is_stop_word(&noun) {
            found.push(format!(
                "Is there one {}, and is it told which is meant?",
                pair[1].text
            ));
        }
    }
    let subject = subject(&line);
    if !subject.is_empty() {
        found.push(format!(
            "Do the sources speak of {} at all?",
            subject.join(" ")
        ));
    }
    found
}

/// Basics first, then what was found, then its limits.
fn lessons(input: &Split, most: usize) -> Vec<String> {
    let subject = subject(&one_line(&input.question)).join(" ");
    if subject.is_empty() {
        return Vec::new();
    }
    let basics = format!("What is {subject}?");
    if most == 1 {
        return vec![basics];
    }
    let mut lessons = vec![basics];
    let facets = facets(input).into_iter().take(most.saturating_sub(3));
    lessons.extend(facets.map(|label| format!("What do the sources say of {label}?")));
    if most > 2 {
        let question = one_line(&input.question);
        lessons.push(format!("{}?", question.trim_end_matches(['?', '.', ' '])));
    }
    lessons.push(format!(
        "What speaks against it, and what is not known of {subject}?"
    ));
    lessons
}
