//! The one route table: method, path, permission, handler, description. The router, the permission check and the OpenAPI
//! document derive from it; what is not listed here does not exist.

use std::sync::LazyLock;

use adjutant_store::{MemoryStore, Store};
use serde_json::json;

use super::entry::{Route, RouteEntry, delete, get, post, put};
use super::{
    about, analytics, answer, artifacts, audit, checkpoints, events, forks, keys, library, metrics,
    missions, mode3, parts, triggers, upkeep, workflows,
};
use crate::access::Permit;
use crate::openapi::{Description, JSON, REPEATABLE, describe, schemas};

const MISSION_REFUSALS: &[u16] = &[404, 410];
const COMMAND_REFUSALS: &[u16] = &[400, 404, 409, 410, 413, 422];
const START_REFUSALS: &[u16] = &[400, 409, 413, 422, 429, 507];

/// Every route there is.
pub static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    table::<MemoryStore>()
        .into_iter()
        .map(|entry| entry.route)
        .collect()
});

/// The permission that a route requires; `None` if the path does not support the method.
pub(crate) fn permit_of(method: &str, path: &str) -> Option<Permit> {
    let route = ROUTES
        .iter()
        .find(|route| route.method == method && route.path == path);
    route.map(|route| route.permit)
}

pub(crate) fn table<S: Store>() -> Vec<RouteEntry<S>> {
    let mut all = Vec::new();
    all.extend(about_routes());
    all.extend(access_routes());
    all.extend(mode3_routes());
    all.extend(questions_routes());
    all.extend(mail_routes());
    all.extend(mission_results_routes());
    all.extend(missions_routes());
    all.extend(catalogue_routes());
    all.extend(triggers_routes());
    all.extend(operations_routes());
    all.extend(workflows::table());
    all
}

/// The server itself.
fn about_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        get(
            "/health",
            Permit::Anybody,
            about::health,
            describe("About", "Whether the server is alive").returns_json("Alive"),
        ),
        get(
            "/ready",
            Permit::Anybody,
            about::ready::<S>,
            describe("About", "Whether the server is ready: its store responds")
                .returns_json("Ready"),
        ),
        get(
            "/version",
            Permit::Anybody,
            about::version,
            describe("About", "The server's name and version").returns_json("Version"),
        ),
        get(
            "/metrics",
            Permit::Read,
            metrics::scrape::<S>,
            describe("About", "Metrics in the Prometheus text format").returns(
                200,
                "text/plain",
                "Text",
            ),
        ),
        get(
            "/api/docs",
            Permit::Anybody,
            about::docs,
            describe("About", "The API reference as an HTML page").returns(
                200,
                "text/html",
                "Text",
            ),
        ),
        get(
            "/api/openapi.json",
            Permit::Anybody,
            about::openapi,
            describe("About", "The API reference as an OpenAPI 3.1 document")
                .returns_json("Anything"),
        ),
    ]
}

/// Keys of callers.
fn access_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        get(
            "/api/access",
            Permit::Admit,
            keys::list::<S>,
            describe("Access", "Lists the access tokens").returns_json("Keys"),
        ),
        post(
            "/api/access",
            Permit::Admit,
            keys::give::<S>,
            describe(
                "Access",
                "Creates an access token; the key is shown only once",
            )
            .header(REPEATABLE)
            .body("NewKey")
            .returns(201, JSON, "GivenKey")
            .returns(200, JSON, "GivenKey")
            .refuses(&[400, 413, 422]),
        ),
        delete(
            "/api/access/{key}",
            Permit::Admit,
            keys::revoke::<S>,
            describe("Access", "Revokes a key by its id, or all keys of a person")
                .returns_json("Revoked")
                .refuses(&[404]),
        ),
    ]
}

