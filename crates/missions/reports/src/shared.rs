//! Sections that every kind of document has: contradictions, objections, gaps, the table of evidence.

use std::collections::BTreeSet;

use adjutant_document_model::{Block, Callout, Figure, Mark, Section, Span, Tone};
use adjutant_questions::{Drafted, Evidence, Finding, FindingKind, Found, ObjectionKind};

use crate::builder::{
    Builder, Nature, column, document_of, figures, in_a_row, label, note, rank, section, table,
};
use crate::cited_text::Contradiction;
use crate::draft;
use crate::judge::dangles;
use crate::pieces::{Concluded, Pieces};
use crate::reading_sections::{self, ReadingPart};
use crate::text::{capital, content, counted, plain, share, short, unnumbered, written};

const FINDINGS_MAX: usize = 30;
const CONTRADICTIONS_MAX: usize = 15;
const OBJECTIONS_MAX: usize = 12;
const QUESTIONS_MAX: usize = 8;
const FINDING_CHARS_MAX: usize = 220;
/// How alike a sentence and a finding are for the one to rest on the other's evidence.
const SAME_STATEMENT_MIN: f64 = 0.6;
/// A sentence with fewer of its words in any cited passage is somebody's own.
const OWN_WORDS_MAX: f64 = 0.4;
/// How a summary without a model speaks of what the document tells elsewhere.
const TOLD_ELSEWHERE: [&str; 2] = ["Sources contradict each other on", "Not found:"];

pub(crate) fn nature(kind: FindingKind) -> Nature {
    match kind {
        FindingKind::Fact => Nature::Fact,
        FindingKind::Interpretation => Nature::Interpretation,
        FindingKind::Calculation => Nature::Calculation,
    }
}

pub(crate) fn statement(builder: &mut Builder<'_>, finding: &Finding) -> Option<Span> {
    let text = plain(&finding.text);
    let text = unnumbered(&text);
    builder.statement(text, &finding.evidence, nature(finding.kind))
}

/// A finding on the first page, where it must stand by itself.
pub(crate) fn first_statement(builder: &mut Builder<'_>, finding: &Finding) -> Option<Span> {
    let text = plain(&finding.text);
    let text = standing(builder, unnumbered(&text), &finding.evidence);
    builder.statement(&text, &finding.evidence, nature(finding.kind))
}

/// Words as they are; those that go on from others are given as their document's.
pub(crate) fn standing(builder: &Builder<'_>, text: &str, evidence: &[Evidence]) -> String {
    let source = evidence.first().map(|at| &at.source);
    match source.filter(|_| dangles(text)) {
        Some(source) => {
            let title = builder.title(source);
            let title = title.split(" · ").next().unwrap_or_default();
            format!("{title}: “{}”", text.trim_matches(['“', '”', '"']))
        }
        None => text.to_owned(),
    }
}

/// Statements as a list; nothing if all were said before.
pub(crate) fn bullets(spans: impl IntoIterator<Item = Span>) -> Option<Block> {
    let items: Vec<Vec<Span>> = spans.into_iter().map(|span| vec![span]).collect();
    (!items.is_empty()).then_some(Block::Bullets(items))
}

/// A summary's sentences, each with the evidence of the finding that says the same.
pub(crate) fn summary(
    builder: &mut Builder<'_>,
    text: &str,
    findings: &[Finding],
    sentences_max: usize,
) -> Vec<Span> {
    let text = plain(text);
    let mut spans = Vec::new();
    for range in adjutant_rule_answers::sentences(&text)
        .into_iter()
        .take(sentences_max)
    {
        let said = &text[range];
        // What contradicts itself and what is missing has sections of its own.
        if TOLD_ELSEWHERE.iter().any(|words| said.starts_with(words)) {
            continue;
        }
        let words = content(said);
        let alike = findings.iter().map(|finding| {
            let other = content(&finding.text);
            (share(&words, &other).min(share(&other, &words)), finding)
        });
        let best = alike.max_by(|a, b| a.0.total_cmp(&b.0));
        let best = best.filter(|(alike, _)| *alike >= SAME_STATEMENT_MIN);
        let span = match best {
            Some((_, finding)) => {
                let said = standing(builder, said, &finding.evidence);
                builder.statement(&said, &finding.evidence, nature(finding.kind))
            }
            None => builder.statement(said, &[], Nature::Interpretation),
        };
        spans.extend(span);
    }
    in_a_row(spans)
}

