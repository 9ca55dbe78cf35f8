//! What is sent and answered, as JSON Schema.

use adjutant_host::AccessRole;
use adjutant_mission::Phase;
use serde_json::{Value, json};

use super::reference;

pub(crate) const DOCX: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

pub(crate) fn mission_id() -> Value {
    json!({"type": "string", "pattern": "^msn_[0-7][0-9a-hjkmnp-tv-z]{25}$"})
}

fn uuid() -> Value {
    json!({"type": "string", "format": "uuid"})
}

/// The id of an event: where in the journal, and which of what it tells.
pub(crate) fn place() -> Value {
    json!({"type": "string", "pattern": "^[0-9]{1,9}\\.[0-9]{1,4}$"})
}

pub(crate) fn phases() -> Value {
    let names: Vec<&str> = Phase::ALL.into_iter().map(Phase::name).collect();
    let one = names.join("|");
    json!({"type": "string", "pattern": format!("^({one})(,({one}))*$")})
}

pub(super) fn in_path(name: &str) -> Value {
    match name {
        "mission" | "other" => mission_id(),
        "number" => json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}),
        "session_id" => uuid(),
        _ => json!({"type": "string", "minLength": 1}),
    }
}

pub(super) fn header(name: &str) -> Value {
    match name {
        // None yet, where it is empty.
        "Last-Event-ID" => json!({"type": "string", "pattern": "^([0-9]{1,9}\\.[0-9]{1,4})?$"}),
        "Idempotency-Key" => json!({"type": "string", "pattern": "^[!-~]{1,255}$"}),
        _ => json!({"type": "string"}),
    }
}

fn autonomy() -> Value {
    json!({"enum": ["strict", "balanced", "permissive"], "default": "balanced"})
}

/// An object with these fields, and maybe others.
pub(crate) fn answered(fields: Value) -> Value {
    let names: Vec<String> = fields
        .as_object()
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default();
    json!({"type": "object", "properties": fields, "required": names})
}

/// An object with these fields and no other.
pub(super) fn sent(required: &[&str], fields: Value) -> Value {
    json!({
        "type": "object", "properties": fields, "required": required, "additionalProperties": false,
    })
}

/// An object with these fields; others are passed over.
fn at_least(required: &[&str], fields: Value) -> Value {
    json!({"type": "object", "properties": fields, "required": required})
}

pub(super) fn list_of(schema: Value) -> Value {
    json!({"type": "array", "items": schema})
}

pub(crate) fn text() -> Value {
    json!({"type": "string"})
}

pub(crate) fn instant() -> Value {
    json!({"type": "string", "format": "date-time"})
}

/// Of a reason, a note or a topic.
pub(super) fn words() -> Value {
    json!({"type": "string", "maxLength": 8000})
}

pub(super) fn all() -> Value {
    let mut all = json!({
        "Anything": {},
        "Text": text(),
        "Problem": answered(json!({
            "type": text(), "title": text(), "status": {"type": "integer"},
            "code": {"type": "string", "pattern": "^ADJ-[0-9]{4}$"},
            "detail": text(), "remedy": text(),
        })),
        "Alive": answered(json!({"alive": {"const": true}})),
        "Ready": answered(json!({"ready": {"const": true}})),
        "Version": answered(json!({"name": text(), "version": text()})),
    });
    for part in [
        access(),
        catalogue(),
        missions(),
        questions(),
        mode3(),
        super::resources::schemas(),
    ] {
        if let (Value::Object(all), Value::Object(part)) = (&mut all, part) {
            all.extend(part);
        }
    }
    if let Value::Object(all) = &mut all {
        let bodies = crate::routes::workflow_bodies();
        all.extend(bodies.map(|(name, schema)| (name.to_owned(), schema)));
    }
    all
}

