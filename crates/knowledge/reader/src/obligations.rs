//! Who owes what until when, and whether the documents show that it was done.

use std::collections::HashMap;
use std::ops::Range;

use adjutant_text::dates::Date;
use adjutant_text::sentences::sentences;

use crate::action_rows::{Listed, State, addressed, is_to_come};
use crate::document_facts::Standing;
use crate::due::{DueIn, due_in};
use crate::duty::{Duty, Place, SCORE_MIN, duty_in};
use crate::reading::Reading;
use crate::reports::{Act, Places};
use crate::speakers::{Speakers, speakers};
use crate::statement::{Cell, StatementForm};
use crate::terms::Term;
use crate::tokens::{points_back, tokens};

/// A single act that somebody owes. All ranges are bytes of the text of the document that it stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct Obligation {
    /// As written, or who is meant by `I`, `we` and `you`; nothing if the documents do not say.
    pub who: Option<String>,
    pub what: Range<usize>,
    pub due: Option<Due>,
    /// Where it stands.
    pub statement: usize,
    /// Where else it stands.
    pub also: Vec<usize>,
    pub status: Status,
    /// How surely it is one: the highest first.
    pub score: f64,
}

/// When it is due, as written, and the last day of that time if the words give one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub words: Range<usize>,
    pub date: Option<Date>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// By what this statement reports.
    Fulfilled {
        by: usize,
    },
    Open,
    /// Due before today, and nothing fulfils it.
    Overdue,
}

/// A row of an action table, and an item of an action list.
const LISTED_ROW: f64 = 4.0;
const LISTED_ITEM: f64 = 3.0;
/// What a sentence loses in a document of rules, which hold always, and in one that is replaced.
const RULE: f64 = -1.5;
/// What a party of a contract loses for an act that an event calls for.
const PARTY: f64 = -0.7;
const REPLACED: f64 = -0.3;
/// What it gains under a heading of decisions.
const DECIDED: f64 = 0.5;
/// What documents of rules are called, and documents of one occasion.
const RULES: &[&str] = &[
    "act",
    "amendment",
    "agreement",
    "architecture",
    "charter",
    "code",
    "contract",
    "directive",
    "guide",
    "guidance",
    "guideline",
    "handbook",
    "instruction",
    "instructions",
    "law",
    "leaflet",
    "manual",
    "patent",
    "plan",
    "policy",
    "procedure",
    "protocol",
    "regulation",
    "regulations",
    "requirements",
    "rules",
    "schedule",
    "specification",
    "standard",
    "terms",
    "information",
];
const OCCASIONS: &[&str] = &[
    "action", "actions", "audit", "chat", "letter", "log", "mail", "memo", "meeting", "minutes",
    "notes", "report", "response",
];
const DECISIONS: &[&str] = &[
    "decision",
    "decisions",
    "resolution",
    "resolutions",
    "resolved",
    "agreed",
    "conclusions",
    "outcome",
    "conditions",
    "commitments",
    "actions",
    "steps",
];
/// Columns whose cells say what is done.
const MEASURES: &[&str] = &[
    "agency",
    "result",
    "discussion",
    "answer",
    "mitigation",
    "measure",
    "measures",
    "action",
    "actions",
    "next",
    "plan",
    "response",
    "treatment",
    "comment",
    "comments",
    "remark",
    "remarks",
    "position",
    "point",
    "outcome",
    "conclusion",
];
/// With fewer words that carry meaning, a sentence does not say what is owed.
const SELF_EXPLAINING: usize = 2;
/// A statement with more words is no sentence.
const WORDS_MAX: usize = 60;
/// More obligations with a term than this are not compared by it.
const COMPARED: usize = 200;
/// Two acts with this share of common words are one.
const SAME: f64 = 0.7;

/// What words stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rule,
    Occasion,
    /// A cell that says what is done.
    Measure,
}

