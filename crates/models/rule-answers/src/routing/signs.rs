//! The signs of a question: its words, its pairs of neighbouring words, the cues it holds, what its words mean, and its shape.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use adjutant_text::word_vectors::meaning;

use super::tokens::{Before, TOKENS_MAX, Token, tokens};
use crate::text::{Stems, words};

/// A word of which nothing is known may stand between the words of a cue so often.
const GAP_WORDS_MAX: usize = 5;
const CUE_VALUE: f64 = 1.5;
/// How much what the words mean counts beside the words themselves.
const MEANING_VALUE: f64 = 6.0;
const SHORT_BELOW: usize = 5;
const LONG_ABOVE: usize = 14;

/// One sign of a question.
#[derive(Debug, Clone)]
pub(crate) struct Sign {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// What of the question it is, in its own letters. Nothing for a sign of its shape.
    pub(crate) heard: Option<String>,
    pub(crate) is_cue: bool,
}

/// Phrases that ask for the same kind of work.
struct CueGroup {
    name: String,
    phrases: Vec<Vec<Piece>>,
}

enum Piece {
    Key(String),
    Gap,
}

static CUES: LazyLock<Vec<CueGroup>> =
    LazyLock::new(|| parse_cues(include_str!("../../data/routing_cues.txt")));

pub(crate) fn signs(question: &str) -> Vec<Sign> {
    let tokens = tokens(question, &mut Stems::new());
    let mut found = BTreeMap::new();
    word_signs(question, &tokens, &mut found);
    cue_signs(question, &tokens, &mut found);
    for (name, is_so) in [
        ("shape question", question.contains('?')),
        ("shape short", tokens.len() < SHORT_BELOW),
        ("shape long", tokens.len() > LONG_ABOVE),
    ] {
        if is_so {
            found.insert(name.to_owned(), unheard_sign(name.to_owned(), 1.0));
        }
    }
    let mut signs: Vec<Sign> = found.into_values().collect();
    signs.extend(meaning_signs(question));
    signs
}

/// A sign of the whole question, which no part of it can be named for.
fn unheard_sign(name: String, value: f64) -> Sign {
    Sign {
        name,
        value,
        heard: None,
        is_cue: false,
    }
}

/// What the words mean, also those that nobody used when the table was learned.
fn meaning_signs(question: &str) -> Vec<Sign> {
    let small: Vec<String> = words(question)
        .iter()
        .take(TOKENS_MAX)
        .map(|word| word.text.to_lowercase())
        .collect();
    let meant = meaning(small.iter().map(String::as_str));
    let components = meant.into_iter().flatten().enumerate();
    components
        .map(|(at, component)| unheard_sign(format!("m {at}"), MEANING_VALUE * component))
        .collect()
}

fn word_signs(question: &str, tokens: &[Token], found: &mut BTreeMap<String, Sign>) {
    let mut add = |name: String, first: usize, last: usize| {
        let heard = question[tokens[first].start..tokens[last].end].to_owned();
        found.entry(name.clone()).or_insert(Sign {
            name,
            value: 1.0,
            heard: Some(heard),
            is_cue: false,
        });
    };
    for (at, token) in tokens.iter().enumerate() {
        let key = token.form.key();
        add(format!("w {key}"), at, at);
        let mark = match token.before {
            Before::Stop if at == 0 => Some("^"),
            Before::Stop => Some("|"),
            Before::Comma => Some(","),
            Before::Nothing => None,
        };
        match mark {
            Some(mark) => {
                add(format!("b {mark} {key}"), at, at);
                if at > 0 {
                    add(
                        format!("b {} {mark}", tokens[at - 1].form.key()),
                        at - 1,
                        at - 1,
                    );
                }
            }
            None => add(format!("b {} {key}", tokens[at - 1].form.key()), at - 1, at),
        }
    }
    if let Some((last, token)) = tokens.iter().enumerate().next_back() {
        add(format!("b {} $", token.form.key()), last, last);
    }
}

fn cue_signs(question: &str, tokens: &[Token], found: &mut BTreeMap<String, Sign>) {
    for group in CUES.iter() {
        let heard: Vec<(usize, usize, usize)> = group
            .phrases
            .iter()
            .filter_map(|phrase| {
                let (first, last) = find(phrase, tokens)?;
                let keys = phrase.iter().filter(|piece| matches!(piece, Piece::Key(_)));
                Some((keys.count(), first, last))
            })
            .collect();
        let Some(&(keys, first, last)) = heard
            .iter()
            .max_by_key(|(keys, first, _)| (*keys, usize::MAX - first))
        else {
            continue;
        };
        let said = &question[tokens[first].start..tokens[last].end];
        for (kind, is_so) in [
            ("cue", true),
            ("phrase", keys >= 2),
            ("cues", heard.len() >= 2),
        ] {
            if is_so {
                let name = format!("{kind} {}", group.name);
                found.insert(
                    name.clone(),
                    Sign {
                        name,
                        value: CUE_VALUE,
                        heard: Some(said.to_owned()),
                        is_cue: true,
                    },
                );
            }
        }
    }
}

/// Where a phrase stands first: its first and its last word.
fn find(phrase: &[Piece], tokens: &[Token]) -> Option<(usize, usize)> {
    (0..tokens.len()).find_map(|first| Some((first, ends_at(phrase, tokens, first)?)))
}

fn ends_at(phrase: &[Piece], tokens: &[Token], first: usize) -> Option<usize> {
    let mut at = first;
    let mut reach = 0;
    for piece in phrase {
        match piece {
            Piece::Gap => reach = GAP_WORDS_MAX,
            Piece::Key(key) => {
                let window = tokens.get(at..)?.iter().take(reach + 1);
                let skipped = window
                    .into_iter()
                    .position(|token| token.form.key() == key)?;
                at += skipped + 1;
                reach = 0;
            }
        }
    }
    at.checked_sub(1)
}

/// A line is `name: phrase | phrase`; in a phrase `..` stands for up to five words and `#` for a number.
fn parse_cues(text: &str) -> Vec<CueGroup> {
    let mut stems = Stems::new();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let split = lines.filter_map(|line| line.split_once(": "));
    split
        .map(|(name, phrases)| CueGroup {
            name: name.to_owned(),
            phrases: phrases
                .split('|')
                .map(|phrase| pieces(phrase, &mut stems))
                .collect(),
        })
        .collect()
}

fn pieces(phrase: &str, stems: &mut Stems) -> Vec<Piece> {
    let mut found = Vec::new();
    for part in phrase.split_whitespace() {
        match part {
            ".." => found.push(Piece::Gap),
            "#" => found.push(Piece::Key("#".to_owned())),
            _ => found.extend(
                tokens(part, stems)
                    .iter()
                    .map(|token| Piece::Key(token.form.key().to_owned())),
            ),
        }
    }
    found
}
