//! Whether a document agrees with what was read in the documents: nothing that was read is left out of it, and its summary
//! states nothing that no longer holds.

use std::collections::BTreeMap;

use adjutant_document_model::{Block, Document, Tone};

use super::walk::{Statement, of_summary, statements};
use crate::conditions_met;
use crate::documents_read::{DocumentsRead, OwedStatus, Stated};
use crate::reading_sections::{OWED_HEADING, OWED_MAX, ReadingPart, count_told};
use crate::text::{capital, plain, short};

/// Questions of the objective without an answer, and obligations that the document does not tell.
pub(super) fn left_out(document: &Document, read: &DocumentsRead) -> Vec<String> {
    let headings: Vec<&str> = document
        .summary
        .iter()
        .filter_map(|block| match block {
            Block::Heading(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let told = |question: &str| {
        let question = capital(&short(question, super::QUESTION_CHARS_MAX));
        headings.contains(&question.as_str())
    };
    let answers_first = document.kind == crate::compose::Kind::DeepDive.name();
    let unanswered = read
        .answers
        .iter()
        .filter(|answer| answers_first && !told(&answer.question))
        .map(|answer| {
            format!(
                "The summary says nothing on “{}”: answer it, or say that the documents do not.",
                short(&answer.question, 80)
            )
        });
    unanswered.chain(overdue(document, read)).collect()
}

/// What is overdue: a document that has the table must list it, any other must say how much there is.
fn overdue(document: &Document, read: &DocumentsRead) -> Vec<String> {
    let has_table = document
        .sections
        .iter()
        .any(|section| section.heading == OWED_HEADING);
    if !has_table {
        let Some(count) = count_told(read, ReadingPart::Owed) else {
            return Vec::new();
        };
        let all = statements(document);
        let told = all.iter().any(|at| at.text.contains(&count));
        return match told {
            true => Vec::new(),
            false => vec![format!(
                "The documents have {count}, and the document does not say so: say how many there are."
            )],
        };
    }
    let cited: Vec<String> = document
        .sources
        .iter()
        .flat_map(|source| &source.passages)
        .map(|passage| plain(&passage.text))
        .collect();
    let is_cited = |stated: &Stated| cited.contains(&plain(&stated.sentence));
    let overdue = read
        .sure_owed()
        .iter()
        .filter(|one| one.status != OwedStatus::Fulfilled)
        .take(OWED_MAX)
        .filter(|one| one.status == OwedStatus::Overdue)
        .filter(|one| !is_cited(&one.at))
        .map(|one| {
            format!(
                "“{}” is overdue, and the document does not say so: list it.",
                short(&one.what, 80)
            )
        });
    overdue.collect()
}

/// Statements of the summary that rest on replaced documents and drafts alone, or on a value that has changed since.
pub(super) fn outdated(document: &Document, read: &DocumentsRead) -> Vec<String> {
    let mut places: BTreeMap<u32, (String, String)> = BTreeMap::new();
    for source in &document.sources {
        for passage in &source.passages {
            let place = passage.address.as_ref().unwrap_or(&source.id);
            places.insert(passage.number, (place.clone(), plain(&passage.text)));
        }
    }
    let before: Vec<String> = read
        .changed
        .iter()
        .filter_map(|values| values.split_last())
        .flat_map(|(_, earlier)| earlier.iter().map(|stated| plain(&stated.sentence)))
        .collect();
    let no_longer_holds = |number: &u32| {
        places
            .get(number)
            .is_some_and(|(place, text)| read.is_outdated(place) || before.contains(text))
    };
    let all = of_summary(document);
    let faulty = |at: &&Statement<'_>| {
        at.mark.is_none() && !at.cites.is_empty() && at.cites.iter().all(no_longer_holds)
    };
    let told = |at: &Statement<'_>| {
        format!(
            "“{}” rests on a draft, a replaced document or a value that has changed: state what holds now.",
            short(at.text, 80)
        )
    };
    all.iter().filter(faulty).map(told).collect()
}

/// A verdict that its own conditions deny: `Go` although one is not met, or `No-Go` although all are.
pub(super) fn verdict_denied(document: &Document, read: &DocumentsRead) -> Vec<String> {
    let is_decision = document.kind == crate::compose::Kind::GoNoGo.name();
    let title = document.summary.iter().find_map(|block| match block {
        Block::Callout(callout) if callout.tone != Tone::Note => Some(callout.title.as_str()),
        _ => None,
    });
    let own = conditions_met::deciding(read);
    let Some(title) = title.filter(|_| is_decision && !own.is_empty()) else {
        return Vec::new();
    };
    let (meant, _) = conditions_met::verdict(&own);
    let says_go = title == conditions_met::GO || title.starts_with("Go ");
    let means_go = meant == conditions_met::GO;
    let fault = format!(
        "The verdict is “{title}”, and by the conditions it is “{meant}”: say what follows from them."
    );
    match says_go && !means_go {
        true => vec![fault],
        false => Vec::new(),
    }
}
