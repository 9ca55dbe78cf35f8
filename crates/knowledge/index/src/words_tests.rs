use super::{WordKind, fold, for_each_word, word_count};

fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for_each_word(text, |word, _| found.push(word.to_owned()));
    found
}

#[test]
fn words_are_what_stands_between_spaces_and_marks() {
    assert_eq!(
        words("Boundary-layer (flow)"),
        ["boundary", "layer", "flow"]
    );
    assert_eq!(
        words("l'avion: 1.5 m, 3,000 kg."),
        ["l", "avion", "1.5", "m", "3,000", "kg"]
    );
    assert_eq!(words("ＡＢＣ ﬁne"), ["abc", "fine"]);
    assert!(words(" ?! ").is_empty());
}

#[test]
fn scripts_without_spaces_come_in_pairs() {
    assert_eq!(words("钢制容器"), ["钢制", "制容", "容器"]);
    assert_eq!(words("a钢b"), ["a", "钢", "b"]);
}

#[test]
fn figures_are_told_from_letters() {
    let mut kinds = Vec::new();
    for_each_word("x7 seven 钢", |_, kind| kinds.push(kind));
    assert_eq!(
        kinds,
        [WordKind::Figures, WordKind::Letters, WordKind::Pair]
    );
}

#[test]
fn accents_are_folded_and_other_signs_are_not() {
    assert_eq!(fold("zürich"), "zurich");
    assert_eq!(fold("が"), "が");
}

#[test]
fn length_is_counted_in_words() {
    assert_eq!(word_count("One, two - three."), 3);
    assert_eq!(word_count("钢制容器"), 2);
}
