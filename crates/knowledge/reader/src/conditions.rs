//! The conditions that somebody set for a decision: those of a list, the rows of a table of criteria, and single sentences.
//!
//! Whether they are met is looked for elsewhere, in `fulfilment`.

use std::ops::Range;

use adjutant_text::sentences::sentences;

use crate::document_facts::Standing;
use crate::genre::Genre;
use crate::main_statements::is_clause;
use crate::planned_days::lead_time;
use crate::reading::Reading;
use crate::statement::{Statement, StatementForm};
use crate::tokens::tokens;

/// Something that has to be so before something else may be done. All ranges are bytes of the text of its document.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// Where it stands.
    pub statement: usize,
    pub words: Range<usize>,
    /// `(a)`, or the name of a row.
    pub label: Option<String>,
    /// What introduces a list: who may do what under these conditions.
    pub set_in: Option<Range<usize>>,
    /// What happens if it is not met, as the document says.
    pub otherwise: Option<Range<usize>>,
    /// A table says of it that nothing goes on without it, or a sentence sets it.
    pub is_must: bool,
    /// How much of the objective it is about, from 0 to 1.
    pub relevance: f64,
}

/// What introduces a list of conditions.
const LEADS: &[&str] = &[
    "condition",
    "conditions",
    "criteria",
    "prerequisites",
    "preconditions",
    "provided that",
    "only if",
    "only when",
    "subject to",
];
/// What a single sentence sets a condition with.
const SINGLE: &[&str] = &[
    "only if",
    "only when",
    "only after",
    "only once",
    "provided that",
    "on condition that",
    "on the condition that",
    "subject to",
    "without the prior",
    "without prior",
    "without the written",
    "without written",
    "not before",
];
/// Heads of columns that name a criterion, and of those that say what it takes.
const NAMES: &[&str] = &[
    "condition",
    "criterion",
    "criteria",
    "requirement",
    "prerequisite",
];
const LIMITS: &[&str] = &["threshold", "limit", "required", "minimum", "target"];
const MUSTS: &[&str] = &["must", "mandatory", "binding"];
/// A table with such a column says how things stand; it sets nothing.
const STATES: &[&str] = &["state", "status", "result", "assessment", "progress"];
const YES: &[&str] = &["yes", "y", "x", "true", "must", "mandatory"];
/// A list with fewer marks is none, and one with more is no list of conditions.
const ITEMS_MIN: usize = 2;
const ITEMS_MAX: usize = 20;
/// How far above a list its lead can stand, in statements.
const LEAD_REACH: usize = 2;
/// A single sentence with more words is a clause of many things.
const SENTENCE_WORDS_MAX: usize = 60;

