//! Words before a period that do not end a sentence, or not always.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::stop_words::StopWordLanguage;

/// What a period after an abbreviation may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// The sentence goes on.
    Inside,
    /// The sentence goes on before a number.
    Number,
    /// The sentence ends if the next word often begins one.
    Either,
}

static ABBREVIATIONS: LazyLock<HashMap<&'static str, After>> = LazyLock::new(|| {
    let mut known = HashMap::new();
    for line in include_str!("../../data/abbreviations.txt").lines() {
        let mut words = line.split_whitespace();
        let after = match words.next() {
            Some("inside") => After::Inside,
            Some("number") => After::Number,
            Some("either") => After::Either,
            _ => continue,
        };
        known.extend(words.map(|word| (word, after)));
    }
    known
});

/// What the period after this word (in lower case) may mean, where the word is an abbreviation.
pub(super) fn after(word: &str) -> Option<After> {
    ABBREVIATIONS.get(word).copied()
}

/// Whether a word (in lower case) is one that sentences often begin with.
pub(super) fn is_opener(word: &str) -> bool {
    let word = word.replace('’', "'");
    StopWordLanguage::ALL
        .iter()
        .any(|language| language.stop_words().contains(word.as_str()))
}

/// Words after which a number with a period counts: "am 3. Mai", "das 19. Jahrhundert".
pub(super) fn is_before_ordinal(word: &str) -> bool {
    matches!(
        word,
        "am" | "der"
            | "dem"
            | "den"
            | "des"
            | "die"
            | "das"
            | "im"
            | "zum"
            | "zur"
            | "vom"
            | "beim"
            | "ab"
            | "bis"
            | "seit"
            | "ein"
            | "eine"
            | "einen"
            | "einem"
            | "einer"
            | "jede"
            | "jeden"
            | "jeder"
            | "jedem"
            | "ihr"
            | "ihrem"
            | "ihren"
            | "seinem"
            | "seinen"
            | "sein"
            | "und"
    )
}

/// Words whose letter is part of a name and not of a person: "vitamin C.", "hepatitis B."
pub(super) fn is_before_letter(word: &str) -> bool {
    matches!(
        word,
        "vitamin"
            | "vitamine"
            | "vitamina"
            | "hepatitis"
            | "hépatite"
            | "group"
            | "gruppe"
            | "groupe"
            | "grupo"
            | "grade"
            | "type"
            | "typ"
            | "tipo"
            | "class"
            | "klasse"
            | "arm"
            | "cohort"
            | "kohorte"
            | "plan"
            | "stage"
            | "appendix"
            | "anhang"
            | "annex"
            | "table"
            | "figure"
            | "part"
            | "teil"
            | "panel"
            | "phase"
            | "influenza"
            | "factor"
            | "faktor"
            | "option"
            | "category"
            | "kategorie"
            | "section"
            | "protein"
            | "immunoglobulin"
            | "step"
            | "site"
            | "version"
            | "and"
            | "than"
            | "drug"
            | "product"
            | "treatment"
            | "study"
            | "period"
            | "sequence"
            | "regimen"
            | "or"
            | "with"
    )
}
