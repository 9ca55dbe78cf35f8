//! Short forms and full names of the same thing, as the documents introduce them: `Rhine Water Board (RWB)`, `Ida Moor Ltd
//! ("the Owner")`, `RWB: Rhine Water Board`.

use std::collections::BTreeSet;

use crate::terms::{Term, Terms};
use crate::words::{is_stop_word, words};

/// How many letters a short form has.
const SHORT_FORM: std::ops::RangeInclusive<usize> = 2..=8;
/// How many words a full name may have that is called something else.
const FULL_WORDS_MAX: usize = 6;

/// A name and another name of the same thing, as terms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Alias {
    pub(crate) short: Vec<Term>,
    pub(crate) full: Vec<Term>,
}

/// All names that the documents introduce.
#[derive(Debug, Default)]
pub(crate) struct Names {
    aliases: BTreeSet<Alias>,
}

impl Names {
    /// Takes the names that a statement introduces.
    pub(crate) fn read(&mut self, text: &str, terms: &mut Terms) {
        for (short, full) in introduced(text) {
            let alias = Alias {
                short: terms.read(&short),
                full: terms.read(&full),
            };
            if !alias.short.is_empty() && !alias.full.is_empty() && alias.short != alias.full {
                self.aliases.insert(alias);
            }
        }
    }

    /// The other names of what is called by one of these terms, if all of the name is there: each as its terms.
    pub(crate) fn others(&self, term: Term, among: &[Term]) -> Vec<&[Term]> {
        let mut found = Vec::new();
        for alias in &self.aliases {
            for (own, other) in [(&alias.short, &alias.full), (&alias.full, &alias.short)] {
                let whole = own.iter().all(|part| among.contains(part));
                if own.contains(&term) && whole {
                    found.push(other.as_slice());
                }
            }
        }
        found
    }
}

/// Pairs of a short and a full name, as they are written.
fn introduced(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('(') {
        let Some(length) = text[open..].find(')') else {
            break;
        };
        let inside = text[open + 1..open + length].trim();
        let before = text[..open].trim_end();
        let called = quoted(inside);
        if let [first, others @ ..] = called.as_slice() {
            let full = name_at_end(before);
            found.extend(full.map(|full| ((*first).to_owned(), full)));
            found.extend(
                others
                    .iter()
                    .map(|other| ((*other).to_owned(), (*first).to_owned())),
            );
            continue;
        }
        let bare = inside;
        if bare.is_empty() || words(bare).len() > 3 {
            continue;
        }
        let full = spelled_out(before, bare).or_else(|| spelled_back(before, bare));
        if let Some(full) = full {
            found.push((bare.to_owned(), full));
        }
    }
    found
}

/// What stands between quotation marks: `the "Owner"`, `"Moor" or "the Owner"`.
fn quoted(inside: &str) -> Vec<&str> {
    let parts: Vec<&str> = inside.split(['"', '“', '”', '„']).collect();
    // Of the parts between marks every second one is inside.
    let inner = parts.iter().skip(1).step_by(2).take(parts.len() / 2);
    let bare = inner.map(|part| part.trim_start_matches("the ").trim());
    bare.filter(|part| !part.is_empty() && words(part).len() <= 3)
        .collect()
}

/// The words at the end of a text whose first letters are these: `Rhine Water Board` for `RWB`.
fn spelled_out(before: &str, short: &str) -> Option<String> {
    let letters: Vec<char> = short.chars().filter(|char| char.is_alphabetic()).collect();
    let capitals = letters.iter().filter(|char| char.is_uppercase()).count();
    let is_short = SHORT_FORM.contains(&short.len()) && !short.contains(' ');
    if !is_short || capitals < 2 || letters.len() != short.chars().count() {
        return None;
    }
    let all = words(before);
    // Small words may stand between: `Bank of England`.
    let mut wanted = letters.iter().rev().peekable();
    for (count, word) in all.iter().rev().enumerate() {
        let letter = wanted.peek()?;
        let written = &before[word.clone()];
        let fits = written.to_lowercase().chars().next() == letter.to_lowercase().next();
        if fits {
            wanted.next();
        } else if !is_stop_word(&written.to_lowercase()) || count == 0 {
            return None;
        }
        if wanted.peek().is_none() {
            return Some(before[word.start..].to_owned());
        }
    }
    None
}

/// The full name in parentheses behind its short form: `RWB (Rhine Water Board)`.
fn spelled_back(before: &str, inside: &str) -> Option<String> {
    let last = words(before).pop()?;
    let short = &before[last.clone()];
    let full = spelled_out(inside, short)?;
    (full.len() == inside.len()).then(|| short.to_owned())
}

/// The name that a text ends with: words with capitals, small words between them.
fn name_at_end(before: &str) -> Option<String> {
    let all = words(before);
    let is_capital = |word: &std::ops::Range<usize>| {
        before[word.clone()].starts_with(|char: char| char.is_uppercase())
    };
    let mut start = None;
    for word in all.iter().rev().take(FULL_WORDS_MAX) {
        let small = before[word.clone()].to_lowercase();
        match is_capital(word) && !is_stop_word(&small) {
            true => start = Some(word.start),
            false if start.is_some() && matches!(small.as_str(), "of" | "and" | "for") => {}
            false => break,
        }
    }
    start.map(|start| before[start..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::introduced;

    #[test]
    fn names_are_introduced_in_parentheses() {
        let cases = [
            (
                "The Rhine Water Board (RWB) decides.",
                Some(("RWB", "Rhine Water Board")),
            ),
            (
                "The Bank of Aarau (BA) lends.",
                Some(("BA", "Bank of Aarau")),
            ),
            (
                "RWB (Rhine Water Board) decides.",
                Some(("Rhine Water Board", "RWB")),
            ),
            (
                "Moor Mills Ltd (the \"Owner\") pays.",
                Some(("Owner", "Moor Mills Ltd")),
            ),
            (
                "A mill, Aarau (\"Moor\" or \"the Owner\"), pays.",
                Some(("Moor", "Aarau")),
            ),
            ("The pump (EU) is old.", None),
            ("It runs (see below).", None),
        ];
        for (text, wanted) in cases {
            let found = introduced(text);
            let found = found.first().map(|(a, b)| (a.as_str(), b.as_str()));
            assert_eq!(found, wanted, "{text}");
        }
    }
}
