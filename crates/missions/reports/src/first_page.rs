//! What a reader in a hurry needs of documents that were read: the main statements, each with its source, and what is disputed,
//! has changed, is owed and is missing, in a line each.

use adjutant_document_model::{Block, Span};

use crate::builder::{Builder, Nature};
use crate::documents_read::{DocumentsRead, OwedStatus, Stated};
use crate::shared::bullets;
use crate::text::{capital, counted, plain, short, unnumbered};

const CHARS_MAX: usize = 420;
const TITLE_CHARS_MAX: usize = 80;
const LINE_CHARS_MAX: usize = 200;
/// Words of those who speak of themselves: such a sentence is given as theirs.
const FIRST_PERSON: &[&str] = &["i", "me", "mine", "my", "our", "ours", "us", "we"];

/// Words that go on from a sentence before.
const GOING_ON: &[&str] = &[
    "both", "he", "her", "his", "it", "its", "she", "such", "that", "their", "these", "they",
    "this", "those",
];

/// The main statements and what is open.
pub(crate) fn blocks(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Block> {
    let mut blocks = Vec::new();
    let first: Vec<Span> = read
        .noticed
        .first
        .iter()
        .filter_map(|stated| sourced(builder, stated))
        .collect();
    if let Some(list) = bullets(first) {
        blocks.push(Block::Heading("The main statements".to_owned()));
        blocks.push(list);
    }
    if let Some(list) = bullets(open(builder, read)) {
        blocks.push(Block::Heading("What is open".to_owned()));
        blocks.push(list);
    }
    blocks
}

/// A statement as a sentence, with the title and the date of its document behind it.
pub(crate) fn sourced(builder: &mut Builder<'_>, stated: &Stated) -> Option<Span> {
    let said = plain(unnumbered(
        stated.told().trim_start_matches(['*', '-', ' ']),
    ));
    let said = short(&said, CHARS_MAX);
    let from = source(stated);
    // Somebody's own words, and words that go on from others, are given as theirs.
    if speaks_of_itself(&said) || goes_on(&said) {
        let quoted = said.trim_matches(['“', '”', '"']);
        return builder.statement(
            &format!("{from}: “{quoted}”"),
            &[stated.evidence()],
            Nature::Fact,
        );
    }
    let mut span = builder.statement(&capital(&said), &[stated.evidence()], Nature::Fact)?;
    span.text = format!("{} ({from}).", span.text.trim_end().trim_end_matches('.'));
    Some(span)
}

fn goes_on(text: &str) -> bool {
    let first = text
        .split(|char: char| !char.is_alphabetic())
        .next()
        .unwrap_or_default();
    GOING_ON.contains(&first.to_lowercase().as_str())
}

/// The title of a document, and its date unless the title has it.
pub(crate) fn source(stated: &Stated) -> String {
    let title = stated.title.split(" · ").next().unwrap_or_default();
    let title = short(&without_path(&plain(title)), TITLE_CHARS_MAX);
    match &stated.date {
        Some(date) if !title.contains(date.as_str()) => format!("{title}, {date}"),
        _ => title,
    }
}

/// `board/action-list.csv` is called `action-list`: a document without a title has its file's name.
fn without_path(title: &str) -> String {
    let file = title.rsplit('/').next().unwrap_or(title);
    match file.rsplit_once('.') {
        Some((name, ending)) if !title.contains(' ') && ending.len() <= 4 => capital(name),
        _ => title.to_owned(),
    }
}

fn speaks_of_itself(text: &str) -> bool {
    let words = text.split(|char: char| !char.is_alphanumeric());
    let mut small = words.map(str::to_lowercase);
    small.any(|word| FIRST_PERSON.contains(&word.as_str()))
}

/// One line each on what is disputed, has changed, is owed and is missing.
fn open(builder: &mut Builder<'_>, read: &DocumentsRead) -> Vec<Span> {
    let disputed = read.contradicting.len() + read.wrong_sums.len() + read.denied_claims().len();
    let overdue = read.owed_count(OwedStatus::Overdue);
    let waiting = read.owed_count(OwedStatus::Open);
    let mut lines = Vec::new();
    if disputed > 0 {
        let pairs = counted(disputed, "pair");
        lines.push(format!(
            "In dispute: {pairs} of statements or figures do not fit together"
        ));
    }
    if !read.changed.is_empty() {
        let values = counted(read.changed.len(), "value");
        lines.push(format!(
            "Changed: {values} in earlier documents no longer hold"
        ));
    }
    if overdue + waiting > 0 {
        let first = read
            .sure_owed()
            .iter()
            .find(|one| one.status == OwedStatus::Overdue);
        let first = first.map_or(String::new(), |one| {
            let what = short(unnumbered(&one.what), LINE_CHARS_MAX);
            format!(". The first of them: {}", what.trim_end_matches('.'))
        });
        let tasks = counted(overdue, "task");
        lines.push(format!(
            "Owed: {tasks} overdue and {waiting} open, as of {}{first}",
            read.today
        ));
    }
    if let Some(first) = read.sure_missing().first() {
        let what = short(unnumbered(&first.what), LINE_CHARS_MAX);
        let gaps = counted(read.sure_missing().len(), "gap");
        lines.push(format!(
            "Missing: {gaps}. The first of them: {}",
            what.trim_end_matches('.')
        ));
    }
    let spans = lines
        .iter()
        .filter_map(|line| builder.statement(line, &[], Nature::Calculation));
    spans.collect()
}
