use super::cut_points;

fn pieces(text: &str) -> Vec<&str> {
    let mut start = 0;
    let mut found = Vec::new();
    for end in cut_points(text) {
        found.push(text[start..end].trim());
        start = end;
    }
    found
}

#[test]
fn paragraphs_are_cut_after_sentences() {
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
        assert_eq!(pieces(text), expected);
    }
}
