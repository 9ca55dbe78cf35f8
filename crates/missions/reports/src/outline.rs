//! A report by an outline: which sections it has, and which piece of the mission each one shows. Templates bring their
//! outline along; a new kind of report needs no code.

use adjutant_document_model::{Block, Column, Mark, Section, Span};
use adjutant_methods::{
    CellRole, ColumnAlign, Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement,
};
use serde::{Deserialize, Serialize};

use crate::bearing;
use crate::builder::{Builder, chart, column, figures, note, section, table};
use crate::choices::decisions_of_people;
use crate::compose::Parts;
use crate::judge::NOTHING_FOUND;
use crate::pieces::Pieces;
use crate::reading_sections::ReadingPart;
use crate::text::{numbers, plain, short, unnumbered};
use crate::{computed_view, deep_dive, reading_sections, shared, worker_views};

/// Statements of one exhibit on the first page.
const FIRST_STATEMENTS_MAX: usize = 4;
/// Large figures on the first page.
const FIRST_FIGURES_MAX: usize = 4;
const STATEMENTS_MAX: usize = 30;
const ROWS_MAX: usize = 60;
const CELL_CHARS_MAX: usize = 400;
const TITLE_CHARS_MAX: usize = 120;
/// Sections of one report.
pub(crate) const SECTIONS_MAX: usize = 24;

/// What a report consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    /// What this kind of report is called.
    pub name: String,
    /// The pieces whose results stand on the first page, in this order.
    pub first: Vec<String>,
    pub sections: Vec<OutlineSection>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutlineSection {
    pub title: String,
    pub show: View,
    /// The piece that is shown, where the view does not say it by itself.
    #[serde(default)]
    pub from: String,
    /// Which parts of the reading are shown in full, where the view is `reading`; all of them if none is named.
    #[serde(default)]
    pub parts: Vec<ReadingPart>,
    /// A piece that may be a repetition: this section is left out of a report that tells only what is new.
    #[serde(default)]
    pub only_first: String,
}

/// How a piece is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// The result of a method: statements, tables, charts.
    Exhibit,
    /// The findings of a piece as a list, below its summary.
    Findings,
    /// What was read in the documents: what changed, differs, is owed and is missing.
    Reading,
    Timeline,
    Comparison,
    Objections,
    /// Hypotheses with what would support and refute each, and how to test it.
    Hypotheses,
    /// What is said to cause what.
    Causes,
    /// What may become a problem, by severity.
    Flags,
    /// Conditions, what follows from them, and what would show it early.
    Scenarios,
    /// What a computing tool returned.
    Computed,
    /// Each document in its own sentences.
    Documents,
    /// What is wrong with the citations.
    Citations,
    /// What was searched for and not found.
    Gaps,
    /// Each finding with its confidence and the grade of its sources.
    Evidence,
    Scores,
    Draft,
    Questions,
    /// What people chose at checkpoints.
    Decisions,
}

pub(crate) fn parts(
    builder: &mut Builder<'_>,
    pieces: &Pieces<'_>,
    outline: &Outline,
    objective: &str,
) -> Parts {
    let mut summary = first_page(builder, pieces, outline, objective);
    if let Some(read) = &pieces.read {
        let bearing = bearing::blocks(builder, read, &summary, objective);
        summary.extend(bearing);
    }
    let mut sections = Vec::new();
    let is_told = |one: &&OutlineSection| !is_repetition(pieces, &one.only_first);
    for one in outline.sections.iter().take(SECTIONS_MAX).filter(is_told) {
        sections.extend(shown(builder, pieces, one));
    }
    let is_reading = |one: &OutlineSection| one.show == View::Reading;
    if let Some(read) = pieces.read.as_ref()
        && !outline.sections.iter().any(is_reading)
    {
        sections.extend(reading_sections::sections(builder, read, &[]));
    }
    Parts { summary, sections }
}

/// Whether a piece tells only what has happened since an earlier report.
fn is_repetition(pieces: &Pieces<'_>, piece: &str) -> bool {
    let follows = pieces
        .get(piece)
        .and_then(|piece| piece.pointer("/data/follow_up"));
    follows == Some(&serde_json::Value::Bool(true))
}

