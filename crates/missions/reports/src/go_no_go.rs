//! A Go/No-Go: the decision first, then what it rests on and what would change it.

use adjutant_document_model::{Block, Figure, Mark, Section, Span, Tone};

use crate::builder::{
    Builder, Nature, chart, column, figures, in_a_row, label, note, section, table,
};
use crate::choices::decisions_of_people;
use crate::compose::Parts;
use crate::conditions_met;
use crate::decision::{CriteriaFrom, CriterionOf, Decision, DecisionTable, Testimony, Verdict};
use crate::documents_read::DocumentsRead;
use crate::judge::sums::{SCORE, TOTAL, WEIGHT, WEIGHTED};
use crate::judge::{NO_DECISION, NOTHING_FOUND};
use crate::pieces::Pieces;
use crate::reading_sections::ReadingPart;
use crate::shared;
use crate::text::{capital, counted, plain, short, written};

const TEXT_CHARS_MAX: usize = 300;
/// Late work can turn a decision. What does not fit together, or is missing, stands with its conditions.
const SHOWN: &[ReadingPart] = &[ReadingPart::Owed];

pub(crate) fn parts(builder: &mut Builder<'_>, pieces: &Pieces<'_>, objective: &str) -> Parts {
    let findings = pieces.findings();
    let contradictions = pieces.contradictions();
    let decided: Option<DecisionTable> = pieces.read("decision");
    let mut parts = Parts::default();
    if let Some(read) = by_conditions(pieces, decided.as_ref()) {
        return of_conditions(builder, pieces, read);
    }
    match &decided {
        Some(decided) if pieces.chose("recommendation", "evidence_only") => {
            parts.summary = evidence_without_a_recommendation(decided);
            let of_each = [criteria(builder, decided), evidence(builder, decided)];
            parts.sections.extend(of_each);
        }
        Some(decided) => {
            parts.summary = summary(builder, decided);
            parts.sections.extend([
                criteria(builder, decided),
                evidence(builder, decided),
                changes(builder, decided),
                tree(decided),
            ]);
        }
        None => {
            let asked = short(objective, 200);
            let why =
                format!("The criteria were not weighed, so no decision can be made on: {asked}");
            parts.summary = vec![note(NO_DECISION, &why)];
            parts.sections.push(section(
                "Criteria and evidence",
                vec![note(
                    "Not done",
                    "No criteria were weighed against evidence",
                )],
            ));
        }
    }
    // The draft is written up to a recommendation.
    if !pieces.chose("recommendation", "evidence_only") {
        parts.sections.extend(shared::written_up(builder, pieces));
    }
    if pieces.has("analysis") && !pieces.reads_first() {
        let concluded = pieces.concluded("analysis");
        parts.sections.push(shared::conclusion(
            builder,
            "What else the sources say",
            concluded.as_ref(),
            "",
        ));
    }
    parts.sections.push(shared::scores(builder, pieces));
    parts
        .sections
        .extend(shared::compared(builder, pieces, &contradictions, SHOWN));
    parts.sections.push(shared::objections(builder, pieces));
    if !pieces.reads_first() {
        let searched = [
            shared::gaps(builder, pieces, &[]),
            shared::evidence_table(builder, &findings),
        ];
        parts.sections.extend(searched);
    }
    parts.sections.push(decisions_of_people(pieces));
    parts
}

/// The conditions that documents set, if no document states criteria with weights and nobody gave any.
fn by_conditions<'p>(
    pieces: &'p Pieces<'_>,
    decided: Option<&DecisionTable>,
) -> Option<&'p DocumentsRead> {
    let assumed = decided.is_none_or(|at| at.criteria_from == CriteriaFrom::Assumed);
    let plain = assumed && !pieces.chose("recommendation", "evidence_only");
    let read = pieces
        .read
        .as_ref()
        .filter(|_| plain && pieces.reading_replaces_rules());
    read.filter(|read| !read.noticed.conditions.is_empty())
}

fn of_conditions(builder: &mut Builder<'_>, pieces: &Pieces<'_>, read: &DocumentsRead) -> Parts {
    let mut parts = Parts {
        summary: conditions_met::summary(builder, read),
        sections: conditions_met::sections(builder, read),
    };
    parts.sections.extend(shared::written_up(builder, pieces));
    parts
        .sections
        .extend(shared::compared(builder, pieces, &[], SHOWN));
    parts.sections.push(decisions_of_people(pieces));
    parts
}

/// What the criteria came to one by one, for readers who decide themselves.
fn evidence_without_a_recommendation(decided: &DecisionTable) -> Vec<Block> {
    let text = "The reviewer chose to give the evidence and to leave the decision to its owners";
    vec![
        note("No recommendation", text),
        Block::Figures(criteria_figures(decided)),
    ]
}

