//! Splits a text into tokens, and offers the lookups around a token that all detectors share.
//! Every lookup is bounded, so that detectors take linear time.

use crate::list::Phrases;

/// Maximum distance of a cue, in tokens.
const CUE_TOKENS_MAX: usize = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Letters only; includes inner apostrophes (`O'Brien`) but not a final `'s`.
    Word,
    Digits,
    /// Letters and digits in one run.
    Mixed,
    Space,
    Line,
    /// One character of anything else.
    Mark,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) class: Class,
}

#[derive(Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            tokens: tokenize(text),
        }
    }

    pub(crate) fn token_text(&self, index: usize) -> &'a str {
        self.tokens
            .get(index)
            .map_or("", |token| &self.text[token.start..token.end])
    }

    pub(crate) fn class(&self, index: usize) -> Option<Class> {
        self.tokens.get(index).map(|token| token.class)
    }

    pub(crate) fn is(&self, index: usize, class: Class) -> bool {
        self.class(index) == Some(class)
    }

    pub(crate) fn is_mark(&self, index: usize, mark: &str) -> bool {
        self.is(index, Class::Mark) && self.token_text(index) == mark
    }

    pub(crate) fn is_any_mark(&self, index: usize, marks: &str) -> bool {
        self.is(index, Class::Mark) && marks.contains(self.token_text(index))
    }

    pub(crate) fn is_word(&self, index: usize, words: &(impl Phrases + ?Sized)) -> bool {
        self.is(index, Class::Word) && words.has(self.token_text(index))
    }

    pub(crate) fn start(&self, index: usize) -> usize {
        self.tokens
            .get(index)
            .map_or(self.text.len(), |token| token.start)
    }

    pub(crate) fn end(&self, index: usize) -> usize {
        self.tokens
            .get(index)
            .map_or(self.text.len(), |token| token.end)
    }

    /// A single space, as between the groups of a number.
    pub(crate) fn is_blank(&self, index: usize) -> bool {
        self.is(index, Class::Space) && self.token_text(index).chars().count() == 1
    }

    pub(crate) fn skip_space(&self, mut index: usize) -> usize {
        while self.is(index, Class::Space) {
            index += 1;
        }
        index
    }

    /// Whether one of the phrases is among the last `reach` words before the token, at most one
    /// line above.
    pub(crate) fn cue_before(
        &self,
        index: usize,
        phrases: &(impl Phrases + ?Sized),
        reach: usize,
    ) -> bool {
        self.cue_position(index, phrases, reach).is_some()
    }

    /// The last token of the nearest such phrase.
    pub(crate) fn cue_position(
        &self,
        index: usize,
        phrases: &(impl Phrases + ?Sized),
        reach: usize,
    ) -> Option<usize> {
        let mut words = 0;
        let mut lines = 0;
        let mut at = index;
        for _ in 0..CUE_TOKENS_MAX {
            at = at.checked_sub(1)?;
            match self.class(at)? {
                Class::Line => {
                    lines += 1;
                    if lines > 1 {
                        return None;
                    }
                }
                Class::Word | Class::Mixed => {
                    words += 1;
                    if phrases.any_ending_with(self.token_text(at), |phrase| {
                        self.phrase_ends_at(at, phrase)
                    }) {
                        return Some(at);
                    }
                    if words >= reach {
                        return None;
                    }
                }
                _ => {}
            }
        }
        None
    }

    pub(crate) fn cue_after(
        &self,
        index: usize,
        phrases: &(impl Phrases + ?Sized),
        reach: usize,
    ) -> bool {
        let mut words = 0;
        for at in index + 1..index + CUE_TOKENS_MAX {
            match self.class(at) {
                None | Some(Class::Line) => return false,
                Some(Class::Word) => {
                    words += 1;
                    if phrases.has(self.token_text(at)) {
                        return true;
                    }
                    if words >= reach {
                        return false;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Ignores spaces and marks between the words of a phrase: `date_of_birth`, `Steuer-ID`.
    fn phrase_ends_at(&self, index: usize, phrase: &str) -> bool {
        let mut at = index;
        for (count, word) in phrase.rsplit(' ').enumerate() {
            if count > 0 {
                let Some(before) = at.checked_sub(1) else {
                    return false;
                };
                at = before;
                while matches!(self.class(at), Some(Class::Space | Class::Mark)) {
                    let Some(before) = at.checked_sub(1) else {
                        return false;
                    };
                    if index - before > CUE_TOKENS_MAX {
                        return false;
                    }
                    at = before;
                }
            }
            if !is_same_word(self.token_text(at), word) {
                return false;
            }
        }
        true
    }

    /// Whether the span is joined to further letters or digits, so that it
    /// is only a part of something longer.
    pub(crate) fn is_part_of_longer(&self, first: usize, last: usize) -> bool {
        let solid = |index: usize| {
            matches!(
                self.class(index),
                Some(Class::Digits | Class::Mixed | Class::Word)
            )
        };
        let joined_before = first >= 2
            && self.is_any_mark(first - 1, "-./_:,")
            && solid(first - 2)
            && { self.is(first - 2, Class::Digits) || !self.is_any_mark(first - 1, ":,._/") };
        let joined_after = self.is_any_mark(last + 1, "-./_,") && self.is_number(last + 2);
        joined_before
            || joined_after
            || self.is_any_mark(last + 1, "%")
            || self.is_any_mark(last + 1, "_-") && solid(last + 2)
    }

    fn is_number(&self, index: usize) -> bool {
        matches!(self.class(index), Some(Class::Digits | Class::Mixed))
    }
}

/// Compares a word with a lower-case word, ignoring case.
pub(crate) fn is_same_word(word: &str, lower: &str) -> bool {
    if word.is_ascii() && lower.is_ascii() {
        return word.eq_ignore_ascii_case(lower);
    }
    word.chars().flat_map(char::to_lowercase).eq(lower.chars())
}

fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        let class = if is_solid(first) {
            let (end, class) = solid_run(text, at);
            at = end;
            class
        } else if first == '\n' || first == '\r' {
            at += if text[at..].starts_with("\r\n") { 2 } else { 1 };
            Class::Line
        } else if first.is_whitespace() {
            while let Some(next) = text[at..].chars().next().filter(|next| is_space(*next)) {
                at += next.len_utf8();
            }
            if at == start {
                at += first.len_utf8();
            }
            Class::Space
        } else {
            at += first.len_utf8();
            Class::Mark
        };
        tokens.push(Token {
            start,
            end: at,
            class,
        });
    }
    tokens
}

fn is_space(character: char) -> bool {
    character.is_whitespace() && character != '\n' && character != '\r'
}

fn is_solid(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || (!character.is_ascii() && (character.is_alphanumeric() || is_joining(character)))
}

/// Combining accents, which are part of the preceding letter.
fn is_joining(character: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&character)
}

fn solid_run(text: &str, start: usize) -> (usize, Class) {
    let mut letters = false;
    let mut digits = false;
    let mut at = start;
    while let Some(next) = text[at..].chars().next() {
        if next.is_ascii_digit() {
            digits = true;
        } else if is_solid(next) {
            letters = true;
        } else if !((next == '\'' || next == '’')
            && letters
            && !digits
            && continues_word(&text[at + next.len_utf8()..]))
        {
            break;
        }
        at += next.len_utf8();
    }
    let class = match (letters, digits) {
        (true, true) => Class::Mixed,
        (false, true) => Class::Digits,
        _ => Class::Word,
    };
    (at, class)
}

/// Whether an apostrophe before `rest` is inside a word rather than a genitive.
fn continues_word(rest: &str) -> bool {
    let mut rest = rest.chars();
    let first = rest.next();
    let second = rest.next();
    first.is_some_and(char::is_alphabetic)
        && (!matches!(first, Some('s' | 'S')) || second.is_some_and(char::is_alphanumeric))
}
