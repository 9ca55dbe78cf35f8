//! Finds the words and phrases of `data/lexicon.txt` in folded text. What they mean together is the job of `rules`.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::confusables::look_key;
use crate::letters::{fold_text, is_unspaced};

/// The role of a word in an instruction. The names are those of `data/lexicon.txt`.
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
    pub(crate) const fn one(class: Class) -> Self {
        Self(1 << class as u8)
    }

    pub(crate) const fn with(self, class: Class) -> Self {
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
pub(crate) struct PhraseMatch {
    pub(crate) span: Range<usize>,
    pub(crate) classes: Classes,
}

pub(crate) struct Lexicon {
    words: ByHash<Classes>,
    prefixes: Vec<(String, Classes)>,
    /// Keys of the first bytes of the prefixes, to reject most words quickly.
    prefix_keys: ByHash<()>,
    phrases: Option<AhoCorasick>,
    phrase_classes: Vec<Classes>,
    /// The ASCII words of all entries, by their look key.
    spellings: ByHash<Vec<String>>,
}

pub(crate) static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::parse(include_str!("../data/lexicon.txt")));

/// FNV-1a: small, and the same on every platform.
pub(crate) fn hash(word: &str) -> u64 {
    hash_bytes(word.bytes())
}

fn hash_bytes(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A map whose keys are already hashes. It is never iterated, so its order does not matter.
pub(crate) type ByHash<V> = HashMap<u64, V, BuildHasherDefault<PrehashedKey>>;

#[derive(Default)]
pub(crate) struct PrehashedKey(u64);

impl Hasher for PrehashedKey {
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
const PREFIX_KEY_BYTES: usize = 3;

fn prefix_key(word: &str) -> Option<u64> {
    let bytes = word.as_bytes().get(..PREFIX_KEY_BYTES)?;
    Some(bytes.iter().fold(0x9e37, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    }))
}

/// Contractions under which phrases are also searched for.
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
        let mut spellings = ByHash::<Vec<String>>::default();
        for line in file.lines() {
            let Some((name, entries)) = line.split_once(": ") else {
                continue;
            };
            let Some((_, class)) = NAMES.iter().find(|(known, _)| *known == name) else {
                continue;
            };
            for entry in entries.split(", ") {
                let entry = fold_text(entry);
                add_spellings(&entry, &mut spellings);
                let add = Classes::one(*class);
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
        let prefix_keys = prefixes.keys().filter_map(|prefix| prefix_key(prefix));
        Self {
            words,
            prefix_keys: prefix_keys.map(|key| (key, ())).collect(),
            prefixes: prefixes.into_iter().collect(),
            phrases: AhoCorasick::builder()
                .kind(Some(AhoCorasickKind::DFA))
                .build(phrases.keys())
                .ok(),
            phrase_classes: phrases.values().copied().collect(),
            spellings,
        }
    }

    /// The lexicon word that a folded word looks like; the word itself if the lexicon has it.
    pub(crate) fn spelling<'a>(&'a self, word: &'a str) -> Option<&'a str> {
        let alike = self.spellings.get(&hash_bytes(look_key(word)))?;
        let exact = alike.iter().find(|known| known.as_str() == word);
        exact.or(alike.first()).map(String::as_str)
    }

    pub(crate) fn word_classes(&self, word: &str) -> Classes {
        if let Some(classes) = self.words.get(&hash(word)) {
            return *classes;
        }
        if !prefix_key(word).is_some_and(|key| self.prefix_keys.contains_key(&key)) {
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
    pub(crate) fn find_phrases(&self, folded: &str) -> Vec<PhraseMatch> {
        let Some(phrases) = &self.phrases else {
            return Vec::new();
        };
        phrases
            .find_overlapping_iter(folded)
            .filter(|found| is_whole_word(folded, found.range()))
            .filter_map(|found| {
                let classes = *self.phrase_classes.get(found.pattern().as_usize())?;
                Some(PhraseMatch {
                    span: found.range(),
                    classes,
                })
            })
            .collect()
    }
}

fn add_spellings(entry: &str, spellings: &mut ByHash<Vec<String>>) {
    let words = entry.split(|letter: char| !letter.is_ascii_alphanumeric());
    for word in words.filter(|word| !word.is_empty()) {
        let alike = spellings.entry(hash_bytes(look_key(word))).or_default();
        if !alike.iter().any(|known| known == word) {
            alike.push(word.to_owned());
        }
    }
}

fn is_whole_word(folded: &str, span: Range<usize>) -> bool {
    let word = |letter: char| letter.is_alphanumeric() && !is_unspaced(letter);
    let first = folded[span.clone()].chars().next();
    let last = folded[span.clone()].chars().next_back();
    let before = folded[..span.start].chars().next_back();
    let after = folded[span.end..].chars().next();
    let joined =
        |one: Option<char>, other: Option<char>| one.is_some_and(word) && other.is_some_and(word);
    !joined(before, first) && !joined(last, after)
}
