//! The question of a step of reasoning: the task's own input, and what the steps before it gave.

use adjutant_mission::{Earlier, FailureKind, Json, Outcome, Payload, Remarks, StepKind, Thought};
use adjutant_questions::{Purpose, token_bound};
use adjutant_tools::Registry;
use serde_json::{Map, Value, json};

use crate::protect::{Origin, Origins};
use crate::request::ResolvedInputs;

/// What a task's input may say that every step of its reasoning is told.
const TOLD_ALL: [&str; 2] = ["question", "sources"];
/// Of what a tool gave when a thinker called it: how much of one title is told again.
const TITLE_CHARS_MAX: usize = 120;

/// Of the schemas of all tools on offer together: a worker's question must have room for thoughts and sources.
const SCHEMAS_TOKENS_MAX: u64 = 900;
const SCHEMA_FIELDS_MAX: usize = 12;

/// Where an observation says why there was nothing to observe.
const FAILED: &str = "failed";

/// What a thinker's call came to. A call that it worded wrongly, or that will not work however often it is made, is
/// something to go on from: the thought goes on, and knows why it got nothing.
pub(crate) fn observed_outcome(outcome: Outcome) -> Outcome {
    let Outcome::Failed { failure, usage } = &outcome else {
        return outcome;
    };
    if !matches!(failure.kind, FailureKind::BadInput | FailureKind::Permanent) {
        return outcome;
    }
    let told = json!({ "sources": [], FAILED: failure.message });
    match Json::encode(&told) {
        Ok(json) => Outcome::Done {
            output: Payload::Inline(json),
            usage: *usage,
            remarks: Remarks::default(),
        },
        Err(_) => outcome,
    }
}

/// The name under which a step's answer is known.
pub fn step_name(number: u16) -> String {
    format!("#{number}")
}

/// The purpose and the input of a step. `with` is the task's input, its references resolved.
pub(crate) fn question_of_step(
    thought: &Thought,
    with: &Value,
    resolved: &ResolvedInputs,
    registry: &Registry,
    origins: &mut Origins,
) -> Result<(Purpose, Value), String> {
    let purpose = Purpose::of_name(thought.step.kind.name())
        .ok_or_else(|| "this step asks no question".to_owned())?;
    let mut input = Map::new();
    for name in TOLD_ALL {
        if let Some(value) = with.get(name) {
            input.insert(name.to_owned(), value.clone());
        }
    }
    let sources = input.entry("sources").or_insert_with(|| json!([]));
    for earlier in observed(thought) {
        let answer = answer_of(earlier, resolved)?;
        let tool = earlier.step.call.as_ref().map(|call| call.tool.as_str());
        add_sources(sources, &answer, origin_of_tool(tool), origins);
    }
    let thoughts = thoughts(thought, resolved)?;
    origins.add("/thoughts", Origin::Model);
    input.insert("thoughts".to_owned(), thoughts);
    let guidance = guidance(with, origins);
    if takes_guidance(purpose) && !guidance.is_empty() {
        input.insert("guidance".to_owned(), Value::Array(guidance));
    }
    let takes_role = !matches!(thought.step.kind, StepKind::Act | StepKind::Conclude);
    if takes_role {
        input.insert("role".to_owned(), json!(thought.step.role.name()));
    }
    if let Some((split, part)) = thought.step.part {
        let found = thought.earlier.iter().find(|at| at.number == split);
        let parts = found.map(|at| answer_of(at, resolved)).transpose()?;
        let part = parts.and_then(|answer| answer["parts"].get(usize::from(part)).cloned());
        origins.add("/part", Origin::Model);
        input.insert("part".to_owned(), part.unwrap_or_default());
    }
    match thought.step.kind {
        StepKind::Act => {
            input.insert("tools".to_owned(), tools(thought, registry));
        }
        StepKind::Conclude => {
            if let Some(most) = with.get("most") {
                input.insert("most".to_owned(), most.clone());
            }
        }
        StepKind::Think | StepKind::Weigh | StepKind::Split | StepKind::Call => {}
    }
    Ok((purpose, Value::Object(input)))
}

