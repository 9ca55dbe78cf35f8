//! A folded text as sentences of words. Nothing is judged here.

use std::ops::Range;

use crate::letters::is_unspaced;
use crate::lexicon::{ByHash, Class, Classes, LEXICON, Mark, hash};
use crate::reading::Reading;

/// A sentence without an end is cut here.
const SENTENCE_BYTES_MAX: usize = 1_500;
/// A semicolon or the border of a cell ends what is this long.
const CLAUSE_BYTES_MIN: usize = 40;
/// Blanks between a value and the next key.
const VALUE_GAP_MAX: usize = 24;
/// After this many bytes a comma is enough.
const LIST_BYTES_MAX: usize = 320;
/// Lines between these lengths may have been wrapped; a break in them does not end a sentence.
const WRAPPED_LINE_BYTES: Range<usize> = 45..110;
/// The same where a small letter follows, which is sooner the rest of a sentence.
const UNBROKEN_LINE_BYTES: Range<usize> = 30..110;
/// Letters of a word that stand for its family.
const STEM_LETTERS: usize = 6;
/// Shorter words say little about a topic.
const TOPIC_LETTERS_MIN: usize = 4;

/// Words that open a sentence when somebody is told or asked to do something.
pub(crate) const VERBS: Classes = Classes::of(Class::Write)
    .and(Class::Tell)
    .and(Class::Alter)
    .and(Class::Act)
    .and(Class::Ignore)
    .and(Class::Deed);

pub(crate) struct Word {
    pub(crate) span: Range<usize>,
    pub(crate) classes: Classes,
    /// Its family, if it says something about the topic.
    pub(crate) stem: Option<u64>,
    /// Itself, with all numbers the same.
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
    pub(crate) words: Range<usize>,
    pub(crate) marks: Range<usize>,
    pub(crate) shape: Shape,
    /// A small letter stands first: what came before may have been cut off.
    pub(crate) starts_small: bool,
}

pub(crate) struct Document<'a> {
    pub(crate) view: &'a str,
    pub(crate) words: Vec<Word>,
    /// Phrases, by their place.
    pub(crate) marks: Vec<Mark>,
    pub(crate) sentences: Vec<Sentence>,
    /// How often each family of words occurs.
    pub(crate) stems: ByHash<usize>,
}

impl<'a> Document<'a> {
    pub(crate) fn of(text: &str, reading: &'a Reading) -> Self {
        let view = reading.view.as_str();
        let mut marks = LEXICON.phrases(view);
        marks.sort_by_key(|mark| (mark.span.start, mark.span.end));
        let words = words(view);
        let mut stems = ByHash::<usize>::default();
        for stem in words.iter().filter_map(|word| word.stem) {
            *stems.entry(stem).or_default() += 1;
        }
        let mut document = Self {
            view,
            words,
            marks,
            sentences: Vec::new(),
            stems,
        };
        document.split(text, reading);
        document
    }

    pub(crate) fn words_of(&self, sentence: &Sentence) -> &[Word] {
        self.words.get(sentence.words.clone()).unwrap_or_default()
    }

    pub(crate) fn marks_of(&self, sentence: &Sentence) -> &[Mark] {
        self.marks.get(sentence.marks.clone()).unwrap_or_default()
    }

    /// What the words and phrases of a sentence do, together.
    pub(crate) fn classes_of(&self, sentence: &Sentence) -> Classes {
        let mut classes = Classes::default();
        let words = self.words_of(sentence).iter().map(|word| word.classes);
        let marks = self.marks_of(sentence).iter().map(|mark| mark.classes);
        words.chain(marks).for_each(|more| classes.join(more));
        classes
    }

