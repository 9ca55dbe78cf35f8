//! The words by which a sentence tells of a problem.

use adjutant_questions::FlagKind;

pub(super) struct Cues {
    pub(super) kind: FlagKind,
    pub(super) words: &'static [&'static str],
    /// Whether it is over once the sentence says that it was solved.
    pub(super) ends_when_solved: bool,
}

/// The more definite kinds come first.
pub(super) const BY_KIND: &[Cues] = &[
    Cues {
        kind: FlagKind::DeadlineMissed,
        words: OF_DEADLINES,
        ends_when_solved: false,
    },
    Cues {
        kind: FlagKind::LimitExceeded,
        words: OF_LIMITS,
        ends_when_solved: true,
    },
    Cues {
        kind: FlagKind::ConditionUnmet,
        words: OF_CONDITIONS,
        ends_when_solved: true,
    },
    Cues {
        kind: FlagKind::OpenFinding,
        words: OF_OPEN_FINDINGS,
        ends_when_solved: false,
    },
    Cues {
        kind: FlagKind::Harm,
        words: OF_HARM,
        ends_when_solved: false,
    },
    Cues {
        kind: FlagKind::Failure,
        words: OF_FAILURES,
        ends_when_solved: true,
    },
    Cues {
        kind: FlagKind::Warning,
        words: OF_WARNINGS,
        ends_when_solved: true,
    },
];

const OF_DEADLINES: &[&str] = &[
    "behind schedule",
    "is delayed",
    "been delayed",
    "lapsed",
    "missed",
    "overdue",
    "past due",
    "postponed",
    "was delayed",
    "were delayed",
    "too late",
];
const OF_LIMITS: &[&str] = &[
    "above the limit",
    "beyond the limit",
    "below the minimum",
    "exceeded",
    "exceeds",
    "fell short of",
    "more than allowed",
    "more than permitted",
    "out of range",
    "over budget",
    "over the limit",
    "overran",
    "overrun",
];
const OF_CONDITIONS: &[&str] = &[
    "no agreement",
    "not approved",
    "not been agreed",
    "not been approved",
    "not been given",
    "not been granted",
    "not been obtained",
    "not been received",
    "not been signed",
    "not fulfilled",
    "not met",
    "not satisfied",
    "not signed",
    "unfulfilled",
    "unmet",
    "without approval",
    "without permission",
];
const OF_OPEN_FINDINGS: &[&str] = &[
    "not been closed",
    "not been corrected",
    "not been fixed",
    "not been resolved",
    "not resolved",
    "outstanding",
    "pending",
    "remains open",
    "still missing",
    "still open",
    "still to be",
    "unanswered",
    "unresolved",
];
const OF_HARM: &[&str] = &[
    "breach",
    "complaint",
    "complaints",
    "damage",
    "damaged",
    "died",
    "harm",
    "harmed",
    "injured",
    "injuries",
    "injury",
    "got lost",
    "is lost",
    "loss of",
    "penalties",
    "penalty",
    "was lost",
    "were lost",
    "worsened",
];
const OF_FAILURES: &[&str] = &[
    "broke down",
    "broken",
    "defect",
    "defective",
    "defects",
    "error",
    "errors",
    "failed",
    "fails",
    "failure",
    "failures",
    "fault",
    "faults",
    "malfunction",
    "stopped working",
];
const OF_WARNINGS: &[&str] = &[
    "at risk",
    "cannot be guaranteed",
    "danger",
    "dangerous",
    "hazard",
    "risk of",
    "risk that",
    "threat",
    "threatens",
    "uncertain",
    "vulnerable",
    "warned",
    "warning",
    "warns",
];
pub(super) const HIGH: &[&str] = &[
    "catastrophic",
    "critical",
    "death",
    "died",
    "fatal",
    "grave",
    "irreversible",
    "major",
    "serious",
    "severe",
    "severely",
    "unacceptable",
];
pub(super) const LOW: &[&str] = &[
    "cosmetic",
    "marginal",
    "minor",
    "negligible",
    "slight",
    "slightly",
];
pub(super) const SOLVED: &[&str] = &[
    "corrected",
    "fixed",
    "has been closed",
    "is closed",
    "remedied",
    "repaired",
    "resolved",
    "solved",
    "was closed",
];
/// A sentence with one of these tells what would be, and is for scenarios.
pub(super) const SUPPOSING: &[&str] = &["if", "in case", "unless", "whether"];
/// A sentence with one of these says what ought to be; nothing has happened yet.
pub(super) const DEMANDING: &[&str] = &[
    "is to be",
    "are to be",
    "must",
    "ought to",
    "shall",
    "should",
];
/// A sentence that begins so tells somebody what to do.
pub(super) const INSTRUCTING: &[&str] = &[
    "ask ",
    "call ",
    "check ",
    "compare ",
    "confirm ",
    "do not ",
    "ensure ",
    "inform ",
    "keep ",
    "make sure ",
    "never ",
    "note ",
    "see ",
    "tell ",
    "verify ",
];
/// Something is owed.
pub(super) const OWED: &[&str] = &["due", "has to", "have to", "must", "shall", "to be", "will"];
pub(super) const DONE: &[&str] = &[
    "closed",
    "completed",
    "delivered",
    "done",
    "finished",
    "fulfilled",
    "paid",
    "received",
    "sent",
    "submitted",
];
/// Before a date they make it the last day.
pub(super) const UNTIL: &[&str] = &["before", "by", "due", "than", "until"];
