//! The pseudonyms of one mission: what stands for what, in both directions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Bound;

use serde::{Deserialize, Serialize};

use crate::find::find_in;
use crate::gazetteer::Known;
use crate::kind::{Found, Kind};
use crate::names;
use crate::person::Person;
use crate::shape::{CODE_LETTERS, CODE_MAX, CODE_MIN, mentions, written};
use crate::text::{Class, Text};

/// More people of one surname than this are not told apart by a partial name.
const NAMESAKES_MAX: usize = 64;
/// Values longer than this are not looked for where nothing else gives them away.
const REPEATED_MAX: usize = 256;
const REPEATED_STEPS_MAX: usize = 64;
/// Bare numbers shorter than this occur by chance.
const REPEATED_DIGITS_MIN: usize = 5;

/// What a mission's pseudonyms stand for. Holds personal data in the clear: seal it before it is kept.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Table {
    entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    kind: Kind,
    code: String,
    /// The ways it was written; the first is meant when a pseudonym names none.
    forms: Vec<String>,
}

impl fmt::Debug for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Table")
            .field("entries", &self.entries.len())
            .finish_non_exhaustive()
    }
}

/// A text without its personal data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    pub text: String,
    /// What was replaced, with its place in the text before.
    pub found: Vec<Found>,
}

/// Puts pseudonyms such as `[NAME_7Q3]` in the place of personal data, and takes them back.
///
/// Within a mission the same value has the same code, whatever way it is written; `[NAME_7Q3-2]` is a second way.
/// The code is a keyed hash of the kind and the value: without the key nobody can compute it, so a guess at a value
/// can be neither confirmed nor refuted by the pseudonym, and without the table nothing leads back. Another mission
/// has another key, so its pseudonyms for the same person have nothing to do with these. Two values whose codes are
/// equal get a longer code, never a common one.
#[derive(Clone)]
pub struct Pseudonyms {
    key: [u8; 32],
    table: Table,
    by_code: BTreeMap<(Kind, String), usize>,
    by_normal: BTreeMap<(Kind, String), usize>,
    by_form: BTreeMap<String, (Kind, usize, usize)>,
    by_word: BTreeMap<String, BTreeSet<usize>>,
}

impl fmt::Debug for Pseudonyms {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pseudonyms")
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

impl Pseudonyms {
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self::with_table(key, Table::default())
    }

    /// Goes on with a table that was kept.
    #[must_use]
    pub fn with_table(key: [u8; 32], table: Table) -> Self {
        let mut pseudonyms = Self {
            key,
            table: Table::default(),
            by_code: BTreeMap::new(),
            by_normal: BTreeMap::new(),
            by_form: BTreeMap::new(),
            by_word: BTreeMap::new(),
        };
        for entry in table.entries {
            let place = pseudonyms.enter(entry.kind, entry.code);
            for form in entry.forms {
                pseudonyms.add_form(place, &form);
            }
        }
        pseudonyms
    }

    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Replaces what `find` finds, and every value that was replaced before in this mission.
    pub fn redact(&mut self, text: &str) -> Redacted {
        let tokens = Text::new(text);
        let mut found = find_in(&tokens);
        let literal: BTreeSet<(Kind, String)> = mentions(text)
            .into_iter()
            .map(|mention| (mention.kind, mention.code))
            .collect();
        // The fullest names first, so that the shorter ones find whom they may mean.
        let mut order: Vec<&Found> = found.iter().collect();
        order.sort_by_key(|one| match one.kind {
            Kind::Name => usize::MAX - Person::of(&text[one.span.clone()]).detail(),
            _ => 0,
        });
        for one in order {
            self.assign(one.kind, &text[one.span.clone()], &literal);
        }
        found.extend(self.repeated(&tokens, &found));
        found.sort_by_key(|one| one.span.start);
        let mut redacted = String::with_capacity(text.len());
        let mut copied = 0;
        for one in &found {
            let (place, form) = self.assign(one.kind, &text[one.span.clone()], &literal);
            redacted.push_str(&text[copied..one.span.start]);
            redacted.push_str(&written(one.kind, &self.table.entries[place].code, form));
            copied = one.span.end;
        }
        redacted.push_str(&text[copied..]);
        Redacted {
            text: redacted,
            found,
        }
    }

