//! Whether the summary reads as a person would write it, and whether its scores are anybody's.

use adjutant_document_model::{Block, Document, Mark};

use super::shape::blocks;
use super::walk::{Place, of_summary};
use crate::text::{number, numbers, numbers_missing, plain, short};

/// Words that mean something only after another sentence.
const DANGLING: &[&str] = &[
    "He", "Her", "His", "It", "Its", "She", "Their", "They", "These", "This", "Those",
];
const QUOTES: [char; 2] = ['“', '"'];
/// Heads of columns that hold scores.
const SCORES: &[&str] = &[
    "detection",
    "impact",
    "likelihood",
    "occurrence",
    "product",
    "score",
    "severity",
];

/// Cited statements of the summary that are no sentence, or begin in the middle of a thought.
pub(super) fn fragments(document: &Document) -> Vec<String> {
    let all = of_summary(document);
    let mut faults = Vec::new();
    for at in all
        .iter()
        .filter(|at| at.place == Place::Prose && !at.cites.is_empty())
    {
        let text = plain(at.text);
        let ends = text.ends_with(['.', '!', '?', '”', '"', ')', '…', ':']);
        let broken = !ends || text.contains(" | ");
        if broken || at.mark != Some(Mark::Interpretation) && dangles(&text) {
            faults.push(format!(
                "“{}” in {} does not stand by itself: write a whole sentence.",
                short(text.trim_start_matches(QUOTES), 80),
                at.place()
            ));
        }
    }
    faults
}

/// Whether a statement means something only after another sentence.
pub(crate) fn dangles(text: &str) -> bool {
    let first = text.trim_start_matches(QUOTES).split(' ').next();
    DANGLING.iter().any(|word| first == Some(*word))
}

/// Scores in tables that no passage of their row has and that are not marked as derived.
pub(super) fn unproved_scores(document: &Document) -> Vec<String> {
    let passage = |wanted: &u32| {
        let mut all = document.sources.iter().flat_map(|source| &source.passages);
        all.find(|passage| passage.number == *wanted)
            .map(|passage| passage.text.as_str())
    };
    let mut faults = Vec::new();
    for block in blocks(document) {
        let Block::Table { columns, rows, .. } = block else {
            continue;
        };
        // Points that rules give to weighed criteria are worked out again by another check.
        if columns
            .iter()
            .any(|column| column.heading == super::sums::WEIGHT)
        {
            continue;
        }
        let scored: Vec<usize> = (0..columns.len())
            .filter(|at| SCORES.contains(&columns[*at].heading.to_lowercase().as_str()))
            .collect();
        for row in rows {
            let spans = || row.iter().flatten();
            let cites: Vec<&u32> = spans().flat_map(|span| &span.cites).collect();
            // A row that cites nothing, such as a total, is looked at by the other checks.
            if spans().any(|span| span.mark.is_some()) || cites.is_empty() {
                continue;
            }
            let texts: Vec<&str> = cites.into_iter().filter_map(passage).collect();
            let within = texts.join("\n");
            for cell in scored.iter().filter_map(|at| row.get(*at)).flatten() {
                let is_score = number(&cell.text).is_some() && !numbers(&cell.text).is_empty();
                if is_score && !numbers_missing(&cell.text, &within).is_empty() {
                    faults.push(format!(
                        "The score {} is in no passage of its row: leave it out, or say how it was derived.",
                        cell.text
                    ));
                }
            }
        }
    }
    faults
}
