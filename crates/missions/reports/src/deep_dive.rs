//! A Deep Dive: what is known of a subject, how firmly, and what is not.

use std::collections::BTreeSet;

use adjutant_charts::{Chart, Timeline, TimelineEvent};
use adjutant_document_model::{Block, Figure, Section, Span};
use adjutant_questions::{Cell, DatePrecision, Dated, Finding, FindingKind};
use regex::Regex;

use crate::pattern::Pattern;

use crate::builder::{Builder, chart, column, document_of, label, note, section, table};
use crate::choices::decisions_of_people;
use crate::compose::Parts;
use crate::conditions_met;
use crate::documents_read::PartVerdict;
use crate::first_page;
use crate::judge::NOTHING_FOUND;
use crate::model_sections;
use crate::pieces::Pieces;
use crate::reading_sections::{self, ReadingPart};
use crate::shared;
use crate::text::{capital, plain, short};

const SUMMARY_SENTENCES_MAX: usize = 4;
const SUMMARY_FINDINGS_MAX: usize = 3;
const THEMES_MAX: usize = 8;
const FINDINGS_PER_THEME_MAX: usize = 8;
/// More flags on one line of time cannot be read.
const CHART_EVENTS_MAX: usize = 14;
const TABLE_EVENTS_MAX: usize = 40;
const FIGURES_MAX: usize = 2;
/// Things that fit next to each other on a page.
const ITEMS_MAX: usize = 5;

pub(crate) fn parts(builder: &mut Builder<'_>, pieces: &Pieces<'_>, objective: &str) -> Parts {
    let findings = pieces.findings();
    let contradictions = pieces.contradictions();
    let mut parts = Parts {
        summary: summary(builder, pieces, &findings, objective),
        sections: Vec::new(),
    };
    if pieces.chose("insight_validation", "with_reserve") {
        let reserve = pieces.note_at("insight_validation");
        let reserve = reserve.unwrap_or_else(|| {
            "The reviewer has doubts about these findings and did not say which".to_owned()
        });
        parts
            .summary
            .insert(0, note("The reviewer's reserve", &reserve));
    }
    parts.sections.extend(shared::written_up(builder, pieces));
    parts.sections.push(found(builder, pieces, &findings));
    if let Some(read) = pieces
        .read
        .as_ref()
        .filter(|_| pieces.reading_replaces_rules())
    {
        parts
            .sections
            .push(conditions_met::with_state(builder, read));
    }
    parts.sections.extend(shared::compared(
        builder,
        pieces,
        &contradictions,
        &shown(pieces),
    ));
    parts.sections.push(timeline(builder, pieces));
    parts.sections.push(shared::objections(builder, pieces));
    // What a search found is not told where reading found what counts.
    if !pieces.reads_first() {
        parts.sections.extend([
            comparison(builder, pieces),
            shared::gaps(builder, pieces, &[]),
            shared::evidence_table(builder, &findings),
        ]);
    }
    parts.sections.extend([
        shared::next_questions(builder, pieces, &contradictions),
        decisions_of_people(pieces),
    ]);
    parts
}

/// What is known, disputed and missing; what is owed if the objective asks for it.
fn shown(pieces: &Pieces<'_>) -> Vec<ReadingPart> {
    let answers = pieces.read.iter().flat_map(|read| &read.answers);
    let asks_for_owed = answers
        .into_iter()
        .any(|answer| answer.verdict == PartVerdict::Owed);
    let parts = ReadingPart::ALL.into_iter();
    parts
        .filter(|part| *part != ReadingPart::Owed || asks_for_owed)
        .collect()
}

