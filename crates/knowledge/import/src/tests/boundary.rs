//! What crosses the border between the child and its parent.

use adjutant_knowledge_index::{Document, Span};

use super::document;
use crate::{Limits, ReadFailure, trust};

#[test]
fn failures_survive_the_border() {
    for failure in [
        ReadFailure::TooLarge { bytes: 2, max: 1 },
        ReadFailure::PasswordProtected,
        ReadFailure::broken("x"),
    ] {
        let answer: Result<Document, ReadFailure> = Err(failure);
        let line = serde_json::to_string(&answer).unwrap();
        let back: Result<Document, ReadFailure> = serde_json::from_str(&line).unwrap();
        assert_eq!(back, answer);
    }
}

#[test]
fn an_answer_that_does_not_hold_together_is_not_believed() {
    let good = document("Größe\n\nzwei\n".as_bytes(), "a.txt");
    let spoiled: [fn(&mut Document); 8] = [
        |it| it.parts[0].span = Span { start: 0, end: 3 },
        |it| it.parts[1].span = Span { start: 2, end: 8 },
        |it| it.parts[1].span.end = 99,
        |it| it.parts.clear(),
        |it| it.text.push('\u{1b}'),
        |it| it.title = Some("x".repeat(10_000)),
        |it| it.omissions = vec![String::new(); 100],
        |it| it.omissions = vec!["x".repeat(10_000)],
    ];
    for spoil in spoiled {
        let mut bad = good.clone();
        spoil(&mut bad);
        let failure = trust::check(&bad, &Limits::default()).unwrap_err();
        assert!(matches!(failure, ReadFailure::Crashed { .. }));
    }
}
