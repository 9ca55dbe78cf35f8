//! Names of people, by lists and context.
//!
//! Reported: a listed given name with what follows it, initials or an unknown word before a listed surname, anything
//! after a title or a label that only people have, a surname beside what only people have or do, initials of patients,
//! any name before a date of birth, and later single mentions of a name found in the same text.
//! Not reported: the title itself, eponyms (`Parkinson's disease`, `Cohen's kappa`), citations (`Smith et al.`,
//! `Weber, A. (2019)`: published names are needed to cite), firms, places and streets (`Johns Hopkins University`).

mod context;
mod parts;
mod patient;
mod surname;

use std::collections::BTreeMap;

use crate::gazetteer::{Known, fold};
use crate::kind::{Found, Kind};
use crate::text::{Class, Text};
use context::{Before, classify_before, is_citation, is_thing};
use parts::{Part, Shape, collect_parts, is_capital, is_particle};
pub(crate) use patient::{INITIALS, is_after_subject, names_initials};
use surname::{is_qualified, surname_alone};

const PARTS_MAX: usize = 4;

/// Why a single word of a name is one.
pub(crate) const PART: &str = "part of a name found elsewhere in the text";

/// Finds the names in a text, given the other findings.
pub(crate) fn find(text: &Text<'_>, other: &[Found]) -> Vec<Found> {
    let taken = Taken::new(text, other);
    let mut names = Vec::new();
    let mut mentioned: BTreeMap<String, Single> = BTreeMap::new();
    let mut at = 0;
    while at < text.tokens.len() {
        if !(is_capital(text, at) || particle_after_title(text, at)) || taken.covers(at) {
            at += 1;
            continue;
        }
        let parts = collect_parts(text, at, &taken.0);
        let Some(end) = parts.last().map(|part| part.last) else {
            at += 1;
            continue;
        };
        if let Some((from, to, reason)) = find_name_in_parts(text, &parts) {
            let name = &parts[from..to];
            let span = text.start(name[0].first)..text.end(name[name.len() - 1].last);
            let (span, last) = match given_after_comma(text, &parts, from, to) {
                Some(last) => (span.start..text.end(last), last),
                None => (span, end),
            };
            remember_name_words(text, name, &mut mentioned);
            names.push(Found {
                kind: Kind::Name,
                span,
                reason,
            });
            at = last.max(name[name.len() - 1].last) + 1;
        } else if let Some((last, reason)) = surname_first(text, &parts) {
            remember_name_words(text, &parts[..1], &mut mentioned);
            names.push(Found {
                kind: Kind::Name,
                span: text.start(parts[0].first)..text.end(last),
                reason,
            });
            at = last + 1;
        } else if let Some(reason) = surname_alone(text, &parts, other)
            .or_else(|| patient::before_birth(text, &parts, other))
        {
            remember_name_words(text, &parts, &mut mentioned);
            names.push(Found {
                kind: Kind::Name,
                span: text.start(parts[0].first)..text.end(end),
                reason,
            });
            at = end + 1;
        } else if let Some((first, last)) = patient::initials(text, &parts, other) {
            names.push(Found {
                kind: Kind::Name,
                span: text.start(first)..text.end(last),
                reason: INITIALS,
            });
            at = last.max(end) + 1;
        } else {
            at = end + 1;
        }
    }
    let later = find_later_mentions(text, &taken, &names, &mentioned);
    names.extend(later);
    names.sort_by_key(|name| name.span.start);
    names
}

/// `Mevrouw de Vries`: the name begins with a small letter.
fn particle_after_title(text: &Text<'_>, at: usize) -> bool {
    is_particle(text, at) && classify_before(text, at) == Before::Title
}

/// Which tokens other findings cover.
struct Taken(Vec<bool>);

impl Taken {
    fn new(text: &Text<'_>, found: &[Found]) -> Self {
        let mut spans = found.iter().peekable();
        let covered = text.tokens.iter().map(|token| {
            while spans.next_if(|one| one.span.end <= token.start).is_some() {}
            spans.peek().is_some_and(|one| one.span.start < token.end)
        });
        Self(covered.collect())
    }

    fn covers(&self, index: usize) -> bool {
        self.0.get(index).copied().unwrap_or(false)
    }
}