fn first_page(
    builder: &mut Builder<'_>,
    pieces: &Pieces<'_>,
    outline: &Outline,
    objective: &str,
) -> Vec<Block> {
    let mut statements = Vec::new();
    let mut large = Vec::new();
    let mut without = Vec::new();
    for name in &outline.first {
        if let Some(exhibit) = pieces.read::<Exhibit>(name) {
            // What the mission is for came to nothing: why comes first.
            if exhibit.headlines.is_empty() && exhibit.figures.is_empty() {
                without.extend(notes_of(&exhibit));
            }
            let first = exhibit.headlines.iter().take(FIRST_STATEMENTS_MAX);
            statements.extend(first.filter_map(|one| {
                let text = shared::standing(builder, &one.text, &one.evidence);
                builder.statement(&text, &one.evidence, shared::nature(one.kind))
            }));
            for figure in exhibit.figures {
                large.push(adjutant_document_model::Figure {
                    value: short(&figure.value, TITLE_CHARS_MAX),
                    label: short(&figure.label, TITLE_CHARS_MAX),
                    cites: builder.cite(&figure.evidence),
                });
            }
        } else if let Some(concluded) = pieces.concluded(name) {
            let first = concluded.findings.iter().take(FIRST_STATEMENTS_MAX);
            statements.extend(first.filter_map(|one| shared::first_statement(builder, one)));
        }
    }
    large.truncate(FIRST_FIGURES_MAX);
    let mut blocks = without;
    blocks.extend(shared::bullets(statements));
    if !large.is_empty() {
        blocks.push(Block::Figures(large));
    }
    let has_result = blocks
        .iter()
        .any(|block| !matches!(block, Block::Callout(_)));
    if let Some(read) = pieces.read.as_ref().filter(|_| !has_result) {
        blocks.extend(reading_sections::answers(builder, read));
    }
    if blocks.is_empty() {
        let asked = short(objective, CELL_CHARS_MAX);
        blocks.push(note(
            NOTHING_FOUND,
            &format!("No source was found that addresses the objective: {asked}"),
        ));
    }
    blocks
}

fn notes_of(exhibit: &Exhibit) -> Vec<Block> {
    let notes = exhibit.notes.iter();
    notes
        .map(|one| note(&short(&one.title, TITLE_CHARS_MAX), &one.text))
        .collect()
}

fn shown(builder: &mut Builder<'_>, pieces: &Pieces<'_>, one: &OutlineSection) -> Vec<Section> {
    let titled = |blocks: Vec<Block>| vec![section(short(&one.title, TITLE_CHARS_MAX), blocks)];
    let own = |found: Section| titled(found.blocks);
    match one.show {
        View::Exhibit => titled(exhibited(builder, pieces, &one.from)),
        View::Findings => {
            let concluded = pieces.concluded(&one.from);
            // What rules put first is what has most words of the objective, in every mission alike.
            if let Some(concluded) = concluded
                .as_ref()
                .filter(|at| pieces.reading_replaces_rules() && !at.findings.is_empty())
            {
                let found = shared::findings_of(builder, concluded);
                return found.map(|block| titled(vec![block])).unwrap_or_default();
            }
            own(shared::conclusion(
                builder,
                &one.title,
                concluded.as_ref(),
                "This part was not done",
            ))
        }
        View::Reading => {
            let read = pieces.read.as_ref();
            let parts = match one.parts.as_slice() {
                [] => &ReadingPart::ALL,
                parts => parts,
            };
            read.map(|read| reading_sections::sections(builder, read, parts))
                .unwrap_or_default()
        }
        View::Timeline => own(deep_dive::timeline(builder, pieces)),
        View::Comparison => own(deep_dive::comparison(builder, pieces)),
        View::Objections => own(shared::objections(builder, pieces)),
        View::Hypotheses => titled(worker_views::hypotheses(builder, pieces, &one.from)),
        View::Causes => titled(worker_views::causes(builder, pieces, &one.from)),
        View::Flags => titled(worker_views::flags(builder, pieces, &one.from)),
        View::Scenarios => titled(worker_views::scenarios(builder, pieces, &one.from)),
        View::Computed => titled(computed_view::blocks(pieces, &one.from)),
        View::Documents => titled(worker_views::documents(builder, pieces, &one.from)),
        View::Citations => titled(worker_views::citations(builder, pieces, &one.from)),
        View::Gaps => own(shared::gaps(builder, pieces, &[])),
        View::Evidence => own(shared::evidence_table(builder, &pieces.findings())),
        View::Scores => own(shared::scores(builder, pieces)),
        View::Draft => shared::written_up(builder, pieces).into_iter().collect(),
        View::Questions => own(shared::next_questions(
            builder,
            pieces,
            &pieces.contradictions(),
        )),
        View::Decisions => own(decisions_of_people(pieces)),
    }
}