fn tone(decision: Decision) -> Tone {
    match decision {
        Decision::Go => Tone::Good,
        Decision::Conditional => Tone::Warning,
        Decision::NoGo => Tone::Bad,
        Decision::NotPossible => Tone::Note,
    }
}

fn summary(builder: &mut Builder<'_>, decided: &DecisionTable) -> Vec<Block> {
    let reasons: Vec<Span> = decided
        .because
        .iter()
        .filter_map(|reason| builder.statement(reason, &[], Nature::Calculation))
        .collect();
    let nothing = !decided
        .criteria
        .iter()
        .any(|at| !at.supports.is_empty() || !at.opposes.is_empty());
    let title = match decided.decision {
        Decision::NotPossible if nothing => {
            format!("{NO_DECISION}: {}", NOTHING_FOUND.to_lowercase())
        }
        decision => decision.name().to_owned(),
    };
    let mut blocks = vec![shared::callout(
        tone(decided.decision),
        &title,
        in_a_row(reasons),
    )];
    let mut figures = vec![figure(
        written(decided.score, 1),
        "weighted score of 100, as far as scored",
    )];
    figures.extend(criteria_figures(decided));
    blocks.push(Block::Figures(figures));
    let conditions: Vec<Span> = decided
        .conditions
        .iter()
        .filter_map(|text| builder.statement(&capital(text), &[], Nature::Interpretation))
        .collect();
    if let Some(list) = shared::bullets(conditions) {
        blocks.push(Block::Heading("Conditions".to_owned()));
        blocks.push(list);
    }
    blocks
}

fn figure(value: String, label: &str) -> Figure {
    Figure {
        value,
        label: label.to_owned(),
        cites: Vec::new(),
    }
}

fn criteria_figures(decided: &DecisionTable) -> Vec<Figure> {
    let count = |verdict: Verdict| {
        let of_verdict = decided.criteria.iter().filter(|at| at.verdict == verdict);
        format!("{} of {}", of_verdict.count(), decided.criteria.len())
    };
    vec![
        figure(count(Verdict::Met), "criteria met"),
        figure(count(Verdict::Missed), "criteria missed"),
        figure(decided.sources.to_string(), "sources with evidence"),
    ]
}

fn criteria(builder: &mut Builder<'_>, decided: &DecisionTable) -> Section {
    let mut rows = Vec::new();
    let mut sum = 0.0;
    for criterion in &decided.criteria {
        sum += criterion.weighted;
        let name = if criterion.must {
            format!("{} (must)", short(&criterion.name, 80))
        } else {
            short(&criterion.name, 80)
        };
        let threshold = builder.cell(
            &short(&criterion.threshold, TEXT_CHARS_MAX),
            &criterion.evidence,
        );
        let measured = criterion.measured.as_ref();
        let value = measured.map(|at| {
            let shown = at.calculation.as_deref().unwrap_or(&at.value);
            let mut span = builder.cell(shown, &at.evidence);
            span.mark = at
                .calculation
                .is_some()
                .then_some(Mark::Calculation)
                .or(span.mark);
            vec![span]
        });
        rows.push(vec![
            label(name),
            vec![threshold],
            value.unwrap_or_else(|| label("no value")),
            vec![calculated(criterion.verdict.name())],
            label(written(criterion.weight, 1)),
            criterion
                .score
                .map_or_else(not_scored, |score| label(written(score, 1))),
            criterion
                .score
                .map_or_else(not_scored, |_| label(written(criterion.weighted, 1))),
        ]);
    }
    if !rows.is_empty() {
        let weights: f64 = decided.criteria.iter().map(|at| at.weight).sum();
        rows.push(vec![
            vec![calculated(TOTAL)],
            label(""),
            label(""),
            label(""),
            label(written(weights, 1)),
            label(""),
            label(written(sum, 1)),
        ]);
    }
    let columns = vec![
        column("Criterion", 3),
        column("Threshold", 4),
        column("Value", 3),
        column("Verdict", 2),
        figures(WEIGHT, 1),
        figures(SCORE, 1),
        figures(WEIGHTED, 1),
    ];
    let mut blocks: Vec<Block> = table("Criteria, weights and verdicts", columns, rows)
        .into_iter()
        .collect();
    let from = match decided.criteria_from {
        CriteriaFrom::Given => "The criteria and weights were given with the objective",
        CriteriaFrom::Source => "The criteria and weights are those that a source states",
        CriteriaFrom::Assumed => {
            "No criteria were given, so the usual criteria of the field were used with equal weights. Set your own before you rely on this"
        }
    };
    blocks.push(note("Where the criteria come from", from));
    let amended = &decided.amended;
    for applied in &amended.applied {
        blocks.push(note("Changed by a person", applied));
    }
    for part in &amended.not_understood {
        blocks.push(note("Not read as a change of the criteria", part));
    }
    section("Result of each criterion", blocks)
}