fn access() -> Value {
    let roles: Vec<&str> = AccessRole::ALL.into_iter().map(AccessRole::name).collect();
    let when = json!({"type": ["integer", "null"], "description": "Milliseconds since 1970"});
    let key = json!({
        "id": text(), "who": text(), "role": {"enum": roles}, "decides_for": list_of(text()),
        "made_at": when, "made_by": text(), "expires_at": when, "revoked_at": when,
    });
    let mut given = key.clone();
    given["token"] = json!({
        "type": ["string", "null"],
        "description": "Shown once; only its hash is stored. `null` if the request is a repetition",
    });
    let name = json!({"type": "string", "pattern": "^[A-Za-z0-9_.:@-]{1,64}$"});
    json!({
        "NewKey": sent(&["who", "role"], json!({
            "who": name, "role": {"enum": roles}, "decides_for": list_of(name),
            "expires_in_days": {"type": "integer", "minimum": 1, "maximum": 3650, "default": 90},
        })),
        "Keys": answered(json!({"keys": list_of(answered(key))})),
        "GivenKey": answered(given),
        "Revoked": answered(json!({"revoked": {"type": "integer", "minimum": 1}})),
    })
}

fn catalogue() -> Value {
    json!({
        "Agents": answered(json!({"agents": list_of(answered(json!({
            "id": text(), "uuid": uuid(), "level": {"enum": ["L1", "L2", "L3", "L4", "L5"]},
            "name": text(), "about": text(), "tools": list_of(text()), "missions": list_of(text()),
        })))})),
        "Catalogue": answered(json!({"missions": list_of(answered(json!({
            "id": text(), "name": text(), "about": text(), "category": text(),
            "ready": {"type": "boolean"},
        })))})),
    })
}

fn missions() -> Value {
    let phases: Vec<&str> = Phase::ALL.into_iter().map(Phase::name).collect();
    let count = json!({"type": "integer", "minimum": 0});
    let reason = words();
    let row = answered(json!({
        "mission": mission_id(), "title": text(), "phase": {"enum": phases},
        "paused": {"type": "boolean"}, "kept": text(), "used": {"type": "object"},
        "tasks_total": count, "tasks_ended": count, "checkpoints_open": count,
        "opened_at": {"type": "integer"}, "updated_at": {"type": "integer"},
    }));
    let task = json!({
        "key": text(), "title": text(), "status": text(), "by": {"type": ["string", "null"]},
        "attempt": count, "used": {"type": "object"}, "failure": {"type": ["object", "null"]},
        "dependencies": list_of(text()), "estimated_duration_ms": {"type": ["integer", "null"]},
        "actual_duration_ms": {"type": ["integer", "null"]},
        "started_at": {"type": ["string", "null"]}, "completed_at": {"type": ["string", "null"]},
    });
    let mut whole = task.clone();
    whole["mission"] = mission_id();
    whole["output"] = json!({});
    whole["assessed"] = json!({"type": ["object", "null"]});
    whole["steps"] = list_of(json!({"type": "object"}));
    let mut listed = task;
    listed["steps"] = count.clone();
    let used = json!({"type": "object"});
    let one = |name: &str, with: Value| sent(&[name], json!({name: with}));
    json!({
        "Missions": answered(json!({
            "missions": list_of(row), "next_cursor": {"type": ["string", "null"]},
        })),
        "StartMission": sent(&["mission", "objective"], json!({
            "mission": {"type": "string", "description": "The id of a mission in the catalogue", "examples": ["deep_dive"]},
            "objective": {"type": "string", "minLength": 1, "maxLength": 8000},
            "knowledge_bases": list_of(text()),
            "inputs": {"type": "object"},
            "attachments": list_of(sent(&["title", "text"], json!({"title": text(), "text": text()}))),
            "autonomy": autonomy(),
            "budget": {"type": ["number", "null"], "minimum": 0, "maximum": 1_000_000_000, "description": "In US dollars"},
        })),
        "Started": answered(json!({
            "mission": mission_id(),
            "left_out": list_of(answered(json!({"task": text(), "why": text()}))),
        })),
        "Done": answered(json!({"mission": mission_id()})),
        "Passport": answered(json!({"passport": {"type": "integer"}, "mission": {"type": "object"}})),
        "MissionAgents": answered(json!({
            "mission": mission_id(),
            "agents": list_of(answered(json!({
                "id": text(), "uuid": uuid(), "level": {"enum": ["L1", "L2", "L3", "L4", "L5"]},
                "type": text(), "name": text(), "model": text(),
                "status": {"enum": ["pending", "active", "completed", "failed"]},
                "parent_agent_id": {"type": ["string", "null"]},
                "token_budget": {"type": ["integer", "null"]},
                "tokens": count, "tokens_used": count,
                "started_at": {"type": ["string", "null"]}, "completed_at": {"type": ["string", "null"]},
                "tasks": list_of(text()),
            }))),
        })),
        "Ledger": answered(json!({
            "mission": mission_id(), "used": used, "reserved": used, "turns": count,
            "tasks": list_of(answered(json!({"key": text(), "used": used, "turns": count}))),
        })),
        "MissionPlan": answered(json!({
            "mission": mission_id(), "plan": {"type": "object"}, "replans": count,
        })),
        "Tasks": answered(json!({"mission": mission_id(), "tasks": list_of(answered(listed))})),
        "Task": answered(whole),
        "Command": {"oneOf": [
            {"enum": ["resume", "continue"]},
            one("pause", at_least(&["reason"], json!({"reason": reason}))),
            one("abort", at_least(&["reason"], json!({"reason": reason, "undo": {"type": "boolean"}}))),
            one("replan", at_least(&["patch", "why"], json!({"patch": {"type": "object"}, "why": reason}))),
            one("inform", at_least(&["topic", "trust", "body"], json!({
                "topic": words(), "trust": {"enum": ["trusted", "untrusted"]}, "body": {},
            }))),
        ]},
    })
}