/// The Mode 3 API.
fn mode3_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        post(
            "/api/mode3/stream",
            Permit::Start,
            mode3::stream::<S>,
            describe("Mode 3", "Starts a session and streams its events")
                .header(&["Idempotency-Key", "Last-Event-ID"])
                .body("Mode3Request")
                .returns(200, "text/event-stream", "Anything")
                .refuses(START_REFUSALS),
        ),
        post(
            "/api/mode3/hitl/{session_id}/respond",
            Permit::Decide,
            mode3::respond::<S>,
            describe("Mode 3", "Answers a checkpoint of a session")
                .header(REPEATABLE)
                .body("HitlResponse")
                .returns_json("Mode3Accepted")
                .refuses(COMMAND_REFUSALS),
        ),
        get(
            "/api/mode3/{session_id}/status",
            Permit::Read,
            mode3::status::<S>,
            describe("Mode 3", "The status of a session")
                .returns_json("Mode3Status")
                .refuses(MISSION_REFUSALS),
        ),
        post(
            "/api/mode3/{session_id}/cancel",
            Permit::Steer,
            mode3::cancel::<S>,
            describe("Mode 3", "Cancels a session")
                .header(REPEATABLE)
                .returns_json("Mode3Cancelled")
                .refuses(COMMAND_REFUSALS),
        ),
    ]
}

/// Questions to people.
fn questions_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        get(
            "/api/inbox",
            Permit::Read,
            checkpoints::inbox::<S>,
            describe("Questions", "Lists the open questions").returns_json("Inbox"),
        ),
        get(
            "/api/inbox/events",
            Permit::Read,
            events::inbox::<S>,
            describe(
                "Questions",
                "Questions and answers as they happen, as server-sent events",
            )
            .header(&["Last-Event-ID"])
            .query(
                "after",
                schemas::place(),
                "The id of the last event received; the stream continues after it",
            )
            .returns(200, "text/event-stream", "Anything")
            .refuses(&[400]),
        ),
        get(
            "/api/missions/{mission}/checkpoints",
            Permit::Read,
            checkpoints::list::<S>,
            describe(
                "Questions",
                "A mission's questions in full, with the answers",
            )
            .returns_json("Checkpoints")
            .refuses(MISSION_REFUSALS),
        ),
        post(
            "/api/missions/{mission}/checkpoints/{number}/claim",
            Permit::Decide,
            checkpoints::claim::<S>,
            describe(
                "Questions",
                "Reserves a question for the caller for an hour",
            )
            .header(REPEATABLE)
            .returns_json("Done")
            .refuses(COMMAND_REFUSALS),
        ),
        post(
            "/api/missions/{mission}/checkpoints/{number}/decision",
            Permit::Decide,
            checkpoints::decide::<S>,
            describe("Questions", "Answers a question")
                .header(REPEATABLE)
                .body("Decision")
                .returns_json("Done")
                .refuses(COMMAND_REFUSALS),
        ),
        post(
            "/api/missions/{mission}/checkpoints/{number}/release",
            Permit::Decide,
            checkpoints::release::<S>,
            describe("Questions", "Releases a claimed question")
                .header(REPEATABLE)
                .returns_json("Done")
                .refuses(COMMAND_REFUSALS),
        ),
    ]
}

/// Answers out of mails. The token in the path is the authority.
fn mail_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        get(
            "/answer/{token}",
            Permit::Anybody,
            answer::show::<S>,
            describe(
                "Questions",
                "The page behind a link in a mail: a question with a form; changes nothing",
            )
            .returns_pages(&[200, 404, 410, 503]),
        ),
        post(
            "/answer/{token}",
            Permit::Anybody,
            answer::take::<S>,
            describe(
                "Questions",
                "Answers a question as the person to whom the link was mailed",
            )
            .form("AnswerForm")
            .returns_pages(&[200, 400, 403, 404, 409, 410, 415, 422, 503])
            .refuses(&[413]),
        ),
    ]
}

