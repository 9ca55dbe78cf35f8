//! Registers of risks: all rows of those in force, with what their notes and other documents say of each risk.

use std::ops::Range;

use crate::conditions::has_phrase;
use crate::document_facts::Standing;
use crate::genre::{Genre, Strength};
use crate::reading::Reading;
use crate::statement::{Statement, StatementForm};
use crate::tokens::tokens;

/// A table of risks.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskRegister {
    pub document: usize,
    pub rows: Vec<RiskRow>,
}

/// One risk, as its row tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskRow {
    pub statement: usize,
    pub code: Option<String>,
    pub name: Range<usize>,
    /// The document's own score, and the row that gives it if that is another one.
    pub score: Option<f64>,
    pub scored_in: Option<usize>,
    /// What the register notes on it besides.
    pub notes: Vec<usize>,
    /// What other documents say does not work.
    pub because: Vec<usize>,
}

const RISKS: &[&str] = &["risk", "risks", "hazard", "hazards", "threat", "threats"];
const CODES: &[&str] = &["id", "no", "nr", "code", "ref", "number"];
const SCORES: &[&str] = &["score", "product", "rating", "rpn", "points"];
/// How much of a risk's name a reason must have, and how many are told.
const ABOUT: f64 = 0.5;
const REASONS_MAX: usize = 3;
const NOTES_MAX: usize = 6;
const ROWS_MIN: usize = 3;
const NOTE_WORDS_MIN: usize = 3;

impl Reading<'_> {
    /// The registers of risks in force, each with all its rows in order of their scores.
    pub fn risk_registers(&self) -> Vec<RiskRegister> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.statements.len() {
            let own = &self.statements[at];
            let rest = self.statements[at..].iter();
            let same =
                rest.take_while(|other| other.document == own.document && other.block == own.block);
            let end = at + same.count();
            let facts = &self.facts[own.document];
            let holds = facts.standing == Standing::Current && !facts.is_draft;
            if own.form == StatementForm::Row && facts.genre == Genre::Register && holds {
                found.extend(self.register_in(at..end));
            }
            at = end;
        }
        found
    }

    fn register_in(&self, rows: Range<usize>) -> Option<RiskRegister> {
        let first = &self.statements[rows.start];
        let name = self.column(first, RISKS)?;
        let code = self.column(first, CODES);
        let score = self.column(first, SCORES);
        let cell = |at: usize, column: usize| {
            let statement = &self.statements[at];
            let value = statement.cells.get(column)?.value.clone();
            let text = self.range(statement.document, &value).trim();
            (!text.is_empty()).then_some((value, text))
        };
        let row = |at: usize| {
            let (range, _) = cell(at, name)?;
            let code = code
                .and_then(|column| cell(at, column))
                .map(|(_, text)| text.to_owned());
            let own = score
                .and_then(|column| cell(at, column))
                .and_then(|(_, text)| text.parse().ok());
            let elsewhere = match (own, &code) {
                (None, Some(code)) => self.scored_elsewhere(first.document, code),
                _ => None,
            };
            Some(RiskRow {
                statement: at,
                notes: code
                    .as_deref()
                    .map(|code| self.notes_on(first.document, code))
                    .unwrap_or_default(),
                because: self.reasons_of(at, &range, code.as_deref()),
                name: range,
                score: own.or(elsewhere.map(|(score, _)| score)),
                scored_in: elsewhere.map(|(_, at)| at),
                code,
            })
        };
        let mut rows: Vec<RiskRow> = rows.filter_map(row).collect();
        rows.sort_by(|a, b| {
            let value = |row: &RiskRow| row.score.unwrap_or(f64::MIN);
            value(b)
                .total_cmp(&value(a))
                .then(a.statement.cmp(&b.statement))
        });
        (rows.len() >= ROWS_MIN).then_some(RiskRegister {
            document: first.document,
            rows,
        })
    }

    fn column(&self, row: &Statement, list: &[&str]) -> Option<usize> {
        row.cells.iter().position(|cell| {
            let head = cell
                .head
                .as_ref()
                .map(|head| self.range(row.document, head));
            head.is_some_and(|head| has_phrase(head, list))
        })
    }

    /// A row of another document in force that gives this risk a score.
    fn scored_elsewhere(&self, register: usize, code: &str) -> Option<(f64, usize)> {
        let rows = self.statements.iter().enumerate().filter(|(_, statement)| {
            let facts = &self.facts[statement.document];
            statement.form == StatementForm::Row
                && statement.document != register
                && facts.standing == Standing::Current
                && !facts.is_draft
        });
        let scored = rows.filter_map(|(at, statement)| {
            let column = self.column(statement, SCORES)?;
            let value = statement.cells.get(column)?.value.clone();
            let is_same = statement
                .cells
                .iter()
                .any(|cell| self.range(statement.document, &cell.value).trim() == code);
            let score = self.range(statement.document, &value).trim().parse().ok()?;
            is_same.then_some((score, at))
        });
        scored.max_by_key(|(_, at)| self.facts[self.statements[*at].document].date)
    }

    /// The item of the same document that begins with the code.
    fn notes_on(&self, document: usize, code: &str) -> Vec<usize> {
        let begins = |at: usize| {
            let text = self.text(at).trim_start_matches(['*', '_', ' ']);
            let rest = text.strip_prefix(code);
            // `R-2 and R-3 were closed` is of several.
            rest.is_some_and(|rest| {
                !rest.starts_with(|char: char| char.is_alphanumeric() || char == ',')
                    && !rest.trim_start().starts_with("and ")
            })
        };
        let mut own = self.statements.iter().enumerate();
        let first = own.find(|(at, statement)| {
            statement.document == document && statement.is_prose() && begins(*at)
        });
        let Some((first, statement)) = first else {
            return Vec::new();
        };
        let behind = (first..self.statements.len()).take_while(|at| {
            let other = &self.statements[*at];
            other.document == document && other.block == statement.block
        });
        let mut notes: Vec<usize> = behind
            .filter(|at| tokens(self.text(*at)).len() >= NOTE_WORDS_MIN)
            .take(NOTES_MAX)
            .collect();
        // What does not work comes first.
        notes.sort_by_key(|at| self.shortfall(*at).is_none());
        notes
    }

    /// What other documents say does not work and is about this risk.
    fn reasons_of(&self, row: usize, name: &Range<usize>, code: Option<&str>) -> Vec<usize> {
        let register = self.statements[row].document;
        let name = self.range(register, name);
        let aim = self.aim(name);
        let names_it = |at: usize| code.is_some_and(|code| self.text(at).contains(code));
        let found = self.shortfalls(name, usize::MAX).into_iter();
        let found = found.filter(|one| {
            let document = self.statements[one.statement].document;
            let is_firm = self.facts[document].strength() <= Strength::Moderate;
            is_firm
                && document != register
                && (names_it(one.statement) || self.relevance(&aim, one.statement) >= ABOUT)
        });
        found.map(|one| one.statement).take(REASONS_MAX).collect()
    }
}