/// How reliable a word of a name is when it occurs alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Single {
    Plain,
    /// Also an ordinary word.
    Ambiguous,
}

fn remember_name_words(text: &Text<'_>, name: &[Part], mentioned: &mut BTreeMap<String, Single>) {
    for part in name.iter().filter(|part| part.shape == Shape::Word) {
        let word = &text.text[text.start(part.first)..text.end(part.last)];
        if word.chars().count() >= 3 {
            let single = if part.known.ambiguous || part.known.ordinary {
                Single::Ambiguous
            } else {
                Single::Plain
            };
            mentioned.insert(fold(word), single);
        }
    }
}

/// Which of the parts are a name, and why.
fn find_name_in_parts(text: &Text<'_>, parts: &[Part]) -> Option<(usize, usize, &'static str)> {
    let first = parts.first()?;
    let last = parts.last()?;
    let before = classify_before(text, first.first);
    let words = parts
        .iter()
        .filter(|part| part.shape == Shape::Word)
        .count();
    if words == 0 || is_citation(text, first.first, last.last) {
        return None;
    }
    let end = parts.len().min(PARTS_MAX);
    let is_thing = is_thing(text, first.first, last.last);
    match before {
        Before::Title if !is_thing || words > 1 && !parts[0].known.surname => {
            return Some((0, end, "after a title"));
        }
        Before::Person
            if !is_thing
                && (parts.iter().any(|part| part.known.is_name())
                    || words > 1
                    || first.is_title_case) =>
        {
            return Some((0, end, "after a word that a name follows"));
        }
        Before::Relation
            if !is_thing
                && parts
                    .iter()
                    .any(|part| part.known.is_name() && (!part.known.ambiguous || words > 1)) =>
        {
            return Some((0, end, "after a word for a person"));
        }
        _ => {}
    }
    if is_thing {
        return None;
    }
    (0..parts.len()).find_map(|from| {
        name_from(text, parts, from, before)
            .map(|reason| (from, parts.len().min(from + PARTS_MAX), reason))
    })
}

fn name_from(text: &Text<'_>, parts: &[Part], from: usize, before: Before) -> Option<&'static str> {
    let part = &parts[from];
    let rest = &parts[from + 1..parts.len().min(from + PARTS_MAX)];
    let next_word = rest.iter().find(|next| next.shape == Shape::Word);
    let surname_follows = rest.iter().any(|next| next.known.surname);
    match part.shape {
        Shape::Initial => {
            let initials = parts[from..]
                .iter()
                .take_while(|next| next.shape == Shape::Initial)
                .count();
            let qualified = parts
                .last()
                .is_some_and(|last| is_qualified(text, last.last));
            let surname = next_word.is_some_and(|next| next.known.surname || qualified);
            (surname || initials >= 2 && next_word.is_some_and(|next| next.is_title_case))
                .then_some("initials and a surname")
        }
        Shape::Particle => None,
        Shape::Word => {
            let shouted = !part.is_title_case;
            if part.known.given && !rest.is_empty() {
                let clear = !part.known.ambiguous
                    && !shouted
                    && next_word.is_some_and(|next| {
                        next.is_title_case || next.length > 4 || next.known.surname
                    });
                let starts = before == Before::SentenceStart && part.known.ambiguous;
                let both = surname_follows
                    && !(starts
                        && rest
                            .iter()
                            .all(|next| next.known.ambiguous || !next.known.surname));
                let initial =
                    !part.known.ambiguous && rest.iter().any(|next| next.shape == Shape::Initial);
                return (clear || both || initial).then_some("listed given name and what follows");
            }
            // "ANDERSSON Lena"
            let lists = shouted && part.known.surname && part.length > 2;
            if lists && next_word.is_some_and(|next| next.known.given && next.is_title_case) {
                return Some("surname in capitals and a given name");
            }
            if rest.is_empty() {
                return single_given_name(text, part, parts.len(), before);
            }
            let clear_surname = rest
                .iter()
                .any(|next| next.known.surname && !next.known.ambiguous);
            let verb = before == Before::SentenceStart && is_verb_like(text, part);
            (from + 1 < parts.len()
                && clear_surname
                && !shouted
                && !verb
                && part.length >= 2
                && !part.known.ordinary)
                .then_some("word before a listed surname")
        }
    }
}

fn is_verb_like(text: &Text<'_>, part: &Part) -> bool {
    let word = text.token_text(part.first);
    ["ed", "ing", "ly", "tion", "ment", "ness"]
        .iter()
        .any(|ending| word.ends_with(ending))
}

/// A single given name that its context does not make something else.
fn single_given_name(
    text: &Text<'_>,
    part: &Part,
    parts: usize,
    before: Before,
) -> Option<&'static str> {
    let clear = part.known.given
        && !part.known.ambiguous
        && part.is_title_case
        && part.length >= 3
        && parts == 1;
    let follows_digit = matches!(text.class(part.last + 2), Some(Class::Digits))
        && text.is_blank(part.last + 1)
        || text.is_any_mark(part.last + 1, "-_/@&");
    (clear && !follows_digit && before != Before::Thing).then_some("listed given name")
}

