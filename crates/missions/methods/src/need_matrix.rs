//! Needs against evidence: what our documents tell, what public sources tell, and what nobody tells. A gap that public sources
//! can close is another gap than one that nobody has looked into.
//!
//! Gaps are put in order: what nobody tells first, then what is told in part, then what others can tell; a person may put what
//! is overdue or what is cheapest to close first, and name what must come first of all.

use std::collections::BTreeSet;

use adjutant_charts::{Axis, Chart, HeatMap, HeatScale};
use adjutant_questions::{Evidence, Finding, Found, GapPoint};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{InputRefused, Method, read_input};
use crate::phrasing::{capital, content, counted, is_about, short};
use crate::reading::{Answered, Findings, Owed, OwedStatus, PartVerdict, Points, Reading, Wanted};

const NEEDS_MAX: usize = 24;
const OWN_WORDS_MAX: usize = 15;
/// Questions of the objective without an answer that are named at the beginning.
const ASKED_MAX: usize = 2;
const QUOTE_CHARS_MAX: usize = 180;
const WANTS_CHARS_MAX: usize = 120;
/// A chart of fewer needs shows nothing.
const CHART_NEEDS_MIN: usize = 2;
const OVERDUE_FIRST: &str = "overdue_first";
const CHEAPEST_FIRST: &str = "cheapest_first";

pub(crate) const NEED_MATRIX: Method = Method {
    id: "need_matrix",
    name: "Need matrix",
    about: "Holds needs against what our documents and public sources tell, and puts the gaps in order.",
    inputs: || {
        json!({
            "needs": {"type": "array", "description": "What should be known, each with `key` and `wants`."},
            "here": {"type": "array", "description": "Answers to a `gaps` question on our own documents."},
            "elsewhere": {"type": "array", "description": "Answers to a `gaps` question on public sources; empty if none was asked."},
            "public": {"type": "array", "description": "What was found in public sources, with `sources`."},
            "against": {"type": "array", "description": "Findings that may close a gap after all."},
            "reading": {"type": "array", "description": "What was read in the documents."},
            "answers": {"type": "array", "description": "Answers of people: `overdue_first` or `cheapest_first` change the order, and a note names what comes first."},
        })
    },
    required: &["needs", "here"],
    apply: |input| read_input(input).and_then(need_matrix),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NeedMatrix {
    needs: Vec<Wanted>,
    here: Vec<Points>,
    #[serde(default)]
    elsewhere: Vec<Points>,
    #[serde(default)]
    public: Vec<Merged>,
    #[serde(default)]
    against: Vec<Findings>,
    #[serde(default)]
    reading: Vec<Reading>,
    #[serde(default)]
    answers: Vec<Answered>,
}

#[derive(Debug, Deserialize)]
struct Merged {
    #[serde(default)]
    sources: Vec<Value>,
}

/// How a need stands, the gravest gap first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Unknown,
    Partly,
    Elsewhere,
    Known,
}

/// A need with what was found on it.
struct Row<'a> {
    need: &'a Wanted,
    words: BTreeSet<String>,
    here: Option<&'a GapPoint>,
    elsewhere: Option<&'a GapPoint>,
    standing: Standing,
    /// What a search for counter-evidence found on it, in passages that are not cited yet.
    against: Vec<&'a Finding>,
    overdue: Option<&'a Owed>,
}

/// Whether public sources could have told anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Public {
    NotAsked,
    Empty,
    Told,
}

