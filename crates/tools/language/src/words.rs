//! The words of a text, and which of them carry no meaning of their own.

use std::collections::HashSet;
use std::ops::Range;

use adjutant_text::stop_words::StopWordLanguage;

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

macro_rules! supported_languages {
    ($( $variant:ident $code:literal ),+ $(,)?) => {
        /// A language with a list of stop words.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
        pub enum SupportedLanguage { $( #[serde(rename = $code)] $variant, )+ }

        impl SupportedLanguage {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant)),+ }
            }

            pub(crate) fn stop_words(self) -> &'static HashSet<&'static str> {
                let language = match self { $(Self::$variant => StopWordLanguage::$variant),+ };
                language.stop_words()
            }
        }
    };
}

supported_languages! {
    English "en",
    German "de",
    French "fr",
    Spanish "es",
    Italian "it",
    Dutch "nl",
    Portuguese "pt",
}

impl SupportedLanguage {
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|language| language.code() == code)
    }
}

/// The entries of a word list: separated by white space, `_` stands for a space, lines with `#` are remarks.
pub(crate) fn word_list(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
}
