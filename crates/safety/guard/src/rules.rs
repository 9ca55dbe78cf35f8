//! Finds threats by classes of words that occur close together in one sentence.

use std::ops::Range;

use crate::document::{Document, Sentence, Shape};
use crate::finding::Finding;
use crate::lexicon::{Class, Classes};
use crate::opening::find_opening;
use crate::threat::{Severity, ThreatKind};

/// Where the anchor of a rule has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Anywhere,
    /// At the verb of a command.
    Verb,
    /// Among the first words.
    Front,
}

struct Rule {
    kind: ThreatKind,
    severity: Severity,
    position: Position,
    anchor: Class,
    /// Each of these sets must have a word near the anchor.
    near: &'static [Classes],
    /// Maximum bytes between the anchor and these words.
    reach: usize,
    reason: &'static str,
}

const FRONT_BYTES: usize = 25;

const RULES: &[Rule] = &[
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::High,
        position: Position::Verb,
        anchor: Class::Ignore,
        near: &[Classes::one(Class::Prior), Classes::one(Class::Rules)],
        reach: 70,
        reason: "tells the model to ignore earlier instructions",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::High,
        position: Position::Anywhere,
        anchor: Class::Ignore,
        near: &[Classes::one(Class::Prompt)],
        reach: 50,
        reason: "tells the model to ignore its own instructions",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::High,
        position: Position::Anywhere,
        anchor: Class::Ignore,
        near: &[
            Classes::one(Class::Prior),
            Classes::one(Class::Rules),
            Classes::one(Class::Agent)
                .with(Class::Answer)
                .with(Class::Follow)
                .with(Class::New)
                .with(Class::Only)
                .with(Class::Request),
        ],
        reach: 90,
        reason: "claims that earlier instructions no longer apply",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::Medium,
        position: Position::Verb,
        anchor: Class::Ignore,
        near: &[Classes::one(Class::User).with(Class::Agent)],
        reach: 25,
        reason: "tells the model to ignore the user",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::High,
        position: Position::Front,
        anchor: Class::New,
        near: &[
            Classes::one(Class::Agent)
                .with(Class::Follow)
                .with(Class::Ignore)
                .with(Class::Prompt),
            Classes::one(Class::Answer)
                .with(Class::Reveal)
                .with(Class::Send)
                .with(Class::Prior)
                .with(Class::Silence),
        ],
        reach: 90,
        reason: "gives the model a new task",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::Medium,
        position: Position::Anywhere,
        anchor: Class::Silence,
        near: &[Classes::one(Class::User)
            .with(Class::Answer)
            .with(Class::Agent)],
        reach: 25,
        reason: "tells the model to hide something from the user",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::High,
        position: Position::Anywhere,
        anchor: Class::Role,
        near: &[Classes::one(Class::Unlimited)
            .with(Class::Agent)
            .with(Class::Only)
            .with(Class::Prompt)
            .with(Class::Ignore)],
        reach: 160,
        reason: "gives the model an identity without rules",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::Medium,
        position: Position::Front,
        anchor: Class::Role,
        near: &[],
        reach: 0,
        reason: "gives the model another identity",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::High,
        position: Position::Anywhere,
        anchor: Class::Rolish,
        near: &[Classes::one(Class::Unlimited)],
        reach: 120,
        reason: "gives the model an identity without rules",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::Medium,
        position: Position::Front,
        anchor: Class::Rolish,
        near: &[Classes::one(Class::Agent).with(Class::Answer)],
        reach: 90,
        reason: "tells the model who it is",
    },
    Rule {
        kind: ThreatKind::Exfiltration,
        severity: Severity::High,
        position: Position::Verb,
        anchor: Class::Reveal,
        near: &[Classes::one(Class::Prompt)],
        reach: 60,
        reason: "asks for the model's own instructions",
    },
    Rule {
        kind: ThreatKind::Exfiltration,
        severity: Severity::Medium,
        position: Position::Front,
        anchor: Class::Reveal,
        near: &[Classes::one(Class::Prompt)],
        reach: 30,
        reason: "asks for the model's own instructions",
    },
    Rule {
        kind: ThreatKind::Exfiltration,
        severity: Severity::Low,
        position: Position::Verb,
        anchor: Class::Send,
        near: &[Classes::one(Class::Secret)],
        reach: 60,
        reason: "asks to send confidential data",
    },
    Rule {
        kind: ThreatKind::Exfiltration,
        severity: Severity::Low,
        position: Position::Verb,
        anchor: Class::Reveal,
        near: &[Classes::one(Class::Secret)],
        reach: 45,
        reason: "asks to reveal confidential data",
    },
    Rule {
        kind: ThreatKind::ToolHijack,
        severity: Severity::Medium,
        position: Position::Verb,
        anchor: Class::Act,
        near: &[
            Classes::one(Class::Tool),
            Classes::one(Class::Agent)
                .with(Class::Answer)
                .with(Class::Secret),
        ],
        reach: 70,
        reason: "asks for a tool call",
    },
    Rule {
        kind: ThreatKind::Override,
        severity: Severity::Medium,
        position: Position::Anywhere,
        anchor: Class::Ignore,
        near: &[
            Classes::one(Class::Rules),
            Classes::one(Class::Prompt).with(Class::Agent),
        ],
        reach: 60,
        reason: "claims that the model's rules no longer apply",
    },
    Rule {
        kind: ThreatKind::RoleChange,
        severity: Severity::Medium,
        position: Position::Front,
        anchor: Class::Rolish,
        near: &[Classes::one(Class::Rolish)],
        reach: 40,
        reason: "tells the model who it is",
    },
    Rule {
        kind: ThreatKind::EncodedText,
        severity: Severity::Medium,
        position: Position::Anywhere,
        anchor: Class::Follow,
        near: &[Classes::one(Class::Decode)],
        reach: 60,
        reason: "asks to decode something and follow it",
    },
    Rule {
        kind: ThreatKind::EncodedText,
        severity: Severity::Medium,
        position: Position::Verb,
        anchor: Class::Decode,
        near: &[Classes::one(Class::Follow)],
        reach: 90,
        reason: "asks to decode something and follow it",
    },
];

