//! Whether a sentence lays a single act on somebody, and how surely.
//!
//! Grammar only: an auxiliary of duty or future with a verb of acting, a request, a thing that is due, or an act that is set for a
//! time to come. What is no single act (a rule for all cases, a state, a forecast, a condition) scores too low to be told.

use std::ops::Range;

use adjutant_text::dates::Date;

use crate::due::{DueIn, due_in};
use crate::tokens::{Token, is_denial, is_form_of_be, is_participle, tokens, verb_after};
use crate::verbs::{is_act, is_handing_over, is_state};

/// A duty that a sentence states. Ranges are of the sentence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Duty {
    /// What the sentence names as who acts; nothing in the passive.
    pub(crate) subject: Option<Range<usize>>,
    pub(crate) what: Range<usize>,
    pub(crate) due: Option<DueIn>,
    pub(crate) score: f64,
    /// The one who is spoken to has to act: `please send`.
    pub(crate) is_request: bool,
}

/// How a sentence says that something has to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// `will send`, `shall send`, `has to send`, `undertakes to send`.
    Active,
    /// `will be sent`, `is to be sent`, `to be sent`.
    Passive,
    /// `is due on`, `is expected before`.
    Due,
    /// `please send`, `asked for`, `ask you to`.
    Request,
    /// `is carried out by 31 August`: only with a time that is still to come.
    Set,
    /// `first draft by 31 August`: no verb at all, and a time that is still to come.
    Fragment,
}

/// What is asked for in order to be read.
const READABLE: &[&str] = &[
    "analysis",
    "answer",
    "breakdown",
    "calculation",
    "copy",
    "data",
    "estimate",
    "evidence",
    "explanation",
    "figures",
    "forecast",
    "information",
    "list",
    "memo",
    "note",
    "opinion",
    "overview",
    "paper",
    "plan",
    "proof",
    "proposal",
    "rating",
    "report",
    "response",
    "statement",
    "summary",
    "update",
];
const MODALS: &[&str] = &["will", "shall", "must"];
/// Words before `to` and a verb.
const BOUND: &[&str] = &[
    "undertakes",
    "undertake",
    "undertook",
    "agrees",
    "agreed",
    "promised",
    "promises",
    "commits",
    "committed",
    "obliged",
    "required",
    "asked",
    "requested",
    "instructed",
    "invited",
    "offered",
    "offers",
    "tasked",
    "commissioned",
    "pledged",
    "pledges",
    "directed",
];
/// Words before `to be` where it says what something seems.
const SEEMING: &[&str] = &[
    "seem",
    "seems",
    "seemed",
    "appear",
    "appears",
    "appeared",
    "considered",
    "found",
    "known",
    "said",
    "likely",
    "believed",
    "supposed",
    "thought",
    "reported",
    "shown",
    "assumed",
    "able",
    "continue",
    "continues",
    "need",
    "needs",
    "want",
    "wants",
    "has",
    "have",
    "had",
    "used",
    "order",
    "as",
    "believe",
    "turned",
    "proved",
    "tend",
    "estimated",
    "unlikely",
];
/// What makes a duty one for every case.
const RECURRING: &[&str] = &[
    "each",
    "every",
    "always",
    "any",
    "whenever",
    "annually",
    "yearly",
    "monthly",
    "weekly",
    "daily",
    "quarterly",
    "regularly",
    "usually",
    "normally",
    "generally",
    "per",
    "ever",
    "whoever",
    "continuously",
    "thereafter",
    "routinely",
    "once",
];
const CONDITIONS: &[&str] = &[
    "if",
    "unless",
    "when",
    "should",
    "where",
    "provided",
    "otherwise",
    "case",
];
const UNREAL: &[&str] = &[
    "would",
    "could",
    "might",
    "may",
    "can",
    "perhaps",
    "hopefully",
    "probably",
];
/// Verbs that a fragment does not have.
const FINITE: &[&str] = &[
    "do", "does", "did", "has", "have", "had", "can", "may", "might", "could", "would", "should",
    "runs", "valid", "since",
];
const MEETINGS: &[&str] = &[
    "meeting",
    "meetings",
    "visit",
    "call",
    "session",
    "appointment",
    "ordinary",
    "regular",
];
const FRAGMENT_WORDS: usize = 16;
/// People who are meant by a word for themselves.
const SPEAKERS: &[&str] = &["i", "we"];

