use adjutant_ask::{Input, Purpose};
use serde_json::json;

use super::{Schemas, json_in};

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

#[test]
fn what_is_wrong_is_told_so_that_it_can_be_mended() {
    let schemas = Schemas::new().unwrap();
    let question = json!({
        "question": "What is said?",
        "sources": [{ "id": "s", "text": "The sky is blue." }],
    });
    let input = Input::read(Purpose::Extract, question).unwrap();
    let answer = |quote: &str, confidence: f64| {
        json!({
            "findings": [{ "text": "Blue.", "kind": "fact", "confidence": 0.9,
                "evidence": [{ "source": "s", "quote": quote }] }],
            "not_found": [],
            "confidence": confidence,
        })
        .to_string()
    };
    assert!(schemas.fit(&input, &answer("sky is blue", 0.5)).is_ok());
    let error = schemas
        .fit(&input, &answer("sky is green", 0.5))
        .unwrap_err();
    assert!(error.contains("does not say"), "{error}");
    let error = schemas
        .fit(&input, &answer("sky is blue", 7.0))
        .unwrap_err();
    assert!(error.contains("/confidence"), "{error}");
    let error = schemas.fit(&input, "{}").unwrap_err();
    assert!(error.contains("findings"), "{error}");
}
