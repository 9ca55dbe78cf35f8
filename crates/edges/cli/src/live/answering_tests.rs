use super::*;
use adjutant_mission::CheckpointNumber;

fn checkpoint(options: &str, recommend: &str) -> Checkpoint {
    let text = format!(
        r#"{{"number":0,"trigger":"t","kind":"critical_decision","asks":"approve_plan","category":"decision",
        "severity":"medium","urgency":"soon","question":"q","options":{options}{recommend},
        "actions":["approve","modify","reject"],"deadline":0}}"#
    );
    serde_json::from_str(&text).unwrap()
}

fn plain() -> Checkpoint {
    checkpoint("[]", "")
}

fn choice() -> Checkpoint {
    let options = r#"[{"key":"short","label":"Short"},{"key":"long","label":"Long"}]"#;
    checkpoint(
        options,
        r#","recommendation":{"option":"long","reason":"better"}"#,
    )
}

/// What typing these lines one after the other leads to.
fn after(checkpoint: &Checkpoint, lines: &[&str]) -> (Typed, Option<String>) {
    let mut answering = Answering::new(CheckpointNumber::new(0));
    let mut typed = Typed::More;
    for line in lines {
        answering.typed = (*line).to_owned();
        typed = answering.submit(checkpoint);
    }
    (typed, answering.complaint)
}

fn decided(checkpoint: &Checkpoint, lines: &[&str]) -> Decision {
    match after(checkpoint, lines).0 {
        Typed::Decide(decision) => decision,
        other => panic!("{lines:?} led to {other:?}"),
    }
}

#[test]
fn an_answer_is_a_word_and_a_note() {
    let decision = decided(&plain(), &["a", ""]);
    assert_eq!(
        (decision.verdict, decision.note.as_str()),
        (Verdict::Approve, "")
    );
    let decision = decided(&plain(), &["r too dear"]);
    assert_eq!(
        (decision.verdict, decision.note.as_str()),
        (Verdict::Reject, "too dear")
    );
}

#[test]
fn options_go_by_number_key_or_recommendation() {
    let option = |lines: &[&str]| decided(&choice(), lines).option.unwrap().to_string();
    assert_eq!(option(&["1", ""]), "short");
    assert_eq!(option(&["long", "because"]), "long");
    assert_eq!(option(&["a", ""]), "long");
}

#[test]
fn a_change_is_json_and_anything_else_is_guidance() {
    let decision = decided(&plain(), &["m", r#"{"text":"x"}"#, ""]);
    assert_eq!(decision.change.unwrap().text(), r#"{"text":"x"}"#);
    let decision = decided(&plain(), &["m", "use shorter words"]);
    assert_eq!(
        (decision.change, decision.note.as_str()),
        (None, "use shorter words")
    );
    let (typed, complaint) = after(&plain(), &["m", "{oops"]);
    assert_eq!(typed, Typed::More);
    assert!(complaint.unwrap().starts_with("this is not JSON"));
}

#[test]
fn what_is_not_an_answer_is_asked_again() {
    let (typed, complaint) = after(&choice(), &["7"]);
    assert_eq!(
        (typed, complaint.as_deref()),
        (Typed::More, Some("`7` is none of the answers"))
    );
    assert_eq!(after(&plain(), &["l"]).0, Typed::Leave);
    assert_eq!(after(&plain(), &[""]), (Typed::More, None));
}

#[test]
fn a_final_review_is_overruled_with_a_reason_and_nothing_else_is() {
    let review = Checkpoint {
        asks: Asks::ReviewResult,
        ..plain()
    };
    let why = "it warns of it";
    for lines in [&["o", "", " ", why][..], &["overrule it warns of it"]] {
        let decision = decided(&review, lines);
        assert_eq!(
            (decision.verdict, decision.note.as_str()),
            (Verdict::Approve, why)
        );
        assert_eq!(decision.change.unwrap().text(), r#"{"overrule":true}"#);
    }
    assert_eq!(after(&review, &["o"]).0, Typed::More);
    let (typed, complaint) = after(&plain(), &["o because"]);
    assert_eq!((typed, complaint.is_some()), (Typed::More, true));
}