impl Reading<'_> {
    /// The conditions that documents in force set for what an objective speaks of, the most relevant first.
    pub fn conditions(&self, objective: &str) -> Vec<Condition> {
        let aim = self.aim(objective);
        let mut found: Vec<Condition> = Vec::new();
        let mut at = 0;
        while at < self.statements.len() {
            let end = self.block_end(at);
            if self.sets_conditions(self.statements[at].document) {
                let own = self.conditions_in(at..end);
                found.extend(own);
            }
            at = end;
        }
        for one in &mut found {
            one.relevance = self.relevance_of_section(&aim, one.statement);
        }
        found.sort_by(|a, b| {
            b.relevance
                .total_cmp(&a.relevance)
                .then(a.statement.cmp(&b.statement))
                .then(a.words.start.cmp(&b.words.start))
        });
        found
    }

    /// Whether a document can lay down a condition: a proposal, a mail or a press release cannot.
    fn sets_conditions(&self, document: usize) -> bool {
        let facts = &self.facts[document];
        let may = !matches!(
            facts.genre,
            Genre::Proposal
                | Genre::Mail
                | Genre::Notice
                | Genre::Article
                | Genre::Record
                | Genre::Register
        );
        may && !facts.is_draft && facts.standing == Standing::Current
    }

    fn block_end(&self, from: usize) -> usize {
        let own = &self.statements[from];
        let rest = self.statements[from..].iter();
        let same = rest.take_while(|at| at.document == own.document && at.block == own.block);
        from + same.count()
    }

    fn conditions_in(&self, block: Range<usize>) -> Vec<Condition> {
        let first = &self.statements[block.start];
        match first.form {
            StatementForm::Row => self.criteria_in_rows(block),
            StatementForm::Code => Vec::new(),
            StatementForm::Item => match self.lead_of_item(block.start) {
                Some(lead) => vec![self.of_item(block, lead)],
                None => self.lettered_or_single(block),
            },
            StatementForm::Sentence => self.lettered_or_single(block),
        }
    }

    fn lettered_or_single(&self, block: Range<usize>) -> Vec<Condition> {
        let lettered = self.lettered(block.clone());
        match lettered.is_empty() {
            true => block.filter_map(|at| self.single(at)).collect(),
            false => lettered,
        }
    }

    /// The line above an item of a list, if it speaks of conditions.
    fn lead_of_item(&self, at: usize) -> Option<Range<usize>> {
        let statement = &self.statements[at];
        let lead = statement.leads.last()?;
        let is_above = lead.end <= statement.span.start;
        (is_above && has_phrase(self.range(statement.document, lead), LEADS)).then(|| lead.clone())
    }

    fn of_item(&self, block: Range<usize>, lead: Range<usize>) -> Condition {
        let last = &self.statements[block.end - 1];
        let start = self.statements[block.start].span.start;
        let otherwise = self.otherwise(block.end, last.document);
        Condition {
            statement: block.start,
            words: self.trimmed(last.document, start..last.span.end),
            label: None,
            set_in: Some(lead),
            otherwise,
            is_must: true,
            relevance: 0.0,
        }
    }

    /// `(a) …; (b) …` in one paragraph, introduced in it or right above it.
    fn lettered(&self, block: Range<usize>) -> Vec<Condition> {
        let first = &self.statements[block.start];
        let last = &self.statements[block.end - 1];
        let document = first.document;
        let whole = first.span.start..last.span.end;
        let marks = letter_marks(self.range(document, &whole));
        if !(ITEMS_MIN..=ITEMS_MAX).contains(&marks.len()) {
            return Vec::new();
        }
        let own_lead = whole.start..whole.start + marks[0].start;
        let Some(lead) = self.lead(block.start, &own_lead) else {
            return Vec::new();
        };
        let ends = marks
            .iter()
            .skip(1)
            .map(|mark| whole.start + mark.start)
            .chain([whole.end]);
        let mut otherwise = self.otherwise(block.end, document);
        let mut found: Vec<Condition> = Vec::new();
        for (mark, end) in marks.iter().zip(ends) {
            let mut own = whole.start + mark.end..end;
            // The last one may be followed by what holds for all of them.
            let mut parts = sentences(self.range(document, &own)).into_iter();
            let head = parts.next();
            if let Some(behind) =
                parts.find(|part| is_otherwise(&self.range(document, &own)[part.clone()]))
            {
                otherwise = Some(own.start + behind.start..own.start + behind.end);
            }
            if let Some(head) = head {
                own = own.start + head.start..own.start + head.end;
            }
            let statement = block
                .clone()
                .rev()
                .find(|at| self.statements[*at].span.start <= own.start);
            found.push(Condition {
                statement: statement.unwrap_or(block.start),
                words: self.trimmed(document, own),
                label: Some(
                    self.range(
                        document,
                        &(whole.start + mark.start..whole.start + mark.end),
                    )
                    .trim()
                    .to_owned(),
                ),
                set_in: Some(lead.clone()),
                otherwise: None,
                is_must: true,
                relevance: 0.0,
            });
        }
        for one in &mut found {
            one.otherwise = otherwise.clone();
        }
        found
    }

    /// What introduces a list: the words before its first mark, or else what stands right above.
    fn lead(&self, first: usize, own: &Range<usize>) -> Option<Range<usize>> {
        let document = self.statements[first].document;
        let text = self.range(document, own);
        if has_phrase(text, LEADS) {
            let last = sentences(text).into_iter().last()?;
            let whole = own.start + last.start..own.start + last.end;
            return Some(whole);
        }
        if !text.trim().is_empty() {
            return None;
        }
        let above = (1..=LEAD_REACH).filter_map(|back| first.checked_sub(back));
        let mut above = above.filter(|at| self.statements[*at].document == document);
        let lead = above.find(|at| {
            let text = self.text(*at);
            text.trim_end().ends_with(':') && has_phrase(text, LEADS)
        })?;
        Some(self.statements[lead].span.clone())
    }

    /// What follows a list and says what becomes of it if a condition is not met.
    fn otherwise(&self, behind: usize, document: usize) -> Option<Range<usize>> {
        let next = self.statements[behind.min(self.statements.len())..].iter();
        let mut next = next
            .take_while(|at| at.document == document)
            .take(ITEMS_MAX);
        next.find(|at| is_otherwise(self.range(document, &at.span)))
            .map(|at| at.span.clone())
    }

    fn criteria_in_rows(&self, block: Range<usize>) -> Vec<Condition> {
        let first = &self.statements[block.start];
        let head = |at: usize| {
            let cell = first.cells.get(at)?;
            Some(
                self.range(first.document, cell.head.as_ref()?)
                    .to_lowercase(),
            )
        };
        let heads: Vec<String> = (0..first.cells.len())
            .map(|at| head(at).unwrap_or_default())
            .collect();
        let column = |list: &[&str]| heads.iter().position(|head| has_phrase(head, list));
        let (Some(name), None) = (column(NAMES), column(STATES)) else {
            return Vec::new();
        };
        let Some(limit) = column(LIMITS) else {
            return Vec::new();
        };
        let must = column(MUSTS);
        let of_row = |at: usize| {
            let statement = &self.statements[at];
            let cell = |column: usize| statement.cells.get(column).map(|cell| cell.value.clone());
            let text = |range: Range<usize>| self.range(statement.document, &range).trim();
            let words = cell(limit).filter(|words| !text(words.clone()).is_empty())?;
            let must = must
                .and_then(cell)
                .map(text)
                .unwrap_or_default()
                .to_lowercase();
            Some(Condition {
                statement: at,
                words: self.trimmed(statement.document, words),
                label: cell(name).map(|name| text(name).to_owned()),
                set_in: self.sentence_above(block.start),
                otherwise: None,
                is_must: YES.contains(&must.as_str()),
                relevance: 0.0,
            })
        };
        block.clone().filter_map(of_row).collect()
    }

    /// The sentence right above a table.
    fn sentence_above(&self, first: usize) -> Option<Range<usize>> {
        let above = &self.statements[first.checked_sub(1)?];
        let own = &self.statements[first];
        let near = above.document == own.document && above.headings == own.headings;
        (near && above.form != StatementForm::Row).then(|| above.span.clone())
    }

    fn single(&self, at: usize) -> Option<Condition> {
        let statement = &self.statements[at];
        let text = self.text(at);
        let sets = has_phrase(text, SINGLE) || lead_time(&tokens(text)).is_some();
        let is_fit = self.indexed[at].words <= SENTENCE_WORDS_MAX
            && sets
            && is_clause(text)
            && !has_phrase(text, &["whether", "question", "asked", "asks"])
            && !text.trim_end().ends_with([':', '?']);
        is_fit.then(|| Condition {
            statement: at,
            words: self.trimmed(statement.document, statement.span.clone()),
            label: None,
            set_in: None,
            otherwise: None,
            is_must: true,
            relevance: 0.0,
        })
    }

    /// Without spaces and the marks between items.
    fn trimmed(&self, document: usize, range: Range<usize>) -> Range<usize> {
        let text = self.range(document, &range);
        let start = range.start + text.len() - text.trim_start().len();
        let kept = text.trim_end();
        let kept = kept
            .strip_suffix(" and")
            .or(kept.strip_suffix(" or"))
            .unwrap_or(kept);
        let kept = kept.trim_end_matches([';', ',', ' ']);
        start..(range.start + kept.len()).max(start)
    }
}

