use super::sentences;

fn split(text: &str) -> Vec<&str> {
    sentences(text)
        .into_iter()
        .map(|span| &text[span])
        .collect()
}

#[test]
fn sentences_end_where_people_end_them() {
    for (text, wanted) in [
        ("One. Two! Three?", &["One.", "Two!", "Three?"][..]),
        (
            "Dr. Lee saw 3.5 mg (e.g. Monday). It helped.",
            &["Dr. Lee saw 3.5 mg (e.g. Monday).", "It helped."],
        ),
        ("J. Smith et al. Found it.", &["J. Smith et al. Found it."]),
        (
            "It is in No. 7 now. No. It is not.",
            &["It is in No. 7 now.", "No.", "It is not."],
        ),
        (
            "He said “stop.” Then he left.",
            &["He said “stop.”", "Then he left."],
        ),
        (
            "A heading\n\nA line\nthat goes on.\n- a point\n- another",
            &["A heading", "A line\nthat goes on.", "a point", "another"],
        ),
        (
            "# A heading\nThe text begins.\n> quoted",
            &["A heading", "The text begins.", "quoted"],
        ),
        (
            "Divers' report, 4 March\nLake Surveys Ltd\nWe saw the pier of\nSorring bridge.",
            &[
                "Divers' report, 4 March",
                "Lake Surveys Ltd",
                "We saw the pier of\nSorring bridge.",
            ],
        ),
        (
            "The long line of a paragraph that was wrapped where no further word of\nSorring had room any more.",
            &[
                "The long line of a paragraph that was wrapped where no further word of\nSorring had room any more.",
            ],
        ),
        ("It was INC.. The end.", &["It was INC..", "The end."]),
        ("it ends . so here", &["it ends .", "so here"]),
        ("血圧は下がった。次に。", &["血圧は下がった。", "次に。"]),
        ("  \n\n ", &[]),
    ] {
        assert_eq!(split(text), wanted, "{text}");
    }
}

#[test]
fn what_never_ends_is_cut_and_nothing_is_lost() {
    let text = "word ".repeat(2_000);
    let pieces = split(&text);
    assert!(pieces.len() > 5 && pieces.iter().all(|piece| piece.len() <= 800));
    assert_eq!(pieces.join(" "), text.trim());
    assert_eq!(split(&"é".repeat(3_000)).concat(), "é".repeat(3_000));
}
