//! Risks and scores out of texts: rows of registers, tables of scores, sentences.

use regex::Regex;

use adjutant_questions::{Evidence, Source};

use super::{Fmea, scales};
use crate::cited_text::CitedText;
use crate::passages::Passages;
use crate::pattern::Pattern;
use crate::tables::{Table, TableRow, tables};
use crate::text::{content, number, plain, short};

/// Sentences that name a risk and are read as rows.
const SENTENCES_MAX: usize = 12;
/// How much of the objective a sentence must have.
const RELEVANCE_MIN: f64 = 0.15;
const RISK_CHARS_MAX: usize = 220;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Severity,
    Occurrence,
    Detection,
}

impl Which {
    const ALL: [Self; 3] = [Self::Severity, Self::Occurrence, Self::Detection];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Severity => "severity",
            Self::Occurrence => "occurrence",
            Self::Detection => "detection",
        }
    }

    fn heads(self, heading: &str) -> bool {
        let names: &[&str] = match self {
            Self::Severity => &["severity", "s", "impact"],
            Self::Occurrence => &["occurrence", "o", "likelihood", "probability"],
            Self::Detection => &["detection", "d", "detectability"],
        };
        names.contains(&heading)
    }
}

/// A risk as far as it is told.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) id: Option<String>,
    pub(super) risk: CitedText,
    pub(super) effect: Option<CitedText>,
    pub(super) cause: Option<CitedText>,
    pub(super) controls: Option<CitedText>,
    pub(super) frequency: Option<CitedText>,
}

impl Entry {
    /// Whether a score that names its risk so is this one's.
    pub(super) fn is(&self, name: &str) -> bool {
        self.id.as_deref().unwrap_or(&self.risk.text) == name
    }
}

/// A score that a source gives.
#[derive(Debug, Clone)]
pub(super) struct Stated {
    pub(super) of: String,
    pub(super) which: Which,
    pub(super) value: u8,
    pub(super) evidence: Vec<Evidence>,
    pub(super) published: Option<String>,
    pub(super) in_prose: bool,
}

/// A rating in words.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub(super) of: String,
    pub(super) which: Which,
    pub(super) word: String,
    pub(super) value: u8,
    pub(super) evidence: Vec<Evidence>,
}

#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) entries: Vec<Entry>,
    pub(super) stated: Vec<Stated>,
    pub(super) levels: Vec<Level>,
}

/// Oldest sources first, so that the newest word on a risk is the last one.
pub(super) fn read(request: &Fmea) -> Read {
    let mut sources: Vec<&Source> = request.sources.iter().collect();
    sources.sort_by(|a, b| a.published.cmp(&b.published));
    let mut read = Read::default();
    for source in &sources {
        for table in tables(&source.text) {
            of_table(source, &table, &mut read);
        }
    }
    for source in &sources {
        of_prose(source, &mut read);
    }
    named_in_sentences(request, &mut read);
    read
}

struct Columns {
    id: Option<usize>,
    risk: Option<usize>,
    effect: Option<usize>,
    cause: Option<usize>,
    controls: Option<usize>,
    frequency: Option<usize>,
    scores: [Option<usize>; 3],
}

impl Columns {
    fn of(table: &Table) -> Self {
        let has = |words: &[&str]| table.column(|at| words.iter().any(|word| at.contains(word)));
        Self {
            id: table.column(|at| {
                ["id", "no", "nr", "ref", "number"].contains(&at.trim_end_matches('.'))
            }),
            risk: table.column(|at| {
                at == "risk"
                    || at.contains("failure mode")
                    || at.contains("hazard")
                    || at == "failure"
            }),
            effect: has(&["effect", "consequence"]),
            cause: has(&["cause"]),
            controls: has(&[
                "control",
                "mitigation",
                "measure",
                "noticed",
                "how it would",
            ]),
            frequency: has(&["frequency", "how often"]),
            scores: Which::ALL.map(|which| table.column(|at| which.heads(at))),
        }
    }
}

