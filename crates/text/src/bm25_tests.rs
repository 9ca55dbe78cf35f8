use super::*;

const USUAL: Bm25 = Bm25 {
    saturation: 1.2,
    length_penalty: 0.75,
};

#[test]
fn repetitions_count_less_and_less() {
    let scores: Vec<f64> = [1.0, 2.0, 3.0, 1000.0]
        .map(|count| USUAL.score(1.0, count, 1.0))
        .to_vec();
    assert_eq!(scores[0], 1.0);
    assert!(scores[1] - scores[0] > scores[2] - scores[1]);
    assert!(scores[3] < USUAL.saturation + 1.0);
}

#[test]
fn a_longer_text_must_repeat_a_word() {
    assert_eq!(USUAL.length_norm(50.0, 50.0), 1.0);
    let long = USUAL.length_norm(100.0, 50.0);
    assert!(USUAL.score(1.0, 1.0, long) < USUAL.score(1.0, 1.0, 1.0));
}

#[test]
fn rare_words_tell_more_and_common_ones_nothing_negative() {
    let frequencies: Vec<f64> = [1, 5, 10, 12]
        .map(|with| inverse_document_frequency(with, 10))
        .to_vec();
    assert!(frequencies.is_sorted_by(|rarer, commoner| rarer > commoner || *commoner == 0.0));
    assert_eq!(frequencies[3], 0.0);
}
