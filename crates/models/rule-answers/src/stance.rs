//! Whether two sentences on the same thing say the same: by direction words, denial and numbers.

mod lists;
mod time;

use std::collections::BTreeSet;

use crate::strengths::STRENGTHS;
use crate::text::{Quantity, Stems, Word, dates_in, is_stop_word, number, quantities, words};
use lists::{AXES, CONNECTING, DENIALS, EFFECTS, HEDGES, HEDGING_PHRASES, OF_LIMITS, STATING};
use time::{DateSaid, When, date_denied};

/// How far a denial reaches, and how far around a direction or a number the thing it is about is looked for.
const DENIAL_REACH: usize = 5;
const EFFECT_REACH: usize = 3;
const WINDOW: usize = 6;
/// How much of one must be in the other for both to be about the same.
const SAME_SUBJECT_MIN: f64 = 0.5;
const SAME_STATEMENT_MIN: f64 = 0.6;
/// With neither a side nor a number, nearly all of a claim must be said to be confirmed.
const CONFIRMED_MIN: f64 = 0.8;
/// How much two surroundings must have in common: the share of one in the other and of the smaller in the larger.
const SAME_THING_MIN: f64 = 1.3;
/// How many words two sentences must have in common, around their dates too, to be on the same.
const SAME_EVENT_WORDS_MIN: usize = 2;
/// Numbers closer than this are the same; farther than that, they contradict each other.
const NUMBER_TOLERANCE: f64 = 0.1;
const NUMBER_FAR: f64 = 0.3;

/// A sentence as far as it takes a side.
pub(crate) struct Reading {
    /// What it is about: stems without those that only take sides.
    pub(crate) subject: BTreeSet<String>,
    stems: Vec<String>,
    about: Vec<bool>,
    directions: Vec<Direction>,
    denials: Vec<usize>,
    /// Where it says that there is no effect or difference.
    flat: Option<usize>,
    pub(crate) hedge: Option<String>,
    pub(crate) quantities: Vec<Quantity>,
    pub(crate) dates: Vec<DateSaid>,
    /// Words with a capital that do not open the sentence, as stems.
    names: BTreeSet<String>,
    /// What the sentence is about by what stands before it.
    context: BTreeSet<String>,
}

