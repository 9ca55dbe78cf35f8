//! Finds words written with look-alike letters, and restores the lexicon's spelling.
//! What a single letter looks like is the job of `confusables`.

use std::ops::Range;

use crate::confusables::{is_greek, is_latin, plain_look_alike};
use crate::letters::{classify_invisible, fold_letter};
use crate::lexicon::LEXICON;
use crate::offsets::Offsets;

/// Shorter words look like others by chance: "mall" like "mail", Russian "сору" like "copy".
const LOOK_ALIKE_LETTERS_MIN: usize = 5;

/// Byte ranges in the original text, sorted.
#[derive(Debug, Default)]
pub(crate) struct LookAlikeWords {
    /// Words whose letters are replaced by their plain look-alikes.
    pub(crate) words: Vec<Range<usize>>,
    /// The words among them that are certainly disguised.
    pub(crate) disguised: Vec<Range<usize>>,
}

/// Finds words that mix Latin letters with look-alikes of other scripts. Words of look-alikes alone count where they
/// spell a long word of the lexicon; short ones only beside another disguise, because every language has some.
pub(crate) fn find_look_alike_words(text: &str) -> LookAlikeWords {
    let mut found = LookAlikeWords::default();
    let mut short = Vec::new();
    let mut word = Word::default();
    let end = std::iter::once((text.len(), ' '));
    for (at, letter) in text.char_indices().chain(end) {
        if classify_invisible(letter).is_some() {
            continue;
        }
        if letter.is_alphabetic() {
            word.push(at, letter);
            continue;
        }
        let span = word.span.clone();
        match word.judge() {
            Verdict::Ordinary => {}
            Verdict::Short => short.push(span),
            Verdict::Greek => found.words.push(span),
            Verdict::Disguised => {
                found.words.push(span.clone());
                found.disguised.push(span);
            }
        }
        word.clear();
    }
    if !found.disguised.is_empty() {
        found.words.extend(short);
        found.words.sort_by_key(|word| word.start);
    }
    found
}

enum Verdict {
    Ordinary,
    /// Look-alikes alone that spell a short word of the lexicon.
    Short,
    /// Latin with Greek look-alikes, which formulas have too.
    Greek,
    Disguised,
}

#[derive(Default)]
struct Word {
    span: Range<usize>,
    /// The word in plain letters, as far as it has look-alikes.
    plain: String,
    letters: usize,
    latin: usize,
    greek: usize,
    /// Letters without a plain look-alike.
    distinct: usize,
}

impl Word {
    fn push(&mut self, at: usize, letter: char) {
        if self.letters == 0 {
            self.span.start = at;
        }
        self.span.end = at + letter.len_utf8();
        self.letters += 1;
        let before = self.plain.len();
        fold_letter(letter, &mut |part| self.plain.push(part));
        if self.plain[before..].is_ascii() || is_latin(letter) {
            self.latin += 1;
            return;
        }
        self.plain.truncate(before);
        match plain_look_alike(letter) {
            Some(plain) => self.plain.push_str(&plain),
            None => self.distinct += 1,
        }
        self.greek += usize::from(is_greek(letter));
    }

    fn judge(&self) -> Verdict {
        let other_scripts = self.letters - self.latin;
        if other_scripts == 0 || self.distinct > 0 {
            return Verdict::Ordinary;
        }
        if self.latin > 0 {
            return match self.greek == other_scripts {
                true => Verdict::Greek,
                false => Verdict::Disguised,
            };
        }
        match LEXICON.spelling(&self.plain) {
            None => Verdict::Ordinary,
            Some(_) if self.letters < LOOK_ALIKE_LETTERS_MIN => Verdict::Short,
            Some(_) => Verdict::Disguised,
        }
    }

    fn clear(&mut self) {
        let mut plain = std::mem::take(&mut self.plain);
        plain.clear();
        *self = Self {
            plain,
            ..Self::default()
        };
    }
}

/// The folded text with every word that only looks like a lexicon word spelt as in the lexicon; `None` if there is none.
pub(crate) fn restore_spelling(
    folded: &str,
    source_offsets: &Offsets,
) -> Option<(String, Offsets)> {
    let mut restored = None::<(String, Offsets)>;
    let mut copied = 0;
    for word in ascii_words(folded) {
        let Some(plain) = LEXICON.spelling(&folded[word.clone()]) else {
            continue;
        };
        if plain == &folded[word.clone()] {
            continue;
        }
        let (text, offsets) = restored.get_or_insert_default();
        copy_with_offsets(folded, copied..word.start, source_offsets, text, offsets);
        for (index, letter) in plain.char_indices() {
            let at = (word.start + index).min(word.end - 1);
            offsets.record(text.len(), source_offsets.to_source(at));
            text.push(letter);
        }
        copied = word.end;
    }
    let (mut text, mut offsets) = restored?;
    copy_with_offsets(
        folded,
        copied..folded.len(),
        source_offsets,
        &mut text,
        &mut offsets,
    );
    offsets.record(text.len(), source_offsets.to_source(folded.len()));
    Some((text, offsets))
}

fn copy_with_offsets(
    folded: &str,
    range: Range<usize>,
    source_offsets: &Offsets,
    text: &mut String,
    offsets: &mut Offsets,
) {
    for (offset, letter) in folded[range.clone()].char_indices() {
        offsets.record(text.len(), source_offsets.to_source(range.start + offset));
        text.push(letter);
    }
}

/// ASCII words that are long enough; a bar between two letters is part of the word.
fn ascii_words(folded: &str) -> impl Iterator<Item = Range<usize>> {
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'|' || !byte.is_ascii();
    let bytes = folded.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at + bytes[at..].iter().position(in_word)?;
            let rest = &bytes[start..];
            let length = rest.iter().position(|byte| !in_word(byte));
            at = start + length.unwrap_or(rest.len());
            let run = &folded[start..at];
            let word = run.trim_matches('|');
            if word.len() >= LOOK_ALIKE_LETTERS_MIN && word.is_ascii() {
                let first = start + (run.len() - run.trim_start_matches('|').len());
                return Some(first..first + word.len());
            }
        }
        None
    })
}
