//! Lists of names and terms, found in a text in one pass.

use aho_corasick::{AhoCorasick, MatchKind};

use super::rule::Candidate;
use super::{Certainty, Kind};
use crate::words::word_list;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    AsWritten,
    AnyCase,
}

pub(super) struct Terms {
    kind: Kind,
    automaton: AhoCorasick,
}

impl Terms {
    /// Names that are written with capitals, as they are.
    pub(super) fn exact(file: &'static str, kind: Kind) -> Option<Self> {
        Self::new(file, kind, Letters::AsWritten)
    }

    /// Terms in any case.
    pub(super) fn any_case(file: &'static str, kind: Kind) -> Option<Self> {
        Self::new(file, kind, Letters::AnyCase)
    }

    fn new(file: &'static str, kind: Kind, letters: Letters) -> Option<Self> {
        let terms: Vec<String> = word_list(file).map(|term| term.replace('_', " ")).collect();
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .ascii_case_insensitive(letters == Letters::AnyCase)
            .build(terms)
            .ok()?;
        Some(Self { kind, automaton })
    }

    pub(super) fn find(&self, text: &str, found: &mut Vec<Candidate>) {
        for term in self.automaton.find_iter(text) {
            let before = text[..term.start()].chars().next_back();
            let after = &text[term.end()..];
            let plural = after.starts_with('s') && !after[1..].starts_with(char::is_alphanumeric);
            let begins = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let ends = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let counts = self.kind == Kind::Condition && plural;
            if begins && (ends || counts) {
                found.push(Candidate {
                    kind: self.kind,
                    range: term.start()..term.end() + usize::from(!ends),
                    certainty: Certainty::Likely,
                    value: None,
                });
            }
        }
    }
}
