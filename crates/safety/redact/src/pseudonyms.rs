//! The pseudonyms of one mission: replaces values by pseudonyms and restores them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Bound;

use serde::{Deserialize, Serialize};

use crate::find::find_in_tokens;
use crate::gazetteer::Known;
use crate::identifiers::{Scope, identifiers};
use crate::kind::{Found, Kind};
use crate::names;
use crate::person::Person;
use crate::shape::{CODE_LETTERS, CODE_MAX, CODE_MIN, find_pseudonyms, format_pseudonym};
use crate::text::{Class, Text};

/// With more candidates, a partial name is not matched to a person.
const NAMESAKES_MAX: usize = 64;
/// Longer values are not searched for outside their context.
const REPEATED_MAX: usize = 256;
const REPEATED_STEPS_MAX: usize = 64;
/// Shorter numbers occur by chance.
const REPEATED_DIGITS_MIN: usize = 5;

/// The values behind a mission's pseudonyms. Contains personal data in plain text: encrypt it before storing it.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Table {
    entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    kind: Kind,
    code: String,
    /// All spellings; a pseudonym without a number means the first.
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
    /// What was replaced; spans refer to the original text.
    pub found: Vec<Found>,
}

/// One value of a text, and what takes its place.
pub(crate) struct Replacement {
    pub(crate) found: Found,
    pub(crate) pseudonym: String,
    /// The same for all spellings of a value.
    pub(crate) entry: usize,
}

