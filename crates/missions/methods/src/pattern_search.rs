//! Patterns in the tables of documents: every two columns that can be compared are tested, and the p-values are corrected for
//! how often was looked. What is left after that is a pattern; the rest may be chance.

mod columns;
mod compare;

use adjutant_charts::{Axis, BarChart, BarDirection, BarLayout, BarSeries, Chart};
use adjutant_questions::{ClusterOf, Evidence, Source};
use adjutant_statistics::{AdjustP, Adjustment, Figure, Request, analyse};
use serde::Deserialize;
use serde_json::json;

use self::columns::{Grid, ROWS_MIN, grids};
use self::compare::{Compared, Rows, compare};
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::given::Choice;
use crate::method::{InputRefused, Method, read_input};
use crate::words::{documents, short};

const SOURCES_MAX: usize = 400;
const COMPARISONS_MAX: usize = 200;
const SHOWN_MAX: usize = 20;
const TOLD_MAX: usize = 3;
const CITED_ROWS_MAX: usize = 3;
const NAME_CHARACTERS_MAX: usize = 160;
const ALPHA: f64 = 0.05;
/// The option of a person who wants only rows without gaps.
const COMPLETE_ROWS: &str = "complete_rows";
/// The option of a person who wants no false pattern at all.
const STRICT: &str = "strict";

