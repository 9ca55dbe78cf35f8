//! The formulas against textstat, from its own counts, and our counts against its.

use serde_json::Value;

use super::formulas::{self, Counts};
use crate::SupportedLanguage;

/// Where the spelling rules and the dictionary differ: at most so much of all syllables of a passage.
const SYLLABLES_OFF_MAX: f64 = 0.03;

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../../tests/reference/readability.json")).unwrap()
}

fn counts(case: &Value) -> Counts {
    let of = |name: &str| usize::try_from(case["counts"][name].as_u64().unwrap()).unwrap();
    Counts {
        sentences: of("sentences"),
        words: of("words"),
        letters: of("letters"),
        syllables: of("syllables"),
        three_syllables: of("three_syllables"),
        one_syllable: of("one_syllable"),
        long_words: of("long_words"),
        hard_words: of("difficult_words"),
    }
}

#[test]
fn the_formulas_are_those_of_textstat() {
    for case in cases() {
        let ours = counts(&case);
        // textstat counts punctuation as characters in this one.
        let with_marks = Counts {
            letters: usize::try_from(case["counts"]["characters"].as_u64().unwrap()).unwrap(),
            ..ours
        };
        for (name, expected) in case["measures"].as_object().unwrap() {
            let value = match name.as_str() {
                "flesch_reading_ease" => formulas::flesch(&ours),
                "flesch_kincaid_grade" => formulas::flesch_kincaid(&ours),
                "gunning_fog" => formulas::gunning_fog(&ours),
                "smog" => formulas::smog(&ours),
                "coleman_liau" => formulas::coleman_liau(&ours),
                "automated_readability_index" => formulas::automated(&with_marks),
                "flesch_amstad" => formulas::amstad(&ours),
                _ => formulas::wiener(&ours),
            };
            let expected = expected.as_f64().unwrap();
            assert!(
                (value - expected).abs() < 1e-9,
                "{name}: {value} and not {expected}"
            );
        }
    }
}

#[test]
fn the_counts_are_near_those_of_textstat() {
    let mut off = Vec::new();
    for case in cases() {
        let language = if case["language"] == "de" {
            SupportedLanguage::German
        } else {
            SupportedLanguage::English
        };
        let ours = super::count(case["text"].as_str().unwrap(), language);
        let theirs = counts(&case);
        assert_eq!(ours.words, theirs.words, "{case}");
        assert_eq!(ours.letters, theirs.letters, "{case}");
        assert_eq!(ours.long_words, theirs.long_words, "{case}");
        let difference =
            (ours.syllables as f64 - theirs.syllables as f64).abs() / theirs.syllables as f64;
        if difference > SYLLABLES_OFF_MAX {
            off.push(format!(
                "{} and not {} syllables: {}",
                ours.syllables, theirs.syllables, case["text"]
            ));
        }
        if ours.sentences != theirs.sentences {
            off.push(format!(
                "{} and not {} sentences: {}",
                ours.sentences, theirs.sentences, case["text"]
            ));
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
}