/// Counts that tell how much the document rests on.
pub(crate) fn counts(pieces: &Pieces<'_>, findings: &[Finding]) -> Vec<Figure> {
    let documents: BTreeSet<&str> = findings
        .iter()
        .flat_map(|finding| &finding.evidence)
        .map(|evidence| document_of(&evidence.source))
        .collect();
    let figure = |count: usize, label: &str| Figure {
        value: count.to_string(),
        label: label.to_owned(),
        cites: Vec::new(),
    };
    let mut figures = vec![
        figure(findings.len(), "findings"),
        figure(documents.len(), "documents behind them"),
    ];
    if pieces.has_looked_for_contradictions() && !pieces.reading_replaces_rules() {
        figures.push(figure(pieces.contradictions().len(), "contradictions"));
    }
    figures
}

/// What was read in the documents, and what was compared besides.
pub(crate) fn compared(
    builder: &mut Builder<'_>,
    pieces: &Pieces<'_>,
    all: &[Contradiction],
    shown: &[ReadingPart],
) -> Vec<Section> {
    let mut sections = Vec::new();
    if let Some(read) = &pieces.read {
        sections.extend(reading_sections::sections(builder, read, shown));
    }
    if !pieces.reading_replaces_rules() {
        sections.push(contradictions(builder, pieces, all));
    }
    sections
}

/// The sides of each contradiction next to each other, none left out.
fn contradictions(
    builder: &mut Builder<'_>,
    pieces: &Pieces<'_>,
    all: &[Contradiction],
) -> Section {
    if !pieces.has_looked_for_contradictions() {
        return section(
            "Whether sources contradict each other",
            vec![note(
                "Not looked at",
                "The sources had not been compared when this was written",
            )],
        );
    }
    let mut blocks = Vec::new();
    for one in all.iter().take(CONTRADICTIONS_MAX) {
        let rows = one.sides.iter().filter(|side| !side.text.trim().is_empty());
        let rows: Vec<_> = rows
            .map(|side| {
                let said = marked(builder.cell(&side.text, &side.evidence));
                let id = side.evidence.first().map(|at| at.source.clone());
                let date = id.as_deref().and_then(|id| builder.published(id));
                let from = id.map(|id| builder.title(&id)).unwrap_or_default();
                vec![
                    vec![said],
                    label(short(&from, 90)),
                    label(date.unwrap_or_default()),
                ]
            })
            .collect();
        let about = capital(&short(&one.about, 140));
        let columns = vec![
            column("One side each", 5),
            column("Source", 3),
            column("Date", 2),
        ];
        blocks.extend(table(
            if about.is_empty() {
                "Contradiction".to_owned()
            } else {
                about
            },
            columns,
            rows,
        ));
        if !one.held.trim().is_empty() {
            let held = builder.statement(&one.held, &[], Nature::Interpretation);
            blocks.extend(held.map(|span| Block::Paragraph(vec![span])));
        }
    }
    let heading = match all.len() {
        0 => "No contradictions between sources were found".to_owned(),
        1 => "One unresolved contradiction".to_owned(),
        count => format!("{count} unresolved contradictions"),
    };
    if all.len() > CONTRADICTIONS_MAX {
        blocks.push(note(
            "More",
            &format!(
                "{} more are in the mission's record",
                all.len() - CONTRADICTIONS_MAX
            ),
        ));
    }
    if blocks.is_empty() {
        blocks.push(note(
            "None found",
            "No contradictions between sources were found. That does not prove that there are none",
        ));
    }
    section(heading, blocks)
}

