//! Sections on what a model added to the reading of the documents: conflicts, changes, what matters most, and how it read.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_document_model::{Block, Mark, Section, Span};
use adjutant_questions::ClaimRelation;

use crate::builder::{Builder, column, label, note, section, table};
use crate::documents_read::{DocumentsRead, OwedStatus};
use crate::first_page::sourced;
use crate::model_reading::{FoundBy, ModelReading, Related};
use crate::reading_sections::said;
use crate::shared::bullets;
use crate::text::{capital, counted, plain, short};

const CONFLICTS_MAX: usize = 20;
const CHANGES_MAX: usize = 12;
const FIRST_MAX: usize = 8;
const UNREAD_TOLD_MAX: usize = 12;
const ABOUT_CHARS_MAX: usize = 120;
const WHY_CHARS_MAX: usize = 240;

pub(crate) fn has_conflicts(read: &DocumentsRead) -> bool {
    conflict_count(read) > 0
}

pub(crate) fn conflict_count(read: &DocumentsRead) -> usize {
    let model = read.model.as_ref();
    model.map_or(0, |model| of(model, ClaimRelation::Conflict).count())
}

fn of(model: &ModelReading, relation: ClaimRelation) -> impl Iterator<Item = &Related> {
    let all = model.relations.iter();
    all.filter(move |one| one.relation == relation)
}

/// What, who says which, status, what would settle it.
pub(crate) fn conflicts(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let Some(model) = &read.model else {
        return section("", Vec::new());
    };
    let found: Vec<&Related> = of(model, ClaimRelation::Conflict).collect();
    let rows = found.iter().take(CONFLICTS_MAX).map(|one| {
        let settles = match plain(&one.settled_by).as_str() {
            "" => "Ask which of them holds.".to_owned(),
            told => short(told, WHY_CHARS_MAX),
        };
        vec![
            what(one),
            sides(builder, one),
            label(status(one)),
            vec![interpreted(settles)],
        ]
    });
    let rows = rows.collect();
    let columns = vec![
        column("What", 3),
        column("Who says which", 7),
        column("Status", 2),
        column("What would settle it", 3),
    ];
    let block = table(
        "Documents that hold and say different things of the same",
        columns,
        rows,
    );
    let mut blocks: Vec<Block> = block.into_iter().collect();
    blocks.extend(rest(found.len(), CONFLICTS_MAX));
    section("Where documents contradict each other", blocks)
}

/// Later states, and things that only look the same.
pub(crate) fn changes(builder: &mut Builder<'_>, read: &DocumentsRead) -> Section {
    let Some(model) = &read.model else {
        return section("", Vec::new());
    };
    let shown = [ClaimRelation::Update, ClaimRelation::Definition];
    let found: Vec<&Related> = shown.iter().flat_map(|kind| of(model, *kind)).collect();
    let rows = found.iter().take(CHANGES_MAX).map(|one| {
        let kind = match one.relation {
            ClaimRelation::Update => "changed",
            _ => "counted or named differently",
        };
        vec![what(one), sides(builder, one), label(kind)]
    });
    let rows = rows.collect();
    let columns = vec![
        column("What", 3),
        column("Who says which, the earlier first", 8),
        column("What it is", 2),
    ];
    let caption = "Different statements that do not contradict each other";
    let mut blocks: Vec<Block> = table(caption, columns, rows).into_iter().collect();
    blocks.extend(rest(found.len(), CHANGES_MAX));
    section("What has changed or is counted differently", blocks)
}

