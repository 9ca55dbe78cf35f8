//! The text that is checked, in pieces that one question to a model can carry. Deterministic: the same text gives the same
//! pieces. Our own words come first, so that it is the words of others that are left out of a very long text.

use std::collections::BTreeSet;

use adjutant_constitution::{Origin, RULES, Text, stretches};
use adjutant_questions::{Constitution, ConstitutionRule, Source, token_bound};
use serde::Serialize;

/// How many questions a plan has for a check. A longer text is checked by the rules alone where they end, and the record
/// says so.
pub const PIECES: usize = 4;
/// The most that the tool accepts as `count`.
pub(super) const PIECES_MAX: usize = 40;
/// A longer piece is read less carefully, and does not fit into a question of the level that asks.
const PIECE_WORDS_MAX: usize = 1_500;
const PIECE_TOKENS_MAX: u64 = 4_500;
/// What stands around a part in a question.
const PART_TOKENS: u64 = 60;
const STRETCH_BYTES_MAX: usize = 4_000;
/// A single word breaks no rule.
const WORDS_MIN: usize = 2;

/// A text in pieces.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Cut {
    /// The questions: as many as were wanted, the last of them perhaps without any text.
    pub items: Vec<Constitution>,
    /// How many passages no piece holds.
    pub unread: usize,
}

/// Cuts the texts into as many pieces as are wanted.
pub fn cut(texts: &[Text], count: usize) -> Cut {
    let mut packing = Packing::new(count.min(PIECES_MAX));
    let mut seen = BTreeSet::new();
    let (own, quoted): (Vec<&Text>, Vec<&Text>) = texts
        .iter()
        .filter(|text| text.text.split_whitespace().count() >= WORDS_MIN)
        .partition(|text| text.origin != Origin::Quoted);
    for text in own.into_iter().chain(quoted) {
        if seen.insert(text.text.trim()) {
            packing.add(text);
        }
    }
    packing.cut
}

/// Fills one piece after the other.
struct Packing {
    cut: Cut,
    piece: usize,
    words: usize,
    tokens: u64,
    /// Whose words the last part is.
    last: Option<Origin>,
}

impl Packing {
    fn new(count: usize) -> Self {
        let mut cut = Cut::default();
        cut.items.resize_with(count, Constitution::default);
        Self {
            cut,
            piece: 0,
            words: 0,
            tokens: 0,
            last: None,
        }
    }

    fn add(&mut self, text: &Text) {
        let mut fits = true;
        for stretch in stretches(&text.text, STRETCH_BYTES_MAX) {
            fits = fits && self.add_stretch(text, stretch);
        }
        self.cut.unread += usize::from(!fits);
    }

    fn add_stretch(&mut self, text: &Text, stretch: &str) -> bool {
        let words = stretch.split_whitespace().count();
        let tokens = token_bound(stretch) + PART_TOKENS;
        let is_full =
            self.words + words > PIECE_WORDS_MAX || self.tokens + tokens > PIECE_TOKENS_MAX;
        if is_full && self.words > 0 {
            (self.piece, self.words, self.tokens, self.last) = (self.piece + 1, 0, 0, None);
        }
        let last = self.last.replace(text.origin);
        let Some(item) = self.cut.items.get_mut(self.piece) else {
            return false;
        };
        self.words += words;
        self.tokens += tokens;
        add_rules(item, text.origin);
        match item.sources.last_mut() {
            Some(part) if part.title == text.place && last == Some(text.origin) => {
                part.text.push_str("\n\n");
                part.text.push_str(stretch.trim());
            }
            _ => {
                let id = format!("t{}", item.sources.len() + 1);
                if text.origin == Origin::Quoted {
                    item.quoted.push(id.clone());
                }
                item.sources.push(Source {
                    id,
                    title: text.place.clone(),
                    text: stretch.trim().to_owned(),
                    published: None,
                });
            }
        }
        true
    }
}

/// The rules that are for words of this origin, each once and in the order of the constitution.
fn add_rules(item: &mut Constitution, origin: Origin) {
    let asked = RULES.iter().filter(|rule| {
        let mut known = item.rules.iter();
        rule.is_for(origin) || known.any(|known| known.id == rule.id)
    });
    item.rules = asked
        .map(|rule| ConstitutionRule {
            id: rule.id.to_owned(),
            forbids: rule.forbids.to_owned(),
            fine: rule.fine.to_owned(),
            for_quotes: rule.is_for(Origin::Quoted),
        })
        .collect();
}

#[cfg(test)]
#[path = "pieces_tests.rs"]
mod tests;
