//! Statements of cause and effect in sentences: which words name the cause, which the effect, and how surely it is said.

use std::collections::BTreeSet;

use adjutant_questions::Evidence;

use crate::words::{Sentence, stems};

/// The cause stands behind these words. Longer ones come first where they share a beginning.
const CAUSE_BEHIND: &[&str] = &[
    "as a consequence of",
    "as a result of",
    "attributable to",
    "attributed to",
    "because of",
    "because",
    "brought about by",
    "caused by",
    "due to",
    "owing to",
    "resulted from",
    "results from",
    "stems from",
    "triggered by",
];
/// The effect stands behind these.
const EFFECT_BEHIND: &[&str] = &[
    "brought about",
    "caused",
    "causes",
    "contributed to",
    "gave rise to",
    "leads to",
    "led to",
    "resulted in",
    "results in",
    "triggered",
];
/// A sentence that begins so names the effect of the sentence before.
const FOLLOWS_FROM_BEFORE: &[&str] = &[
    "as a consequence,",
    "as a result,",
    "consequently,",
    "for this reason",
    "hence,",
    "therefore",
];
const DENIES: &[&str] = &["cannot", "neither", "never", "no", "nor", "not"];
const DOUBTS: &[&str] = &[
    "appears",
    "apparently",
    "assumed",
    "believed",
    "could",
    "hypothesis",
    "likely",
    "may",
    "maybe",
    "might",
    "perhaps",
    "possible",
    "possibly",
    "presumably",
    "probable",
    "probably",
    "seems",
    "suspected",
    "whether",
];
/// Words at the edge of a side that name neither a cause nor an effect.
const AT_THE_EDGE: &[&str] = &[
    "a",
    "also",
    "an",
    "and",
    "are",
    "be",
    "been",
    "being",
    "but",
    "can",
    "cannot",
    "could",
    "did",
    "does",
    "had",
    "has",
    "have",
    "in",
    "is",
    "likely",
    "mainly",
    "may",
    "might",
    "never",
    "no",
    "not",
    "partly",
    "possibly",
    "probably",
    "that",
    "the",
    "therefore",
    "was",
    "were",
    "which",
    "why",
];
/// A side of these words alone speaks of the sentence before.
const POINTS_BACK: &[&str] = &[
    "he", "it", "she", "that", "these", "they", "this", "those", "which",
];
/// Words before the connective that may deny it.
const BEFORE_MAX: usize = 5;
const SIDE_WORDS_MAX: usize = 28;

/// How surely a cause is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    Denied,
    Suspected,
    Stated,
}

impl Certainty {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Suspected => "suspected",
            Self::Stated => "stated",
        }
    }
}

/// A sentence that says what caused what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) cause: String,
    pub(super) effect: String,
    pub(super) certainty: Certainty,
    pub(super) evidence: Vec<Evidence>,
}

impl Link {
    pub(super) fn cause_stems(&self) -> BTreeSet<String> {
        stems(&self.cause)
    }
}

/// The links that sentences state, in their order.
pub(super) fn links(sentences: &[Sentence<'_>]) -> Vec<Link> {
    let mut found = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let before = at
            .checked_sub(1)
            .map(|before| &sentences[before])
            .filter(|before| before.source.id == sentence.source.id);
        if is_statement(sentence.text) {
            found.extend(link(sentence, before));
        }
    }
    found
}

/// Rows of tables, headings and questions state no cause.
fn is_statement(text: &str) -> bool {
    let text = text.trim();
    !text.contains('|') && !text.ends_with('?') && !text.starts_with('#')
}

