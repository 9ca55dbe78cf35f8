use super::*;
use crate::{decision, deep_dive, draft, fmea, judge, text};

#[test]
fn every_pattern_compiles() {
    let all = [
        decision::bound::PATTERNS,
        deep_dive::PATTERNS,
        draft::PATTERNS,
        fmea::read::PATTERNS,
        judge::sums::PATTERNS,
        text::PATTERNS,
    ];
    let wrong: Vec<regex::Error> = all
        .into_iter()
        .flatten()
        .filter_map(|pattern| (pattern.compile)().err())
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
#[should_panic(expected = "a pattern of this program is wrong")]
fn a_wrong_pattern_is_not_taken_for_one_that_matches_nothing() {
    static WRONG: Pattern = Pattern::new(|| Regex::new(&String::from("(")));
    WRONG.matches("text");
}
