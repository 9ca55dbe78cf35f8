//! Of what missions made, what they share, and missions beside one another: what is sent and answered.

use adjutant_mission::Phase;
use serde_json::{Value, json};

use super::schemas::{answered, instant, list_of, mission_id, place, sent, text, words};
use super::{JSON, OF_A_MISSION, REPEATABLE, Told, reference};
use crate::routes::Route;

/// What of the audit can be asked for.
fn audit(told: Told) -> Told {
    told.asks(
        "kind",
        text(),
        "Only of these kinds, with commas between them",
    )
    .asks("who", text(), "Only by somebody")
    .asks("mission", mission_id(), "Only of a mission")
    .asks("from", instant(), "Not before")
    .asks("until", instant(), "Before")
    .asks("cursor", place(), "`next_cursor` of the page before")
    .refuses(&[400])
}

pub(super) fn told(route: &Route) -> Option<Told> {
    let new = Told::new;
    let told = match (route.method, route.path) {
        ("GET", "/api/missions/{mission}/artifacts") => new("Missions", "What its tasks gave")
            .gives("Artifacts")
            .refuses(OF_A_MISSION),
        ("GET", "/api/missions/{mission}/artifacts/{artifact}") => {
            new("Missions", "One of them, as it was given")
                .gives("Anything")
                .refuses(OF_A_MISSION)
        }
        ("GET", "/api/missions/{mission}/calls") => new(
            "Missions",
            "Every call of a tool and question to a model, with what it cost",
        )
        .gives("Calls")
        .refuses(OF_A_MISSION),
        ("GET", "/api/missions/{mission}/checks") => new(
            "Missions",
            "Verdicts of gates, how sure conclusions are, and what agents were refused",
        )
        .gives("Checks")
        .refuses(OF_A_MISSION),
        ("GET", "/api/missions/{mission}/citations") => {
            new("Missions", "The passages that its findings rest on")
                .gives("Citations")
                .refuses(OF_A_MISSION)
        }
        ("GET", "/api/missions/{mission}/steps") => {
            new("Missions", "The steps of all its reasonings")
                .gives("Steps")
                .refuses(OF_A_MISSION)
        }
        ("POST", "/api/missions/{mission}/fork") => new(
            "Missions",
            "Forks it, where wanted with something otherwise",
        )
        .header(REPEATABLE)
        .takes("Fork")
        .answers(201, JSON, "Forked")
        .answers(200, JSON, "Forked")
        .refuses(&[400, 404, 409, 410, 413, 422, 429, 507]),
        ("GET", "/api/missions/{mission}/compare/{other}") => {
            new("Missions", "Two missions side by side")
                .gives("Comparison")
                .refuses(OF_A_MISSION)
        }
        ("GET", "/api/missions/{mission}/export") => new(
            "Missions",
            "Its journal in a file of its own; the content stays sealed",
        )
        .answers(200, "application/x-ndjson", "Text")
        .refuses(&[404, 413]),
        _ => return shared(route),
    };
    Some(told)
}

