use proptest::prelude::*;

use super::*;

#[test]
fn forms_of_a_word_have_one_stem() {
    for (language, forms) in [
        (
            StemLanguage::English,
            &["inspect", "inspected", "inspecting"][..],
        ),
        (StemLanguage::German, &["behälter", "behältern"]),
        (StemLanguage::French, &["continuer", "continuerait"]),
        (StemLanguage::Dutch, &["tank", "tanks"]),
        (StemLanguage::Greek, &["δεξαμενή", "δεξαμενές"]),
        (StemLanguage::Russian, &["книга", "книги", "книгу"]),
    ] {
        let first = stem(language, forms[0]);
        for form in forms {
            assert_eq!(stem(language, form), first, "{form}");
        }
    }
}

#[test]
fn a_greek_word_made_of_endings_has_a_stem() {
    assert_eq!(stem(StemLanguage::Greek, "ισαισα"), "ισα");
}

#[test]
fn what_is_too_long_for_a_word_stays_as_it_is() {
    let long = "inspecting".repeat(5);
    assert!(long.len() > STEMMED_BYTES_MAX);
    assert_eq!(stem(StemLanguage::English, &long), long);
}

#[test]
fn no_word_loses_all_its_letters() {
    for language in StemLanguage::all() {
        assert_eq!(stem(*language, ""), "");
        for letter in ["a", "s", "η", "и", "ا", "ள"] {
            assert!(!stem(*language, letter).is_empty(), "{language:?} {letter}");
        }
    }
}

/// Letters that endings are made of, in every script that has a stemmer: random words of these meet the most rules.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[aeioustnrlmhdgkyäöüéè']{1,20}",
        "[αειουωσςτνρλμηάίίόύώκγδ]{1,20}",
        "[аеиоуыьтнрлсвмшщяюйё]{1,20}",
        "[ابتثةكلمنهويءأإآى]{1,20}",
        "[அஆகஙசடதநபமயரலவனாிுெே்]{1,15}",
        "\\PC{1,12}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_word_has_a_stem_in_every_language(word in word()) {
        for language in StemLanguage::all() {
            prop_assert!(!stem(*language, &word).is_empty());
        }
    }
}
