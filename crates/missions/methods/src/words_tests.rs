use adjutant_questions::Source;

use super::{counted, covered, document_of, likeness, sentences, short, stems};

#[test]
fn what_words_have_in_common_is_found_by_their_stems() {
    let one = stems("The pumps were leaking");
    let other = stems("A leak of the pump in the cellar");
    assert_eq!(
        one.iter().map(String::as_str).collect::<Vec<_>>(),
        ["leak", "pump"]
    );
    assert!((likeness(&one, &other) - 1.0).abs() < 1e-9);
    assert!((covered(&other, &one) - 2.0 / 3.0).abs() < 1e-9);
    assert!(likeness(&one, &stems("")).abs() < 1e-9);
}

#[test]
fn a_sentence_of_overlapping_passages_is_read_once() {
    let source = |id: &str, text: &str| Source {
        id: id.to_owned(),
        title: String::new(),
        text: text.to_owned(),
        published: None,
    };
    let sources = [
        source("kb:a#0-1", "The gate was open. It rained."),
        source("kb:a#1-2", "It rained. The cellar filled."),
    ];
    let found: Vec<&str> = sentences(&sources, 10).iter().map(|at| at.text).collect();
    assert_eq!(
        found,
        ["The gate was open.", "It rained.", "The cellar filled."]
    );
    assert_eq!(sentences(&sources, 2).len(), 2);
    assert_eq!(document_of("kb:a#0-1"), "kb:a");
}

#[test]
fn a_long_text_is_cut_at_a_word() {
    assert_eq!(short("one two  three", 40), "one two three");
    assert_eq!(short("one two three four", 12), "one two…");
    assert_eq!(
        (counted(1, "claim"), counted(3, "claim")),
        ("1 claim".to_owned(), "3 claims".to_owned())
    );
}
