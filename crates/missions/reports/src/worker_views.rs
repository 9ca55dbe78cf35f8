//! What workers found, as tables: hypotheses with their tests, causes, flags, scenarios. Every entry cites its passages.

use adjutant_document_model::{Block, Mark, Span};
use adjutant_questions::{
    CausePair, CitationIssue, CitedLine, DocumentSummary, FlagSeverity, Hypothesis, RaisedFlag,
    Scenario, ScenarioCase,
};

use crate::builder::{Builder, column, in_a_row, label, note, strong, table};
use crate::pieces::Pieces;
use crate::shared::{as_interpretation, marked};
use crate::text::{capital, short};

const ROWS_MAX: usize = 20;
const CITATIONS_MAX: usize = 25;
const CELL_CHARS_MAX: usize = 300;
const NOT_DONE: &str = "This part was not done";

pub(crate) fn hypotheses(builder: &mut Builder<'_>, pieces: &Pieces<'_>, from: &str) -> Vec<Block> {
    let all: Vec<Hypothesis> = pieces.items(from, "hypotheses");
    let rows = all.iter().take(ROWS_MAX).map(|one| {
        vec![
            vec![as_hypothesis(builder, one)],
            vec![own(&one.would_support)],
            vec![own(&one.would_refute)],
            vec![own(&one.test)],
        ]
    });
    let rows = rows.collect();
    let columns = vec![
        column("Hypothesis", 4),
        column("What would support it", 3),
        column("What would refute it", 3),
        column("How to test it", 3),
    ];
    let block = table("Hypotheses and how to test them", columns, rows);
    shown(
        pieces,
        from,
        block,
        "No source suspects, suggests or leaves open anything on this",
    )
}

/// A hypothesis is nobody's statement, even if it quotes what it rests on.
fn as_hypothesis(builder: &mut Builder<'_>, one: &Hypothesis) -> Span {
    let span = builder.cell(&short(&one.statement, CELL_CHARS_MAX), &one.evidence);
    Span {
        mark: Some(Mark::Interpretation),
        ..span
    }
}

/// Words of the worker.
fn own(text: &str) -> Span {
    as_interpretation(short(text, CELL_CHARS_MAX))
}

pub(crate) fn causes(builder: &mut Builder<'_>, pieces: &Pieces<'_>, from: &str) -> Vec<Block> {
    let all: Vec<CausePair> = pieces.items(from, "causes");
    let rows = all.iter().take(ROWS_MAX).map(|one| {
        vec![
            vec![marked(builder.cell(
                &short(&capital(&one.cause), CELL_CHARS_MAX),
                &one.evidence,
            ))],
            label(one.direction.name()),
            vec![marked(builder.cell(
                &short(&capital(&one.effect), CELL_CHARS_MAX),
                &one.evidence,
            ))],
            label(one.strength.name()),
        ]
    });
    let rows = rows.collect();
    let columns = vec![
        column("Cause", 5),
        column("What it does", 2),
        column("Effect", 5),
        column("How it is said", 2),
    ];
    let block = table("Causes and effects that the sources name", columns, rows);
    shown(pieces, from, block, "No source states what causes what")
}

pub(crate) fn flags(builder: &mut Builder<'_>, pieces: &Pieces<'_>, from: &str) -> Vec<Block> {
    let all: Vec<RaisedFlag> = pieces.items(from, "flags");
    let rows = all.iter().take(ROWS_MAX).map(|one| {
        let severity = one.severity.name();
        vec![
            match one.severity {
                FlagSeverity::High => strong(severity),
                FlagSeverity::Low | FlagSeverity::Moderate => label(severity),
            },
            label(one.kind.name()),
            vec![marked(
                builder.cell(&short(&one.what, CELL_CHARS_MAX), &one.evidence),
            )],
            vec![own(&one.because)],
        ]
    });
    let rows = rows.collect();
    let columns = vec![
        column("Severity", 2),
        column("Kind", 2),
        column("What", 6),
        column("Why it is flagged", 4),
    ];
    let block = table("Issues by severity", columns, rows);
    shown(
        pieces,
        from,
        block,
        "No sentence of the sources tells of a problem on this",
    )
}