fn summary(
    builder: &mut Builder<'_>,
    pieces: &Pieces<'_>,
    findings: &[Finding],
    objective: &str,
) -> Vec<Block> {
    let read = pieces.read.as_ref();
    let answers = read.map(|read| reading_sections::answers(builder, read));
    let mut blocks = answers.unwrap_or_default();
    if let Some(read) = read {
        blocks.extend(model_sections::first(builder, read));
    }
    if findings.is_empty() && blocks.is_empty() {
        let asked = short(objective, 200);
        let text = format!("No source was found that addresses the objective: {asked}");
        return vec![note(NOTHING_FOUND, &text)];
    }
    if let Some(read) = read.filter(|_| pieces.reading_replaces_rules()) {
        blocks.extend(first_page::blocks(builder, read));
        if blocks.is_empty() {
            blocks.extend(firmest(builder, pieces, findings));
        }
        blocks.push(Block::Figures(reading_sections::figures(read)));
        return blocks;
    }
    let said = pieces
        .concluded("analysis")
        .map(|at| at.summary)
        .unwrap_or_default();
    let spans = shared::summary(builder, &said, findings, SUMMARY_SENTENCES_MAX);
    let mut figures = measured(builder, findings);
    figures.extend(shared::counts(pieces, findings));
    blocks.push(Block::Figures(figures));
    if !spans.is_empty() {
        blocks.push(Block::Paragraph(spans));
    } else {
        let best = findings.iter().take(SUMMARY_FINDINGS_MAX);
        let spans: Vec<Span> = best
            .filter_map(|at| shared::first_statement(builder, at))
            .collect();
        blocks.extend(shared::bullets(spans));
    }
    blocks
}

/// The firmest findings that hold.
fn firmest(builder: &mut Builder<'_>, pieces: &Pieces<'_>, findings: &[Finding]) -> Option<Block> {
    let current = findings
        .iter()
        .filter(|finding| !pieces.is_outdated(&finding.evidence));
    let best = current.take(SUMMARY_FINDINGS_MAX);
    let spans: Vec<Span> = best
        .filter_map(|at| shared::first_statement(builder, at))
        .collect();
    shared::bullets(spans)
}

static MEASURE: Pattern = Pattern::new(|| {
    Regex::new(
        r"(?x) EUR\s\d[\d.,]*\d(?:\s(?:million|billion|thousand))?
        | [-−]?\d[\d.,]*\s?(?:%|mmHg|mmol/L|months|weeks|years|kg)",
    )
});

#[cfg(test)]
pub(crate) const PATTERNS: &[&Pattern] = &[&MEASURE];

/// Words before a number that make it a limit and no value.
const LIMITING: &[&str] = &[
    "above", "below", "exceeded", "least", "most", "over", "passed", "than", "under",
];

/// The value of the firmest facts that give but one, as large figures.
fn measured(builder: &mut Builder<'_>, findings: &[Finding]) -> Vec<Figure> {
    let mut figures: Vec<Figure> = Vec::new();
    for finding in findings.iter().filter(|at| at.kind == FindingKind::Fact) {
        let text = plain(&finding.text);
        let given = MEASURE.find_all(&text).into_iter().filter(|at| {
            let before = text[..at.start()].trim_end().to_lowercase();
            !LIMITING.iter().any(|word| before.ends_with(word))
        });
        let given: Vec<&str> = given.map(|at| at.as_str()).collect();
        let [value] = given[..] else {
            continue;
        };
        let value = value.to_owned();
        let quoted = finding
            .evidence
            .iter()
            .find(|at| plain(&at.quote).contains(&value));
        let cites = quoted
            .map(|at| builder.cite(std::slice::from_ref(at)))
            .unwrap_or_default();
        if cites.is_empty() || figures.iter().any(|known| known.value == value) {
            continue;
        }
        figures.push(Figure {
            value,
            label: short(&text, 90),
            cites,
        });
        if figures.len() == FIGURES_MAX {
            break;
        }
    }
    figures
}