/// Results of missions, forks and comparisons.
fn mission_results_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        get(
            "/api/missions/{mission}/artifacts",
            Permit::Read,
            artifacts::artifacts::<S>,
            describe("Missions", "Lists the outputs of a mission's tasks")
                .returns_json("Artifacts")
                .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/artifacts/{artifact}",
            Permit::Read,
            artifacts::artifact::<S>,
            describe("Missions", "One output, as the task returned it")
                .returns_json("Anything")
                .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/calls",
            Permit::Read,
            artifacts::calls::<S>,
            describe("Missions", "Every tool call and model call, with its cost")
                .returns_json("Calls")
                .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/checks",
            Permit::Read,
            artifacts::checks::<S>,
            describe(
                "Missions",
                "Gate verdicts, confidence checks and denied tool calls",
            )
            .returns_json("Checks")
            .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/citations",
            Permit::Read,
            artifacts::citations::<S>,
            describe("Missions", "The source passages that its findings cite")
                .returns_json("Citations")
                .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/compare/{other}",
            Permit::Read,
            forks::compare::<S>,
            describe("Missions", "Compares two missions")
                .returns_json("Comparison")
                .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/export",
            Permit::Export,
            forks::export::<S>,
            describe(
                "Missions",
                "Exports a mission's journal as a file; the content stays encrypted",
            )
            .returns(200, "application/x-ndjson", "Text")
            .refuses(&[404, 413]),
        ),
        post(
            "/api/missions/{mission}/fork",
            Permit::Start,
            forks::fork::<S>,
            describe(
                "Missions",
                "Starts a new mission from an event of this one, optionally with changes",
            )
            .header(REPEATABLE)
            .body("Fork")
            .returns(201, JSON, "Forked")
            .returns(200, JSON, "Forked")
            .refuses(&[400, 404, 409, 410, 413, 422, 429, 507]),
        ),
        get(
            "/api/missions/{mission}/steps",
            Permit::Read,
            artifacts::steps::<S>,
            describe("Missions", "The reasoning steps of all its agents")
                .returns_json("Steps")
                .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/report",
            Permit::Read,
            missions::report::<S>,
            {
                let formats =
                    json!({"enum": ["md", "html", "pdf", "docx", "json"], "default": "md"});
                describe("Missions", "The mission's report")
                    .query("format", formats, "The file format")
                    .returns(200, "text/markdown", "Text")
                    .returns(200, "text/html", "Text")
                    .returns(200, "application/pdf", "Text")
                    .returns(200, schemas::DOCX, "Text")
                    .returns(200, JSON, "Anything")
                    .refuses(&[400, 404, 409, 410])
            },
        ),
    ]
}

/// Starting, steering and reading missions.
fn missions_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        get(
            "/api/events",
            Permit::Read,
            events::all::<S>,
            describe(
                "Missions",
                "The events of all missions as they happen, as server-sent events",
            )
            .header(&["Last-Event-ID"])
            .query(
                "after",
                schemas::place(),
                "The id of the last event received; the stream continues after it",
            )
            .returns(200, "text/event-stream", "Anything")
            .refuses(&[400]),
        ),
        get(
            "/api/missions",
            Permit::Read,
            missions::list::<S>,
            describe("Missions", "Lists missions by start time")
                .query(
                    "phase",
                    schemas::phases(),
                    "Only missions in these phases, separated by commas",
                )
                .query(
                    "limit",
                    json!({"type": "integer", "minimum": 1, "maximum": 500, "default": 50}),
                    "The maximum number of results",
                )
                .query(
                    "sort",
                    json!({"enum": ["newest", "oldest"], "default": "newest"}),
                    "The sort order",
                )
                .query(
                    "cursor",
                    schemas::mission_id(),
                    "`next_cursor` of the previous page",
                )
                .returns_json("Missions")
                .refuses(&[400]),
        ),
        post(
            "/api/missions",
            Permit::Start,
            missions::start::<S>,
            describe("Missions", "Starts a mission of the catalogue")
                .header(REPEATABLE)
                .body("StartMission")
                .returns(201, JSON, "Started")
                .returns(200, JSON, "Started")
                .refuses(START_REFUSALS),
        ),
        get(
            "/api/missions/{mission}",
            Permit::Read,
            missions::show::<S>,
            describe(
                "Missions",
                "A mission's passport: plan, tasks, agents, decisions and cost",
            )
            .header(&["If-None-Match"])
            .returns_json("Passport")
            .returns(304, "", "")
            .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/agents",
            Permit::Read,
            parts::agents::<S>,
            describe("Missions", "A mission's agents, with their tasks and usage")
                .returns_json("MissionAgents")
                .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/ledger",
            Permit::Read,
            parts::ledger::<S>,
            describe(
                "Missions",
                "What the mission has used and reserved, by task",
            )
            .returns_json("Ledger")
            .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/plan",
            Permit::Read,
            parts::plan::<S>,
            describe("Missions", "The mission's current plan")
                .returns_json("MissionPlan")
                .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/tasks",
            Permit::Read,
            parts::tasks::<S>,
            describe("Missions", "Lists a mission's tasks with their status")
                .returns_json("Tasks")
                .refuses(MISSION_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/tasks/{task}",
            Permit::Read,
            parts::task::<S>,
            describe("Missions", "A task with its output and its reasoning steps")
                .returns_json("Task")
                .refuses(MISSION_REFUSALS),
        ),
        post(
            "/api/missions/{mission}/commands",
            Permit::Steer,
            missions::command::<S>,
            describe("Missions", "Pauses, resumes, changes or cancels a mission")
                .header(REPEATABLE)
                .body("Command")
                .returns_json("Done")
                .refuses(COMMAND_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/rating",
            Permit::Read,
            analytics::ratings::<S>,
            describe(
                "Missions",
                "What can be rated of a mission, and its ratings",
            )
            .returns_json("Ratings")
            .refuses(MISSION_REFUSALS),
        ),
        put(
            "/api/missions/{mission}/rating",
            Permit::Rate,
            analytics::rate::<S>,
            describe(
                "Missions",
                "Rates a mission that has ended; the same person's rating is replaced",
            )
            .body("NewRating")
            .returns_json("Rated")
            .refuses(COMMAND_REFUSALS),
        ),
        get(
            "/api/missions/{mission}/events",
            Permit::Read,
            events::follow::<S>,
            describe(
                "Missions",
                "A mission's events as they happen, as server-sent events",
            )
            .header(&["Last-Event-ID"])
            .query(
                "after",
                schemas::place(),
                "The id of the last event received; the stream continues after it",
            )
            .returns(200, "text/event-stream", "Anything")
            .refuses(&[400, 404, 410]),
        ),
    ]
}