pub(crate) fn objections(builder: &mut Builder<'_>, pieces: &Pieces<'_>) -> Section {
    let heading = "What speaks against it";
    if pieces.reading_replaces_rules() {
        return section(heading, Vec::new());
    }
    if !pieces.has("objections") {
        return section(
            heading,
            vec![note(
                "Not done",
                "No objections to the findings were requested",
            )],
        );
    }
    let all = pieces.objections();
    let rows: Vec<_> = all
        .iter()
        .take(OBJECTIONS_MAX)
        .map(|objection| {
            let kind = match objection.kind {
                ObjectionKind::Contradicted => "A source says otherwise",
                ObjectionKind::Weakened => "Said with reservations",
                ObjectionKind::Outdated => "A newer source differs",
                ObjectionKind::Unsupported => "No source says so",
            };
            vec![
                vec![as_interpretation(short(
                    &objection.claim,
                    FINDING_CHARS_MAX,
                ))],
                label(kind),
                vec![marked(builder.cell(&objection.text, &objection.evidence))],
            ]
        })
        .collect();
    let columns = vec![
        column("Claim", 4),
        column("Kind", 2),
        column("Objection", 5),
    ];
    let block = table("Objections to what was found", columns, rows);
    let none = || {
        note(
            "None found",
            "Objections were searched for. None was found in the sources",
        )
    };
    section(heading, vec![block.unwrap_or_else(none)])
}

/// A cell that states something and has no passage says that it is an interpretation.
pub(crate) fn marked(mut span: Span) -> Span {
    if span.cites.is_empty() && span.mark.is_none() && !span.text.is_empty() {
        span.mark = Some(Mark::Interpretation);
    }
    span
}

/// What was searched for and not found, from wherever it was looked for.
pub(crate) fn gaps(builder: &mut Builder<'_>, pieces: &Pieces<'_>, more: &[String]) -> Section {
    let mut rows = Vec::new();
    for point in pieces.gap_points() {
        let found = match point.found {
            Found::Yes => continue,
            // Rules find a few of a point's words nearly everywhere.
            Found::Partly if pieces.reading_replaces_rules() => continue,
            Found::Partly => "in part",
            Found::No => "no",
        };
        let name = capital(&plain(&point.key).replace(['_', '-'], " "));
        let missing =
            marked(builder.cell(&short(&point.missing, FINDING_CHARS_MAX), &point.evidence));
        rows.push(vec![
            vec![as_interpretation(name)],
            label(found),
            vec![missing],
        ]);
    }
    let mut named: Vec<String> = Vec::new();
    for text in pieces.not_found().iter().chain(more) {
        let text = short(text, FINDING_CHARS_MAX);
        if !text.is_empty() && !named.contains(&text) && named.len() < FINDINGS_MAX {
            named.push(text);
        }
    }
    for text in named {
        let missing = Span {
            text: "No source states it.".to_owned(),
            ..Span::default()
        };
        rows.push(vec![
            vec![as_interpretation(capital(&text))],
            label("no"),
            vec![missing],
        ]);
    }
    for looked in pieces.looked_up() {
        let asked = short(&looked.looked_for, FINDING_CHARS_MAX);
        let place = match looked.total {
            Some(0) => format!("Nothing found in {}.", short(&looked.place, 60)),
            None => format!(
                "{} could not be queried.",
                capital(&short(&looked.place, 60))
            ),
            Some(_) => continue,
        };
        rows.push(vec![
            vec![as_interpretation(asked)],
            label("no"),
            vec![as_interpretation(place)],
        ]);
    }
    let count = rows.len();
    let columns = vec![
        column("Searched for", 4),
        column("Found", 1),
        column("What is missing", 5),
    ];
    let block = table("Searched for and not found", columns, rows);
    let searched = pieces.has("gaps") || pieces.has("analysis") || pieces.has("extracts");
    let none = || {
        if searched {
            note("None found", "Everything that was asked for was found")
        } else {
            note("Not done", "No search for missing information was made")
        }
    };
    let heading = match count {
        0 => "No gaps were recorded".to_owned(),
        _ => "What was searched for and not found".to_owned(),
    };
    section(heading, vec![block.unwrap_or_else(none)])
}

/// A number that no passage stands behind says that it is an interpretation.
pub(crate) fn as_interpretation(text: String) -> Span {
    let digits = text.chars().any(|char| char.is_ascii_digit());
    Span {
        text,
        mark: digits.then_some(Mark::Interpretation),
        ..Span::default()
    }
}