    /// Puts back what the pseudonyms of a text stand for. Unknown ones stay as they are. What is put back never
    /// holds quotes, backslashes or control characters, so JSON stays JSON.
    #[must_use]
    pub fn restore(&self, text: &str) -> String {
        let mut restored = String::with_capacity(text.len());
        let mut copied = 0;
        for mention in mentions(text) {
            let Some(place) = self.by_code.get(&(mention.kind, mention.code)) else {
                continue;
            };
            let Some(form) = self.table.entries[*place].forms.get(mention.form - 1) else {
                continue;
            };
            restored.push_str(&text[copied..mention.span.start]);
            restored.push_str(form);
            copied = mention.span.end;
        }
        restored.push_str(&text[copied..]);
        restored
    }

    /// The entry and the form of a value, made if need be.
    fn assign(
        &mut self,
        kind: Kind,
        value: &str,
        literal: &BTreeSet<(Kind, String)>,
    ) -> (usize, usize) {
        if let Some((known, place, form)) = self.by_form.get(value)
            && *known == kind
        {
            return (*place, *form);
        }
        let normal = normal(kind, value);
        let place = self
            .by_normal
            .get(&(kind, normal.clone()))
            .copied()
            .or_else(|| self.namesake(kind, value));
        let place = place.unwrap_or_else(|| {
            let code = self.code(kind, &normal, literal);
            self.enter(kind, code)
        });
        (place, self.add_form(place, value))
    }

    /// The one person of the table that a name may mean, if there is exactly one.
    fn namesake(&self, kind: Kind, value: &str) -> Option<usize> {
        if kind != Kind::Name {
            return None;
        }
        let person = Person::of(value);
        let mut candidates: BTreeSet<usize> = BTreeSet::new();
        for word in person.words() {
            let places = self.by_word.get(word).into_iter().flatten();
            candidates.extend(places.take(NAMESAKES_MAX + 1));
        }
        if candidates.len() > NAMESAKES_MAX {
            return None;
        }
        let mut fitting = candidates.into_iter().filter(|place| {
            let fullest = self.table.entries[*place]
                .forms
                .iter()
                .map(|form| Person::of(form))
                .max_by_key(Person::detail);
            fullest.is_some_and(|fullest| fullest.may_be(&person))
        });
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    fn enter(&mut self, kind: Kind, code: String) -> usize {
        let place = self.table.entries.len();
        self.by_code.insert((kind, code.clone()), place);
        self.table.entries.push(Entry {
            kind,
            code,
            forms: Vec::new(),
        });
        place
    }

    fn add_form(&mut self, place: usize, value: &str) -> usize {
        let entry = &mut self.table.entries[place];
        let kind = entry.kind;
        let form = match entry.forms.iter().position(|form| form == value) {
            Some(known) => known + 1,
            None => {
                entry.forms.push(value.to_owned());
                entry.forms.len()
            }
        };
        self.by_normal
            .entry((kind, normal(kind, value)))
            .or_insert(place);
        self.by_form
            .entry(value.to_owned())
            .or_insert((kind, place, form));
        if kind == Kind::Name {
            for word in Person::of(value).words() {
                self.by_word
                    .entry(word.to_owned())
                    .or_default()
                    .insert(place);
            }
        }
        form
    }

    fn code(&self, kind: Kind, normal: &str, literal: &BTreeSet<(Kind, String)>) -> String {
        let mut round = 0_u32;
        loop {
            let letters = self.letters(kind, normal, round);
            for length in CODE_MIN..=CODE_MAX {
                let key = (kind, letters[..length].to_owned());
                // A text that already has this pseudonym, by chance or by malice, must not get a meaning through it.
                if !self.by_code.contains_key(&key) && !literal.contains(&key) {
                    return key.1;
                }
            }
            round += 1;
        }
    }

    fn letters(&self, kind: Kind, normal: &str, round: u32) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher
            .update(kind.label().as_bytes())
            .update(&[0])
            .update(&round.to_le_bytes())
            .update(normal.as_bytes());
        let hash = hasher.finalize();
        hash.as_bytes()
            .iter()
            .take(CODE_MAX)
            .map(|byte| char::from(CODE_LETTERS[usize::from(*byte) % CODE_LETTERS.len()]))
            .collect()
    }

