//! Checks the arguments of an MCP tool against its schema before anything else reads them. The error says where in the request it
//! is. Missing arguments are left to the tool, which knows what they are for.

use serde_json::Value;

use super::unfit;
use crate::error::AppError;

/// Numbers, offsets and times that a request counts in are never larger.
const INTEGER_MAX: u64 = u32::MAX as u64;

/// Refuses arguments that do not fit, and leaves those out that are null: they mean nothing.
pub(super) fn check(schema: &Value, arguments: &mut Value) -> Result<(), AppError> {
    check_at("arguments", schema, arguments)
}

fn check_at(place: &str, schema: &Value, value: &mut Value) -> Result<(), AppError> {
    if let Some(choices) = schema["enum"].as_array() {
        let known: Vec<String> = choices
            .iter()
            .map(|choice| format!("`{}`", shown(choice)))
            .collect();
        return match choices.contains(value) {
            true => Ok(()),
            false => Err(wrong(
                place,
                &format!("must be one of {}", known.join(", ")),
            )),
        };
    }
    match schema["type"].as_str() {
        Some("object") => check_object(place, schema, value),
        Some("array") => check_list(place, schema, value),
        Some("integer") => check_integer(place, schema, value),
        Some("string") if !value.is_string() => Err(wrong(place, "must be a text")),
        Some("number") if !value.is_number() => Err(wrong(place, "must be a number")),
        Some("boolean") if !value.is_boolean() => Err(wrong(place, "must be true or false")),
        _ => Ok(()),
    }
}

fn check_object(place: &str, schema: &Value, value: &mut Value) -> Result<(), AppError> {
    let Some(fields) = value.as_object_mut() else {
        return Err(wrong(place, "must be an object"));
    };
    // An object without named fields may have any.
    let Some(known) = schema["properties"].as_object() else {
        return Ok(());
    };
    fields.retain(|_, value| !value.is_null());
    for (name, value) in fields.iter_mut() {
        let place = match place {
            "arguments" => name.clone(),
            place => format!("{place}.{name}"),
        };
        let Some(schema) = known.get(name) else {
            let names: Vec<String> = known.keys().map(|name| format!("`{name}`")).collect();
            let help = match names.as_slice() {
                [] => "Leave it out: there are no arguments here.".to_owned(),
                names => format!("Use {}.", names.join(", ")),
            };
            return Err(unfit(
                "ADJ-6221",
                format!("`{place:.100}` is not known here"),
                help,
            ));
        };
        check_at(&place, schema, value)?;
    }
    Ok(())
}

fn check_list(place: &str, schema: &Value, value: &mut Value) -> Result<(), AppError> {
    let Some(items) = value.as_array_mut() else {
        return Err(wrong(place, "must be a list"));
    };
    for (at, item) in items.iter_mut().enumerate() {
        check_at(&format!("{place}[{at}]"), &schema["items"], item)?;
    }
    Ok(())
}

fn check_integer(place: &str, schema: &Value, value: &Value) -> Result<(), AppError> {
    let least = schema["minimum"].as_u64().unwrap_or(0);
    let most = schema["maximum"].as_u64().unwrap_or(INTEGER_MAX);
    match value.as_u64() {
        Some(number) if (least..=most).contains(&number) => Ok(()),
        _ => Err(wrong(
            place,
            &format!("must be a whole number from {least} to {most}"),
        )),
    }
}

fn wrong(place: &str, must: &str) -> AppError {
    unfit(
        "ADJ-6221",
        format!("`{place:.100}` {must}"),
        "Correct it; the tool's schema lists its arguments.",
    )
}

fn shown(choice: &Value) -> String {
    match choice {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::toolbox::{TOOLS, find};
    use super::*;

    fn refusal(tool: &str, mut arguments: Value) -> String {
        let schema = (find(tool).unwrap().schema)();
        let error = check(&schema, &mut arguments).unwrap_err();
        assert!(error.has_code("ADJ-6221"));
        error.complaints[0].message.clone()
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_place_and_in_plain_words() {
        for (tool, arguments, told) in [
            (
                "workflow_status",
                json!({ "workflow_id": 7 }),
                "`workflow_id` must be a text",
            ),
            (
                "workflow_status",
                json!({ "workflow_id": "x", "results": "yes" }),
                "`results` must be true or false",
            ),
            (
                "continue",
                json!({ "checkpoint": -1 }),
                "`checkpoint` must be a whole number from 0 to 4294967295",
            ),
            (
                "continue",
                json!({ "checkpoint": 1.5 }),
                "`checkpoint` must be a whole number from 0 to 4294967295",
            ),
            (
                "search_tools",
                json!({ "limit": 21 }),
                "`limit` must be a whole number from 1 to 20",
            ),
            (
                "start_mission",
                json!({ "autonomy": "permissive" }),
                "`autonomy` must be one of `strict`, `balanced`",
            ),
            (
                "start_mission",
                json!({ "inputs": [] }),
                "`inputs` must be an object",
            ),
            ("inbox", json!({ "limit": 1 }), "`limit` is not known here"),
            (
                "execute_workflow",
                json!({ "tasks": "all" }),
                "`tasks` must be a list",
            ),
            (
                "execute_workflow",
                json!({ "tasks": [{ "id": "a" }, 7] }),
                "`tasks[1]` must be an object",
            ),
            (
                "execute_workflow",
                json!({ "tasks": [{ "id": "a", "depends_on": "b" }] }),
                "`tasks[0].depends_on` must be a list",
            ),
            (
                "execute_workflow",
                json!({ "tasks": [{ "id": "a", "approval": "never" }] }),
                "`tasks[0].approval` is not known here",
            ),
            (
                "execute_workflow",
                json!({ "config": { "ail": { "budget": 1 } } }),
                "`config.ail.budget` is not known here",
            ),
        ] {
            assert_eq!(refusal(tool, arguments), told);
        }
        let long = "x".repeat(10_000);
        assert!(refusal("inbox", json!({ long: 1 })).len() < 200);
    }

    #[test]
    fn what_is_null_is_left_out_and_free_objects_are_not_looked_into() {
        let schema = (find("execute_workflow").unwrap().schema)();
        let mut arguments = json!({
            "intent": null,
            "tasks": [{ "id": "a", "tool": "noop", "type": null, "arguments": { "value": null, "any": [1] } }],
        });
        check(&schema, &mut arguments).unwrap();
        let kept = json!({
            "tasks": [{ "id": "a", "tool": "noop", "arguments": { "value": null, "any": [1] } }],
        });
        assert_eq!(arguments, kept);
    }

    #[test]
    fn every_tool_takes_an_object() {
        for tool in TOOLS {
            assert_eq!(
                refusal(tool.name, json!([])),
                "`arguments` must be an object"
            );
            check(&(tool.schema)(), &mut json!({})).unwrap();
        }
    }
}