/// The statements that matter most for the objective, as the model ranks them.
pub(crate) fn first(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Block> {
    let Some(model) = &read.model else {
        return Vec::new();
    };
    let holding = model
        .first
        .iter()
        .filter(|one| !read.is_outdated(&one.at.address))
        // A row without its table is no sentence; it stands in the sections.
        .filter(|one| !one.at.told().contains('|'));
    let spans: Vec<Span> = holding
        .take(FIRST_MAX)
        .filter_map(|one| sourced(builder, &one.at))
        .collect();
    let Some(list) = bullets(spans) else {
        return Vec::new();
    };
    vec![Block::Heading("What matters most".to_owned()), list]
}

fn what(one: &Related) -> Vec<Span> {
    let why = short(&one.why, WHY_CHARS_MAX);
    let mut spans = label(capital(&short(&one.about, ABOUT_CHARS_MAX)));
    if !why.is_empty() {
        spans.push(interpreted(format!(" ({why})")));
    }
    spans
}

fn sides(builder: &mut Builder<'_>, one: &Related) -> Vec<Span> {
    let mut spans = Vec::new();
    for (at, side) in one.sides.iter().enumerate() {
        if at > 0 {
            spans.extend(label(" — "));
        }
        spans.extend(said(builder, &side.at));
    }
    spans
}

fn status(one: &Related) -> String {
    let both = match one.sides.len() {
        2 => "both hold",
        _ => "all hold",
    };
    format!("{both}, open; found by {}", one.found_by.name())
}

fn interpreted(text: String) -> Span {
    Span {
        text,
        mark: Some(Mark::Interpretation),
        ..Span::default()
    }
}

fn rest(count: usize, shown: usize) -> Option<Block> {
    let rest = count.checked_sub(shown).filter(|rest| *rest > 0)?;
    let text = format!("{rest} more are in the mission's task that merges the readings");
    Some(note("More", &text))
}

/// Which documents the model read, what did not stand up to them, and who found what.
pub(crate) fn how_it_was_read(read: &DocumentsRead) -> Section {
    let Some(model) = &read.model else {
        return section("", Vec::new());
    };
    let mut blocks = vec![note("Who read", &who_read(model))];
    let by = |wanted: FoundBy| {
        let open = read
            .owed
            .iter()
            .filter(|one| one.status != OwedStatus::Fulfilled)
            .map(|one| &one.at);
        let all = open.chain(read.missing.iter().map(|one| &one.at));
        all.filter(|at| model.found_by(at) == wanted).count()
    };
    let told = format!(
        "What is owed or missing was found by rules alone: {}; by the model alone: {}; by both: {}. According to the model, {} \
         listed by rules are done, and {} listed by rules are in another document",
        by(FoundBy::Rules),
        by(FoundBy::Model),
        by(FoundBy::Both),
        counted(model.done.len(), "obligation"),
        counted(model.found_elsewhere.len(), "gap"),
    );
    blocks.push(note("Who found what", &told));
    if model.dropped > 0 {
        let reasons = model.dropped_because.iter();
        let reasons: Vec<String> = reasons
            .map(|(why, count)| format!("{why} ({count})"))
            .collect();
        let told = format!(
            "{} of the model did not stand up to the documents and {} left out: {}",
            counted(model.dropped, "statement"),
            if model.dropped == 1 { "is" } else { "are" },
            reasons.join("; ")
        );
        blocks.push(note("Left out", &told));
    }
    blocks.extend(unread(model));
    section("How a model read the documents", blocks)
}

fn who_read(model: &ModelReading) -> String {
    let by = match model.by.is_empty() {
        true => "No model".to_owned(),
        false => model.by.join(", "),
    };
    let mut told = format!(
        "{by} read {} of {} of the documents besides the fixed rules, and every quote was looked up in its document",
        model.read,
        counted(model.pieces, "piece"),
    );
    if model.turned_into_changes > 0 {
        told.push_str(&format!(
            ". Conflicts that are shown as changes, because a side no longer holds: {}",
            model.turned_into_changes
        ));
    }
    if model.not_compared > 0 {
        told.push_str(&format!(
            ". Groups of statements that did not fit into the questions and were not compared by the model: {}",
            model.not_compared
        ));
    }
    told
}

fn unread(model: &ModelReading) -> Vec<Block> {
    let mut by_reason: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in &model.unread {
        by_reason.entry(&one.why).or_default().insert(&one.title);
    }
    let told = by_reason.into_iter().map(|(why, titles)| {
        let named: Vec<String> = titles
            .iter()
            .take(UNREAD_TOLD_MAX)
            .map(|title| format!("“{}”", short(title, 70)))
            .collect();
        let more = titles.len().saturating_sub(UNREAD_TOLD_MAX);
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let text = format!(
            "Wholly or in part, rules alone read {}{more}: {why}",
            named.join(", ")
        );
        note("Not read by the model", &text)
    });
    told.collect()
}
