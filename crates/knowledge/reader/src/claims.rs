//! What statements say of values: a subject, a value, and what limits it.

use std::ops::Range;

use crate::reading::Reading;
use crate::statement::StatementForm;
use crate::terms::Term;
use crate::values::{Placed, Unit, Value, values, values_in_year};
use crate::words::{is_stop_word, stemmed, words};

/// How a value is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Exactly,
    About,
    AtLeast,
    AtMost,
}

/// How a claim is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    Asserted,
    /// Will, should, is expected: it has not happened yet.
    Planned,
    /// Somebody asks, or supposes.
    Supposed,
}

/// A value that a statement gives, and of what.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    pub statement: usize,
    pub value: Value,
    /// Bytes of the document's text.
    pub span: Range<usize>,
    pub bound: Bound,
    pub force: Force,
    /// The words of the clause, or of the row's label and the column's head.
    pub(crate) subject: Vec<Term>,
    /// How near each of them is to the value: 1 next to it, less further away.
    pub(crate) nearness: Vec<f64>,
    /// Neighbouring words near the value: `shelf life`.
    pub(crate) phrases: Vec<(Term, Term)>,
    /// Of a cell: the words of its column's head.
    pub(crate) column: Vec<Term>,
    /// The words of the statement outside the clause.
    pub(crate) beside: Vec<Term>,
    /// Names and codes of the clause, and values in it of other kinds: they tell one case from another.
    pub(crate) marks: Vec<Term>,
    /// The words right behind the number: what it counts.
    pub(crate) counted: Vec<Term>,
    /// A date or time in the statement, when this is not the value itself.
    pub(crate) dated: Vec<Value>,
}

/// No part of a text.
const NOTHING: Range<usize> = 0..0;
/// How many words behind a number can name what it counts.
const COUNTED_WORDS: usize = 3;
/// How many stop words may stand inside a phrase.
const PHRASE_GAP: usize = 1;
/// A cell with as many words is read like a sentence.
const PROSE_WORDS_MIN: usize = 4;
/// How far before a value a word limits it.
const BOUND_WORDS: usize = 3;

/// How much less a word counts for each word between it and the value.
const FADING: f64 = 0.12;

const AT_LEAST: &[&str] = &[
    "least",
    "over",
    "exceeding",
    "minimum",
    "above",
    "exceeds",
    "beyond",
];
const AT_MOST: &[&str] = &[
    "most", "up", "within", "below", "under", "maximum", "max", "limited", "exceed", "until",
];
const ABOUT: &[&str] = &[
    "about",
    "almost",
    "nearly",
    "roughly",
    "around",
    "approximately",
    "some",
    "circa",
    "ca",
    "estimated",
    "close",
];
const PLANS: &[&str] = &[
    "will",
    "shall",
    "should",
    "would",
    "plan",
    "plans",
    "planned",
    "expect",
    "expects",
    "expected",
    "intend",
    "intends",
    "intended",
    "forecast",
    "forecasts",
    "assume",
    "assumes",
    "assumed",
    "propose",
    "proposes",
    "proposed",
    "target",
    "aim",
    "aims",
];
const SUPPOSES: &[&str] = &["if", "whether", "suppose", "might", "could", "unless"];

