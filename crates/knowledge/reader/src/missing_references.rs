//! References to attachments, annexes, figures, tables and files that are not among the documents.

use std::collections::HashSet;
use std::ops::Range;

use adjutant_knowledge_index::DocumentKind;

use crate::gaps::{Gap, GapKind};
use crate::reading::Reading;
use crate::statement::StatementForm;
use crate::tokens::{Token, tokens};

/// Things with a number or letter that stand at the end of a document or beside it.
const LABELLED: &[&str] = &[
    "annex",
    "appendix",
    "attachment",
    "enclosure",
    "exhibit",
    "figure",
    "table",
    "schedule",
    "addendum",
    "amendment",
    "supplement",
];
/// Ends of file names.
const ENDINGS: &[&str] = &[
    "pdf", "docx", "doc", "xlsx", "xls", "csv", "pptx", "ppt", "zip", "txt", "png", "jpg", "jpeg",
    "eml", "odt", "html", "md", "json", "xml",
];
/// Words for what a reader is sent to.
const WRITINGS: &[&str] = &[
    "annex",
    "appendix",
    "charter",
    "file",
    "form",
    "letter",
    "list",
    "listing",
    "manual",
    "memo",
    "narrative",
    "note",
    "paper",
    "plan",
    "protocol",
    "register",
    "report",
    "sheet",
    "spreadsheet",
    "summary",
    "attachment",
    "enclosure",
    "photograph",
    "drawing",
    "map",
];
/// Words for what has a code of its own.
const CODED: &[&str] = &[
    "report",
    "policy",
    "procedure",
    "protocol",
    "memo",
    "letter",
    "certificate",
    "contract",
    "agreement",
    "plan",
    "manual",
    "specification",
    "guideline",
    "standard",
    "form",
    "opinion",
    "review",
    "assessment",
];
const BEGINNING_BYTES: usize = 900;
const HEAD_WORDS: usize = 3;
const CODE: f64 = 2.3;
const NAMED_FILE: f64 = 3.0;
const LABEL: f64 = 2.5;
const ATTACHED: f64 = 2.5;
const SEE: f64 = 2.2;
/// What `see` gains for a thing that is said to be elsewhere.
const ELSEWHERE: &[&str] = &["separate", "separately", "attached", "enclosed"];
/// A title with this share of the words is the document that is meant.
const SAME_WRITING: f64 = 0.5;

