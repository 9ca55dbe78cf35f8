//! The words of `data/lexicon.txt`, found in a folded text.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::letters::{fold_all, is_unspaced};

/// What a word does in an instruction. The names are those of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    Ignore,
    Prior,
    Rules,
    Prompt,
    Agent,
    User,
    Answer,
    Role,
    Rolish,
    Unlimited,
    Follow,
    New,
    Only,
    Silence,
    Send,
    Reveal,
    Secret,
    Tool,
    Act,
    Write,
    Tell,
    Alter,
    Request,
    Question,
    Work,
    Code,
    Snippet,
    Solution,
    Harm,
    Style,
    Language,
    Must,
    First,
    Before,
    Decode,
    Deed,
    Letter,
    Person,
}

const NAMES: [(&str, Class); 38] = [
    ("ignore", Class::Ignore),
    ("prior", Class::Prior),
    ("rules", Class::Rules),
    ("prompt", Class::Prompt),
    ("agent", Class::Agent),
    ("user", Class::User),
    ("answer", Class::Answer),
    ("role", Class::Role),
    ("rolish", Class::Rolish),
    ("unlimited", Class::Unlimited),
    ("follow", Class::Follow),
    ("new", Class::New),
    ("only", Class::Only),
    ("silence", Class::Silence),
    ("send", Class::Send),
    ("reveal", Class::Reveal),
    ("secret", Class::Secret),
    ("tool", Class::Tool),
    ("act", Class::Act),
    ("write", Class::Write),
    ("tell", Class::Tell),
    ("alter", Class::Alter),
    ("request", Class::Request),
    ("question", Class::Question),
    ("work", Class::Work),
    ("code", Class::Code),
    ("snippet", Class::Snippet),
    ("solution", Class::Solution),
    ("harm", Class::Harm),
    ("style", Class::Style),
    ("language", Class::Language),
    ("must", Class::Must),
    ("first", Class::First),
    ("before", Class::Before),
    ("decode", Class::Decode),
    ("deed", Class::Deed),
    ("letter", Class::Letter),
    ("person", Class::Person),
];

/// A set of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Classes(u64);

impl Classes {
    pub(crate) const fn of(class: Class) -> Self {
        Self(1 << class as u8)
    }

    pub(crate) const fn and(self, class: Class) -> Self {
        Self(self.0 | 1 << class as u8)
    }

    pub(crate) const fn has(self, class: Class) -> bool {
        self.0 & (1 << class as u8) != 0
    }

    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A word or phrase of the lexicon in a text.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    pub(crate) span: Range<usize>,
    pub(crate) classes: Classes,
}

pub(crate) struct Lexicon {
    words: ByHash<Classes>,
    prefixes: Vec<(String, Classes)>,
    /// The first bytes of the prefixes: most words have none of them.
    heads: ByHash<()>,
    phrases: Option<AhoCorasick>,
    phrase_classes: Vec<Classes>,
}

pub(crate) static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::parse(include_str!("../data/lexicon.txt")));

/// FNV-1a: small, and the same everywhere.
pub(crate) fn hash(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A map whose keys are hashes already. It is never walked, so its order cannot matter.
pub(crate) type ByHash<V> = HashMap<u64, V, BuildHasherDefault<Hashed>>;

#[derive(Default)]
pub(crate) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Prefixes have at least this many bytes.
const HEAD_BYTES: usize = 3;

fn head(word: &str) -> Option<u64> {
    let bytes = word.as_bytes().get(..HEAD_BYTES)?;
    Some(bytes.iter().fold(0x9e37, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    }))
}

/// Written together, a phrase means the same.
const CONTRACTIONS: &[(&str, &str)] = &[
    ("you are ", "you're "),
    ("you have ", "you've "),
    ("you will ", "you'll "),
    ("do not ", "don't "),
    ("your ", "ur "),
    ("you ", "u "),
    ("you are ", "ur "),
    ("you are ", "u r "),
    ("your ", "youre "),
    ("don't ", "dont "),
];

impl Lexicon {
    fn parse(file: &str) -> Self {
        let mut words = ByHash::<Classes>::default();
        let mut prefixes = BTreeMap::<String, Classes>::new();
        let mut phrases = BTreeMap::<String, Classes>::new();
        for line in file.lines() {
            let Some((name, entries)) = line.split_once(": ") else {
                continue;
            };
            let Some((_, class)) = NAMES.iter().find(|(known, _)| *known == name) else {
                continue;
            };
            for entry in entries.split(", ") {
                let entry = fold_all(entry);
                let add = Classes::of(*class);
                if let Some(prefix) = entry.strip_suffix('*') {
                    prefixes.entry(prefix.to_owned()).or_default().join(add);
                } else if entry.chars().all(char::is_alphabetic) && !entry.chars().any(is_unspaced)
                {
                    words.entry(hash(&entry)).or_default().join(add);
                } else {
                    for (long, short) in CONTRACTIONS {
                        if entry.contains(long) {
                            let entry = entry.replace(long, short);
                            phrases.entry(entry).or_default().join(add);
                        }
                    }
                    phrases.entry(entry).or_default().join(add);
                }
            }
        }
        let heads = prefixes.keys().filter_map(|prefix| head(prefix));
        Self {
            words,
            heads: heads.map(|head| (head, ())).collect(),
            prefixes: prefixes.into_iter().collect(),
            phrases: AhoCorasick::builder()
                .kind(Some(AhoCorasickKind::DFA))
                .build(phrases.keys())
                .ok(),
            phrase_classes: phrases.values().copied().collect(),
        }
    }

    pub(crate) fn word(&self, word: &str) -> Classes {
        if let Some(classes) = self.words.get(&hash(word)) {
            return *classes;
        }
        if !head(word).is_some_and(|head| self.heads.contains_key(&head)) {
            return Classes::default();
        }
        let after = self
            .prefixes
            .partition_point(|(prefix, _)| prefix.as_str() <= word);
        match after
            .checked_sub(1)
            .and_then(|index| self.prefixes.get(index))
        {
            Some((prefix, classes)) if word.starts_with(prefix.as_str()) => *classes,
            _ => Classes::default(),
        }
    }

    /// Phrases of several words, and words of scripts without spaces.
    pub(crate) fn phrases(&self, view: &str) -> Vec<Mark> {
        let Some(phrases) = &self.phrases else {
            return Vec::new();
        };
        phrases
            .find_overlapping_iter(view)
            .filter(|found| stands_alone(view, found.range()))
            .filter_map(|found| {
                let classes = *self.phrase_classes.get(found.pattern().as_usize())?;
                Some(Mark {
                    span: found.range(),
                    classes,
                })
            })
            .collect()
    }
}

fn stands_alone(view: &str, span: Range<usize>) -> bool {
    let word = |letter: char| letter.is_alphanumeric() && !is_unspaced(letter);
    let first = view[span.clone()].chars().next();
    let last = view[span.clone()].chars().next_back();
    let before = view[..span.start].chars().next_back();
    let after = view[span.end..].chars().next();
    let joined =
        |one: Option<char>, other: Option<char>| one.is_some_and(word) && other.is_some_and(word);
    !joined(before, first) && !joined(last, after)
}
