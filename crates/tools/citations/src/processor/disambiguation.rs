//! How the processor tells two works apart that would be cited by the same words.
//!
//! Changes the options of a style so that hayagriva neither panics nor gives up, and notes what it leaves alike.

use std::collections::BTreeMap;

use hayagriva::citationberg::{DisambiguationRule, IndependentStyle};

use crate::csl::{Item, Name, words};
use crate::notes::Notes;

/// hayagriva adds given names by the rule `by-cite` only: with another rule it writes two Smiths alike. With that
/// rule it panics where the names of one work are the first names of another.
pub(super) fn adapt_options(style: &mut IndependentStyle, items: &[Item]) {
    let citation = &mut style.citation;
    if !citation.disambiguate_add_givenname {
        return;
    }
    citation.givenname_disambiguation_rule = DisambiguationRule::ByCite;
    if citation.disambiguate_add_names && some_names_begin_others(items) {
        // Letters behind the year tell the works apart instead.
        citation.disambiguate_add_givenname = false;
    }
}

fn some_names_begin_others(items: &[Item]) -> bool {
    let mut lists: Vec<Vec<String>> = items.iter().flat_map(name_lists).collect();
    lists.retain(|list| !list.is_empty());
    lists.sort();
    // A list that begins another is sorted right before one that it begins.
    lists
        .windows(2)
        .any(|pair| pair[0].len() < pair[1].len() && pair[1].starts_with(&pair[0]))
}

/// The names that a citation may hold, in each order it may hold them.
fn name_lists(item: &Item) -> [Vec<String>; 4] {
    let authors: Vec<String> = item.authors.iter().map(name_key).collect();
    let editors: Vec<String> = item.editors.iter().map(name_key).collect();
    let authors_first = [authors.clone(), editors.clone()].concat();
    let editors_first = [editors.clone(), authors.clone()].concat();
    [authors, editors, authors_first, editors_first]
}

/// Names that hayagriva takes for the same have the same key.
fn name_key(name: &Name) -> String {
    let text = words([
        name.dropping.as_str(),
        name.particle.as_str(),
        name.family.as_str(),
        name.literal.as_str(),
        name.given.as_str(),
        name.suffix.as_str(),
    ]);
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// Names the works whose citations in the text are alike.
pub(super) fn note_alike<'a>(in_text: impl Iterator<Item = (&'a str, &'a str)>, notes: &mut Notes) {
    let mut ids_by_citation: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, citation) in in_text {
        ids_by_citation.entry(citation).or_default().push(id);
    }
    for (citation, ids) in ids_by_citation {
        if ids.len() > 1 {
            notes.add(format!(
                "{} are all cited as {citation} in this style; check that readers can tell them apart.",
                ids.join(", ")
            ));
        }
    }
}
