//! Whether a document holds: its shape, the rules for every report, what can be done again, its meaning against its
//! passages, and its facts. Never whether it is wise.

mod meaning;
mod read;
mod rendered;
mod shape;
pub(crate) mod sums;
pub(crate) mod walk;
mod wording;

use std::collections::{BTreeMap, BTreeSet};

use adjutant_document_model::{Block, Document, Mark, Passage};
use adjutant_questions::{Evidence, Source};
use serde::{Deserialize, Serialize};

use crate::builder::document_of;
use crate::documents_read::DocumentsRead;
use crate::quotes::Quotes;
use crate::text::{counted, numbers, numbers_missing, plain, short};
use walk::{Place, Statement, statements};
pub(crate) use wording::dangles;

/// Fewer sources than this carry no report.
pub(crate) const SOURCES_MIN: usize = 3;
/// Faults told for one check.
const FAULTS_TOLD_MAX: usize = 5;
/// Addresses are long, and their end tells them apart.
const ADDRESS_CHARS_TOLD_MAX: usize = 160;
/// Shorter statements may stand twice: `Not told.`
const REPEATED_WORDS_MIN: usize = 4;

/// What a judge says of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    pub passed: bool,
    pub checks: Vec<Check>,
    /// What to do about what failed, one thing each.
    pub feedback: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What kind of question it asks of the document.
    #[serde(default)]
    pub kind: CheckKind,
    pub name: String,
    pub passed: bool,
    /// What was looked at and what was found.
    pub told: String,
}

/// The five ways to look at a document, in the order in which they are told.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// Is it a document as documents are?
    Schema,
    /// Does it keep the rules that hold for every report?
    Rules,
    /// Does what can be done again come out the same: its calculations, its charts, its files?
    Execution,
    /// Does it mean what its sources mean, and does it answer what was asked?
    Semantics,
    /// Is what it states in its sources? Judgements of earlier versions do not tell the kind; most asked this.
    #[default]
    Facts,
}

impl CheckKind {
    pub const ALL: [Self; 5] = [
        Self::Schema,
        Self::Rules,
        Self::Execution,
        Self::Semantics,
        Self::Facts,
    ];

    /// As the head of a column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Schema => "Schema",
            Self::Rules => "Rules",
            Self::Execution => "Execution",
            Self::Semantics => "Semantics",
            Self::Facts => "Facts",
        }
    }
}

/// So much of a question is its heading.
pub(crate) const QUESTION_CHARS_MAX: usize = 160;

/// Holds a document against its sources.
pub fn judge(document: &Document, sources: &[Source]) -> Judgement {
    judge_with(document, sources, None)
}

/// Holds a document against its sources, and against what was read in the documents.
pub fn judge_with(
    document: &Document,
    sources: &[Source],
    read: Option<&DocumentsRead>,
) -> Judgement {
    let mut verdict = Verdict::default();
    let all = statements(document);
    let passages: BTreeMap<u32, &str> = document
        .sources
        .iter()
        .flat_map(|source| &source.passages)
        .map(|passage| (passage.number, passage.text.as_str()))
        .collect();
    verdict.add(
        CheckKind::Schema,
        "shape",
        shape::faults(document),
        "Tables, headings and numbers are well formed",
    );
    verdict.add(
        CheckKind::Facts,
        "citations",
        unresolved(&all, &passages),
        "Every citation has its passage",
    );
    verdict.add(
        CheckKind::Facts,
        "quotes",
        strange_quotes(document, sources),
        "Every quote is in its source, word for word",
    );
    verdict.add(
        CheckKind::Rules,
        "cited or marked",
        bare(&all),
        "Every statement is cited or marked",
    );
    verdict.add(
        CheckKind::Facts,
        "numbers",
        unproved(&all, &named_passages(document)),
        "Every number of a cited statement is in its passages",
    );
    verdict.add(
        CheckKind::Execution,
        "sums",
        sums::faults(document, &all),
        "Every product, sum and share is correct",
    );
    verdict.add(
        CheckKind::Execution,
        "files and charts",
        rendered::faults(document),
        "Its charts can be drawn, and no section is lost when it is written",
    );
    verdict.add(
        CheckKind::Semantics,
        "same meaning",
        meaning::changed(&all, &passages),
        "No statement turns around, or makes certain, what its passage says",
    );
    verdict.add(
        CheckKind::Schema,
        "no empty section",
        empty(document),
        "Every section says something",
    );
    verdict.add(
        CheckKind::Schema,
        "whole sentences",
        wording::fragments(document),
        "The summary has whole sentences that stand by themselves",
    );
    verdict.add(
        CheckKind::Rules,
        "scores",
        wording::unproved_scores(document),
        "Every score is given by a source or marked as derived",
    );
    verdict.add(
        CheckKind::Rules,
        "nothing twice",
        repeated(&all),
        "No statement appears twice",
    );
    if let Some(read) = read {
        verdict.add(
            CheckKind::Semantics,
            "complete",
            read::left_out(document, read),
            "Every question has its answer, and what is overdue is told",
        );
        verdict.add(
            CheckKind::Semantics,
            "still holds",
            read::outdated(document, read),
            "The summary states nothing that no longer holds",
        );
        verdict.add(
            CheckKind::Semantics,
            "verdict",
            read::verdict_denied(document, read),
            "The verdict is that of the conditions",
        );
    }
    verdict.sources(document);
    verdict.close()
}

