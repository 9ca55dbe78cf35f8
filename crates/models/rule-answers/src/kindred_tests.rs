use super::*;
use crate::text::Stems;

#[test]
fn only_words_for_costs_are_compared_as_costs() {
    assert_eq!(amount_stem("budget"), "cost");
    assert_eq!(amount_stem("price"), "cost");
    assert_eq!(amount_stem("volum"), "volum");
    assert_eq!(amount_stem("death"), "death");
}

#[test]
fn a_stem_in_two_groups_has_the_kindred_of_both() {
    let found: Vec<&str> = kindred("death").collect();
    assert!(found.contains(&"mortal") && found.contains(&"injuri"));
    assert_eq!(kindred("bridg").count(), 0);
}

/// An entry that is the stem of no word would never be found in a text.
#[test]
fn every_entry_is_the_stem_of_a_word() {
    const WORDS: &str = "cost price expense fee budget safety safe harm adverse unsafe effect outcome \
        efficient speed fast slow latency throughput depth deep shallow duration month year week reliable failure \
        interruption breakdown licence license grow growth rise increase expand expansion decide decision extend \
        extension reduce reduction mortality death die injury damage serious study trial experiment survey \
        participant recruit plan propose schedule intend expect pay paid fund grant finance born accept agree approve ask \
        request require agency author regulator made make manufacture produce supply amount capacity quantity \
        volume quality specification validation";
    let mut stems = Stems::new();
    let stemmed: Vec<String> = WORDS
        .split_whitespace()
        .map(|word| stems.stem(word).to_owned())
        .collect();
    let entries = KINDRED.iter().flat_map(|group| group.iter().copied());
    let never_found: Vec<&str> = entries
        .filter(|entry| !stemmed.iter().any(|stem| stem == entry))
        .collect();
    assert_eq!(never_found, [""; 0]);
}
