//! Questions that are asked in the documents, and that nothing answers.

use std::ops::Range;

use crate::duty::asks_politely;
use crate::gaps::{Gap, GapKind};
use crate::reading::Reading;
use crate::statement::StatementForm;
use crate::tokens::{Token, is_form_of_be, tokens};

/// Words after `asked` that begin a question.
const ASKING: &[&str] = &[
    "whether", "why", "who", "when", "how", "what", "which", "where", "if",
];
/// How an answer is told.
const ANSWERS: &[&str] = &[
    "answered",
    "answers",
    "replied",
    "replies",
    "said",
    "says",
    "explained",
    "explains",
    "confirmed",
    "confirms",
    "answer",
    "reply",
    "yes",
    "no",
    "because",
    "that",
];
/// What is said instead of an answer.
const EVASIONS: &[&str] = &[
    "outside",
    "later",
    "being",
    "open",
    "postponed",
    "deferred",
    "unanswered",
    "noted",
    "proposed",
    "looked",
];
const ASKED: f64 = 2.2;
const WRITTEN: f64 = 2.4;
const EVADED: f64 = 0.8;
/// Shorter ones are turns of speech.
const WORDS_MIN: usize = 4;
/// A statement with more words is no sentence.
const WORDS_MAX: usize = 55;
/// From this share of its words on, a later statement answers a question.
const ANSWERED: f64 = 0.75;

impl Reading<'_> {
    pub(crate) fn open_questions(&self) -> Vec<Gap> {
        let mut found = Vec::new();
        let rules: Vec<bool> = (0..self.given.len())
            .map(|document| self.is_of_rules(document))
            .collect();
        for at in 0..self.statements.len() {
            let statement = &self.statements[at];
            let text = self.text(at);
            if statement.form == StatementForm::Code
                || text.starts_with('>')
                || tokens(text).len() > WORDS_MAX
                || rules[statement.document]
            {
                continue;
            }
            let all = tokens(text);
            let score = match () {
                () if all.len() < WORDS_MIN || asks_politely(&all) => continue,
                () if text.trim_end_matches(['*', ' ', '"', ')']).ends_with('?') => WRITTEN,
                () if is_reported(&all) => ASKED,
                () => continue,
            };
            let evaded = match self.reply(at) {
                Reply::Given => continue,
                Reply::Evaded => EVADED,
                Reply::None => 0.0,
            };
            let gap = Gap {
                kind: GapKind::Question,
                what: self.asked_for(at, &all),
                statements: vec![at],
                score: score + evaded,
            };
            found.push(gap);
        }
        self.without_answers(found)
    }

    /// The question without who asks it, if it then still says something.
    fn asked_for(&self, at: usize, all: &[Token]) -> Range<usize> {
        let own = &self.statements[at];
        let from = reported_from(all).map_or(0, |from| all[from].span.start);
        let what = own.span.start + from..own.span.end;
        match self.act(own.document, &what, "").terms.len() {
            0 | 1 => own.span.clone(),
            _ => what,
        }
    }

    /// What the same paragraph or the next statement says to a question.
    fn reply(&self, at: usize) -> Reply {
        let own = &self.statements[at];
        let rest = self.text(at);
        // `asked why. M. Frey: because of the rain` can be one statement.
        let after: Vec<&str> = (at + 1..(at + 3).min(self.statements.len()))
            .filter(|next| self.statements[*next].document == own.document)
            .take_while(|next| {
                self.statements[*next].block == own.block
                    || own.form == StatementForm::Sentence
                        && self.statements[*next].block == own.block + 1
                        && *next == at + 1
            })
            .map(|next| self.text(next))
            .collect();
        if own.form == StatementForm::Row {
            let longer = own
                .cells
                .iter()
                .filter(|cell| cell.value.len() > 15)
                .count();
            return if longer > 1 {
                Reply::Given
            } else {
                Reply::None
            };
        }
        let Some(next) = after.first() else {
            return Reply::None;
        };
        let words = tokens(next);
        let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.small.as_str()));
        let is_question = next.trim_end().ends_with('?') || is_reported(&words);
        let told = next.contains(": ") || any(ANSWERS);
        match () {
            () if is_question => Reply::None,
            () if any(EVASIONS) => Reply::Evaded,
            () if told => Reply::Given,
            // A written question is answered by what follows it in its paragraph.
            () if rest.trim_end_matches(['*', ' ']).ends_with('?')
                && self.statements[at + 1].block == own.block =>
            {
                Reply::Given
            }
            () => Reply::None,
        }
    }

    /// Leaves out the questions whose words a later statement has.
    fn without_answers(&self, found: Vec<Gap>) -> Vec<Gap> {
        let acts: Vec<_> = found
            .iter()
            .map(|gap| self.act(self.statements[gap.statements[0]].document, &gap.what, ""))
            .collect();
        let places = self.places(&acts);
        let is_open = |(gap, act): &(Gap, crate::reports::Act)| {
            let own = self.statements[gap.statements[0]].document;
            let mut about = self.about(act, &places).into_iter();
            !about.any(|(at, share)| {
                let other = self.statements[at].document;
                let later = other != own && self.facts[other].date >= self.facts[own].date;
                later
                    && share >= ANSWERED
                    && !self.text(at).trim_end().ends_with('?')
                    && !is_reported(&tokens(self.text(at)))
            })
        };
        found
            .into_iter()
            .zip(acts)
            .filter(is_open)
            .map(|(gap, _)| gap)
            .collect()
    }
}

enum Reply {
    Given,
    Evaded,
    None,
}

/// Whether words report a question.
fn is_reported(all: &[Token]) -> bool {
    reported_from(all).is_some()
}

/// Where the question begins that words report: `asked whether`, `asks Ms Frey why`.
fn reported_from(all: &[Token]) -> Option<usize> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    let asks = |at: usize| matches!(small(at), "asked" | "asks" | "enquired" | "wondered");
    // `you asked whether` begins an answer, `I was asked whether` tells of the past.
    let told = |at: usize| {
        at > 0 && (is_form_of_be(small(at - 1)) || matches!(small(at - 1), "you" | "as"))
    };
    let question =
        |at: &usize| ASKING.contains(&small(*at)) || (small(*at), small(at + 1)) == ("by", "when");
    let asked = (0..all.len()).filter(|at| asks(*at) && !told(*at));
    asked
        .map(|at| (at + 1..at + 4).find(question))
        .find_map(|at| at)
}
