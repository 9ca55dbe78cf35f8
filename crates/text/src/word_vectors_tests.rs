use super::*;

fn likeness(one: &str, other: &str) -> f64 {
    let [one, other] = [one, other].map(|text| meaning(text.split(' ')).unwrap());
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[test]
fn every_word_has_its_vector() {
    assert_eq!(VECTORS.len(), WORDS.lines().count() * DIMENSIONS);
    for word in ["the", "risk", "physician"] {
        assert!(place_of(word).is_some(), "{word}");
    }
}

#[test]
fn what_means_the_same_is_closer() {
    assert!(likeness("doctor", "physician") > 0.6);
    let meant_alike = likeness("the car was repaired", "they fixed a vehicle");
    assert!(meant_alike > likeness("the car was repaired", "the song was sung") + 0.2);
    assert!(likeness("notify", "alert") > likeness("notify", "banana") + 0.2);
}

#[test]
fn common_words_hardly_count() {
    assert!(likeness("the doctor of the of the", "doctor") > 0.8);
}

#[test]
fn a_text_without_a_known_word_means_nothing() {
    assert_eq!(meaning([]), None);
    assert_eq!(meaning(["zzxqj", "", "ß", "The"]), None);
}
