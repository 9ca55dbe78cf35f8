//! Claims held against other documents: which are confirmed by somebody else, which only their author makes, which a document
//! contradicts, and what could not be verified; and the red flags that reading the documents brought up.
//!
//! A claim is confirmed only by a document that is not its own. Repeating a claim in the same document proves nothing.

mod flags;
mod verify;

use adjutant_charts::{Axis, BarChart, BarDirection, BarLayout, BarSeries, Chart};
use adjutant_questions::{Objection, Source};
use serde::Deserialize;
use serde_json::json;

use self::flags::{RedFlag, Severity, red_flags};
use self::verify::{Checked, Verdict, verify};
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::given::{Choice, Found, Raised, Reading, findings};
use crate::method::{InputRefused, Method, read_input};
use crate::words::{short, stems};

const SOURCES_MAX: usize = 400;
const CLAIMS_MAX: usize = 24;
const FLAGS_TOLD_MAX: usize = 3;
const CELL_CHARACTERS_MAX: usize = 200;
/// The option of a person who wants only claims that others confirm to count.
const CONFIRMED_ONLY: &str = "confirmed_only";
/// The option of a person who wants no advice.
const FACTS_ONLY: &str = "facts_only";

pub(crate) const CLAIM_CHECK: Method = Method {
    id: "claim_check",
    name: "Claim check",
    about: "Verifies claims against documents other than their own, lists red flags by severity, and says what could not be \
            verified and why.",
    inputs: || {
        json!({
            "claims": {"type": "array", "description": "Answers with `findings`: each finding is a claim."},
            "sources": {"type": "array", "description": "The sources that may be cited: id, title, text."},
            "objections": {"type": "array", "description": "Answers of `object` questions about the claims."},
            "reading": {"type": "array", "description": "Answers of `read_documents`."},
            "choices": {"type": "array", "description": "Answers of people: `option` and `note`. Each line of a note is a claim."},
        })
    },
    required: &["claims", "sources"],
    apply: |input| read_input(input).and_then(claim_check),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimCheck {
    claims: Vec<Found>,
    sources: Vec<Source>,
    #[serde(default)]
    objections: Vec<Raised>,
    #[serde(default)]
    reading: Vec<Reading>,
    #[serde(default)]
    choices: Vec<Choice>,
}

fn claim_check(input: ClaimCheck) -> Result<Exhibit, InputRefused> {
    if input.sources.len() > SOURCES_MAX {
        return Err(InputRefused(format!(
            "at most {SOURCES_MAX} sources can be read"
        )));
    }
    let mut checked = checked(&input);
    checked.sort_by_key(|one| one.verdict);
    let flags = red_flags(&input.reading, &checked);
    let holds = |one: &&Checked| match Choice::chose(&input.choices, CONFIRMED_ONLY) {
        true => one.verdict == Verdict::Confirmed,
        false => matches!(one.verdict, Verdict::Confirmed | Verdict::Recorded),
    };
    let held: Vec<&Checked> = checked.iter().filter(holds).collect();
    let free = held
        .iter()
        .filter(|one| !flags.iter().any(|flag| flag.touches(&one.evidence)))
        .count();
    let mut exhibit = Exhibit::default();
    let text = format!(
        "{} of {} claims hold; {free} of them without a red flag on the passages they rest on",
        held.len(),
        checked.len()
    );
    match checked.is_empty() {
        true => exhibit.add_note("No claim found", "There was no claim to verify"),
        false => {
            exhibit.headlines.push(Statement::calculation(text.clone()));
            exhibit.add_figure(
                format!("{} of {}", held.len(), checked.len()),
                "claims hold",
            );
            exhibit.add_figure(flags.len().to_string(), "red flags");
        }
    }
    if !checked.is_empty() && !Choice::chose(&input.choices, FACTS_ONLY) {
        exhibit
            .headlines
            .push(Statement::interpretation(advice(&flags, held.len())));
    }
    for flag in flags.iter().take(FLAGS_TOLD_MAX) {
        exhibit.headlines.push(Statement {
            evidence: flag.evidence.clone(),
            ..Statement::interpretation(format!("Red flag: {}", flag.text))
        });
    }
    exhibit.charts.extend(chart(&checked));
    exhibit.tables.extend(claims_table(&checked));
    exhibit.tables.extend(flags_table(&flags));
    exhibit.tables.extend(unverified_table(&checked));
    exhibit.add_note(
        "How claims were verified",
        "Confirmed: a sentence of another document has most of the claim's words and all of its numbers. Recorded: only its own \
         document has it, and that is a strong kind of document. Claimed: only its own document has it. Contradicted: a \
         document says otherwise. Not verified: no document has it",
    );
    let named: Vec<&str> = flags
        .iter()
        .take(FLAGS_TOLD_MAX)
        .map(|flag| flag.text.as_str())
        .collect();
    exhibit.data = json!({
        "claims": checked.len(), "held": held.len(), "free_of_flags": free, "red_flags": flags.len(),
        "text": match named.as_slice() {
            [] => format!("{text}. No red flag was found."),
            named => format!("{text}. Red flags: {}", named.join("; ")),
        },
    });
    Ok(exhibit)
}

/// What follows from the gravest red flag; from claims, if there is none.
fn advice(flags: &[RedFlag], held: usize) -> &'static str {
    match (flags.first().map(|flag| flag.severity), held) {
        (Some(Severity::Grave), _) => {
            "Advice: do not commit before the grave red flags are settled"
        }
        (Some(Severity::Serious), _) => {
            "Advice: commit only on the condition that the serious red flags are settled"
        }
        (_, 0) => {
            "Advice: ask for documents that others wrote before committing, as no claim could be verified"
        }
        (_, _) => "Advice: nothing that was found stands against going on",
    }
}

