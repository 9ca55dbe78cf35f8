//! A piece of work taken apart: its claims, what speaks against each, and what to fix. The strongest objection comes first:
//! what its own figures disprove, then what another source denies, what is out of date, what nobody supports, what is only said
//! with reservations, and, by a strict standard, what rests on a single document.

use adjutant_questions::{Evidence, Finding, Found, ObjectionKind, SourceGrade};
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{InputRefused, Method, read_input};
use crate::phrasing::{capital, counted, short, written};
use crate::reading::{
    Answered, Findings, Grades, Miscounted, Objected, Points, Reading, Stated, Wanted,
    documents_of, strength, strength_name,
};

const CLAIMS_MAX: usize = 60;
const STANDARDS_MAX: usize = 20;
const ISSUES_MAX: usize = 16;
const FIXES_MAX: usize = 10;
const STANDING_MAX: usize = 12;
const TEXT_CHARS_MAX: usize = 220;
/// Options that people may choose.
const STRICT: &str = "strict";
const GRAVE_ONLY: &str = "grave_only";
const QUICK_FIRST: &str = "quick_first";

pub(crate) const CLAIM_REVIEW: Method = Method {
    id: "claim_review",
    name: "Claim review",
    about: "Takes claims apart: the objections to them, strongest first, the standards that are not met, and what to fix.",
    inputs: || {
        json!({
            "claims": {"type": "array", "description": "Findings that the reviewed work claims; of several lists the first that has any."},
            "objections": {"type": "array", "description": "Answers to an `object` question on these claims."},
            "grade": {"type": "array", "description": "Answers to a `grade` question."},
            "standards": {"type": "array", "description": "What good work of this kind tells, each with `key` and `wants`."},
            "met": {"type": "array", "description": "Answers to a `gaps` question on the standards."},
            "reading": {"type": "array", "description": "What was read in the documents."},
            "answers": {"type": "array", "description": "Answers of people: `strict` objects to claims of a single document, `grave_only` leaves lesser objections out, `quick_first` puts quick fixes first."},
        })
    },
    required: &["claims", "objections"],
    apply: |input| read_input(input).and_then(claim_review),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimReview {
    claims: Vec<Findings>,
    objections: Vec<Objected>,
    #[serde(default)]
    grade: Vec<Grades>,
    #[serde(default)]
    standards: Vec<Wanted>,
    #[serde(default)]
    met: Vec<Points>,
    #[serde(default)]
    reading: Vec<Reading>,
    #[serde(default)]
    answers: Vec<Answered>,
}

/// What an objection is, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    OneDocument,
    Reserved,
    Unsupported,
    OutOfDate,
    Denied,
    OwnFigures,
}

struct Issue {
    claim: String,
    claimed_in: Vec<Evidence>,
    text: String,
    evidence: Vec<Evidence>,
    ground: Ground,
    /// Of what the objection rests on, from 1 to 4.
    strength: u8,
}

impl Ground {
    fn name(self) -> &'static str {
        match self {
            Self::OneDocument => "rests on one document",
            Self::Reserved => "said with reservations",
            Self::Unsupported => "no support found",
            Self::OutOfDate => "out of date",
            Self::Denied => "denied",
            Self::OwnFigures => "its own figures disprove it",
        }
    }

    fn is_grave(self) -> bool {
        self >= Self::OutOfDate
    }

    /// What to do about it, and how much work that is, from 1 to 3.
    fn fix(self) -> (&'static str, u8) {
        match self {
            Self::OneDocument => ("Find a second, independent source", 2),
            Self::Reserved => ("Repeat the reservation beside the claim", 1),
            Self::Unsupported => ("Name a source, or drop the claim", 2),
            Self::OutOfDate => ("Replace it by what holds now", 1),
            Self::Denied => ("Ask both authors which of the two holds", 3),
            Self::OwnFigures => ("Count again and correct the figure", 1),
        }
    }
}