/// Agents, missions, knowledge bases and tools.
fn catalogue_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        get(
            "/api/agents",
            Permit::Read,
            about::agents,
            describe("Catalogue", "Lists the agents, each with a fixed UUID")
                .returns_json("Agents"),
        ),
        get(
            "/api/catalogue",
            Permit::Read,
            about::catalogue::<S>,
            describe("Catalogue", "Lists the missions that can be started")
                .returns_json("Catalogue"),
        ),
        get(
            "/api/knowledge_bases",
            Permit::Read,
            library::bases::<S>,
            describe(
                "Catalogue",
                "Lists the knowledge bases that missions may read",
            )
            .returns_json("Bases"),
        ),
        get(
            "/api/knowledge_bases/{base}",
            Permit::Read,
            library::documents::<S>,
            describe("Catalogue", "Lists the documents of a knowledge base")
                .returns_json("Documents")
                .refuses(&[404]),
        ),
        get(
            "/api/knowledge_bases/{base}/search",
            Permit::Read,
            library::search::<S>,
            {
                let query = json!({"type": "string", "minLength": 1, "maxLength": 2000});
                let limit = json!({"type": "integer", "minimum": 1, "maximum": 100, "default": 5});
                describe(
                    "Catalogue",
                    "Searches a knowledge base; the best passages come first",
                )
                .required_query("query", query, "The search text")
                .query("limit", limit, "The maximum number of results")
                .returns_json("Passages")
                .refuses(&[400, 404])
            },
        ),
        get(
            "/api/tools",
            Permit::Read,
            library::tools::<S>,
            describe("Catalogue", "Lists the tools with their manifests").returns_json("Tools"),
        ),
    ]
}

/// Schedules.
fn triggers_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        get(
            "/api/triggers",
            Permit::Read,
            triggers::list::<S>,
            describe(
                "Triggers",
                "Lists the triggers: schedules that start or inform missions",
            )
            .returns_json("Triggers"),
        ),
        post(
            "/api/triggers",
            Permit::Steer,
            triggers::add::<S>,
            describe("Triggers", "Creates a trigger")
                .header(REPEATABLE)
                .body("NewTrigger")
                .returns(201, JSON, "Trigger")
                .returns(200, JSON, "Trigger")
                .refuses(&[400, 404, 409, 413, 422]),
        ),
        delete(
            "/api/triggers/{trigger}",
            Permit::Steer,
            triggers::cancel::<S>,
            describe("Triggers", "Cancels a trigger")
                .returns_json("Cancelled")
                .refuses(&[404, 409]),
        ),
    ]
}