/// Each finding with how sure it is, how many sources say so and how good they are.
pub(crate) fn evidence_table(builder: &mut Builder<'_>, findings: &[Finding]) -> Section {
    let heading = "Strength of the evidence";
    let mut rows = Vec::new();
    for finding in findings.iter().take(FINDINGS_MAX) {
        let said =
            marked(builder.cell(&short(&finding.text, FINDING_CHARS_MAX), &finding.evidence));
        let ids: BTreeSet<&str> = finding
            .evidence
            .iter()
            .map(|at| at.source.as_str())
            .collect();
        let documents: BTreeSet<&str> = ids.iter().map(|id| document_of(id)).collect();
        let grades = ids.iter().filter_map(|id| builder.grade(id));
        let best = grades
            .max_by_key(|grade| rank(grade))
            .unwrap_or("not graded");
        rows.push(vec![
            vec![said],
            label(format!("{} %", written(finding.confidence * 100.0, 0))),
            label(documents.len().to_string()),
            label(best.to_owned()),
        ]);
    }
    let columns = vec![
        column("Finding", 7),
        figures("Confidence", 2),
        figures("Documents", 2),
        column("Best grade", 2),
    ];
    let block = table("Findings by confidence and sources", columns, rows);
    let none = || {
        note(
            "Nothing to weigh",
            "There are no findings, so there is nothing to weigh",
        )
    };
    let mut blocks = vec![block.unwrap_or_else(none)];
    if findings.len() > FINDINGS_MAX {
        let more = findings.len() - FINDINGS_MAX;
        blocks.push(note(
            "More",
            &format!(
                "{} more are in the mission's record",
                counted(more, "finding")
            ),
        ));
    }
    section(heading, blocks)
}

/// What to ask next: what is missing and what is disputed.
pub(crate) fn next_questions(
    builder: &mut Builder<'_>,
    pieces: &Pieces<'_>,
    contradictions: &[Contradiction],
) -> Section {
    if let Some(read) = pieces
        .read
        .as_ref()
        .filter(|_| pieces.reading_replaces_rules())
    {
        return reading_sections::next_questions(builder, read);
    }
    let disputes = contradictions
        .iter()
        .map(|one| format!("Which side is right on {}?", lower(&short(&one.about, 120))));
    let gaps = pieces
        .gap_points()
        .into_iter()
        .filter(|at| at.found != Found::Yes);
    let gaps = gaps.map(|at| {
        let key = at.key.replace(['_', '-'], " ");
        let missing = lower(&short(&said_missing(&at.missing, &at.key), 140));
        format!("Who knows, on {key}: {missing}?")
    });
    let missing = pieces
        .not_found()
        .into_iter()
        .map(|text| format!("Where is it stated: {}?", short(&text, 140)));
    let all: Vec<String> = disputes.chain(gaps).chain(missing).collect();
    let spans: Vec<Span> = all
        .iter()
        .take(QUESTIONS_MAX)
        .filter_map(|text| builder.statement(text, &[], Nature::Interpretation))
        .collect();
    let has_looked = pieces.has_looked_for_contradictions() && pieces.has("gaps");
    let none = || match has_looked {
        true => note(
            "None",
            "Neither gaps nor contradictions leave a question open",
        ),
        false => note(
            "Not looked at",
            "Gaps and contradictions had not both been searched for when this was written",
        ),
    };
    section(
        "What to ask next",
        vec![bullets(spans).unwrap_or_else(none)],
    )
}

fn said_missing(missing: &str, key: &str) -> String {
    let missing = plain(missing);
    if missing.is_empty() {
        key.replace(['_', '-'], " ")
    } else {
        missing
    }
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next();
    let second = chars.clone().next();
    // A name or an abbreviation keeps its capital.
    let keeps = second.is_none_or(|char| !char.is_lowercase());
    match first {
        Some(first) if !keeps => first.to_lowercase().to_string() + chars.as_str(),
        _ => text.to_owned(),
    }
    .trim_end_matches(['.', '?'])
    .to_owned()
}