pub(crate) const PATTERN_SEARCH: Method = Method {
    id: "pattern_search",
    name: "Pattern search",
    about: "Compares every two columns of the tables in the sources, corrects for the number of comparisons (Benjamini-Hochberg \
            or Holm), and lists the patterns that remain and the themes that repeat.",
    inputs: || {
        json!({
            "sources": {"type": "array", "description": "The sources with tables: id, title, text."},
            "clusters": {"type": "array", "description": "Answers of `cluster` questions."},
            "choices": {"type": "array", "description": "Answers of people: `option` and `note`."},
        })
    },
    required: &["sources"],
    apply: |input| read_input(input).and_then(pattern_search),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternSearch {
    sources: Vec<Source>,
    #[serde(default)]
    clusters: Vec<Clustered>,
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Clustered {
    clusters: Vec<ClusterOf>,
}

/// A comparison with its corrected p-value.
struct Tested {
    compared: Compared,
    table: String,
    evidence: Vec<Evidence>,
    corrected: f64,
}

impl Tested {
    fn holds(&self) -> bool {
        self.corrected <= ALPHA
    }
}

fn pattern_search(input: PatternSearch) -> Result<Exhibit, InputRefused> {
    if input.sources.len() > SOURCES_MAX {
        return Err(InputRefused(format!(
            "at most {SOURCES_MAX} sources can be read"
        )));
    }
    let (adjustment, named) = match Choice::chose(&input.choices, STRICT) {
        true => (Adjustment::Holm, "Holm"),
        false => (Adjustment::BenjaminiHochberg, "Benjamini-Hochberg"),
    };
    let rows = match Choice::chose(&input.choices, COMPLETE_ROWS) {
        true => Rows::Complete,
        false => Rows::All,
    };
    let (grids, too_short) = grids(&input.sources);
    let (compared, left_out) = all(&grids, rows);
    let mut tested = corrected(compared, &grids, adjustment);
    tested.sort_by(|a, b| a.compared.p.total_cmp(&b.compared.p));
    let mut exhibit = Exhibit::default();
    let text = summary(&tested, named);
    if !tested.is_empty() {
        exhibit.headlines.push(Statement::calculation(text.clone()));
    }
    for one in tested.iter().filter(|one| one.holds()).take(TOLD_MAX) {
        exhibit.headlines.push(Statement {
            evidence: one.evidence.clone(),
            ..Statement::calculation(format!(
                "{}: {}, corrected p {}",
                one.compared.pattern,
                one.compared.effect,
                written(one.corrected)
            ))
        });
    }
    exhibit.charts.extend(chart(&tested));
    exhibit.tables.extend(table(&tested, named));
    exhibit.tables.extend(themes(&input.clusters));
    notes(&mut exhibit, &tested, too_short, left_out);
    exhibit.data = json!({
        "tables": grids.len(), "comparisons": tested.len(),
        "patterns": tested.iter().filter(|one| one.holds()).count(), "text": text,
    });
    Ok(exhibit)
}

/// Every two columns of each table; how many pairs were not looked at for lack of room.
fn all(grids: &[Grid], rows: Rows) -> (Vec<(usize, Compared)>, usize) {
    let mut found = Vec::new();
    let mut left_out = 0;
    for (at, grid) in grids.iter().enumerate() {
        for (first, one) in grid.columns.iter().enumerate() {
            for other in &grid.columns[first + 1..] {
                match found.len() < COMPARISONS_MAX {
                    true => found.extend(compare(grid, one, other, rows).map(|it| (at, it))),
                    false => left_out += 1,
                }
            }
        }
    }
    (found, left_out)
}

fn corrected(
    compared: Vec<(usize, Compared)>,
    grids: &[Grid],
    adjustment: Adjustment,
) -> Vec<Tested> {
    let request = Request::AdjustP(AdjustP {
        p_values: compared.iter().map(|(_, one)| one.p).collect(),
        adjustment,
        alpha: ALPHA,
    });
    let adjusted: Vec<f64> = match analyse(&request)
        .ok()
        .and_then(|it| it.figures.get("adjusted").cloned())
    {
        Some(Figure::List(list)) => list
            .iter()
            .map(|one| match one {
                Figure::Number(value) => *value,
                _ => 1.0,
            })
            .collect(),
        _ => Vec::new(),
    };
    let tested = |((at, one), corrected): ((usize, Compared), f64)| {
        let cited = one.rows.iter().take(CITED_ROWS_MAX);
        Tested {
            evidence: cited.map(|row| grids[at].evidence[*row].clone()).collect(),
            table: grids[at].title.clone(),
            compared: one,
            corrected,
        }
    };
    compared.into_iter().zip(adjusted).map(tested).collect()
}

fn summary(tested: &[Tested], named: &str) -> String {
    if tested.is_empty() {
        return "No table has columns that could be compared".to_owned();
    }
    let holds = tested.iter().filter(|one| one.holds()).count();
    let bare = tested.iter().filter(|one| one.compared.p <= ALPHA).count();
    format!(
        "{} tested: {holds} remain after correction for so many looks ({named}), {bare} would have without it",
        match tested.len() {
            1 => "1 comparison".to_owned(),
            count => format!("{count} comparisons"),
        }
    )
}

fn chart(tested: &[Tested]) -> Option<ExhibitChart> {
    if tested.len() < 2 {
        return None;
    }
    let shown = || tested.iter().take(SHOWN_MAX);
    let series = |name: &str, value: fn(&Tested) -> f64| BarSeries {
        name: name.to_owned(),
        values: shown().map(value).collect(),
    };
    Some(ExhibitChart {
        caption: "p-values before and after correction; up to 0.05 counts as a pattern".to_owned(),
        chart: Chart::Bar(BarChart {
            title: "How much of it may be chance".to_owned(),
            subtitle: None,
            source: None,
            categories: (1..=shown().count())
                .map(|at| format!("no. {at}"))
                .collect(),
            series: vec![
                series("single look", |one| one.compared.p),
                series("corrected", |one| one.corrected),
            ],
            layout: BarLayout::Grouped,
            direction: BarDirection::Vertical,
            value_axis: Axis {
                label: Some("p".to_owned()),
                ..Axis::default()
            },
        }),
    })
}

fn table(tested: &[Tested], named: &str) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = tested
        .iter()
        .take(SHOWN_MAX)
        .enumerate()
        .map(|(at, one)| {
            vec![
                ExhibitCell::calculation((at + 1).to_string()),
                ExhibitCell {
                    evidence: one.evidence.clone(),
                    ..ExhibitCell::calculation(short(&one.compared.pattern, NAME_CHARACTERS_MAX))
                },
                ExhibitCell::label(short(&one.table, NAME_CHARACTERS_MAX)),
                ExhibitCell::label(one.compared.test),
                ExhibitCell::calculation(one.compared.rows.len().to_string()),
                ExhibitCell::calculation(one.compared.effect.clone()),
                ExhibitCell::calculation(written(one.compared.p)),
                ExhibitCell::calculation(written(one.corrected)),
                ExhibitCell::calculation(match one.holds() {
                    true => "pattern",
                    false => "may be chance",
                }),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: format!("Comparisons, corrected by {named}"),
        columns: vec![
            ExhibitColumn::numbers("No.", 1),
            ExhibitColumn::text("Pattern", 5),
            ExhibitColumn::text("Table", 2),
            ExhibitColumn::text("Test", 2),
            ExhibitColumn::numbers("Rows", 1),
            ExhibitColumn::text("Effect", 2),
            ExhibitColumn::numbers("p", 1),
            ExhibitColumn::numbers("corrected", 1),
            ExhibitColumn::text("Result", 2),
        ],
        rows,
    })
}

/// Themes that several documents have.
fn themes(clustered: &[Clustered]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = clustered
        .iter()
        .flat_map(|one| &one.clusters)
        .filter_map(|one| {
            let own: std::collections::BTreeSet<&str> = one
                .sources
                .iter()
                .map(|id| crate::words::document_of(id))
                .collect();
            let repeats = own.len().max(documents(&one.evidence).len());
            (repeats > 1).then(|| {
                vec![
                    ExhibitCell::statement(
                        short(&one.label, NAME_CHARACTERS_MAX),
                        one.evidence.clone(),
                    ),
                    ExhibitCell::calculation(repeats.to_string()),
                    ExhibitCell::label(short(&one.keywords.join(", "), NAME_CHARACTERS_MAX)),
                ]
            })
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Themes that repeat in several documents".to_owned(),
        columns: vec![
            ExhibitColumn::text("Theme", 4),
            ExhibitColumn::numbers("Documents", 1),
            ExhibitColumn::text("Words in common", 4),
        ],
        rows,
    })
}

fn notes(exhibit: &mut Exhibit, tested: &[Tested], too_short: usize, left_out: usize) {
    if tested.is_empty() {
        exhibit.add_note(
            "No statistics",
            format!(
                "No table has {ROWS_MIN} rows and two columns of numbers or of a few kinds, so nothing could be tested"
            ),
        );
    } else {
        exhibit.add_note(
            "What was tested",
            format!(
                "Two columns of numbers by rank correlation, numbers between kinds by rank tests, kinds against kinds by exact or \
                 chi-square tests. A pattern has a corrected p of at most {ALPHA}. It does not say what causes what"
            ),
        );
    }
    if tested.len() > SHOWN_MAX {
        exhibit.add_note(
            "Limits",
            format!(
                "The table shows {SHOWN_MAX} of {} comparisons",
                tested.len()
            ),
        );
    }
    if left_out > 0 {
        exhibit.add_note(
            "Not looked at",
            format!("{left_out} further pairs of columns were not compared"),
        );
    }
    if too_short > 0 {
        exhibit.add_note(
            "Short tables",
            format!("{too_short} tables have fewer than {ROWS_MIN} rows"),
        );
    }
}

/// With three decimals, or as a bound.
fn written(p: f64) -> String {
    match p < 0.001 {
        true => "< 0.001".to_owned(),
        false => format!("{p:.3}"),
    }
}

#[cfg(test)]
#[path = "pattern_search_tests.rs"]
mod tests;
