//! What may become a problem, by the words of the sources: a date that passed, a limit that was exceeded, a condition that is
//! not met, a finding that is open, a failure, a harm, a warning. What is denied, solved or only supposed is not flagged.

mod cues;

use std::cmp::Reverse;

use adjutant_questions::{DatedQuestion, FlagKind, FlagSeverity, Flagged, RaisedFlag};
use adjutant_text::phrases::{first_phrase, is_denied_at, phrase_at};

use crate::bearing::{Bearing, sure_of};
use crate::corpus::Corpus;
use crate::text::{Date, clipped, clipped_statement, dates_in, parse_date, states, words};
use cues::{BY_KIND, DEMANDING, DONE, HIGH, INSTRUCTING, LOW, OWED, SOLVED, SUPPOSING, UNTIL};

const TEXT_CHARS_MAX: usize = 230;
const SUMMARY_CHARS_MAX: usize = 560;
/// From here on two flags are the same.
const SAME_MIN: f64 = 0.8;
/// How much severity counts beside relevance, for each of its steps.
const OF_SEVERITY: f64 = 0.15;

struct Raised {
    flag: RaisedFlag,
    relevance: f64,
    sentence: usize,
}

pub(crate) fn flag(input: &DatedQuestion) -> Flagged {
    let mut corpus = Corpus::read(&input.sources);
    let mut bearing = Bearing::new(&mut corpus, &input.question, &input.guidance);
    let today = parse_date(&input.today);
    let mut all: Vec<Raised> = Vec::new();
    for at in 0..corpus.sentences.len() {
        let Some(found) = problem(corpus.text(at), today) else {
            continue;
        };
        if let Some(relevance) = bearing.relevance(&corpus, at) {
            let flag = RaisedFlag {
                what: clipped_statement(&corpus.self_contained_line(at), TEXT_CHARS_MAX),
                kind: found.kind,
                severity: found.severity,
                because: clipped(&found.because, TEXT_CHARS_MAX),
                evidence: vec![corpus.self_contained_evidence(at)],
            };
            all.push(Raised {
                flag,
                relevance,
                sentence: at,
            });
        }
    }
    let worth = |one: &Raised| one.relevance + OF_SEVERITY * f64::from(one.flag.severity as u8);
    all.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    let mut kept = distinct(&corpus, all, usize::from(input.most));
    kept.sort_by_key(|one| (Reverse(one.flag.severity), one.flag.kind));
    let relevances: Vec<f64> = kept.iter().map(|one| one.relevance).collect();
    let flags: Vec<RaisedFlag> = kept.into_iter().map(|one| one.flag).collect();
    Flagged {
        summary: summary(&flags),
        not_found: super::nothing_on(&input.question, flags.is_empty()),
        confidence: sure_of(&relevances),
        flags,
    }
}

fn distinct(corpus: &Corpus<'_>, all: Vec<Raised>, most: usize) -> Vec<Raised> {
    let mut kept: Vec<Raised> = Vec::new();
    for one in all {
        let has_room = kept.len() < most;
        let same = kept.iter_mut().find(|known| {
            known.flag.kind == one.flag.kind
                && corpus.likeness(known.sentence, one.sentence) >= SAME_MIN
        });
        match same {
            Some(known) => {
                known.flag.severity = known.flag.severity.max(one.flag.severity);
                super::join(&mut known.flag.evidence, one.flag.evidence);
            }
            None if has_room => kept.push(one),
            None => {}
        }
    }
    kept
}

struct Problem {
    kind: FlagKind,
    severity: FlagSeverity,
    because: String,
}

