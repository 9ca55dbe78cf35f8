//! Schemas of what missions made, of what they share, and of forks.

use adjutant_mission::Phase;
use serde_json::{Value, json};

use super::reference;
use super::schemas::{answered, instant, list_of, mission_id, place, sent, text, words};

fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}

fn or_null(kind: &str) -> Value {
    json!({"type": [kind, "null"]})
}

fn limits() -> Value {
    let fields = json!({
        "money": count(), "tokens": count(), "calls": count(), "wall_time": count(),
    });
    let mut limits = sent(&[], fields);
    limits["description"] = json!("Money in millionths of a US dollar, wall_time in milliseconds");
    limits
}

pub(super) fn schemas() -> Value {
    let mut all = made();
    for part in [operations(), triggers(), library(), forks()] {
        if let (Value::Object(all), Value::Object(part)) = (&mut all, part) {
            all.extend(part);
        }
    }
    all
}

fn made() -> Value {
    json!({
        "Artifacts": answered(json!({"mission": mission_id(), "artifacts": list_of(answered(json!({
            "name": text(), "address": text(), "title": text(), "status": text(), "bytes": count(),
            "digest": or_null("string"), "is_result": {"type": "boolean"},
        })))})),
        "Calls": answered(json!({"mission": mission_id(), "calls": list_of(answered(json!({
            "id": text(), "kind": {"enum": ["tool", "model", "gate", "mission"]},
            "what": or_null("string"), "task": text(), "by": or_null("string"), "attempt": count(),
            "undo": {"type": "boolean"}, "started_at": instant(), "duration_ms": or_null("integer"),
            "outcome": {"enum": ["under_way", "done", "failed", "in_doubt", "abandoned", "lost", "left_behind"]},
            "trouble": or_null("object"),
            "used": answered(json!({"money": count(), "tokens": count()})),
            "tool_id": or_null("string"), "tool_name": or_null("string"), "input": {}, "output": {},
            "blob": or_null("object"),
        })))})),
        "Checks": answered(json!({"mission": mission_id(), "checks": list_of(answered(json!({
            "kind": {"enum": ["gate", "confidence", "permission"]}, "task": text(),
            "passed": {"type": "boolean"}, "found": {"type": "object"}, "sequence": count(),
            "at": instant(),
        })))})),
        "Citations": answered(json!({"mission": mission_id(), "citations": list_of(answered(json!({
            "number": count(), "source": text(), "quote": text(), "tasks": list_of(text()),
            "citation_text": text(),
        })))})),
        "Steps": answered(json!({"mission": mission_id(), "steps": list_of(answered(json!({
            "task": text(), "by": or_null("string"), "number": count(), "step": {"type": "object"},
            "output": {},
        })))})),
    })
}

fn operations() -> Value {
    let phases: Vec<&str> = Phase::ALL.into_iter().map(Phase::name).collect();
    let phases: serde_json::Map<String, Value> = phases
        .into_iter()
        .map(|phase| (phase.to_owned(), count()))
        .collect();
    let used = json!({"type": "object"});
    let per = json!({"enum": ["day", "total"]});
    let figures = answered(json!({
        "key": text(), "name": text(), "missions": count(), "completed": count(),
        "failed": count(), "cancelled": count(), "figures": list_of(json!({"type": "object"})),
        "confidences": list_of(json!({"type": "object"})),
    }));
    let numbers = list_of(json!({"type": "integer", "minimum": 1}));
    let account = json!({
        "type": "string", "description": "`tenant`, or `campaign/NAME`", "examples": ["tenant"],
    });
    json!({
        "Audit": answered(json!({
            "lines": list_of(answered(json!({
                "at": instant(), "kind": {"enum": crate::audit::AUDIT_KINDS},
                "by": {"type": ["string", "null"]}, "what": {"type": "object"},
                "mission": {"type": ["string", "null"]}, "event": {"type": ["integer", "null"]},
            }))),
            "next_cursor": {"oneOf": [{"type": "null"}, place()]},
        })),
        "Stats": answered(json!({
            "missions": count(), "phases": answered(Value::Object(phases)), "in_memory": count(),
            "open_questions": count(), "used": used, "used_today": used,
        })),
        "Analytics": answered(json!({
            "tenant": text(), "since": or_null("string"), "until": instant(),
            "coverage": {"type": "object"}, "all": figures, "by": or_null("string"),
            "groups": list_of(figures.clone()),
        })),
        "Ratings": answered(json!({
            "question": text(), "insights": list_of(json!({"type": "object"})),
            "ratings": list_of(json!({"type": "object"})),
        })),
        "NewRating": sent(&[], json!({
            "stars": {"type": "integer", "minimum": 1, "maximum": 5},
            "remark": {"type": "string", "maxLength": 2000},
            "useful": numbers, "not_useful": numbers.clone(),
        })),
        "Rated": answered(json!({"rated": {"type": "object"}, "replaced": {"type": "boolean"}})),
        "Accounts": answered(json!({"accounts": list_of(answered(json!({
            "account": account, "per": per, "used": used, "reserved": used, "hard": limits(),
            "soft": limits(),
        })))})),
        "Caps": sent(&["account", "per"], json!({
            "account": account, "per": per, "hard": limits(), "soft": limits(),
        })),
        "Stops": answered(json!({"stops": list_of(answered(json!({
            "what": text(), "at": instant(), "by": or_null("string"), "reason": or_null("string"),
        })))})),
        "NewStop": sent(&["what"], json!({
            "what": {"type": "string", "pattern": "^(tenant|all|tool/.+|provider/.+)$"},
            "reason": words(),
        })),
        "Stopped": answered(json!({"what": text(), "paused": count()})),
        "Allowed": answered(json!({"what": text(), "resumed": count()})),
    })
}