    fn split(&mut self, text: &str, reading: &Reading) {
        let mut cutter = Cutter {
            text,
            reading,
            view: self.view.as_bytes(),
            words: &self.words,
            next_word: 0,
        };
        let mut in_code = false;
        let mut word = 0;
        let mut mark = 0;
        let mut start = 0;
        while start < self.view.len() {
            let end = cutter.end_of_sentence(start, in_code);
            let piece = self.view.get(start..end).unwrap_or_default();
            let body = piece.trim_start();
            let fence = body.starts_with("```") || body.starts_with("~~~");
            let shape = match (fence || in_code, body.as_bytes().first()) {
                (true, _) => Shape::Code,
                (false, Some(b'#')) => Shape::Heading,
                (false, Some(_)) if marker(body.as_bytes()) => Shape::Item,
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
            let first_mark = mark;
            while self
                .marks
                .get(mark)
                .is_some_and(|next| next.span.start < end)
            {
                mark += 1;
            }
            if word > first_word || mark > first_mark {
                let first = start + (piece.len() - body.len());
                self.sentences.push(Sentence {
                    starts_small: cutter.is_small(first),
                    span: first..end,
                    words: first_word..word,
                    marks: first_mark..mark,
                    shape,
                });
            }
            start = end;
        }
    }
}

fn words(view: &str) -> Vec<Word> {
    let mut words = Vec::with_capacity(view.len() / 6);
    let mut start = None;
    for (at, letter) in view
        .char_indices()
        .chain(std::iter::once((view.len(), ' ')))
    {
        if letter.is_alphanumeric() && !is_unspaced(letter) {
            start.get_or_insert(at);
            continue;
        }
        let Some(first) = start else { continue };
        // An apostrophe between letters belongs to the word.
        if letter == '\'' && view[at + 1..].starts_with(char::is_alphabetic) {
            continue;
        }
        start = None;
        let word = &view[first..at];
        words.push(Word {
            span: first..at,
            classes: LEXICON.word(usual(word)),
            stem: stem(word),
            hash: hash(usual(word)),
        });
    }
    words
}

/// How words are written in haste, and as a rule.
const HASTY: &[(&str, &str)] = &[
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

/// Whether a word is written as in haste.
pub(crate) fn is_hasty(word: &str) -> bool {
    word != "info" && HASTY.iter().any(|(hasty, _)| *hasty == word)
}

/// The word as it is written as a rule. Which number it is says nothing about who is asked for what.
pub(crate) fn usual(word: &str) -> &str {
    let hasty = HASTY.iter().find(|(hasty, _)| *hasty == word);
    match (
        hasty,
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

/// A list item, a quoted line, a row of a table.
fn marker(line: &[u8]) -> bool {
    match line {
        [b'-' | b'*' | b'+' | b'>' | b'|', next, ..] => next.is_ascii_whitespace() || *next == b'[',
        [b'0'..=b'9', b'.' | b')', b' ', ..]
        | [b'0'..=b'9', b'0'..=b'9', b'.' | b')', b' ', ..] => true,
        _ => false,
    }
}

struct Cutter<'a> {
    text: &'a str,
    reading: &'a Reading,
    view: &'a [u8],
    words: &'a [Word],
    next_word: usize,
}

impl Cutter<'_> {
    fn end_of_sentence(&mut self, start: usize, in_code: bool) -> usize {
        let mut line_start = start;
        let mut at = start;
        let mut says_something = false;
        while let Some(byte) = self.view.get(at) {
            let next = at + 1;
            let ends = match byte {
                b'\n' => {
                    let ends = in_code || self.line_ends(line_start..at, start);
                    line_start = next;
                    ends
                }
                b'.' | b'!' | b'?' => !in_code && self.stop_ends(at),
                b' ' => at - start >= SENTENCE_BYTES_MAX,
                b';' | b'|' => !in_code && at - start >= CLAUSE_BYTES_MIN,
                b',' => {
                    !in_code && at - start >= LIST_BYTES_MAX && self.view.get(next) == Some(&b' ')
                }
                b'"' => !in_code && self.value_ends(next),
                // The last byte of the ideographic full stop and of the full-width exclamation and question marks,
                // which folding turns into ASCII.
                0x82 => self.view.get(at.saturating_sub(2)..next) == Some("。".as_bytes()),
                _ => false,
            };
            // Noted on the way: looking back for it at every blank line would be quadratic.
            says_something |= !byte.is_ascii_whitespace();
            if ends && says_something {
                return self.after_quotes(next);
            }
            at = next;
        }
        self.view.len()
    }

    /// The end of a key or a value among others: `", "`, `": {`, `"}`.
    fn value_ends(&self, next: usize) -> bool {
        let rest = self.view.get(next..).unwrap_or_default();
        let [b',' | b':' | b'}' | b']', rest @ ..] = rest else {
            return false;
        };
        let after = rest.iter().take(VALUE_GAP_MAX);
        let mut after = after.filter(|byte| !byte.is_ascii_whitespace());
        matches!(after.next(), Some(b'"' | b'{' | b'[' | b'}' | b']'))
    }

    fn after_quotes(&self, mut at: usize) -> usize {
        while let Some(b'"' | b'\'' | b')' | b'.' | b'!' | b'?' | b'*' | b'_') = self.view.get(at) {
            at += 1;
        }
        at
    }

    fn line_ends(&mut self, line: Range<usize>, start: usize) -> bool {
        let mut next = line.end + 1;
        while let Some(b' ' | b'\t' | b'\r') = self.view.get(next) {
            next += 1;
        }
        let rest = self.view.get(next..).unwrap_or_default();
        if rest.is_empty() || rest[0] == b'\n' || rest[0] == b'#' || marker(rest) {
            return true;
        }
        if rest.starts_with(b"```") || rest.starts_with(b"~~~") {
            return true;
        }
        let first = self.view.get(start..line.end).unwrap_or_default();
        if first.starts_with(b"#") || first.starts_with(b"```") || first.starts_with(b"~~~") {
            return true;
        }
        if !self.is_capital(next) {
            // Lines that were never wrapped: cells, keys, chats.
            let before = self.view.get(..line.start).unwrap_or_default().iter();
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
            word.span.start == next && word.classes.meets(VERBS.and(Class::Question))
        })
    }

    fn stop_ends(&self, at: usize) -> bool {
        let after = self.view.get(at + 1).copied().unwrap_or(b' ');
        if matches!(after, b'"' | b')' | b'\'' | b'*' | b'_' | b'<') {
            return true;
        }
        if after.is_ascii_whitespace() {
            return self.view.get(at) != Some(&b'.') || !self.is_abbreviation(at);
        }
        // "…this email.If you": a space was lost.
        let before = at.checked_sub(2).and_then(|two| self.view.get(two..at));
        let follows = self.view.get(at + 2).is_some_and(u8::is_ascii_lowercase);
        let letters = before.is_some_and(|pair| pair.iter().all(u8::is_ascii_lowercase));
        (letters && follows && self.is_capital(at + 1)) || after >= 0xE3
    }

    fn is_abbreviation(&self, at: usize) -> bool {
        let mut start = at;
        while start > 0 && at - start < 6 && self.view[start - 1].is_ascii_alphabetic() {
            start -= 1;
        }
        match &self.view[start..at] {
            b"e" | b"g" | b"i" | b"mr" | b"mrs" | b"ms" | b"dr" | b"prof" | b"vs" | b"fig"
            | b"no" | b"st" | b"approx" | b"etc" | b"cf" => true,
            word => {
                // An initial: "S. Lindqvist", "U.S. office".
                word.len() == 1
                    && (at.checked_sub(2).and_then(|two| self.view.get(two)) == Some(&b'.')
                        || self.is_capital(start))
            }
        }
    }

    fn is_capital(&self, at: usize) -> bool {
        self.given(at).is_some_and(char::is_uppercase)
    }

    fn is_small(&self, at: usize) -> bool {
        self.given(at).is_some_and(char::is_lowercase)
    }

    /// The letter as it was before folding.
    fn given(&self, at: usize) -> Option<char> {
        let place = self.reading.view_back.back(at);
        self.text.get(place..)?.chars().next()
    }
}