fn claim_review(input: ClaimReview) -> Result<Exhibit, InputRefused> {
    if input.standards.len() > STANDARDS_MAX {
        return Err(InputRefused(format!(
            "give at most {STANDARDS_MAX} standards"
        )));
    }
    let reading = Reading::of(&input.reading);
    let reviewed = input.claims.iter().find(|list| !list.findings.is_empty());
    let claims = reviewed.map_or(&[][..], |list| &list.findings[..]);
    if claims.len() > CLAIMS_MAX {
        return Err(InputRefused(format!(
            "at most {CLAIMS_MAX} claims can be reviewed"
        )));
    }
    let grades: Vec<SourceGrade> = input
        .grade
        .iter()
        .flat_map(|one| one.sources.clone())
        .collect();
    let mut issues = raised(&input, claims, &reading, &grades);
    let against: Vec<bool> = claims
        .iter()
        .map(|claim| issues.iter().any(|issue| issue.claim == claim.text))
        .collect();
    let all = issues.len();
    if Answered::chose(&input.answers, GRAVE_ONLY) {
        issues.retain(|issue| issue.ground.is_grave());
    }
    let mut exhibit = Exhibit::default();
    exhibit
        .headlines
        .extend(headlines(claims, &against, &issues, &reading));
    figures(&mut exhibit, claims, &against, &issues);
    exhibit.tables.extend(objections(&issues));
    exhibit
        .tables
        .extend(fixes(&issues, Answered::chose(&input.answers, QUICK_FIRST)));
    exhibit
        .tables
        .extend(standards(&input.standards, &input.met));
    exhibit
        .tables
        .extend(standing(claims, &against, &reading, &grades));
    if claims.is_empty() {
        exhibit.add_note(
            "No claims",
            "No statement was found that could be held against anything",
        );
    }
    if all > issues.len() {
        let left_out = counted(all - issues.len(), "lesser objection");
        exhibit.add_note("Left out", format!("Not shown, as was chosen: {left_out}"));
    }
    exhibit.data = json!({
        "text": in_short(&issues),
        "objections": issues.iter().map(|issue| json!({"claim": issue.claim, "ground": issue.ground.name()})).collect::<Vec<_>>(),
    });
    Ok(exhibit)
}

/// All objections, the strongest first.
fn raised(
    input: &ClaimReview,
    claims: &[Finding],
    reading: &Reading,
    grades: &[SourceGrade],
) -> Vec<Issue> {
    let mut issues: Vec<Issue> = reading.wrong_sums.iter().map(own_figures).collect();
    issues.extend(
        reading
            .contradicting
            .iter()
            .map(|pair| denied(pair, reading, grades)),
    );
    let strict = Answered::chose(&input.answers, STRICT);
    for claim in claims {
        let of_claim = input.objections.iter().flat_map(|one| &one.objections);
        for objection in of_claim.filter(|one| one.claim == claim.text) {
            let first = objection.evidence.first();
            let text = first.map_or(objection.text.as_str(), |one| one.quote.as_str());
            let proved = first.map_or(1, |one| strength(&one.source, reading, grades));
            issues.push(Issue {
                claim: claim.text.clone(),
                claimed_in: claim.evidence.clone(),
                text: short(text, TEXT_CHARS_MAX),
                evidence: objection.evidence.clone(),
                ground: match objection.kind {
                    ObjectionKind::Contradicted => Ground::Denied,
                    ObjectionKind::Outdated => Ground::OutOfDate,
                    ObjectionKind::Unsupported => Ground::Unsupported,
                    ObjectionKind::Weakened => Ground::Reserved,
                },
                strength: proved,
            });
        }
        issues.extend(not_holding(claim, reading));
        let alone = documents_of(&claim.evidence) == 1;
        if strict && alone && !issues.iter().any(|issue| issue.claim == claim.text) {
            issues.push(Issue {
                claim: claim.text.clone(),
                claimed_in: claim.evidence.clone(),
                text: "No second document says so".to_owned(),
                evidence: Vec::new(),
                ground: Ground::OneDocument,
                strength: 1,
            });
        }
    }
    issues.sort_by_key(|issue| std::cmp::Reverse((issue.ground, issue.strength)));
    issues
}

fn own_figures(wrong: &Miscounted) -> Issue {
    let computed = format!("{} {}", written(wrong.computed), wrong.unit);
    Issue {
        claim: wrong.at.told(),
        claimed_in: wrong.at.evidence(),
        text: format!(
            "Its own parts come to {}, not {}",
            computed.trim(),
            wrong.stated
        ),
        evidence: Vec::new(),
        ground: Ground::OwnFigures,
        strength: 4,
    }
}