#[derive(Default)]
struct Verdict {
    checks: Vec<Check>,
    feedback: Vec<String>,
}

impl Verdict {
    fn add(&mut self, kind: CheckKind, name: &str, faults: Vec<String>, fine: &str) {
        let passed = faults.is_empty();
        let told = if passed {
            fine.to_owned()
        } else {
            counted(faults.len(), "fault")
        };
        self.checks.push(Check {
            kind,
            name: name.to_owned(),
            passed,
            told,
        });
        let more = faults.len().saturating_sub(FAULTS_TOLD_MAX);
        self.feedback
            .extend(faults.into_iter().take(FAULTS_TOLD_MAX));
        if more > 0 {
            self.feedback
                .push(format!("{more} more faults of `{name}`."));
        }
    }

    /// Few sources are told; they fail a document only if it decides or concludes all the same.
    fn sources(&mut self, document: &Document) {
        let count = document.sources.len();
        let enough = count >= SOURCES_MIN;
        let admits = admits(&document.summary);
        let told = match (enough, admits) {
            (true, _) => format!("{count} sources are cited"),
            (false, true) => format!(
                "{} cited, and the document says that this is too little",
                counted(count, "source")
            ),
            (false, false) => format!(
                "{} cited, {SOURCES_MIN} are needed",
                counted(count, "source")
            ),
        };
        if !enough && !admits {
            self.feedback.push(format!(
                "Only {} cited: find at least {SOURCES_MIN}, or say that there are few.",
                counted(count, "source")
            ));
        }
        self.checks.push(Check {
            kind: CheckKind::Rules,
            name: "distinct sources".to_owned(),
            passed: enough || admits,
            told,
        });
    }

    fn close(self) -> Judgement {
        Judgement {
            passed: self.checks.iter().all(|check| check.passed),
            checks: self.checks,
            feedback: self.feedback,
        }
    }
}

/// Titles of callouts by which a document says that it concludes nothing.
pub(crate) const NO_DECISION: &str = "No decision is possible";
pub(crate) const NOTHING_FOUND: &str = "Nothing was found";
/// That of one by which it says that it rests on little.
pub(crate) const FEW_SOURCES: &str = "Few sources";

pub(crate) fn admits(summary: &[Block]) -> bool {
    summary.iter().any(|block| match block {
        Block::Callout(callout) => {
            let admitting = [NO_DECISION, NOTHING_FOUND, FEW_SOURCES];
            admitting
                .iter()
                .any(|title| callout.title.starts_with(title))
        }
        _ => false,
    })
}

fn unresolved(all: &[Statement<'_>], passages: &BTreeMap<u32, &str>) -> Vec<String> {
    let missing = |at: &Statement<'_>| {
        let number = at
            .cites
            .iter()
            .find(|number| !passages.contains_key(number))?;
        Some(format!(
            "Passage [{number}] is cited in {} and does not exist: cite an existing one or remove the number.",
            at.place()
        ))
    };
    all.iter().filter_map(missing).collect()
}

fn strange_quotes(document: &Document, sources: &[Source]) -> Vec<String> {
    let quotes = Quotes::of(sources);
    let mut faults = Vec::new();
    for source in &document.sources {
        for passage in &source.passages {
            if !is_found(&quotes, sources, &source.id, passage) {
                let named = passage.address.as_ref().unwrap_or(&source.id);
                faults.push(format!(
                    "Passage [{}] is not in `{}`: “{}”. Quote it exactly or remove it.",
                    passage.number,
                    short(named, ADDRESS_CHARS_TOLD_MAX),
                    short(&passage.text, 80)
                ));
            }
        }
    }
    let passages: Vec<String> = document
        .sources
        .iter()
        .flat_map(|source| &source.passages)
        .map(|passage| plain(&passage.text))
        .collect();
    for block in shape::blocks(document) {
        if let adjutant_document_model::Block::Quote { text, .. } = block
            && !passages
                .iter()
                .any(|passage| passage.contains(&plain(text)))
        {
            faults.push(format!(
                "“{}” is shown as a quote and is in no passage.",
                short(text, 80)
            ));
        }
    }
    faults
}