struct Direction {
    axis: usize,
    up: Side,
    denied: bool,
    /// It belongs to a name, as in `high blood pressure`, and states nothing.
    names: bool,
    at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    First,
    Second,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Relation {
    /// About something else.
    Apart,
    /// About the same; no side is taken.
    Related,
    Agrees,
    Contradicts(How),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum How {
    Denied,
    Opposite,
    /// What the claim says, what the other says.
    Number(String, String),
}

impl Reading {
    pub(crate) fn new(text: &str, stems: &mut Stems) -> Self {
        let words = words(text);
        let small: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
        let stemmed: Vec<String> = small
            .iter()
            .map(|word| stems.stem(word).to_owned())
            .collect();
        let only = |at: usize| small.get(at + 1).is_some_and(|next| next == "only");
        // `no more than 3 %` is a limit; `not better than` denies.
        let limit = |at: usize| {
            let next = small.get(at + 1..at + 3);
            next.is_some_and(|next| next[1] == "than" && OF_LIMITS.contains(&next[0].as_str()))
        };
        let denials: Vec<usize> = (0..small.len())
            .filter(|at| is_denial(&small[*at]) && !only(*at) && !limit(*at))
            .collect();
        let dated = dates_in(text);
        let in_date = |at: usize| dated.iter().any(|(_, words)| words.contains(&at));
        let mut directions = Vec::new();
        let mut about = vec![false; small.len()];
        for (at, stem) in stemmed.iter().enumerate() {
            match axis_of(stem, &small[at]) {
                Some((axis, up)) => directions.push(Direction {
                    axis,
                    up,
                    denied: denied(&denials, at),
                    names: ["high", "low"].contains(&small[at].as_str()) && !stated(&small[..at]),
                    at,
                }),
                None => {
                    let word = small[at].as_str();
                    let digits = word.starts_with(|char: char| char.is_ascii_digit());
                    about[at] = !is_stop_word(word)
                        && !is_manner(word)
                        && !CONNECTING.contains(&stem.as_str())
                        && !digits
                        && !in_date(at);
                }
            }
        }
        let flat = denials.iter().copied().find(|denial| {
            let mut reach = stemmed.iter().skip(denial + 1).take(EFFECT_REACH);
            ["no", "without"].contains(&small[*denial].as_str())
                && reach.any(|stem| EFFECTS.contains(&stem.as_str()))
        });
        let subject = about.iter().zip(&stemmed).filter(|(about, _)| **about);
        let names = (1..words.len())
            .filter(|at| about[*at] && words[*at].text.starts_with(char::is_uppercase));
        let mut quantities = quantities(text, stems);
        quantities.retain(|quantity| !in_date(quantity.at));
        let dates = dated.iter().map(|(date, at)| DateSaid {
            date: *date,
            denied: date_denied(text, &words, &denials, at.start),
            at: at.start,
        });
        Self {
            subject: subject.map(|(_, stem)| stem.clone()).collect(),
            hedge: hedge(text, &words),
            quantities,
            dates: dates.collect(),
            names: names.map(|at| stemmed[at].clone()).collect(),
            context: BTreeSet::new(),
            stems: stemmed,
            about,
            directions,
            denials,
            flat,
        }
    }

    /// Which share of what this one is about the other is about too.
    pub(crate) fn shared_by(&self, other: &Self) -> f64 {
        share(&self.subject, &other.subject)
    }

    /// Whether it has anything by which it could deny another sentence, or be its opposite.
    pub(crate) fn may_deny(&self) -> bool {
        !self.denials.is_empty() || !self.directions.is_empty()
    }

    /// Whether it says that there is none of what the other has, in the same two words: `no major findings`.
    pub(crate) fn denies_phrase(&self, other: &Self) -> bool {
        self.denials.iter().any(|denial| {
            let Some([word, first, second]) = self.stems.get(*denial..denial + 3) else {
                return false;
            };
            // What is told without something is another case, and no denial.
            if word == "without" || is_stop_word(first) || is_stop_word(second) {
                return false;
            }
            (0..other.stems.len().saturating_sub(1)).any(|at| {
                let near = other
                    .denials
                    .iter()
                    .any(|denial| *denial < at && at - denial <= 2);
                other.stems[at] == *first && other.stems[at + 1] == *second && !near
            })
        })
    }

    /// Adds what the sentence is about by what stands before it.
    pub(crate) fn speaks_of(&mut self, context: BTreeSet<String>) {
        self.subject.extend(context.iter().cloned());
        self.context = context;
    }

    /// How another sentence stands to this one.
    pub(crate) fn relation(&self, said: &Self) -> Relation {
        let same = self.shared_by(said);
        if self.subject.is_empty() || same < SAME_SUBJECT_MIN {
            return Relation::Apart;
        }
        let sides = self.sides(said);
        let numbers = self.numbers(said);
        let plain = sides.is_none() && numbers.is_none();
        let relation = match (sides, numbers) {
            (Some(Relation::Agrees), Some(Relation::Contradicts(how)))
            | (None, Some(Relation::Contradicts(how))) => Relation::Contradicts(how),
            (Some(side), _) => side,
            (None, Some(_)) if self.denies(said) != said.denies(self) => {
                Relation::Contradicts(How::Denied)
            }
            (None, Some(number)) => number,
            (None, None) => self.denial(said, same),
        };
        match self.when(said) {
            When::Unknown | When::Same => relation,
            When::Other(own, other) if plain && relation != Relation::Contradicts(How::Denied) => {
                Relation::Contradicts(How::Number(own, other))
            }
            // What was so at one time need not be so at another.
            When::Other(..) | When::NotThen => Relation::Related,
        }
    }

    /// Whether the other says all of this that can be checked: the statement, its numbers, dates and names.
    pub(crate) fn supported_by(&self, said: &Self) -> bool {
        let numbers = self.quantities.iter().all(|own| said.has_number(own));
        let dates = self.dates.iter().all(|own| said.has_date(own));
        numbers
            && dates
            && self.names.is_subset(&said.subject)
            && !said.other_number(self)
            && self.relation(said) == Relation::Agrees
    }

    /// Whether it has a number, a date or a name that the other does not have.
    pub(crate) fn adds_to(&self, other: &Self) -> bool {
        let number = self.quantities.iter().any(|own| !other.has_number(own));
        let date = self.dates.iter().any(|own| !other.has_date(own));
        number || date || !self.names.is_subset(&other.subject)
    }

    fn has_number(&self, wanted: &Quantity) -> bool {
        let mut own = self.quantities.iter();
        own.any(|own| own.unit == wanted.unit && same_number(own.value, wanted.value))
    }

    fn sides(&self, said: &Self) -> Option<Relation> {
        if self.flatly_denies(said) || said.flatly_denies(self) {
            return Some(Relation::Contradicts(How::Denied));
        }
        let mut against = None;
        for own in self.stated() {
            for other in said.stated().filter(|other| other.axis == own.axis) {
                if !same_thing(&self.window(own.at), &said.window(other.at)) {
                    continue;
                }
                match (own.up == other.up, own.denied == other.denied) {
                    (true, true) => return Some(Relation::Agrees),
                    (true, false) => against = Some(How::Denied),
                    (false, true) if !own.denied => against = against.or(Some(How::Opposite)),
                    // Not rising is not yet falling.
                    (false, _) => {}
                }
            }
        }
        against.map(Relation::Contradicts)
    }

    /// Whether both speak of some of the same and one goes where the other does not, be it in other circumstances.
    pub(crate) fn leans_against(&self, other: &Self) -> bool {
        let both = self.subject.intersection(&other.subject).count();
        let mut own = self.stated();
        both >= SAME_EVENT_WORDS_MIN
            && own.any(|own| {
                let mut others = other.stated().filter(|other| other.axis == own.axis);
                others.any(|other| {
                    let either_stands = !(own.denied && other.denied);
                    either_stands && (own.up == other.up) != (own.denied == other.denied)
                })
            })
    }

    fn stated(&self) -> impl Iterator<Item = &Direction> {
        self.directions.iter().filter(|direction| !direction.names)
    }

    /// Whether it sees no effect where the other sees one.
    fn flatly_denies(&self, other: &Self) -> bool {
        let Some(flat) = self.flat.map(|at| self.window(at)) else {
            return false;
        };
        let mut seen = other.stated().filter(|direction| !direction.denied);
        other.flat.is_none()
            && seen.any(|seen| share(&other.window(seen.at), &flat) >= SAME_SUBJECT_MIN)
    }

    fn numbers(&self, said: &Self) -> Option<Relation> {
        let mut against = None;
        for (own, other) in self.pairs(said) {
            if far_apart(own.value, other.value) {
                let how = How::Number(own.written.clone(), other.written.clone());
                against = against.or(Some(Relation::Contradicts(how)));
            } else {
                return Some(Relation::Agrees);
            }
        }
        against
    }

    /// Whether the other gives another number for the same, be it only a little different.
    pub(crate) fn other_number(&self, said: &Self) -> bool {
        let mut pairs = self.pairs(said).into_iter();
        pairs.any(|(own, other)| differ(own.value, other.value))
    }

    /// Each number with the one of the other that is about the same.
    fn pairs<'a>(&'a self, said: &'a Self) -> Vec<(&'a Quantity, &'a Quantity)> {
        let mut pairs = Vec::new();
        for own in &self.quantities {
            let window = self.around(own);
            // A strength tells what is spoken of, and nothing of it.
            let same_unit = said
                .quantities
                .iter()
                .filter(|other| other.unit == own.unit && !STRENGTHS.contains(&own.unit.as_str()));
            let nearest = same_unit
                .map(|other| (other, said.around(other)))
                .filter(|(_, other)| same_thing(&window, other))
                .map(|(other, about)| (other, share(&window, &about)))
                .reduce(|best, next| if next.1 > best.1 { next } else { best });
            pairs.extend(nearest.map(|(other, _)| (own, other)));
        }
        pairs
    }

    /// With neither sides nor numbers: the same words, with or without a denial of what both are about.
    fn denial(&self, said: &Self, same: f64) -> Relation {
        if same < SAME_STATEMENT_MIN {
            return Relation::Related;
        }
        if self.denies(said) == said.denies(self) {
            // What only the claim has is neither confirmed nor denied.
            let open = self.stated().next().is_some()
                || !self.quantities.is_empty()
                || !self.dates.iter().all(|own| said.has_date(own))
                || same < CONFIRMED_MIN;
            return if open {
                Relation::Related
            } else {
                Relation::Agrees
            };
        }
        Relation::Contradicts(How::Denied)
    }

    /// Whether it denies something that the other speaks of.
    fn denies(&self, other: &Self) -> bool {
        // `not 50 million` denies 50 and no other number.
        let other_number = |denial: usize| {
            let next = self.stems.get(denial + 1);
            next.is_some_and(|next| number(next).is_some() && !other.stems.contains(next))
        };
        let mut denials = self.plain_denials().filter(|at| !other_number(*at));
        denials.any(|denial| {
            let mut reach = self.stems.iter().skip(denial + 1).take(DENIAL_REACH);
            reach.any(|stem| other.stems.contains(stem) && !is_stop_word(stem))
        })
    }

    /// Denials that do not belong to a side: `not affected`, but not `did not rise`.
    fn plain_denials(&self) -> impl Iterator<Item = usize> {
        let of_side = |denial: usize| {
            let mut sides = self.directions.iter();
            sides.any(|side| side.at > denial && side.at - denial <= DENIAL_REACH)
        };
        self.denials
            .iter()
            .copied()
            .filter(move |denial| !of_side(*denial))
    }

    /// What a number is about; its unit alone does not tell.
    fn around(&self, quantity: &Quantity) -> BTreeSet<&str> {
        let mut window = self.window(quantity.at);
        window.remove(quantity.unit.as_str());
        window
    }

    fn window(&self, at: usize) -> BTreeSet<&str> {
        let from = at.saturating_sub(WINDOW);
        let near = self
            .stems
            .iter()
            .zip(&self.about)
            .skip(from)
            .take(at - from + WINDOW + 1);
        near.filter(|(_, about)| **about)
            .map(|(stem, _)| stem.as_str())
            .chain(self.context.iter().map(String::as_str))
            .collect()
    }

    /// How strongly it praises or blames, counting more as good if more is better.
    pub(crate) fn judgement(&self, amount: Side) -> Option<Side> {
        let mut balance = 0;
        for direction in &self.directions {
            let good = match direction.axis {
                0 => direction.up == amount,
                _ => direction.up == Side::First,
            };
            balance += if good != direction.denied { 1 } else { -1 };
        }
        match balance {
            0 => None,
            balance if balance > 0 => Some(Side::First),
            _ => Some(Side::Second),
        }
    }
}

pub(crate) fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > NUMBER_TOLERANCE * a.abs().max(b.abs())
}