/// A step's own conclusion as a section; that it was not done, if there is none.
pub(crate) fn conclusion(
    builder: &mut Builder<'_>,
    heading: &str,
    concluded: Option<&Concluded>,
    not_done: &str,
) -> Section {
    let Some(concluded) = concluded else {
        return section(heading, vec![note("Not done", not_done)]);
    };
    let mut blocks = Vec::new();
    let opening = summary(builder, &concluded.summary, &concluded.findings, 4);
    if !opening.is_empty() {
        blocks.push(Block::Paragraph(opening));
    }
    blocks.extend(findings_of(builder, concluded));
    if blocks.is_empty() {
        let said = concluded.findings.is_empty();
        blocks.push(if said {
            note(
                "Nothing found",
                "It was investigated. The sources do not address it",
            )
        } else {
            note("Said above", "All of it is in the preceding sections")
        });
    }
    section(heading, blocks)
}

/// The findings as a list; nothing if all were said before.
pub(crate) fn findings_of(builder: &mut Builder<'_>, concluded: &Concluded) -> Option<Block> {
    let spans: Vec<Span> = concluded
        .findings
        .iter()
        .take(FINDINGS_MAX)
        .filter_map(|finding| statement(builder, finding))
        .collect();
    bullets(spans)
}

/// What was written up, if anybody wrote it.
pub(crate) fn written_up(builder: &mut Builder<'_>, pieces: &Pieces<'_>) -> Option<Section> {
    let drafted = pieces.draft()?;
    // Rules put findings in a row; they stand elsewhere with their documents. What a person wrote instead is shown.
    if pieces.reading_replaces_rules() && !is_own_writing(&drafted) {
        return None;
    }
    let blocks = draft::blocks(builder, &drafted);
    (!blocks.is_empty()).then(|| section("Overall result", blocks))
}

/// Whether most sentences of a draft are in none of the passages it cites, as those of a rule's draft are.
fn is_own_writing(drafted: &Drafted) -> bool {
    let quotes: Vec<BTreeSet<String>> = drafted
        .citations
        .iter()
        .map(|at| content(&at.quote))
        .collect();
    let text = plain(&drafted.text);
    let sentences = adjutant_rule_answers::sentences(&text);
    let all = sentences.len();
    let own = sentences.into_iter().filter(|range| {
        let words = content(&text[range.clone()]);
        !words.is_empty()
            && quotes
                .iter()
                .all(|quote| share(&words, quote) < OWN_WORDS_MAX)
    });
    // A rule adds a sentence on what was not found.
    own.count() * 2 > all
}

/// Items by score, if somebody scored them.
pub(crate) fn scores(builder: &mut Builder<'_>, pieces: &Pieces<'_>) -> Section {
    let mut rows = Vec::new();
    let ranking = pieces.ranking();
    let scored: Vec<_> = ranking.iter().filter(|at| at.score.is_some()).collect();
    // One score alone ranks nothing, and neither do scores that are all the same.
    let first = scored.first().and_then(|at| at.score);
    if scored.len() < 2 || scored.iter().all(|at| at.score == first) {
        return section("How the items score", Vec::new());
    }
    for ranked in scored.into_iter().take(FINDINGS_MAX) {
        let parts = ranked.parts.iter().filter(|part| part.score.is_some());
        let best = parts.max_by(|a, b| {
            a.score
                .partial_cmp(&b.score)
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let reason = best.map(|part| {
            marked(builder.cell(&short(&part.reason, FINDING_CHARS_MAX), &part.evidence))
        });
        let score = ranked
            .score
            .map_or("unknown".to_owned(), |score| written(score, 1));
        let item = marked(builder.cell(&short(&ranked.item, 120), &[]));
        rows.push(vec![
            vec![item],
            label(score),
            vec![reason.unwrap_or_default()],
        ]);
    }
    let columns = vec![
        column("Item", 3),
        figures("Points", 1),
        column("Strongest reason", 5),
    ];
    let block = table("Items by points, from 0 to 100", columns, rows);
    section("How the items score", block.into_iter().collect())
}

pub(crate) fn callout(tone: Tone, title: &str, text: Vec<Span>) -> Block {
    Block::Callout(Callout {
        tone,
        title: title.to_owned(),
        text,
    })
}