    /// Values of the table that stand where nothing gave them away.
    fn repeated(&self, text: &Text<'_>, found: &[Found]) -> Vec<Found> {
        let mut repeated: Vec<Found> = Vec::new();
        let mut others = found.iter().chain(&[]).peekable();
        let mut pseudonyms = mentions(text.text)
            .into_iter()
            .map(|mention| mention.span)
            .peekable();
        let mut free_from = 0;
        for (at, token) in text.tokens.iter().enumerate() {
            while others.next_if(|one| one.span.end <= token.start).is_some() {}
            while pseudonyms.next_if(|span| span.end <= token.start).is_some() {}
            if token.start < free_from || matches!(token.class, Class::Space | Class::Line) {
                continue;
            }
            let limit = others.peek().map_or(text.text.len(), |one| one.span.start);
            let limit = pseudonyms
                .peek()
                .map_or(limit, |span| limit.min(span.start));
            if limit <= token.start {
                continue;
            }
            if let Some((kind, end)) = self.value_at(text, at, limit) {
                free_from = end;
                repeated.push(Found {
                    kind,
                    span: token.start..end,
                    reason: "found before in this mission",
                });
            }
        }
        repeated
    }

    /// The longest value of the table that begins with this token and ends with one.
    fn value_at(&self, text: &Text<'_>, at: usize, limit: usize) -> Option<(Kind, usize)> {
        let start = text.start(at);
        let mut until = limit.min(start + REPEATED_MAX);
        while !text.text.is_char_boundary(until) {
            until -= 1;
        }
        let mut rest = &text.text[start..until];
        for _ in 0..REPEATED_STEPS_MAX {
            let range = (Bound::Unbounded, Bound::Included(rest));
            let (form, (kind, ..)) = self.by_form.range::<str, _>(range).next_back()?;
            let common = common_prefix(form, rest);
            if common == 0 {
                return None;
            }
            if common == form.len()
                && let Some(last) = last_token(text, start + common)
                && is_telling(text, *kind, form, at, last)
            {
                return Some((*kind, start + common));
            }
            rest = if common == form.len() {
                shortened(form)
            } else {
                &rest[..common]
            };
        }
        None
    }
}

fn shortened(form: &str) -> &str {
    let last = form.chars().next_back().map_or(0, char::len_utf8);
    &form[..form.len() - last]
}

fn common_prefix(one: &str, two: &str) -> usize {
    let bytes = one
        .bytes()
        .zip(two.bytes())
        .take_while(|(one, two)| one == two)
        .count();
    (0..=bytes)
        .rev()
        .find(|length| one.is_char_boundary(*length) && two.is_char_boundary(*length))
        .unwrap_or(0)
}

fn last_token(text: &Text<'_>, end: usize) -> Option<usize> {
    text.tokens
        .binary_search_by_key(&end, |token| token.end)
        .ok()
}

/// Whether a value says enough to be believed without its context.
fn is_telling(text: &Text<'_>, kind: Kind, form: &str, first: usize, last: usize) -> bool {
    if form.bytes().all(|byte| byte.is_ascii_digit()) {
        return form.len() >= REPEATED_DIGITS_MIN;
    }
    if kind == Kind::Name && first == last {
        let known = Known::of(form);
        return form.chars().count() >= 3
            && !known.ambiguous
            && !known.ordinary
            && names::stands_for_a_person(text, first);
    }
    true
}

/// The same for all usual ways to write a value.
fn normal(kind: Kind, value: &str) -> String {
    match kind {
        Kind::Name => Person::of(value).normal(),
        Kind::Email | Kind::Ip => value.to_lowercase(),
        Kind::Phone => value.chars().filter(char::is_ascii_digit).collect(),
        Kind::Address => value
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect::<Vec<_>>()
            .join(" "),
        Kind::BirthDate => value.to_lowercase(),
        Kind::NationalId | Kind::Card | Kind::Iban | Kind::MedicalRecord => value
            .chars()
            .filter(|character| character.is_alphanumeric())
            .flat_map(char::to_uppercase)
            .collect(),
    }
}