fn not_scored() -> Vec<Span> {
    label("not scored")
}

/// What was worked out. It is marked where there is room for the mark, once in a row.
fn calculated(text: &str) -> Span {
    Span {
        text: text.to_owned(),
        strong: true,
        mark: Some(Mark::Calculation),
        ..Span::default()
    }
}

fn evidence(builder: &mut Builder<'_>, decided: &DecisionTable) -> Section {
    let mut blocks = Vec::new();
    for criterion in &decided.criteria {
        let title = format!(
            "{}: {}",
            short(&criterion.name, 80),
            criterion.verdict.name()
        );
        let mut rows = Vec::new();
        let mut told: Vec<String> = Vec::new();
        for (side, list) in [
            ("for", &criterion.supports),
            ("against", &criterion.opposes),
        ] {
            for said in list {
                let known = told.contains(&plain(&said.text));
                if known {
                    continue;
                }
                told.push(plain(&said.text));
                rows.push(testimony(builder, neutral(criterion, side), said));
            }
        }
        blocks.push(Block::Heading(title));
        let because = format!("{}: {}", criterion.name, plain(&criterion.because));
        let reason = builder.statement(&because, &[], Nature::Calculation);
        blocks.extend(reason.map(|span| Block::Paragraph(vec![span])));
        let columns = vec![
            column("Side", 1),
            column("What is said", 7),
            column("Date", 2),
        ];
        let caption = format!("Evidence on {}", short(&criterion.name, 80));
        let block = table(caption, columns, rows);
        blocks.push(block.unwrap_or_else(|| note("No evidence", "No source addresses it")));
    }
    if blocks.is_empty() {
        blocks.push(note("No criteria", "There were no criteria to weigh"));
    }
    section("Evidence for and against each criterion", blocks)
}

/// Where no side is taken, what is said is neither for nor against.
fn neutral<'t>(criterion: &CriterionOf, side: &'t str) -> &'t str {
    let touches = criterion.verdict == Verdict::Unclear && criterion.opposes.is_empty();
    if touches { "touches on it" } else { side }
}

fn testimony(builder: &mut Builder<'_>, side: &str, said: &Testimony) -> Vec<Vec<Span>> {
    // A row of a table is read as a list.
    let text = short(&said.text.replace(" | ", "; "), TEXT_CHARS_MAX);
    let cell = shared::marked(builder.cell(&text, &said.evidence));
    let date = said
        .published
        .clone()
        .unwrap_or_else(|| "no date".to_owned());
    vec![label(side), vec![cell], label(short(&date, 20))]
}

fn changes(builder: &mut Builder<'_>, decided: &DecisionTable) -> Section {
    let rows: Vec<_> = decided
        .would_change
        .iter()
        .map(|change| {
            let alone = if change.changes {
                format!("yes: {}", change.then.name().to_lowercase())
            } else {
                format!("no: still {}", change.then.name().to_lowercase())
            };
            let mut needs = builder.cell(&capital(&short(&change.needs, TEXT_CHARS_MAX)), &[]);
            needs.mark = Some(Mark::Calculation);
            vec![
                label(short(&change.criterion, 80)),
                vec![needs],
                label(alone),
            ]
        })
        .collect();
    let turning = decided.would_change.iter().filter(|at| at.changes).count();
    let heading = match turning {
        0 => "What would change the decision: no single criterion".to_owned(),
        _ => format!(
            "What would change the decision: {}",
            counted_criteria(turning)
        ),
    };
    let columns = vec![
        column("Criterion", 2),
        column("It would take", 5),
        column("Alone enough", 2),
    ];
    let block = table("Effect of each open criterion alone", columns, rows);
    let none = || note("Nothing open", "Every criterion is met");
    section(heading, vec![block.unwrap_or_else(none)])
}

fn counted_criteria(count: usize) -> String {
    match count {
        1 => "one criterion alone".to_owned(),
        _ => format!(
            "any one of {}",
            counted(count, "criteria").trim_end_matches('s')
        ),
    }
}

fn tree(decided: &DecisionTable) -> Section {
    let heading = "The choice as a tree";
    let drawn = decided
        .tree
        .clone()
        .and_then(|tree| chart("Weighted score of each way", tree));
    let none = || {
        note(
            "Not drawn",
            "No decision tree can be drawn while no decision is possible",
        )
    };
    section(heading, vec![drawn.unwrap_or_else(none)])
}