struct Found {
    obligation: Obligation,
    act: Act,
    state: Option<State>,
    code: Option<String>,
}

impl Reading<'_> {
    /// The single acts that the documents lay on somebody, as of `today`, the surest first. What is stated in several places is one.
    pub fn obligations(&self, today: Date) -> Vec<Obligation> {
        let people: Vec<Speakers> = self
            .given
            .iter()
            .map(|one| speakers(one.document))
            .collect();
        let rules: Vec<bool> = (0..self.given.len())
            .map(|document| self.is_of_rules(document))
            .collect();
        let mut found = Vec::new();
        for at in 0..self.statements.len() {
            let document = self.statements[at].document;
            found.extend(self.owed(at, &people[document], rules[document]));
        }
        let mut found = self.merged(found);
        let acts: Vec<Act> = found.iter().map(|one| one.act.clone()).collect();
        let places = self.places(&acts);
        found.retain(|one| one.state != Some(State::Dropped));
        let mut all: Vec<Obligation> = found
            .into_iter()
            .map(|one| self.judged(one, &places, today))
            .collect();
        all.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.statement.cmp(&b.statement))
        });
        all
    }

    /// What a statement lays on somebody.
    fn owed(&self, at: usize, people: &Speakers, is_rule: bool) -> Vec<Found> {
        let statement = &self.statements[at];
        let text = self.text(at);
        // An answer's quotation is the words of another document.
        if statement.form == StatementForm::Code || text.starts_with('>') {
            return Vec::new();
        }
        if statement.form == StatementForm::Row {
            let one = match self.listed_in_row(at) {
                Some(listed) => Some(self.of_list(at, listed, LISTED_ROW)),
                None => self.in_cells(at, people),
            };
            return one.into_iter().collect();
        }
        // A list in a document of rules is one that is gone through every time.
        if !is_rule && let Some(listed) = self.listed_in_item(at) {
            return vec![self.of_list(at, listed, LISTED_ITEM)];
        }
        if self.indexed[at].words > WORDS_MAX || text.starts_with("From:") {
            return Vec::new();
        }
        let start = statement.span.start + numbering(text);
        let pieces = self.dated_pieces(statement.document, &(start..statement.span.end));
        pieces
            .iter()
            .filter_map(|own| {
                self.of_sentence(
                    at,
                    own,
                    people,
                    if is_rule { Kind::Rule } else { Kind::Occasion },
                )
            })
            .collect()
    }

    /// `First draft by May, final report by July`: one piece each; otherwise the whole.
    fn dated_pieces(&self, document: usize, own: &Range<usize>) -> Vec<Range<usize>> {
        let text = self.range(document, own);
        let written = self.facts[document].date;
        let mut pieces = Vec::new();
        let mut start = own.start;
        for piece in text.split(", ") {
            pieces.push(start..start + piece.len());
            start += piece.len() + 2;
        }
        let dated = |piece: &Range<usize>| {
            let text = self.range(document, piece);
            due_in(text, written).is_some_and(|due| due.date.is_some()) && tokens(text).len() >= 4
        };
        let is_clause = |piece: &Range<usize>| {
            let first = tokens(self.range(document, piece)).into_iter().next();
            first.is_none_or(|word| {
                matches!(
                    word.small.as_str(),
                    "which" | "who" | "that" | "and" | "but" | "where" | "when"
                )
            })
        };
        match pieces.len() > 1 && pieces.iter().all(dated) && !pieces.iter().any(is_clause) {
            true => pieces,
            false => vec![own.clone()],
        }
    }

    /// Cells with a duty of their own, such as a measure with its time.
    fn in_cells(&self, at: usize, people: &Speakers) -> Option<Found> {
        let statement = &self.statements[at];
        let long = |range: &&Range<usize>| {
            self.range(statement.document, range)
                .split_whitespace()
                .count()
                >= 4
        };
        let is_measure = |cell: &&Cell| {
            let head = cell
                .head
                .as_ref()
                .map_or("", |head| self.range(statement.document, head));
            tokens(head)
                .iter()
                .any(|word| MEASURES.contains(&word.small.as_str()))
                || head.is_empty()
        };
        let mut cells = statement
            .cells
            .iter()
            .filter(is_measure)
            .map(|cell| &cell.value)
            .filter(long);
        let mut found = cells.find_map(|cell| {
            self.sentences_of(at, cell)
                .iter()
                .find_map(|own| self.of_sentence(at, own, people, Kind::Measure))
        })?;
        let owner = |cell: &&Cell| {
            let head = cell
                .head
                .as_ref()
                .map(|head| self.range(statement.document, head).to_lowercase());
            head.is_some_and(|head| head == "owner" || head == "who" || head == "responsible")
        };
        let owner = statement
            .cells
            .iter()
            .find(owner)
            .map(|cell| self.range(statement.document, &cell.value).to_owned());
        found.obligation.who = owner.or(found.obligation.who);
        Some(found)
    }

    /// The sentences of a cell.
    fn sentences_of(&self, at: usize, cell: &Range<usize>) -> Vec<Range<usize>> {
        let found = sentences(self.range(self.statements[at].document, cell)).into_iter();
        found
            .map(|own| cell.start + own.start..cell.start + own.end)
            .collect()
    }

    fn of_list(&self, at: usize, listed: Listed, score: f64) -> Found {
        let document = self.statements[at].document;
        let who = listed.who.unwrap_or_default();
        let act = self.act(document, &listed.what, &who);
        let due = listed.due.map(|due| Due {
            words: due.span,
            date: due.date.map(Date::last_day),
        });
        Found {
            obligation: Obligation {
                who: Some(who).filter(|who| !who.is_empty()),
                what: listed.what,
                due,
                statement: at,
                also: Vec::new(),
                status: Status::Open,
                score,
            },
            act,
            state: listed.state,
            code: listed.code,
        }
    }

    fn of_sentence(
        &self,
        at: usize,
        range: &Range<usize>,
        people: &Speakers,
        kind: Kind,
    ) -> Option<Found> {
        let statement = &self.statements[at];
        let document = statement.document;
        let text = self.range(document, range);
        let written = self.facts[document].date;
        let place = match kind {
            Kind::Measure => Place::Measure,
            Kind::Rule | Kind::Occasion => Place::Sentence,
        };
        let duty = duty_in(text, written, place)?;
        let score = duty.score + self.standing_points(at, text, &duty, kind);
        if score < SCORE_MIN {
            return None;
        }
        let moved = |own: &Range<usize>| range.start + own.start..range.start + own.end;
        let called = addressed(text, &self.given[document].document.text).map(str::to_owned);
        let who = called.filter(|_| duty.subject.is_none()).or_else(|| {
            self.who(
                at,
                duty.subject.as_ref().map(|own| &text[own.clone()]),
                duty.is_request,
                people,
            )
        });
        let what = self.meant(at, range, moved(&duty.what));
        let act = self.act(document, &what, who.as_deref().unwrap_or_default());
        let due = duty.due.map(|DueIn { span, date, .. }| Due {
            words: moved(&span),
            date: date.map(Date::last_day),
        });
        Some(Found {
            obligation: Obligation {
                who,
                what,
                due,
                statement: at,
                also: Vec::new(),
                status: Status::Open,
                score,
            },
            act,
            state: None,
            code: None,
        })
    }

    /// `M. Frey will send it`: the sentence before says what.
    fn meant(&self, at: usize, range: &Range<usize>, what: Range<usize>) -> Range<usize> {
        let own = &self.statements[at];
        let before = at.checked_sub(1).map(|before| &self.statements[before]);
        let before = before.filter(|before| {
            before.document == own.document
                && before.block == own.block
                && *range == own.span
                && points_back(self.text(at))
        });
        match before {
            Some(before) if self.act(own.document, &what, "").terms.len() < SELF_EXPLAINING => {
                before.span.start..what.end
            }
            _ => what,
        }
    }

    /// What a duty gains and loses by where it stands.
    fn standing_points(&self, at: usize, text: &str, duty: &Duty, kind: Kind) -> f64 {
        let statement = &self.statements[at];
        let facts = &self.facts[statement.document];
        let due = duty.due.as_ref().and_then(|due| due.date);
        let is_dated = due.is_some_and(|date| is_to_come(date, facts.date));
        let of_kind = match kind {
            Kind::Rule if !is_dated && self.is_of_party(text, duty) => PARTY,
            Kind::Rule if !is_dated => RULE,
            _ => 0.0,
        };
        let of_version = match facts.standing {
            Standing::ReplacedBy(_) => REPLACED,
            Standing::Current => 0.0,
        };
        let mut above = statement
            .headings
            .last()
            .into_iter()
            .chain(&statement.leads);
        let is_decided = above.any(|range| {
            let words = tokens(self.range(statement.document, range));
            words
                .iter()
                .any(|word| DECISIONS.contains(&word.small.as_str()))
        });
        of_kind + of_version + if is_decided { DECIDED } else { 0.0 }
    }

    /// `Within 10 days of the event the Supplier shall send`: a party, a limit and an act.
    fn is_of_party(&self, text: &str, duty: &Duty) -> bool {
        let subject = duty.subject.as_ref().map_or("", |own| &text[own.clone()]);
        let party = subject
            .split_whitespace()
            .skip(1)
            .last()
            .is_some_and(|word| word.starts_with(char::is_uppercase));
        party && duty.due.is_some() && text.contains("shall")
    }

    /// Who is meant by the subject of a sentence.
    fn who(
        &self,
        at: usize,
        subject: Option<&str>,
        is_request: bool,
        people: &Speakers,
    ) -> Option<String> {
        let small = subject.map(str::to_lowercase);
        match small.as_deref() {
            Some("i" | "we") => people.from.clone(),
            Some("you") => people.to.clone(),
            Some("he" | "she" | "they" | "it") => self.named_before(at),
            Some(_) => subject.map(str::to_owned),
            None if is_request => people.to.clone(),
            None => None,
        }
    }

    /// The person whom this statement or the one before it names first.
    fn named_before(&self, at: usize) -> Option<String> {
        let before = at
            .checked_sub(1)
            .filter(|before| self.statements[*before].block == self.statements[at].block);
        [Some(at), before].into_iter().flatten().find_map(|at| {
            let text = self.text(at);
            let all = tokens(text);
            let two = all.windows(2).find(|two| {
                two[0].is_capital && two[1].is_capital && two[1].span.start - two[0].span.end <= 2
            })?;
            Some(text[two[0].span.start..two[1].span.end].to_owned())
        })
    }

    /// Whether a document lays down what holds always.
    pub(crate) fn is_of_rules(&self, document: usize) -> bool {
        let given = &self.given[document];
        let file = given
            .name
            .rsplit('/')
            .next()
            .unwrap_or(given.name)
            .replace(['-', '_', '.'], " ");
        let title = given.document.title.as_deref().unwrap_or_default();
        let has = |text: &str, list: &[&str]| {
            tokens(text)
                .iter()
                .any(|word| list.contains(&word.small.as_str()))
        };
        let is_mail = given.document.kind == adjutant_knowledge_index::DocumentKind::Email;
        !is_mail
            && !has(&file, OCCASIONS)
            && (has(&file, RULES) || has(title, RULES) && !has(title, OCCASIONS))
    }

    /// Obligations that several statements state, each once.
    fn merged(&self, found: Vec<Found>) -> Vec<Found> {
        let mut kept: Vec<Found> = Vec::new();
        let mut by_term: HashMap<Term, Vec<usize>> = HashMap::new();
        for one in found {
            let lists = one
                .act
                .terms
                .iter()
                .filter_map(|(term, _)| by_term.get(term))
                .filter(|list| list.len() <= COMPARED);
            let near = lists.flatten();
            let same = near.copied().find(|at| self.is_same(&kept[*at], &one));
            match same {
                Some(at) => self.join(&mut kept[at], one),
                None => {
                    for term in one.act.terms.iter().map(|(term, _)| *term) {
                        by_term.entry(term).or_default().push(kept.len());
                    }
                    kept.push(one);
                }
            }
        }
        kept
    }

    fn is_same(&self, a: &Found, b: &Found) -> bool {
        let dates = (
            a.obligation.due.as_ref().and_then(|due| due.date),
            b.obligation.due.as_ref().and_then(|due| due.date),
        );
        let coded = a.code.is_some() && a.code == b.code;
        let same_date = match dates {
            (Some(one), Some(other)) => one == other || coded,
            _ => true,
        };
        let common: f64 = a
            .act
            .terms
            .iter()
            .filter(|(term, _)| b.act.terms.iter().any(|(own, _)| own == term))
            .map(|(_, weight)| weight)
            .sum();
        let smaller = a.act.total.min(b.act.total).max(f64::MIN_POSITIVE);
        let larger = a.act.total.max(b.act.total).max(f64::MIN_POSITIVE);
        let needed = if coded { SAME / 2.0 } else { SAME };
        same_date
            && (common / larger >= needed
                || common / smaller >= 0.9 && a.act.terms.len().min(b.act.terms.len()) >= 3)
    }

    /// The later of two statements tells the state and the date; the surer one tells the rest.
    fn join(&self, kept: &mut Found, other: Found) {
        let date = |at: usize| self.facts[self.statements[at].document].date;
        let later = date(other.obligation.statement) >= date(kept.obligation.statement);
        if later && other.state.is_some() || kept.state.is_none() {
            kept.state = other.state.or(kept.state);
        }
        kept.code = kept.code.take().or(other.code);
        let mut own = other.obligation;
        let swap = own.score > kept.obligation.score || later && own.score >= kept.obligation.score;
        if swap {
            std::mem::swap(&mut own, &mut kept.obligation);
            kept.act = other.act;
        }
        kept.obligation.due = kept.obligation.due.take();
        kept.obligation.who = kept.obligation.who.take().or(own.who);
        kept.obligation.also.push(own.statement);
        kept.obligation.also.append(&mut own.also);
    }

    fn judged(&self, found: Found, places: &Places, today: Date) -> Obligation {
        let mut own = found.obligation;
        let document = self.statements[own.statement].document;
        let mut stated = own.also.clone();
        stated.push(own.statement);
        let done = match found.state {
            Some(State::Done) => Some(own.statement),
            Some(_) => None,
            None => self.done(
                &found.act,
                places,
                &stated,
                self.facts[document].date,
                today,
            ),
        };
        let is_over = own
            .due
            .as_ref()
            .and_then(|due| due.date)
            .is_some_and(|date| date < today);
        own.status = match done {
            Some(by) => Status::Fulfilled { by },
            None if is_over => Status::Overdue,
            None => Status::Open,
        };
        own
    }
}

/// How long the number or letter before a clause is: `5.1 `, `(a) `, `b) `.
fn numbering(text: &str) -> usize {
    let mark = text.split(' ').next().unwrap_or_default();
    let inner = mark.trim_matches(['(', ')', '.']);
    let is_number = !inner.is_empty()
        && inner.len() <= 6
        && inner
            .chars()
            .all(|char| char.is_ascii_digit() || char == '.')
        && mark.len() > inner.len() + usize::from(!inner.contains('.')) - 1;
    let is_letter = inner.len() == 1 && mark.ends_with(')');
    if is_number || is_letter {
        (mark.len() + 1).min(text.len())
    } else {
        0
    }
}
