//! Sections on what was read in the documents: answers, what has changed, what does not fit together, what is owed and what
//! is missing.

use adjutant_document_model::{Block, Figure, Mark, Section, Span};
use serde::{Deserialize, Serialize};

use crate::builder::{Builder, Nature, column, in_a_row, label, note, section, table};
use crate::documents_read::{
    DocumentsRead, Miscounted, Owed, OwedStatus, PartAnswer, PartVerdict, Stated,
};
use crate::first_page::sourced;
use crate::judge::QUESTION_CHARS_MAX;
use crate::model_sections;
use crate::shared::bullets;
use crate::text::{capital, counted, plain, short, unnumbered, written};

pub(crate) const OWED_MAX: usize = 12;
const DONE_MAX: usize = 8;
const CHANGED_MAX: usize = 12;
const CONFLICTS_MAX: usize = 10;
const MISSING_MAX: usize = 10;
const TEXT_CHARS_MAX: usize = 260;
const ANSWER_CHARS_MAX: usize = 420;
const WHAT_CHARS_MAX: usize = 160;
const QUESTIONS_EACH_MAX: usize = 3;
const WHO_CHARS_MAX: usize = 60;
const UNSETTLED_EACH_MAX: usize = 3;

/// The heading of the table of what is owed: a report that has it lists all that is overdue.
pub(crate) const OWED_HEADING: &str = "What is owed, and by when";

/// What a careful reading of the documents finds besides answers. A report shows those parts in full that belong to what
/// it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadingPart {
    /// What does not fit together.
    Conflicts,
    /// Values of which there is a later state.
    Changed,
    /// What is owed, and by when.
    Owed,
    /// What the documents speak of and do not have.
    Missing,
}

impl ReadingPart {
    pub const ALL: [Self; 4] = [Self::Conflicts, Self::Changed, Self::Owed, Self::Missing];
}

