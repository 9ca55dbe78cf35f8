//! Writes BibTeX.

use std::collections::BTreeSet;

use super::latex::encode;
use super::names::is_small;
use crate::Entry;
use crate::csl::{Date, Field, Item, MONTHS_SHORT, Name};

/// The entry type of BibTeX for a CSL type.
pub(super) const TYPES: &[(&str, &str)] = &[
    ("article-journal", "article"),
    ("book", "book"),
    ("chapter", "incollection"),
    ("paper-conference", "inproceedings"),
    ("thesis", "phdthesis"),
    ("report", "techreport"),
    ("webpage", "online"),
    ("patent", "patent"),
    ("dataset", "dataset"),
    ("software", "software"),
    ("legislation", "legislation"),
];

/// Fields with the same name in all types.
pub(super) const FIELDS: &[(Field, &str)] = &[
    (Field::Title, "title"),
    (Field::ContainerShort, "shortjournal"),
    (Field::Collection, "series"),
    (Field::Event, "eventtitle"),
    (Field::Place, "address"),
    (Field::Authority, "authority"),
    (Field::Genre, "type"),
    (Field::Medium, "medium"),
    (Field::Volume, "volume"),
    (Field::Edition, "edition"),
    (Field::Version, "version"),
    (Field::Pmid, "pmid"),
    (Field::Pmcid, "pmcid"),
    (Field::Isbn, "isbn"),
    (Field::Issn, "issn"),
    (Field::Language, "language"),
    (Field::Keyword, "keywords"),
    (Field::Note, "note"),
    (Field::Abstract, "abstract"),
];

pub(crate) fn write(items: &[Item]) -> Vec<Entry> {
    let mut taken = BTreeSet::new();
    items
        .iter()
        .map(|item| {
            let key = key(&item.id, &mut taken);
            Entry {
                id: item.id.clone(),
                number: None,
                text: entry(item, &key),
                cited: Some(format!("\\cite{{{key}}}")),
                key: Some(key),
            }
        })
        .collect()
}

/// The id with only characters that every BibTeX accepts, and unique.
fn key(id: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String = id
        .chars()
        .map(|letter| {
            let is_allowed = letter.is_ascii_alphanumeric() || ":._/-+".contains(letter);
            if is_allowed { letter } else { '-' }
        })
        .collect();
    let mut key = plain.clone();
    let mut count = 1_usize;
    while !taken.insert(key.clone()) {
        count += 1;
        key = format!("{plain}-{count}");
    }
    key
}

pub(super) fn is_article(kind: &str) -> bool {
    kind == "article"
}

fn entry(item: &Item, key: &str) -> String {
    let named = TYPES.iter().find(|(csl, _)| *csl == item.csl_type);
    let in_article = matches!(
        item.csl_type.as_str(),
        "article-newspaper" | "article-magazine"
    );
    let kind = match named {
        Some((_, kind)) => kind,
        None if in_article => "article",
        None => "misc",
    };
    let mut lines: Vec<String> = Vec::new();
    let mut add = |name: &str, value: String| {
        if !value.is_empty() {
            lines.push(format!("  {name} = {{{value}}}"));
        }
    };
    if named.is_none() {
        add("entrysubtype", encode(&item.csl_type));
    }
    add("author", names(&item.authors));
    add("editor", names(&item.editors));
    for (field, name) in FIELDS {
        add(name, encode(item.text(*field)));
    }
    let article = is_article(kind);
    add(
        if article { "journal" } else { "booktitle" },
        encode(item.text(Field::Container)),
    );
    add(
        match kind {
            "phdthesis" => "school",
            "techreport" => "institution",
            _ => "publisher",
        },
        encode(item.text(Field::Publisher)),
    );
    add(
        if article { "number" } else { "issue" },
        encode(item.text(Field::Issue)),
    );
    add(
        if article { "eid" } else { "number" },
        encode(item.text(Field::Number)),
    );
    add("pages", encode(item.text(Field::Page)).replace('-', "--"));
    add("doi", verbatim(item.text(Field::Doi)));
    add("url", verbatim(item.text(Field::Url)));
    if let Some(date) = &item.accessed {
        add("urldate", encode(&date.iso()));
    }
    if let Some(date) = &item.issued {
        lines.extend(issued(date));
    }
    format!("@{kind}{{{key},\n{}\n}}", lines.join(",\n"))
}

fn issued(date: &Date) -> Vec<String> {
    let mut lines = vec![format!("  year = {{{}}}", encode(&date.year()))];
    let (month, day) = match date {
        Date::Month(_, month) => (Some(*month), None),
        Date::Day(_, month, day) => (Some(*month), Some(*day)),
        Date::Year(_) | Date::Words(_) => (None, None),
    };
    if let Some(name) = month.and_then(|month| MONTHS_SHORT.get(usize::from(month) - 1)) {
        lines.push(format!("  month = {}", name.to_lowercase()));
    }
    if let Some(day) = day {
        lines.push(format!("  day = {{{day}}}"));
    }
    lines
}

/// Addresses are not LaTeX; only braces are replaced, because they would end the value.
fn verbatim(text: &str) -> String {
    text.replace('{', "%7B").replace('}', "%7D")
}

fn names(names: &[Name]) -> String {
    let written: Vec<String> = names.iter().map(name).collect();
    written.join(" and ")
}

fn name(name: &Name) -> String {
    if !name.literal.is_empty() {
        return format!("{{{}}}", encode(&name.literal));
    }
    let family = unsplit_family(&name.family);
    let family = if name.particle.is_empty() {
        family
    } else {
        format!("{} {family}", encode(&name.particle))
    };
    let given = [unsplit_given(&name.given), encode(&name.dropping)];
    let given: Vec<&str> = given
        .iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    let given = given.join(" ");
    match (given.is_empty(), name.suffix.is_empty()) {
        (true, true) if !family.contains([' ', '{']) => family,
        (_, true) => format!("{family}, {given}"),
        (_, false) => format!("{family}, {}, {given}", encode(&name.suffix)),
    }
}

/// Braces around names that BibTeX would split.
fn unsplit_family(family: &str) -> String {
    if is_small(family) || family.contains(',') || has_and(family) {
        return format!("{{{}}}", encode(family));
    }
    encode(family)
}

fn unsplit_given(given: &str) -> String {
    if given.contains(',') || has_and(given) || given.split(' ').any(is_small) {
        return format!("{{{}}}", encode(given));
    }
    encode(given)
}

fn has_and(text: &str) -> bool {
    text.split(' ').any(|word| word.eq_ignore_ascii_case("and"))
}
