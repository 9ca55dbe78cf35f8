//! The statements that a careful reader would put first: those of strong documents in force that stand by themselves.

use crate::aim::Aim;
use crate::claims::{Force, force};
use crate::conditions::has_phrase;
use crate::document_facts::Standing;
use crate::fulfilment::is_data;
use crate::genre::{Genre, Strength};
use crate::reading::Reading;
use crate::reports::is_denied;
use crate::statement::StatementForm;
use crate::tokens::{Token, is_form_of_be, is_participle, tokens};

/// A statement, and how much speaks for putting it first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MainStatement {
    pub statement: usize,
    pub relevance: f64,
    pub score: f64,
}

/// Words for what was named before.
const POINTERS: &[&str] = &[
    "it",
    "its",
    "he",
    "she",
    "his",
    "her",
    "they",
    "their",
    "them",
    "this",
    "that",
    "these",
    "those",
    "both",
    "such",
    "neither",
    "same",
    "here",
    "there",
    "then",
    "so",
    "thus",
    "also",
    "however",
    "moreover",
    "otherwise",
    "even",
    "and",
    "but",
    "or",
    "nor",
    "yet",
    "still",
    "instead",
    "another",
    "other",
    "others",
    "again",
    "too",
    "one",
];
/// Words by which something is decided, found or explained.
const DECIDES: &[&str] = &[
    "decided",
    "decides",
    "resolved",
    "decision",
    "resolution",
    "approved",
    "approves",
    "rejected",
    "refused",
    "ordered",
    "ruled",
    "granted",
    "concluded",
    "conclude",
    "found",
    "confirmed",
    "must",
    "shall",
    "only if",
    "not met",
    "missed",
    "failed",
    "agreed",
    "requires",
    "required",
];
/// Headings of sections that sum up what a document comes to.
const SUMMING_UP: &[&str] = &[
    "summary",
    "conclusion",
    "conclusions",
    "finding",
    "findings",
    "result",
    "results",
    "decision",
    "decisions",
    "resolution",
    "resolutions",
    "outcome",
    "cause",
    "causes",
    "recommendation",
    "recommendations",
    "assessment",
    "consequences",
    "key",
];
const EXPLAINS: &[&str] = &[
    "because",
    "cause",
    "caused",
    "causes",
    "reason",
    "due to",
    "led to",
    "result",
    "resulted",
    "therefore",
    "without",
    "although",
    "despite",
    "since",
];
const WHY: &[&str] = &[
    "why",
    "cause",
    "caused",
    "causes",
    "reason",
    "reasons",
    "how did",
    "how could",
];
const VERBS: &[&str] = &[
    "recommends",
    "continues",
    "remains",
    "keeps",
    "shows",
    "finds",
    "holds",
    "agrees",
    "accepts",
    "allows",
    "makes",
    "lies",
    "stands",
    "runs",
    "wants",
    "expects",
    "sets",
    "knows",
    "has",
    "have",
    "had",
    "does",
    "do",
    "did",
    "will",
    "shall",
    "must",
    "may",
    "can",
    "could",
    "should",
    "would",
    "needs",
    "said",
    "says",
    "gives",
    "takes",
    "took",
    "began",
    "begins",
];
const WORDS_MIN: usize = 7;
const WORDS_MAX: usize = 45;
/// As many words in capitals are a title.
const CAPITALS_MAX: usize = 3;
/// So many of one document.
const PER_DOCUMENT: usize = 2;
/// From here on two statements say the same.
const SAME: f64 = 0.6;

