//! What holds for any text: an answer, the same each time, in its schema, with every quote in its source.

use adjutant_questions::{Input, Purpose};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::dossiers::{answered, harbour, velostat};

fn text() -> impl Strategy<Value = String> {
    let prose = "(In |On |The |no |not |may |[a-z]{1,9} |[0-9]{1,4}(%|,|\\.| )|March |2019 |\\. |\\? |\n\n?|- |’s |中文|é|\\(n = 41\\) ){0,60}";
    prop_oneof![prose, any::<String>()]
}

pub(crate) fn question(purpose: Purpose, asked: &str, other: &str, sources: &Value) -> Value {
    match purpose {
        Purpose::Plan => {
            json!({ "objective": asked, "constraints": [other], "available": [other], "template": [
            { "key": "a", "title": other, "needs": [other] }, { "key": "b", "title": asked, "after": ["a", "b"], "only_for": [other, asked] } ] })
        }
        Purpose::Extract => json!({ "question": asked, "sources": sources }),
        Purpose::Compare => {
            json!({ "items": [asked, other], "criteria": [other, "cost"], "sources": sources })
        }
        Purpose::Cluster => json!({ "about": asked, "sources": sources, "most": 2 }),
        Purpose::Timeline => json!({ "about": asked, "sources": sources }),
        Purpose::Gaps => {
            json!({ "checklist": [{ "key": "k", "wants": asked }, { "key": "k", "wants": other }], "sources": sources })
        }
        Purpose::Score => {
            json!({ "items": [{ "name": asked, "values": { other: 1.5 } }, { "name": other }],
            "criteria": [{ "name": other }, { "name": "price", "prefers": "less" }], "sources": sources })
        }
        Purpose::Object => json!({ "claims": [asked, other], "sources": sources }),
        Purpose::Draft => {
            json!({ "heading": asked, "about": other, "not_found": [other], "words_max": 60, "findings": [
            { "text": asked, "kind": "fact", "confidence": 0.3, "evidence": [{ "source": "s", "quote": other }] },
            { "text": other, "kind": "interpretation", "confidence": 0.9, "evidence": [{ "source": other, "quote": asked }] } ] })
        }
        Purpose::Grade => json!({ "claim": asked, "sources": sources }),
        Purpose::Think => {
            json!({ "question": asked, "role": "step", "sources": sources, "thoughts": thoughts(asked, other),
            "part": other, "guidance": [asked] })
        }
        Purpose::Weigh => {
            json!({ "question": asked, "role": "promise", "thoughts": thoughts(asked, other), "sources": sources })
        }
        Purpose::Split => {
            json!({ "question": asked, "role": "parts", "sources": sources, "thoughts": thoughts(asked, other), "most": 3 })
        }
        Purpose::Act => {
            json!({ "question": asked, "thoughts": thoughts(asked, other), "sources": sources, "tools": [
            { "id": "L5-PS", "about": other, "schema": { "properties": { "query": { "type": "string" } }, "required": ["query"] } },
            { "id": asked, "about": "Searches.", "schema": true } ] })
        }
        Purpose::Route => {
            json!({ "question": asked, "missions": [
            { "id": "one", "name": other, "about": asked, "category": "decide" },
            { "id": asked, "name": "Verdict", "about": other } ] })
        }
        Purpose::Read => json!({ "objective": asked, "sources": sources, "topics": [other] }),
        Purpose::Reconcile => {
            json!({ "objective": asked, "sources": sources, "groups": [
            { "key": "g", "subject": other, "statements": [{ "source": asked, "says": other }] } ] })
        }
        Purpose::Hypothesize | Purpose::Causes => {
            json!({ "question": asked, "sources": sources, "most": 3, "guidance": [other] })
        }
        Purpose::Flag | Purpose::Scenarios => {
            json!({ "question": asked, "sources": sources, "today": "2021-05-01", "guidance": [other] })
        }
        Purpose::Summarize => {
            json!({ "about": asked, "sources": sources, "most": 2, "guidance": [other],
            "documents": [{ "source": "s", "genre": other, "standing": asked }] })
        }
        Purpose::Cite => {
            json!({ "sources": sources, "findings": [
            { "text": asked, "kind": "fact", "confidence": 0.3, "evidence": [{ "source": "s0", "quote": other }] },
            { "text": other, "kind": "fact", "confidence": 0.9, "evidence": [{ "source": other, "quote": asked }] } ] })
        }
        Purpose::Constitution => {
            json!({ "rules": [{ "id": asked, "forbids": other }, { "id": "harmful.conceal", "forbids": asked }],
            "sources": sources, "quoted": ["s0"] })
        }
        Purpose::Conclude => {
            json!({ "question": asked, "sources": sources, "thoughts": thoughts(asked, other), "guidance": [other], "most": 4 })
        }
    }
}

