//! What a model answered about the pieces of a text, held against the whole text.

use std::collections::BTreeSet;

use adjutant_constitution::{Finding, Text, finding_of_model};
use adjutant_providers::OFFLINE;
use adjutant_questions::{ConstitutionChecked, Output, Purpose};
use serde_json::Value;

use super::pieces::cut;
use super::tool::ModelCheck;

/// The findings of a model, and how much of the text it read. There is an answer for each piece, in their order.
pub fn found_by_model(texts: &[Text], answers: &[Value]) -> (Vec<Finding>, ModelCheck) {
    let cut = cut(texts, answers.len());
    let mut checked = ModelCheck {
        unread: cut.unread,
        ..ModelCheck::default()
    };
    let (mut findings, mut by) = (Vec::new(), BTreeSet::new());
    for (piece, answer) in cut.items.iter().zip(answers) {
        if piece.sources.is_empty() {
            continue;
        }
        checked.pieces += 1;
        let Some((who, told)) = answer_of_model(answer) else {
            continue;
        };
        by.insert(who);
        checked.answered += 1;
        checked.dropped += told.dropped;
        for breach in told.breaches {
            match finding_of_model(texts, &breach.rule, &breach.evidence.quote) {
                Some(finding) => findings.push(finding),
                None => checked.dropped += 1,
            }
        }
    }
    checked.by = by.into_iter().collect();
    (findings, checked)
}

/// What a model answered, and which. Nothing if none did, if rules stood in for it, or if the question was cut short.
fn answer_of_model(answer: &Value) -> Option<(String, ConstitutionChecked)> {
    let by = answer.get("answered_by")?;
    let provider = by["provider"].as_str().filter(|name| *name != OFFLINE)?;
    if by.get("left_out").is_some() {
        return None;
    }
    match Output::read_result(Purpose::Constitution, answer.clone()).ok()? {
        Output::Constitution(told) => {
            let model = by["model"].as_str().unwrap_or_default();
            Some((format!("{provider}/{model}"), told))
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "answers_tests.rs"]
mod tests;
