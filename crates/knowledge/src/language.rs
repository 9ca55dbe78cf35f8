//! Which language a text is in, and what its words have in common.

use std::fmt;

use rust_stemmers::{Algorithm, Stemmer};
use whatlang::Lang;

use crate::stop_words::stop_words;
use crate::words::{WordKind, fold};

/// So much of a text decides its language.
const DETECTED_BYTES_MAX: usize = 4_096;
/// Longer words are of no language.
const STEMMED_BYTES_MAX: usize = 48;

macro_rules! languages {
    ($($name:ident $code:literal $tag:literal $algorithm:expr, $detected:path;)*) => {
        /// The language of a document. Decides how its words are brought together.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Language { $($name,)* Other }

        impl Language {
            /// Kept in stored bytes: never changed.
            pub(crate) fn code(self) -> u8 {
                match self { $(Self::$name => $code,)* Self::Other => 0 }
            }

            pub(crate) fn from_code(code: u8) -> Option<Self> {
                match code { 0 => Some(Self::Other), $($code => Some(Self::$name),)* _ => None }
            }

            /// As in BCP 47: `en`, `de`; `und` for one we know nothing of.
            pub fn tag(self) -> &'static str {
                match self { $(Self::$name => $tag,)* Self::Other => "und" }
            }

            fn algorithm(self) -> Option<Algorithm> {
                match self { $(Self::$name => $algorithm,)* Self::Other => None }
            }

            fn detected(lang: Lang) -> Self {
                match lang { $($detected => Self::$name,)* _ => Self::Other }
            }
        }
    };
}

languages! {
    English 1 "en" Some(Algorithm::English), Lang::Eng;
    German 2 "de" Some(Algorithm::German), Lang::Deu;
    French 3 "fr" Some(Algorithm::French), Lang::Fra;
    Spanish 4 "es" Some(Algorithm::Spanish), Lang::Spa;
    Italian 5 "it" Some(Algorithm::Italian), Lang::Ita;
    Portuguese 6 "pt" Some(Algorithm::Portuguese), Lang::Por;
    Dutch 7 "nl" Some(Algorithm::Dutch), Lang::Nld;
    Swedish 8 "sv" Some(Algorithm::Swedish), Lang::Swe;
    Danish 9 "da" Some(Algorithm::Danish), Lang::Dan;
    Norwegian 10 "no" Some(Algorithm::Norwegian), Lang::Nob;
    Finnish 11 "fi" Some(Algorithm::Finnish), Lang::Fin;
    Russian 12 "ru" Some(Algorithm::Russian), Lang::Rus;
    Hungarian 13 "hu" Some(Algorithm::Hungarian), Lang::Hun;
    Romanian 14 "ro" Some(Algorithm::Romanian), Lang::Ron;
    Turkish 15 "tr" Some(Algorithm::Turkish), Lang::Tur;
    Greek 16 "el" Some(Algorithm::Greek), Lang::Ell;
    Arabic 17 "ar" Some(Algorithm::Arabic), Lang::Ara;
    Tamil 18 "ta" Some(Algorithm::Tamil), Lang::Tam;
    Chinese 19 "zh" None, Lang::Cmn;
    Japanese 20 "ja" None, Lang::Jpn;
    Korean 21 "ko" None, Lang::Kor;
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// The language of a text. Too little text to tell is taken for English where it is written in ASCII.
pub fn language(text: &str) -> Language {
    let seen = &text[..text.floor_char_boundary(DETECTED_BYTES_MAX)];
    match whatlang::detect(seen) {
        Some(found) if found.is_reliable() => Language::detected(found.lang()),
        _ if seen.is_ascii() => Language::English,
        Some(found) => Language::detected(found.lang()),
        None => Language::Other,
    }
}

/// Brings the forms of a word together, in one language.
pub(crate) struct Stems {
    language: Language,
    stemmer: Option<Stemmer>,
}

impl Stems {
    pub(crate) fn of(language: Language) -> Self {
        Self {
            language,
            stemmer: language.algorithm().map(Stemmer::create),
        }
    }

    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// The term a word is indexed under.
    pub(crate) fn term(&self, small: &str, kind: WordKind) -> String {
        match &self.stemmer {
            Some(stemmer) if kind == WordKind::Letters && small.len() <= STEMMED_BYTES_MAX => {
                let stem = stemmer.stem(small);
                fold(if stem.is_empty() { small } else { &stem })
            }
            _ => fold(small),
        }
    }

    /// Whether the word says nothing of a subject.
    pub(crate) fn is_stop_word(&self, small: &str) -> bool {
        stop_words(self.language).binary_search(&small).is_ok()
    }
}
