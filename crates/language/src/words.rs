//! The words of a text, and which of them carry no meaning of their own.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Longer runs of letters are no words.
pub(crate) const WORD_BYTES_MAX: usize = 100;

/// The words of a text as byte ranges: letters and digits, with apostrophes and hyphens between them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let start = loop {
            let (at, c) = rest.next()?;
            if c.is_alphanumeric() {
                break at;
            }
        };
        let mut end = next_at(&mut rest, text);
        while let Some(&(at, c)) = rest.peek() {
            if c.is_alphanumeric() || is_mark(c) {
                rest.next();
                end = next_at(&mut rest, text);
            } else if matches!(c, '\'' | '’' | '-' | '‑')
                && text[at + c.len_utf8()..].starts_with(char::is_alphanumeric)
            {
                rest.next();
            } else {
                break;
            }
        }
        Some(start..end)
    })
}

fn next_at(rest: &mut std::iter::Peekable<std::str::CharIndices<'_>>, text: &str) -> usize {
    rest.peek().map_or(text.len(), |&(at, _)| at)
}

/// Combining marks belong to the letter before them.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

/// Whether a word can be counted and compared as a word: it has a letter.
pub(crate) fn has_letter(word: &str) -> bool {
    word.chars().any(char::is_alphabetic)
}

macro_rules! tongues {
    ($( $variant:ident $code:literal $name:literal $file:literal ),+ $(,)?) => {
        /// A language with a list of stop words.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
        pub enum Tongue { $( #[serde(rename = $code)] $variant, )+ }

        impl Tongue {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            pub(crate) fn stop_words(self) -> &'static HashSet<&'static str> {
                match self {
                    $(Self::$variant => {
                        static WORDS: LazyLock<HashSet<&'static str>> =
                            LazyLock::new(|| list(include_str!($file)).collect());
                        &WORDS
                    })+
                }
            }
        }
    };
}

tongues! {
    English "en" "English" "../data/stop_words/en.txt",
    German "de" "German" "../data/stop_words/de.txt",
    French "fr" "French" "../data/stop_words/fr.txt",
    Spanish "es" "Spanish" "../data/stop_words/es.txt",
    Italian "it" "Italian" "../data/stop_words/it.txt",
    Dutch "nl" "Dutch" "../data/stop_words/nl.txt",
    Portuguese "pt" "Portuguese" "../data/stop_words/pt.txt",
}

impl Tongue {
    pub(crate) fn of_code(code: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|tongue| tongue.code() == code)
    }
}

/// The entries of a word list: separated by white space, `_` stands for a space, lines with `#` are remarks.
pub(crate) fn list(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
}
