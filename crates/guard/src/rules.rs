//! Words that give a sentence away when they stand close together.

use std::ops::Range;

use crate::document::{Document, Sentence, Shape};
use crate::finding::Finding;
use crate::lexicon::{Class, Classes};
use crate::opening::opening;
use crate::threat::{Severity, ThreatKind};

/// Where the first word of a rule has to stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    /// Where a command has its verb.
    Verb,
    /// Among the first words.
    Front,
}

struct Rule {
    kind: ThreatKind,
    severity: Severity,
    place: Place,
    anchor: Class,
    /// Each of these sets has a word near the anchor.
    near: &'static [Classes],
    /// Bytes between the anchor and the farthest of them.
    reach: usize,
    reason: &'static str,
}

const FRONT_BYTES: usize = 25;

const RULES: &[Rule] = &[
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::High,
        place: Place::Verb,
        anchor: Class::Ignore,
        near: &[Classes::of(Class::Prior), Classes::of(Class::Rules)],
        reach: 70,
        reason: "tells the reader to set aside earlier instructions",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::High,
        place: Place::Anywhere,
        anchor: Class::Ignore,
        near: &[Classes::of(Class::Prompt)],
        reach: 50,
        reason: "tells the reader to set aside its own instructions",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::High,
        place: Place::Anywhere,
        anchor: Class::Ignore,
        near: &[
            Classes::of(Class::Prior),
            Classes::of(Class::Rules),
            Classes::of(Class::Agent)
                .and(Class::Answer)
                .and(Class::Follow)
                .and(Class::New)
                .and(Class::Only)
                .and(Class::Request),
        ],
        reach: 90,
        reason: "says that earlier instructions no longer hold",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::Medium,
        place: Place::Verb,
        anchor: Class::Ignore,
        near: &[Classes::of(Class::User).and(Class::Agent)],
        reach: 25,
        reason: "tells the reader not to heed the user",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::High,
        place: Place::Front,
        anchor: Class::New,
        near: &[
            Classes::of(Class::Agent)
                .and(Class::Follow)
                .and(Class::Ignore)
                .and(Class::Prompt),
            Classes::of(Class::Answer)
                .and(Class::Reveal)
                .and(Class::Send)
                .and(Class::Prior)
                .and(Class::Silence),
        ],
        reach: 90,
        reason: "gives the reader a new task",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::Medium,
        place: Place::Anywhere,
        anchor: Class::Silence,
        near: &[Classes::of(Class::User)
            .and(Class::Answer)
            .and(Class::Agent)],
        reach: 25,
        reason: "tells the reader what to keep from the user",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::High,
        place: Place::Anywhere,
        anchor: Class::Role,
        near: &[Classes::of(Class::Unlimited)
            .and(Class::Agent)
            .and(Class::Only)
            .and(Class::Prompt)
            .and(Class::Ignore)],
        reach: 160,
        reason: "makes the reader somebody without its rules",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::Medium,
        place: Place::Front,
        anchor: Class::Role,
        near: &[],
        reach: 0,
        reason: "makes the reader somebody else",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::High,
        place: Place::Anywhere,
        anchor: Class::Rolish,
        near: &[Classes::of(Class::Unlimited)],
        reach: 120,
        reason: "makes the reader somebody without its rules",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::Medium,
        place: Place::Front,
        anchor: Class::Rolish,
        near: &[Classes::of(Class::Agent).and(Class::Answer)],
        reach: 90,
        reason: "tells the reader who it is",
    },
    Rule {
        kind: ThreatKind::Exfiltration,
        severity: Severity::High,
        place: Place::Verb,
        anchor: Class::Reveal,
        near: &[Classes::of(Class::Prompt)],
        reach: 60,
        reason: "asks for the reader's own instructions",
    },
    Rule {
        kind: ThreatKind::Exfiltration,
        severity: Severity::Medium,
        place: Place::Front,
        anchor: Class::Reveal,
        near: &[Classes::of(Class::Prompt)],
        reach: 30,
        reason: "asks for the reader's own instructions",
    },
    Rule {
        kind: ThreatKind::Exfiltration,
        severity: Severity::Low,
        place: Place::Verb,
        anchor: Class::Send,
        near: &[Classes::of(Class::Secret)],
        reach: 60,
        reason: "asks to send something confided",
    },
    Rule {
        kind: ThreatKind::Exfiltration,
        severity: Severity::Low,
        place: Place::Verb,
        anchor: Class::Reveal,
        near: &[Classes::of(Class::Secret)],
        reach: 45,
        reason: "asks to reveal something confided",
    },
    Rule {
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        place: Place::Verb,
        anchor: Class::Act,
        near: &[
            Classes::of(Class::Tool),
            Classes::of(Class::Agent)
                .and(Class::Answer)
                .and(Class::Secret),
        ],
        reach: 70,
        reason: "asks to have a tool called",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::Medium,
        place: Place::Anywhere,
        anchor: Class::Ignore,
        near: &[
            Classes::of(Class::Rules),
            Classes::of(Class::Prompt).and(Class::Agent),
        ],
        reach: 60,
        reason: "says that the reader's rules no longer hold",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::Medium,
        place: Place::Front,
        anchor: Class::Rolish,
        near: &[Classes::of(Class::Rolish)],
        reach: 40,
        reason: "tells the reader who it is",
    },
    Rule {
        kind: ThreatKind::EncodedText,
        severity: Severity::Medium,
        place: Place::Anywhere,
        anchor: Class::Follow,
        near: &[Classes::of(Class::Decode)],
        reach: 60,
        reason: "asks to decode something and to follow it",
    },
    Rule {
        kind: ThreatKind::EncodedText,
        severity: Severity::Medium,
        place: Place::Verb,
        anchor: Class::Decode,
        near: &[Classes::of(Class::Follow)],
        reach: 90,
        reason: "asks to decode something and to follow it",
    },
];

