//! Rows of action tables and items of action lists: who, what, until when, and what has become of it.

use std::ops::Range;

use adjutant_text::dates::Date;

use crate::due::{DueIn, dates_in, due_in};
use crate::irregular::usual_form;
use crate::reading::Reading;
use crate::statement::{Cell, Statement, StatementForm};
use crate::tokens::{Token, is_denial, is_form_of_be, tokens};
use crate::verbs::is_act;

/// An act as a row or an item lists it. Ranges are of the document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listed {
    pub(crate) who: Option<String>,
    pub(crate) what: Range<usize>,
    pub(crate) due: Option<DueIn>,
    pub(crate) state: Option<State>,
    /// Its number or code in the list.
    pub(crate) code: Option<String>,
}

/// What a list says has become of an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Done,
    NotDone,
    Dropped,
}

const OWNERS: &[&str] = &[
    "who",
    "owner",
    "responsible",
    "responsibility",
    "assignee",
    "assigned",
    "lead",
    "accountable",
    "owners",
];
const ACTIONS: &[&str] = &[
    "action",
    "actions",
    "what",
    "task",
    "tasks",
    "measure",
    "measures",
    "deliverable",
    "deliverables",
    "item",
    "point",
    "activity",
    "step",
    "todo",
    "commitment",
    "milestone",
    "obligation",
    "request",
    "requirement",
];
const DUES: &[&str] = &["due", "until", "by", "deadline", "when", "target", "date"];
const STATUSES: &[&str] = &["status", "state", "done", "progress", "closed"];
/// Columns of registers, whose measures are permanent.
const RATINGS: &[&str] = &[
    "likelihood",
    "impact",
    "severity",
    "probability",
    "occurrence",
    "risk",
    "score",
    "cause",
    "threshold",
    "decision",
];
const DONE: &[&str] = &[
    "done",
    "closed",
    "complete",
    "completed",
    "fulfilled",
    "finished",
    "resolved",
    "delivered",
    "implemented",
    "yes",
    "ok",
    "met",
    "received",
    "paid",
    "sent",
];
const DROPPED: &[&str] = &[
    "cancelled",
    "canceled",
    "dropped",
    "withdrawn",
    "superseded",
    "obsolete",
    "rejected",
    "void",
];
/// What headings and lead-ins of action lists say.
const LISTS: &[&str] = &[
    "action",
    "actions",
    "todo",
    "tasks",
    "commitments",
    "follow",
    "deliverables",
    "undertakings",
];
const LIST_PAIRS: &[(&str, &str)] = &[
    ("next", "steps"),
    ("open", "points"),
    ("open", "items"),
    ("to", "do"),
    ("need", "from"),
    ("agreed", "actions"),
];
const HEAD_WORDS: usize = 4;
const LABELS: &[&str] = &["action", "todo", "task"];

fn says(text: &str, list: &[&str]) -> bool {
    let words = tokens(text);
    words.len() <= HEAD_WORDS && words.iter().any(|word| list.contains(&word.small.as_str()))
}

impl Reading<'_> {
    /// What a row of an action table lists.
    pub(crate) fn listed_in_row(&self, at: usize) -> Option<Listed> {
        let statement = &self.statements[at];
        let column = |list: &[&str]| {
            let mut cells = statement.cells.iter();
            cells.find(|cell| {
                self.head(statement, cell)
                    .is_some_and(|head| says(head, list))
            })
        };
        let text = |cell: &Cell| self.range(statement.document, &cell.value).trim();
        if column(RATINGS).is_some() {
            return None;
        }
        let (owner, action, due, status) = (
            column(OWNERS),
            column(ACTIONS)?,
            column(DUES),
            column(STATUSES),
        );
        let under_list = statement
            .headings
            .last()
            .is_some_and(|heading| names_a_list(self.range(statement.document, heading)));
        let told = [owner.is_some(), due.is_some(), status.is_some()]
            .iter()
            .filter(|is| **is)
            .count();
        if told < 2 && !(told == 1 && under_list) || text(action).split_whitespace().count() < 2 {
            return None;
        }
        let written = self.facts[statement.document].date;
        let due = due.and_then(|cell| {
            let (_, date) = dates_in(text(cell), &tokens(text(cell)), written)
                .into_iter()
                .next()?;
            Some(DueIn {
                span: cell.value.clone(),
                date: Some(date),
                is_limit: true,
                is_until: false,
            })
        });
        let code = statement.cells.first().map(text).filter(|code| {
            code.len() <= 12
                && code.contains(|char: char| char.is_ascii_digit())
                && !code.contains(' ')
        });
        Some(Listed {
            who: owner
                .map(text)
                .filter(|who| !who.is_empty() && who.len() > 1)
                .map(str::to_owned),
            what: action.value.clone(),
            due,
            state: status.map(text).and_then(state),
            code: code.map(str::to_owned),
        })
    }

    fn head(&self, statement: &Statement, cell: &Cell) -> Option<&str> {
        cell.head
            .as_ref()
            .map(|head| self.range(statement.document, head))
    }

    /// What an item of an action list asks for: under such a heading, after such a label, with a box, or with a name before a verb.
    pub(crate) fn listed_in_item(&self, at: usize) -> Option<Listed> {
        let statement = &self.statements[at];
        let text = self.text(at);
        let (state, body) = boxed(text);
        let words = tokens(body);
        let offset = statement.span.start + text.len() - body.len();
        let is_label = words.first().is_some_and(|word| {
            LABELS.contains(&word.small.as_str())
                && body[word.span.end..]
                    .trim_start_matches('*')
                    .starts_with(':')
        });
        let whole = &self.given[statement.document].document.text;
        let named = named_order(body).filter(|(who, _)| whole.matches(who.as_str()).count() > 1);
        let above = statement.leads.iter().chain(statement.headings.last());
        let under = statement.form == StatementForm::Item
            && above
                .into_iter()
                .any(|range| names_a_list(self.range(statement.document, range)));
        let acts = words.first().is_some_and(|word| is_plain_act(&word.small))
            && words.len() > 2
            && !is_noun(&words);
        // `[ ] The doors are closed` is checked, not done.
        let is_state = words.iter().any(|word| {
            is_form_of_be(&word.small)
                || matches!(word.small.as_str(), "has" | "have" | "exists" | "you")
        });
        let is_boxed = state.is_some()
            && (!is_state || due_in(body, self.facts[statement.document].date).is_some());
        if !(is_boxed || is_label || named.is_some() || under && acts) || body.ends_with('?') {
            return None;
        }
        let skip = named.as_ref().map_or(0, |(_, skip)| *skip);
        let due = due_in(body, self.facts[statement.document].date).map(|due| DueIn {
            span: offset + due.span.start..offset + due.span.end,
            ..due
        });
        Some(Listed {
            who: named.map(|(who, _)| who),
            what: offset + skip..statement.span.end,
            due,
            state,
            code: None,
        })
    }
}

