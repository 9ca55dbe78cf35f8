//! Splits a folded text into sentences and words. Nothing is judged here.

use std::ops::Range;

use crate::courtesy::{count_polite_bytes, is_polite};
use crate::letters::is_unspaced;
use crate::lexicon::{ByHash, Class, Classes, LEXICON, PhraseMatch, hash};
use crate::reading::Reading;

/// Longer sentences are cut here.
const SENTENCE_BYTES_MAX: usize = 1_500;
/// From this length on, a semicolon or a table cell border ends a sentence.
const CLAUSE_BYTES_MIN: usize = 40;
/// Blanks between a JSON value and the next key.
const VALUE_GAP_MAX: usize = 24;
/// From this length on, a comma ends a sentence.
const LIST_BYTES_MAX: usize = 320;
/// Lines of these lengths may be wrapped prose; their line break does not end a sentence.
const WRAPPED_LINE_BYTES: Range<usize> = 45..110;
/// The same before a lower-case letter, where the sentence more often continues.
const UNBROKEN_LINE_BYTES: Range<usize> = 30..110;
/// Leading letters that identify related words.
const STEM_LETTERS: usize = 6;
/// Shorter words say little about the topic.
const TOPIC_LETTERS_MIN: usize = 4;

/// Verbs that open commands and requests.
pub(crate) const VERBS: Classes = Classes::one(Class::Write)
    .with(Class::Tell)
    .with(Class::Alter)
    .with(Class::Act)
    .with(Class::Ignore)
    .with(Class::Deed);

pub(crate) struct Word {
    pub(crate) span: Range<usize>,
    pub(crate) classes: Classes,
    /// Shared by related words; `None` if the word says nothing about the topic.
    pub(crate) stem: Option<u64>,
    /// Of the usual spelling, with all numbers treated alike.
    pub(crate) hash: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Prose,
    Heading,
    Item,
    Code,
}

pub(crate) struct Sentence {
    pub(crate) span: Range<usize>,
    /// Where it begins to say something: after "please" and the like.
    pub(crate) begins: usize,
    /// Without polite words.
    pub(crate) words: Range<usize>,
    /// Words before them, of "could you".
    pub(crate) polite_words: usize,
    pub(crate) phrases: Range<usize>,
    pub(crate) shape: Shape,
    /// Starts with a lower-case letter, so its beginning may be missing.
    pub(crate) starts_small: bool,
}

pub(crate) struct Document<'a> {
    pub(crate) folded: &'a str,
    pub(crate) words: Vec<Word>,
    /// Sorted by location.
    pub(crate) phrases: Vec<PhraseMatch>,
    pub(crate) sentences: Vec<Sentence>,
    /// How often each stem occurs.
    pub(crate) stems: ByHash<usize>,
}

impl<'a> Document<'a> {
    pub(crate) fn new(text: &str, reading: &'a Reading) -> Self {
        let folded = reading.folded.as_str();
        let mut phrases = LEXICON.find_phrases(folded);
        phrases.sort_by_key(|phrase| (phrase.span.start, phrase.span.end));
        let words = split_words(folded);
        let mut stems = ByHash::<usize>::default();
        for stem in words.iter().filter_map(|word| word.stem) {
            *stems.entry(stem).or_default() += 1;
        }
        let mut document = Self {
            folded,
            words,
            phrases,
            sentences: Vec::new(),
            stems,
        };
        document.split_sentences(text, reading);
        document
    }

    pub(crate) fn words_in(&self, sentence: &Sentence) -> &[Word] {
        self.words.get(sentence.words.clone()).unwrap_or_default()
    }

    pub(crate) fn phrases_in(&self, sentence: &Sentence) -> &[PhraseMatch] {
        self.phrases
            .get(sentence.phrases.clone())
            .unwrap_or_default()
    }

