//! What the server can do, as OpenAPI 3.1. It is made of [`ROUTES`], so that it tells of every route, and of no other.

mod beside;
mod page;
mod schemas;

use adjutant_host::AccessRole;
use serde_json::{Map, Value, json};

use crate::access::{Permit, may};
use crate::routes::{ROUTES, Route};

pub(crate) use page::page;

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";

/// What there is to know of a route beside its path and who may take it.
struct Told {
    group: &'static str,
    summary: &'static str,
    /// Name, schema, and what it is.
    query: Vec<(&'static str, Value, &'static str)>,
    /// Which of them must be there.
    required: Option<&'static str>,
    headers: &'static [&'static str],
    /// The name of what must be sent.
    body: Option<&'static str>,
    /// Status, kind of content, and its schema's name.
    answers: Vec<(u16, &'static str, &'static str)>,
    refusals: &'static [u16],
}

impl Told {
    fn new(group: &'static str, summary: &'static str) -> Self {
        Self {
            group,
            summary,
            query: Vec::new(),
            required: None,
            headers: &[],
            body: None,
            answers: Vec::new(),
            refusals: &[],
        }
    }

    fn asks(mut self, name: &'static str, schema: Value, about: &'static str) -> Self {
        self.query.push((name, schema, about));
        self
    }

    /// What must be asked with.
    fn asks_for(self, name: &'static str, schema: Value, about: &'static str) -> Self {
        let mut told = self.asks(name, schema, about);
        told.required = Some(name);
        told
    }

    fn header(mut self, headers: &'static [&'static str]) -> Self {
        self.headers = headers;
        self
    }

    fn takes(mut self, schema: &'static str) -> Self {
        self.body = Some(schema);
        self
    }

    fn answers(mut self, status: u16, kind: &'static str, schema: &'static str) -> Self {
        self.answers.push((status, kind, schema));
        self
    }

    fn gives(self, schema: &'static str) -> Self {
        self.answers(200, JSON, schema)
    }

    fn refuses(mut self, statuses: &'static [u16]) -> Self {
        self.refusals = statuses;
        self
    }
}

const OF_A_MISSION: &[u16] = &[404, 410];
const OF_A_COMMAND: &[u16] = &[400, 404, 409, 410, 413, 422];
const OF_A_START: &[u16] = &[400, 409, 413, 422, 429, 507];
const REPEATABLE: &[&str] = &["Idempotency-Key"];