fn need_matrix(input: NeedMatrix) -> Result<Exhibit, InputRefused> {
    if input.needs.is_empty() || input.needs.len() > NEEDS_MAX {
        return Err(InputRefused(format!("give 1 to {NEEDS_MAX} needs")));
    }
    let reading = Reading::of(&input.reading);
    let public = match (input.elsewhere.is_empty(), &input.public[..]) {
        (true, _) => Public::NotAsked,
        (false, merged)
            if !merged.is_empty() && merged.iter().all(|one| one.sources.is_empty()) =>
        {
            Public::Empty
        }
        _ => Public::Told,
    };
    let rows: Vec<Row<'_>> = input
        .needs
        .iter()
        .map(|need| row(need, &input, &reading))
        .collect();
    let order = in_order(&rows, &input.answers);
    let mut exhibit = Exhibit::default();
    exhibit.headlines.extend(headlines(&rows, &order, &reading));
    figures(&mut exhibit, &rows, &reading);
    exhibit.tables.push(matrix(&rows, public));
    if !order.is_empty() {
        exhibit.tables.push(gaps_in_order(&rows, &order));
    }
    exhibit.tables.extend(own_words(&rows, &reading));
    exhibit.charts.extend(chart(&rows, public));
    if input.here.is_empty() {
        exhibit.add_note(
            "Our documents were not checked",
            "That nothing was found in them says nothing",
        );
    }
    match public {
        Public::NotAsked => exhibit.add_note(
            "Public sources were not asked",
            "What our documents do not tell may be known elsewhere",
        ),
        Public::Empty => exhibit.add_note(
            "Public sources told nothing",
            "The searches in public sources found nothing at all, which says little about the needs",
        ),
        Public::Told => {}
    }
    exhibit.data = json!({
        "text": in_short(&rows, &order),
        "gaps": order.iter().map(|at| json!({
            "key": rows[*at].need.key, "wants": rows[*at].need.wants, "standing": rows[*at].standing.name(),
        })).collect::<Vec<_>>(),
    });
    Ok(exhibit)
}

fn row<'a>(need: &'a Wanted, input: &'a NeedMatrix, reading: &Reading) -> Row<'a> {
    let point = |all: &'a [Points]| {
        let mut points = all.iter().flat_map(|one| &one.points);
        points.find(|point| point.key == need.key)
    };
    let (here, elsewhere) = (point(&input.here), point(&input.elsewhere));
    let is = |point: Option<&GapPoint>, found: Found| point.is_some_and(|it| it.found == found);
    let standing = if is(here, Found::Yes) {
        Standing::Known
    } else if is(elsewhere, Found::Yes) {
        Standing::Elsewhere
    } else if is(here, Found::Partly) || is(elsewhere, Found::Partly) {
        Standing::Partly
    } else {
        Standing::Unknown
    };
    let words = content(&need.wants);
    let cited: BTreeSet<&str> = [here, elsewhere]
        .into_iter()
        .flatten()
        .flat_map(|point| point.evidence.iter().map(|one| one.quote.as_str()))
        .collect();
    let new = |finding: &&Finding| {
        let mut quotes = finding.evidence.iter();
        quotes.any(|one| !cited.contains(one.quote.as_str())) && is_about(&words, &finding.text)
    };
    let all = input.against.iter().flat_map(|one| &one.findings);
    let against = match standing {
        Standing::Known => Vec::new(),
        _ => all
            .filter(new)
            .filter(|it| reading.holds(&it.evidence))
            .collect(),
    };
    let owed = input
        .reading
        .first()
        .map(|read| &read.owed[..])
        .unwrap_or_default();
    let overdue = owed
        .iter()
        .find(|one| one.status == OwedStatus::Overdue && is_about(&words, &one.at.sentence));
    Row {
        need,
        here,
        elsewhere,
        standing,
        against,
        overdue,
        words,
    }
}

/// The gaps, the most pressing first: what a note names, what was asked to come first, what is known least, what nothing
/// speaks against, and the order of the needs.
fn in_order(rows: &[Row<'_>], answers: &[Answered]) -> Vec<usize> {
    let overdue_first = Answered::chose(answers, OVERDUE_FIRST);
    let cheapest_first = Answered::chose(answers, CHEAPEST_FIRST);
    let mut order: Vec<usize> = (0..rows.len())
        .filter(|at| rows[*at].standing != Standing::Known)
        .collect();
    order.sort_by_key(|at| {
        let row = &rows[*at];
        let unnamed = !Answered::names(answers, &row.need.wants);
        let not_overdue = overdue_first && row.overdue.is_none();
        let dear = cheapest_first && row.standing != Standing::Elsewhere;
        (
            unnamed,
            not_overdue,
            dear,
            row.standing,
            !row.against.is_empty(),
            *at,
        )
    });
    order
}

impl Standing {
    fn name(self) -> &'static str {
        match self {
            Self::Unknown => "nothing found tells it",
            Self::Partly => "told in part",
            Self::Elsewhere => "only public sources tell it",
            Self::Known => "told in our documents",
        }
    }
}

