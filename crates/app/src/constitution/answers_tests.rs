use adjutant_constitution::{CheckedBy, Origin};
use serde_json::json;

use super::*;

const HINT: &str = "The films may rest with the archive until the customer has signed.";

fn texts() -> [Text; 1] {
    [Text::new(
        "Findings",
        format!("Two films show cracks [1]. {HINT}"),
        Origin::Judged,
    )]
}

fn answer(provider: &str, quote: &str) -> Value {
    json!({
        "breaches": [{ "rule": "harmful.conceal", "why": "x", "evidence": { "source": "t1", "quote": quote } }],
        "confidence": 0.9,
        "answered_by": { "provider": provider, "model": "small", "purpose": "constitution" },
    })
}

#[test]
fn what_a_model_found_is_added_if_the_text_says_it() {
    let (found, checked) = found_by_model(&texts(), &[answer("script", "rest with the archive")]);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].excerpt.as_str(), found[0].by),
        (HINT, CheckedBy::Model)
    );
    assert!(checked.is_complete(), "{checked:?}");
    assert_eq!(checked.by, ["script/small"]);
    let (none, checked) = found_by_model(&texts(), &[answer("script", "rest with the shredder")]);
    assert_eq!(
        (none.len(), checked.dropped, checked.is_complete()),
        (0, 1, true)
    );
}

/// No answer is no clean answer.
#[test]
fn what_no_model_answered_is_missing() {
    let mut cut_short = answer("script", "rest with the archive");
    cut_short["answered_by"]["left_out"] = json!([{ "source": "t1", "passages": 1, "tokens": 9 }]);
    let unsigned = json!({ "breaches": [], "confidence": 1.0 });
    let other =
        json!({ "breaches": "none", "answered_by": { "provider": "script", "model": "small" } });
    let offline = answer("offline", "rest with the archive");
    for missing in [
        json!("not checked by a model"),
        Value::Null,
        cut_short,
        unsigned,
        other,
        offline,
    ] {
        let (found, checked) = found_by_model(&texts(), std::slice::from_ref(&missing));
        assert_eq!((found.len(), checked.answered), (0, 0), "{missing}");
        assert_eq!(checked.missing(), "a model answered for 0 of 1 piece");
    }
    // Questions that there was no text for are not missed.
    let nothing = json!({ "breaches": [], "confidence": 1.0 });
    let (_, checked) = found_by_model(&texts(), &[answer("script", HINT), nothing]);
    assert!(checked.is_complete(), "{checked:?}");
    let (_, unasked) = found_by_model(&texts(), &[]);
    assert_eq!(unasked.missing(), "not asked about: 1 passage");
}
