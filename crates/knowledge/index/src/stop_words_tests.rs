use super::stop_words;
use crate::language::Language;

#[test]
fn lists_are_sorted_so_that_words_are_found() {
    for code in 0..=u8::MAX {
        if let Some(language) = Language::from_code(code) {
            assert!(stop_words(language).is_sorted(), "{language}");
            assert_eq!(language.code(), code);
        }
    }
}