fn told(route: &Route) -> Option<Told> {
    let new = Told::new;
    let told = match (route.method, route.path) {
        ("GET", "/health") => new("About", "Whether the server is alive").gives("Alive"),
        ("GET", "/ready") => new("About", "Whether its store answers").gives("Ready"),
        ("GET", "/version") => new("About", "Which server it is").gives("Version"),
        ("GET", "/metrics") => {
            new("About", "What is counted, for Prometheus").answers(200, "text/plain", "Text")
        }
        ("GET", "/api/openapi.json") => new("About", "This description").gives("Anything"),
        ("GET", "/api/docs") => {
            new("About", "This description, to be read").answers(200, "text/html", "Text")
        }
        ("GET", "/api/access") => new("Access", "The keys that were given").gives("Keys"),
        ("POST", "/api/access") => new("Access", "Gives somebody a key; it is shown this once")
            .header(REPEATABLE)
            .takes("NewKey")
            .answers(201, JSON, "GivenKey")
            .answers(200, JSON, "GivenKey")
            .refuses(&[400, 413, 422]),
        ("DELETE", "/api/access/{key}") => new("Access", "Revokes a key, by its id or whose it is")
            .gives("Revoked")
            .refuses(&[404]),
        ("GET", "/api/agents") => {
            new("Catalogue", "Who works on missions, each with a fixed UUID").gives("Agents")
        }
        ("GET", "/api/catalogue") => {
            new("Catalogue", "The missions that can be started").gives("Catalogue")
        }
        ("GET", "/api/inbox") => {
            new("Questions", "The questions that wait for somebody").gives("Inbox")
        }
        ("GET", "/api/events") => new(
            "Missions",
            "The events of all missions, live, as server-sent events",
        )
        .header(&["Last-Event-ID"])
        .asks("after", schemas::place(), "The last event that was had")
        .answers(200, "text/event-stream", "Anything")
        .refuses(&[400]),
        ("GET", "/api/inbox/events") => new(
            "Questions",
            "What is asked and answered, live, as server-sent events",
        )
        .header(&["Last-Event-ID"])
        .asks("after", schemas::place(), "The last event that was had")
        .answers(200, "text/event-stream", "Anything")
        .refuses(&[400]),
        ("GET", "/api/missions") => new("Missions", "Missions, in the order of their starts")
            .asks(
                "phase",
                schemas::phases(),
                "Only of these phases, with commas between them",
            )
            .asks(
                "limit",
                json!({"type": "integer", "minimum": 1, "maximum": 500, "default": 50}),
                "How many at most",
            )
            .asks(
                "sort",
                json!({"enum": ["newest", "oldest"], "default": "newest"}),
                "Which come first",
            )
            .asks(
                "cursor",
                schemas::mission_id(),
                "`next_cursor` of the page before",
            )
            .gives("Missions")
            .refuses(&[400]),
        ("POST", "/api/missions") => new("Missions", "Starts a mission of the catalogue")
            .header(REPEATABLE)
            .takes("StartMission")
            .answers(201, JSON, "Started")
            .answers(200, JSON, "Started")
            .refuses(OF_A_START),
        ("GET", "/api/missions/{mission}") => new(
            "Missions",
            "Its passport: plan, tasks, agents, decisions, cost",
        )
        .header(&["If-None-Match"])
        .gives("Passport")
        .answers(304, "", "")
        .refuses(OF_A_MISSION),
        ("GET", "/api/missions/{mission}/agents") => {
            new("Missions", "Who works on it, at what, and what they used")
                .gives("MissionAgents")
                .refuses(OF_A_MISSION)
        }
        ("GET", "/api/missions/{mission}/ledger") => new(
            "Missions",
            "What it has used and holds in reserve, task by task",
        )
        .gives("Ledger")
        .refuses(OF_A_MISSION),
        ("GET", "/api/missions/{mission}/plan") => new("Missions", "Its plan as it is now")
            .gives("MissionPlan")
            .refuses(OF_A_MISSION),
        ("GET", "/api/missions/{mission}/tasks") => {
            new("Missions", "Its tasks, and how far each is")
                .gives("Tasks")
                .refuses(OF_A_MISSION)
        }
        ("GET", "/api/missions/{mission}/tasks/{task}") => new(
            "Missions",
            "A task with what it gave, and the steps of its reasoning",
        )
        .gives("Task")
        .refuses(OF_A_MISSION),
        ("POST", "/api/missions/{mission}/commands") => {
            new("Missions", "Pauses, resumes, changes or ends it")
                .header(REPEATABLE)
                .takes("Command")
                .gives("Done")
                .refuses(OF_A_COMMAND)
        }
        ("GET", "/api/missions/{mission}/events") => {
            new("Missions", "Its events, live, as server-sent events")
                .header(&["Last-Event-ID"])
                .asks("after", schemas::place(), "The last event that was had")
                .answers(200, "text/event-stream", "Anything")
                .refuses(&[400, 404, 410])
        }
        ("GET", "/api/missions/{mission}/report") => {
            let formats = json!({"enum": ["md", "html", "pdf", "docx", "json"], "default": "md"});
            new("Missions", "What it hands over")
                .asks("format", formats, "As what")
                .answers(200, "text/markdown", "Text")
                .answers(200, "text/html", "Text")
                .answers(200, "application/pdf", "Text")
                .answers(200, schemas::DOCX, "Text")
                .answers(200, JSON, "Anything")
                .refuses(&[400, 404, 409, 410])
        }
        ("GET", "/api/missions/{mission}/checkpoints") => {
            new("Questions", "Its questions in full, and what was answered")
                .gives("Checkpoints")
                .refuses(OF_A_MISSION)
        }
        ("POST", "/api/missions/{mission}/checkpoints/{number}/claim") => {
            new("Questions", "Keeps a question for yourself for an hour")
                .header(REPEATABLE)
                .gives("Done")
                .refuses(OF_A_COMMAND)
        }
        ("POST", "/api/missions/{mission}/checkpoints/{number}/release") => {
            new("Questions", "Gives a claimed question back")
                .header(REPEATABLE)
                .gives("Done")
                .refuses(OF_A_COMMAND)
        }
        ("POST", "/api/missions/{mission}/checkpoints/{number}/decision") => {
            new("Questions", "Answers a question")
                .header(REPEATABLE)
                .takes("Decision")
                .gives("Done")
                .refuses(OF_A_COMMAND)
        }
        ("POST", "/api/mode3/stream") => new("Mode 3", "Starts a session, and streams its events")
            .header(&["Idempotency-Key", "Last-Event-ID"])
            .takes("Mode3Request")
            .answers(200, "text/event-stream", "Anything")
            .refuses(OF_A_START),
        ("POST", "/api/mode3/hitl/{session_id}/respond") => {
            new("Mode 3", "Answers a checkpoint of a session")
                .header(REPEATABLE)
                .takes("HitlResponse")
                .gives("Mode3Accepted")
                .refuses(OF_A_COMMAND)
        }
        ("GET", "/api/mode3/{session_id}/status") => new("Mode 3", "Where a session stands")
            .gives("Mode3Status")
            .refuses(OF_A_MISSION),
        ("POST", "/api/mode3/{session_id}/cancel") => new("Mode 3", "Cancels a session")
            .header(REPEATABLE)
            .gives("Mode3Cancelled")
            .refuses(OF_A_COMMAND),
        _ => return beside::told(route),
    };
    Some(told)
}