/// An answer to each part of the objective, or that there is none. Comes first of all.
pub(crate) fn answers(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Block> {
    let mut blocks = Vec::new();
    for answer in &read.answers {
        let said = match answer.verdict {
            PartVerdict::Answered => answered(builder, read, answer),
            PartVerdict::NotFound => not_found(builder, read, answer),
            PartVerdict::Owed => whether_done(builder, read),
            PartVerdict::Unsettled => unsettled(builder, read),
        };
        if said.is_empty() {
            continue;
        }
        blocks.push(Block::Heading(capital(&short(
            &answer.question,
            QUESTION_CHARS_MAX,
        ))));
        blocks.extend(said);
    }
    blocks
}

fn answered(builder: &mut Builder<'_>, read: &DocumentsRead, answer: &PartAnswer) -> Vec<Block> {
    let spans = quoted(builder, read, &answer.passages);
    if spans.is_empty() {
        return Vec::new();
    }
    let sure = builder.statement(
        &format!(
            "Confidence {} of 1: how likely it is that these passages answer the question",
            written(answer.fit, 2)
        ),
        &[],
        Nature::Calculation,
    );
    let mut blocks: Vec<Block> = bullets(spans).into_iter().collect();
    blocks.extend(sure.map(|span| Block::Paragraph(vec![span])));
    blocks
}

fn not_found(builder: &mut Builder<'_>, read: &DocumentsRead, answer: &PartAnswer) -> Vec<Block> {
    let lacking: Vec<String> = answer
        .missing
        .iter()
        .map(|word| format!("“{word}”"))
        .collect();
    let mut told = "The documents do not clearly answer this".to_owned();
    if !lacking.is_empty() {
        told.push_str(". No passage that comes near has ");
        told.push_str(&lacking.join(", "));
    }
    if !answer.passages.is_empty() {
        told.push_str(". The nearest passages follow");
    }
    let mut blocks = vec![note("Not found", &told)];
    blocks.extend(bullets(quoted(builder, read, &answer.passages)));
    blocks
}

/// What holds first; what only a draft or a replaced document says is marked.
fn quoted(builder: &mut Builder<'_>, read: &DocumentsRead, passages: &[Stated]) -> Vec<Span> {
    let mut passages: Vec<(bool, &Stated)> = passages
        .iter()
        .map(|stated| (read.is_outdated(&stated.address), stated))
        .collect();
    passages.sort_by_key(|(outdated, _)| *outdated);
    let told = passages.into_iter().filter_map(|(outdated, stated)| {
        let said = short(unnumbered(stated.told()), ANSWER_CHARS_MAX);
        let evidence = [stated.evidence()];
        match outdated {
            false => sourced(builder, stated),
            true => {
                let said = format!("In a draft or a replaced document: {said}");
                builder.statement(&said, &evidence, Nature::Interpretation)
            }
        }
    });
    told.collect()
}

fn whether_done(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Block> {
    let all = read.sure_owed().len();
    if all == 0 {
        return vec![note(
            "Nothing found",
            "No promise, task or condition was found in the documents",
        )];
    }
    let overdue = read.owed_count(OwedStatus::Overdue);
    let open = read.owed_count(OwedStatus::Open);
    let verdict = if overdue + open == 0 { "Yes" } else { "No" };
    let told = format!(
        "{verdict}: the documents have {all} promises, tasks and conditions. As of {}, {overdue} of them are past their \
         date and {open} open, without a report that they are done; the others are reported as done",
        read.today
    );
    let span = builder.statement(&told, &[], Nature::Calculation);
    span.map(|span| Block::Paragraph(vec![span]))
        .into_iter()
        .collect()
}

/// What is in dispute and without an answer, the surest first.
fn unsettled(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Block> {
    let told = format!(
        "{} of statements or figures do not fit together, and {} without an answer or a document that is named. The surest of \
         them follow; all are listed below",
        counted(
            read.contradicting.len() + read.wrong_sums.len() + read.denied_claims().len(),
            "pair"
        ),
        counted(read.sure_missing().len(), "point"),
    );
    let verdict = builder.statement(&told, &[], Nature::Calculation);
    let mut items: Vec<Vec<Span>> = Vec::new();
    for wrong in read.wrong_sums.iter().take(UNSETTLED_EACH_MAX) {
        if let Some(stated) = sourced(builder, &wrong.at) {
            items.push(in_a_row(vec![stated, computed(wrong)]));
        }
    }
    let pairs = read.contradicting.iter().map(|[one, other]| [one, other]);
    let pairs: Vec<[&Stated; 2]> = read.denied_claims().into_iter().chain(pairs).collect();
    for [one, other] in pairs.into_iter().take(UNSETTLED_EACH_MAX) {
        let both = [sourced(builder, one), sourced(builder, other)];
        let both: Vec<Span> = both.into_iter().flatten().collect();
        if both.len() == 2 {
            items.push(in_a_row(both));
        }
    }
    let missing = read.sure_missing().iter().take(UNSETTLED_EACH_MAX);
    for one in missing {
        items.extend(sourced(builder, &one.at).map(|span| vec![span]));
    }
    let list = (!items.is_empty()).then_some(Block::Bullets(items));
    let verdict = verdict.map(|span| Block::Paragraph(vec![span]));
    verdict.into_iter().chain(list).collect()
}

/// How much was read and found, as figures.
pub(crate) fn figures(read: &DocumentsRead) -> Vec<Figure> {
    let figure = |count: usize, label: &str| Figure {
        value: count.to_string(),
        label: label.to_owned(),
        cites: Vec::new(),
    };
    vec![
        figure(read.documents.len(), "documents read completely"),
        figure(
            read.owed_count(OwedStatus::Overdue),
            "tasks past their date, not reported as done",
        ),
        figure(read.changed.len(), "values that have changed"),
        figure(read.sure_missing().len(), "gaps"),
    ]
}

/// The parts that a report shows in full and in which there is something to say; the others by their number.
pub(crate) fn sections(
    builder: &mut Builder<'_>,
    read: &DocumentsRead,
    shown: &[ReadingPart],
) -> Vec<Section> {
    let mut sections = Vec::new();
    for part in ReadingPart::ALL.iter().filter(|part| shown.contains(part)) {
        sections.extend(match part {
            ReadingPart::Conflicts => vec![
                model_sections::conflicts(builder, read),
                conflicts(builder, read),
            ],
            ReadingPart::Changed => vec![
                model_sections::changes(builder, read),
                changed(builder, read),
            ],
            ReadingPart::Owed => vec![owed(builder, read)],
            ReadingPart::Missing => vec![missing(builder, read)],
        });
    }
    sections.push(counted_only(builder, read, shown));
    if !shown.is_empty() {
        sections.push(model_sections::how_it_was_read(read));
    }
    sections.retain(|section| !section.blocks.is_empty());
    sections
}

/// What there is besides, where a report does not list it.
fn counted_only(builder: &mut Builder<'_>, read: &DocumentsRead, shown: &[ReadingPart]) -> Section {
    let parts = ReadingPart::ALL.iter();
    let parts = parts.filter(|part| !shown.contains(part));
    let counts: Vec<String> = parts.filter_map(|part| count_told(read, *part)).collect();
    let told = match counts.is_empty() {
        true => None,
        false => builder.statement(
            &format!(
                "The documents have {}; `adjutant kb review` lists them",
                enumerated(&counts)
            ),
            &[],
            Nature::Calculation,
        ),
    };
    let told = told.map(|span| Block::Paragraph(vec![span]));
    let blocks = told.into_iter().chain(reading_stopped(read)).collect();
    section("More in the documents", blocks)
}

/// How many of a part there are, in words; nothing if there are none.
pub(crate) fn count_told(read: &DocumentsRead, part: ReadingPart) -> Option<String> {
    let (count, one, more) = match part {
        ReadingPart::Conflicts => (
            read.contradicting.len()
                + read.wrong_sums.len()
                + read.denied_claims().len()
                + model_sections::conflict_count(read),
            "pair of statements or figures that may not fit together",
            "pairs of statements or figures that may not fit together",
        ),
        ReadingPart::Changed => (
            read.changed.len(),
            "value that has changed",
            "values that have changed",
        ),
        ReadingPart::Owed => (
            read.owed_count(OwedStatus::Overdue),
            "promise, task or condition past its date",
            "promises, tasks and conditions past their date",
        ),
        ReadingPart::Missing => (read.sure_missing().len(), "gap", "gaps"),
    };
    match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {more}")),
    }
}

fn enumerated(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn conflicts(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let mut rows = Vec::new();
    for wrong in read.wrong_sums.iter().take(CONFLICTS_MAX) {
        rows.push(vec![
            said(builder, &wrong.at),
            vec![computed(wrong)],
            label("Ask who wrote it to count again."),
        ]);
    }
    // Different values are mostly of different cases: `adjutant kb review --all` lists them, a report does not.
    for pair in read.contradicting.iter().take(CONFLICTS_MAX) {
        let [first, other] = pair;
        rows.push(vec![
            said(builder, first),
            said(builder, other),
            label(to_settle(pair)),
        ]);
    }
    for [claim, denial] in read.denied_claims().into_iter().take(CONFLICTS_MAX) {
        rows.push(vec![
            said(builder, claim),
            said(builder, denial),
            label("The document that measured or decided it holds."),
        ]);
    }
    let columns = vec![
        column("One document says", 5),
        column("Another says, or its own figures do", 5),
        column("What would settle it", 3),
    ];
    let count = rows.len();
    let block = table("Statements that may not fit together", columns, rows);
    let blocks = match block {
        Some(block) => vec![block],
        None if model_sections::has_conflicts(read) => Vec::new(),
        None => vec![note(
            "None found",
            "No two documents that both hold contradict each other in words that can be compared. That does not prove \
             that there is no contradiction",
        )],
    };
    section(
        match count {
            0 => "No contradictions were found",
            _ => "What may not fit together",
        },
        blocks,
    )
}

/// A statement with its document and date, so that nobody has to look it up to know who speaks.
pub(crate) fn said(builder: &mut Builder<'_>, stated: &Stated) -> Vec<Span> {
    let told = builder.cell(
        &short(unnumbered(stated.told()), TEXT_CHARS_MAX),
        &[stated.evidence()],
    );
    let title = stated.title.split(" · ").next().unwrap_or_default();
    let date = stated.date.as_ref();
    let date = date.map_or(String::new(), |date| format!(", {date}"));
    let from = label(format!(" ({}{date})", short(&plain(title), 70)));
    std::iter::once(told).chain(from).collect()
}

fn to_settle(sides: &[Stated]) -> String {
    let mut dated: Vec<(&str, &str)> = sides
        .iter()
        .filter_map(|side| Some((side.date.as_deref()?, side.title.split(" · ").next()?)))
        .collect();
    dated.sort_unstable();
    match (dated.first(), dated.last()) {
        (Some(first), Some(last)) if first.0 != last.0 && first.1 != last.1 => format!(
            "Ask whether the later document, “{}”, is meant to replace the earlier.",
            short(last.1, 70)
        ),
        _ => "Ask which of them holds.".to_owned(),
    }
}

pub(crate) fn computed(wrong: &Miscounted) -> Span {
    let sum = match wrong.unit.as_str() {
        "min" if wrong.computed >= 60.0 => {
            let hours = (wrong.computed / 60.0).floor();
            format!("{hours:.0} h {:02.0} min", wrong.computed % 60.0)
        }
        unit => format!("{} {unit}", written(wrong.computed, 2)),
    };
    let parts = match wrong.unit.as_str() {
        "min" => "times".to_owned(),
        _ => counted(wrong.parts, "part"),
    };
    Span {
        text: format!(
            "Its own {parts} come to {}, not {}.",
            sum.trim_end(),
            wrong.stated
        ),
        mark: Some(Mark::Calculation),
        ..Span::default()
    }
}

fn changed(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let mut rows = Vec::new();
    for values in read.changed.iter().take(CHANGED_MAX) {
        let (Some(before), Some(now)) = (values.first(), values.last()) else {
            continue;
        };
        let value = |stated: &Stated| stated.value.clone().unwrap_or_default();
        rows.push(vec![
            said(builder, now),
            vec![builder.cell(&value(before), &[before.evidence()])],
            vec![builder.cell(&value(now), &[now.evidence()])],
        ]);
    }
    let columns = vec![
        column("What the later document says", 7),
        column("Before", 2),
        column("Now", 2),
    ];
    let blocks = table("Values of which there is a later state", columns, rows);
    let mut blocks: Vec<Block> = blocks.into_iter().collect();
    blocks.extend(more(read.changed.len(), CHANGED_MAX));
    section("What has changed", blocks)
}

fn owed(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let is_waiting = |one: &&Owed| one.status != OwedStatus::Fulfilled;
    let waiting: Vec<&Owed> = read.sure_owed().iter().filter(is_waiting).collect();
    let all_waiting = read.owed.iter().filter(is_waiting).count();
    let rows = waiting.iter().take(OWED_MAX).map(|one| {
        let status = match one.status {
            OwedStatus::Overdue => "overdue",
            OwedStatus::Open | OwedStatus::Fulfilled => "open",
        };
        vec![
            label(status),
            label(one.due.clone().unwrap_or_else(|| "no date".to_owned())),
            label(short(
                one.who.as_deref().unwrap_or("not named"),
                WHO_CHARS_MAX,
            )),
            vec![owes(builder, one)],
        ]
    });
    let rows: Vec<_> = rows.collect();
    let columns = vec![
        column("Status", 2),
        column("Due", 2),
        column("Who", 3),
        column("What", 8),
    ];
    let caption = format!(
        "Promises, tasks and conditions that no document reports as done, as of {}",
        read.today
    );
    let mut blocks: Vec<Block> = table(caption, columns, rows).into_iter().collect();
    blocks.extend(more(all_waiting, waiting.len().min(OWED_MAX)));
    blocks.extend(done(builder, read));
    section(OWED_HEADING, blocks)
}

fn owes(builder: &mut Builder<'_>, one: &Owed) -> Span {
    builder.cell(
        &capital(&short(unnumbered(&one.what), TEXT_CHARS_MAX)),
        &[one.at.evidence()],
    )
}

fn done(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Block> {
    let done = read.sure_owed().iter();
    let done: Vec<(&Owed, &Stated)> = done
        .filter_map(|one| Some((one, one.fulfilled_by.as_ref()?)))
        .collect();
    let rows = done.iter().take(DONE_MAX).map(|(one, by)| {
        let own = by.address == one.at.address;
        let told = if own {
            label("Its own entry says so.")
        } else {
            said(builder, by)
        };
        vec![vec![owes(builder, one)], told]
    });
    let rows = rows.collect();
    let columns = vec![
        column("What was owed", 5),
        column("What says that it is done", 6),
    ];
    let mut blocks: Vec<Block> = table("Done, according to another statement", columns, rows)
        .into_iter()
        .collect();
    blocks.extend(more(done.len(), DONE_MAX));
    blocks
}

fn missing(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let sure = read.sure_missing();
    let rows = sure.iter().take(MISSING_MAX).map(|one| {
        vec![
            vec![builder.cell(
                &capital(&short(unnumbered(&one.what), TEXT_CHARS_MAX)),
                &[one.at.evidence()],
            )],
            label(capital(&one.kind)),
        ]
    });
    let rows = rows.collect();
    let columns = vec![column("What", 6), column("Why it is listed", 4)];
    let mut blocks: Vec<Block> =
        table("What the documents speak of and do not have", columns, rows)
            .into_iter()
            .collect();
    blocks.extend(more(read.missing.len(), sure.len().min(MISSING_MAX)));
    section("What is missing in the documents", blocks)
}

/// What to ask next: what is overdue, what is missing, and what may not fit together.
pub(crate) fn next_questions(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let overdue = read
        .sure_owed()
        .iter()
        .filter(|one| one.status == OwedStatus::Overdue)
        .take(QUESTIONS_EACH_MAX);
    let mut asked: Vec<(String, &Stated)> = overdue
        .map(|one| {
            let who = one.who.as_deref().unwrap_or("Whoever owes it");
            let what = short(&one.what, WHAT_CHARS_MAX);
            (
                format!("To {}: is it done? “{what}”", short(who, WHO_CHARS_MAX)),
                &one.at,
            )
        })
        .collect();
    asked.extend(
        read.sure_missing()
            .iter()
            .take(QUESTIONS_EACH_MAX)
            .map(|one| {
                let what = short(&one.what, WHAT_CHARS_MAX);
                (format!("Who can provide or answer this? “{what}”"), &one.at)
            }),
    );
    let pairs = read.contradicting.iter().take(QUESTIONS_EACH_MAX);
    asked.extend(pairs.map(|[said, _]| {
        let said_short = short(said.told(), WHAT_CHARS_MAX);
        (format!("Does this still hold? “{said_short}”"), said)
    }));
    let spans = asked
        .iter()
        .filter_map(|(text, at)| builder.statement(text, &[at.evidence()], Nature::Interpretation));
    let spans: Vec<Span> = spans.collect();
    section("What to ask next", bullets(spans).into_iter().collect())
}

fn more(count: usize, shown: usize) -> Option<Block> {
    let rest = count.checked_sub(shown).filter(|rest| *rest > 0)?;
    Some(note(
        "More",
        &format!("{rest} more, less sure, are listed by `adjutant kb review --all`"),
    ))
}

/// Says where reading stopped, if not all documents were read.
fn reading_stopped(read: &DocumentsRead) -> Option<Block> {
    let (own, all) = (read.documents.len(), read.documents_found);
    (own < all).then(|| {
        note(
            "Not everything was read",
            &format!(
                "{own} of {all} documents were read completely: those in which a search for the objective found something. \
                 Of the others nothing is said here"
            ),
        )
    })
}
