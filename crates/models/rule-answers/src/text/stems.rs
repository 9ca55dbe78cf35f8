//! What words have in common: stems, and words that say nothing of a subject.

use std::collections::HashMap;

use adjutant_text::stems::{StemLanguage, stem};

const STOP_WORDS: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "among", "an", "and", "any",
    "are", "as", "at", "be", "because", "been", "before", "being", "between", "both", "but", "by",
    "can", "did", "do", "does", "doing", "done", "due", "during", "each", "either", "for", "from",
    "further", "get", "give", "given", "gives", "had", "has", "have", "having", "he", "her",
    "here", "hers", "him", "his", "how", "however", "i", "if", "in", "into", "is", "it", "its",
    "itself", "just", "let", "many", "me", "much", "must", "my", "of", "off", "on", "once", "only",
    "or", "other", "our", "out", "over", "own", "same", "shall", "she", "should", "so", "some",
    "such", "tell", "than", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "those", "through", "to", "too", "under", "until", "up", "upon", "us", "use", "used",
    "uses", "using", "very", "was", "we", "were", "what", "when", "where", "whether", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "within", "would", "you", "your",
];

/// Forms the stemmer does not bring together.
const IRREGULAR: &[(&str, &str)] = &[
    ("became", "become"),
    ("began", "begin"),
    ("built", "build"),
    ("children", "child"),
    ("fell", "fall"),
    ("fallen", "fall"),
    ("found", "find"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("held", "hold"),
    ("kept", "keep"),
    ("led", "lead"),
    ("lost", "lose"),
    ("men", "man"),
    ("rose", "rise"),
    ("risen", "rise"),
    ("shown", "show"),
    ("took", "take"),
    ("women", "woman"),
    ("wrote", "write"),
    ("written", "write"),
];

pub(crate) fn is_stop_word(small: &str) -> bool {
    STOP_WORDS.binary_search(&small).is_ok()
}

/// The stems of English words, each computed once.
#[derive(Default)]
pub(crate) struct Stems {
    by_word: HashMap<String, String>,
}

impl Stems {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The stem of a word in lower case.
    pub(crate) fn stem(&mut self, small: &str) -> &str {
        if !self.by_word.contains_key(small) {
            self.by_word.insert(small.to_owned(), english_stem(small));
        }
        self.by_word.get(small).map_or("", String::as_str)
    }
}

fn english_stem(small: &str) -> String {
    let plain = small
        .strip_suffix("'s")
        .or_else(|| small.strip_suffix("’s"))
        .unwrap_or(small);
    let irregular = IRREGULAR.iter().find(|(form, _)| *form == plain);
    let plain = irregular.map_or(plain, |(_, base)| base);
    match plain.bytes().all(|byte| byte.is_ascii_lowercase()) {
        true => stem(StemLanguage::English, plain).into_owned(),
        false => plain.to_owned(),
    }
}
