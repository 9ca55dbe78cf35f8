//! Which language a text is in, and what its words have in common.

use std::fmt;

use adjutant_text::stems::{StemLanguage, stem};
use whatlang::Lang;

use crate::stop_words::stop_words;
use crate::words::{WordKind, fold};

/// So much of a text decides its language.
const DETECTED_BYTES_MAX: usize = 4_096;

macro_rules! languages {
    ($($name:ident $code:literal $tag:literal $stems:expr, $detected:path;)*) => {
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

            fn stem_language(self) -> Option<StemLanguage> {
                match self { $(Self::$name => $stems,)* Self::Other => None }
            }

            fn detected(lang: Lang) -> Self {
                match lang { $($detected => Self::$name,)* _ => Self::Other }
            }
        }
    };
}

languages! {
    English 1 "en" Some(StemLanguage::English), Lang::Eng;
    German 2 "de" Some(StemLanguage::German), Lang::Deu;
    French 3 "fr" Some(StemLanguage::French), Lang::Fra;
    Spanish 4 "es" Some(StemLanguage::Spanish), Lang::Spa;
    Italian 5 "it" Some(StemLanguage::Italian), Lang::Ita;
    Portuguese 6 "pt" Some(StemLanguage::Portuguese), Lang::Por;
    Dutch 7 "nl" Some(StemLanguage::Dutch), Lang::Nld;
    Swedish 8 "sv" Some(StemLanguage::Swedish), Lang::Swe;
    Danish 9 "da" Some(StemLanguage::Danish), Lang::Dan;
    Norwegian 10 "no" Some(StemLanguage::Norwegian), Lang::Nob;
    Finnish 11 "fi" Some(StemLanguage::Finnish), Lang::Fin;
    Russian 12 "ru" Some(StemLanguage::Russian), Lang::Rus;
    Hungarian 13 "hu" Some(StemLanguage::Hungarian), Lang::Hun;
    Romanian 14 "ro" Some(StemLanguage::Romanian), Lang::Ron;
    Turkish 15 "tr" Some(StemLanguage::Turkish), Lang::Tur;
    Greek 16 "el" Some(StemLanguage::Greek), Lang::Ell;
    Arabic 17 "ar" Some(StemLanguage::Arabic), Lang::Ara;
    Tamil 18 "ta" Some(StemLanguage::Tamil), Lang::Tam;
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
}

impl Stems {
    pub(crate) fn new(language: Language) -> Self {
        Self { language }
    }

    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// The term a word is indexed under.
    pub(crate) fn term(&self, small: &str, kind: WordKind) -> String {
        match (kind, self.language.stem_language()) {
            (WordKind::Letters, Some(language)) => fold(&stem(language, small)),
            _ => fold(small),
        }
    }

    /// Whether the word says nothing of a subject.
    pub(crate) fn is_stop_word(&self, small: &str) -> bool {
        stop_words(self.language).binary_search(&small).is_ok()
    }
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
