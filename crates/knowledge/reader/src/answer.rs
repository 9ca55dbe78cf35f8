//! A question answered out of the statements, or not at all.

use std::ops::Range;

use crate::confidence::{ANSWERED_MIN, Signs};
use crate::document_facts::Standing;
use crate::question::{Asked, Question};
use crate::ranking::{Held, Hit, Sought, sort};
use crate::reading::Reading;
use crate::terms::Term;
use crate::wanted::counts;
use crate::words::words;

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Answered,
    NotFound,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub verdict: Verdict,
    /// The best first.
    pub quotes: Vec<Quote>,
    /// How likely it is that they answer the question, from 0 to 1: learned from questions whose answers are known.
    pub fit: f64,
    /// Words of the question that nothing near the best one has.
    pub missing: Vec<String>,
}

/// A statement that answers, letter for letter.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    pub document: usize,
    pub span: Range<usize>,
    /// The statement with its lead-in, the items it introduces, its paragraph, and what stands directly before and after.
    pub context: Range<usize>,
    pub statement: usize,
    pub score: f64,
}

/// What a context is widened by: the rest of the paragraph, or one statement beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Paragraph,
    Beside,
}

/// How long a statement may be with its context.
const CONTEXT_BYTES_MAX: usize = 700;
/// How much more a statement counts that gives a reason where one is asked for.
const REASON: f64 = 1.15;
const REASONS: &[&str] = &[
    "because",
    "since",
    "due",
    "reason",
    "reasons",
    "therefore",
    "so",
    "owing",
    "caused",
    "cause",
    "led",
    "result",
    "given",
    "as",
];
/// Words that say whether something is allowed, done or so.
const MODALITIES: &[&str] = &[
    "must",
    "may",
    "shall",
    "can",
    "cannot",
    "not",
    "no",
    "without",
    "only",
    "never",
    "unless",
    "allowed",
    "permitted",
    "required",
    "forbidden",
    "prohibited",
    "yes",
    "none",
    "neither",
    "subject",
];
/// Fewer words hardly state anything.
const WORDS_MIN: usize = 3;
const QUOTES_MAX: usize = 3;
/// How many statements before and after one its context may have.
const NEIGHBOURS_MAX: usize = 12;
/// A further statement must be nearly as good as the best.
const AS_GOOD: f64 = 0.7;
const CANDIDATES_MAX: usize = 300;
/// Factors on the score of a statement without a value of the wanted kind, without a name of the question, without a word
/// that no document has, in a replaced document, and in a draft.
const NO_VALUE: f64 = 0.6;
const NOT_NAMED: f64 = 0.75;
const UNKNOWN: f64 = 0.8;
const NOT_SPECIFIC: f64 = 0.85;
const REPLACED: f64 = 0.8;
const DRAFT: f64 = 0.9;
/// How much more a statement counts where words stand together that do so in the question.
const TOGETHER: f64 = 0.08;
/// Factors for a statement that does not have the noun that is asked for, and for one where it only stands near.
const NOT_ASKED: f64 = 0.8;
const ASKED_NEAR: f64 = 0.92;
/// A statement has the noun that is asked for if it, or what stands around it, has it this well.
const HELD_MIN: f64 = 0.3;
/// Factor for a statement that counts what is asked for, and what the oldest document loses.
const COUNTED: f64 = 1.15;
const RECENT: f64 = 0.06;
/// How many statements are looked at for codes, how many statements may have one, and what they keep of the score.
const FOLLOWED_MAX: usize = 6;
const CODE_SPREAD_MAX: u32 = 80;
const FOLLOWED: f64 = 0.75;

