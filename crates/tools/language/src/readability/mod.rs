//! How hard a text is to read: formulas over words, sentences and syllables, for English and German.

mod formulas;
#[cfg(test)]
mod formulas_tests;
mod syllables;

use adjutant_text::sentences::sentences;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Content};
use crate::request::{check, new_answer};
use crate::words::{SupportedLanguage, has_letter, words};
use crate::{Refusal, language};

use formulas::Counts;
pub use formulas::Measure;

/// The formulas were fitted to passages of this many words.
const WORDS_ENOUGH: usize = 100;
/// SMOG was fitted to so many sentences.
const SMOG_SENTENCES: usize = 30;
/// A long word has more letters than this.
const LONG_LETTERS: usize = 6;

/// Asks how hard a text is to read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadabilityRequest {
    pub text: String,
    /// Found out where it is left out.
    #[serde(default)]
    pub language: Option<SupportedLanguage>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadabilityAnswer {
    pub language: &'static str,
    pub sentences: usize,
    pub words: usize,
    pub syllables: usize,
    /// Words of three syllables or more.
    pub long_words: usize,
    pub words_per_sentence: f64,
    pub syllables_per_word: f64,
    pub measures: Vec<Measure>,
}

pub(crate) fn answer(request: &ReadabilityRequest) -> Result<Answer, Refusal> {
    let text = request.text.as_str();
    check("text", text)?;
    let language = match request.language {
        Some(language) => language,
        None => language::detect_supported(text).map_err(|judged| match judged.unsure {
            Some(unsure) => Refusal::UnsureLanguage {
                field: "text",
                reason: unsure.reason,
                advice: "give `language`",
            },
            None => no_formula(judged.name),
        })?,
    };
    if !matches!(
        language,
        SupportedLanguage::English | SupportedLanguage::German
    ) {
        return Err(no_formula(language.name()));
    }
    let counts = count(text, language);
    if counts.words == 0 {
        return Err(Refusal::NoWords { field: "text" });
    }
    let measures = match language {
        SupportedLanguage::German => formulas::german(&counts),
        _ => formulas::english(&counts),
    };
    let mut notes = vec![
        "Syllables are counted by spelling rules: single words may be off by one, averages over a passage are \
         accurate to a few percent."
            .to_owned(),
        "The formulas measure length, not meaning: short words in random order score as easy.".to_owned(),
    ];
    if counts.words < WORDS_ENOUGH {
        notes.push(format!(
            "The text has {} words; the formulas were made for passages of at least {WORDS_ENOUGH}: the figures are \
             only approximate.",
            counts.words
        ));
    }
    if language == SupportedLanguage::English && counts.sentences < SMOG_SENTENCES {
        notes.push(format!(
            "SMOG was made for {SMOG_SENTENCES} sentences and this has {}: it is scaled up.",
            counts.sentences
        ));
    }
    let found = ReadabilityAnswer {
        language: language.code(),
        sentences: counts.sentences,
        words: counts.words,
        syllables: counts.syllables,
        long_words: counts.three_syllables,
        words_per_sentence: formulas::rounded(counts.words as f64 / counts.sentences as f64),
        syllables_per_word: formulas::rounded(counts.syllables as f64 / counts.words as f64),
        measures,
    };
    Ok(new_answer(
        "readability",
        Content::Readability(found),
        match language {
            SupportedLanguage::German => {
                "Flesch in Amstad's form (1978) and the first Wiener Sachtextformel (Bamberger and Vanecek 1984)"
            }
            _ => {
                "Flesch (1948), Flesch-Kincaid (1975), Gunning fog (1952; hard words without names and inflected endings), SMOG \
                 (1969), Coleman-Liau (1975), ARI (1967; letters and digits)"
            }
        },
        notes,
    ))
}

fn no_formula(language: &str) -> Refusal {
    Refusal::OtherLanguage {
        what: "a readability formula",
        language: language.to_owned(),
        advice: "there are formulas for English and German",
    }
}

fn count(text: &str, language: SupportedLanguage) -> Counts {
    let mut counts = Counts::default();
    for sentence in sentences(text) {
        let sentence = &text[sentence];
        let mut first = true;
        for word in words(sentence).map(|range| &sentence[range]) {
            if !has_letter(word) {
                continue;
            }
            let syllables = syllables::syllables(word, language);
            let letters = word.chars().filter(|c| c.is_alphanumeric()).count();
            counts.words += 1;
            counts.letters += letters;
            counts.syllables += syllables;
            counts.three_syllables += usize::from(syllables >= 3);
            counts.one_syllable += usize::from(syllables == 1);
            counts.long_words += usize::from(letters > LONG_LETTERS);
            let name = !first && word.starts_with(char::is_uppercase);
            counts.hard_words += usize::from(!name && syllables::is_hard(word, syllables));
            if first {
                counts.sentences += 1;
            }
            first = false;
        }
    }
    counts
}