fn same_number(a: f64, b: f64) -> bool {
    (a - b).abs() <= f64::EPSILON * a.abs().max(b.abs())
}

fn far_apart(a: f64, b: f64) -> bool {
    (a - b).abs() > NUMBER_FAR * a.abs().max(b.abs())
}

fn same_thing(own: &BTreeSet<&str>, other: &BTreeSet<&str>) -> bool {
    let smaller = if own.len() <= other.len() {
        share(own, other)
    } else {
        share(other, own)
    };
    share(own, other) + smaller >= SAME_THING_MIN
}

fn axis_of(stem: &str, small: &str) -> Option<(usize, Side)> {
    AXES.iter().enumerate().find_map(|(axis, (first, second))| {
        let of = |list: &[&str]| list.contains(&stem) || list.contains(&small);
        if of(first) {
            Some((axis, Side::First))
        } else {
            of(second).then_some((axis, Side::Second))
        }
    })
}

/// Whether the words before an adjective make it a statement: `is`, `were very`.
fn stated(before: &[String]) -> bool {
    let near = before.iter().rev().take(2);
    near.into_iter()
        .any(|word| STATING.contains(&word.as_str()))
}

/// Words that say how something is told, and not what of.
pub(crate) fn is_manner(small: &str) -> bool {
    is_denial(small) || HEDGES.contains(&small)
}

fn is_denial(small: &str) -> bool {
    DENIALS.contains(&small) || small.ends_with("n't") || small.ends_with("n’t")
}

/// Two denials take each other back.
fn denied(denials: &[usize], at: usize) -> bool {
    let near = denials
        .iter()
        .filter(|denial| **denial < at && at - **denial <= DENIAL_REACH);
    near.count() % 2 == 1
}

/// The words that take something back. The month of May does not.
fn hedge(text: &str, words: &[Word<'_>]) -> Option<String> {
    let line = text.to_lowercase();
    let phrase = HEDGING_PHRASES
        .iter()
        .find(|phrase| line.contains(**phrase));
    let small = words
        .iter()
        .map(|word| word.text)
        .filter(|word| *word != "May");
    let mut small = small.map(str::to_lowercase);
    let word = small.find(|word| HEDGES.contains(&word.as_str()));
    phrase.map(|phrase| (*phrase).to_owned()).or(word)
}

fn share<T: Ord>(of: &BTreeSet<T>, other: &BTreeSet<T>) -> f64 {
    if of.is_empty() {
        return 0.0;
    }
    of.intersection(other).count() as f64 / of.len() as f64
}

#[cfg(test)]
#[path = "stance_tests.rs"]
mod tests;