impl Reading<'_> {
    /// The statements on a question or an objective to put first, each understandable by itself.
    pub fn main_statements(&self, objective: &str, most: usize) -> Vec<MainStatement> {
        let aim = self.aim(objective);
        let asks_why = has_phrase(objective, WHY);
        let mut all: Vec<MainStatement> = (0..self.statements.len())
            .filter(|at| self.can_stand_first(*at))
            .map(|at| self.weigh_statement(at, &aim, asks_why))
            .filter(|one| one.score > 0.0)
            .collect();
        all.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.statement.cmp(&b.statement))
        });
        let mut kept: Vec<MainStatement> = Vec::new();
        for one in all {
            if kept.len() == most {
                break;
            }
            let document = self.statements[one.statement].document;
            let own = kept
                .iter()
                .filter(|at| self.statements[at.statement].document == document);
            if own.count() < PER_DOCUMENT
                && !kept
                    .iter()
                    .any(|at| self.says_the_same(at.statement, one.statement))
            {
                kept.push(one);
            }
        }
        kept
    }

    fn weigh_statement(&self, at: usize, aim: &Aim, asks_why: bool) -> MainStatement {
        let facts = &self.facts[self.statements[at].document];
        let mut relevance = self.relevance(aim, at);
        if let Some(before) = self.sentence_before(at) {
            relevance = relevance.max(self.relevance_of_two(aim, at, before));
        }
        let text = self.text(at);
        let strength = match (facts.genre, facts.strength()) {
            (Genre::Mail | Genre::Proposal, _) => 0.5,
            (_, Strength::High) => 1.0,
            (Genre::Minutes, _) => 1.0,
            // What holds always says nothing of what happened.
            (
                Genre::Contract
                | Genre::Policy
                | Genre::Law
                | Genre::Protocol
                | Genre::Specification,
                _,
            ) => 0.55,
            (Genre::Record, _) => 0.5,
            (_, Strength::Moderate) => 0.85,
            (_, Strength::Low) => 0.6,
            (_, Strength::VeryLow) => 0.3,
        };
        let newness = self.newness[self.statements[at].document];
        let mut cue = 1.0;
        if has_phrase(text, DECIDES) {
            cue += 0.3;
        }
        if has_phrase(text, EXPLAINS) {
            cue += if asks_why { 0.6 } else { 0.1 };
        }
        if is_denied(text) {
            cue += 0.15;
        }
        if !crate::values::values(text).is_empty() {
            cue += 0.15;
        }
        let heading = self.statements[at].headings.last();
        let heading = heading.map_or("", |range| self.range(self.statements[at].document, range));
        if has_phrase(heading, SUMMING_UP) {
            cue += 0.4;
        }
        if force(text) == Force::Planned {
            cue -= 0.15;
        }
        MainStatement {
            statement: at,
            relevance,
            score: relevance * strength * (0.75 + 0.25 * newness) * cue,
        }
    }

    /// Whether two statements have most of their words in common.
    pub(crate) fn says_the_same(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.indexed[one].own, &self.indexed[other].own);
        let both = a
            .iter()
            .filter(|term| b.binary_search(term).is_ok())
            .count();
        let fewer = a.len().min(b.len()).max(1);
        both as f64 / fewer as f64 >= SAME
    }

    /// Whether a statement is a complete sentence of a document in force that needs no other to be understood.
    pub(crate) fn can_stand_first(&self, at: usize) -> bool {
        let statement = &self.statements[at];
        let facts = &self.facts[statement.document];
        let holds = facts.standing == Standing::Current && !facts.is_draft;
        holds
            && matches!(
                statement.form,
                StatementForm::Sentence | StatementForm::Item
            )
            && stands_by_itself(self.text(at))
            && force(self.text(at)) != Force::Supposed
    }
}

/// Whether a text is a whole sentence with a verb that points to nothing before it.
pub fn stands_by_itself(text: &str) -> bool {
    let text = without_number(text.trim());
    let all = tokens(text);
    let ends = text.ends_with('.') || text.ends_with(".”") || text.ends_with(".\"");
    let first = all.first();
    let begins = first.is_some_and(|word| {
        (word.is_capital || word.small.starts_with(|char: char| char.is_ascii_digit()))
            && !POINTERS.contains(&word.small.as_str())
            && word.span.start <= 2
    });
    let is_verb = |word: &Token| {
        is_form_of_be(&word.small)
            || VERBS.contains(&word.small.as_str())
            || is_participle(&word.small)
    };
    let opening = text.split_whitespace().next().unwrap_or_default();
    let is_label = opening.ends_with(':') || text.starts_with('[') || text.starts_with('>');
    ends && begins
        && !is_label
        && !text.contains(" | ")
        && !is_data(text)
        && !is_in_capitals(text)
        && (WORDS_MIN..=WORDS_MAX).contains(&all.len())
        && all.iter().skip(1).any(is_verb)
        && !points_inside(&all)
}

/// A pronoun for somebody or something that no earlier word of the sentence can mean: it comes among the first words.
pub(crate) fn points_inside(all: &[Token]) -> bool {
    let pronouns = ["it", "they", "them", "this", "these", "those"];
    let mut early = all.iter().take(7).skip(1);
    let is_early = early.any(|word| pronouns.contains(&word.small.as_str()));
    // `he` needs somebody who was named in the sentence.
    let is_far = all.iter().any(|word| word.small == "them");
    let people = ["he", "she", "him", "her", "his"];
    let person = all
        .iter()
        .position(|word| people.contains(&word.small.as_str()));
    let is_name = |word: &Token| word.is_capital && word.small.len() > 2;
    let is_named = person.is_none_or(|at| all[..at].iter().skip(1).any(is_name));
    is_early || is_far || !is_named
}

/// Whether a text is a clause with a verb that begins with what it speaks of.
pub fn is_clause(text: &str) -> bool {
    let text = without_number(text.trim());
    let all = tokens(text);
    let is_verb = |word: &Token| {
        is_form_of_be(&word.small)
            || VERBS.contains(&word.small.as_str())
            || is_participle(&word.small)
    };
    let first = all.first();
    first.is_some_and(|word| word.is_capital && !POINTERS.contains(&word.small.as_str()))
        && all.iter().skip(1).any(is_verb)
        && !is_data(text)
}

/// Whether a text is a title in capitals.
fn is_in_capitals(text: &str) -> bool {
    let capitals = text
        .split_whitespace()
        .filter(|word| word.len() > 3 && word.chars().all(|char| char.is_uppercase()));
    capitals.count() >= CAPITALS_MAX
}

/// Without the number of its clause.
pub(crate) fn without_number(text: &str) -> &str {
    let Some((first, rest)) = text.split_once(' ') else {
        return text;
    };
    let is_number = first.starts_with(|char: char| char.is_ascii_digit())
        && first.contains('.')
        && first
            .chars()
            .all(|char| char.is_ascii_digit() || char == '.');
    if is_number { rest.trim_start() } else { text }
}
