use super::sentence_ends;

fn sentences(text: &str) -> Vec<&str> {
    let mut start = 0;
    let mut found = Vec::new();
    for end in sentence_ends(text) {
        found.push(text[start..end].trim());
        start = end;
    }
    found
}

#[test]
fn sentences_end_where_they_end() {
    for (text, expected) in [
        ("He came. She went!", &["He came.", "She went!"][..]),
        (
            "It is 1.5 m, e.g. here. Then?",
            &["It is 1.5 m, e.g. here.", "Then?"],
        ),
        (
            "He said \"no.\" Then left",
            &["He said \"no.\"", "Then left"],
        ),
        (
            "flow past a plate .  the results",
            &["flow past a plate .", "the results"],
        ),
        ("钢制。容器。", &["钢制。", "容器。"]),
        ("", &[]),
    ] {
        assert_eq!(sentences(text), expected);
    }
}
