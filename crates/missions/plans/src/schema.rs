//! The JSON Schema (draft 2020-12) of plan files, for completion and checks while typing. It is looser
//! than [`crate::read`]: an editor cannot know circles, references or rules.

use adjutant_mission::{ITERATIONS_MAX, NAME_LENGTH_MAX, PATTERNS_MAX, limits};
use serde_json::{Map, Value, json};

use crate::Checker;
use crate::agent_fields::{COMPLEXITIES, LEVELS, PATTERNS};
use crate::plan_fields::{
    AUTONOMIES, BARRIERS, ON_FAILURES, ON_SOFT_CAPS, REPLAN_TRIGGERS, STRATEGIES,
};
use crate::task_fields::{
    APPROVALS, CHECKPOINT_TYPES, DEPENDENCY_KINDS, RETURNS_MAX_DEFAULT, RISKS, SANDBOXES, VERDICTS,
};

/// The schema of plan files, with the arguments of the tools that `checker` knows.
pub fn schema(checker: &dyn Checker) -> Value {
    let tools = checker.argument_schemas();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Adjutant plan file",
        "description": "A mission's plan: what to reach, within which limits, by which tasks.",
        "type": "object",
        "required": ["title", "tasks"],
        "additionalProperties": false,
        "properties": plan_properties(),
        "$defs": {
            "text": {"type": ["string", "number", "boolean"], "maxLength": limits::TEXT_BYTES_MAX},
            "texts": {"anyOf": [{"$ref": "#/$defs/text"}, {"type": "array", "items": {"$ref": "#/$defs/text"}}]},
            "name": {
                "type": "string",
                "pattern": "^[A-Za-z0-9_.:@-]+$",
                "maxLength": NAME_LENGTH_MAX,
            },
            "names": {"anyOf": [{"$ref": "#/$defs/name"}, {"type": "array", "items": {"$ref": "#/$defs/name"}}]},
            "duration": {
                "description": "A number with its unit, largest first: 500ms, 90s, 10m, 1h30m, 2d.",
                "anyOf": [
                    {"type": "string", "pattern": "^\\s*([0-9.]+\\s*(ms|s|m|h|d)\\s*)+$|^\\s*0\\s*$"},
                    {"const": 0},
                ],
            },
            "money": {
                "description": "US dollars: $1.50, 1.50 usd or 1.50; at most six decimals.",
                "anyOf": [
                    {"type": "string", "pattern": "^\\s*(\\$\\s*[0-9]+(\\.[0-9]+)?|[0-9]+(\\.[0-9]+)?\\s*([uU][sS][dD])?)\\s*$"},
                    {"type": "number", "minimum": 0},
                ],
            },
            "caps": described("Hard limits. A resource that is absent is unlimited.", object(json!({
                "money": described("Most that may be spent.", reference("money")),
                "tokens": {"type": "integer", "minimum": 0, "description": "The maximum number of model tokens."},
                "turns": {"type": "integer", "minimum": 0, "description": "The maximum number of task attempts in total."},
                "wall_time": described("Longest time from start to end.", reference("duration")),
            }), &[])),
            "soft_caps": described("Soft limits at which a person is asked before more is spent. A resource that is absent has no soft limit.", object(json!({
                "money": described("Spent so far.", reference("money")),
                "tokens": {"type": "integer", "minimum": 0, "description": "Model tokens so far."},
                "turns": {"type": "integer", "minimum": 0, "description": "Tries so far."},
                "wall_time": described("Time since the start.", reference("duration")),
                "money_per_turn": described("What one try may cost without asking.", reference("money")),
                "tokens_per_turn": {"type": "integer", "minimum": 0, "description": "Tokens one try may use without asking."},
            }), &[])),
            "call": call(&tools),
            "undo": undo(&tools),
            "dependency": {
                "anyOf": [
                    described("The id of a task that must have finished.", reference("name")),
                    object(json!({
                        "task": reference("name"),
                        "kind": choice("Which ends are linked: finish or start of that task, start or finish of this one.", &DEPENDENCY_KINDS, "FS"),
                        "lag": described("How long to wait in between.", reference("duration")),
                    }), &["task"]),
                ],
            },
            "supervisors": {
                "type": "array", "maxItems": adjutant_supervision::SUPERVISORS_MAX,
                "description": "Who watches the mission and may ask, pause or abort; see docs/supervisors.md.",
                "items": supervisor(),
            },
            "task": task(&tools),
            "human": human(),
            "gate": gate(),
        },
    })
}

