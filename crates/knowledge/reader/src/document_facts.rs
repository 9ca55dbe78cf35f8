//! The date and version of a document, and whether a later document replaces it.

use std::ops::Range;

use adjutant_knowledge_index::{Document, DocumentKind, Form};
use adjutant_text::dates::Date;
use adjutant_text::sentences::sentences;

use crate::genre::{Genre, genre};
use crate::reading::Given;
use crate::values::{Value, values};
use crate::words::{is_stop_word, stemmed, words};

/// Whether a document still holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Current,
    /// By the document with this number.
    ReplacedBy(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFacts {
    pub date: Option<Date>,
    /// `2.1` is 2, 1.
    pub version: Option<Vec<u32>>,
    pub is_draft: bool,
    /// It changes another document: an amendment, an addendum, a correction.
    pub is_amendment: bool,
    pub standing: Standing,
    pub genre: Genre,
    /// The file's name without its version and date, or its folder if nothing is left.
    family: String,
    pub(crate) is_kept_up: bool,
    named_by_date: bool,
}

/// Documents of these kinds are kept up to date, so a later date replaces an earlier one.
const KEPT_UP: &[&str] = &[
    "architecture",
    "budget",
    "forecast",
    "guide",
    "handbook",
    "law",
    "manual",
    "plan",
    "policy",
    "protocol",
    "register",
    "regulation",
    "requirements",
    "rules",
    "runbook",
    "schedule",
    "specification",
    "standard",
    "tracker",
];
/// Documents of these kinds report one occasion, so those of two dates are both valid.
const OCCASIONS: &[&str] = &[
    "audit", "chat", "letter", "log", "memo", "minutes", "news", "notes", "notice", "press",
    "report", "review",
];
/// Documents that change another are called so.
const AMENDMENTS: &[&str] = &[
    "amendment",
    "addendum",
    "corrigendum",
    "erratum",
    "errata",
    "correction",
    "corrections",
    "variation",
];
/// Words in file names that distinguish versions of one document.
const STATES: &[&str] = &[
    "draft",
    "final",
    "revised",
    "updated",
    "corrected",
    "signed",
    "amended",
    "old",
    "new",
    "rev",
    "version",
    "ver",
    "v",
];
/// How much of a document's beginning says what it is.
const BEGINNING_CHARS: usize = 900;
/// How many letters may stand beside a date that is a line by itself.
const BESIDE_A_DATE: usize = 20;
/// Which share of a title a sentence must have to mean that document, if it has its date too, and if it has none.
const DATED_SHARE: f64 = 0.4;
const TITLE_SHARE: f64 = 0.8;

impl DocumentFacts {
    /// Whether their files are named alike but for dates and versions.
    pub(crate) fn is_same_series(&self, other: &Self) -> bool {
        !self.family.is_empty() && self.family == other.family
    }
}

pub(crate) fn facts(given: &[Given<'_>]) -> Vec<DocumentFacts> {
    let mut all: Vec<DocumentFacts> = given.iter().map(of_one).collect();
    for own in 0..all.len() {
        let later = (0..all.len())
            .filter(|other| *other != own && replaces(&all[*other], &all[own]))
            .max_by(|a, b| order(&all[*a], &all[*b]));
        if let Some(later) = later {
            all[own].standing = Standing::ReplacedBy(later);
        }
    }
    for other in 0..all.len() {
        for (own, later) in said_to_replace(given, &all, other) {
            if all[own].standing == Standing::Current {
                all[own].standing = Standing::ReplacedBy(later);
            }
        }
    }
    all
}

/// Which document is replaced by which, as the beginning of this one says.
fn said_to_replace(given: &[Given<'_>], all: &[DocumentFacts], of: usize) -> Vec<(usize, usize)> {
    let beginning = beginning(given[of].document);
    let mut found = Vec::new();
    for sentence in sentences(&beginning) {
        let sentence = &beginning[sentence];
        let small = sentence.to_lowercase();
        let says = |word: &str| small.contains(word);
        if !says("replace") && !says("supersede") {
            continue;
        }
        let is_later = !says("replaced by") && !says("superseded by");
        let Some(named) = named_behind(sentence) else {
            continue;
        };
        let small = named.to_lowercase();
        let dates: Vec<Date> = values(named)
            .into_iter()
            .filter_map(|at| match at.value {
                Value::Day(date) => Some(date),
                _ => None,
            })
            .collect();
        let stems: Vec<String> = words(&small)
            .into_iter()
            .map(|word| stemmed(&small[word]))
            .collect();
        for other in (0..all.len()).filter(|other| *other != of) {
            let own_date = all[other].date;
            let dated = own_date.is_some_and(|own| dates.iter().any(|date| own.is_within(*date)));
            let undated = dates.is_empty() || own_date.is_none();
            let share = shared(given[other], &stems);
            // A report that follows a ruling, or an export of bids, does not replace them: only the same kind of document does.
            let is_same_kind = all[other].genre == all[of].genre;
            let is_meant = is_same_kind
                && ((dated && share >= DATED_SHARE) || (undated && share >= TITLE_SHARE));
            let before = all[other].date <= all[of].date;
            match (is_meant, is_later) {
                (true, true) if before => found.push((other, of)),
                (true, false) if !before => found.push((of, other)),
                _ => {}
            }
        }
    }
    found
}

/// Parts of documents: what replaces one of them does not replace the whole.
const PARTS: &[&str] = &[
    "annex",
    "appendix",
    "article",
    "chapter",
    "clause",
    "paragraph",
    "part",
    "point",
    "points",
    "section",
    "sections",
    "sentence",
    "table",
];
/// Words that end what a verb speaks of.
const ENDINGS: &[&str] = &[
    "after",
    "although",
    "as",
    "because",
    "following",
    "if",
    "since",
    "that",
    "when",
    "where",
    "which",
    "who",
    "while",
];

/// What is named behind "replaces", "replaced by" and the like; nothing if it is only a part of a document.
fn named_behind(sentence: &str) -> Option<&str> {
    let all = words(sentence);
    let verb = all.iter().position(|word| {
        let small = sentence[word.clone()].to_lowercase();
        small.starts_with("replac") || small.starts_with("supersed")
    })?;
    let behind = &all[verb + 1..];
    let small = |word: &Range<usize>| sentence[word.clone()].to_lowercase();
    let count = behind
        .iter()
        .take_while(|word| !ENDINGS.contains(&small(word).as_str()))
        .count();
    let named = &behind[..count];
    let first = named.iter().find(|word| !is_stop_word(&small(word)))?;
    if PARTS.contains(&small(first).as_str()) {
        return None;
    }
    Some(&sentence[named.first()?.start..named.last()?.end])
}

/// Which share of the words of a document's title these are.
fn shared(given: Given<'_>, stems: &[String]) -> f64 {
    let title = given
        .document
        .title
        .as_deref()
        .unwrap_or_default()
        .to_lowercase();
    let own: Vec<String> = words(&title)
        .into_iter()
        .filter(|word| !is_stop_word(&title[word.clone()]))
        .map(|word| stemmed(&title[word]))
        .collect();
    if own.len() < 2 {
        return 0.0;
    }
    let both = own.iter().filter(|stem| stems.contains(stem)).count();
    both as f64 / own.len() as f64
}

fn of_one(given: &Given<'_>) -> DocumentFacts {
    let document = given.document;
    let file = given.name.rsplit('/').next().unwrap_or(given.name);
    let file = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let title = document.title.as_deref().unwrap_or_default();
    let beginning = beginning(document);
    let dates = |text: &str| {
        let found = values(text).into_iter();
        let mut found = found.filter_map(|placed| match placed.value {
            Value::Day(date) => Some(date),
            _ => None,
        });
        found.next()
    };
    let stated = document.date.as_deref().and_then(Date::from_iso);
    let date = dates(file).or(stated).or_else(|| dates(title)).or_else(|| {
        beginning
            .lines()
            .filter(|line| states_a_date(line))
            .find_map(dates)
    });
    let draft = |text: &str| {
        let small = text.to_lowercase();
        words(&small)
            .into_iter()
            .any(|word| &small[word] == "draft")
    };
    let amends = |text: &str| {
        let small = text.to_lowercase();
        let mut words = words(&small).into_iter();
        words.any(|word| AMENDMENTS.contains(&&small[word]))
    };
    let (mut family, version_of_name) = family(file);
    let named_by_date = family.is_empty();
    if named_by_date {
        // Files that are named by their dates alone belong together by their folder, and none replaces another.
        let folder = given.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        family = folder.to_owned();
    }
    DocumentFacts {
        date,
        version: version_of_name
            .or_else(|| version(title))
            // What a report of one occasion speaks of may have a version; it has none itself.
            .or_else(|| version(&beginning).filter(|_| !is_occasion(file))),
        is_draft: draft(file) || draft(title),
        is_amendment: amends(file) || amends(title),
        standing: Standing::Current,
        genre: genre(given),
        family,
        is_kept_up: is_kept_up(document.kind, file),
        named_by_date,
    }
}

/// Whether a line gives the date of the document: it says so, or has hardly anything else. Other dates are those of what it
/// speaks of.
fn states_a_date(line: &str) -> bool {
    let found = values(line).into_iter();
    let dates = found.filter(|at| matches!(at.value, Value::Day(_)));
    let of_dates: usize = dates.map(|at| at.span.len()).sum();
    line.to_lowercase().starts_with("date") || line.len() <= of_dates + BESIDE_A_DATE
}

/// The first lines, without headings' marks.
fn beginning(document: &Document) -> String {
    let mut text = String::new();
    for part in &document.parts {
        if text.len() >= BEGINNING_CHARS || (part.form == Form::Row && !text.is_empty()) {
            break;
        }
        let range = part.span.start as usize..part.span.end as usize;
        text.push_str(document.text.get(range).unwrap_or_default());
        text.push('\n');
    }
    let end = text.floor_char_boundary(BEGINNING_CHARS);
    text.truncate(end);
    text
}

fn is_kept_up(kind: DocumentKind, file: &str) -> bool {
    kind != DocumentKind::Email && has_word(file, KEPT_UP) && !is_occasion(file)
}

fn is_occasion(file: &str) -> bool {
    has_word(file, OCCASIONS)
}

fn has_word(file: &str, list: &[&str]) -> bool {
    let small = file.to_lowercase().replace(['-', '_'], " ");
    let mut all = words(&small).into_iter();
    all.any(|word| list.contains(&&small[word]))
}

/// `version 1.2`, `v1.2`, `rev 3`.
fn version(text: &str) -> Option<Vec<u32>> {
    let small = text.to_lowercase();
    let all = words(&small);
    for (at, word) in all.iter().enumerate() {
        let word = &small[word.clone()];
        let glued = word.strip_prefix('v').and_then(numbers);
        if glued.is_some() {
            return glued;
        }
        if matches!(word, "version" | "rev" | "revision" | "issue") {
            let next = all
                .get(at + 1)
                .and_then(|next| numbers(&small[next.clone()]));
            if next.is_some() {
                return next;
            }
        }
    }
    None
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    let parts: Vec<u32> = text
        .split('.')
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    // A year is no version.
    parts
        .first()
        .is_some_and(|first| *first < 1000)
        .then_some(parts)
}

/// A file's name without dates, versions and states, and the version it names.
fn family(file: &str) -> (String, Option<Vec<u32>>) {
    let small = file.to_lowercase();
    let pieces: Vec<&str> = small
        .split(['-', '_', ' '])
        .filter(|piece| !piece.is_empty())
        .collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut version = None;
    let mut after_state = false;
    for piece in pieces {
        let glued = piece
            .strip_prefix('v')
            .or_else(|| piece.strip_prefix("rev"))
            .and_then(numbers);
        let digits = piece
            .chars()
            .all(|char| char.is_ascii_digit() || char == '.');
        if glued.is_some() {
            version = glued;
        } else if digits && after_state {
            version = numbers(piece);
        } else if !digits && !STATES.contains(&piece) {
            kept.push(piece);
        }
        after_state = STATES.contains(&piece);
    }
    (kept.join(" "), version)
}

fn replaces(later: &DocumentFacts, earlier: &DocumentFacts) -> bool {
    let alike = later.family == earlier.family && !later.family.is_empty();
    if !alike || later.named_by_date || earlier.named_by_date {
        return false;
    }
    let known = |of: &DocumentFacts| of.genre != Genre::Unknown;
    if known(later) && known(earlier) && later.genre != earlier.genre {
        return false;
    }
    if later.is_draft && !earlier.is_draft {
        return false;
    }
    let versions = later.version.is_some() || earlier.version.is_some() || earlier.is_draft;
    (versions || earlier.is_kept_up) && order(later, earlier).is_gt()
}

fn order(a: &DocumentFacts, b: &DocumentFacts) -> std::cmp::Ordering {
    let rank = |of: &DocumentFacts| (!of.is_draft, of.version.clone(), of.date);
    rank(a).cmp(&rank(b))
}