    /// The classes of all words and phrases in a sentence.
    pub(crate) fn classes_in(&self, sentence: &Sentence) -> Classes {
        let mut classes = Classes::default();
        let words = self.words_in(sentence).iter().map(|word| word.classes);
        let phrases = self
            .phrases_in(sentence)
            .iter()
            .map(|phrase| phrase.classes);
        words.chain(phrases).for_each(|more| classes.join(more));
        classes
    }

    fn split_sentences(&mut self, text: &str, reading: &Reading) {
        let mut splitter = SentenceSplitter {
            text,
            reading,
            folded: self.folded.as_bytes(),
            folded_text: self.folded,
            words: &self.words,
            next_word: 0,
        };
        let mut in_code = false;
        let mut word = 0;
        let mut phrase = 0;
        let mut start = 0;
        while start < self.folded.len() {
            let end = splitter.find_sentence_end(start, in_code);
            let piece = self.folded.get(start..end).unwrap_or_default();
            let body = piece.trim_start();
            let fence = body.starts_with("```") || body.starts_with("~~~");
            let shape = match (fence || in_code, body.as_bytes().first()) {
                (true, _) => Shape::Code,
                (false, Some(b'#')) => Shape::Heading,
                (false, Some(_)) if starts_list_item(body.as_bytes()) => Shape::Item,
                _ => Shape::Prose,
            };
            in_code ^= fence;
            let first_word = word;
            while self
                .words
                .get(word)
                .is_some_and(|next| next.span.start < end)
            {
                word += 1;
            }
            let first_phrase = phrase;
            while self
                .phrases
                .get(phrase)
                .is_some_and(|next| next.span.start < end)
            {
                phrase += 1;
            }
            if word > first_word || phrase > first_phrase {
                let first = start + (piece.len() - body.len());
                let begins = first + count_polite_bytes(body);
                let polite = |word: &Word| begins > first && word.span.start < begins;
                let polite_words = self.words[first_word..word].partition_point(polite);
                let polite = |phrase: &PhraseMatch| begins > first && phrase.span.start < begins;
                let first_phrase =
                    first_phrase + self.phrases[first_phrase..phrase].partition_point(polite);
                self.sentences.push(Sentence {
                    starts_small: splitter.is_small(first),
                    span: first..end,
                    begins,
                    words: first_word + polite_words..word,
                    polite_words,
                    phrases: first_phrase..phrase,
                    shape,
                });
            }
            start = end;
        }
    }
}

fn split_words(folded: &str) -> Vec<Word> {
    let mut words = Vec::with_capacity(folded.len() / 6);
    let mut start = None;
    for (at, letter) in folded
        .char_indices()
        .chain(std::iter::once((folded.len(), ' ')))
    {
        if letter.is_alphanumeric() && !is_unspaced(letter) {
            start.get_or_insert(at);
            continue;
        }
        let Some(first) = start else { continue };
        // An apostrophe between letters is part of the word.
        if letter == '\'' && folded[at + 1..].starts_with(char::is_alphabetic) {
            continue;
        }
        start = None;
        let word = &folded[first..at];
        if is_polite(word) {
            continue;
        }
        words.push(Word {
            span: first..at,
            classes: LEXICON.word_classes(usual_spelling(word)),
            stem: stem(word),
            hash: hash(usual_spelling(word)),
        });
    }
    words
}

/// Informal spellings and the usual ones.
const INFORMAL_SPELLINGS: &[(&str, &str)] = &[
    ("u", "you"),
    ("ur", "your"),
    ("pls", "please"),
    ("plz", "please"),
    ("plse", "please"),
    ("thx", "thanks"),
    ("tks", "thanks"),
    ("abt", "about"),
    ("b4", "before"),
    ("w", "with"),
    ("em", "them"),
    ("dont", "don't"),
    ("cant", "can't"),
    ("wont", "won't"),
    ("doesnt", "doesn't"),
    ("isnt", "isn't"),
    ("youre", "you're"),
    ("thats", "that's"),
    ("whats", "what's"),
    ("lets", "let's"),
    ("msg", "message"),
    ("msgs", "messages"),
    ("pw", "password"),
    ("pwd", "password"),
    ("addr", "address"),
    ("addrs", "addresses"),
    ("pic", "picture"),
    ("info", "information"),
    ("asap", "immediately"),
    ("tho", "though"),
    ("bc", "because"),
    ("cuz", "because"),
];