fn supervisor() -> Value {
    let actions: Vec<&str> = adjutant_supervision::Action::ALL
        .iter()
        .filter(|action| action.is_for_rules())
        .map(|action| action.name())
        .collect();
    let rules = json!({
        "type": "array", "maxItems": adjutant_supervision::RULES_MAX,
        "items": object(json!({
            "name": described("The name of the rule.", reference("text")),
            "when": described("A condition in CEL over the facts of the mission.", reference("text")),
            "then": {"enum": actions, "description": "What is done when the condition comes to hold."},
            "because": described("The reason, as it is recorded.", reference("text")),
            "requirement": described("With `replan`: what is needed besides, in words.", reference("text")),
        }), &["name", "when", "then", "because"]),
    });
    let member = object(
        json!({
            "name": described("The name of the member.", reference("text")),
            "veto": {"type": "boolean", "default": false, "description": "Its vote alone is enough."},
            "rules": rules,
        }),
        &["name", "rules"],
    );
    object(
        json!({
            "kind": {"enum": ["rules", "panel", "background", "model"]},
            "name": described("The name, unique in the mission.", reference("name")),
            "rules": rules,
            "members": {"type": "array", "maxItems": adjutant_supervision::MEMBERS_MAX, "items": member},
            "needed": {"type": "integer", "minimum": 1, "default": 2, "description": "How many members must want it."},
            "passes_layers": {"type": "boolean", "default": false, "description": "The panel may pass layers."},
            "retries": {"type": "integer", "minimum": 0, "default": 2, "description": "How often each task is tried again."},
            "quiet_minutes": {"type": "integer", "minimum": 1, "default": 360, "description": "How long nothing may happen before a person is asked."},
            "question": described("Of a model: what it looks for in the results.", reference("text")),
            "then": {"enum": ["ask", "pause", "abort"], "default": "ask", "description": "Of a model: what is done when it flags something."},
            "from": {"enum": ["low", "moderate", "high"], "default": "moderate", "description": "Of a model: how severe it must be."},
            "looks": {"type": "integer", "minimum": 1, "maximum": adjutant_supervision::LOOKS_MAX, "default": 5, "description": "How often a model looks at most."},
            "max_cost": {"type": "number", "minimum": 0, "description": "The most that one look of a model may cost, in dollars."},
        }),
        &["kind", "name"],
    )
}