impl Reading<'_> {
    /// The statements that bear on a question, best first.
    fn ranked(&self, question: &Question, sought: &[Sought], held: &Held) -> Vec<Hit> {
        let mut hits = self.hits(sought, held);
        hits.truncate(CANDIDATES_MAX);
        for hit in &mut hits {
            let kept = self.fitness(question, hit) * self.named(sought, held, hit.statement);
            let together = self.together(sought, hit.statement);
            let asked = self.heads(question, sought, held, hit.statement);
            hit.score *= kept * asked * (1.0 + TOGETHER * together);
        }
        self.follow(question, &mut hits);
        sort(&mut hits);
        hits
    }

    /// Where a statement that fits well has no value of the wanted kind and names a code, such as `AI-03`, the value may
    /// stand with another statement of that code: it counts nearly as much as the one that led there.
    fn follow(&self, question: &Question, hits: &mut Vec<Hit>) {
        if !question.wants_value() {
            return;
        }
        sort(hits);
        let mut found: Vec<Hit> = Vec::new();
        for hit in hits.iter().take(FOLLOWED_MAX) {
            if self.has_wanted(question, hit.statement) {
                continue;
            }
            for term in self.codes(hit.statement) {
                let has = |at: &usize| self.indexed[*at].own.binary_search(&term).is_ok();
                let all = (0..self.statements.len()).filter(has);
                let fitting = all.filter(|at| self.has_wanted(question, *at));
                found
                    .extend(fitting.map(|statement| self.followed(question, hit, statement, hits)));
            }
        }
        for one in found {
            match hits.iter_mut().find(|hit| hit.statement == one.statement) {
                Some(hit) if hit.score < one.score => *hit = one,
                Some(_) => {}
                None => hits.push(one),
            }
        }
    }

    /// What a statement counts that another one leads to.
    fn followed(&self, question: &Question, from: &Hit, statement: usize, hits: &[Hit]) -> Hit {
        let own = hits.iter().find(|hit| hit.statement == statement);
        let score = own.map_or(0.0, |own| own.score);
        let from = from.score / NO_VALUE;
        let mut hit = Hit {
            statement,
            score: from * (FOLLOWED + (1.0 - FOLLOWED) * (score / from).min(1.0)),
        };
        hit.score *= self.fitness(question, &hit);
        hit
    }

    /// The codes and short forms in a statement, if not many statements have them.
    fn codes(&self, statement: usize) -> Vec<Term> {
        let codes = codes(self.text(statement)).into_iter();
        let terms = codes.filter_map(|code| self.terms.of(&code.to_lowercase()));
        terms
            .filter(|term| self.spread[*term as usize] <= CODE_SPREAD_MAX)
            .collect()
    }

    /// The statements nearest to a question, each text once, the best first, whether they answer it or not.
    pub fn nearest(&self, question: &Question, most: usize) -> Vec<Quote> {
        let sought = self.sought(&question.text);
        let held = self.held(&sought);
        self.quotes(&self.ranked(question, &sought, &held), most)
    }

    pub fn answer(&self, question: &Question) -> Answer {
        let sought = self.sought(&question.text);
        let held = self.held(&sought);
        let mut hits = self.ranked(question, &sought, &held);
        let best = hits.first().map_or(0.0, |hit| hit.score);
        let missing = missing(hits.first(), &sought, &held);
        let signs = self.signs_of(question, &sought, &held, &hits);
        let fit = signs.map_or(0.0, |signs| signs.probability());
        hits.retain(|hit| hit.score >= best * AS_GOOD);
        let quotes = self.quotes(&hits, QUOTES_MAX);
        let verdict = match fit >= ANSWERED_MIN {
            true => Verdict::Answered,
            false => Verdict::NotFound,
        };
        Answer {
            verdict,
            quotes,
            fit,
            missing,
        }
    }

    /// What the verdict on a question rests on; nothing if no statement bears on it.
    pub fn signs(&self, question: &Question) -> Option<Signs> {
        let sought = self.sought(&question.text);
        let held = self.held(&sought);
        let hits = self.ranked(question, &sought, &held);
        self.signs_of(question, &sought, &held, &hits)
    }

    fn quotes(&self, hits: &[Hit], most: usize) -> Vec<Quote> {
        let mut quotes: Vec<Quote> = Vec::new();
        for hit in hits {
            if quotes.len() == most {
                break;
            }
            let statement = &self.statements[hit.statement];
            let is_told = |quote: &Quote| {
                let within = quote.document == statement.document
                    && quote.context.start <= statement.span.start
                    && statement.span.end <= quote.context.end;
                within || self.text(quote.statement) == self.text(hit.statement)
            };
            if quotes.iter().any(is_told) {
                continue;
            }
            quotes.push(Quote {
                document: statement.document,
                span: statement.span.clone(),
                context: self.context(hit.statement),
                statement: hit.statement,
                score: hit.score,
            });
        }
        quotes
    }

    /// The statements that are quoted whole with this one, itself first.
    pub(crate) fn quoted_with(&self, at: usize) -> Vec<usize> {
        let document = self.statements[at].document;
        let context = self.context(at);
        let first = at.saturating_sub(NEIGHBOURS_MAX);
        let last = (at + NEIGHBOURS_MAX).min(self.statements.len() - 1);
        let within = |other: &usize| {
            let other = &self.statements[*other];
            other.document == document
                && context.start <= other.span.start
                && other.span.end <= context.end
        };
        let others = (first..=last).filter(|other| *other != at && within(other));
        [at].into_iter().chain(others).collect()
    }

    /// A statement with its lead-in, the items it introduces, its paragraph, and what stands directly before and after that in
    /// the section, as far as there is room.
    fn context(&self, at: usize) -> Range<usize> {
        let own = &self.statements[at];
        let mut range = own.span.clone();
        let short = |range: &Range<usize>| range.len() <= CONTEXT_BYTES_MAX;
        // A lead-in, with what it introduces.
        for other in self.statements[at + 1..].iter() {
            let follows = other.document == own.document && other.leads.contains(&own.span);
            let wider = range.start..other.span.end;
            if !follows || !short(&wider) {
                break;
            }
            range = wider;
        }
        if let Some(lead) = own.leads.last() {
            let wider = lead.start..range.end;
            if short(&wider) {
                range = wider;
            }
        }
        if own.cells.is_empty() {
            for reach in [Reach::Paragraph, Reach::Beside] {
                range = self.widened(at, range, reach, 1);
                range = self.widened(at, range, reach, -1);
            }
        }
        range
    }

    /// A range with what follows a statement, or stands before it, as far as there is room.
    fn widened(
        &self,
        at: usize,
        mut range: Range<usize>,
        reach: Reach,
        step: isize,
    ) -> Range<usize> {
        let own = &self.statements[at];
        let mut place = at;
        while let Some(next) = place.checked_add_signed(step) {
            let Some(other) = self.statements.get(next) else {
                break;
            };
            let same_section = other.document == own.document && other.headings == own.headings;
            let reached = same_section
                && other.cells.is_empty()
                && (reach == Reach::Beside || other.block == own.block);
            let wider = range.start.min(other.span.start)..range.end.max(other.span.end);
            if !reached || wider.len() > CONTEXT_BYTES_MAX {
                break;
            }
            place = next;
            if wider != range {
                range = wider;
                if reach == Reach::Beside {
                    break;
                }
            }
        }
        range
    }

    /// How much of its score a statement keeps that does not have a name or a number of the question, or what no document
    /// has: that is likely to be what is asked about.
    fn named(&self, sought: &[Sought], held: &Held, statement: usize) -> f64 {
        let missing = sought
            .iter()
            .enumerate()
            .filter(|(at, _)| held.all(statement, *at) == 0.0);
        missing.fold(1.0, |kept, (_, word)| match () {
            () if word.is_name => kept * NOT_NAMED,
            () if word.is_everyday => kept,
            () if word.terms.is_empty() && !word.is_compound => kept * UNKNOWN,
            () => kept * NOT_SPECIFIC,
        })
    }

    /// How much of its score a statement keeps that does not have the noun that is asked for.
    fn heads(&self, question: &Question, sought: &[Sought], held: &Held, statement: usize) -> f64 {
        let Some(head) = &question.head else {
            return 1.0;
        };
        let place = sought.iter().position(|word| {
            word.word
                .to_lowercase()
                .split(['-', ' '])
                .any(|part| part == head)
        });
        match place {
            Some(at) if held.all(statement, at) < HELD_MIN => NOT_ASKED,
            Some(at) if held.own(statement, at) < HELD_MIN => ASKED_NEAR,
            _ => 1.0,
        }
    }

    /// How much of its score a statement keeps, for what it is and where it stands.
    fn fitness(&self, question: &Question, hit: &Hit) -> f64 {
        let statement = &self.statements[hit.statement];
        let facts = &self.facts[statement.document];
        let mut fitness = 1.0;
        if matches!(facts.standing, Standing::ReplacedBy(_)) {
            fitness *= REPLACED;
        } else if facts.is_draft {
            fitness *= DRAFT;
        }
        let text = self.text(hit.statement);
        if !self.has_wanted(question, hit.statement) {
            fitness *= NO_VALUE;
        } else if let Some(counted) = &question.counted {
            fitness *= if counts(text, counted) { COUNTED } else { 1.0 };
        }
        fitness *= 1.0 - RECENT * (1.0 - self.newness[statement.document]);
        let says_how = match question.asked {
            Asked::Why => REASONS,
            Asked::Whether => MODALITIES,
            _ => &[],
        };
        let small = text.to_lowercase();
        let mut words = words(&small).into_iter();
        if words.any(|word| says_how.contains(&&small[word])) {
            fitness *= REASON;
        }
        if text.trim_end().ends_with('?') {
            fitness *= NO_VALUE;
        }
        if self.indexed[hit.statement].words < WORDS_MIN {
            fitness *= NO_VALUE;
        }
        fitness
    }
}

/// The words that a statement and what it stands under do not have; without a statement, all.
fn missing(best: Option<&Hit>, sought: &[Sought], held: &Held) -> Vec<String> {
    let is_missing = |at: usize| best.is_none_or(|hit| held.all(hit.statement, at) == 0.0);
    let missing = sought.iter().enumerate().filter(|(at, _)| is_missing(*at));
    missing.map(|(_, word)| word.word.clone()).collect()
}

/// The codes and short forms in a text: words of capitals and digits, such as `AI-03` and `RTO`.
fn codes(text: &str) -> Vec<&str> {
    let all = words(text).into_iter().map(|word| &text[word]);
    all.filter(|word| {
        word.starts_with(|char: char| char.is_ascii_uppercase())
            && word.len() > 1
            && !word.contains(|char: char| char.is_lowercase())
    })
    .collect()
}