/// For operators: audit, accounts, stops.
fn operations_routes<S: Store>() -> Vec<RouteEntry<S>> {
    vec![
        get(
            "/api/accounts",
            Permit::Read,
            upkeep::accounts::<S>,
            describe(
                "Operations",
                "Lists the accounts, with their spending and limits",
            )
            .returns_json("Accounts"),
        ),
        put(
            "/api/accounts",
            Permit::Steer,
            upkeep::set_caps::<S>,
            describe("Operations", "Replaces all limits of an account")
                .body("Caps")
                .returns_json("Caps")
                .refuses(&[400, 413]),
        ),
        get(
            "/api/analytics",
            Permit::Read,
            analytics::figures::<S>,
            describe(
                "Operations",
                "How well missions go: figures, each with its target and the number of cases",
            )
            .query(
                "since",
                schemas::text(),
                "Only missions that ended since: `30d`, `12h`, or a day such as 2026-11-01",
            )
            .query(
                "by",
                json!({"enum": ["type", "agent", "tenant", "week"]}),
                "Also the figures of each group",
            )
            .returns_json("Analytics")
            .refuses(&[400, 422]),
        ),
        get(
            "/api/audit",
            Permit::Audit,
            audit::list::<S>,
            audit_query(describe("Operations", "The audit log: who did what"))
                .query(
                    "limit",
                    json!({"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}),
                    "The maximum number of results",
                )
                .returns_json("Audit"),
        ),
        get(
            "/api/audit/export",
            Permit::Audit,
            audit::export::<S>,
            audit_query(describe(
                "Operations",
                "The complete audit log, as JSON lines",
            ))
            .query("limit", json!({"type": "integer"}), "Ignored")
            .returns(200, "application/x-ndjson", "Text"),
        ),
        get(
            "/api/stats",
            Permit::Read,
            upkeep::stats::<S>,
            describe("Operations", "Counts of missions and questions, and usage")
                .returns_json("Stats"),
        ),
        get(
            "/api/stops",
            Permit::Read,
            upkeep::stops::<S>,
            describe("Operations", "Lists the active stops").returns_json("Stops"),
        ),
        post(
            "/api/stops",
            Permit::Steer,
            upkeep::stop::<S>,
            describe(
                "Operations",
                "Stops a tool, a model provider, the tenant or everything",
            )
            .header(REPEATABLE)
            .body("NewStop")
            .returns(201, JSON, "Stopped")
            .returns(200, JSON, "Stopped")
            .refuses(&[400, 409, 413, 422]),
        ),
        delete(
            "/api/stops/{kind}",
            Permit::Steer,
            upkeep::allow::<S>,
            describe(
                "Operations",
                "Lifts the stop of the tenant or of everything",
            )
            .returns_json("Allowed")
            .refuses(&[404, 422]),
        ),
        delete(
            "/api/stops/{kind}/{name}",
            Permit::Steer,
            upkeep::allow_one::<S>,
            describe("Operations", "Lifts the stop of a tool or a provider")
                .returns_json("Allowed")
                .refuses(&[404, 422]),
        ),
    ]
}

/// How the audit can be filtered.
fn audit_query(description: Description) -> Description {
    description
        .query(
            "kind",
            schemas::text(),
            "Only entries of these kinds, separated by commas",
        )
        .query(
            "who",
            schemas::text(),
            "Only entries of this person or program",
        )
        .query(
            "mission",
            schemas::mission_id(),
            "Only entries of this mission",
        )
        .query(
            "from",
            schemas::instant(),
            "Only entries at or after this time",
        )
        .query("until", schemas::instant(), "Only entries before this time")
        .query(
            "cursor",
            schemas::place(),
            "`next_cursor` of the previous page",
        )
        .refuses(&[400])
}
