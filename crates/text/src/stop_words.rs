//! Words that carry no meaning of their own and often begin a sentence, in seven languages.

use std::collections::HashSet;
use std::sync::LazyLock;

macro_rules! stop_word_languages {
    ($( $variant:ident $file:literal ),+ $(,)?) => {
        /// A language with a list of stop words.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum StopWordLanguage { $( $variant, )+ }

        impl StopWordLanguage {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// In lower case, with straight apostrophes.
            pub fn stop_words(self) -> &'static HashSet<&'static str> {
                match self {
                    $(Self::$variant => {
                        static WORDS: LazyLock<HashSet<&'static str>> =
                            LazyLock::new(|| include_str!($file).split_whitespace().collect());
                        &WORDS
                    })+
                }
            }
        }
    };
}

stop_word_languages! {
    English "../data/stop_words/en.txt",
    German "../data/stop_words/de.txt",
    French "../data/stop_words/fr.txt",
    Spanish "../data/stop_words/es.txt",
    Italian "../data/stop_words/it.txt",
    Dutch "../data/stop_words/nl.txt",
    Portuguese "../data/stop_words/pt.txt",
}