/// `Weber, Anna` and `Weber, A.`
fn surname_first(text: &Text<'_>, parts: &[Part]) -> Option<(usize, &'static str)> {
    let [surname] = parts else { return None };
    if surname.shape != Shape::Word || !surname.known.surname {
        return None;
    }
    given_end(text, surname)
        .filter(|last| !is_citation(text, surname.first, *last))
        .map(|last| (last, "surname, given name"))
}

fn given_end(text: &Text<'_>, surname: &Part) -> Option<usize> {
    if !text.is_mark(surname.last + 1, ",") || !text.is_blank(surname.last + 2) {
        return None;
    }
    let given = collect_parts(text, surname.last + 3, &[]);
    let first = given.first()?;
    let fits = match first.shape {
        Shape::Initial => given.iter().all(|part| part.shape == Shape::Initial),
        Shape::Word => {
            first.known.given
                && (!first.known.ambiguous || !first.known.surname)
                && given[1..].iter().all(|part| {
                    part.shape == Shape::Initial || part.known.given && !part.known.surname
                })
        }
        Shape::Particle => false,
    };
    fits.then(|| given[given.len() - 1].last)
}

/// After a label a surname may come first too: `Patient: Weber, Anna`.
fn given_after_comma(text: &Text<'_>, parts: &[Part], from: usize, to: usize) -> Option<usize> {
    (to - from == 1 && parts.len() == 1 && (parts[0].known.surname || !parts[0].known.given))
        .then(|| given_end(text, &parts[0]))
        .flatten()
}

/// Words of a name that occur alone elsewhere in the text.
fn find_later_mentions(
    text: &Text<'_>,
    taken: &Taken,
    names: &[Found],
    mentioned: &BTreeMap<String, Single>,
) -> Vec<Found> {
    let mut later = Vec::new();
    if mentioned.is_empty() {
        return later;
    }
    let named = Taken::new(text, names);
    for at in 0..text.tokens.len() {
        if !is_capital(text, at) || taken.covers(at) || named.covers(at) {
            continue;
        }
        let Some(single) = mentioned.get(&fold(text.token_text(at))) else {
            continue;
        };
        let known = Known::look_up(text.token_text(at));
        let start = matches!(classify_before(text, at), Before::SentenceStart);
        let article = text.cue_before(at, &["the", "a", "an", "in", "this", "each"], 1);
        let doubtful = *single == Single::Ambiguous
            && (start || article || known.ordinary || at >= 2 && is_capital(text, at - 2));
        if !doubtful && !is_thing(text, at, at) && !is_citation(text, at, at) {
            later.push(Found {
                kind: Kind::Name,
                span: text.start(at)..text.end(at),
                reason: PART,
            });
        }
    }
    later
}

/// Whether known initials are not those of somebody else: `Weber J.D.` and `J.D. Weber` are other people.
pub(crate) fn are_initials_alone(text: &Text<'_>, first: usize, last: usize) -> bool {
    let is_name = |at: usize| is_capital(text, at) && !Known::look_up(text.token_text(at)).ordinary;
    let before = first >= 2
        && text.is_blank(first - 1)
        && is_name(first - 2)
        && !is_after_subject(text, first);
    let after = text.is_blank(last + 1) && is_name(last + 2);
    !before && !after
}

/// Whether a known name refers to a person here.
pub(crate) fn is_person_here(text: &Text<'_>, at: usize) -> bool {
    !is_thing(text, at, at) && !is_citation(text, at, at)
}