fn is_otherwise(text: &str) -> bool {
    let small = text.to_lowercase();
    let small = small.trim_start();
    let begins = [
        "if a condition",
        "if one of",
        "if any of",
        "if these conditions",
        "if the conditions",
        "otherwise",
    ];
    begins.iter().any(|begin| small.starts_with(begin))
}

/// Whether a text has a word or phrase of a list, at the bounds of words.
pub(crate) fn has_phrase(text: &str, list: &[&str]) -> bool {
    let all = tokens(text);
    let small: Vec<&str> = all.iter().map(|word| word.small.as_str()).collect();
    let has = |phrase: &str| {
        let parts: Vec<&str> = phrase.split(' ').collect();
        small.windows(parts.len()).any(|words| words == parts)
    };
    list.iter().any(|phrase| has(phrase))
}

/// Where `(a)`, `(b)`, `(c)` or `(1)`, `(2)` stand, in their order from the first.
fn letter_marks(text: &str) -> Vec<Range<usize>> {
    let letters = marks(text, |nth| char::from(b'a' + nth).to_string());
    match letters.len() < ITEMS_MIN {
        true => marks(text, |nth| (nth + 1).to_string()),
        false => letters,
    }
}

fn marks(text: &str, name: impl Fn(u8) -> String) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for nth in 0..ITEMS_MAX as u8 {
        let from = found.last().map_or(0, |last| last.end);
        let mark = format!("({})", name(nth));
        let Some(at) = text[from..].find(&mark) else {
            break;
        };
        found.push(from + at..from + at + mark.len());
    }
    found
}

/// Where a statement stands is part of what it is about.
impl Statement {
    pub(crate) fn is_prose(&self) -> bool {
        matches!(self.form, StatementForm::Sentence | StatementForm::Item)
    }
}