fn in_short(rows: &[Row<'_>], order: &[usize]) -> String {
    if order.is_empty() {
        return "No gap was found".to_owned();
    }
    let named: Vec<String> = order
        .iter()
        .map(|at| {
            let row = &rows[*at];
            let wants = short(&row.need.wants, WANTS_CHARS_MAX);
            format!("{wants} ({})", row.standing.name())
        })
        .collect();
    format!("The gaps, most pressing first: {}.", named.join("; "))
}

fn headlines(rows: &[Row<'_>], order: &[usize], reading: &Reading) -> Vec<Statement> {
    let count = |standing: Standing| rows.iter().filter(|row| row.standing == standing).count();
    let mut told = vec![Statement::calculation(format!(
        "Of {}, our documents tell {}, public sources alone {}, and {} told in part; on {} nothing was found",
        counted(rows.len(), "need"),
        count(Standing::Known),
        count(Standing::Elsewhere),
        count(Standing::Partly),
        count(Standing::Unknown),
    ))];
    if let Some(first) = order.first() {
        let row = &rows[*first];
        told.push(Statement::interpretation(format!(
            "The gap to close first: {} ({})",
            short(&row.need.wants, WANTS_CHARS_MAX),
            row.standing.name()
        )));
    }
    let asked = reading
        .answers
        .iter()
        .filter(|one| one.verdict == PartVerdict::NotFound);
    told.extend(asked.take(ASKED_MAX).map(|one| {
        let question = short(&one.question, WANTS_CHARS_MAX);
        Statement::interpretation(format!(
            "The documents do not answer what was asked: {question}"
        ))
    }));
    let own = reading
        .missing
        .iter()
        .filter(|one| reading.holds(&one.at.evidence()));
    told.extend(
        own.take(2)
            .map(|one| Statement::fact(one.at.told(), one.at.evidence())),
    );
    told
}

fn figures(exhibit: &mut Exhibit, rows: &[Row<'_>], reading: &Reading) {
    let count = |standing: Standing| rows.iter().filter(|row| row.standing == standing).count();
    exhibit.add_figure(
        count(Standing::Unknown).to_string(),
        "needs on which nothing was found",
    );
    exhibit.add_figure(
        count(Standing::Partly).to_string(),
        "needs that are told in part",
    );
    exhibit.add_figure(
        count(Standing::Elsewhere).to_string(),
        "needs that only public sources tell",
    );
    exhibit.add_figure(
        reading.missing.len().to_string(),
        "gaps that the documents themselves name",
    );
}

fn matrix(rows: &[Row<'_>], public: Public) -> ExhibitTable {
    let rows = rows.iter().map(|row| {
        let others = match (public, row.elsewhere) {
            (Public::NotAsked, _) => ExhibitCell::label("not asked"),
            (Public::Empty, _) => ExhibitCell::label("nothing found on anything"),
            (Public::Told, point) => found_cell(point),
        };
        vec![
            ExhibitCell::label(capital(&short(&row.need.wants, WANTS_CHARS_MAX))),
            found_cell(row.here),
            others,
            ExhibitCell::calculation(row.standing.name()),
        ]
    });
    ExhibitTable {
        caption: "Needs against evidence".to_owned(),
        columns: vec![
            ExhibitColumn::text("What should be known", 4),
            ExhibitColumn::text("Our documents", 5),
            ExhibitColumn::text("Public sources", 5),
            ExhibitColumn::text("Comes to", 3),
        ],
        rows: rows.collect(),
    }
}

/// The passage that tells it, or that nothing does.
fn found_cell(point: Option<&GapPoint>) -> ExhibitCell {
    let Some((point, first)) = point.and_then(|it| Some((it, it.evidence.first()?))) else {
        return ExhibitCell::label("nothing found");
    };
    let quote = short(&first.quote, QUOTE_CHARS_MAX);
    let evidence: Vec<Evidence> = point.evidence.clone();
    match point.found {
        Found::Yes => ExhibitCell::statement(quote, evidence),
        Found::Partly | Found::No => ExhibitCell::statement(
            format!(
                "{quote} Not told: {}",
                short(&point.missing, WANTS_CHARS_MAX)
            ),
            evidence,
        ),
    }
}

fn gaps_in_order(rows: &[Row<'_>], order: &[usize]) -> ExhibitTable {
    let rows = order.iter().enumerate().map(|(rank, at)| {
        let row = &rows[*at];
        let (text, evidence) = way_to_close(row);
        let close = match evidence.is_empty() {
            true => ExhibitCell::label(text),
            false => ExhibitCell::statement(text, evidence),
        };
        vec![
            ExhibitCell::calculation((rank + 1).to_string()),
            ExhibitCell::label(capital(&short(&row.need.wants, WANTS_CHARS_MAX))),
            ExhibitCell::label(row.standing.name()),
            close,
        ]
    });
    ExhibitTable {
        caption: "The gaps in the order in which to close them".to_owned(),
        columns: vec![
            ExhibitColumn::numbers("Rank", 1),
            ExhibitColumn::text("Gap", 4),
            ExhibitColumn::text("Why it is one", 3),
            ExhibitColumn::text("What would close it", 6),
        ],
        rows: rows.collect(),
    }
}

fn way_to_close(row: &Row<'_>) -> (String, Vec<Evidence>) {
    if let (Standing::Elsewhere, Some(point)) = (row.standing, row.elsewhere) {
        let text = "Take it over from the public source, after checking that it fits our case";
        return (text.to_owned(), point.evidence.clone());
    }
    if let Some(owed) = row.overdue {
        let who = owed.who.as_deref().unwrap_or("whoever owes it");
        let text = format!(
            "Ask {who} for what is overdue: {}",
            short(&owed.what, QUOTE_CHARS_MAX)
        );
        return (text, owed.at.evidence());
    }
    if let Some(finding) = row.against.first() {
        let text = format!("Look here first: {}", short(&finding.text, QUOTE_CHARS_MAX));
        return (text, finding.evidence.clone());
    }
    let what = match row.standing {
        Standing::Partly => "Find the part that is not told; no source names who has it",
        _ => "No source names who could tell it: name somebody, or decide to do without",
    };
    (what.to_owned(), Vec::new())
}

/// What the documents say themselves of what is not known, and which need it concerns.
fn own_words(rows: &[Row<'_>], reading: &Reading) -> Option<ExhibitTable> {
    let told: Vec<Vec<ExhibitCell>> = reading
        .missing
        .iter()
        .take(OWN_WORDS_MAX)
        .map(|one| {
            let need = rows
                .iter()
                .find(|row| is_about(&row.words, &one.at.sentence));
            let need = need.map_or("none of the needs", |row| row.need.wants.as_str());
            vec![
                ExhibitCell::statement(
                    capital(&short(&one.what, QUOTE_CHARS_MAX)),
                    one.at.evidence(),
                ),
                ExhibitCell::label(capital(&one.kind)),
                ExhibitCell::label(capital(&short(need, WANTS_CHARS_MAX))),
            ]
        })
        .collect();
    (!told.is_empty()).then(|| ExhibitTable {
        caption: "What the documents themselves call open".to_owned(),
        columns: vec![
            ExhibitColumn::text("In their words", 6),
            ExhibitColumn::text("What kind of gap", 3),
            ExhibitColumn::text("Need that it concerns", 4),
        ],
        rows: told,
    })
}

fn chart(rows: &[Row<'_>], public: Public) -> Option<ExhibitChart> {
    if rows.len() < CHART_NEEDS_MIN {
        return None;
    }
    let value = |point: Option<&GapPoint>| {
        Some(match point.map(|it| it.found) {
            Some(Found::Yes) => 2.0,
            Some(Found::Partly) => 1.0,
            Some(Found::No) | None => 0.0,
        })
    };
    let elsewhere = |row: &Row<'_>| match public {
        Public::Told => value(row.elsewhere),
        Public::NotAsked | Public::Empty => None,
    };
    Some(ExhibitChart {
        caption: "How much of each need is told where".to_owned(),
        chart: Chart::HeatMap(HeatMap {
            title: "Needs against evidence".to_owned(),
            subtitle: Some("two: told, one: in part, zero: nothing found".to_owned()),
            source: None,
            columns: vec!["our documents".to_owned(), "public sources".to_owned()],
            rows: rows.iter().map(|row| short(&row.need.key, 30)).collect(),
            values: rows
                .iter()
                .map(|row| vec![value(row.here), elsewhere(row)])
                .collect(),
            colours: HeatScale::default(),
            value_axis: Axis::default(),
        }),
    })
}

#[cfg(test)]
#[path = "need_matrix_tests.rs"]
mod tests;