fn plan_properties() -> Value {
    json!({
        "title": described("What the mission is called.", reference("text")),
        "objective": described("The objective of the mission.", reference("text")),
        "inputs": {"type": "object", "description": "Values that arguments refer to as {{inputs.name}}."},
        "strategy": choice("In what order ready tasks run, and what a stuck task means for the others.", &STRATEGIES, "parallel_safe"),
        "concurrency": {
            "type": "integer", "minimum": 1, "maximum": limits::CONCURRENCY_MAX, "default": 8,
            "description": "Most tasks that run at once.",
        },
        "barrier": choice("What happens between one layer of the plan and the next.", &BARRIERS, "none"),
        "autonomy": choice("Which questions the mission asks a person.", &AUTONOMIES, "balanced"),
        "four_eyes": {
            "description": "Questions that someone other than the person who started the mission must approve.",
            "type": "array", "items": {"enum": words(&CHECKPOINT_TYPES)},
        },
        "approvers": {
            "description": "Who must answer checkpoints of a kind, and how many of them must approve.",
            "type": "object", "additionalProperties": false,
            "properties": kinds_of_approvers(),
        },
        "on_failure": choice("What follows when retries and the alternative are used up.", &ON_FAILURES, "ask"),
        "skips_max": {
            "type": "integer", "minimum": 0, "maximum": u16::MAX, "default": 3,
            "description": "How many tasks continue_on_block may skip before the mission stops.",
        },
        "checkpoint_deadline": described("How long a question waits for an answer before it counts as rejected. Default 24h.", reference("duration")),
        "caps": reference("caps"),
        "soft_caps": reference("soft_caps"),
        "on_soft_cap": choice("What happens when a soft limit is exceeded: a question, or a cheaper alternative.", &ON_SOFT_CAPS, "ask"),
        "replan": described("The occasions on which the plan may change while the mission runs.", object(json!({
            "on": {
                "description": "The occasions. Default: failure, human_intervention, checkpoint.",
                "type": "array", "items": {"enum": words(&REPLAN_TRIGGERS)},
            },
            "confidence_below": {
                "type": "number", "minimum": 0, "maximum": 1, "default": 0.7,
                "description": "A result less certain than this is an occasion, with low_confidence.",
            },
        }), &[])),
        "constraints": described("What must hold throughout.", reference("texts")),
        "success_criteria": described("How to tell that the objective is reached.", reference("texts")),
        "supervisors": reference("supervisors"),
        "agents": {
            "type": "array", "description": "The agents; tasks refer to them with `by`.",
            "items": object(json!({
                "id": reference("name"),
                "level": choice("L1 starts L2, L2 starts L3 and L4, L3 starts L4; only an L4 calls tools.", &LEVELS, "L4"),
                "name": described("What people see.", reference("text")),
                "started_by": described("The agent that starts it and to which it escalates. An L1 or L2 may have none.", reference("name")),
                "tokens": {"type": "integer", "minimum": 1, "description": "The tokens that all its questions may use together."},
            }), &["id", "level"]),
        },
        "tasks": {
            "type": "array", "minItems": 1, "maxItems": limits::TASKS_MAX,
            "items": reference("task"),
            "description": "The tasks. Each does exactly one of tool, agent, human, gate or mission.",
        },
    })
}

/// How an agent thinks: one pattern, several, or a map with more about it.
fn reasoning() -> Value {
    let pattern = json!({"enum": words(&PATTERNS)});
    let patterns = json!({"anyOf": [pattern, {"type": "array", "items": pattern, "minItems": 1, "maxItems": PATTERNS_MAX}]});
    described(
        "How it reasons step by step; if omitted, it asks one question.",
        json!({"anyOf": [
            patterns,
            object(json!({
                "patterns": described("Applied in order: each continues from the thoughts of the previous ones.", patterns),
                "max_iterations": {"type": "integer", "minimum": 1, "maximum": ITERATIONS_MAX, "default": 3},
                "confidence_threshold": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.7},
                "tools": {"type": "array", "items": reference("name"), "description": "The tools an L4 may call while it reasons."},
            }), &["patterns"]),
        ]}),
    )
}