/// What is added and taken away, in points; from [`SCORE_MIN`] on a sentence states a duty.
pub(crate) const SCORE_MIN: f64 = 2.5;
const WAY: f64 = 1.0;
const ACT: f64 = 1.0;
const HANDED: f64 = 0.5;
const FRAGMENT: f64 = 0.7;
const MEASURE: f64 = 0.3;
const STATE: f64 = -2.0;
const DATE_AS_LIMIT: f64 = 1.5;
const DATE_AS_TIME: f64 = 0.8;
const LIMIT_IN_WORDS: f64 = 0.7;
const NAMED: f64 = 0.5;
const RECURS: f64 = -1.5;
const CONDITION: f64 = -1.5;
const NOT_REAL: f64 = -1.0;
const DENIED: f64 = -1.5;
const WISH: f64 = -0.5;

/// Where the words stand: a cell that says what is done needs no verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Sentence,
    Measure,
}

/// The duty that a sentence states, however unsure. `written` is the day of its document.
pub(crate) fn duty_in(text: &str, written: Option<Date>, place: Place) -> Option<Duty> {
    let all = tokens(text);
    if all.len() < 3 || text.trim_end().ends_with('?') && !asks_politely(&all) {
        return None;
    }
    let due = due_in(text, written);
    let still = |due: &DueIn| match (due.date, written) {
        (Some(date), Some(written)) => date.last_day() > written,
        _ => true,
    };
    let due = due.filter(still);
    let (way, verb, from) = trigger(text, &all, due.as_ref(), place)?;
    let subject = subject(text, &all, way, from);
    let mut score = score(
        text,
        &all,
        (way, verb, from),
        due.as_ref(),
        subject.as_ref(),
    );
    score += if way == Way::Fragment && place == Place::Measure {
        MEASURE
    } else {
        0.0
    };
    let start = match way {
        Way::Active if subject.is_none() => clause_start(text, &all, from),
        Way::Active | Way::Request => all[verb].span.start,
        Way::Passive | Way::Due | Way::Set | Way::Fragment => clause_start(text, &all, from),
    };
    let what = start
        ..text
            .trim_end_matches(['.', ' ', '*', '\n'])
            .len()
            .max(start);
    Some(Duty {
        subject,
        what,
        due,
        score,
        is_request: way == Way::Request,
    })
}

/// `Could you send me ...?`
pub(crate) fn asks_politely(all: &[Token]) -> bool {
    let second = all.get(1).is_some_and(|word| word.small == "you");
    second && matches!(all[0].small.as_str(), "could" | "would" | "can" | "will")
}