fn shared(route: &Route) -> Option<Told> {
    let new = Told::new;
    let told = match (route.method, route.path) {
        ("GET", "/api/audit") => audit(new("Upkeep", "Who did what"))
            .asks(
                "limit",
                json!({"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}),
                "How many at most",
            )
            .gives("Audit"),
        ("GET", "/api/audit/export") => audit(new("Upkeep", "The same, all of it"))
            .asks("limit", json!({"type": "integer"}), "Not looked at")
            .answers(200, "application/x-ndjson", "Text"),
        ("GET", "/api/stats") => {
            new("Upkeep", "How much there is, and what it used").gives("Stats")
        }
        ("GET", "/api/accounts") => {
            new("Upkeep", "What was spent, and what may be").gives("Accounts")
        }
        ("PUT", "/api/accounts") => new("Upkeep", "Sets the caps of an account, all of them")
            .takes("Caps")
            .gives("Caps")
            .refuses(&[400, 413]),
        ("GET", "/api/stops") => new("Upkeep", "What is stopped").gives("Stops"),
        ("POST", "/api/stops") => new(
            "Upkeep",
            "Stops a tool, a provider, the tenant or everything",
        )
        .header(REPEATABLE)
        .takes("NewStop")
        .answers(201, JSON, "Stopped")
        .answers(200, JSON, "Stopped")
        .refuses(&[400, 409, 413, 422]),
        ("DELETE", "/api/stops/{kind}") => new("Upkeep", "Lets the tenant or everything go on")
            .gives("Allowed")
            .refuses(&[404, 422]),
        ("DELETE", "/api/stops/{kind}/{name}") => new("Upkeep", "Lets a tool or a provider go on")
            .gives("Allowed")
            .refuses(&[404, 422]),
        ("GET", "/api/triggers") => {
            new("Triggers", "Schedules that start or inform missions").gives("Triggers")
        }
        ("POST", "/api/triggers") => new("Triggers", "Keeps a trigger")
            .header(REPEATABLE)
            .takes("NewTrigger")
            .answers(201, JSON, "Trigger")
            .answers(200, JSON, "Trigger")
            .refuses(&[400, 404, 409, 413, 422]),
        ("DELETE", "/api/triggers/{trigger}") => new("Triggers", "Cancels a trigger")
            .gives("Cancelled")
            .refuses(&[404, 409]),
        ("GET", "/api/tools") => {
            new("Catalogue", "The tools there are, each with its manifest").gives("Tools")
        }
        ("GET", "/api/knowledge_bases") => {
            new("Catalogue", "The documents that missions may read, by name").gives("Bases")
        }
        ("GET", "/api/knowledge_bases/{base}") => new("Catalogue", "The documents of one")
            .gives("Documents")
            .refuses(&[404]),
        ("GET", "/api/knowledge_bases/{base}/search") => {
            let query = json!({"type": "string", "minLength": 1, "maxLength": 2000});
            let limit = json!({"type": "integer", "minimum": 1, "maximum": 100, "default": 5});
            new("Catalogue", "Passages of one, best first")
                .asks_for("query", query, "What is looked for")
                .asks("limit", limit, "How many at most")
                .gives("Passages")
                .refuses(&[400, 404])
        }
        _ => return None,
    };
    Some(told)
}

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
    for part in [upkeep(), triggers(), library(), forks()] {
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
        })))})),
        "Checks": answered(json!({"mission": mission_id(), "checks": list_of(answered(json!({
            "kind": {"enum": ["gate", "confidence", "permission"]}, "task": text(),
            "passed": {"type": "boolean"}, "found": {"type": "object"}, "sequence": count(),
            "at": instant(),
        })))})),
        "Citations": answered(json!({"mission": mission_id(), "citations": list_of(answered(json!({
            "number": count(), "source": text(), "quote": text(), "tasks": list_of(text()),
        })))})),
        "Steps": answered(json!({"mission": mission_id(), "steps": list_of(answered(json!({
            "task": text(), "by": or_null("string"), "number": count(), "step": {"type": "object"},
            "output": {},
        })))})),
    })
}

fn upkeep() -> Value {
    let phases: Vec<&str> = Phase::ALL.into_iter().map(Phase::name).collect();
    let phases: serde_json::Map<String, Value> = phases
        .into_iter()
        .map(|phase| (phase.to_owned(), count()))
        .collect();
    let used = json!({"type": "object"});
    let per = json!({"enum": ["day", "total"]});
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
        "made_by": text(), "made_at": instant(), "next_at": or_null("string"), "fired": count(),
        "passed_over": count(), "firing": or_null("object"), "last_fired": or_null("string"),
        "last_problem": or_null("object"), "ended": or_null("object"),
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
            "zone": {"type": ["string", "null"], "description": "Of the IANA; UTC where none is named"},
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
                "description": "The last event that it inherits; all, where none is named",
            },
            "decisions": list_of(decided),
            "inputs": {"type": "object"},
            "model": {"type": ["string", "null"]},
        })),
        "Forked": answered(json!({"mission": mission_id(), "of": mission_id()})),
        "Comparison": answered(json!({"a": {"type": "object"}, "b": {"type": "object"}})),
    })
}