fn checked(input: &ClaimCheck) -> Vec<Checked> {
    let objections: Vec<&Objection> = input
        .objections
        .iter()
        .flat_map(|one| &one.objections)
        .collect();
    let mut known = Vec::new();
    let mut all = Vec::new();
    let own = Choice::lines(&input.choices);
    let own = own.iter().map(|line| (line.as_str(), &[][..]));
    let found = findings(&input.claims);
    let found = found
        .iter()
        .map(|one| (one.text.as_str(), &one.evidence[..]));
    for (text, evidence) in own.chain(found) {
        let words = stems(text);
        if words.is_empty() || known.contains(&words) || all.len() == CLAIMS_MAX {
            continue;
        }
        known.push(words);
        all.push(verify(
            text,
            evidence,
            &input.sources,
            &objections,
            &input.reading,
        ));
    }
    all
}

fn chart(checked: &[Checked]) -> Option<ExhibitChart> {
    if checked.is_empty() {
        return None;
    }
    let count = |verdict: Verdict| checked.iter().filter(|one| one.verdict == verdict).count();
    Some(ExhibitChart {
        caption: "What became of the claims".to_owned(),
        chart: Chart::Bar(BarChart {
            title: "Claims by what verification came to".to_owned(),
            subtitle: None,
            source: None,
            value_axis: Axis {
                label: Some("claims".to_owned()),
                ..Axis::default()
            },
            direction: BarDirection::Horizontal,
            layout: BarLayout::default(),
            categories: Verdict::ALL
                .iter()
                .map(|one| one.name().to_owned())
                .collect(),
            series: vec![BarSeries {
                name: "claims".to_owned(),
                values: Verdict::ALL.iter().map(|one| count(*one) as f64).collect(),
            }],
        }),
    })
}

fn claims_table(checked: &[Checked]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = checked
        .iter()
        .filter(|one| one.verdict.is_verified())
        .map(|one| {
            let other = match (one.against.first(), one.confirmed_by.first()) {
                (Some(against), _) => ExhibitCell::statement(
                    short(&against.quote, CELL_CHARACTERS_MAX),
                    one.against.clone(),
                ),
                (None, Some(by)) => ExhibitCell::statement(
                    short(&by.quote, CELL_CHARACTERS_MAX),
                    one.confirmed_by.clone(),
                ),
                (None, None) => ExhibitCell::label(one.reason.clone()),
            };
            vec![
                ExhibitCell::statement(short(&one.text, CELL_CHARACTERS_MAX), one.evidence.clone()),
                ExhibitCell::calculation(one.verdict.name()),
                other,
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Claims that could be verified".to_owned(),
        columns: vec![
            ExhibitColumn::text("Claim", 4),
            ExhibitColumn::text("Result", 2),
            ExhibitColumn::text("What another document says", 4),
        ],
        rows,
    })
}

fn flags_table(flags: &[RedFlag]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = flags
        .iter()
        .map(|flag| {
            vec![
                ExhibitCell::calculation(flag.severity.name()),
                ExhibitCell::label(flag.kind),
                ExhibitCell::statement(
                    short(&flag.text, CELL_CHARACTERS_MAX),
                    flag.evidence.clone(),
                ),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Red flags, the gravest first".to_owned(),
        columns: vec![
            ExhibitColumn::text("Severity", 1),
            ExhibitColumn::text("Kind", 2),
            ExhibitColumn::text("What was found", 6),
        ],
        rows,
    })
}

fn unverified_table(checked: &[Checked]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = checked
        .iter()
        .filter(|one| !one.verdict.is_verified())
        .map(|one| {
            vec![
                ExhibitCell::statement(short(&one.text, CELL_CHARACTERS_MAX), one.evidence.clone()),
                ExhibitCell::calculation(one.verdict.name()),
                ExhibitCell::label(one.reason.clone()),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Claims that could not be verified".to_owned(),
        columns: vec![
            ExhibitColumn::text("Claim", 5),
            ExhibitColumn::text("Result", 2),
            ExhibitColumn::text("Why not", 3),
        ],
        rows,
    })
}

#[cfg(test)]
#[path = "claim_check_tests.rs"]
mod tests;