pub(crate) fn exhibited(builder: &mut Builder<'_>, pieces: &Pieces<'_>, name: &str) -> Vec<Block> {
    let Some(exhibit) = pieces.read::<Exhibit>(name) else {
        return vec![note("Not done", "This part was not done")];
    };
    let mut blocks = Vec::new();
    let all = exhibit.headlines.iter().take(STATEMENTS_MAX);
    blocks.extend(shared::bullets(
        all.filter_map(|one| statement(builder, one)),
    ));
    for one in exhibit.charts {
        blocks.extend(chart(one.caption, one.chart));
    }
    for one in &exhibit.tables {
        blocks.extend(exhibit_table(builder, one));
    }
    for one in &exhibit.notes {
        blocks.push(note(&short(&one.title, TITLE_CHARS_MAX), &one.text));
    }
    blocks
}

fn exhibit_table(builder: &mut Builder<'_>, given: &ExhibitTable) -> Vec<Block> {
    let columns = given.columns.iter().map(table_column).collect();
    let rows = given.rows.iter().take(ROWS_MAX);
    let rows = rows.map(|row| covered(row.iter().map(|one| cell(builder, one)).collect()));
    let rows = rows.collect();
    let mut blocks: Vec<Block> = table(short(&given.caption, TITLE_CHARS_MAX), columns, rows)
        .into_iter()
        .collect();
    if let Some(more) = given
        .rows
        .len()
        .checked_sub(ROWS_MAX)
        .filter(|more| *more > 0)
    {
        blocks.push(note(
            "More",
            &format!("{more} more rows are in the mission's record"),
        ));
    }
    blocks
}

/// A row with numbers rests on something: where no cell is cited or marked, the first one with a number is marked.
fn covered(mut row: Vec<Span>) -> Vec<Vec<Span>> {
    let is_covered = row
        .iter()
        .any(|span| !span.cites.is_empty() || span.mark.is_some());
    if !is_covered && let Some(span) = row.iter_mut().find(|span| !numbers(&span.text).is_empty()) {
        span.mark = Some(Mark::Interpretation);
    }
    row.into_iter().map(|span| vec![span]).collect()
}

fn table_column(given: &ExhibitColumn) -> Column {
    match given.align {
        ColumnAlign::Text => column(&given.heading, given.width),
        ColumnAlign::Numbers => figures(&given.heading, given.width),
    }
}

fn cell(builder: &mut Builder<'_>, given: &ExhibitCell) -> Span {
    let text = short(&given.text, CELL_CHARS_MAX);
    // What is quoted stands without the number of its clause; a label may be such a number.
    let text = match given.role {
        CellRole::Statement => unnumbered(&text),
        CellRole::Label | CellRole::Calculation => text.as_str(),
    };
    let mut span = builder.cell(text, &given.evidence);
    match given.role {
        CellRole::Label => span,
        CellRole::Statement => shared::marked(span),
        CellRole::Calculation => {
            span.mark = Some(Mark::Calculation);
            span
        }
    }
}

fn statement(builder: &mut Builder<'_>, given: &Statement) -> Option<Span> {
    let text = plain(&given.text);
    let nature = shared::nature(given.kind);
    builder.statement(unnumbered(&text), &given.evidence, nature)
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