impl Reading<'_> {
    pub(crate) fn missing_references(&self) -> Vec<Gap> {
        let there = self.labels_that_are_there();
        let files: HashSet<String> = self
            .given
            .iter()
            .map(|one| file_of(one.name).to_lowercase())
            .collect();
        let codes = self.codes_that_are_there();
        let mut found = Vec::new();
        for at in 0..self.statements.len() {
            let text = self.text(at);
            if text.starts_with('>') || text.starts_with("Attachment:") {
                continue;
            }
            let all = tokens(text);
            found.extend(self.files_named(at, text, &files));
            found.extend(self.labels_named(at, text, &all, &there));
            if self.statements[at].form != StatementForm::Row {
                found.extend(self.attached(at, text, &all));
                found.extend(self.sent_to(at, text, &all));
                found.extend(self.coded(at, text, &codes));
            }
        }
        found
    }

    fn gap(&self, at: usize, own: Range<usize>, score: f64) -> Gap {
        let start = self.statements[at].span.start;
        Gap {
            kind: GapKind::Reference,
            what: start + own.start..start + own.end,
            statements: vec![at],
            score,
        }
    }

    /// `counts.xlsx`, where no document and no attachment has this name.
    fn files_named(&self, at: usize, text: &str, files: &HashSet<String>) -> Vec<Gap> {
        let document = self.statements[at].document;
        let mut found = Vec::new();
        for word in text.split(|char: char| {
            char.is_whitespace()
                || matches!(
                    char,
                    '"' | '(' | ')' | ',' | ';' | '`' | '<' | '>' | '[' | ']' | '“' | '”'
                )
        }) {
            let bare = word
                .trim_end_matches(['.', ':', '*', '\''])
                .trim_start_matches(['*', '\'']);
            let Some((stem, ending)) = bare.rsplit_once('.') else {
                continue;
            };
            let is_file = ENDINGS.contains(&ending.to_lowercase().as_str())
                && stem.len() > 2
                && !bare.contains("://")
                && !bare.contains('@')
                && !stem.starts_with("www");
            let small = file_of(bare).to_lowercase();
            let is_attached = self.given[document]
                .document
                .text
                .contains(&format!("Attachment: {bare}"));
            if is_file && !files.contains(&small) && !is_attached {
                let start = bare.as_ptr() as usize - text.as_ptr() as usize;
                found.push(self.gap(at, start..start + bare.len(), NAMED_FILE));
            }
        }
        found
    }

    /// `Annex 3`, where nothing that is called so begins anywhere.
    fn labels_named(&self, at: usize, text: &str, all: &[Token], there: &Labels) -> Vec<Gap> {
        let document = self.statements[at].document;
        let mut found = Vec::new();
        for (label, span) in labels(text, all) {
            // The thing itself, or its caption.
            if span.start <= 3 && !is_announced(&text[span.end..]) {
                continue;
            }
            let elsewhere = there.titles.contains(&label);
            if !there.inside.contains(&(document, label)) && !elsewhere {
                found.push(self.gap(at, span, LABEL));
            }
        }
        found
    }

    /// `report QX-2021-04`, where no document begins with this code.
    fn coded(&self, at: usize, text: &str, there: &HashSet<String>) -> Option<Gap> {
        let mut before = "";
        for word in text.split_whitespace() {
            let code = bare_code(word);
            let is_writing = CODED.contains(
                &before
                    .to_lowercase()
                    .trim_matches(|char: char| !char.is_alphanumeric()),
            );
            before = word;
            if is_writing && is_code(code) && !there.contains(code) {
                let start = code.as_ptr() as usize - text.as_ptr() as usize;
                return Some(self.gap(at, start..start + code.len(), CODE));
            }
        }
        None
    }

    /// The codes that titles, file names and beginnings of documents have.
    fn codes_that_are_there(&self) -> HashSet<String> {
        let mut there = HashSet::new();
        for one in &self.given {
            let text = &one.document.text;
            let beginning = &text[..text.floor_char_boundary(BEGINNING_BYTES)];
            let file = file_of(one.name).to_uppercase();
            let title = one.document.title.as_deref().unwrap_or_default();
            // A document's own code stands at the beginning of a line, another's in a sentence.
            let heads = beginning
                .lines()
                .flat_map(|line| line.split_whitespace().take(HEAD_WORDS));
            let words = heads.chain(title.split_whitespace());
            there.extend(
                words
                    .map(bare_code)
                    .filter(|code| is_code(code))
                    .map(str::to_owned),
            );
            let pieces: Vec<&str> = file.split(['-', '_', '.', ' ']).collect();
            for from in 0..pieces.len() {
                there.extend(
                    (from + 1..=pieces.len().min(from + 4)).map(|to| pieces[from..to].join("-")),
                );
            }
        }
        there
    }

    /// What headings, captions, titles and file names are called.
    fn labels_that_are_there(&self) -> Labels {
        let mut there = Labels::default();
        for (number, one) in self.given.iter().enumerate() {
            let file = file_of(one.name).replace(['-', '_', '.'], " ");
            for text in [
                file.as_str(),
                one.document.title.as_deref().unwrap_or_default(),
            ] {
                there.titles.extend(
                    labels(text, &tokens(text))
                        .into_iter()
                        .map(|(label, _)| label),
                );
            }
            for part in &one.document.parts {
                let range = part.span.start as usize..part.span.end as usize;
                let text = one.document.text.get(range).unwrap_or_default();
                for line in text.lines() {
                    let words: Vec<Token> = tokens(line).into_iter().take(3).collect();
                    let first = labels(line, &words)
                        .into_iter()
                        .find(|(_, span)| span.start <= 3);
                    if let Some((label, _)) =
                        first.filter(|(_, span)| !is_announced(&line[span.end..]))
                    {
                        there.inside.insert((number, label));
                    }
                }
            }
        }
        there
    }

    /// `please find attached the list`, in a mail without an attachment.
    fn attached(&self, at: usize, text: &str, all: &[Token]) -> Option<Gap> {
        let document = &self.given[self.statements[at].document].document;
        let says = all.iter().any(|word| {
            matches!(
                word.small.as_str(),
                "attached" | "enclosed" | "enclose" | "attach"
            )
        });
        let is_denied = all
            .iter()
            .any(|word| matches!(word.small.as_str(), "not" | "be" | "if" | "will"));
        let has = document.text.contains("Attachment: ");
        let is_mail = document.kind == DocumentKind::Email;
        (says && is_mail && !has && !is_denied).then(|| self.gap(at, 0..text.len(), ATTACHED))
    }

    /// `see the separate narrative`, where no document has such a title.
    fn sent_to(&self, at: usize, text: &str, all: &[Token]) -> Option<Gap> {
        let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
        let see = (0..all.len()).find(|at| {
            small(*at) == "see"
                && matches!(
                    small(at + 1),
                    "the" | "attached" | "separate" | "enclosed" | "also"
                )
        })?;
        let rest = &all[see + 1..];
        let end = rest
            .iter()
            .position(|word| text[word.span.end..].starts_with(['.', ',', ';', ')', ':']))
            .map_or(rest.len(), |last| last + 1);
        let rest = &rest[..end];
        let last = rest
            .iter()
            .rposition(|word| WRITINGS.contains(&word.small.as_str()))?;
        let own = rest[0].span.start..rest[last].span.end;
        let start = self.statements[at].span.start;
        let act = self.act(
            self.statements[at].document,
            &(start + own.start..start + own.end),
            "separate attached enclosed",
        );
        let is_there = (0..self.given.len()).any(|document| {
            let held = act
                .terms
                .iter()
                .filter(|(term, _)| self.titles[document].binary_search(term).is_ok());
            held.map(|(_, weight)| weight).sum::<f64>() >= SAME_WRITING * act.total
        });
        let apart = rest
            .iter()
            .any(|word| ELSEWHERE.contains(&word.small.as_str()));
        let score = SEE + if apart { 0.5 } else { 0.0 };
        (!is_there && !act.terms.is_empty()).then(|| self.gap(at, own, score))
    }
}

