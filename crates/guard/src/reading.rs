//! A text read twice: once as people see it, once folded for looking, both with the way back.

use std::ops::Range;

use crate::letters::{
    Unseen, fold, is_greek, is_right_to_left, is_unspaced, looks_like, tag_letter, unseen,
    variation_byte,
};
use crate::offsets::Offsets;

/// A run of variation selectors this long carries bytes; one or two only choose a glyph.
const VARIATION_RUN_MIN: usize = 3;

pub(crate) struct Reading {
    /// As people see it.
    pub(crate) seen: String,
    pub(crate) seen_back: Offsets,
    /// Folded: lower case, no accents, look-alikes replaced.
    pub(crate) view: String,
    pub(crate) view_back: Offsets,
    pub(crate) disguises: Vec<Disguise>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trick {
    /// A word broken up by letters that have no width.
    BrokenWord,
    /// A word with letters of another script that look Latin.
    LookAlike,
    /// A word of mathematical or circled letters.
    Styled,
    /// Letters without width in a row, one for nought and one for one.
    Bits,
    Tags,
    Variations,
    Reversed,
    Directions,
    Controls,
}

#[derive(Debug)]
pub(crate) struct Disguise {
    pub(crate) trick: Trick,
    /// In the text as given.
    pub(crate) span: Range<usize>,
    /// What it says when made visible, where that is not in the view already.
    pub(crate) says: String,
}

impl Reading {
    pub(crate) fn of(text: &str) -> Self {
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
        if plain {
            return Self {
                seen: text.to_owned(),
                seen_back: Offsets::default(),
                view: text.to_ascii_lowercase(),
                view_back: Offsets::default(),
                disguises: Vec::new(),
            };
        }
        Reader::new(text).read()
    }
}

struct Reader<'a> {
    text: &'a str,
    mixed: Vec<Range<usize>>,
    right_to_left: bool,
    /// What stands before this place was looked at in reverse already.
    reversed_until: usize,
    reading: Reading,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let mut reading = Reading {
            seen: String::with_capacity(text.len()),
            seen_back: Offsets::default(),
            view: String::with_capacity(text.len()),
            view_back: Offsets::default(),
            disguises: Vec::new(),
        };
        let mixed = mixed_words(text, &mut reading.disguises);
        styled_words(text, &mut reading.disguises);
        bits(text, &mut reading.disguises);
        Self {
            text,
            mixed,
            right_to_left: text.chars().any(is_right_to_left),
            reversed_until: 0,
            reading,
        }
    }

    fn read(mut self) -> Reading {
        let mut letters = self.text.char_indices().peekable();
        let mut mixed = 0;
        let mut before = ' ';
        while let Some((at, letter)) = letters.next() {
            let Some(kind) = unseen(letter) else {
                while self.mixed.get(mixed).is_some_and(|word| word.end <= at) {
                    mixed += 1;
                }
                let in_mixed = self.mixed.get(mixed).is_some_and(|word| word.contains(&at));
                let shown = if in_mixed { looks_like(letter) } else { None };
                self.show(at, letter, shown.unwrap_or(letter));
                before = letter;
                continue;
            };
            let run_end = |letters: &mut std::iter::Peekable<std::str::CharIndices<'_>>| {
                let mut end = at + letter.len_utf8();
                while let Some((_, next)) = letters.next_if(|(_, next)| unseen(*next) == Some(kind))
                {
                    end += next.len_utf8();
                }
                end
            };
            match kind {
                Unseen::Tag => {
                    let end = run_end(&mut letters);
                    // The black flag with tags is the flag of a region.
                    if before != '\u{1F3F4}' {
                        let says = self.text[at..end].chars().filter_map(tag_letter).collect();
                        self.disguise(Trick::Tags, at..end, says);
                    }
                }
                Unseen::Variation => {
                    let end = run_end(&mut letters);
                    self.variations(at..end);
                }
                Unseen::Reversal if letter == '\u{202E}' => self.reversed(at),
                Unseen::ZeroWidth | Unseen::Joiner | Unseen::SoftHyphen => {
                    let end = run_end(&mut letters);
                    let after = letters.peek().map_or(' ', |(_, next)| *next);
                    self.between(kind, at..end, before, after);
                }
                Unseen::Direction | Unseen::Reversal => {
                    if self.right_to_left {
                        self.keep(at, letter);
                    } else {
                        self.disguise(Trick::Directions, at..at + letter.len_utf8(), String::new());
                    }
                }
                Unseen::Control => {
                    let end = run_end(&mut letters);
                    self.disguise(Trick::Controls, at..end, String::new());
                }
            }
        }
        self.reading
    }

    fn show(&mut self, at: usize, letter: char, looked_at: char) {
        self.keep(at, letter);
        let view = &mut self.reading.view;
        self.reading.view_back.note(view.len(), at);
        fold(looked_at, &mut |part| view.push(part));
    }

    /// Keeps what is not seen but needed for what is seen; it is not looked at.
    fn keep(&mut self, at: usize, letter: char) {
        self.reading.seen_back.note(self.reading.seen.len(), at);
        self.reading.seen.push(letter);
    }

    fn disguise(&mut self, trick: Trick, span: Range<usize>, says: String) {
        self.reading.disguises.push(Disguise { trick, span, says });
    }

    fn variations(&mut self, span: Range<usize>) {
        let run = &self.text[span.clone()];
        if run.chars().count() < VARIATION_RUN_MIN {
            for (offset, letter) in run.char_indices() {
                self.keep(span.start + offset, letter);
            }
            return;
        }
        let bytes: Vec<u8> = run.chars().filter_map(variation_byte).collect();
        let says = String::from_utf8_lossy(&bytes).into_owned();
        self.disguise(Trick::Variations, span, says);
    }

    /// The letters after the mark stay; what they say in the order shown is looked at on its own.
    fn reversed(&mut self, at: usize) {
        if at < self.reversed_until {
            return;
        }
        let start = at + '\u{202E}'.len_utf8();
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest.find(['\u{202C}', '\n']).unwrap_or(rest.len());
        self.reversed_until = start + length;
        let says = rest[..length].chars().rev().collect();
        self.disguise(Trick::Reversed, at..start + length, says);
    }

    fn between(&mut self, kind: Unseen, span: Range<usize>, before: char, after: char) {
        let joins = kind == Unseen::Joiner && !before.is_ascii() && !after.is_ascii();
        if joins {
            for (offset, letter) in self.text[span.clone()].char_indices() {
                self.keep(span.start + offset, letter);
            }
            return;
        }
        let inside = before.is_alphabetic() && after.is_alphabetic() && !is_unspaced(before);
        if inside && kind != Unseen::SoftHyphen {
            self.disguise(Trick::BrokenWord, span, String::new());
        }
    }
}