fn triggers() -> Value {
    let one = |name: &str| sent(&[name], json!({name: text()}));
    let schedule = json!({"oneOf": [one("at"), one("cron"), one("rrule")]});
    let missed = json!({"enum": ["skip", "once", "all"], "default": "once"});
    let trigger = answered(json!({
        "id": text(), "name": text(), "schedule": {"type": "object"}, "zone": text(),
        "repeat_max": or_null("integer"), "missed": {"enum": ["skip", "once", "all"]},
        "cancel_on": or_null("string"), "does": {"type": "object"},
        "made_by": text(), "made_with": or_null("string"), "made_at": instant(), "next_at": or_null("string"), "fired": count(),
        "passed_over": count(), "firing": or_null("object"), "last_fired": or_null("string"),
        "last_problem": or_null("object"), "held": or_null("object"), "ended": or_null("object"),
    }));
    let inform = sent(
        &["mission", "topic", "body"],
        json!({
            "mission": mission_id(), "topic": words(), "trust": {"enum": ["trusted", "untrusted"]},
            "body": {},
        }),
    );
    let mut new = sent(
        &["schedule"],
        json!({
            "name": text(), "schedule": schedule,
            "zone": {"type": ["string", "null"], "description": "An IANA time zone; the default is UTC"},
            "repeat_max": {"type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX},
            "cancel_on": {"type": ["string", "null"], "minLength": 1, "maxLength": 200},
            "missed": missed, "start": reference("StartMission"), "inform": inform,
        }),
    );
    new["oneOf"] = json!([{"required": ["start"]}, {"required": ["inform"]}]);
    json!({
        "Trigger": trigger,
        "Triggers": answered(json!({"triggers": list_of(reference("Trigger"))})),
        "NewTrigger": new,
        "Cancelled": answered(json!({"id": text()})),
    })
}

fn library() -> Value {
    json!({
        "Tools": answered(json!({"tools": list_of(answered(json!({
            "id": text(), "name": text(), "description": text(), "input": {"type": "object"},
            "permitted": {"type": "boolean"},
        })))})),
        "Bases": answered(json!({"knowledge_bases": list_of(answered(json!({
            "name": text(), "documents": count(), "passages": count(), "bytes": count(),
        })))})),
        "Documents": answered(json!({"name": text(), "documents": list_of(answered(json!({
            "source": text(), "title": or_null("string"), "kind": text(),
            "date": or_null("string"), "passages": count(), "bytes": count(),
        })))})),
        "Passages": answered(json!({
            "searched": count(), "note": or_null("string"),
            "passages": list_of(answered(json!({
                "rank": count(), "address": text(), "source": text(), "text": text(),
                "score": {"type": "number"},
            }))),
        })),
    })
}

fn forks() -> Value {
    let decided = sent(
        &["decision"],
        json!({
            "checkpoint": {"type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX},
            "decision": reference("Decision"),
        }),
    );
    json!({
        "Fork": sent(&[], json!({
            "at": {
                "type": ["integer", "null"], "minimum": 0, "maximum": 4_294_967_295_u32,
                "description": "The last event to copy; the default is the latest event",
            },
            "decisions": list_of(decided),
            "inputs": {"type": "object"},
            "model": {"type": ["string", "null"]},
        })),
        "Forked": answered(json!({"mission": mission_id(), "of": mission_id()})),
        "Comparison": answered(json!({"a": {"type": "object"}, "b": {"type": "object"}})),
    })
}