fn of_table(source: &Source, table: &Table, read: &mut Read) {
    let columns = Columns::of(table);
    let scored = columns.scores.iter().filter(|at| at.is_some()).count();
    if columns.risk.is_none() && (columns.id.is_none() || scored < 2) {
        return;
    }
    for row in &table.rows {
        let evidence = vec![Evidence {
            source: source.id.clone(),
            quote: row.line.clone(),
        }];
        let id = row.cell(columns.id).map(str::to_owned);
        let Some(name) = id.clone().or_else(|| row.cell(columns.risk).map(plain)) else {
            continue;
        };
        scores(source, &columns, row, &name, &evidence, read);
        let Some(risk) = row.cell(columns.risk) else {
            continue;
        };
        let said = |at: Option<usize>| {
            row.cell(at).map(|text| CitedText {
                text: plain(text),
                evidence: evidence.clone(),
            })
        };
        merge(
            &mut read.entries,
            Entry {
                id,
                risk: CitedText {
                    text: plain(risk),
                    evidence: evidence.clone(),
                },
                effect: said(columns.effect),
                cause: said(columns.cause),
                controls: said(columns.controls),
                frequency: said(columns.frequency),
            },
        );
    }
}

/// A newer row of the same id replaces what it tells and keeps the rest. Bare numbers are no ids across registers.
fn merge(entries: &mut Vec<Entry>, new: Entry) {
    let lettered = new
        .id
        .as_deref()
        .is_some_and(|id| id.chars().any(char::is_alphabetic));
    let known = entries
        .iter_mut()
        .find(|entry| lettered && entry.id == new.id);
    let Some(known) = known else {
        entries.push(new);
        return;
    };
    known.risk = new.risk;
    known.effect = new.effect.or(known.effect.take());
    known.cause = new.cause.or(known.cause.take());
    known.controls = new.controls.or(known.controls.take());
    known.frequency = new.frequency.or(known.frequency.take());
}

fn scores(
    source: &Source,
    columns: &Columns,
    row: &TableRow,
    name: &str,
    evidence: &[Evidence],
    read: &mut Read,
) {
    for (which, column) in Which::ALL.into_iter().zip(columns.scores) {
        let Some(cell) = row.cell(column) else {
            continue;
        };
        if let Some(value) = score(cell) {
            read.stated.push(Stated {
                of: name.to_owned(),
                which,
                value,
                evidence: evidence.to_vec(),
                published: source.published.clone(),
                in_prose: false,
            });
        } else if let Some(value) = scales::level(cell) {
            read.levels.push(Level {
                of: name.to_owned(),
                which,
                word: plain(cell),
                value,
                evidence: evidence.to_vec(),
            });
        }
    }
}

fn score(text: &str) -> Option<u8> {
    let value = number(text)?;
    let whole = value.fract() == 0.0 && (1.0..=10.0).contains(&value);
    whole.then_some(value as u8)
}

static ID: Pattern = Pattern::new(|| Regex::new(r"\b[A-Z]{1,4}-\d{1,4}\b"));
static NAMED: Pattern = Pattern::new(|| {
    Regex::new(
        r"(?i)\b(severity|occurrence|detection)(?:\s+score)?\s*(?:of|is|was|to|at|:|=)?\s*(\d{1,2})\b",
    )
});
static LETTERED: Pattern = Pattern::new(|| Regex::new(r"\b([SOD])\s*[:=]?\s*(\d{1,2})\b"));