pub(crate) fn scenarios(builder: &mut Builder<'_>, pieces: &Pieces<'_>, from: &str) -> Vec<Block> {
    let mut all: Vec<Scenario> = pieces.items(from, "scenarios");
    all.sort_by_key(|one| match one.case {
        ScenarioCase::Best => 0,
        ScenarioCase::Likely => 1,
        ScenarioCase::Worst => 2,
        ScenarioCase::Alternative => 3,
    });
    let rows = all.iter().take(ROWS_MAX).map(|one| {
        let lines = |builder: &mut Builder<'_>, lines: &[CitedLine]| -> Vec<Span> {
            let mut spans: Vec<Span> = lines
                .iter()
                .map(|line| marked(builder.cell(&ended(&line.text), &line.evidence)))
                .collect();
            if spans.is_empty() {
                spans = label("not told");
            }
            in_a_row(spans)
        };
        vec![
            label(one.case.name()),
            lines(builder, &one.conditions),
            lines(builder, &one.outcomes),
            lines(builder, &one.early_signs),
        ]
    });
    let rows = rows.collect();
    let columns = vec![
        column("Case", 2),
        column("What would have to happen", 5),
        column("What follows", 5),
        column("What would show it early", 4),
    ];
    let block = table("Scenarios", columns, rows);
    shown(
        pieces,
        from,
        block,
        "The sources name no condition, case or range on this",
    )
}

pub(crate) fn documents(builder: &mut Builder<'_>, pieces: &Pieces<'_>, from: &str) -> Vec<Block> {
    let all: Vec<DocumentSummary> = pieces.items(from, "documents");
    let rows = all.iter().take(ROWS_MAX).map(|one| {
        let title = builder.title(&one.source);
        let title = title.split(" · ").next().unwrap_or_default();
        let known = [&one.kind, &one.date, &one.version];
        let known: Vec<&str> = known.into_iter().flatten().map(String::as_str).collect();
        let sentences = one.sentences.iter();
        let sentences = sentences.map(|at| {
            let said = ended(&at.quote);
            marked(builder.cell(&said, std::slice::from_ref(at)))
        });
        let sentences = in_a_row(sentences.collect());
        vec![vec![own(title)], vec![own(&known.join(", "))], sentences]
    });
    let rows = rows.collect();
    let columns = vec![
        column("Document", 3),
        column("Kind, date, version", 2),
        column("In its own words", 7),
    ];
    let block = table("Each document in its own sentences", columns, rows);
    shown(
        pieces,
        from,
        block,
        "No document has a sentence that stands by itself",
    )
}

pub(crate) fn citations(builder: &mut Builder<'_>, pieces: &Pieces<'_>, from: &str) -> Vec<Block> {
    let all: Vec<CitationIssue> = pieces.items(from, "issues");
    let rows = all.iter().take(CITATIONS_MAX).map(|one| {
        vec![
            label(one.kind.name()),
            vec![own(&builder.title(&one.source))],
            vec![own(&one.text)],
        ]
    });
    let rows = rows.collect();
    let columns = vec![
        column("What", 2),
        column("Source", 4),
        column("In words", 6),
    ];
    let block = table("What is wrong with the citations", columns, rows);
    let mut blocks = shown(
        pieces,
        from,
        block,
        "Every quote was found, and every source has a date, a title and an address",
    );
    if let Some(more) = all
        .len()
        .checked_sub(CITATIONS_MAX)
        .filter(|more| *more > 0)
    {
        blocks.push(note(
            "More",
            &format!("{more} more are in the mission's record"),
        ));
    }
    blocks
}

/// A line as a sentence, since others may follow in the same cell.
fn ended(text: &str) -> String {
    let text = short(text, CELL_CHARS_MAX);
    match text.ends_with(['.', '!', '?', '…']) {
        true => text,
        false => format!("{text}."),
    }
}

/// The table; else whether it was looked for at all.
fn shown(pieces: &Pieces<'_>, from: &str, table: Option<Block>, none: &str) -> Vec<Block> {
    let block = table.unwrap_or_else(|| match pieces.has(from) {
        true => note("None found", none),
        false => note("Not done", NOT_DONE),
    });
    vec![block]
}
