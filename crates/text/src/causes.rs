//! Statements of cause and effect in a sentence: which words name the cause, which the effect, what the one does to the other,
//! and how surely it is said.

use crate::phrases::phrase_at;
use crate::stems::content_stems;

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
    "on account of",
    "owing to",
    "resulted from",
    "results from",
    "stems from",
    "traced back to",
    "traced to",
    "triggered by",
];
/// The effect stands behind these.
const EFFECT_BEHIND: &[&str] = &[
    "brought about",
    "caused",
    "causes",
    "contributed to",
    "gave rise to",
    "is the reason why",
    "leads to",
    "led to",
    "resulted in",
    "results in",
    "triggered",
    "was the cause of",
    "was the reason for",
    "was the reason why",
    "which meant that",
];
/// A sentence that begins so names the cause of what the sentence before tells.
const CAUSE_OF_BEFORE: &[&str] = &[
    "the cause is",
    "the cause was",
    "the reason is",
    "the reason was",
    "the root cause is",
    "the root cause was",
];
/// A sentence that begins so names the effect of the sentence before.
const FOLLOWS_FROM_BEFORE: &[&str] = &[
    "as a consequence,",
    "as a result,",
    "consequently,",
    "for this reason",
    "hence,",
    "that is why",
    "therefore",
    "thus,",
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

/// Behind these stands what did not happen.
const PREVENTED_BEHIND: &[&str] = &["prevented", "prevents"];
/// The side that the effect is on begins so, where the cause changes how much there is of something.
const MORE: &[&str] = &["higher", "increase", "increased", "more", "rise", "rising"];
const LESS: &[&str] = &[
    "decline",
    "decrease",
    "decreased",
    "drop",
    "fall",
    "fewer",
    "less",
    "lower",
    "reduced",
    "reduction",
];

/// How surely a cause is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    Denied,
    Suspected,
    Stated,
}

impl Certainty {
    pub fn name(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Suspected => "suspected",
            Self::Stated => "stated",
        }
    }
}

/// What a cause does to its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseDirection {
    BringsAbout,
    Raises,
    Lowers,
    Prevents,
}

/// What a sentence says of a cause and its effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedCause {
    pub cause: String,
    pub effect: String,
    pub certainty: Certainty,
    pub direction: CauseDirection,
    /// Whether one of the two is named by the sentence before.
    pub needs_sentence_before: bool,
}

/// The cause and the effect that a sentence names. Rows of tables, headings and questions name none.
pub fn stated_cause(text: &str, before: Option<&str>) -> Option<StatedCause> {
    if !is_statement(text) {
        return None;
    }
    let text = without_number(text);
    // Of the same length, so that places in it are places in the text.
    let small = text.to_ascii_lowercase();
    let follows = FOLLOWS_FROM_BEFORE
        .iter()
        .find(|words| small.starts_with(**words));
    if let (Some(words), Some(before)) = (follows, before) {
        let effect = side(&text[words.len()..]);
        let sides = Sides::new(side(before), effect, CauseDirection::BringsAbout)?;
        return Some(sides.said(&small, true));
    }
    let names_cause = CAUSE_OF_BEFORE
        .iter()
        .find(|words| small.starts_with(&format!("{words} ")));
    if let (Some(words), Some(before)) = (names_cause, before) {
        let cause = side(&text[words.len()..]);
        let sides = Sides::new(cause, side(before), CauseDirection::BringsAbout)?;
        // Denied or doubted right behind these words: `the cause was not the filter`.
        let rest = small[words.len()..].split_whitespace();
        let said: Vec<&str> = rest.take(2).collect();
        return Some(sides.said(&said.join(" "), true));
    }
    let found = connective(&small)?;
    let (start, words) = (found.start, found.words);
    let (left, right) = (&text[..start], &text[start + words.len()..]);
    let cause_behind = found.names == Behind::Cause;
    if left.trim().is_empty() && cause_behind {
        // `Because of rain, the match was moved.`
        let (cause, effect) = right.split_once(", ")?;
        let sides = Sides::new(side(cause), side(effect), CauseDirection::BringsAbout)?;
        return Some(sides.said("", false));
    }
    let (cause, effect) = match cause_behind {
        true => (right, left),
        false => (left, right),
    };
    let (mut cause, mut effect) = (side(cause), side(effect));
    let mut needs_sentence_before = false;
    for named in [&mut cause, &mut effect] {
        if points_back(named)
            && let Some(before) = before
        {
            *named = side(before);
            needs_sentence_before = true;
        }
    }
    let direction = match found.names {
        Behind::Prevented => CauseDirection::Prevents,
        Behind::Cause | Behind::Effect => change(&effect),
    };
    let sides = Sides::new(cause, effect, direction)?;
    Some(sides.said(&small[..start], needs_sentence_before))
}

/// Without the number of a clause before it: `4.3 Because …`.
fn without_number(text: &str) -> &str {
    let text = text.trim_start();
    let Some((first, rest)) = text.split_once(' ') else {
        return text;
    };
    let is_number = first.starts_with(|char: char| char.is_ascii_digit())
        && first.contains('.')
        && first
            .chars()
            .all(|char| char.is_ascii_digit() || char == '.');
    match is_number && rest.starts_with(char::is_uppercase) {
        true => rest,
        false => text,
    }
}

/// Rows of tables, headings and questions state no cause.
fn is_statement(text: &str) -> bool {
    let text = text.trim();
    !text.contains('|') && !text.ends_with('?') && !text.starts_with('#')
}

struct Sides {
    cause: String,
    effect: String,
    direction: CauseDirection,
}

impl Sides {
    /// Nothing if a side names nothing, or both the same.
    fn new(cause: String, effect: String, direction: CauseDirection) -> Option<Self> {
        let (causes, effects) = (content_stems(&cause), content_stems(&effect));
        let names_two = !causes.is_empty() && !effects.is_empty() && causes != effects;
        names_two.then_some(Self {
            cause,
            effect,
            direction,
        })
    }

    fn said(self, said_before: &str, needs_sentence_before: bool) -> StatedCause {
        StatedCause {
            cause: self.cause,
            effect: self.effect,
            certainty: certainty(said_before),
            direction: self.direction,
            needs_sentence_before,
        }
    }
}

/// `reduction in errors`: the first word tells that there is less of something.
fn change(effect: &str) -> CauseDirection {
    let first = effect.split_whitespace().next().unwrap_or_default();
    let first = first.to_lowercase();
    if MORE.contains(&first.as_str()) {
        CauseDirection::Raises
    } else if LESS.contains(&first.as_str()) {
        CauseDirection::Lowers
    } else {
        CauseDirection::BringsAbout
    }
}

/// What stands behind a connective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behind {
    Cause,
    Effect,
    Prevented,
}

struct Connective {
    start: usize,
    words: &'static str,
    names: Behind,
}

/// The first connective of a sentence in small letters.
fn connective(small: &str) -> Option<Connective> {
    let found = |list: &'static [&'static str], names: Behind| {
        list.iter().filter_map(move |words| {
            Some(Connective {
                start: phrase_at(small, words)?,
                words,
                names,
            })
        })
    };
    found(CAUSE_BEHIND, Behind::Cause)
        .chain(found(EFFECT_BEHIND, Behind::Effect))
        .chain(found(PREVENTED_BEHIND, Behind::Prevented))
        // At the same place the longer words say more: `caused by`.
        .min_by_key(|found| (found.start, usize::MAX - found.words.len()))
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

#[cfg(test)]
#[path = "causes_tests.rs"]
mod tests;