fn denied(pair: &[Stated; 2], reading: &Reading, grades: &[SourceGrade]) -> Issue {
    let [said, other] = pair;
    Issue {
        claim: said.told(),
        claimed_in: said.evidence(),
        text: other.told(),
        evidence: other.evidence(),
        ground: Ground::Denied,
        strength: strength(&other.address, reading, grades),
    }
}

/// A claim of which a later state is known.
fn not_holding(claim: &Finding, reading: &Reading) -> Option<Issue> {
    if reading.holds(&claim.evidence) {
        return None;
    }
    let quotes: Vec<&str> = claim
        .evidence
        .iter()
        .map(|one| one.quote.as_str())
        .collect();
    let mut changed = reading
        .changed
        .iter()
        .filter_map(|values| values.split_last());
    let now = changed.find(|(_, before)| {
        before
            .iter()
            .any(|stated| quotes.contains(&stated.sentence.as_str()))
    });
    let (text, evidence) = match now {
        Some((now, _)) => (now.told(), now.evidence()),
        None => (
            "It rests on drafts or replaced documents alone".to_owned(),
            Vec::new(),
        ),
    };
    Some(Issue {
        claim: claim.text.clone(),
        claimed_in: claim.evidence.clone(),
        text,
        evidence,
        ground: Ground::OutOfDate,
        strength: 3,
    })
}

fn headlines(
    claims: &[Finding],
    against: &[bool],
    issues: &[Issue],
    reading: &Reading,
) -> Vec<Statement> {
    let free = against.iter().filter(|is_against| !**is_against).count();
    let grave = issues
        .iter()
        .filter(|issue| issue.ground.is_grave())
        .count();
    let mut told = vec![Statement::calculation(format!(
        "{} reviewed: {} found, {grave} of them grave; nothing was found against {free} of the claims",
        counted(claims.len(), "claim"),
        counted(issues.len(), "objection"),
    ))];
    told.extend(issues.first().map(|strongest| {
        Statement::interpretation(format!(
            "The strongest objection ({}): against “{}” stands “{}”",
            strongest.ground.name(),
            short(&strongest.claim, TEXT_CHARS_MAX),
            strongest.text
        ))
    }));
    let stands = claims.iter().zip(against).find(|(claim, is_against)| {
        !**is_against && !claim.evidence.is_empty() && reading.holds(&claim.evidence)
    });
    told.extend(stands.map(|(claim, _)| Statement::fact(&claim.text, claim.evidence.clone())));
    told
}

fn figures(exhibit: &mut Exhibit, claims: &[Finding], against: &[bool], issues: &[Issue]) {
    let count = |ground: Ground| issues.iter().filter(|issue| issue.ground == ground).count();
    let free = against.iter().filter(|is_against| !**is_against).count();
    exhibit.add_figure(claims.len().to_string(), "claims taken apart");
    exhibit.add_figure(
        count(Ground::OwnFigures).to_string(),
        "disproved by their own figures",
    );
    exhibit.add_figure(
        count(Ground::Denied).to_string(),
        "denied by another statement",
    );
    exhibit.add_figure(free.to_string(), "claims against which nothing was found");
}

fn in_short(issues: &[Issue]) -> String {
    let named: Vec<String> = issues
        .iter()
        .take(3)
        .map(|issue| format!("“{}” ({})", short(&issue.claim, 120), issue.ground.name()))
        .collect();
    match named.is_empty() {
        true => "No objection was found.".to_owned(),
        false => format!(
            "The strongest of {}: {}.",
            counted(issues.len(), "objection"),
            named.join("; ")
        ),
    }
}