/// "info" is too common to say anything about the writer.
pub(crate) fn is_informal_spelling(word: &str) -> bool {
    word != "info"
        && INFORMAL_SPELLINGS
            .iter()
            .any(|(informal, _)| *informal == word)
}

/// The usual spelling of a word. All numbers become "0", because their value carries no weight.
pub(crate) fn usual_spelling(word: &str) -> &str {
    let informal = INFORMAL_SPELLINGS
        .iter()
        .find(|(informal, _)| *informal == word);
    match (
        informal,
        word.starts_with(|letter: char| letter.is_ascii_digit()),
    ) {
        (Some((_, usual)), _) => usual,
        (None, true) => "0",
        (None, false) => word,
    }
}

fn stem(word: &str) -> Option<u64> {
    if word.len() < TOPIC_LETTERS_MIN || !word.starts_with(char::is_alphabetic) {
        return None;
    }
    let end = word
        .char_indices()
        .nth(STEM_LETTERS)
        .map_or(word.len(), |(at, _)| at);
    let short = word[..end].trim_end_matches('s');
    Some(hash(short))
}

/// A list item, a quoted line or a table row.
fn starts_list_item(line: &[u8]) -> bool {
    match line {
        [b'-' | b'*' | b'+' | b'>' | b'|', next, ..] => next.is_ascii_whitespace() || *next == b'[',
        [b'0'..=b'9', b'.' | b')', b' ', ..]
        | [b'0'..=b'9', b'0'..=b'9', b'.' | b')', b' ', ..] => true,
        _ => false,
    }
}

struct SentenceSplitter<'a> {
    text: &'a str,
    reading: &'a Reading,
    folded: &'a [u8],
    folded_text: &'a str,
    words: &'a [Word],
    next_word: usize,
}

