//! Who the competitors are: those that were named, else those that documents call so.

use std::collections::{BTreeMap, BTreeSet};

use crate::given::Choice;
use crate::watched::Read;
use crate::weak_signals::is_told;
use crate::words::document_of;

const COMPETITORS_MAX: usize = 12;
const HEADING_WORDS_MAX: usize = 8;
/// A name that stands in more than this share of the documents is our own; of few documents that tells nothing.
const OWN_SHARE: f64 = 0.34;
const DOCUMENTS_MIN: usize = 6;
/// Words that call somebody a competitor.
const CALLING: &[&str] = &[
    "competitor",
    "competitors",
    "rival",
    "rivals",
    "competing",
    "competes",
    "competition",
];
/// Words that are written with a capital and name nobody.
const NOBODY: &[&str] = &[
    "the",
    "a",
    "an",
    "if",
    "in",
    "on",
    "at",
    "by",
    "for",
    "from",
    "of",
    "our",
    "we",
    "it",
    "its",
    "this",
    "that",
    "these",
    "no",
    "not",
    "and",
    "but",
    "or",
    "as",
    "when",
    "there",
    "some",
    "all",
    "both",
    "nearest",
    "main",
    "first",
    "two",
    "three",
    "europe",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "competitor",
    "competitors",
    "competition",
    "rival",
    "rivals",
    "table",
    "figure",
    "section",
    "board",
    "phase",
    "eur",
    "usd",
];

/// A competitor with all names it goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Competitor {
    pub(super) name: String,
    names: Vec<String>,
    is_given: bool,
}

impl Competitor {
    /// Whether a text names it, as a whole word.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.names.iter().any(|name| holds(text, name))
    }

    pub(super) fn told(&self) -> String {
        let others = self.names.iter().filter(|name| **name != self.name);
        let others: Vec<&str> = others.map(String::as_str).collect();
        let also = match others.is_empty() {
            true => String::new(),
            false => format!(" (also {})", others.join(", ")),
        };
        let from = if self.is_given {
            "given"
        } else {
            "called so by a document"
        };
        format!("{}{also}, {from}", self.name)
    }
}

fn holds(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let is_letter = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    let mut places = text.match_indices(&name);
    !name.is_empty()
        && places.any(|(at, _)| {
            let after = text[at + name.len()..]
                .trim_start_matches(['\'', '’'])
                .chars()
                .next();
            !is_letter(text[..at].chars().next_back())
                && (!is_letter(after) || text[at + name.len()..].starts_with(['\'', '’']))
        })
}

pub(super) fn competitors(
    given: &[String],
    own: &[String],
    choices: &[Choice],
    read: &Read,
) -> Vec<Competitor> {
    let mut all: Vec<Competitor> = given.iter().filter_map(|text| of_text(text)).collect();
    if Choice::chose(choices, "with_my_note") {
        let named = Choice::lines(choices).into_iter().flat_map(|line| {
            let parts: Vec<String> = line.split([',', ';']).map(str::to_owned).collect();
            parts
        });
        for one in named.filter_map(|text| of_text(&text)) {
            if !all.iter().any(|known| known.name == one.name) {
                all.push(one);
            }
        }
    }
    let keeps_to_given = Choice::chose(choices, "named_only");
    if all.is_empty() || (!keeps_to_given && given.is_empty()) {
        for one in called_so(read, own) {
            let is_known = all
                .iter()
                .any(|known| one.names.iter().any(|name| known.is_in(name)));
            if !is_known {
                all.push(one);
            }
        }
    }
    all.truncate(COMPETITORS_MAX);
    all
}

/// `Name = other name = a third`.
fn of_text(text: &str) -> Option<Competitor> {
    let names: Vec<String> = text
        .split('=')
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    Some(Competitor {
        name: names.first()?.clone(),
        names,
        is_given: true,
    })
}