struct ClassMatch {
    span: Range<usize>,
    classes: Classes,
}

/// Matches every rule against every sentence.
pub(crate) fn find_threats(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for sentence in &document.sentences {
        let matches = find_class_matches(document, sentence);
        if matches.is_empty() {
            continue;
        }
        let mut all = Classes::default();
        matches.iter().for_each(|found| all.join(found.classes));
        let mut verb = None;
        for rule in RULES {
            if !all.has(rule.anchor) || !rule.near.iter().all(|near| all.meets(*near)) {
                continue;
            }
            let verb = *verb.get_or_insert_with(|| find_verb_place(document, sentence));
            if rule_matches(document, rule, sentence, &matches, verb) {
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

/// Matches used per sentence; attackers repeat themselves, and the first matches are enough.
const MATCHES_MAX: usize = 64;

fn find_class_matches(document: &Document<'_>, sentence: &Sentence) -> Vec<ClassMatch> {
    let words = document.words_in(sentence).iter();
    let words = words
        .filter(|word| !word.classes.is_empty())
        .map(|word| (&word.span, word.classes));
    let phrases = document
        .phrases_in(sentence)
        .iter()
        .map(|phrase| (&phrase.span, phrase.classes));
    let mut matches: Vec<ClassMatch> = words
        .chain(phrases)
        .map(|(span, classes)| ClassMatch {
            span: span.clone(),
            classes,
        })
        .collect();
    matches.sort_by_key(|found| found.span.start);
    matches.truncate(MATCHES_MAX);
    matches
}

/// Where the verb of a command starts; unknown in scripts without spaces.
#[derive(Clone, Copy)]
enum VerbPlace {
    None,
    At(usize),
    Anywhere,
}

fn find_verb_place(document: &Document<'_>, sentence: &Sentence) -> VerbPlace {
    let text = document
        .folded
        .get(sentence.span.clone())
        .unwrap_or_default();
    let words = document.words_in(sentence);
    if text.chars().any(crate::letters::is_unspaced) {
        return VerbPlace::Anywhere;
    }
    let Some(opening) = find_opening(document, sentence) else {
        return VerbPlace::None;
    };
    let forbids = words.iter().take(opening.word).any(|word| {
        matches!(
            document.folded.get(word.span.clone()),
            Some("not" | "never" | "don't" | "nicht")
        )
    });
    match words.get(opening.word) {
        Some(word) if !forbids => VerbPlace::At(word.span.start),
        _ => VerbPlace::None,
    }
}

fn rule_matches(
    document: &Document<'_>,
    rule: &Rule,
    sentence: &Sentence,
    matches: &[ClassMatch],
    verb: VerbPlace,
) -> bool {
    matches
        .iter()
        .filter(|found| found.classes.has(rule.anchor))
        .any(|anchor| {
            let placed = match (rule.position, verb) {
                (Position::Anywhere, _) | (Position::Verb, VerbPlace::Anywhere) => true,
                (Position::Verb, VerbPlace::At(start)) => {
                    anchor.span.start == start
                        || (anchor.span.start > start
                            && is_second_verb(document.folded, anchor.span.start))
                }
                (Position::Verb, VerbPlace::None) => false,
                (Position::Front, _) => anchor.span.start < sentence.begins + FRONT_BYTES,
            };
            // The object follows the verb, except in scripts where the verb comes last.
            let forward = rule.position == Position::Verb && !matches!(verb, VerbPlace::Anywhere);
            placed
                && rule.near.iter().all(|near| {
                    matches.iter().any(|found| {
                        found.classes.meets(*near)
                            && found.span != anchor.span
                            && (!near.has(rule.anchor) || !overlaps(&found.span, &anchor.span))
                            && (!forward || found.span.start > anchor.span.start)
                            && found.span.start < anchor.span.end + rule.reach
                            && anchor.span.start < found.span.end + rule.reach
                    })
                })
        })
}

/// Overlapping phrases do not count twice.
fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// A second command in the same sentence: "translate this and send it".
fn is_second_verb(folded: &str, at: usize) -> bool {
    let before = folded.get(..at).unwrap_or_default().trim_end();
    [" and", " und", " et", " y", " e", " en", " и", " then"]
        .iter()
        .any(|word| before.ends_with(word))
}