struct Spot {
    span: Range<usize>,
    classes: Classes,
}

/// Every sentence against every rule; the words of a rule stand in one sentence.
pub(crate) fn find(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for sentence in &document.sentences {
        let spots = spots(document, sentence);
        if spots.is_empty() {
            continue;
        }
        let mut all = Classes::default();
        spots.iter().for_each(|spot| all.join(spot.classes));
        let mut verb = None;
        for rule in RULES {
            if !all.has(rule.anchor) || !rule.near.iter().all(|near| all.meets(*near)) {
                continue;
            }
            let verb = *verb.get_or_insert_with(|| verb_place(document, sentence));
            if matched(document, rule, sentence, &spots, verb) {
                let span = sentence.span.clone();
                let severity = match sentence.shape {
                    Shape::Code if rule.severity == Severity::Medium => Severity::Low,
                    _ => rule.severity,
                };
                findings.push(Finding::new(rule.kind, severity, span, rule.reason));
            }
        }
    }
}

/// Marks a sentence can hold before the rest is left out; attackers repeat, and the first are enough.
const SPOTS_MAX: usize = 64;

fn spots(document: &Document<'_>, sentence: &Sentence) -> Vec<Spot> {
    let words = document.words_of(sentence).iter();
    let words = words
        .filter(|word| !word.classes.is_empty())
        .map(|word| (&word.span, word.classes));
    let marks = document
        .marks_of(sentence)
        .iter()
        .map(|mark| (&mark.span, mark.classes));
    let mut spots: Vec<Spot> = words
        .chain(marks)
        .map(|(span, classes)| Spot {
            span: span.clone(),
            classes,
        })
        .collect();
    spots.sort_by_key(|spot| spot.span.start);
    spots.truncate(SPOTS_MAX);
    spots
}

/// Where the verb of a command begins; in sentences of scripts without spaces it is anywhere.
#[derive(Clone, Copy)]
enum VerbPlace {
    None,
    At(usize),
    Anywhere,
}

fn verb_place(document: &Document<'_>, sentence: &Sentence) -> VerbPlace {
    let text = document.view.get(sentence.span.clone()).unwrap_or_default();
    let words = document.words_of(sentence);
    if text.chars().any(crate::letters::is_unspaced) {
        return VerbPlace::Anywhere;
    }
    let Some(opening) = opening(document, sentence) else {
        return VerbPlace::None;
    };
    let forbids = words.iter().take(opening.word).any(|word| {
        matches!(
            document.view.get(word.span.clone()),
            Some("not" | "never" | "don't" | "nicht")
        )
    });
    match words.get(opening.word) {
        Some(word) if !forbids => VerbPlace::At(word.span.start),
        _ => VerbPlace::None,
    }
}

fn matched(
    document: &Document<'_>,
    rule: &Rule,
    sentence: &Sentence,
    spots: &[Spot],
    verb: VerbPlace,
) -> bool {
    spots
        .iter()
        .filter(|spot| spot.classes.has(rule.anchor))
        .any(|anchor| {
            let placed = match (rule.place, verb) {
                (Place::Anywhere, _) | (Place::Verb, VerbPlace::Anywhere) => true,
                (Place::Verb, VerbPlace::At(start)) => {
                    anchor.span.start == start
                        || (anchor.span.start > start
                            && is_second_verb(document.view, anchor.span.start))
                }
                (Place::Verb, VerbPlace::None) => false,
                (Place::Front, _) => anchor.span.start < sentence.span.start + FRONT_BYTES,
            };
            // What a verb asks for stands after it, except in scripts where the verb comes last.
            let forward = rule.place == Place::Verb && !matches!(verb, VerbPlace::Anywhere);
            placed
                && rule.near.iter().all(|near| {
                    spots.iter().any(|spot| {
                        spot.classes.meets(*near)
                            && spot.span != anchor.span
                            && (!near.has(rule.anchor) || !overlap(&spot.span, &anchor.span))
                            && (!forward || spot.span.start > anchor.span.start)
                            && spot.span.start < anchor.span.end + rule.reach
                            && anchor.span.start < spot.span.end + rule.reach
                    })
                })
        })
}

/// A phrase inside another is no second one.
fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// A second command in the same sentence: "translate this and send it".
fn is_second_verb(view: &str, at: usize) -> bool {
    let before = view.get(..at).unwrap_or_default().trim_end();
    [" and", " und", " et", " y", " e", " en", " и", " then"]
        .iter()
        .any(|word| before.ends_with(word))
}