/// Those whom a sentence, or the heading above it, calls competitors. What stands in brackets right behind a name is the same.
fn called_so(read: &Read, own: &[String]) -> Vec<Competitor> {
    let counts = documents_by_name(read);
    let documents = read
        .sources
        .iter()
        .map(|(_, source)| document_of(&source.id))
        .collect::<BTreeSet<_>>()
        .len();
    let is_own = |name: &str| {
        let is_named = own.iter().any(|own| holds(own, name) || holds(name, own));
        let first = name
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let count = counts.get(&first).map_or(0, BTreeSet::len);
        let share = count as f64 / documents.max(1) as f64;
        is_named || (documents >= DOCUMENTS_MIN && share > OWN_SHARE)
    };
    let common = small_words(read);
    // A word that is also written small is no name, and neither is one with a number in it.
    let is_name = |name: &str| {
        let is_word = |word: &str| word.chars().all(char::is_alphabetic);
        let is_rare = |word: &str| !common.contains(&word.to_lowercase());
        name.split_whitespace().all(is_word) && name.split_whitespace().any(is_rare)
    };
    let mut found: Vec<Competitor> = Vec::new();
    for (_, source) in &read.sources {
        let mut is_under = false;
        for range in adjutant_text::sentences::sentences(&source.text) {
            let text = &source.text[range];
            let calling = calling_at(text);
            if !is_told(text) {
                is_under =
                    calling.is_some() && text.split_whitespace().count() <= HEADING_WORDS_MAX;
                continue;
            }
            // A competitor is named behind the word that calls it one; under a heading it is what the first sentence is about.
            let taken: Vec<Vec<String>> = match calling {
                Some(at) => names_in(&text[at..]),
                None if is_under => names_in(text).into_iter().take(1).collect(),
                None => Vec::new(),
            };
            is_under = false;
            for names in taken {
                if names.iter().any(|name| is_own(name)) || !names.iter().any(|name| is_name(name))
                {
                    continue;
                }
                let known = found
                    .iter_mut()
                    .find(|known| names.iter().any(|name| known.is_in(name)));
                match known {
                    Some(known) => {
                        for name in names {
                            if !known.names.contains(&name) {
                                known.names.push(name);
                            }
                        }
                    }
                    None => {
                        let shown = names.iter().rev().find(|name| is_name(name));
                        found.push(Competitor {
                            name: shown.unwrap_or(&names[0]).clone(),
                            names,
                            is_given: false,
                        });
                    }
                }
            }
        }
    }
    found
}

/// Where the word ends by which a text calls somebody a competitor.
fn calling_at(text: &str) -> Option<usize> {
    let small = text.to_lowercase();
    let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
    let ends = CALLING.iter().flat_map(|word| {
        small
            .match_indices(word)
            .map(|(at, word)| (at, at + word.len()))
    });
    let whole = ends.filter(|(from, to)| {
        !is_letter(small[..*from].chars().next_back()) && !is_letter(small[*to..].chars().next())
    });
    let first = whole.map(|(_, to)| to).min()?;
    text.is_char_boundary(first).then_some(first)
}

/// Words that are written small somewhere.
fn small_words(read: &Read) -> BTreeSet<String> {
    let all = read
        .sources
        .iter()
        .flat_map(|(_, source)| source.text.split(|char: char| !char.is_alphanumeric()));
    all.filter(|word| word.chars().next().is_some_and(char::is_lowercase))
        .map(str::to_owned)
        .collect()
}

fn documents_by_name(read: &Read) -> BTreeMap<String, BTreeSet<&str>> {
    let mut counts: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (_, source) in &read.sources {
        let words: BTreeSet<String> = source
            .text
            .split(|char: char| !char.is_alphanumeric())
            .filter(|word| word.chars().next().is_some_and(char::is_uppercase))
            .map(str::to_lowercase)
            .collect();
        for word in words {
            counts
                .entry(word)
                .or_default()
                .insert(document_of(&source.id));
        }
    }
    counts
}

/// Names in a sentence: words with a capital, with those right beside them; each with the one in brackets behind it.
fn names_in(text: &str) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut name: Vec<&str> = Vec::new();
    let mut is_bracketed = false;
    let mut closes = |name: &mut Vec<&str>, is_bracketed: bool| {
        if name.is_empty() {
            return;
        }
        let whole = name.join(" ");
        name.clear();
        match (is_bracketed, found.last_mut()) {
            (true, Some(last)) => last.push(whole),
            _ => found.push(vec![whole]),
        }
    };
    for word in text.split_whitespace() {
        if word.starts_with('(') {
            closes(&mut name, is_bracketed);
            is_bracketed = true;
        }
        let clean = word.trim_matches(|char: char| !char.is_alphanumeric());
        let bare = clean
            .strip_suffix("'s")
            .or_else(|| clean.strip_suffix("’s"))
            .unwrap_or(clean);
        let is_name = bare.chars().next().is_some_and(char::is_uppercase)
            && bare.chars().count() > 2
            && !NOBODY.contains(&bare.to_lowercase().as_str());
        if is_name {
            name.push(bare);
        } else {
            closes(&mut name, is_bracketed);
        }
        if word.ends_with([',', ';', ':', '.', ')']) || bare != clean {
            closes(&mut name, is_bracketed);
        }
        if word.contains(')') {
            is_bracketed = false;
        }
    }
    closes(&mut name, is_bracketed);
    found
}