/// Findings by theme: a finding belongs to the first cluster that has one of its sources.
fn found(builder: &mut Builder<'_>, pieces: &Pieces<'_>, findings: &[Finding]) -> Section {
    if pieces.reading_replaces_rules() {
        // A search finds what has the words; reading has found what counts.
        if pieces.reads_first() {
            return section("What the documents say on it", Vec::new());
        }
        return section(
            "What the documents say on it",
            by_document(builder, pieces, findings),
        );
    }
    let heading = "What the sources establish";
    let mut blocks = Vec::new();
    let mut placed: BTreeSet<usize> = BTreeSet::new();
    for cluster in pieces.clusters().iter().take(THEMES_MAX) {
        let mut spans = Vec::new();
        for (at, finding) in findings.iter().enumerate() {
            let inside = finding
                .evidence
                .iter()
                .any(|one| cluster.sources.contains(&one.source));
            if inside && spans.len() < FINDINGS_PER_THEME_MAX && placed.insert(at) {
                spans.extend(shared::statement(builder, finding));
            }
        }
        if let Some(list) = shared::bullets(spans) {
            let theme = capital(&short(&cluster.label, 80));
            blocks.push(Block::Heading(if theme.is_empty() {
                "Theme".to_owned()
            } else {
                theme
            }));
            blocks.push(list);
        }
    }
    let rest = findings
        .iter()
        .enumerate()
        .filter(|(at, _)| !placed.contains(at));
    let spans: Vec<Span> = rest
        .filter_map(|(_, finding)| shared::statement(builder, finding))
        .collect();
    let other = !blocks.is_empty();
    if let Some(list) = shared::bullets(spans) {
        if other {
            blocks.push(Block::Heading("Beyond these themes".to_owned()));
        }
        blocks.push(list);
    }
    if blocks.is_empty() {
        blocks.push(if findings.is_empty() {
            note(
                NOTHING_FOUND,
                "The sources that were read do not address the objective",
            )
        } else {
            note("Said above", "All findings are in the summary")
        });
    }
    section(heading, blocks)
}

/// Findings under the documents that they are from, in the order of the best finding of each. Those that hold come first.
fn by_document(builder: &mut Builder<'_>, pieces: &Pieces<'_>, findings: &[Finding]) -> Vec<Block> {
    let from = |finding: &Finding| finding.evidence.first().map(|at| at.source.clone());
    let mut order: Vec<String> = Vec::new();
    for source in findings.iter().filter_map(from) {
        let document = document_of(&source).to_owned();
        if !order.contains(&document) {
            order.push(document);
        }
    }
    let mut blocks = Vec::new();
    for document in order {
        let own = findings
            .iter()
            .filter(|at| from(at).is_some_and(|source| document_of(&source) == document));
        let own: Vec<&Finding> = own.take(FINDINGS_PER_THEME_MAX).collect();
        let source = own.first().and_then(|at| from(at)).unwrap_or_default();
        let spans: Vec<Span> = own
            .into_iter()
            .filter_map(|finding| shared::statement(builder, finding))
            .collect();
        if let Some(list) = shared::bullets(spans) {
            let title = builder.title(&source);
            let title = title.split(" · ").next().unwrap_or_default().to_owned();
            let read = pieces.read.as_ref();
            let told = read.and_then(|read| read.document(&source));
            let told = told.map_or(String::new(), |of| format!(" ({})", of.told_as()));
            blocks.push(Block::Heading(format!("{}{told}", short(&title, 90))));
            blocks.push(list);
        }
    }
    if blocks.is_empty() {
        blocks.push(note("Said above", "All findings are in the summary"));
    }
    blocks
}