#[derive(Default)]
struct Labels {
    /// In which document.
    inside: HashSet<(usize, String)>,
    titles: HashSet<String>,
}

fn bare_code(word: &str) -> &str {
    word.trim_matches(|char: char| !char.is_alphanumeric())
}

/// `QX-2021-04`: capitals, a hyphen and digits.
fn is_code(word: &str) -> bool {
    let has = |is: fn(&char) -> bool| word.chars().any(|char| is(&char));
    word.len() >= 4
        && word.contains('-')
        && word.starts_with(|char: char| char.is_ascii_uppercase())
        && has(char::is_ascii_digit)
        && word
            .chars()
            .all(|char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '-')
}

fn file_of(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// `annex 3`, `table 2.1`, `appendix b`, and where they stand.
fn labels(text: &str, all: &[Token]) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    for two in all.windows(2) {
        let is_label = LABELLED.contains(&two[0].small.as_str())
            && text[two[0].span.end..two[1].span.start].trim().is_empty();
        let written = &text[two[1].span.clone()];
        let is_number =
            written.starts_with(|char: char| char.is_ascii_digit()) && written.len() <= 4;
        let is_letter =
            written.len() == 1 && written.starts_with(|char: char| char.is_ascii_uppercase());
        if is_label && (is_number || is_letter) {
            found.push((
                format!("{} {}", two[0].small, two[1].small),
                two[0].span.start..two[1].span.end,
            ));
        }
    }
    found
}

/// `Annex 3 will follow`: named at the beginning, and not there.
fn is_announced(rest: &str) -> bool {
    tokens(rest)
        .iter()
        .take(8)
        .any(|word| matches!(word.small.as_str(), "will" | "follows" | "missing" | "not"))
}