/// The problem that a sentence tells of.
fn problem(text: &str, today: Option<Date>) -> Option<Problem> {
    let small = text.to_lowercase();
    let is_supposed = first_phrase(&small, SUPPOSING).is_some();
    if is_supposed || !states(text) {
        return None;
    }
    let is_solved = first_phrase(&small, SOLVED).is_some_and(|(at, _)| !is_denied_at(&small, at));
    let told = BY_KIND.iter().find_map(|cues| {
        let (at, words) = first_phrase(&small, cues.words)?;
        if happens(cues.kind) && says_what_ought_to_be(&small) {
            return None;
        }
        let is_over = is_solved && cues.ends_when_solved;
        (!is_over && !is_denied_at(&small, at)).then_some((cues.kind, words))
    });
    if let Some((kind, words)) = told {
        let (severity, grave) = severity(&small);
        let because = match grave {
            Some(grave) if grave != words => format!("The source says “{words}” and “{grave}”"),
            _ => format!("The source says “{words}”"),
        };
        return Some(Problem {
            kind,
            severity,
            because,
        });
    }
    let due = passed(text, &small, today?)?;
    Some(Problem {
        kind: FlagKind::DeadlineMissed,
        severity: severity(&small).0,
        because: format!("It was due by {due}, and the source does not say that it was done"),
    })
}

/// Whether a problem of this kind is something that happens, and not something that is owed or open.
fn happens(kind: FlagKind) -> bool {
    matches!(kind, FlagKind::Harm | FlagKind::Failure)
}

/// A rule or an instruction: `Whoever suspects a breach must tell …`, `Check that the lost rows are there`.
fn says_what_ought_to_be(small: &str) -> bool {
    let small = small.trim_start_matches(|char: char| !char.is_alphabetic());
    let instructs = INSTRUCTING.iter().any(|word| small.starts_with(word));
    instructs || first_phrase(small, DEMANDING).is_some()
}

/// How severe it is, and by which word. Without one it is moderate.
fn severity(small: &str) -> (FlagSeverity, Option<&'static str>) {
    let said = |list| first_phrase(small, list).filter(|(at, _)| !is_denied_at(small, *at));
    if let Some((_, word)) = said(HIGH) {
        return (FlagSeverity::High, Some(word));
    }
    match said(LOW) {
        Some((_, word)) => (FlagSeverity::Low, Some(word)),
        None => (FlagSeverity::Moderate, None),
    }
}

/// The day, as it is written, by which something was owed that is not said to be done.
fn passed(text: &str, small: &str, today: Date) -> Option<String> {
    if first_phrase(small, OWED).is_none() || is_done(small) {
        return None;
    }
    let all = words(text);
    dates_in(text).into_iter().find_map(|(date, at)| {
        let before = at.start.checked_sub(1).and_then(|before| all.get(before))?;
        let is_limit = UNTIL.contains(&before.text.to_lowercase().as_str());
        let is_over = date.day().is_some() && date < today;
        let (first, last) = (all.get(at.start)?, all.get(at.end.checked_sub(1)?)?);
        (is_limit && is_over).then(|| text[first.start..last.end].to_owned())
    })
}

/// Whether it says of anything that it was done: `was paid`, but not `must be paid`.
fn is_done(small: &str) -> bool {
    DONE.iter().any(|word| {
        let mut places = small.match_indices(word).map(|(at, _)| at);
        places.any(|at| {
            let before = &small[..at];
            let is_whole = !before.ends_with(char::is_alphanumeric)
                && phrase_at(&small[at..], word) == Some(0);
            is_whole && !before.trim_end().ends_with(" be")
        })
    })
}

fn summary(flags: &[RaisedFlag]) -> String {
    let Some(first) = flags.first() else {
        return "No sentence of the sources tells of a problem on this.".to_owned();
    };
    let of = |severity: FlagSeverity| flags.iter().filter(|at| at.severity == severity).count();
    let count = match flags.len() {
        1 => "1 issue is".to_owned(),
        count => format!("{count} issues are"),
    };
    let text = format!(
        "{count} flagged: {} of high, {} of moderate and {} of low severity. The gravest: {}",
        of(FlagSeverity::High),
        of(FlagSeverity::Moderate),
        of(FlagSeverity::Low),
        first.what
    );
    clipped(&text, SUMMARY_CHARS_MAX)
}