pub(crate) fn timeline(builder: &mut Builder<'_>, pieces: &Pieces<'_>) -> Section {
    let heading = "How it developed";
    if !pieces.has("timeline") {
        return section(heading, vec![note("Not done", "No timeline was made")]);
    }
    let mut events = pieces.events();
    events.retain(|event| !event.text.trim().is_empty());
    events.sort_by(|a, b| a.date.cmp(&b.date));
    let mut blocks = Vec::new();
    let flags: Vec<TimelineEvent> = readable(&events)
        .into_iter()
        .map(|event| TimelineEvent {
            date: event.date.clone(),
            label: short(&event.text, 70),
            end: None,
        })
        .collect();
    if flags.len() > 1 {
        let drawn = Timeline {
            title: "Main events".to_owned(),
            subtitle: None,
            source: None,
            events: flags,
        };
        blocks.extend(chart(
            "Main events in order of time",
            Chart::Timeline(drawn),
        ));
    }
    let rows: Vec<_> = events
        .iter()
        .take(TABLE_EVENTS_MAX)
        .map(|event| {
            let said = shared::marked(builder.cell(&short(&event.text, 260), &event.evidence));
            vec![label(short(&event.date, 20)), vec![said]]
        })
        .collect();
    let columns = vec![column("Date", 1), column("What happened", 6)];
    blocks.extend(table("Events by date", columns, rows));
    if blocks.is_empty() {
        blocks.push(note(
            "None found",
            "No dated event was found in the sources",
        ));
    }
    section(heading, blocks)
}

/// As many as can be read: events with a day first, spread over the whole time.
fn readable(events: &[Dated]) -> Vec<&Dated> {
    let exact: Vec<&Dated> = events
        .iter()
        .filter(|at| at.precision == DatePrecision::Day)
        .collect();
    let all: Vec<&Dated> = if exact.len() >= 2 {
        exact
    } else {
        events.iter().collect()
    };
    if all.len() <= CHART_EVENTS_MAX {
        return all;
    }
    let last = all.len() - 1;
    let at = |nth: usize| nth * last / (CHART_EVENTS_MAX - 1);
    (0..CHART_EVENTS_MAX)
        .filter_map(|nth| all.get(at(nth)).copied())
        .collect()
}

/// Nothing at all if nobody was asked to compare: not every subject has alternatives.
pub(crate) fn comparison(builder: &mut Builder<'_>, pieces: &Pieces<'_>) -> Section {
    let heading = "How the alternatives compare";
    if !pieces.has("comparison") {
        return section(heading, Vec::new());
    }
    let mut rows = pieces.rows();
    let told = |cell: &Cell| {
        cell.text
            .as_ref()
            .is_some_and(|text| !text.trim().is_empty())
    };
    rows.retain(|row| row.cells.iter().any(told));
    let mut items: Vec<String> = Vec::new();
    for cell in rows
        .iter()
        .flat_map(|row| &row.cells)
        .filter(|cell| told(cell))
    {
        if !items.contains(&cell.item) && items.len() < ITEMS_MAX {
            items.push(cell.item.clone());
        }
    }
    let mut columns = vec![column("Criterion", 2)];
    columns.extend(items.iter().map(|item| {
        let name = short(item, 60);
        column(if name.is_empty() { "Unnamed" } else { &name }, 3)
    }));
    let mut lines = Vec::new();
    for row in rows.iter().take(TABLE_EVENTS_MAX) {
        let mut line = vec![vec![
            builder.cell(&capital(&short(&row.criterion, 80)), &[]),
        ]];
        for item in &items {
            let cell = row.cells.iter().find(|cell| cell.item == *item);
            let text = cell.and_then(|cell| cell.text.as_deref());
            let evidence = cell
                .map(|cell| cell.evidence.as_slice())
                .unwrap_or_default();
            line.push(match text {
                Some(text) => vec![shared::marked(builder.cell(&short(text, 220), evidence))],
                None => label("not told"),
            });
        }
        lines.push(line);
    }
    let known = (items.len() > 1)
        .then(|| table("Item by item", columns, lines))
        .flatten();
    if known.is_none() && pieces.reading_replaces_rules() {
        return section(heading, Vec::new());
    }
    let none = || {
        note(
            "None found",
            "The sources do not contain enough for a comparison",
        )
    };
    section(heading, vec![known.unwrap_or_else(none)])
}
