//! The JSON Schema of template files: that of plan files, and what templates have besides. Looser than [`crate::read`]: an
//! editor knows neither the roster nor circles and references.

use adjutant_plans::reading::CHECKPOINT_TYPES;
use serde_json::{Map, Value, json};

use crate::checker::WithoutTools;
use crate::read::{categories, methods, needs};

/// The schema, as `schema/mission-template.json` publishes it.
pub fn schema() -> Value {
    let plan_files = adjutant_plans::schema(&WithoutTools);
    let mut parts = match plan_files.get("$defs") {
        Some(Value::Object(parts)) => parts.clone(),
        _ => Map::new(),
    };
    let reasoning = parts
        .get("task")
        .and_then(|task| task.pointer("/properties/agent/anyOf/1/properties/reasoning"))
        .cloned();
    let option = parts
        .get("human")
        .and_then(|human| human.pointer("/anyOf/1/properties/options"))
        .cloned();
    let plan_of_sub_mission = parts
        .get_mut("task")
        .and_then(|task| task.pointer_mut("/properties/mission/properties/plan"));
    if let Some(plan) = plan_of_sub_mission {
        *plan = json!({"type": "object", "description": "A plan, as plan files have it."});
    }
    if let Some(Value::Object(fields)) = parts
        .get_mut("task")
        .and_then(|task| task.get_mut("properties"))
    {
        fields.insert("only_with".into(), only_with());
        fields.insert(
            "each".into(),
            described(
                "It is done once for each item of the list that this task makes.",
                reference("name"),
            ),
        );
        fields.insert(
            "replaces".into(),
            described("Where it is in the plan, what comes after it refers to it in the place of this task.", reference("name")),
        );
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Adjutant mission template",
        "description": "A type of mission: who works on it, what people are asked, and its tasks.",
        "type": "object",
        "required": ["id", "name", "category", "version", "about", "expert", "reasoning", "estimate", "deliverable", "tasks"],
        "additionalProperties": false,
        "properties": {
            "id": described("By which it is chosen. A built-in template of the same id is replaced.", reference("name")),
            "name": described("What people see.", reference("text")),
            "category": {"enum": words(&categories()), "description": "What it is for."},
            "version": {"type": "integer", "minimum": 1, "maximum": 1_000_000, "description": "Higher is newer."},
            "about": described("What it is for, in a line.", reference("text")),
            "expert": described("The L2 agent that leads it.", reference("name")),
            "specialists": described("The L3 agents that analyse.", reference("names")),
            "workers": described("The L4 agents that do single pieces of work.", reference("names")),
            "tools": described("The L5 tools that its workers may call besides their own.", reference("names")),
            "reasoning": reasoning.unwrap_or(Value::Bool(true)),
            "methods": several("How things are worked out.", json!({"enum": words(&methods())})),
            "checkpoints": {
                "type": "array", "items": checkpoint(option.unwrap_or(Value::Bool(true))),
                "description": "What people are asked. Tasks that wait for an answer name the checkpoint in `after`.",
            },
            "supervisors": reference("supervisors"),
            "inputs": {"type": "array", "items": input(), "description": "What it takes besides its objective."},
            "estimate": described("A forecast; never a limit.", object(json!({
                "cost": range("money"),
                "time": range("duration"),
            }), &["cost", "time"])),
            "deliverable": described("What is handed over.", object(json!({
                "kind": described("As the tool `report` knows it.", reference("name")),
                "sections": reference("texts"),
            }), &["kind"])),
            "tasks": {
                "type": "array", "minItems": 1, "items": reference("task"),
                "description": "The tasks, as plan files have them, with `only_with`, `each` and `replaces` besides.",
            },
        },
        "$defs": parts,
    })
}

fn checkpoint(options: Value) -> Value {
    object(
        json!({
            "name": described("By which tasks wait for it.", reference("name")),
            "type": {"enum": words(&CHECKPOINT_TYPES), "description": "Which autonomy asks it."},
            "after": described("What must be done before it is asked.", reference("names")),
            "question": described("What is asked; may hold references.", reference("text")),
            "options": options,
            "recommend": described("The key of the option to recommend.", reference("name")),
            "on_modify": described("The key of the option that an answer in words chooses.", reference("name")),
            "because": described("Why it is recommended.", reference("text")),
        }),
        &["name", "type", "question"],
    )
}

fn input() -> Value {
    object(
        json!({
            "name": reference("name"),
            "about": described("What it is, for whoever fills it in.", reference("text")),
            "required": {"type": "boolean", "default": false},
            "default": {"description": "Taken if nothing is given; may refer to {{inputs.objective}} and {{names.objective}}."},
        }),
        &["name", "about"],
    )
}

fn only_with() -> Value {
    let word = json!({"enum": words(&needs())});
    several("It is left out unless all of these are there.", word)
}

fn several(description: &str, item: Value) -> Value {
    json!({"description": description, "anyOf": [item, {"type": "array", "items": item}]})
}

fn range(of: &str) -> Value {
    object(
        json!({"from": reference(of), "to": reference(of)}),
        &["from", "to"],
    )
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn described(description: &str, mut schema: Value) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("description".into(), description.into());
    }
    schema
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn words<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(word, _)| *word).collect()
}