fn objections(issues: &[Issue]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = issues
        .iter()
        .take(ISSUES_MAX)
        .map(|issue| {
            let objection = match issue.ground {
                Ground::OwnFigures | Ground::OneDocument => ExhibitCell::calculation(&issue.text),
                _ => ExhibitCell::statement(&issue.text, issue.evidence.clone()),
            };
            let proof = match issue.ground {
                Ground::OwnFigures => "it can be counted".to_owned(),
                _ if issue.evidence.is_empty() => "no passage".to_owned(),
                _ => format!("{} evidence", strength_name(issue.strength)),
            };
            vec![
                ExhibitCell::statement(
                    short(&issue.claim, TEXT_CHARS_MAX),
                    issue.claimed_in.clone(),
                ),
                objection,
                ExhibitCell::label(capital(issue.ground.name())),
                ExhibitCell::label(proof),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Objections, the strongest first".to_owned(),
        columns: vec![
            ExhibitColumn::text("It is claimed", 5),
            ExhibitColumn::text("Against it stands", 5),
            ExhibitColumn::text("Ground", 2),
            ExhibitColumn::text("How well proved", 2),
        ],
        rows,
    })
}

fn fixes(issues: &[Issue], quick_first: bool) -> Option<ExhibitTable> {
    let mut order: Vec<&Issue> = issues.iter().collect();
    if quick_first {
        order.sort_by_key(|issue| issue.ground.fix().1);
    }
    let rows: Vec<Vec<ExhibitCell>> = order
        .iter()
        .take(FIXES_MAX)
        .enumerate()
        .map(|(rank, issue)| {
            let (what, effort) = issue.ground.fix();
            let effort = ["", "minutes", "hours", "days, and other people"][usize::from(effort)];
            vec![
                ExhibitCell::calculation((rank + 1).to_string()),
                ExhibitCell::label(what),
                ExhibitCell::label(short(&issue.claim, 120)),
                ExhibitCell::label(effort),
            ]
        })
        .collect();
    let caption = match quick_first {
        true => "What to fix, what is quickest first",
        false => "What to fix, what is gravest first",
    };
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: caption.to_owned(),
        columns: vec![
            ExhibitColumn::numbers("Rank", 1),
            ExhibitColumn::text("Fix", 4),
            ExhibitColumn::text("In which claim", 6),
            ExhibitColumn::text("Likely effort", 2),
        ],
        rows,
    })
}

fn standards(wanted: &[Wanted], met: &[Points]) -> Option<ExhibitTable> {
    let rows = wanted.iter().map(|standard| {
        let mut points = met.iter().flat_map(|one| &one.points);
        let point = points.find(|point| point.key == standard.key);
        let (verdict, passage) = match point {
            None => ("not checked", ExhibitCell::label("")),
            Some(point) => {
                let quote = point
                    .evidence
                    .first()
                    .map(|one| short(&one.quote, TEXT_CHARS_MAX));
                let passage = match quote {
                    Some(quote) => ExhibitCell::statement(quote, point.evidence.clone()),
                    None => ExhibitCell::label("no passage"),
                };
                match point.found {
                    Found::Yes => ("met", passage),
                    Found::Partly => ("met in part", passage),
                    Found::No => ("not met", ExhibitCell::label("no passage")),
                }
            }
        };
        vec![
            ExhibitCell::label(capital(&short(&standard.wants, TEXT_CHARS_MAX))),
            ExhibitCell::calculation(verdict),
            passage,
        ]
    });
    (!wanted.is_empty()).then(|| ExhibitTable {
        caption: "Held against the standards".to_owned(),
        columns: vec![
            ExhibitColumn::text("Good work of this kind tells", 4),
            ExhibitColumn::text("Verdict", 2),
            ExhibitColumn::text("Where it does", 6),
        ],
        rows: rows.collect(),
    })
}

fn standing(
    claims: &[Finding],
    against: &[bool],
    reading: &Reading,
    grades: &[SourceGrade],
) -> Option<ExhibitTable> {
    let free = claims
        .iter()
        .zip(against)
        .filter(|(_, is_against)| !**is_against);
    let rows: Vec<Vec<ExhibitCell>> = free
        .take(STANDING_MAX)
        .map(|(claim, _)| {
            let best = claim
                .evidence
                .iter()
                .map(|one| strength(&one.source, reading, grades))
                .max();
            vec![
                ExhibitCell::statement(short(&claim.text, TEXT_CHARS_MAX), claim.evidence.clone()),
                ExhibitCell::calculation(counted(documents_of(&claim.evidence), "document")),
                ExhibitCell::label(strength_name(best.unwrap_or(1))),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Claims against which nothing was found".to_owned(),
        columns: vec![
            ExhibitColumn::text("Claim", 8),
            ExhibitColumn::text("Rests on", 2),
            ExhibitColumn::text("Best evidence", 2),
        ],
        rows,
    })
}

#[cfg(test)]
#[path = "claim_review_tests.rs"]
mod tests;