/// Replaces personal data by pseudonyms such as `[NAME_7Q3]`, and restores it.
///
/// Within a mission a value has one code for all its spellings; `[NAME_7Q3-2]` is the second spelling.
/// The code is a keyed hash of the kind and the value. Without the key a guessed value cannot be checked against a
/// pseudonym, and without the table a pseudonym cannot be restored. Each mission has its own key, so its pseudonyms
/// are unrelated to those of other missions. If two values have the same code,
/// the second gets a longer one.
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

    /// Continues with a stored table.
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
            let index = pseudonyms.add_entry(entry.kind, entry.code);
            for form in entry.forms {
                pseudonyms.add_form(index, &form);
            }
        }
        pseudonyms
    }

    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Replaces what `find` finds, and every value that was already replaced in this mission.
    pub fn redact(&mut self, text: &str) -> Redacted {
        let replacements = self.replacements(text, Scope::All);
        let mut redacted = String::with_capacity(text.len());
        let mut copied = 0;
        for one in &replacements {
            redacted.push_str(&text[copied..one.found.span.start]);
            redacted.push_str(&one.pseudonym);
            copied = one.found.span.end;
        }
        redacted.push_str(&text[copied..]);
        Redacted {
            text: redacted,
            found: replacements.into_iter().map(|one| one.found).collect(),
        }
    }

    /// What is replaced in a text and by what, in order.
    pub(crate) fn replacements(&mut self, text: &str, scope: Scope) -> Vec<Replacement> {
        let tokens = Text::new(text);
        let mut found = find_in_tokens(&tokens);
        if scope == Scope::Identifiers {
            found = identifiers(&tokens, found);
        }
        let literal: BTreeSet<(Kind, String)> = find_pseudonyms(text)
            .into_iter()
            .map(|mention| (mention.kind, mention.code))
            .collect();
        // Full names first, so that shorter ones can be matched to them.
        let mut order: Vec<&Found> = found.iter().collect();
        order.sort_by_key(|one| match one.kind {
            Kind::Name => usize::MAX - Person::parse(&text[one.span.clone()]).detail(),
            _ => 0,
        });
        for one in order {
            self.assign(one.kind, &text[one.span.clone()], &literal);
        }
        found.extend(self.find_repeated_values(&tokens, &found));
        found.sort_by_key(|one| one.span.start);
        let replaced = found.into_iter().map(|found| {
            let (entry, form) = self.assign(found.kind, &text[found.span.clone()], &literal);
            let code = &self.table.entries[entry].code;
            Replacement {
                pseudonym: format_pseudonym(found.kind, code, form),
                entry,
                found,
            }
        });
        replaced.collect()
    }

    /// Replaces the pseudonyms of a text by their values. Unknown ones are left unchanged. Values never
    /// contain quotes, backslashes or control characters, so JSON stays valid.
    #[must_use]
    pub fn restore(&self, text: &str) -> String {
        let mut restored = String::with_capacity(text.len());
        let mut copied = 0;
        for mention in find_pseudonyms(text) {
            let Some(index) = self.by_code.get(&(mention.kind, mention.code)) else {
                continue;
            };
            let Some(form) = self.table.entries[*index].forms.get(mention.form - 1) else {
                continue;
            };
            restored.push_str(&text[copied..mention.span.start]);
            restored.push_str(form);
            copied = mention.span.end;
        }
        restored.push_str(&text[copied..]);
        restored
    }

    /// The entry and form of a value; creates them if needed.
    fn assign(
        &mut self,
        kind: Kind,
        value: &str,
        literal: &BTreeSet<(Kind, String)>,
    ) -> (usize, usize) {
        if let Some((known, index, form)) = self.by_form.get(value)
            && *known == kind
        {
            return (*index, *form);
        }
        let normal = normalize(kind, value);
        let index = self
            .by_normal
            .get(&(kind, normal.clone()))
            .copied()
            .or_else(|| self.find_matching_person(kind, value));
        let index = index.unwrap_or_else(|| {
            let code = self.new_code(kind, &normal, literal);
            self.add_entry(kind, code)
        });
        (index, self.add_form(index, value))
    }

    /// The person in the table that a name refers to, if there is exactly one candidate.
    fn find_matching_person(&self, kind: Kind, value: &str) -> Option<usize> {
        if kind != Kind::Name {
            return None;
        }
        let person = Person::parse(value);
        let mut candidates: BTreeSet<usize> = BTreeSet::new();
        for word in person.words() {
            let places = self.by_word.get(word).into_iter().flatten();
            candidates.extend(places.take(NAMESAKES_MAX + 1));
        }
        if candidates.len() > NAMESAKES_MAX {
            return None;
        }
        let mut fitting = candidates.into_iter().filter(|index| {
            let fullest = self.table.entries[*index]
                .forms
                .iter()
                .map(|form| Person::parse(form))
                .max_by_key(Person::detail);
            fullest.is_some_and(|fullest| fullest.may_be_same_as(&person))
        });
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    fn add_entry(&mut self, kind: Kind, code: String) -> usize {
        let index = self.table.entries.len();
        self.by_code.insert((kind, code.clone()), index);
        self.table.entries.push(Entry {
            kind,
            code,
            forms: Vec::new(),
        });
        index
    }

    fn add_form(&mut self, index: usize, value: &str) -> usize {
        let entry = &mut self.table.entries[index];
        let kind = entry.kind;
        let form = match entry.forms.iter().position(|form| form == value) {
            Some(known) => known + 1,
            None => {
                entry.forms.push(value.to_owned());
                entry.forms.len()
            }
        };
        self.by_normal
            .entry((kind, normalize(kind, value)))
            .or_insert(index);
        self.by_form
            .entry(value.to_owned())
            .or_insert((kind, index, form));
        if kind == Kind::Name {
            for word in Person::parse(value).words() {
                self.by_word
                    .entry(word.to_owned())
                    .or_default()
                    .insert(index);
            }
        }
        form
    }

    fn new_code(&self, kind: Kind, normal: &str, literal: &BTreeSet<(Kind, String)>) -> String {
        let mut round = 0_u32;
        loop {
            let letters = self.hash_letters(kind, normal, round);
            for length in CODE_MIN..=CODE_MAX {
                let key = (kind, letters[..length].to_owned());
                // A pseudonym that already occurs in the text must not be given a value.
                if !self.by_code.contains_key(&key) && !literal.contains(&key) {
                    return key.1;
                }
            }
            round += 1;
        }
    }

    fn hash_letters(&self, kind: Kind, normal: &str, round: u32) -> String {
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

    /// Values of the table that no detector found in this text.
    fn find_repeated_values(&self, text: &Text<'_>, found: &[Found]) -> Vec<Found> {
        let mut repeated: Vec<Found> = Vec::new();
        let mut others = found.iter().chain(&[]).peekable();
        let mut pseudonyms = find_pseudonyms(text.text)
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
            if let Some((kind, end)) = self.longest_value_at(text, at, limit) {
                free_from = end;
                repeated.push(Found {
                    kind,
                    span: token.start..end,
                    reason: "already found in this mission",
                });
            }
        }
        repeated
    }

    /// The longest value of the table that starts with this token and ends at a token.
    fn longest_value_at(&self, text: &Text<'_>, at: usize, limit: usize) -> Option<(Kind, usize)> {
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
                && let Some(last) = token_ending_at(text, start + common)
                && is_distinctive(text, *kind, form, at, last)
            {
                return Some((*kind, start + common));
            }
            rest = if common == form.len() {
                without_last_character(form)
            } else {
                &rest[..common]
            };
        }
        None
    }
}

fn without_last_character(form: &str) -> &str {
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

fn token_ending_at(text: &Text<'_>, end: usize) -> Option<usize> {
    text.tokens
        .binary_search_by_key(&end, |token| token.end)
        .ok()
}

/// Whether a value is specific enough to be recognised without context.
fn is_distinctive(text: &Text<'_>, kind: Kind, form: &str, first: usize, last: usize) -> bool {
    if form.bytes().all(|byte| byte.is_ascii_digit()) {
        return form.len() >= REPEATED_DIGITS_MIN;
    }
    let mut words = form.split(|character: char| !character.is_alphabetic());
    if kind == Kind::Name && first != last && words.all(|word| word.chars().nth(1).is_none()) {
        return names::are_initials_alone(text, first, last);
    }
    if kind == Kind::Name && first == last {
        let known = Known::look_up(form);
        return form.chars().count() >= 3
            && !known.ambiguous
            && !known.ordinary
            && names::is_person_here(text, first);
    }
    true
}

/// Identical for all usual spellings of a value.
fn normalize(kind: Kind, value: &str) -> String {
    match kind {
        Kind::Name => Person::parse(value).normalized(),
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