/// Scores in sentences belong to the risk that the sentence, or the one before it, names; else to the sentence.
fn of_prose(source: &Source, read: &mut Read) {
    let mut last: Option<String> = None;
    for range in adjutant_rule_answers::sentences(&source.text) {
        let text = &source.text[range];
        if text.contains('|') {
            last = None;
            continue;
        }
        let named = ID.find(text).map(|at| at.as_str().to_owned());
        let found = scores_in(text);
        if !found.is_empty() {
            let evidence = vec![Evidence {
                source: source.id.clone(),
                quote: text.to_owned(),
            }];
            let of = named
                .clone()
                .or_else(|| last.clone())
                .unwrap_or_else(|| short(text, RISK_CHARS_MAX));
            let known = read.entries.iter().any(|entry| entry.is(&of));
            if !known && found.len() == 3 {
                read.entries
                    .push(sentence_entry(of.clone(), evidence.clone()));
            }
            for (which, value) in found {
                read.stated.push(Stated {
                    of: of.clone(),
                    which,
                    value,
                    evidence: evidence.clone(),
                    published: source.published.clone(),
                    in_prose: true,
                });
            }
        }
        last = named;
    }
}

fn scores_in(text: &str) -> Vec<(Which, u8)> {
    let mut found: Vec<(Which, u8)> = Vec::new();
    let mut add = |name: &str, value: &str| {
        let which = match name.to_lowercase().chars().next() {
            Some('s') => Which::Severity,
            Some('o') => Which::Occurrence,
            _ => Which::Detection,
        };
        if let Some(value) = score(value)
            && !found.iter().any(|(known, _)| *known == which)
        {
            found.push((which, value));
        }
    };
    let part = |found: &regex::Captures<'_>, nth: usize| {
        found
            .get(nth)
            .map(|at| at.as_str().to_owned())
            .unwrap_or_default()
    };
    for at in NAMED.captures_all(text) {
        add(&part(&at, 1), &part(&at, 2));
    }
    let lettered = LETTERED.captures_all(text);
    if lettered.len() >= 3 {
        for at in lettered {
            add(&part(&at, 1), &part(&at, 2));
        }
    }
    found
}

fn sentence_entry(text: String, evidence: Vec<Evidence>) -> Entry {
    let said = CitedText { text, evidence };
    Entry {
        id: None,
        effect: Some(said.clone()),
        frequency: Some(said.clone()),
        cause: None,
        controls: None,
        risk: said,
    }
}

static RISK: Pattern = Pattern::new(|| {
    Regex::new(
        r"(?i)\b(risks? (?:of|that)|may fail|could fail|failed|out of (?:range|order|tolerance)|breach|shortage|hazard|cannot be excluded|exhausted|interrupted|not acceptable|high risk|at risk)\b",
    )
});

#[cfg(test)]
pub(crate) const PATTERNS: &[&Pattern] = &[&ID, &NAMED, &LETTERED, &RISK];

/// Findings and sentences on the objective that name a risk, as rows of their own.
fn named_in_sentences(request: &Fmea, read: &mut Read) {
    let passages = Passages::of(&request.sources);
    let asked = content(&request.objective);
    let mut found: Vec<(f64, Entry)> = Vec::new();
    for finding in &request.findings {
        if RISK.matches(&finding.text) && !finding.evidence.is_empty() {
            let text = short(&finding.text, RISK_CHARS_MAX);
            found.push((
                1.0 + finding.confidence,
                sentence_entry(text, finding.evidence.clone()),
            ));
        }
    }
    for piece in passages
        .all
        .iter()
        .filter(|piece| !piece.row && RISK.matches(&piece.text))
    {
        let relevance = passages.relevance(&asked, piece);
        if relevance >= RELEVANCE_MIN {
            let text = short(&piece.text, RISK_CHARS_MAX);
            found.push((
                relevance,
                sentence_entry(text, vec![passages.evidence(piece)]),
            ));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let known = |entries: &[Entry], text: &str| entries.iter().any(|entry| entry.risk.text == text);
    for (_, entry) in found.into_iter().take(SENTENCES_MAX) {
        if !known(&read.entries, &entry.risk.text) {
            read.entries.push(entry);
        }
    }
}
