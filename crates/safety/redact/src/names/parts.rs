//! Collects words that could be one name: capitalised words, initials and particles.

use super::context::TITLES;
use crate::gazetteer::Known;
use crate::list::{List, Phrases};
use crate::text::{Class, Text};

const RUN_MAX: usize = 6;

static PARTICLES: List = List::new(include_str!("../../lists/name_particles.txt"));

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Word,
    Initial,
    Particle,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) first: usize,
    pub(crate) last: usize,
    pub(crate) shape: Shape,
    pub(crate) known: Known,
    /// Capitalised, but not all capitals.
    pub(crate) is_title_case: bool,
    pub(crate) length: usize,
}

pub(crate) fn is_capital(text: &Text<'_>, index: usize) -> bool {
    text.is(index, Class::Word)
        && text
            .token_text(index)
            .chars()
            .next()
            .is_some_and(char::is_uppercase)
}

pub(crate) fn is_particle(text: &Text<'_>, index: usize) -> bool {
    text.is(index, Class::Word) && !is_capital(text, index) && PARTICLES.has(text.token_text(index))
}

/// The parts from this token on; none if it cannot be part of a name.
pub(crate) fn collect_parts(text: &Text<'_>, first: usize, taken: &[bool]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = first;
    while parts.len() < RUN_MAX {
        if taken.get(at).copied().unwrap_or(false) {
            break;
        }
        let Some(part) = part_at(text, at) else { break };
        if part.shape == Shape::Particle && !leads_to_capital(text, part.last) {
            break;
        }
        parts.push(part);
        let mut next = part.last + 1;
        if text.is_blank(next) {
            next += 1;
        } else if part.shape != Shape::Initial {
            break;
        }
        at = next;
    }
    while parts
        .last()
        .is_some_and(|part| part.shape == Shape::Particle)
    {
        parts.pop();
    }
    parts
}

/// Whether a capitalised word follows a particle, possibly after another particle.
fn leads_to_capital(text: &Text<'_>, last: usize) -> bool {
    let next = text.skip_space(last + 1);
    is_capital(text, next)
        || text.is_word(next, &PARTICLES) && is_capital(text, text.skip_space(next + 1))
}

fn part_at(text: &Text<'_>, at: usize) -> Option<Part> {
    let word = text.token_text(at);
    if !text.is(at, Class::Word) {
        return None;
    }
    if !is_capital(text, at) {
        let particle = PARTICLES.has(word);
        return particle.then_some(Part {
            first: at,
            last: at,
            shape: Shape::Particle,
            known: Known::default(),
            is_title_case: false,
            length: word.len(),
        });
    }
    if word.chars().count() == 1 {
        let last = if text.is_mark(at + 1, ".") {
            at + 1
        } else {
            return bare_initial(text, at);
        };
        return Some(initial_part(at, last));
    }
    let mut known = Known::look_up(word);
    if !known.is_name() && TITLES.has(word) {
        return None;
    }
    let hyphen_follows = text.is_any_mark(at + 1, "-‐‑") && is_capital(text, at + 2);
    if known.ordinary && !(hyphen_follows && PARTICLES.has(word)) {
        return None;
    }
    let mut last = at;
    while text.is_any_mark(last + 1, "-‐‑")
        && is_capital(text, last + 2)
        && text.token_text(last + 2).chars().count() > 1
        && last < at + 6
    {
        last += 2;
        known = known.or(Known::look_up(text.token_text(last)));
    }
    Some(Part {
        first: at,
        last,
        shape: Shape::Word,
        known,
        is_title_case: is_title_case(word),
        length: word.chars().count(),
    })
}

fn initial_part(first: usize, last: usize) -> Part {
    Part {
        first,
        last,
        shape: Shape::Initial,
        known: Known::default(),
        is_title_case: false,
        length: 1,
    }
}

/// `John F Kennedy`: a letter without a full stop counts only between two words.
fn bare_initial(text: &Text<'_>, at: usize) -> Option<Part> {
    let between = at >= 2
        && is_capital(text, at - 2)
        && text.is_blank(at - 1)
        && text.is_blank(at + 1)
        && is_capital(text, at + 2)
        && text.token_text(at - 2).chars().count() > 1
        && text.token_text(at + 2).chars().count() > 1;
    between.then(|| initial_part(at, at))
}

fn is_title_case(word: &str) -> bool {
    word.chars().skip(1).any(char::is_lowercase)
        || word
            .chars()
            .all(|character| !character.is_lowercase() && !character.is_uppercase())
}