/// What the task itself says to its thinkers, as far as it says anything: a person's note may be empty.
fn guidance(with: &Value, origins: &mut Origins) -> Vec<Value> {
    let place = |at: usize| format!("/guidance/{at}");
    let said = with.get("guidance").and_then(Value::as_array);
    let said = said.into_iter().flatten().enumerate();
    let speaking = said.filter(|(_, words)| words.as_str().is_some_and(|at| !at.trim().is_empty()));
    let kept: Vec<(Value, Origin)> = speaking
        .map(|(at, words)| (words.clone(), origins.of(&place(at))))
        .collect();
    for (at, (_, origin)) in kept.iter().enumerate() {
        origins.add(&place(at), *origin);
    }
    kept.into_iter().map(|(words, _)| words).collect()
}

fn takes_guidance(purpose: Purpose) -> bool {
    let (needed, more) = purpose.fields();
    needed.contains(&"guidance") || more.contains(&"guidance")
}

/// Adds what people said, and what those want who sent the work back, where the purpose can be told.
pub(crate) fn add_guidance(purpose: Purpose, input: &mut Value, guidance: &[String]) {
    let takes_it = takes_guidance(purpose);
    let (Value::Object(fields), true, false) = (input, takes_it, guidance.is_empty()) else {
        return;
    };
    let given = fields.entry("guidance").or_insert_with(|| json!([]));
    if let Value::Array(given) = given {
        given.extend(guidance.iter().map(|words| json!(words)));
    }
}

fn observed(thought: &Thought) -> impl Iterator<Item = &Earlier> {
    let earlier = thought.earlier.iter();
    earlier.filter(|earlier| earlier.step.kind == StepKind::Call)
}

fn answer_of(earlier: &Earlier, resolved: &ResolvedInputs) -> Result<Value, String> {
    let name = step_name(earlier.number);
    let json = resolved.outputs.get(&name);
    let json = json.ok_or_else(|| format!("step {} is unknown", earlier.number))?;
    serde_json::from_str(json.text()).map_err(|error| format!("step {name}: {error}"))
}

/// The thoughts that the step goes on from, in the order in which it uses them, and what was looked up.
fn thoughts(thought: &Thought, resolved: &ResolvedInputs) -> Result<Value, String> {
    let mut numbers = thought.step.uses.clone();
    if thought.step.kind != StepKind::Weigh {
        let called = observed(thought).map(|earlier| earlier.number);
        numbers.extend(called.filter(|number| !thought.step.uses.contains(number)));
    }
    let mut found = Vec::new();
    for number in numbers {
        let Some(earlier) = thought.earlier.iter().find(|at| at.number == number) else {
            continue;
        };
        let answer = answer_of(earlier, resolved)?;
        let findings = answer.get("findings").filter(|list| list.is_array());
        found.push(json!({
            "step": earlier.number,
            "role": earlier.step.role.name(),
            "text": told(earlier, &answer),
            "findings": findings.cloned().unwrap_or_else(|| json!([])),
        }));
    }
    Ok(Value::Array(found))
}

/// An earlier step's answer in words.
fn told(earlier: &Earlier, answer: &Value) -> String {
    let text = |name: &str| answer.get(name).and_then(Value::as_str);
    let list = |name: &str| answer.get(name).and_then(Value::as_array);
    let words = match earlier.step.kind {
        StepKind::Think => text("thought").map(str::to_owned),
        StepKind::Conclude => text("summary").map(str::to_owned),
        StepKind::Act => text("because").map(str::to_owned),
        StepKind::Split => list("parts").map(|parts| {
            let parts = parts.iter().filter_map(Value::as_str);
            parts.collect::<Vec<_>>().join("; ")
        }),
        StepKind::Weigh => list("scores").map(|scores| {
            let reasons = scores.iter().filter_map(|score| score["because"].as_str());
            reasons.collect::<Vec<_>>().join("; ")
        }),
        StepKind::Call => Some(looked_up(earlier, text(FAILED), list("sources"))),
    };
    words
        .filter(|words| !words.trim().is_empty())
        .unwrap_or_else(|| format!("nothing was said ({})", earlier.step.role.name()))
}