fn names_a_list(text: &str) -> bool {
    let words = tokens(text);
    let small = |at: usize| words.get(at).map_or("", |word| word.small.as_str());
    let pair = (0..words.len()).any(|at| LIST_PAIRS.contains(&(small(at), small(at + 1))));
    words.len() <= 2 * HEAD_WORDS
        && (pair
            || words
                .iter()
                .any(|word| LISTS.contains(&word.small.as_str())))
}

/// `[ ] text` and `[x] text`.
fn boxed(text: &str) -> (Option<State>, &str) {
    let trimmed = text.trim_start_matches(['-', '*', ' ']);
    for (mark, state) in [
        ("[ ]", State::NotDone),
        ("[x]", State::Done),
        ("[X]", State::Done),
        ("☐", State::NotDone),
        ("☑", State::Done),
    ] {
        if let Some(rest) = trimmed.strip_prefix(mark) {
            return (Some(state), rest.trim_start());
        }
    }
    (None, text)
}

/// `Ada: send the list`: a name and a verb in its plain form. The name, and how many bytes come before the verb.
fn named_order(text: &str) -> Option<(String, usize)> {
    let colon = text.find(':').filter(|colon| *colon <= 40)?;
    let name = text[..colon].trim_matches(['*', ' ']);
    let is_name = name.split_whitespace().count() <= 3
        && name
            .split_whitespace()
            .all(|word| word.starts_with(char::is_uppercase))
        && !name.is_empty();
    let rest = &text[colon + 1..];
    let first = tokens(rest).into_iter().next()?;
    let is_plain = is_plain_act(&first.small)
        && !first.is_capital
        && !is_noun(&tokens(rest))
        && !NOT_NAMES.contains(&name.to_lowercase().as_str());
    (is_name && is_plain).then(|| (name.to_owned(), colon + 1 + first.span.start))
}

/// Labels with a colon that are no names.
const NOT_NAMES: &[&str] = &[
    "status",
    "note",
    "version",
    "date",
    "subject",
    "result",
    "state",
    "type",
    "kind",
    "class",
    "primary",
    "procedure",
    "decision",
    "purpose",
];

fn is_plain_act(small: &str) -> bool {
    is_act(small)
        && !small.ends_with('s')
        && !small.ends_with("ed")
        && !small.ends_with("ing")
        && usual_form(small) == small
}

/// `change in pressure`, `report of the audit`: a noun that is also a verb.
fn is_noun(words: &[Token]) -> bool {
    words.get(1).is_some_and(|word| {
        matches!(
            word.small.as_str(),
            "in" | "of" | "for" | "from" | "per" | "is" | "are" | "was" | "has" | "on" | "at"
        )
    })
}

/// `Ada: ...` at the beginning, where the document has this name elsewhere too.
pub(crate) fn addressed<'t>(text: &'t str, whole: &str) -> Option<&'t str> {
    let colon = text.find(':').filter(|colon| *colon <= 30)?;
    let name = text[..colon].trim_matches(['*', ' ']);
    let mut words = name.split_whitespace();
    let is_name = words.clone().count() <= 3
        && words.all(|word| {
            word.starts_with(char::is_uppercase)
                && !word.contains(|char: char| char.is_ascii_digit())
        });
    let small = name.to_lowercase();
    (is_name
        && !name.is_empty()
        && !NOT_NAMES.contains(&small.as_str())
        && !LABELS.contains(&small.as_str())
        && whole.matches(name).count() > 1)
        .then_some(name)
}

/// What a cell says of a state; nothing for what is no state.
pub(crate) fn state(text: &str) -> Option<State> {
    let words = tokens(text);
    let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.small.as_str()));
    let denied = words.iter().any(|word| is_denial(&word.small))
        || any(&["partly", "partially", "half", "overdue"]);
    match () {
        () if words.is_empty() => None,
        () if any(DROPPED) => Some(State::Dropped),
        () if any(DONE) && !denied => Some(State::Done),
        () => Some(State::NotDone),
    }
}

/// Whether a date is that of the document or later.
pub(crate) fn is_to_come(date: Date, written: Option<Date>) -> bool {
    written.is_none_or(|written| date.last_day() > written)
}
