//! What the heads of its sections say of the kind of a document. One head alone says nothing: every kind has an introduction.

use adjutant_knowledge_index::{Document, Form};

use crate::genre::Genre;
use crate::words::words;

const HEADS: &[(Genre, &[&str])] = &[
    (
        Genre::Minutes,
        &[
            "agenda",
            "present",
            "attendees",
            "apologies",
            "action items",
            "decisions",
            "any other business",
        ],
    ),
    (
        Genre::Contract,
        &[
            "definitions",
            "parties",
            "payment",
            "liability",
            "termination",
            "governing law",
        ],
    ),
    (
        Genre::Policy,
        &[
            "purpose",
            "scope",
            "responsibilities",
            "exceptions",
            "procedure",
            "steps",
        ],
    ),
    (
        Genre::Protocol,
        &[
            "objectives",
            "study design",
            "test design",
            "acceptance criteria",
        ],
    ),
    (
        Genre::Report,
        &[
            "executive summary",
            "methods",
            "results",
            "findings",
            "discussion",
            "conclusion",
            "conclusions",
            "recommendations",
            "root cause",
        ],
    ),
];
/// Only instructions have these.
const INSTRUCTIONS: &[&str] = &["before you begin", "before you start"];
/// So many different heads of one kind name it.
const HEADS_MIN: usize = 2;
/// So many numbered articles or sections, with as many duties in the text, are a law or a contract.
const ARTICLES_MIN: usize = 2;
/// The longest label before a colon, such as `Present:`.
const LABEL_BYTES_MAX: usize = 24;

pub(crate) fn from_sections(document: &Document) -> Option<Genre> {
    let heads = heads(document);
    let articles = heads.iter().filter(|head| is_article(head)).count();
    let small = document.text.to_lowercase();
    let count = |wanted: &str| {
        let mut all = words(&small);
        all.retain(|word| &small[word.clone()] == wanted);
        all.len()
    };
    if articles >= ARTICLES_MIN && count("shall") >= ARTICLES_MIN {
        let parties = count("party") + count("parties") >= ARTICLES_MIN;
        return Some(if parties { Genre::Contract } else { Genre::Law });
    }
    let has = |wanted: &str| heads.iter().any(|head| head == wanted);
    if has("abstract") && (has("methods") || has("results")) {
        return Some(Genre::Article);
    }
    if INSTRUCTIONS.iter().any(|head| has(head)) {
        return Some(Genre::Policy);
    }
    let mut best = None;
    let mut most = HEADS_MIN - 1;
    for (genre, list) in HEADS {
        let count = list.iter().filter(|head| has(head)).count();
        if count > most {
            most = count;
            best = Some(*genre);
        }
    }
    best
}

/// `article 1 subject`, `section 2`.
fn is_article(head: &str) -> bool {
    let mut words = head.split(' ');
    matches!(words.next(), Some("article" | "section" | "§"))
        && words
            .next()
            .is_some_and(|next| next.starts_with(|char: char| char.is_ascii_digit()))
}

/// Headings, labels before a colon and lines in capitals, in lower case and without the numbers before them.
fn heads(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    for part in &document.parts {
        let range = part.span.start as usize..part.span.end as usize;
        let text = document.text.get(range).unwrap_or_default();
        match part.form {
            Form::Heading(_) => found.push(plain(text)),
            Form::Paragraph | Form::ListItem => {
                for line in text.lines() {
                    let label = line.split_once(':').map(|(label, _)| label);
                    if let Some(label) = label.filter(|label| label.len() <= LABEL_BYTES_MAX) {
                        found.push(plain(label));
                    } else if !line.contains(char::is_lowercase) || is_article(&plain(line)) {
                        found.push(plain(line));
                    }
                }
            }
            Form::RowHead | Form::Row | Form::Code => {}
        }
    }
    found
}

fn plain(text: &str) -> String {
    let small = text.to_lowercase();
    let words: Vec<&str> = words(&small).into_iter().map(|word| &small[word]).collect();
    let numbered = |word: &&str| word.contains(|char: char| char.is_ascii_digit());
    let first = words.iter().position(|word| !numbered(word));
    words[first.unwrap_or(words.len())..].join(" ")
}
