//! Reads a text in two forms, visible and folded, both with offsets into the original. Nothing is judged here.

use std::ops::Range;

use crate::confusables::plain_look_alike;
use crate::letters::{
    Invisible, classify_invisible, fold_letter, is_right_to_left, is_unspaced, tag_letter,
    variation_byte,
};
use crate::look_alikes::{find_look_alike_words, restore_spelling};
use crate::offsets::Offsets;

/// A run of variation selectors this long carries bytes; one or two only choose a glyph.
const VARIATION_RUN_MIN: usize = 3;

pub(crate) struct Reading {
    /// The text as people see it.
    pub(crate) visible: String,
    pub(crate) visible_offsets: Offsets,
    /// The text for matching: lower case, no accents, look-alikes replaced.
    pub(crate) folded: String,
    pub(crate) folded_offsets: Offsets,
    pub(crate) disguises: Vec<Disguise>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DisguiseKind {
    /// A word split by zero-width characters.
    BrokenWord,
    /// A word with letters of another script that look like Latin ones.
    LookAlike,
    /// A word in mathematical or enclosed letters.
    Styled,
    /// A run of two zero-width characters that encode 0 and 1.
    Bits,
    Tags,
    Variations,
    Reversed,
    Directions,
    Controls,
}

#[derive(Debug)]
pub(crate) struct Disguise {
    pub(crate) kind: DisguiseKind,
    /// Byte range in the original text.
    pub(crate) span: Range<usize>,
    /// The hidden message, if the folded text does not contain it.
    pub(crate) revealed: String,
}

impl Reading {
    pub(crate) fn new(text: &str) -> Self {
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
        if plain {
            let reading = Self {
                visible: text.to_owned(),
                visible_offsets: Offsets::default(),
                folded: text.to_ascii_lowercase(),
                folded_offsets: Offsets::default(),
                disguises: Vec::new(),
            };
            return reading.with_spelling_restored();
        }
        Reader::new(text).read().with_spelling_restored()
    }

    fn with_spelling_restored(mut self) -> Self {
        if let Some((folded, folded_offsets)) = restore_spelling(&self.folded, &self.folded_offsets)
        {
            self.folded = folded;
            self.folded_offsets = folded_offsets;
        }
        self
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Words whose letters are replaced by their plain look-alikes.
    look_alikes: Vec<Range<usize>>,
    right_to_left: bool,
    /// Text before this offset was already read in reverse.
    reversed_until: usize,
    reading: Reading,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let mut reading = Reading {
            visible: String::with_capacity(text.len()),
            visible_offsets: Offsets::default(),
            folded: String::with_capacity(text.len()),
            folded_offsets: Offsets::default(),
            disguises: Vec::new(),
        };
        let look_alikes = find_look_alike_words(text);
        let disguised = look_alikes.disguised.into_iter();
        reading.disguises.extend(disguised.map(|span| Disguise {
            kind: DisguiseKind::LookAlike,
            span,
            revealed: String::new(),
        }));
        find_styled_words(text, &mut reading.disguises);
        find_zero_width_bits(text, &mut reading.disguises);
        Self {
            text,
            look_alikes: look_alikes.words,
            right_to_left: text.chars().any(is_right_to_left),
            reversed_until: 0,
            reading,
        }
    }

    fn read(mut self) -> Reading {
        let mut letters = self.text.char_indices().peekable();
        let mut next_word = 0;
        let mut before = ' ';
        let mut visible_end = 0;
        while let Some((at, letter)) = letters.next() {
            let Some(kind) = classify_invisible(letter) else {
                let words = &self.look_alikes;
                while words.get(next_word).is_some_and(|word| word.end <= at) {
                    next_word += 1;
                }
                let look_alike = words
                    .get(next_word)
                    .is_some_and(|word| word.contains(&at) && !letter.is_ascii());
                let plain = look_alike.then(|| plain_look_alike(letter)).flatten();
                self.push_letter(at, letter, plain.as_deref());
                before = letter;
                visible_end = at + letter.len_utf8();
                continue;
            };
            let run_end = |letters: &mut std::iter::Peekable<std::str::CharIndices<'_>>| {
                let mut end = at + letter.len_utf8();
                while let Some((_, next)) =
                    letters.next_if(|(_, next)| classify_invisible(*next) == Some(kind))
                {
                    end += next.len_utf8();
                }
                end
            };
            match kind {
                Invisible::Tag => {
                    let end = run_end(&mut letters);
                    // A black flag followed by tags is a regional flag.
                    if before != '\u{1F3F4}' {
                        let revealed = self.text[at..end].chars().filter_map(tag_letter).collect();
                        self.push_disguise(DisguiseKind::Tags, at..end, revealed);
                    }
                }
                Invisible::Variation => {
                    let end = run_end(&mut letters);
                    self.read_variation_selectors(at..end);
                }
                Invisible::Reversal if letter == '\u{202E}' => self.read_reversed(at),
                Invisible::ZeroWidth | Invisible::Joiner | Invisible::SoftHyphen => {
                    let end = run_end(&mut letters);
                    let after = letters.peek().map_or(' ', |(_, next)| *next);
                    self.read_zero_width_run(kind, at..end, before, after);
                }
                Invisible::Direction | Invisible::Reversal => {
                    if self.right_to_left {
                        self.push_visible(at, letter);
                    } else {
                        self.push_disguise(
                            DisguiseKind::Directions,
                            at..at + letter.len_utf8(),
                            String::new(),
                        );
                    }
                }
                Invisible::Control => {
                    let end = run_end(&mut letters);
                    self.push_disguise(DisguiseKind::Controls, at..end, String::new());
                }
            }
        }
        let view_end = self.reading.folded.len();
        self.reading.folded_offsets.record(view_end, visible_end);
        self.reading
    }

