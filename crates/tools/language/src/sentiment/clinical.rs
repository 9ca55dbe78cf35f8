//! What a sentence says came of a treatment, by a small list of words and what they are about. "Reduced mortality" is
//! better and "reduced survival" is worse.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use adjutant_text::sentences::sentences;
use serde::Serialize;

use super::{SENTENCES_MAX, SentimentAnswer};
use crate::answer::{Answer, Content, truncate_with_note};
use crate::character_offsets::{CharacterOffsets, Span};
use crate::request::new_answer;
use crate::words::words;

/// Words between a change and what changes.
const REACH: usize = 5;
/// Words between a negation and what it negates.
const NEGATION_REACH: usize = 3;
/// Words of the longest entry in the list.
const ENTRY_WORDS_MAX: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Better,
    Worse,
    Same,
    Harm,
    Down,
    Up,
    Bad,
    Good,
    Not,
}

static LIST: LazyLock<HashMap<String, Vec<Role>>> = LazyLock::new(|| {
    let mut list: HashMap<String, Vec<Role>> = HashMap::new();
    for line in include_str!("../../data/clinical.txt").lines() {
        let mut entries = line.split_whitespace();
        let role = match entries.next() {
            Some("better") => Role::Better,
            Some("worse") => Role::Worse,
            Some("same") => Role::Same,
            Some("harm") => Role::Harm,
            Some("down") => Role::Down,
            Some("up") => Role::Up,
            Some("bad") => Role::Bad,
            Some("good") => Role::Good,
            Some("not") => Role::Not,
            _ => continue,
        };
        for entry in entries {
            list.entry(entry.replace('_', " ")).or_default().push(role);
        }
    }
    list
});

/// What a sentence says of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Improved,
    Worsened,
    NoDifference,
    Harm,
    NoHarm,
    Mixed,
    NotStated,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClinicalAnswer {
    /// How many sentences say what.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// The sentences that say something.
    pub sentences: Vec<Statement>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statement {
    #[serde(flatten)]
    pub span: Span,
    pub outcome: Outcome,
    /// The words that decided.
    pub because: Vec<String>,
}

pub(super) fn answer(text: &str, mut notes: Vec<String>) -> Answer {
    notes.insert(
        0,
        "A small list of words, not an understanding: irony, comparisons over several sentences and which arm is meant are \
         not matched. Read each sentence before it is used."
            .to_owned(),
    );
    let places = CharacterOffsets::new(text);
    let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
    let mut statements = Vec::new();
    for range in sentences(text) {
        let (outcome, because) = judge(&text[range.clone()]);
        *outcomes.entry(outcome).or_default() += 1;
        if outcome != Outcome::NotStated {
            statements.push(Statement {
                span: places.span(&range),
                outcome,
                because,
            });
        }
    }
    truncate_with_note(&mut statements, SENTENCES_MAX, "statements", &mut notes);
    let found = ClinicalAnswer {
        outcomes,
        sentences: statements,
    };
    new_answer(
        "sentiment",
        Content::Sentiment(SentimentAnswer::Clinical(found)),
        "a list of outcome words with negation, and of changes with what changes: less of something bad is better, less of \
         something good is worse",
        notes,
    )
}

struct Entry {
    roles: &'static [Role],
    /// In words.
    at: Range<usize>,
    written: String,
}

fn entries(sentence: &str) -> Vec<Entry> {
    let words: Vec<Range<usize>> = words(sentence).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = (1..=ENTRY_WORDS_MAX.min(words.len() - at))
            .rev()
            .find_map(|length| {
                let range = words[at].start..words[at + length - 1].end;
                let small = sentence[range.clone()].to_lowercase().replace('’', "'");
                let roles = LIST.get(&small)?;
                Some((length, roles, sentence[range].to_owned()))
            });
        match longest {
            Some((length, roles, written)) => {
                found.push(Entry {
                    roles,
                    at: at..at + length,
                    written,
                });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

fn judge(sentence: &str) -> (Outcome, Vec<String>) {
    let entries = entries(sentence);
    let mut said: Vec<(Outcome, String)> = Vec::new();
    let mut used = vec![false; entries.len()];
    for (index, entry) in entries.iter().enumerate() {
        let down = entry.roles.contains(&Role::Down);
        if !down && !entry.roles.contains(&Role::Up) {
            continue;
        }
        let near = |other: &Entry| gap(&entry.at, &other.at) <= REACH;
        let is_thing =
            |other: &Entry| other.roles.contains(&Role::Bad) || other.roles.contains(&Role::Good);
        let thing = entries
            .iter()
            .enumerate()
            .filter(|(_, other)| is_thing(other) && near(other))
            .min_by_key(|(_, other)| (gap(&entry.at, &other.at), other.at.start));
        let Some((thing_at, thing)) = thing else {
            continue;
        };
        used[index] = true;
        used[thing_at] = true;
        let because = if thing.at.start > entry.at.start {
            format!("{} … {}", entry.written, thing.written)
        } else {
            format!("{} … {}", thing.written, entry.written)
        };
        let better = down == thing.roles.contains(&Role::Bad);
        said.push(match (negation(&entries, index), better) {
            (Some(no), _) => (Outcome::NoDifference, format!("{no} … {because}")),
            (None, true) => (Outcome::Improved, because),
            (None, false) => (Outcome::Worsened, because),
        });
    }
    for (index, entry) in entries
        .iter()
        .enumerate()
        .filter(|(index, _)| !used[*index])
    {
        let plain = entry.roles.iter().find_map(|role| match role {
            Role::Better => Some((Outcome::Improved, Outcome::NoDifference)),
            Role::Worse => Some((Outcome::Worsened, Outcome::NoDifference)),
            Role::Same => Some((Outcome::NoDifference, Outcome::Mixed)),
            Role::Harm => Some((Outcome::Harm, Outcome::NoHarm)),
            _ => None,
        });
        let Some((outcome, denied)) = plain else {
            continue;
        };
        match negation(&entries, index) {
            Some(no) => said.push((denied, format!("{no} … {}", entry.written))),
            None => said.push((outcome, entry.written.clone())),
        }
    }
    combined(said)
}

/// The negation shortly before an entry.
fn negation(entries: &[Entry], index: usize) -> Option<&str> {
    let entry = &entries[index];
    entries[..index]
        .iter()
        .rev()
        .find(|other| {
            other.roles.contains(&Role::Not) && gap(&other.at, &entry.at) <= NEGATION_REACH
        })
        .map(|other| other.written.as_str())
}

fn gap(left: &Range<usize>, right: &Range<usize>) -> usize {
    right
        .start
        .saturating_sub(left.end)
        .max(left.start.saturating_sub(right.end))
}

fn combined(said: Vec<(Outcome, String)>) -> (Outcome, Vec<String>) {
    let mut kinds: Vec<Outcome> = said.iter().map(|(outcome, _)| *outcome).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let outcome = match kinds.as_slice() {
        [] => Outcome::NotStated,
        [one] => *one,
        _ => Outcome::Mixed,
    };
    (
        outcome,
        said.into_iter().map(|(_, because)| because).collect(),
    )
}