impl Reading<'_> {
    /// Every claim about a value, in the order of the documents.
    pub fn claims(&self) -> Vec<Claim> {
        let mut all = Vec::new();
        for (number, statement) in self.statements.iter().enumerate() {
            match statement.form {
                StatementForm::Row => self.claims_of_row(number, &mut all),
                StatementForm::Code => {}
                StatementForm::Sentence | StatementForm::Item => {
                    let span = statement.span.clone();
                    if !is_about_the_document(self.text(number)) {
                        self.claims_of_text(number, span, &[], &mut all);
                    }
                }
            }
        }
        all
    }

    fn claims_of_text(
        &self,
        number: usize,
        span: Range<usize>,
        around: &[Term],
        all: &mut Vec<Claim>,
    ) {
        let start = span.start;
        let text = self.range(self.statements[number].document, &span);
        let year = self.facts[self.statements[number].document]
            .date
            .map(|date| date.year());
        let body = clause_number(text);
        let found: Vec<Placed> = values_in_year(text, year)
            .into_iter()
            .filter(|at| at.span.start >= body)
            .collect();
        let force = force(text);
        for placed in &found {
            if is_label(text, placed) || in_brackets(text, placed) || is_condition(text, placed) {
                continue;
            }
            let mut clause = clause(text, &placed.span);
            clause.start = clause.start.max(body);
            let own = &text[clause.clone()];
            let inside: Vec<&Placed> = found
                .iter()
                .filter(|at| at.span.start >= clause.start && at.span.end <= clause.end)
                .collect();
            let blank = placed.span.start - clause.start..number_end(text, placed) - clause.start;
            let (subject, nearness) = self.subject(own, &blank);
            let mut beside = self.terms_without(text, &clause);
            beside.extend(around);
            beside.sort_unstable();
            beside.dedup();
            let marks = self.marks(own, &blank, clause.start == 0);
            let dated = inside
                .iter()
                .filter(|at| at.span != placed.span)
                .filter(|at| matches!(at.value, Value::Day(_) | Value::Clock(_)))
                .map(|at| at.value.clone())
                .collect();
            all.push(Claim {
                statement: number,
                value: placed.value.clone(),
                span: start + placed.span.start..start + placed.span.end,
                bound: bound(text, placed),
                force,
                subject,
                nearness,
                phrases: self.phrases(own, &blank),
                column: Vec::new(),
                beside,
                marks,
                counted: self.counted(text, placed),
                dated,
            });
        }
    }

    /// Each value of a row is of what the row is about, in the sense of its column.
    fn claims_of_row(&self, number: usize, all: &mut Vec<Claim>) {
        let statement = &self.statements[number];
        let text = |range: &Range<usize>| self.range(statement.document, range);
        let label = statement.cells.iter().find(|cell| {
            let shown = text(&cell.value);
            shown.chars().filter(|char| char.is_alphabetic()).count() >= 3 && !is_value_only(shown)
        });
        let Some(label) = label else { return };
        let first = self.range(statement.document, &label.value).to_lowercase();
        let is_head = words(&first).first().is_some_and(|word| {
            let word = &first[word.clone()];
            HEADER.contains(&word) || OF_DOCUMENTS.contains(&word)
        });
        let at_the_top = statement.block <= TOP_BLOCKS;
        if (is_head || at_the_top) && statement.cells.len() <= 2 {
            return;
        }
        let codes = statement
            .cells
            .iter()
            .take_while(|cell| cell.value != label.value);
        let mut about = String::new();
        for cell in codes.chain([label]) {
            about.push_str(text(&cell.value));
            about.push(' ');
        }
        for cell in &statement.cells {
            let shown = text(&cell.value);
            if !is_value_only(shown) {
                let around = match cell.value == label.value {
                    true => Vec::new(),
                    false => self.terms_without(&about, &NOTHING),
                };
                if words(shown).len() >= PROSE_WORDS_MIN {
                    self.claims_of_text(number, cell.value.clone(), &around, all);
                }
                continue;
            }
            let found = values(shown);
            let [placed] = found.as_slice() else { continue };
            let head = cell.head.as_ref().map(text).unwrap_or_default();
            if matches!(placed.value, Value::Day(_)) && tells_of_the_row(head) {
                continue;
            }
            let whole = format!("{about}{head}");
            let value = with_unit_of_head(&placed.value, head);
            let start = cell.value.start + placed.span.start;
            let subject = self.terms_without(&whole, &NOTHING);
            all.push(Claim {
                statement: number,
                value,
                span: start..start + placed.span.len(),
                bound: Bound::Exactly,
                force: force(&whole),
                nearness: vec![1.0; subject.len()],
                phrases: self.phrases(&whole, &(whole.len()..whole.len())),
                subject,
                column: self.terms_without(head, &NOTHING),
                beside: Vec::new(),
                marks: self.marks(&whole, &NOTHING, true),
                counted: Vec::new(),
                dated: Vec::new(),
            });
        }
    }

    /// The words around a value, and how near they are to it.
    fn subject(&self, text: &str, value: &Range<usize>) -> (Vec<Term>, Vec<f64>) {
        let all = words(text);
        let first = all.partition_point(|word| word.end <= value.start);
        let last = all.partition_point(|word| word.start < value.end);
        let mut found: Vec<(Term, f64)> = Vec::new();
        for (place, word) in all.iter().enumerate() {
            if (first..last).contains(&place) {
                continue;
            }
            let Some(term) = self.terms.get(&text[word.clone()].to_lowercase()) else {
                continue;
            };
            let far = if place < first {
                first - place
            } else {
                place + 1 - last
            };
            let near = 1.0 / (1.0 + FADING * (far as f64 - 1.0));
            match found.iter_mut().find(|(own, _)| *own == term) {
                Some((_, own)) => *own = own.max(near),
                None => found.push((term, near)),
            }
        }
        found.sort_unstable_by_key(|(term, _)| *term);
        found.into_iter().unzip()
    }

    /// Words that follow one another, stop words left out, not far from a value.
    fn phrases(&self, text: &str, value: &Range<usize>) -> Vec<(Term, Term)> {
        let all = words(text);
        let mut found = Vec::new();
        let mut last: Option<(usize, Term)> = None;
        for (place, word) in all.iter().enumerate() {
            if word.start < value.end && word.end > value.start {
                continue;
            }
            let Some(term) = self.terms.get(&text[word.clone()].to_lowercase()) else {
                continue;
            };
            if let Some((before, other)) = last
                && place - before <= PHRASE_GAP + 1
                && !self.terms.has_digit(term)
                && !self.terms.has_digit(other)
            {
                found.push((term.min(other), term.max(other)));
            }
            last = Some((place, term));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn terms_without(&self, text: &str, blank: &Range<usize>) -> Vec<Term> {
        let mut terms: Vec<Term> = words(text)
            .into_iter()
            .filter(|word| !blank.contains(&word.start))
            .filter_map(|word| self.terms.get(&text[word].to_lowercase()))
            .collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// Names, codes and numbers.
    fn marks(&self, text: &str, blank: &Range<usize>, begins: bool) -> Vec<Term> {
        let mut marks: Vec<Term> = words(text)
            .into_iter()
            .enumerate()
            .filter(|(_, word)| !blank.contains(&word.start))
            .filter(|(place, word)| {
                let written = &text[word.clone()];
                let named = written.starts_with(char::is_uppercase) && !(*place == 0 && begins);
                named || written.contains(|char: char| char.is_ascii_digit())
            })
            .filter_map(|(_, word)| self.terms.get(&text[word].to_lowercase()))
            .collect();
        marks.sort_unstable();
        marks.dedup();
        marks
    }

    fn counted(&self, text: &str, placed: &Placed) -> Vec<Term> {
        let behind = match &placed.value {
            Value::Amount {
                unit: Unit::Of(_), ..
            } => number_end(text, placed),
            Value::Amount {
                unit: Unit::None, ..
            } => placed.span.end,
            _ => return Vec::new(),
        };
        let rest = &text[behind..];
        let end = rest
            .find([',', ';', '.', '(', ')', ':'])
            .unwrap_or(rest.len());
        let rest = &rest[..end];
        let mut terms: Vec<Term> = words(rest)
            .into_iter()
            .take(COUNTED_WORDS)
            .take_while(|word| !is_stop_word(&rest[word.clone()].to_lowercase()))
            .filter_map(|word| self.terms.get(&rest[word].to_lowercase()))
            .collect();
        terms.sort_unstable();
        terms
    }
}

/// The part of a sentence around a value, between marks that part it.
fn clause(text: &str, value: &Range<usize>) -> Range<usize> {
    let parts = |(at, mark): (usize, char)| {
        let next = text[at + mark.len_utf8()..].chars().next();
        let parted = next.is_none_or(char::is_whitespace);
        match mark {
            ';' | '(' | ')' | '–' | '—' | '\n' => true,
            ':' => parted,
            _ => false,
        }
    };
    let from = text[..value.start]
        .char_indices()
        .rfind(|at| parts(*at))
        .map_or(0, |(at, mark)| at + mark.len_utf8());
    let to = text[value.end..]
        .char_indices()
        .map(|(at, mark)| (value.end + at, mark))
        .find(|at| parts(*at))
        .map_or(text.len(), |(at, _)| at);
    from..to
}

/// Whether a number names something: `section 4`, `page 3`, `R 2026-14`, `step 2`.
fn is_label(text: &str, placed: &Placed) -> bool {
    let Value::Amount { unit, .. } = &placed.value else {
        return false;
    };
    if *unit != Unit::None {
        return false;
    }
    let before = text[..placed.span.start].trim_end();
    let word = words(before).pop();
    let Some(word) = word.filter(|word| word.end == before.len()) else {
        return placed.span.start == 0;
    };
    let written = &before[word.clone()];
    let small = written.to_lowercase();
    let named = written.starts_with(char::is_uppercase) && word.start > 0;
    named
        || LABELS.contains(&stemmed(&small).as_str())
        || (written.chars().all(char::is_uppercase) && written.len() <= 5)
}

/// Where a value ends without what it counts.
fn number_end(text: &str, placed: &Placed) -> usize {
    match placed.value {
        Value::Amount {
            unit: Unit::Of(_), ..
        } => {
            let own = words(&text[placed.span.clone()]);
            own.last()
                .map_or(placed.span.end, |word| placed.span.start + word.start)
        }
        _ => placed.span.end,
    }
}

/// Where the text begins behind a number of its own: `4.1 Backups are kept …`.
fn clause_number(text: &str) -> usize {
    let number = text.len()
        - text
            .trim_start_matches(|char: char| char.is_ascii_digit() || char == '.')
            .len();
    let dotted = text[..number].contains('.');
    let body = &text[number..];
    match dotted && body.starts_with([' ', '\t']) {
        true => text.len() - body.trim_start().len(),
        false => 0,
    }
}

/// Whether a line tells the date, version or sender of its document.
fn is_about_the_document(text: &str) -> bool {
    let small = text.to_lowercase();
    let all = words(&small);
    let first = all.first().map(|word| &small[word.clone()]);
    let head = text.find(':').is_some_and(|at| at < 20)
        && first.is_some_and(|word| HEADER.contains(&word));
    let short = all.len() <= HEADER_WORDS_MAX;
    head || (short
        && all
            .iter()
            .any(|word| OF_DOCUMENTS.contains(&&small[word.clone()])))
}

/// Words that begin a line of a document's head.
const HEADER: &[&str] = &[
    "from",
    "to",
    "cc",
    "date",
    "subject",
    "sent",
    "version",
    "author",
    "signed",
    "minutes",
    "approved",
    "owner",
    "status",
    "issued",
    "effective",
    "distribution",
    "place",
    "present",
    "message",
    "reply",
];
/// Words of short lines that tell a document's version.
const OF_DOCUMENTS: &[&str] = &[
    "version",
    "replaces",
    "supersedes",
    "signed",
    "revision",
    "page",
];
/// A table among the first blocks of a document tells what the document is.
const TOP_BLOCKS: usize = 3;
const HEADER_WORDS_MAX: usize = 12;

/// Whether a value says of which cases a sentence speaks: `potassium above 5.5`, `patients over 80`.
fn is_condition(text: &str, placed: &Placed) -> bool {
    let before = text[..placed.span.start].trim_end().to_lowercase();
    let last = words(&before).pop().filter(|word| word.end == before.len());
    last.is_some_and(|word| CONDITIONS.contains(&&before[word]))
}

const CONDITIONS: &[&str] = &[
    "above", "below", "over", "under", "between", "older", "younger",
];

/// Whether a number is a place in a list: `arms[0]`.
fn in_brackets(text: &str, placed: &Placed) -> bool {
    text[..placed.span.start].ends_with('[') && text[placed.span.end..].starts_with(']')
}

/// Stems of what is numbered.
const LABELS: &[&str] = &[
    "section",
    "chapter",
    "page",
    "step",
    "tabl",
    "figur",
    "annex",
    "appendix",
    "articl",
    "claus",
    "paragraph",
    "version",
    "item",
    "point",
    "no",
    "number",
    "phase",
    "part",
    "week",
    "day",
    "site",
    "lot",
    "class",
    "stage",
    "level",
    "schedul",
    "amend",
    "rule",
    "option",
    "group",
    "visit",
    "annex",
    "attach",
    "question",
    "note",
    "footnot",
    "line",
    "row",
    "column",
    "issu",
    "type",
    "grade",
];

/// Heads of columns that say when a row was written, not what it is about.
const OF_THE_ROW: &[&str] = &[
    "changed", "checked", "created", "edited", "entered", "modified", "update", "updated",
];

fn tells_of_the_row(head: &str) -> bool {
    let small = head.to_lowercase();
    let parts = small.split(|char: char| !char.is_alphabetic());
    parts.into_iter().any(|part| OF_THE_ROW.contains(&part))
}

fn is_value_only(text: &str) -> bool {
    let found = values(text);
    let taken: usize = found.iter().map(|at| at.span.len()).sum();
    !found.is_empty() && text.trim().len() <= taken + 4
}

/// A bare number in a column that names its unit.
fn with_unit_of_head(value: &Value, head: &str) -> Value {
    let Value::Amount {
        low,
        high,
        unit: Unit::None,
    } = value
    else {
        return value.clone();
    };
    let small = head.to_lowercase();
    let percent = small.contains('%') || small.contains("per cent") || small.contains("percent");
    let unit = match percent {
        true => Unit::Percent,
        false => {
            let one = format!(
                "1 {}",
                small
                    .rsplit(['(', ',', ' '])
                    .find(|part| !part.trim().is_empty())
                    .unwrap_or_default()
            );
            match values(&one).into_iter().next().map(|at| at.value) {
                Some(Value::Amount {
                    unit: unit @ (Unit::Time(_) | Unit::Money(_)),
                    ..
                }) => unit,
                _ => Unit::None,
            }
        }
    };
    Value::Amount {
        low: *low,
        high: *high,
        unit,
    }
}

pub(crate) fn bound(text: &str, placed: &Placed) -> Bound {
    let before = text[..placed.span.start].to_lowercase();
    let all = words(&before);
    let near = &all[all.len().saturating_sub(BOUND_WORDS)..];
    let has = |list: &[&str]| {
        near.iter()
            .any(|word| list.contains(&&before[word.clone()]))
    };
    let has_not = near.iter().any(|word| &before[word.clone()] == "not");
    match () {
        () if has(AT_LEAST) => {
            if has_not {
                Bound::AtMost
            } else {
                Bound::AtLeast
            }
        }
        () if has(AT_MOST) => Bound::AtMost,
        () if has(ABOUT) => Bound::About,
        () => Bound::Exactly,
    }
}

pub(crate) fn force(text: &str) -> Force {
    let small = text.to_lowercase();
    let all = words(&small);
    let has = |list: &[&str]| all.iter().any(|word| list.contains(&&small[word.clone()]));
    match () {
        () if text.trim_end().ends_with('?') || has(SUPPOSES) => Force::Supposed,
        () if has(PLANS) => Force::Planned,
        () => Force::Asserted,
    }
}