/// Thoughts with evidence of nowhere, none, and blank, in roles that other roles go on from.
fn thoughts(asked: &str, other: &str) -> Value {
    let finding = |text: &str, kind: &str, evidence: Value| json!({ "text": text, "kind": kind, "confidence": 0.6, "evidence": evidence });
    json!([
        { "step": 0, "role": "step", "text": asked, "findings": [
            finding(asked, "fact", json!([{ "source": "before", "quote": other }])),
            finding(other, "fact", json!([])),
            finding("Velostat raised blood pressure by 40 mmHg.", "fact", json!([{ "source": "before", "quote": "raised blood pressure" }])),
        ] },
        { "step": 1, "role": "critique", "text": other, "score": 0.5, "findings": [
            finding(other, "interpretation", json!([{ "source": "before", "quote": asked }, { "source": "before", "quote": "" }])),
            finding("Velostat lowered blood pressure by 9 mmHg.", "fact", json!([{ "source": "before", "quote": "lowered blood pressure" }])),
        ] },
        { "step": 7, "role": "analogue", "text": "x", "findings": [] },
    ])
}

/// Every role of a reasoning, on the same.
fn check_roles(asked: &str, other: &str, sources: &Value) {
    for purpose in [Purpose::Think, Purpose::Weigh, Purpose::Split] {
        for role in purpose.roles() {
            let mut question = question(purpose, asked, other, sources);
            question["role"] = json!(role.name());
            let input = Input::read(purpose, question).unwrap();
            let output = answered(&input);
            assert_eq!(output, answered(&input));
            let signs = adjutant_questions::signs(&output, &input);
            assert!(signs.sure.is_some_and(|sure| sure.0 <= 1_000_000));
        }
    }
}

fn check(asked: &str, other: &str, sources: &Value) {
    for purpose in Purpose::ALL {
        let input = Input::read(*purpose, question(*purpose, asked, other, sources)).unwrap();
        let output = answered(&input);
        assert_eq!(output, answered(&input));
        assert!((0.0..=1.0).contains(&output.confidence()));
        assert!(output.confidence().is_sign_positive(), "{purpose:?}");
    }
}

#[test]
fn every_purpose_answers_on_every_dossier() {
    for sources in [velostat(), harbour(), Vec::new()] {
        let sources = serde_json::to_value(sources).unwrap();
        check("Velostat lowers blood pressure", "dredging cost", &sources);
        check("", "", &sources);
        check_roles("Velostat lowers blood pressure", "dredging cost", &sources);
        check_roles("", "", &sources);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_an_answer(texts in proptest::collection::vec(text(), 0..4), asked in text(), other in text()) {
        let sources: Vec<Value> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| json!({ "id": format!("s{}", at % 3), "title": other, "text": text, "published": "2020-1" }))
            .collect();
        check(&asked, &other, &json!(sources));
        check(&texts.concat(), &asked, &json!(sources));
    }

    #[test]
    fn any_role_has_an_answer_to_any_text(texts in proptest::collection::vec(text(), 0..3), asked in text(), other in text()) {
        let sources: Vec<Value> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| json!({ "id": format!("s{at}"), "title": other, "text": text }))
            .collect();
        check_roles(&asked, &other, &json!(sources));
    }
}

/// Each of these would take minutes if its length counted twice.
#[test]
fn strange_texts_of_some_length_are_answered_too() {
    for strange in [
        "x",
        ".",
        ".x",
        "? ",
        "\n",
        "a. ",
        "not ",
        "2019 ",
        "e.g. A ",
        "é",
        "(",
        "1,",
        "Abcde(fghij) ",
    ] {
        let text = strange.repeat(100_000 / strange.len());
        let sources =
            json!([{ "id": "s", "title": strange, "text": text }, { "id": "t", "text": "x." }]);
        check("x a not 2019", strange, &sources);
    }
    let title = "not rats 5 men ".repeat(10_000);
    let sources = json!([{ "id": "s", "title": title, "text": "x." }]);
    check("x", "rats", &sources);
}

#[test]
fn a_finding_of_before_with_an_empty_quote_is_not_handed_on() {
    check("0%The may not March ", "March 1%The not ", &json!([]));
}