/// Whether a quote is where it says. An address must be of its document, and decides if a source has it; otherwise the
/// document itself must have the quote. A passage without an address may be in any part of its document.
fn is_found(quotes: &Quotes, sources: &[Source], document: &str, passage: &Passage) -> bool {
    let held_by = |id: &str| {
        quotes.hold(&Evidence {
            source: id.to_owned(),
            quote: passage.text.clone(),
        })
    };
    match passage.address.as_deref() {
        Some(address) if document_of(address) != document => false,
        Some(address) if sources.iter().any(|source| source.id == address) => held_by(address),
        Some(_) => held_by(document),
        None => sources
            .iter()
            .filter(|source| document_of(&source.id) == document || source.id == document)
            .any(|source| held_by(&source.id)),
    }
}

fn bare(all: &[Statement<'_>]) -> Vec<String> {
    let faulty = |at: &&Statement<'_>| match at.place {
        Place::Prose => at.cites.is_empty() && at.mark.is_none(),
        // A note tells of the work. As soon as it has a number it states something.
        Place::Note => at.cites.is_empty() && at.mark.is_none() && !numbers(at.text).is_empty(),
        Place::Cell { row_covered } => !row_covered && !numbers(at.text).is_empty(),
        Place::Figure => false,
    };
    let told = |at: &Statement<'_>| {
        format!(
            "“{}” in {} has no citation and no mark: cite a passage, or mark it as interpretation or calculation.",
            short(at.text, 80),
            at.place()
        )
    };
    all.iter().filter(faulty).map(told).collect()
}

/// The passages with the titles and dates of their documents, which a statement may name.
fn named_passages(document: &Document) -> BTreeMap<u32, String> {
    let all = document.sources.iter().flat_map(|source| {
        let date = source.published.as_deref().unwrap_or_default();
        let named = format!("{}\n{date}", source.title);
        let passages = source.passages.iter();
        passages.map(move |passage| {
            let place = passage.place.as_deref().unwrap_or_default();
            (
                passage.number,
                format!("{}\n{named}\n{place}", passage.text),
            )
        })
    });
    all.collect()
}

fn unproved(all: &[Statement<'_>], passages: &BTreeMap<u32, String>) -> Vec<String> {
    let mut faults = Vec::new();
    for at in all
        .iter()
        .filter(|at| at.mark.is_none() && !at.cites.is_empty())
    {
        let texts: Vec<&str> = at
            .cites
            .iter()
            .filter_map(|number| passages.get(number).map(String::as_str))
            .collect();
        if texts.is_empty() {
            continue;
        }
        for number in numbers_missing(at.text, &texts.join("\n")) {
            faults.push(format!(
                "{number} in “{}” is in none of its passages: correct it, cite its source, or mark how it was calculated.",
                short(at.text, 80)
            ));
        }
    }
    faults
}

fn empty(document: &Document) -> Vec<String> {
    let sections = document
        .sections
        .iter()
        .filter(|section| section.blocks.is_empty());
    let told = |heading: &str| format!("The section “{heading}” is empty: fill it or remove it.");
    let mut faults: Vec<String> = sections.map(|section| told(&section.heading)).collect();
    if document.summary.is_empty() {
        faults.push("The summary is empty: say what was found, or that nothing was.".to_owned());
    }
    faults
}

fn repeated(all: &[Statement<'_>]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for at in all.iter().filter(|at| at.place == Place::Prose) {
        for range in adjutant_rule_answers::sentences(at.text) {
            let text = plain(&at.text[range]).to_lowercase();
            let long = text.split(' ').count() >= REPEATED_WORDS_MIN;
            if long && !seen.insert(text.clone()) {
                faults.push(format!(
                    "“{}” is said twice: say it once.",
                    short(&text, 80)
                ));
            }
        }
    }
    faults
}

/// Whether a statement claims to be worked out.
fn calculated(at: &Statement<'_>) -> bool {
    at.mark == Some(Mark::Calculation)
}
