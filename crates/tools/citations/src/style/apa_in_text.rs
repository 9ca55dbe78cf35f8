//! In-text citations of APA, 7th edition: `(A. Smith et al., 2020a)`.
//!
//! Works through a whole list, because a citation is only as long as it must be to differ from the others. The
//! entries of the list are written by `apa`.

use std::collections::{BTreeMap, BTreeSet};

use super::{apa, case};
use crate::Markup;
use crate::csl::{Field, Item, Kind, Name};
use crate::rich::Rich;

/// A citation names at most this many people to differ from another.
const NAMES_MAX: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FirstAuthor {
    Surname,
    InitialsAndSurname,
}

pub(crate) struct InTextCitation {
    /// The people, or the title of a work without any.
    pub(crate) names: Rich,
    /// `a`, `b`, …, where names and year are not enough.
    pub(crate) year_suffix: String,
}

impl InTextCitation {
    pub(crate) fn render(&self, item: &Item, markup: Markup) -> String {
        let names = self.names.render(markup);
        let year = markup.escape(&apa::year(item, &self.year_suffix));
        // A title in quotation marks brings its own comma.
        let comma = if names.ends_with(",”") { "" } else { "," };
        format!("({names}{comma} {year})")
    }
}

/// One citation for each item; the items must be in the order of the list.
pub(crate) fn in_text_citations(items: &[Item]) -> Vec<InTextCitation> {
    let first_authors = first_author_forms(items);
    let name_counts = name_counts(items, &first_authors);
    let names: Vec<Rich> = items
        .iter()
        .zip(first_authors.iter().zip(name_counts))
        .map(|(item, (first_author, count))| cited_names(item, count, *first_author))
        .collect();
    let suffixes = year_suffixes(items, &names);
    names
        .into_iter()
        .zip(suffixes)
        .map(|(names, year_suffix)| InTextCitation { names, year_suffix })
        .collect()
}

/// First authors who share a surname are told apart by their initials, whatever the years (section 8.20).
fn first_author_forms(items: &[Item]) -> Vec<FirstAuthor> {
    let mut initials_by_surname: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in items.iter().filter_map(first_author) {
        initials_by_surname
            .entry(name.family().to_lowercase())
            .or_default()
            .insert(name.given_with_stops());
    }
    items
        .iter()
        .map(|item| {
            let shared = first_author(item)
                .and_then(|name| initials_by_surname.get(&name.family().to_lowercase()))
                .is_some_and(|initials| initials.len() > 1);
            if shared {
                FirstAuthor::InitialsAndSurname
            } else {
                FirstAuthor::Surname
            }
        })
        .collect()
}

fn first_author(item: &Item) -> Option<&Name> {
    people(item).first()
}

fn people(item: &Item) -> &[Name] {
    if item.kind() == Kind::Law {
        return &[];
    }
    apa::leading_people(item)
}

/// More names where `et al.` would stand for different people in the same year (section 8.18).
fn name_counts(items: &[Item], first_authors: &[FirstAuthor]) -> Vec<usize> {
    let cited = |at: usize, count: usize| {
        cited_names(&items[at], count, first_authors[at]).render(Markup::Text)
    };
    let all_names: Vec<String> = (0..items.len()).map(|at| cited(at, NAMES_MAX)).collect();
    let mut counts = vec![1; items.len()];
    let mut ambiguous: Vec<usize> = (0..items.len()).collect();
    for count in 1..NAMES_MAX {
        let key = |at: usize| (cited(at, count), apa::year(&items[at], ""));
        let mut groups: BTreeMap<(String, String), BTreeSet<&str>> = BTreeMap::new();
        for &at in &ambiguous {
            groups.entry(key(at)).or_default().insert(&all_names[at]);
        }
        ambiguous.retain(|&at| {
            let is_unique = groups.get(&key(at)).is_none_or(|people| people.len() == 1);
            if is_unique {
                counts[at] = count;
            }
            !is_unique
        });
    }
    counts
}

/// `Müller`, `Müller & Ash`, `Müller et al.`, `Müller, Ash, et al.`
fn cited_names(item: &Item, count: usize, first_author: FirstAuthor) -> Rich {
    let people = people(item);
    let mut names: Vec<String> = people.iter().map(Name::family).collect();
    if let (Some(first), FirstAuthor::InitialsAndSurname) = (people.first(), first_author) {
        names[0] = first.initials_and_family();
    }
    let text = match names.as_slice() {
        [] => return cited_title(item),
        [one] => one.clone(),
        [one, two] => format!("{one} & {two}"),
        [others @ .., last] if count + 1 >= names.len() => {
            format!("{}, & {last}", others.join(", "))
        }
        [first, ..] if count <= 1 => format!("{first} et al."),
        all => format!("{}, et al.", all[..count].join(", ")),
    };
    Rich::plain(text)
}

fn cited_title(item: &Item) -> Rich {
    let title = case::title(item.text(Field::Title), item.text(Field::Language));
    if item.kind() == Kind::Law {
        return Rich::plain(title);
    }
    if apa::stands_alone(item) {
        return Rich::italic(title);
    }
    Rich::plain(format!("“{title},”"))
}

/// `a`, `b`, … for works with the same names and year, in the order of the list (section 8.19).
fn year_suffixes(items: &[Item], names: &[Rich]) -> Vec<String> {
    let keys: Vec<(String, String)> = items
        .iter()
        .zip(names)
        .map(|(item, names)| (names.render(Markup::Text), apa::year(item, "")))
        .collect();
    let mut totals: BTreeMap<&(String, String), usize> = BTreeMap::new();
    for key in &keys {
        *totals.entry(key).or_default() += 1;
    }
    let mut used: BTreeMap<&(String, String), usize> = BTreeMap::new();
    keys.iter()
        .map(|key| {
            if totals.get(key).is_none_or(|total| *total < 2) {
                return String::new();
            }
            let index = used.entry(key).or_default();
            let suffix = letters(*index);
            *index += 1;
            suffix
        })
        .collect()
}

/// 0 is `a`, 25 is `z`, 26 is `aa`.
fn letters(index: usize) -> String {
    let last = char::from(b'a' + u8::try_from(index % 26).unwrap_or(0));
    if index < 26 {
        return last.to_string();
    }
    format!("{}{last}", letters(index / 26 - 1))
}