fn looked_up(earlier: &Earlier, failed: Option<&str>, sources: Option<&Vec<Value>>) -> String {
    let tool = earlier.step.call.as_ref();
    let tool = tool.map_or("a tool", |call| call.tool.as_str());
    if let Some(why) = failed {
        return format!("{tool} gave nothing: {why}");
    }
    let titles = sources.into_iter().flatten().filter_map(|source| {
        let title = source["title"].as_str().or(source["id"].as_str())?;
        Some(title.chars().take(TITLE_CHARS_MAX).collect::<String>())
    });
    match titles.collect::<Vec<_>>() {
        titles if titles.is_empty() => format!("{tool} found nothing to cite"),
        titles => format!("{tool} found: {}", titles.join("; ")),
    }
}

/// Sources that a call brought in, each once.
fn add_sources(sources: &mut Value, answer: &Value, origin: Origin, origins: &mut Origins) {
    let Value::Array(sources) = sources else {
        return;
    };
    let found = answer.get("sources").and_then(Value::as_array);
    for source in found.into_iter().flatten() {
        let is_repeated = sources.iter().any(|had| had["id"] == source["id"]);
        let mut kept = Map::new();
        for name in ["id", "title", "text", "published"] {
            if let Some(value) = source.get(name).filter(|value| !value.is_null()) {
                kept.insert(name.to_owned(), value.clone());
            }
        }
        if is_repeated || !kept.contains_key("id") || !kept.contains_key("text") {
            continue;
        }
        origins.add(&format!("/sources/{}", sources.len()), origin);
        sources.push(Value::Object(kept));
    }
}

fn origin_of_tool(tool: Option<&str>) -> Origin {
    tool.map_or(Origin::ToolResult, crate::protect::origin_of_tool)
}

/// What the thinker may call, as it is told of it.
fn tools(thought: &Thought, registry: &Registry) -> Value {
    let manifests: Vec<_> = thought
        .tools
        .iter()
        .filter_map(|id| Some(registry.get(id.as_str())?.manifest()))
        .collect();
    let share = SCHEMAS_TOKENS_MAX / (manifests.len() as u64).max(1);
    let offered = manifests.iter().map(|manifest| {
        json!({
            "id": manifest.id.as_str(),
            "about": manifest.description,
            "schema": shortened(&manifest.input, share),
        })
    });
    Value::Array(offered.collect())
}

/// A schema that a question can carry: as it is, or its fields with ever less about them, or only those it needs.
fn shortened(schema: &Value, tokens_max: u64) -> Value {
    let fits = |schema: &Value| token_bound(&schema.to_string()) <= tokens_max;
    if fits(schema) {
        return schema.clone();
    }
    let needed = schema.get("required").and_then(Value::as_array);
    let is_needed = |name: &str| needed.is_some_and(|needed| needed.iter().any(|at| at == name));
    let with = |said: &[&str], fields_max: usize| {
        let fields = schema.get("properties").and_then(Value::as_object);
        let mut fields: Vec<_> = fields.into_iter().flatten().collect();
        fields.sort_by_key(|(name, _)| !is_needed(name));
        let fields = fields.into_iter().take(fields_max).map(|(name, field)| {
            let said = said
                .iter()
                .filter_map(|said| Some((*said, field.get(said)?)));
            let kept = said.map(|(said, value)| (said.to_owned(), value.clone()));
            (name.clone(), Value::Object(kept.collect()))
        });
        let fields: Map<String, Value> = fields.collect();
        json!({"type": "object", "properties": fields, "required": needed})
    };
    let less = [
        with(&["type", "enum", "description"], SCHEMA_FIELDS_MAX),
        with(&["type", "enum"], SCHEMA_FIELDS_MAX),
        with(&["type"], SCHEMA_FIELDS_MAX),
    ];
    let fitting = less.into_iter().find(fits);
    fitting.unwrap_or_else(|| with(&["type"], needed.map_or(1, Vec::len)))
}