    fn push_letter(&mut self, at: usize, letter: char, plain: Option<&str>) {
        self.push_visible(at, letter);
        let folded = &mut self.reading.folded;
        self.reading.folded_offsets.record(folded.len(), at);
        match plain {
            Some(plain) => folded.push_str(plain),
            None => fold_letter(letter, &mut |part| folded.push(part)),
        }
    }

    /// Adds a letter to the visible text only.
    fn push_visible(&mut self, at: usize, letter: char) {
        self.reading
            .visible_offsets
            .record(self.reading.visible.len(), at);
        self.reading.visible.push(letter);
    }

    fn push_disguise(&mut self, kind: DisguiseKind, span: Range<usize>, revealed: String) {
        self.reading.disguises.push(Disguise {
            kind,
            span,
            revealed,
        });
    }

    fn read_variation_selectors(&mut self, span: Range<usize>) {
        let run = &self.text[span.clone()];
        if run.chars().count() < VARIATION_RUN_MIN {
            for (offset, letter) in run.char_indices() {
                self.push_visible(span.start + offset, letter);
            }
            return;
        }
        let bytes: Vec<u8> = run.chars().filter_map(variation_byte).collect();
        let revealed = String::from_utf8_lossy(&bytes).into_owned();
        self.push_disguise(DisguiseKind::Variations, span, revealed);
    }

    /// The letters stay in the text; the order in which they are displayed is inspected separately.
    fn read_reversed(&mut self, at: usize) {
        if at < self.reversed_until {
            return;
        }
        let start = at + '\u{202E}'.len_utf8();
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest.find(['\u{202C}', '\n']).unwrap_or(rest.len());
        self.reversed_until = start + length;
        let revealed = rest[..length].chars().rev().collect();
        self.push_disguise(DisguiseKind::Reversed, at..start + length, revealed);
    }

    fn read_zero_width_run(
        &mut self,
        kind: Invisible,
        span: Range<usize>,
        before: char,
        after: char,
    ) {
        let joins = kind == Invisible::Joiner && !before.is_ascii() && !after.is_ascii();
        if joins {
            for (offset, letter) in self.text[span.clone()].char_indices() {
                self.push_visible(span.start + offset, letter);
            }
            return;
        }
        let inside = before.is_alphabetic() && after.is_alphabetic() && !is_unspaced(before);
        if inside && kind != Invisible::SoftHyphen {
            self.push_disguise(DisguiseKind::BrokenWord, span, String::new());
        }
    }
}

/// Fewer such letters are symbols in formulas.
const STYLED_LETTERS_MIN: usize = 3;

fn find_styled_words(text: &str, disguises: &mut Vec<Disguise>) {
    let styled = |letter: char| matches!(letter, '\u{1D400}'..='\u{1D7CB}' | '\u{24B6}'..='\u{24E9}' | '\u{1F130}'..='\u{1F189}');
    for_each_run(text, styled, STYLED_LETTERS_MIN, |span| {
        disguises.push(Disguise {
            kind: DisguiseKind::Styled,
            span,
            revealed: String::new(),
        });
    });
}

/// One byte. Scripts and emoji use zero-width characters one at a time.
const BITS_MIN: usize = 8;

fn find_zero_width_bits(text: &str, disguises: &mut Vec<Disguise>) {
    let zero_width = |letter: char| {
        matches!(
            classify_invisible(letter),
            Some(Invisible::ZeroWidth | Invisible::Joiner)
        )
    };
    for_each_run(text, zero_width, BITS_MIN, |span| {
        let run = text.get(span.clone()).unwrap_or_default();
        let nought = run.chars().next().unwrap_or_default();
        // The first bit of an ASCII byte is 0, so the first character is taken for 0.
        let bits: Vec<u8> = run
            .chars()
            .map(|letter| u8::from(letter != nought))
            .collect();
        let byte = |bits: &[u8]| bits.iter().fold(0u8, |byte, bit| byte << 1 | bit);
        let bytes: Vec<u8> = bits.chunks_exact(8).map(byte).collect();
        disguises.push(Disguise {
            kind: DisguiseKind::Bits,
            span,
            revealed: String::from_utf8(bytes).unwrap_or_default(),
        });
    });
}

/// Visits every run of at least `least` letters of one kind.
fn for_each_run(
    text: &str,
    kind: impl Fn(char) -> bool,
    least: usize,
    mut visit: impl FnMut(Range<usize>),
) {
    let mut run = None::<(usize, usize)>;
    let ends = std::iter::once((text.len(), ' '));
    for (at, letter) in text.char_indices().chain(ends) {
        if kind(letter) && at < text.len() {
            run.get_or_insert((at, 0)).1 += 1;
        } else if let Some((start, _)) = run.take().filter(|(_, letters)| *letters >= least) {
            visit(start..at);
        }
    }
}