fn task(tools: &[Tool]) -> Value {
    let mut task = object(
        json!({
            "id": described("The task's name; others refer to it.", reference("name")),
            "title": described("What people see.", reference("text")),
            "by": described("The agent of the plan that performs the task.", reference("name")),
            "tool": tool_names(tools),
            "with": {"type": "object", "description": "The input of the tool or agent; {{task.output.field}} refers to earlier results."},
            "agent": described("A question to a model: its purpose, or a map.", json!({"anyOf": [
                reference("name"),
                object(json!({
                    "purpose": described("What the question is for.", reference("name")),
                    "level": choice("The level that is asked: L1 is the most capable and most expensive.", &LEVELS, "L4"),
                    "domain": described("The domain of the question, to select specialized models.", reference("name")),
                    "complexity": choice("The difficulty, to select a model.", &COMPLEXITIES, "ordinary"),
                    "model": {"type": "string", "description": "This model and no other: provider/model."},
                    "reasoning": reasoning(),
                }), &["purpose"]),
            ]})),
            "human": reference("human"),
            "gate": reference("gate"),
            "mission": described("A mission of its own, within what this task may spend.", object(json!({
                "plan": {"$ref": "#"},
                "with": {"type": "object", "description": "Inputs for its plan; {{task.output.field}} refers to earlier results."},
                "sandbox": choice("light closes on its answer; standard has its own approval and review.", &SANDBOXES, "light"),
            }), &["plan"])),
            "after": {
                "description": "What this task waits for.",
                "anyOf": [
                    reference("name"),
                    {"type": "array", "items": reference("dependency"), "maxItems": limits::DEPENDENCIES_PER_TASK_MAX},
                ],
            },
            "retry": {
                "description": "How often to try; a number is the total number of tries.",
                "anyOf": [attempts(), retry()],
            },
            "otherwise": described("Tried once when the retries are used up.", reference("call")),
            "undo": described("How to undo it, once done, if the mission is aborted with `--undo`.", reference("undo")),
            "approval": choice("Whether a human must allow the call first.", &APPROVALS, "by_autonomy"),
            "caps": reference("caps"),
            "soft_caps": reference("soft_caps"),
            "resources": described("Tasks that share one of these never run at once.", reference("names")),
            "estimate": described("A forecast; never a limit.", object(json!({
                "money": reference("money"),
                "duration": reference("duration"),
            }), &[])),
            "priority": {
                "type": "integer", "minimum": i16::MIN, "maximum": i16::MAX, "default": 0,
                "description": "Higher goes first among ready tasks.",
            },
            "tags": described("Words to find the task by.", reference("texts")),
            "milestone": {"type": "boolean", "default": false, "description": "Marks the task in overviews."},
        }),
        &["id"],
    );
    if let Some(task) = task.as_object_mut() {
        let only = |name: &str| json!({"required": [name]});
        task.insert(
            "oneOf".into(),
            json!([
                only("tool"),
                only("agent"),
                only("human"),
                only("gate"),
                only("mission")
            ]),
        );
        task.extend(arguments(tools));
    }
    task
}

type Tool = (adjutant_mission::ToolId, String, Value);

fn tool_names(tools: &[Tool]) -> Value {
    let names = tools
        .iter()
        .map(|(tool, description, _)| json!({"const": tool.as_str(), "description": description}));
    match names.collect::<Vec<_>>() {
        names if names.is_empty() => described("The tool to call.", reference("name")),
        names => json!({"description": "The tool to call.", "oneOf": names}),
    }
}

/// For each tool, what its `with` must look like; nothing where no tools are known.
fn arguments(tools: &[Tool]) -> Option<(String, Value)> {
    let clauses = tools.iter().map(|(tool, _, schema)| {
        json!({
            "if": {"required": ["tool"], "properties": {"tool": {"const": tool.as_str()}}},
            "then": {"properties": {"with": schema}},
        })
    });
    let clauses: Vec<Value> = clauses.collect();
    (!clauses.is_empty()).then(|| ("allOf".to_owned(), Value::Array(clauses)))
}

fn call(tools: &[Tool]) -> Value {
    let mut call = object(
        json!({"tool": tool_names(tools), "with": {"type": "object"}}),
        &["tool"],
    );
    if let Some(call) = call.as_object_mut() {
        call.extend(arguments(tools));
    }
    call
}

