//! What is general English: two bands of common words, and closed classes.

use std::collections::BTreeSet;

use crate::words::stem;

/// Function words of other languages, which a sample may quote.
const OTHER_LANGUAGES: [&str; 7] = [
    include_str!("../../../text/data/stop_words/de.txt"),
    include_str!("../../../text/data/stop_words/es.txt"),
    include_str!("../../../text/data/stop_words/fr.txt"),
    include_str!("../../../text/data/stop_words/it.txt"),
    include_str!("../../../text/data/stop_words/nl.txt"),
    include_str!("../../../text/data/stop_words/pt.txt"),
    include_str!("../../../text/data/months.txt"),
];

#[derive(Debug)]
pub struct English {
    common: BTreeSet<String>,
    uncommon: BTreeSet<String>,
    function_words: BTreeSet<&'static str>,
}

/// How usual a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Band {
    Common,
    Uncommon,
    Rare,
}

impl English {
    /// The lists that are kept with this crate.
    pub fn kept() -> Self {
        let stems = |text: &str| -> BTreeSet<String> {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.flat_map(str::split_whitespace).map(stem).collect()
        };
        let mut common = stems(include_str!("../data/common.txt"));
        common.extend(stems(include_str!("../data/everywhere.txt")));
        for language in OTHER_LANGUAGES {
            common.extend(stems(language));
        }
        Self {
            common,
            uncommon: stems(include_str!("../data/uncommon.txt")),
            function_words: include_str!("../../../text/data/stop_words/en.txt")
                .split_whitespace()
                .collect(),
        }
    }

    pub(crate) fn is_function_word(&self, word: &str) -> bool {
        self.function_words.contains(word.to_lowercase().as_str())
    }

    pub(crate) fn band(&self, stem: &str) -> Band {
        if self.common.contains(stem) {
            Band::Common
        } else if self.uncommon.contains(stem) {
            Band::Uncommon
        } else {
            Band::Rare
        }
    }
}