/// The description.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation(route);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Adjutant",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Missions: long work of agents under human supervision, started, followed and decided over HTTP.",
        },
        "paths": paths,
        "security": [{"token": []}],
        "components": {
            "schemas": schemas::all(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn operation(route: &Route) -> Value {
    let Some(told) = told(route) else {
        return json!({});
    };
    let mut parameters = in_path(route.path);
    for (name, schema, about) in &told.query {
        parameters.push(json!({
            "name": name, "in": "query", "description": about, "schema": schema,
            "required": told.required == Some(*name),
        }));
    }
    for name in told.headers {
        parameters.push(json!({
            "name": name, "in": "header", "schema": schemas::header(name),
        }));
    }
    let mut operation = json!({
        "operationId": operation_id(route),
        "tags": [told.group],
        "summary": told.summary,
        "description": for_whom(route.permit),
        "parameters": parameters,
        "responses": responses(route, &told),
    });
    if let Some(body) = told.body {
        operation["requestBody"] = json!({
            "required": true,
            "content": {JSON: {"schema": reference(body)}},
        });
    }
    if route.permit == Permit::Anybody {
        operation["security"] = json!([]);
    }
    operation
}

fn operation_id(route: &Route) -> String {
    let words = route.path.split(|char: char| !char.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && *word != "api");
    let words: Vec<&str> = words.collect();
    format!("{}_{}", route.method.to_lowercase(), words.join("_"))
}

fn in_path(path: &str) -> Vec<Value> {
    let names = path
        .split('{')
        .skip(1)
        .filter_map(|at| at.split('}').next());
    let parameters = names.map(|name| {
        json!({
            "name": name, "in": "path", "required": true, "schema": schemas::in_path(name),
        })
    });
    parameters.collect()
}

/// Which roles may take a route, in words.
fn for_whom(permit: Permit) -> String {
    if permit == Permit::Anybody {
        return "For everybody, without a token.".to_owned();
    }
    let roles = AccessRole::ALL
        .into_iter()
        .filter(|role| may(*role, permit));
    let roles: Vec<&str> = roles.map(AccessRole::name).collect();
    format!("For {}.", roles.join(", "))
}

fn responses(route: &Route, told: &Told) -> Value {
    let mut responses = Map::new();
    for (status, kind, schema) in &told.answers {
        let said = responses
            .entry(status.to_string())
            .or_insert_with(|| json!({"description": reason(*status)}));
        if !kind.is_empty() {
            said["content"][*kind] = json!({"schema": reference(schema)});
        }
    }
    let signed_in: &[u16] = match route.permit {
        Permit::Anybody => &[],
        _ => &[401, 403],
    };
    let refusals = signed_in.iter().chain(told.refusals);
    for status in refusals.chain(&[421, 503]) {
        responses.insert(status.to_string(), problem(reason(*status)));
    }
    responses.insert(
        "default".to_owned(),
        problem("Whatever else cannot be served"),
    );
    Value::Object(responses)
}

fn problem(about: &str) -> Value {
    json!({"description": about, "content": {PROBLEM: {"schema": reference("Problem")}}})
}

fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

fn reason(status: u16) -> &'static str {
    let status = axum::http::StatusCode::from_u16(status).ok();
    status
        .and_then(|status| status.canonical_reason())
        .unwrap_or("Problem")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_route_is_told_of() {
        for route in ROUTES {
            assert!(told(route).is_some(), "{} {}", route.method, route.path);
        }
    }

    #[test]
    fn whatever_is_referred_to_is_there() {
        let document = document();
        let text = document.to_string();
        let referred = text.split("#/components/schemas/").skip(1);
        let referred: BTreeSet<&str> = referred.filter_map(|at| at.split('"').next()).collect();
        let known = document["components"]["schemas"].as_object();
        let known: BTreeSet<&str> = known
            .into_iter()
            .flat_map(|known| known.keys().map(String::as_str))
            .collect();
        assert_eq!(referred, known);
    }

    #[test]
    fn operations_have_names_of_their_own() {
        let ids: BTreeSet<String> = ROUTES.iter().map(operation_id).collect();
        assert_eq!(ids.len(), ROUTES.len());
    }
}