impl SentenceSplitter<'_> {
    fn find_sentence_end(&mut self, start: usize, in_code: bool) -> usize {
        let mut line_start = start;
        let mut at = start;
        let mut says_something = false;
        let said_from =
            start + count_polite_bytes(self.folded_text.get(start..).unwrap_or_default());
        while let Some(byte) = self.folded.get(at) {
            let next = at + 1;
            let ends = match byte {
                b'\n' => {
                    let ends = in_code || self.line_break_ends_sentence(line_start..at, start);
                    line_start = next;
                    ends
                }
                b'.' | b'!' | b'?' => !in_code && self.mark_ends_sentence(at),
                b' ' => at.saturating_sub(said_from) >= SENTENCE_BYTES_MAX,
                b';' | b'|' => !in_code && at.saturating_sub(said_from) >= CLAUSE_BYTES_MIN,
                b',' => {
                    !in_code
                        && at.saturating_sub(said_from) >= LIST_BYTES_MAX
                        && self.folded.get(next) == Some(&b' ')
                }
                b'"' => !in_code && self.quote_ends_value(next),
                // The last byte of the ideographic full stop. Full-width exclamation and question marks were
                // folded to ASCII.
                0x82 => self.folded.get(at.saturating_sub(2)..next) == Some("。".as_bytes()),
                _ => false,
            };
            // Tracked here because searching backwards at every blank line would be quadratic.
            says_something |= !byte.is_ascii_whitespace();
            if ends && says_something {
                return self.skip_closing_marks(next);
            }
            at = next;
        }
        self.folded.len()
    }

    /// The end of a JSON key or value: `", "`, `": {`, `"}`.
    fn quote_ends_value(&self, next: usize) -> bool {
        let rest = self.folded.get(next..).unwrap_or_default();
        let [b',' | b':' | b'}' | b']', rest @ ..] = rest else {
            return false;
        };
        let after = rest.iter().take(VALUE_GAP_MAX);
        let mut after = after.filter(|byte| !byte.is_ascii_whitespace());
        matches!(after.next(), Some(b'"' | b'{' | b'[' | b'}' | b']'))
    }

    fn skip_closing_marks(&self, mut at: usize) -> usize {
        while let Some(b'"' | b'\'' | b')' | b'.' | b'!' | b'?' | b'*' | b'_') = self.folded.get(at)
        {
            at += 1;
        }
        at
    }

    fn line_break_ends_sentence(&mut self, line: Range<usize>, start: usize) -> bool {
        let mut next = line.end + 1;
        while let Some(b' ' | b'\t' | b'\r') = self.folded.get(next) {
            next += 1;
        }
        let rest = self.folded.get(next..).unwrap_or_default();
        if rest.is_empty() || rest[0] == b'\n' || rest[0] == b'#' || starts_list_item(rest) {
            return true;
        }
        if rest.starts_with(b"```") || rest.starts_with(b"~~~") {
            return true;
        }
        let first = self.folded.get(start..line.end).unwrap_or_default();
        if first.starts_with(b"#") || first.starts_with(b"```") || first.starts_with(b"~~~") {
            return true;
        }
        if !self.is_capital(next) {
            // Too short or too long for wrapped prose: table cells, keys, chat lines.
            let before = self.folded.get(..line.start).unwrap_or_default().iter();
            let before = before.rev().take(UNBROKEN_LINE_BYTES.end);
            let before = before.take_while(|byte| **byte != b'\n').count();
            return !UNBROKEN_LINE_BYTES.contains(&(before + line.len()));
        }
        if !WRAPPED_LINE_BYTES.contains(&line.len()) {
            return true;
        }
        while self
            .words
            .get(self.next_word)
            .is_some_and(|word| word.span.start < next)
        {
            self.next_word += 1;
        }
        self.words.get(self.next_word).is_some_and(|word| {
            word.span.start == next && word.classes.meets(VERBS.with(Class::Question))
        })
    }

    fn mark_ends_sentence(&self, at: usize) -> bool {
        let after = self.folded.get(at + 1).copied().unwrap_or(b' ');
        if matches!(after, b'"' | b')' | b'\'' | b'*' | b'_' | b'<') {
            return true;
        }
        if after.is_ascii_whitespace() {
            return self.folded.get(at) != Some(&b'.') || !self.is_abbreviation(at);
        }
        // "…this email.If you": the space is missing.
        let before = at.checked_sub(2).and_then(|two| self.folded.get(two..at));
        let follows = self.folded.get(at + 2).is_some_and(u8::is_ascii_lowercase);
        let letters = before.is_some_and(|pair| pair.iter().all(u8::is_ascii_lowercase));
        (letters && follows && self.is_capital(at + 1)) || after >= 0xE3
    }

    fn is_abbreviation(&self, at: usize) -> bool {
        let mut start = at;
        while start > 0 && at - start < 6 && self.folded[start - 1].is_ascii_alphabetic() {
            start -= 1;
        }
        match &self.folded[start..at] {
            b"e" | b"g" | b"i" | b"mr" | b"mrs" | b"ms" | b"dr" | b"prof" | b"vs" | b"fig"
            | b"no" | b"st" | b"approx" | b"etc" | b"cf" => true,
            word => {
                // Initials: "S. Lindqvist", "U.S. office".
                word.len() == 1
                    && (at.checked_sub(2).and_then(|two| self.folded.get(two)) == Some(&b'.')
                        || self.is_capital(start))
            }
        }
    }

    fn is_capital(&self, at: usize) -> bool {
        self.source_letter(at).is_some_and(char::is_uppercase)
    }

    fn is_small(&self, at: usize) -> bool {
        self.source_letter(at).is_some_and(char::is_lowercase)
    }

    /// The letter before folding.
    fn source_letter(&self, at: usize) -> Option<char> {
        let place = self.reading.folded_offsets.to_source(at);
        self.text.get(place..)?.chars().next()
    }
}