fn link(sentence: &Sentence<'_>, before: Option<&Sentence<'_>>) -> Option<Link> {
    let text = sentence.text;
    // Of the same length, so that places in it are places in the text.
    let small = text.to_ascii_lowercase();
    let follows = FOLLOWS_FROM_BEFORE
        .iter()
        .find(|words| small.starts_with(**words));
    if let (Some(words), Some(before)) = (follows, before) {
        let effect = side(&text[words.len()..]);
        let cause = side(before.text);
        return made(
            cause,
            effect,
            &small,
            [before.evidence(), sentence.evidence()],
        );
    }
    let (start, words, cause_behind) = connective(&small)?;
    let (left, right) = (&text[..start], &text[start + words.len()..]);
    if left.trim().is_empty() && cause_behind {
        // `Because of rain, the match was moved.`
        let (cause, effect) = right.split_once(", ")?;
        return made(side(cause), side(effect), "", [sentence.evidence()]);
    }
    let (cause, effect) = match cause_behind {
        true => (right, left),
        false => (left, right),
    };
    let (mut cause, mut effect) = (side(cause), side(effect));
    let mut evidence = vec![sentence.evidence()];
    for named in [&mut cause, &mut effect] {
        if points_back(named)
            && let Some(before) = before
        {
            *named = side(before.text);
            evidence.insert(0, before.evidence());
        }
    }
    made(cause, effect, &small[..start], evidence)
}

fn made(
    cause: String,
    effect: String,
    said_before: &str,
    evidence: impl Into<Vec<Evidence>>,
) -> Option<Link> {
    let (causes, effects) = (stems(&cause), stems(&effect));
    if causes.is_empty() || effects.is_empty() || causes == effects {
        return None;
    }
    Some(Link {
        cause,
        effect,
        certainty: certainty(said_before),
        evidence: evidence.into(),
    })
}

/// The first connective of a sentence in small letters: where it stands, its words, and whether the cause is behind it.
fn connective(small: &str) -> Option<(usize, &'static str, bool)> {
    let found = |list: &'static [&'static str], cause_behind: bool| {
        list.iter()
            .filter_map(move |words| Some((place(small, words)?, *words, cause_behind)))
    };
    found(CAUSE_BEHIND, true)
        .chain(found(EFFECT_BEHIND, false))
        // At the same place the longer words say more: `caused by`.
        .min_by_key(|(at, words, _)| (*at, usize::MAX - words.len()))
}

/// Where words stand in a text as words of their own.
fn place(small: &str, words: &str) -> Option<usize> {
    let is_edge = |char: Option<char>| char.is_none_or(|char| !char.is_alphanumeric());
    small.match_indices(words).map(|(at, _)| at).find(|at| {
        is_edge(small[..*at].chars().next_back())
            && is_edge(small[at + words.len()..].chars().next())
    })
}

/// The words of a side, without those at its edges that name nothing.
fn side(text: &str) -> String {
    let text = text.split(';').next().unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| {
        word.trim_matches(|char: char| !char.is_alphanumeric())
            .to_lowercase()
    };
    let is_edge = |word: &&str| {
        let word = bare(word);
        word.is_empty() || AT_THE_EDGE.contains(&word.as_str())
    };
    let start = words.iter().take_while(|word| is_edge(word)).count();
    let rest = &words[start..];
    let end = rest.len() - rest.iter().rev().take_while(|word| is_edge(word)).count();
    let kept = &rest[..end.min(SIDE_WORDS_MAX)];
    if kept.is_empty() {
        // `This was` points back: keep what the caller asks for.
        return words
            .iter()
            .map(|word| bare(word))
            .find(|word| POINTS_BACK.contains(&word.as_str()))
            .unwrap_or_default();
    }
    kept.join(" ")
        .trim_matches(|char: char| ",.:;!—–-".contains(char) || char.is_whitespace())
        .to_owned()
}

fn points_back(side: &str) -> bool {
    let small = side.to_lowercase();
    POINTS_BACK.contains(&small.as_str())
}

fn certainty(said_before: &str) -> Certainty {
    let words: Vec<&str> = said_before
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let near = &words[words.len().saturating_sub(BEFORE_MAX)..];
    let has = |list: &[&str], words: &[&str]| words.iter().any(|word| list.contains(word));
    if has(DENIES, near) || said_before.contains("ruled out") {
        Certainty::Denied
    } else if has(DOUBTS, &words) {
        Certainty::Suspected
    } else {
        Certainty::Stated
    }
}
