//! Who the competitors are: those that were named, else those that documents call so, else the other companies in them.

use adjutant_text::dates::month_names;
use std::collections::{BTreeMap, BTreeSet};

use crate::given::Choice;
use crate::watched::Read;
use crate::weak_signals::is_told;
use crate::words::document_of;

const COMPETITORS_MAX: usize = 12;
/// Where nobody is called a competitor, these many companies are watched instead.
const COMPANIES_MAX: usize = 4;
const COMPANY_WORDS_MAX: usize = 3;
/// What stands behind the name of a company.
const LEGAL_FORMS: &[&str] = &[
    "AB",
    "AG",
    "BV",
    "Co",
    "Corp",
    "Corporation",
    "GmbH",
    "Inc",
    "KG",
    "LLC",
    "Limited",
    "Ltd",
    "NV",
    "Oy",
    "PLC",
    "SA",
    "SAS",
    "SE",
    "SpA",
    "plc",
];
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
    from: From,
}

/// Why somebody is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    Given,
    CalledSo,
    Company,
}

impl Competitor {
    /// Whether a text names it, as a whole word.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.names.iter().any(|name| holds(text, name))
    }

    /// Whether nobody calls it a competitor: it is a company that documents name.
    pub(super) fn is_only_named(&self) -> bool {
        self.from == From::Company
    }

    pub(super) fn told(&self) -> String {
        let others = self.names.iter().filter(|name| **name != self.name);
        let others: Vec<&str> = others.map(String::as_str).collect();
        let also = match others.is_empty() {
            true => String::new(),
            false => format!(" (also {})", others.join(", ")),
        };
        let from = match self.from {
            From::Given => "given",
            From::CalledSo => "called so by a document",
            From::Company => "a company that documents name",
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
    if all.is_empty() && !keeps_to_given {
        all = companies(read, own);
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
        from: From::Given,
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
                            from: From::CalledSo,
                        });
                    }
                }
            }
        }
    }
    found
}

/// The companies that most documents name, but for the one that is in most of all: it is our own.
fn companies(read: &Read, own: &[String]) -> Vec<Competitor> {
    let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (_, source) in &read.sources {
        for name in companies_in(&source.text) {
            let documents = found.entry(name).or_default();
            documents.insert(document_of(&source.id));
        }
    }
    let is_own = |name: &str| own.iter().any(|own| holds(own, name) || holds(name, own));
    let named = |name: &str| {
        let all = read.sources.iter();
        let holding = all.filter(|(_, source)| holds(&source.text, name));
        let documents: BTreeSet<&str> =
            holding.map(|(_, source)| document_of(&source.id)).collect();
        documents.len()
    };
    let is_own_known = found.keys().any(|name| is_own(name));
    let mut all: Vec<(usize, String)> = found
        .into_keys()
        .filter(|name| !is_own(name))
        .map(|name| (named(&name), name))
        .collect();
    all.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    // Where none of them is given as ours, the one that most documents name is.
    let skipped = usize::from(!is_own_known);
    let rest = all.into_iter().skip(skipped).take(COMPANIES_MAX);
    rest.map(|(_, name)| Competitor {
        names: vec![name.clone()],
        name,
        from: From::Company,
    })
    .collect()
}

/// Names in front of a legal form: `Ode Pumps` of `Ode Pumps Ltd`.
fn companies_in(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let bare = |word: &str| {
            let clean = word.trim_matches(|char: char| !char.is_alphanumeric());
            clean.to_owned()
        };
        for (at, word) in words.iter().enumerate() {
            if !LEGAL_FORMS.contains(&bare(word).as_str()) {
                continue;
            }
            let before = words[..at].iter().rev().take_while(|word| {
                let ends = word.ends_with([',', ';', ':', '.', ')']);
                let clean = bare(word);
                let is_name = clean.chars().next().is_some_and(char::is_uppercase)
                    && clean.chars().all(char::is_alphanumeric)
                    && names_somebody(&clean);
                is_name && !ends
            });
            let mut name: Vec<String> = before
                .take(COMPANY_WORDS_MAX)
                .map(|word| bare(word))
                .collect();
            name.reverse();
            if name.iter().any(|word| word.chars().count() > 2) {
                found.insert(name.join(" "));
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

/// Whether a word with a capital can be a part of a name.
fn names_somebody(word: &str) -> bool {
    let small = word.to_lowercase();
    !NOBODY.contains(&small.as_str()) && !month_names().contains(&small.as_str())
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
            && names_somebody(bare);
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