/// How the sentence states a duty, its verb, and the word that begins the statement of it.
fn trigger(
    text: &str,
    all: &[Token],
    due: Option<&DueIn>,
    place: Place,
) -> Option<(Way, usize, usize)> {
    if asks_politely(all) {
        return verb_after(all, 1).map(|verb| (Way::Request, verb, 0));
    }
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    for at in 0..all.len() {
        // `the one who has to report it`: a description.
        if at > 0 && matches!(small(at - 1), "who" | "which") {
            continue;
        }
        let found = match small(at) {
            word if MODALS.contains(&word) || word.ends_with("'ll") => after_modal(all, at),
            "has" | "have" | "needs" | "need" | "is" | "are" if small(at + 1) == "to" => {
                after_modal(all, at + 1).map(|(way, verb, _)| (way, verb, at))
            }
            "to" if small(at + 1) == "be"
                && at > 0
                && !SEEMING.contains(&small(at - 1))
                && !is_form_of_be(small(at - 1)) =>
            {
                after_modal(all, at).filter(|(way, ..)| *way == Way::Passive)
            }
            word if BOUND.contains(&word) && small(at + 1) == "to" => {
                verb_after(all, at + 1).map(|verb| (Way::Active, verb, at))
            }
            "would" if reported(all, at) => after_modal(all, at),
            "due" if due.is_some_and(|due| due.is_limit) && (small(at + 1) != "to") => {
                Some((Way::Due, at, at))
            }
            "expected" | "awaited"
                if at > 0
                    && is_form_of_be(small(at - 1))
                    && due.is_some()
                    && small(at + 1) != "to" =>
            {
                Some((Way::Due, at, at - 1))
            }
            "please" => verb_after(all, at).map(|verb| (Way::Request, verb, at)),
            "let"
                if matches!(small(at + 1), "me" | "us")
                    && (at == 0 || follows_break(text, all, at)) =>
            {
                Some((Way::Request, at, at))
            }
            "ask" | "asks" | "asked" | "requests" | "requested" | "demands" | "demanded" => {
                asked(all, at)
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    set_for_later(all, due, place)
}

fn after_modal(all: &[Token], at: usize) -> Option<(Way, usize, usize)> {
    let verb = verb_after(all, at)?;
    if all[verb].small != "be" {
        return Some((Way::Active, verb, at));
    }
    let next = verb_after(all, verb)?;
    match is_participle(&all[next].small) {
        true => Some((Way::Passive, next, at)),
        false => Some((Way::Active, verb, at)),
    }
}

/// `answered that she would clarify`: what somebody said they will do.
fn reported(all: &[Token], at: usize) -> bool {
    let that = all[..at].iter().rposition(|word| word.small == "that");
    let tells = |word: &Token| {
        matches!(
            word.small.as_str(),
            "answered"
                | "said"
                | "promised"
                | "confirmed"
                | "announced"
                | "replied"
                | "stated"
                | "assured"
        )
    };
    that.is_some_and(|that| at - that <= 3 && all[..that].iter().any(tells))
}

/// `asked for the report`, `asks you to postpone`, not `asked whether`.
fn asked(all: &[Token], at: usize) -> Option<(Way, usize, usize)> {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    // `was asked for`, `as asked for by`: told of the past.
    if at > 0 && (is_form_of_be(small(at - 1)) || matches!(small(at - 1), "as" | "been")) {
        return None;
    }
    if small(at + 1) == "for" {
        return Some((Way::Request, at + 2, at)).filter(|_| at + 2 < all.len());
    }
    if matches!(small(at), "requests" | "demands") && matches!(small(at + 1), "a" | "an" | "the") {
        return Some((Way::Request, at + 1, at));
    }
    let to = (at + 2..(at + 6).min(all.len())).find(|next| small(*next) == "to")?;
    let named = (at + 1..to).all(|word| {
        !matches!(
            small(word),
            "whether" | "why" | "how" | "when" | "who" | "what" | "not" | "which" | "if"
        )
    });
    let verb = verb_after(all, to)?;
    (named && !is_denial(small(to - 1))).then_some((Way::Request, verb, at))
}

/// `Ms Frey presents the plan by 4 May`, `the decision is taken on 4 May`: an act in the present for a time that is to come.
fn set_for_later(all: &[Token], due: Option<&DueIn>, place: Place) -> Option<(Way, usize, usize)> {
    let due = due?;
    let is_next = matches!(all[0].small.as_str(), "next" | "first");
    // A meeting takes place by itself.
    if is_next
        && all
            .get(1)
            .is_some_and(|word| MEETINGS.contains(&word.small.as_str()))
    {
        return None;
    }
    let is_first = is_next || place == Place::Measure;
    // What follows the time does not say what is done.
    let end = all.iter().rposition(|word| word.span.end <= due.span.end)? + 1;
    let all = if is_first { &all[..end] } else { all };
    let is_past = |word: &Token| {
        matches!(
            word.small.as_str(),
            "was" | "were" | "had" | "did" | "been" | "has" | "have"
        )
    };
    if all.iter().any(is_past) {
        return None;
    }
    let ends = |word: &str| word.ends_with('s') && !word.ends_with("ss") && is_act(word);
    let passive = |at: usize| {
        let is = at > 0 && matches!(all[at - 1].small.as_str(), "is" | "are");
        is && is_participle(&all[at].small) && is_act(&all[at].small) && !due.is_until
    };
    let takes_place = |at: usize| {
        let next = all.get(at + 1).map_or("", |word| word.small.as_str());
        matches!(
            (all[at].small.as_str(), next),
            ("takes" | "take", "place")
                | (
                    "is" | "are",
                    "taken" | "held" | "carried" | "planned" | "scheduled"
                )
        )
    };
    for (at, token) in all.iter().enumerate().skip(1) {
        if takes_place(at) {
            return Some((Way::Set, at, at));
        }
        if passive(at) {
            return Some((Way::Set, at, at - 1));
        }
        let word = token.small.as_str();
        if ends(word)
            && due.date.is_some()
            && !due.is_until
            && token.span.end <= due.span.start
            && !token.is_capital
        {
            return Some((Way::Set, at, at));
        }
    }
    let is_bound = !due.is_until && (due.is_limit || is_first);
    fragment(all, due).filter(|_| is_bound)
}

/// `first draft by 31 August`: a few words without a verb before a date.
fn fragment(all: &[Token], due: &DueIn) -> Option<(Way, usize, usize)> {
    let is_finite = |word: &Token| {
        is_form_of_be(&word.small)
            || FINITE.contains(&word.small.as_str())
            || word.small.ends_with("ed")
            || word.small.starts_with("expect")
    };
    let last = all
        .iter()
        .rposition(|word| word.span.end <= due.span.start)?;
    let is_fragment =
        due.date.is_some() && all.len() <= FRAGMENT_WORDS && !all.iter().any(is_finite);
    is_fragment.then_some((Way::Fragment, last, last))
}

fn follows_break(text: &str, all: &[Token], at: usize) -> bool {
    text[all[at - 1].span.end..all[at].span.start].contains([',', ';', ':', '.'])
}

/// Where the clause begins that a word stands in.
fn clause_start(text: &str, all: &[Token], at: usize) -> usize {
    let breaks = |at: usize| {
        let gap = &text[all[at - 1].span.end..all[at].span.start];
        gap.contains([';', ':', '|'])
            || gap.contains('.') && gap.contains(' ') && all[at - 1].span.len() > 2
            || all[at - 1].small == "that"
    };
    let first = (1..=at).rev().find(|at| breaks(*at)).unwrap_or(0);
    all[first].span.start
}

fn subject(text: &str, all: &[Token], way: Way, from: usize) -> Option<Range<usize>> {
    let is_passive = way == Way::Passive || way == Way::Set && is_form_of_be(&all[from].small);
    if is_passive || matches!(way, Way::Due | Way::Request | Way::Fragment) || from == 0 {
        return by_whom(all, from).filter(|_| is_passive);
    }
    let start = clause_start(text, all, from);
    let first = all.iter().position(|word| word.span.start >= start)?;
    // A time or condition before the subject ends with a comma.
    let comma = (first + 1..from)
        .rev()
        .find(|at| text[all[at - 1].span.end..all[*at].span.start].contains(','));
    let and = (first + 1..from).rev().find(|at| {
        all[at - 1].small == "and"
            && matches!(all[*at].small.as_str(), "i" | "we" | "he" | "she" | "they")
    });
    let last = all[..from].last()?;
    if matches!(
        last.small.as_str(),
        "i" | "we" | "you" | "he" | "she" | "they" | "it"
    ) {
        return Some(last.span.clone());
    }
    let first = comma.or(and).unwrap_or(first);
    // `Within 10 days of the event the supplier`: a time before the subject.
    let is_time = matches!(
        all[first].small.as_str(),
        "within" | "by" | "before" | "after" | "on" | "in" | "at" | "until" | "for"
    );
    let the = (first..from)
        .rev()
        .find(|at| all[*at].small == "the")
        .filter(|_| is_time);
    let first = the.unwrap_or(first);
    // `The owner has been asked and will answer`.
    let is_verb = |word: &Token| {
        is_form_of_be(&word.small) || matches!(word.small.as_str(), "has" | "have" | "had")
    };
    let from = (first + 1..from)
        .find(|at| is_verb(&all[*at]))
        .unwrap_or(from);
    let last = all[..from].last()?;
    // A thing does not act.
    if matches!(all[first].small.as_str(), "a" | "an" | "which" | "that") {
        return None;
    }
    (first < from).then(|| all[first].span.start..last.span.end)
}

/// `by Ms Frey`, behind a passive.
fn by_whom(all: &[Token], from: usize) -> Option<Range<usize>> {
    let by = (from..all.len()).find(|at| all[*at].small == "by")?;
    let skip = usize::from(all.get(by + 1)?.small == "the");
    let first = all.get(by + 1 + skip)?;
    let is_time = matches!(
        first.small.as_str(),
        "end"
            | "middle"
            | "beginning"
            | "close"
            | "date"
            | "time"
            | "same"
            | "next"
            | "start"
            | "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
    );
    let is_name = !is_time
        && (first.is_capital || skip == 1)
        && first.small.starts_with(char::is_alphabetic)
        && adjutant_text::dates::english_month(&first.small).is_none();
    let more = all.get(by + 2 + skip).filter(|word| word.is_capital);
    is_name.then(|| first.span.start..more.unwrap_or(first).span.end)
}

fn score(
    text: &str,
    all: &[Token],
    (way, verb, from): (Way, usize, usize),
    due: Option<&DueIn>,
    subject: Option<&Range<usize>>,
) -> f64 {
    let small = |at: usize| all.get(at).map_or("", |word| word.small.as_str());
    let of_verb = match way {
        Way::Due => ACT,
        Way::Set if is_form_of_be(small(verb)) || small(verb).starts_with("take") => ACT,
        Way::Fragment => FRAGMENT,
        Way::Request if matches!(small(from), "please" | "let") => ACT,
        Way::Request if small(from + 1) == "for" => ACT,
        _ if is_act(small(verb)) => ACT,
        _ if is_state(small(verb)) => STATE,
        _ => 0.0,
    };
    let of_time = match due {
        Some(due) if due.date.is_some() && due.is_limit => DATE_AS_LIMIT,
        Some(due) if due.date.is_some() => DATE_AS_TIME,
        Some(_) => LIMIT_IN_WORDS,
        None => 0.0,
    };
    let is_named = subject.is_some_and(|subject| is_person(text, all, subject, way));
    let is_handed = matches!(way, Way::Active | Way::Passive) && is_handing_over(small(verb));
    let is_ordered = way == Way::Passive && matches!(small(from), "is" | "are");
    let mut wanted = all[from..].iter().take(10);
    let asks_to_read = way == Way::Request
        && small(from + 1) == "for"
        && wanted.any(|word| READABLE.contains(&word.small.as_str()));
    let points = |holds: bool, points: f64| if holds { points } else { 0.0 };
    WAY + of_verb
        + of_time
        + points(is_named, NAMED)
        + points(is_handed || is_ordered, HANDED)
        + points(asks_to_read, ACT)
        + doubts(all, (way, verb, from), due)
}

/// What a sentence loses that tells no single act, or none that is sure.
fn doubts(all: &[Token], (way, verb, from): (Way, usize, usize), due: Option<&DueIn>) -> f64 {
    let any = |all: &[Token], list: &[&str]| {
        let mut all = all.iter();
        all.any(|word| list.contains(&word.small.as_str()))
    };
    // `every buyer will be told by 4 May` is done once.
    let is_dated = due.is_some_and(|due| due.date.is_some() && due.is_limit);
    let recurs = any(all, RECURRING) && !is_dated;
    let depends = any(&all[..from], CONDITIONS) || is_conditional(all);
    let denied = all[from..=verb.max(from)]
        .iter()
        .any(|word| is_denial(&word.small))
        || from > 0 && is_denial(&all[0].small);
    let is_wish = way == Way::Request
        && !matches!(all[from].small.as_str(), "please" | "let")
        && due.is_none_or(|due| due.date.is_none());
    let points = |holds: bool, points: f64| if holds { points } else { 0.0 };
    points(recurs, RECURS)
        + points(depends, CONDITION)
        + points(any(&all[..from], UNREAL), NOT_REAL)
        + points(denied, DENIED)
        + points(is_wish, WISH)
}

/// Whether the subject is somebody: `I`, a name, or `the` and a role that acts.
fn is_person(text: &str, all: &[Token], subject: &Range<usize>, way: Way) -> bool {
    let own = &text[subject.clone()];
    let small = own.to_lowercase();
    // A capital at the beginning of a sentence tells nothing.
    let skipped = usize::from(subject.start == 0);
    let mut words = own.split_whitespace().skip(skipped);
    SPEAKERS.contains(&small.as_str())
        || words.any(|word| word.starts_with(char::is_uppercase))
        || starts_with_a_name(all, subject)
        || small.starts_with("the ") && way == Way::Active
}

/// `if` and `unless`, but not `earlier if` and `as if`.
fn is_conditional(all: &[Token]) -> bool {
    (0..all.len()).any(|at| {
        let before = at.checked_sub(1).map_or("", |at| all[at].small.as_str());
        matches!(all[at].small.as_str(), "if" | "unless")
            && !matches!(before, "earlier" | "sooner" | "even" | "as")
    })
}

/// `M. Frey`, `Mr Frey`, `Frey`: a capital at the beginning of a sentence tells nothing by itself.
fn starts_with_a_name(all: &[Token], subject: &Range<usize>) -> bool {
    let mut own = all
        .iter()
        .filter(|word| subject.start <= word.span.start && word.span.end <= subject.end);
    let Some(first) = own.next() else {
        return false;
    };
    let next = own.next();
    let is_title = matches!(first.small.as_str(), "mr" | "ms" | "mrs" | "dr" | "prof")
        || first.small.len() == 1;
    first.is_capital && (is_title || next.is_some_and(|next| next.is_capital))
}
