//! What has no honest answer is refused.

use adjutant_language::{Refusal, TEXT_CHARACTERS_MAX};

use super::*;

const TEXT: &str = "The new drug reduced mortality. Patients who took the new drug were happy, but some had severe headache. The old \
                    drug did not improve survival, and serious adverse events were rare.";

fn refused(request: Value) -> Refusal {
    let request: Request = serde_json::from_value(request).unwrap();
    process(&request).expect_err("a refusal")
}

#[test]
fn what_has_no_answer_is_refused_in_one_line() {
    let long = "a ".repeat(TEXT_CHARACTERS_MAX / 2 + 1);
    let refusals = [
        refused(json!({ "process": "sentences", "text": long })),
        refused(json!({ "process": "entities", "text": " ... " })),
        refused(json!({ "process": "phrases", "text": TEXT, "count": 0 })),
        refused(
            json!({ "process": "readability", "text": "Le patient est sorti deux jours après l'opération." }),
        ),
        refused(
            json!({ "process": "sentiment", "text": "Der Patient wurde nach der Operation entlassen." }),
        ),
        refused(
            json!({ "process": "phrases", "text": "Препарат безопасен для всех пациентов этой группы." }),
        ),
    ];
    let told: Vec<String> = refusals.iter().map(ToString::to_string).collect();
    assert_eq!(
        told[0],
        format!(
            "`text` has {} characters; the limit is 1000000: send it in parts",
            TEXT_CHARACTERS_MAX + 2
        )
    );
    assert!(
        told.iter()
            .all(|line| !line.contains('\n') && line.contains(": ")),
        "{told:?}"
    );
    assert!(
        told[3].contains("French") && told[4].contains("German") && told[5].contains("Russian"),
        "{told:?}"
    );
}
