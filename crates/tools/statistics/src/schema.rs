//! The JSON Schema of a request, one branch per analysis. A branch is chosen by the name of its analysis, so that what
//! does not fit is reported where it stands and not as a failure of all branches.

mod comparisons;
mod estimates;
mod fields;

use serde_json::{Value, json};

/// The JSON Schema of a request.
pub fn schema() -> Value {
    let branches: Vec<Value> = [
        comparisons::samples(),
        comparisons::counts_and_groups(),
        comparisons::relations(),
        comparisons::survival(),
        estimates::intervals(),
        estimates::effects(),
        estimates::several(),
        estimates::powers(),
        vec![estimates::monte_carlo()],
    ]
    .concat();
    let names: Vec<Value> = branches
        .iter()
        .map(|branch| branch["title"].clone())
        .collect();
    let chosen: Vec<Value> = branches
        .into_iter()
        .map(|branch| {
            json!({
                "if": { "required": ["analysis"], "properties": { "analysis": { "const": branch["title"] } } },
                "then": branch
            })
        })
        .collect();
    json!({
        "type": "object",
        "required": ["analysis"],
        "properties": { "analysis": { "enum": names, "description": "which analysis; the other fields depend on it" } },
        "allOf": chosen
    })
}