/// A call with retries of its own.
fn undo(tools: &[Tool]) -> Value {
    let mut undo = call(tools);
    if let Some(properties) = undo
        .get_mut("properties")
        .and_then(|properties| properties.as_object_mut())
    {
        let retry = json!({"anyOf": [attempts(), retry()]});
        properties.insert(
            "retry".into(),
            described(
                "How often to try; a number is the total number of tries.",
                retry,
            ),
        );
    }
    undo
}

fn attempts() -> Value {
    json!({
        "type": "integer", "minimum": 1, "maximum": limits::ATTEMPTS_MAX, "default": 3,
        "description": "The total number of tries, including the first.",
    })
}

fn retry() -> Value {
    object(
        json!({
            "attempts": attempts(),
            "backoff": described("Wait after the first failure. Default 1s.", reference("duration")),
            "factor": {
                "type": "integer", "minimum": 1, "maximum": 100, "default": 2,
                "description": "Each further wait is this many times the previous one.",
            },
            "backoff_max": described("Longest wait. Default 60s.", reference("duration")),
        }),
        &[],
    )
}

fn human() -> Value {
    let option = object(
        json!({
            "key": described("What the answer names.", reference("name")),
            "label": reference("text"),
            "description": reference("text"),
            "pros": reference("texts"),
            "cons": reference("texts"),
            "cost": reference("money"),
            "time": reference("duration"),
            "risk": choice("How risky this option is.", &RISKS, "low"),
        }),
        &["key", "label"],
    );
    let full = object(
        json!({
            "question": described("What is asked.", reference("text")),
            "kind": choice("The kind of checkpoint.", &CHECKPOINT_TYPES, "critical_decision"),
            "options": {"type": "array", "items": option, "maxItems": limits::OPTIONS_MAX},
            "recommend": described("The key of the option to recommend.", reference("name")),
            "on_modify": described("The key of the option that an answer in words chooses.", reference("name")),
            "because": described("Why it is recommended.", reference("text")),
            "role": described("The role that must answer.", reference("name")),
            "approvers": approvers(),
            "deadline": described("How long to wait for an answer; then the question counts as rejected.", reference("duration")),
        }),
        &["question"],
    );
    json!({
        "description": "A question to a person; plain text is a question without options.",
        "anyOf": [reference("text"), full],
    })
}

fn kinds_of_approvers() -> Value {
    let kinds = words(&CHECKPOINT_TYPES).into_iter();
    kinds.map(|kind| (kind.to_owned(), approvers())).collect()
}

fn approvers() -> Value {
    object(
        json!({
            "by": described("The people who can answer; anyone with the right to, if it is left out.", reference("texts")),
            "needed": {
                "description": "How many of them must approve.",
                "type": "integer", "minimum": 1, "maximum": u8::MAX, "default": 1,
            },
        }),
        &[],
    )
}

fn gate() -> Value {
    let rule = object(
        json!({
            "when": described("An expression over tasks' outputs and inputs.", reference("text")),
            "verdict": {
                "description": "What it means when the rule holds.",
                "enum": words(&VERDICTS),
            },
            "because": described("The reason that is recorded.", reference("text")),
        }),
        &["when", "verdict"],
    );
    described(
        "A check on what came before: the first rule that holds gives the verdict; if none does, it is passed.",
        object(
            json!({
                "rules": {"type": "array", "items": rule, "minItems": 1, "maxItems": limits::GATE_RULES_MAX},
                "return_to": described("The task to do again after a repairable verdict.", reference("name")),
                "returns_max": {
                    "type": "integer", "minimum": 0, "maximum": limits::GATE_RETURNS_MAX,
                    "default": RETURNS_MAX_DEFAULT,
                    "description": "How often work may be sent back.",
                },
            }),
            &["rules"],
        ),
    )
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn described(description: &str, schema: Value) -> Value {
    let mut whole = match schema {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    whole.insert("description".into(), description.into());
    Value::Object(whole)
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

fn choice<T>(description: &str, choices: &[(&'static str, T)], default: &str) -> Value {
    json!({"description": description, "enum": words(choices), "default": default})
}