/// Words that mix Latin with letters that only look Latin; and, where there is one, words of such letters alone.
fn mixed_words(text: &str, disguises: &mut Vec<Disguise>) -> Vec<Range<usize>> {
    let mut mixed = Vec::new();
    let mut posing = Vec::new();
    let mut word = Word::default();
    let ends = std::iter::once((text.len(), ' '));
    for (at, letter) in text.char_indices().chain(ends) {
        if unseen(letter).is_some() && at < text.len() {
            continue;
        }
        if letter.is_alphabetic() {
            word.push(at, letter);
            continue;
        }
        let done = std::mem::take(&mut word);
        if done.alike == 0 {
            continue;
        }
        let span = done.start..done.end;
        if done.latin > 0 {
            if done.foreign > 0 {
                let says = String::new();
                let trick = Trick::LookAlike;
                disguises.push(Disguise {
                    trick,
                    span: span.clone(),
                    says,
                });
            }
            mixed.push(span);
        } else if done.alike == done.letters {
            posing.push(span);
        }
    }
    if !disguises.is_empty() {
        mixed.extend(posing);
        mixed.sort_by_key(|word| word.start);
    }
    mixed
}

/// Single such letters are signs of formulas.
const STYLED_LETTERS_MIN: usize = 3;

fn styled_words(text: &str, disguises: &mut Vec<Disguise>) {
    let styled = |letter: char| matches!(letter, '\u{1D400}'..='\u{1D7CB}' | '\u{24B6}'..='\u{24E9}' | '\u{1F130}'..='\u{1F189}');
    runs(text, styled, STYLED_LETTERS_MIN, |span| {
        disguises.push(Disguise {
            trick: Trick::Styled,
            span,
            says: String::new(),
        });
    });
}

/// A byte of them; scripts and signs that need them need one at a time.
const BITS_MIN: usize = 8;

fn bits(text: &str, disguises: &mut Vec<Disguise>) {
    let zero_width =
        |letter: char| matches!(unseen(letter), Some(Unseen::ZeroWidth | Unseen::Joiner));
    runs(text, zero_width, BITS_MIN, |span| {
        let run = text.get(span.clone()).unwrap_or_default();
        let nought = run.chars().next().unwrap_or_default();
        // Which of the two is nought can only be guessed; letters of ASCII begin with it.
        let bits: Vec<u8> = run
            .chars()
            .map(|letter| u8::from(letter != nought))
            .collect();
        let byte = |bits: &[u8]| bits.iter().fold(0u8, |byte, bit| byte << 1 | bit);
        let bytes: Vec<u8> = bits.chunks_exact(8).map(byte).collect();
        disguises.push(Disguise {
            trick: Trick::Bits,
            span,
            says: String::from_utf8(bytes).unwrap_or_default(),
        });
    });
}

/// Letters of one kind in a row, if there are enough of them.
fn runs(
    text: &str,
    kind: impl Fn(char) -> bool,
    least: usize,
    mut found: impl FnMut(Range<usize>),
) {
    let mut run = None::<(usize, usize)>;
    let ends = std::iter::once((text.len(), ' '));
    for (at, letter) in text.char_indices().chain(ends) {
        if kind(letter) && at < text.len() {
            run.get_or_insert((at, 0)).1 += 1;
        } else if let Some((start, _)) = run.take().filter(|(_, letters)| *letters >= least) {
            found(start..at);
        }
    }
}

#[derive(Default)]
struct Word {
    start: usize,
    end: usize,
    letters: usize,
    latin: usize,
    alike: usize,
    foreign: usize,
}

impl Word {
    fn push(&mut self, at: usize, letter: char) {
        if self.letters == 0 {
            self.start = at;
        }
        self.end = at + letter.len_utf8();
        self.letters += 1;
        if letter.is_ascii_alphabetic() {
            self.latin += 1;
        } else if looks_like(letter).is_some() {
            self.alike += 1;
            self.foreign += usize::from(!is_greek(letter));
        }
    }
}