fn questions() -> Value {
    json!({
        "Inbox": answered(json!({
            "place": place(),
            "checkpoints": list_of(answered(json!({
                "mission": mission_id(), "number": {"type": "integer", "minimum": 0},
                "opened": instant(), "answer_by": instant(),
            }))),
        })),
        "Checkpoints": answered(json!({
            "mission": mission_id(), "checkpoints": list_of(json!({"type": "object"})),
        })),
        "Decision": sent(&["verdict"], json!({
            "verdict": {"enum": ["approve", "modify", "reject"]},
            "option": {"type": ["string", "null"], "description": "One that the question offers"},
            "note": words(),
            "change": {"description": "What a `modify` asks for: new arguments, or a result"},
            "redo": list_of(text()),
            "patch": {"type": ["object", "null"], "description": "How the plan is to change"},
        })),
        "AnswerForm": sent(&["verdict"], json!({
            "verdict": {"enum": ["approve", "modify", "reject"]},
            "option": {"type": "string", "description": "One that the question offers"},
            "note": words(),
        })),
    })
}

fn mode3() -> Value {
    json!({
        "Mode3Request": sent(&["agent_id", "message", "mission_type"], json!({
            "agent_id": uuid(),
            "message": {"type": "string", "minLength": 1, "maxLength": 8000},
            "mission_type": text(), "autonomy_level": autonomy(),
            "context": {"type": "object"},
        })),
        "HitlResponse": sent(&["checkpoint_id", "decision"], json!({
            "checkpoint_id": uuid(), "decision": {"enum": ["approve", "modify", "reject"]},
            "modifications": {"type": ["string", "null"], "maxLength": 8000},
        })),
        "Mode3Accepted": answered(json!({"session_id": uuid(), "accepted": {"const": true}})),
        "Mode3Cancelled": answered(json!({"session_id": uuid(), "cancelled": {"const": true}})),
        "Mode3Status": answered(json!({
            "session_id": uuid(),
            "status": {"enum": ["planning", "executing", "awaiting_hitl", "synthesizing", "complete", "error"]},
            "current_task": {"type": ["string", "null"]},
            "progress_percent": {"type": "number", "minimum": 0, "maximum": 100},
            "awaiting_hitl": {"type": "boolean"},
            "pending_checkpoint": {"oneOf": [{"type": "null"}, reference("Mode3Checkpoint")]},
        })),
        "Mode3Checkpoint": answered(json!({
            "id": uuid(), "checkpoint_type": text(), "title": text(), "description": text(),
            "context": {"type": "object"}, "options": {"type": "array"},
            "timeout_seconds": {"type": "integer"}, "auto_action_on_timeout": {"const": "reject"},
            "created_at": {"type": "string", "format": "date-time"},
            "decided_at": {"type": "null"}, "decision": {"type": "null"},
        })),
    })
}
