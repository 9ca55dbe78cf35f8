use adjutant_mission::{AgentLevel, Complexity};
use adjutant_questions::{Ask, Input, LevelFacts, Purpose, token_bound};
use proptest::prelude::*;
use serde_json::json;

use super::{Schemas, json_in};
use crate::settings::Structured;

#[test]
fn json_is_found_where_models_put_it() {
    let wanted = json!({ "a": "```" });
    for text in [
        "{\"a\": \"```\"}",
        "  {\"a\": \"```\"}\n",
        "Here it is: {\"a\": \"```\"} I hope it helps.",
    ] {
        assert_eq!(json_in(text).as_ref(), Ok(&wanted), "{text}");
    }
    let wanted = json!({ "a": 1 });
    for text in [
        "```json\n{\"a\": 1}\n```",
        "Sure!\n```\n{\"a\": 1}\n```\nDone.",
    ] {
        assert_eq!(json_in(text).as_ref(), Ok(&wanted), "{text}");
    }
    for text in ["", "   ", "no", "{", "}{", "```", "```json", "{\"a\": 1"] {
        assert!(json_in(text).is_err(), "{text}");
    }
}

fn about(text: &str) -> Input {
    let question = json!({
        "question": "What is said?",
        "sources": [{ "id": "s", "text": text }],
    });
    Input::read(Purpose::Extract, question).unwrap()
}

fn ask(text: &str) -> Ask {
    Ask {
        key: "eff_1".to_owned(),
        level: AgentLevel::L4,
        input: about(text),
        unmarked: None,
        limits: LevelFacts::of(AgentLevel::L4).limits(Complexity::default()),
        domain: None,
        complexity: Complexity::default(),
        model: None,
        without: Vec::new(),
        asker: None,
    }
}

fn answer(quote: &str, confidence: f64) -> String {
    json!({
        "findings": [{ "text": "Blue.", "kind": "fact", "confidence": 0.9,
            "evidence": [{ "source": "s", "quote": quote }] }],
        "not_found": [],
        "confidence": confidence,
    })
    .to_string()
}

#[test]
fn what_is_wrong_is_told_so_that_it_can_be_mended() {
    let schemas = Schemas::new().unwrap();
    let ask = ask("The sky is blue.");
    assert!(schemas.fit(&ask, &answer("sky is blue", 0.5)).is_ok());
    let error = schemas.fit(&ask, &answer("sky is green", 0.5)).unwrap_err();
    assert!(error.contains("does not say"), "{error}");
    let error = schemas.fit(&ask, &answer("sky is blue", 7.0)).unwrap_err();
    assert!(error.contains("/confidence"), "{error}");
    let error = schemas.fit(&ask, "{}").unwrap_err();
    assert!(error.contains("findings"), "{error}");
}

#[test]
fn a_quote_may_leave_out_the_marks_of_what_it_was_read_in() {
    let schemas = Schemas::new().unwrap();
    let marked = ask("The sky ⟦quoted: is blue. ⟧ It is far.");
    let unmarked = Some(Box::new(about("The sky is blue. It is far.")));
    let quote = answer("The sky is blue. It is far.", 0.5);
    assert!(schemas.fit(&marked, &quote).is_err());
    let marked = Ask { unmarked, ..marked };
    assert!(schemas.fit(&marked, &quote).is_ok());
    assert!(
        schemas
            .fit(&marked, &answer("⟦quoted: is blue.", 0.5))
            .is_ok()
    );
    assert!(schemas.fit(&marked, &answer("sky is green", 0.5)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a question names, and however much of it: no more tokens are sent than were reserved.
    #[test]
    fn no_schema_that_is_sent_is_longer_than_the_bound(
        names in prop::collection::vec("[a-zé中 \"\\\\]{1,40}", 0..60),
    ) {
        let schemas = Schemas::new().unwrap();
        let sources: Vec<_> = names.iter().map(|id| json!({ "id": id, "text": "x" })).collect();
        let named: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
        let findings: Vec<_> = names
            .iter()
            .map(|id| json!({ "text": "x", "kind": "fact", "confidence": 0.5,
                "evidence": [{ "source": id, "quote": "x" }] }))
            .collect();
        let tools: Vec<_> = names
            .iter()
            .map(|id| json!({ "id": id, "about": "x", "schema": {} }))
            .collect();
        let missions: Vec<_> = names
            .iter()
            .map(|id| json!({ "id": id, "name": "x", "about": "x" }))
            .collect();
        let keyed = |other: &str| -> Vec<_> {
            names.iter().map(|key| json!({ "key": key, other: "x" })).collect()
        };
        for &purpose in Purpose::ALL {
            let question = match purpose {
                Purpose::Plan => json!({ "objective": "x", "template": keyed("title") }),
                Purpose::Extract => json!({ "question": "x", "sources": sources }),
                Purpose::Compare => json!({ "items": names, "criteria": names, "sources": sources }),
                Purpose::Gaps => json!({ "checklist": keyed("wants"), "sources": sources }),
                Purpose::Score => json!({ "items": named, "criteria": named, "sources": sources }),
                Purpose::Object => json!({ "claims": names, "sources": sources }),
                Purpose::Draft => json!({ "heading": "x", "findings": findings }),
                Purpose::Cite => json!({ "findings": findings, "sources": sources }),
                Purpose::Constitution => {
                    let rules: Vec<_> =
                        names.iter().map(|id| json!({ "id": id, "forbids": "x" })).collect();
                    json!({ "rules": rules, "sources": sources })
                }
                Purpose::Cluster | Purpose::Timeline | Purpose::Grade | Purpose::Summarize => {
                    json!({ "sources": sources })
                }
                Purpose::Think => json!({ "question": "x", "role": "step", "sources": sources }),
                Purpose::Weigh => {
                    json!({ "question": "x", "role": "fit", "thoughts": [], "sources": sources })
                }
                Purpose::Split => json!({ "question": "x", "role": "parts", "sources": sources }),
                Purpose::Act => json!({ "question": "x", "tools": tools }),
                Purpose::Route => json!({ "question": "x", "missions": missions }),
                Purpose::Conclude
                | Purpose::Hypothesize
                | Purpose::Causes
                | Purpose::Flag
                | Purpose::Scenarios => json!({ "question": "x", "sources": sources }),
                Purpose::Read => json!({ "objective": "x", "sources": sources }),
                Purpose::Reconcile => {
                    let groups: Vec<_> = names
                        .iter()
                        .map(|key| json!({ "key": key, "subject": "x", "statements": [] }))
                        .collect();
                    json!({ "objective": "x", "sources": sources, "groups": groups })
                }
            };
            let input = Input::read(purpose, question).unwrap();
            for structured in [Structured::Narrowed, Structured::Schema] {
                let sent = schemas.sent(&input, structured).to_string();
                prop_assert!(token_bound(&sent) <= schemas.tokens_max(structured), "{sent}");
            }
        }
    }
}

#[test]
fn names_that_are_too_long_to_send_are_not_sent() {
    let schemas = Schemas::new().unwrap();
    let sent = |names: usize| {
        let template: Vec<_> = (0..names)
            .map(|at| json!({ "key": format!("step-{at}"), "title": "x" }))
            .collect();
        let question = json!({ "objective": "x", "template": template });
        let input = Input::read(Purpose::Plan, question).unwrap();
        schemas.sent(&input, Structured::Narrowed).to_string()
    };
    assert!(sent(5).contains("step-4"));
    assert!(!sent(5_000).contains("step-4"));
}
