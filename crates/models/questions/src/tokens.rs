//! How many tokens a text is at most, without a tokenizer: what is reserved before a question is sent.
//!
//! A tokenizer of the usual kind (byte pairs) never leaves two neighbours apart whose union is in its vocabulary. So a
//! word it knows is one token, and one that it does not know has no more tokens than pieces it can be cut into with no
//! known pair of neighbours. `data/` holds short pieces and frequent words that the vocabularies in wide use
//! (`cl100k_base`, `o200k_base`) all have.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Longer pieces than this cannot make a cut any finer.
const PIECE_LETTERS_MAX: usize = 4;
/// Runs of up to this many spaces are one token everywhere.
const SPACES_MAX: usize = 16;
/// Characters outside of ASCII that are one token everywhere; others may be as many as they have bytes.
const ONE_TOKEN: &str = "’‘“”–—…•·×°±éµ→";

/// An upper bound of how many tokens a tokenizer makes of the text.
pub fn token_bound(text: &str) -> u64 {
    let mut bound = 0;
    let mut before = Before::Nothing;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = if first.is_ascii_alphabetic() {
            let end = run(rest, |char| char.is_ascii_alphabetic());
            let after = rest[end..].chars().next();
            let whole = after.is_none_or(|char| char.is_ascii());
            bound += word(&rest[..end], if whole { before } else { Before::Other });
            before = Before::Other;
            end
        } else if first == ' ' {
            let end = run(rest, |char| char == ' ');
            let after = rest[end..].chars().next();
            let joins = after.is_some_and(|char| {
                (char.is_ascii_graphic() && !char.is_ascii_digit()) || ONE_TOKEN.contains(char)
            });
            bound += (end - 1).div_ceil(SPACES_MAX) + usize::from(!joins);
            before = Before::Space;
            end
        } else {
            let bytes = first.len_utf8();
            bound += if ONE_TOKEN.contains(first) { 1 } else { bytes };
            before = match first {
                '\n' | '\r' | '0'..='9' => Before::Nothing,
                _ => Before::Other,
            };
            bytes
        };
        rest = &rest[taken..];
    }
    bound as u64
}

/// What a word follows; it may be one token with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Space,
    Other,
}

fn run(text: &str, of: impl Fn(char) -> bool) -> usize {
    text.find(|char| !of(char)).unwrap_or(text.len())
}

/// The bound of a run of ASCII letters. Some tokenizers part words where a capital follows a small letter, some do not.
fn word(letters: &str, before: Before) -> usize {
    let known = match before {
        Before::Space => KNOWN.after_space.contains(letters),
        Before::Nothing => KNOWN.anywhere.contains(letters),
        Before::Other => false,
    };
    if known {
        return 1;
    }
    let bytes = letters.as_bytes();
    let mut bound = 0;
    let mut start = 0;
    while start < bytes.len() {
        let length = |from: usize, of: fn(&u8) -> bool| {
            let tail = &bytes[from..];
            tail.iter().position(|byte| !of(byte)).unwrap_or(tail.len())
        };
        let capitals = length(start, u8::is_ascii_uppercase);
        let small = start + capitals;
        let end = small + length(small, u8::is_ascii_lowercase);
        let spaced = capitals == 0 && start == 0 && before == Before::Space;
        let cut = usize::from(start > 0);
        bound += cut + capitals + pieces_max(&bytes[small..end], spaced.then_some(SPACE));
        start = end;
    }
    bound.min(letters.len())
}

/// Into how many pieces small letters can be cut, at most, with no two neighbours that are known as one.
fn pieces_max(letters: &[u8], space: Option<u8>) -> usize {
    let text: Vec<u8> = space
        .into_iter()
        .chain(letters.iter().map(|letter| letter - b'a'))
        .collect();
    // The best count of each end, by how long the last piece is.
    let mut best = vec![[None::<usize>; PIECE_LETTERS_MAX + 1]; text.len() + 1];
    best[0][0] = Some(0);
    for end in 1..=text.len() {
        for last in 1..=PIECE_LETTERS_MAX.min(end) {
            let start = end - last;
            let counts = (0..=PIECE_LETTERS_MAX.min(start)).filter_map(|previous| {
                let count = best[start][previous]?;
                let together = previous > 0 && KNOWN.piece(&text[start - previous..end]);
                (!together).then_some(count + 1)
            });
            best[end][last] = counts.max();
        }
    }
    best[text.len()]
        .iter()
        .flatten()
        .copied()
        .max()
        .unwrap_or(0)
}

/// The space before a word, among letters numbered from 0.
const SPACE: u8 = 26;
const LETTERS: usize = 27;

struct Known {
    after_space: HashSet<String>,
    anywhere: HashSet<String>,
    two: Vec<bool>,
    three: Vec<bool>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(Known::read);

impl Known {
    /// Words with a capital are known with and without it, after a space and anywhere; others in small letters after a
    /// space. Pieces are two letters (`_` for a space) and the third letters they are known with.
    fn read() -> Self {
        let mut known = Self {
            after_space: HashSet::new(),
            anywhere: HashSet::new(),
            two: vec![false; LETTERS * LETTERS],
            three: vec![false; LETTERS * LETTERS * LETTERS],
        };
        for word in include_str!("../data/words.txt").lines() {
            let small = word.to_ascii_lowercase();
            if small != word {
                known.anywhere.extend([small.clone(), word.to_owned()]);
                known.after_space.insert(word.to_owned());
            }
            known.after_space.insert(small);
        }
        for line in include_str!("../data/pieces.txt").lines() {
            let numbered = |letter: u8| match letter {
                b'_' => usize::from(SPACE),
                letter => usize::from(letter.saturating_sub(b'a')),
            };
            let (pair, thirds) = line.split_once(' ').unwrap_or((line, ""));
            let pair = pair
                .bytes()
                .fold(0, |pair, letter| pair * LETTERS + numbered(letter));
            known.two[pair] = true;
            for third in thirds.bytes() {
                known.three[pair * LETTERS + numbered(third)] = true;
            }
        }
        known
    }

    fn piece(&self, text: &[u8]) -> bool {
        let index = text
            .iter()
            .fold(0, |index, letter| index * LETTERS + usize::from(*letter));
        match text.len() {
            2 => self.two[index],
            3 => self.three[index],
            _ => false,
        }
    }
}
