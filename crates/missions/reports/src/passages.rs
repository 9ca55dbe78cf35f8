//! The citable passages of sources: sentences and table rows, with what stands above them.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::{Evidence, Source};

use crate::builder::document_of;
use crate::text::{content, plain};

/// Passages read of all sources together.
const PASSAGES_MAX: usize = 20_000;
const HEADING_CHARS_MAX: usize = 90;
/// However rare, one word does not outweigh all others.
const WEIGHT_MAX: f64 = 3.0;
/// How much a word counts that only stands above a passage.
const CONTEXT_WEIGHT: f64 = 0.5;

/// Leaves out documents on something else of the same kind, which what is asked about is not named in.
pub(crate) fn keep_to_the_subject(objective: &str, sources: &mut Vec<Source>) {
    let left_out = adjutant_rule_answers::sources_on_rivals(objective, sources);
    let mut at = 0;
    sources.retain(|_| {
        at += 1;
        !left_out.contains(&(at - 1))
    });
}

/// A sentence or a row.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) source: usize,
    /// Letter for letter, apart from line ends.
    pub(crate) text: String,
    /// The heading above it and, for a row, the table's headings.
    pub(crate) context: String,
    pub(crate) row: bool,
    words: BTreeSet<String>,
    context_words: BTreeSet<String>,
}

/// All passages of some sources, searchable by words; rare words count more.
pub(crate) struct Passages<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) all: Vec<Piece>,
    counts: BTreeMap<String, usize>,
}

impl<'a> Passages<'a> {
    pub(crate) fn of(sources: &'a [Source]) -> Self {
        let mut all = Vec::new();
        for (at, source) in sources.iter().enumerate() {
            of_source(at, source, &mut all);
            all.truncate(PASSAGES_MAX);
        }
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for word in all.iter().flat_map(|piece| &piece.words) {
            *counts.entry(word.clone()).or_default() += 1;
        }
        Self {
            sources,
            all,
            counts,
        }
    }

    fn weight(&self, word: &str) -> f64 {
        // What stands nowhere tells nothing of how rare it is.
        let Some(count) = self.counts.get(word) else {
            return 1.0;
        };
        let among = self.all.len() as f64;
        (1.0 + (among / *count as f64).ln()).clamp(1.0, WEIGHT_MAX)
    }

    /// From 0 to 1: how much of what is asked a passage has.
    pub(crate) fn relevance(&self, asked: &BTreeSet<String>, piece: &Piece) -> f64 {
        let mut whole = 0.0;
        let mut has = 0.0;
        for word in asked {
            let weight = self.weight(word);
            whole += weight;
            if piece.words.contains(word) {
                has += weight;
            } else if piece.context_words.contains(word) {
                has += weight * CONTEXT_WEIGHT;
            }
        }
        if whole > 0.0 { has / whole } else { 0.0 }
    }

    /// How many of the asked words stand in the passage itself.
    pub(crate) fn shared(asked: &BTreeSet<String>, piece: &Piece) -> usize {
        asked.intersection(&piece.words).count()
    }

    /// How many documents have the word.
    pub(crate) fn documents_with(&self, word: &str) -> usize {
        let having = self.all.iter().filter(|piece| piece.words.contains(word));
        let documents = having.filter_map(|piece| self.sources.get(piece.source));
        let documents: BTreeSet<&str> = documents.map(|source| document_of(&source.id)).collect();
        documents.len()
    }

    pub(crate) fn evidence(&self, piece: &Piece) -> Evidence {
        let id = self
            .sources
            .get(piece.source)
            .map(|source| source.id.clone());
        Evidence {
            source: id.unwrap_or_default(),
            quote: piece.text.clone(),
        }
    }

    pub(crate) fn published(&self, piece: &Piece) -> Option<&'a str> {
        self.sources.get(piece.source)?.published.as_deref()
    }
}

fn of_source(at: usize, source: &Source, all: &mut Vec<Piece>) {
    let mut heading = String::new();
    let mut headings = String::new();
    let mut prose: Vec<&str> = Vec::new();
    for line in source.text.lines().chain([""]) {
        let bare = line.trim();
        let row = is_row(bare);
        if bare.is_empty() || row || is_heading(bare) {
            push_prose(at, &prose, &heading, all);
            prose.clear();
        }
        if row {
            if headings.is_empty() {
                headings = plain(&bare.replace('|', " "));
            }
            if !bare.chars().all(|char| "|-: ".contains(char)) {
                let context = format!("{heading} {headings}");
                push(at, bare, &context, true, all);
            }
            continue;
        }
        headings.clear();
        if bare.is_empty() {
            continue;
        }
        if is_heading(bare) {
            heading = plain(bare.trim_start_matches('#'));
            // A heading may be cited too: some say what a table is about.
            push(at, bare.trim_start_matches(['#', ' ']), "", false, all);
        } else {
            prose.push(line);
        }
    }
    push_prose(at, &prose, &heading, all);
}

fn is_row(line: &str) -> bool {
    let commas = line.matches(',').count();
    line.contains(" | ") || line.starts_with('|') || (commas >= 3 && !line.contains(", "))
}

fn is_heading(line: &str) -> bool {
    let short = line.chars().count() <= HEADING_CHARS_MAX;
    let ended = line.ends_with(['.', ',', ';', ':', '?', '!']);
    let numbered = line.starts_with(|char: char| char.is_ascii_digit());
    let shouted = line.chars().any(char::is_alphabetic) && !line.chars().any(char::is_lowercase);
    line.starts_with('#') || (short && !ended && (numbered || shouted))
}

fn push_prose(at: usize, lines: &[&str], heading: &str, all: &mut Vec<Piece>) {
    let text = lines.join("\n");
    for range in adjutant_rule_answers::sentences(&text) {
        let said = text[range].trim_start_matches(['-', '*', '•', ' ']);
        push(at, said, heading, false, all);
    }
}

fn push(source: usize, text: &str, context: &str, row: bool, all: &mut Vec<Piece>) {
    let text = plain(text);
    if text.is_empty() {
        return;
    }
    let mut words = content(&text);
    if text.contains("CI ") {
        words.extend(content("confidence interval"));
    }
    all.push(Piece {
        source,
        words,
        context_words: content(context),
        context: context.to_owned(),
        text,
        row,
    });
}
