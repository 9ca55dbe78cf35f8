//! Workflows of programs over HTTP, and over MCP: the same tools, with the rights of the access token.

use std::sync::Arc;

use adjutant_app::workflow::ProgramTools;
use adjutant_mcp_server::{Handler, answer_http};
use adjutant_store::Store;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::entry::{RouteEntry, get, post};
use super::{json as answer, known, mission_id, read};
use crate::access::{Authority, Permit};
use crate::openapi::{REPEATABLE, describe, schemas};
use crate::{App, Problem, idempotency};

/// How programs that call over HTTP are recorded.
const CLIENT: &str = "http";
pub(super) const MCP: &str = "/mcp";
/// Where RFC 9728 has clients look for what `/mcp` wants of them.
const METADATA: &str = "/.well-known/oauth-protected-resource/mcp";
const REFUSALS: &[u16] = &[400, 403, 404, 409, 410, 413, 422];

pub(super) fn table<S: Store>() -> Vec<RouteEntry<S>> {
    let about = |what| describe("Workflows", what);
    vec![
        post(
            "/api/workflow/execute",
            Permit::Start,
            execute::<S>,
            about("Runs a workflow: a graph of tasks, or an intent; or answers a suggestion")
                .header(REPEATABLE)
                .body("ExecuteWorkflow")
                .returns_json("Workflow")
                .refuses(&[400, 403, 404, 409, 413, 422, 429, 507]),
        ),
        post(
            "/api/workflow/{mission}/continue",
            Permit::Start,
            go_on::<S>,
            about("Continues, changes or aborts a workflow after the validation of a layer")
                .header(REPEATABLE)
                .body("ContinueWorkflow")
                .returns_json("Workflow")
                .refuses(REFUSALS),
        ),
        get(
            "/api/workflow/{mission}/status",
            Permit::Read,
            status::<S>,
            about("How a workflow stands")
                .query(
                    "results",
                    json!({ "type": "boolean" }),
                    "Whether outputs are included",
                )
                .query(
                    "wait_seconds",
                    json!({ "type": "integer", "minimum": 0, "maximum": 25 }),
                    "How long to wait until it rests; 0 if it is left out",
                )
                .returns_json("Workflow")
                .refuses(&[400, 404, 410, 422]),
        ),
        get(
            "/api/workflow/{mission}/checkpoint",
            Permit::Read,
            checkpoint::<S>,
            about("What a workflow waits for, with the results so far")
                .returns_json("Workflow")
                .refuses(&[404, 410, 422]),
        ),
        get(
            METADATA,
            Permit::Anybody,
            metadata::<S>,
            about("How programs are let in at /mcp, for OAuth discovery").returns_json("Anything"),
        ),
        post(
            MCP,
            Permit::Read,
            mcp::<S>,
            about("MCP over streamable HTTP, without sessions")
                .body("Anything")
                .returns_json("Anything")
                .refuses(&[400, 413]),
        ),
    ]
}

async fn call<S: Store>(
    app: &App<S>,
    authority: &Authority,
    tool: &str,
    arguments: Map<String, Value>,
) -> Result<Response, Problem> {
    let caller = authority.program().named(CLIENT).over_requests();
    let told = app
        .use_cases
        .call(&caller, tool, Value::Object(arguments))
        .await?;
    Ok(answer(StatusCode::OK, &told))
}

/// The fields of a body, with the key of the request's header.
fn fields(headers: &HeaderMap, body: &[u8]) -> Result<Map<String, Value>, Problem> {
    let mut fields: Map<String, Value> = match body.is_empty() {
        true => Map::new(),
        false => read(body)?,
    };
    if let Some(key) = idempotency::key_of(headers)? {
        fields.insert("idempotency_key".into(), key.into());
    }
    Ok(fields)
}

async fn execute<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let arguments = fields(&headers, &body)?;
    call(&app, &authority, "execute_workflow", arguments).await
}

async fn go_on<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(workflow): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    known(&app, mission_id(&workflow)?).await?;
    let mut arguments = fields(&headers, &body)?;
    let value = arguments
        .remove("value")
        .unwrap_or_else(|| "continue".into());
    let tool = match value.as_str() {
        Some("continue") => "continue",
        Some("replan") => "replan_dag",
        Some("abort") => "abort",
        _ => {
            return Err(Problem::malformed(
                "`value` is `continue`, `replan` or `abort`",
            ));
        }
    };
    if tool != "replan_dag" {
        // Repeating these changes nothing more anyway.
        arguments.remove("idempotency_key");
    }
    arguments.insert("workflow_id".into(), workflow.into());
    call(&app, &authority, tool, arguments).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    results: Option<bool>,
    #[serde(default)]
    wait_seconds: u64,
}

async fn status<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(workflow): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let known = known(&app, mission_id(&workflow)?).await;
    let mut arguments = of(&workflow, asked.wait_seconds);
    arguments.insert("results".into(), asked.results.unwrap_or(true).into());
    let Err(unknown) = known else {
        return call(&app, &authority, "workflow_status", arguments).await;
    };
    // A suggestion that waits for a choice, or was declined, is no mission.
    let caller = authority.program().named(CLIENT).over_requests();
    let told = app
        .use_cases
        .call(&caller, "workflow_status", Value::Object(arguments))
        .await;
    match told {
        Ok(told) if matches!(told["status"].as_str(), Some("ail_required" | "aborted")) => {
            Ok(answer(StatusCode::OK, &told))
        }
        _ => Err(unknown),
    }
}

async fn checkpoint<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(workflow): Path<String>,
) -> Result<Response, Problem> {
    known(&app, mission_id(&workflow)?).await?;
    call(&app, &authority, "workflow_status", of(&workflow, 0)).await
}

fn of(workflow: &str, wait_seconds: u64) -> Map<String, Value> {
    let mut arguments = Map::new();
    arguments.insert("workflow_id".into(), workflow.into());
    arguments.insert("wait_seconds".into(), wait_seconds.into());
    arguments
}

/// The address of this server as the caller knows it.
fn base<S: Store>(app: &App<S>, headers: &HeaderMap) -> String {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let scheme = if app.is_encrypted { "https" } else { "http" };
    // A host that is none of ours was refused before.
    format!("{scheme}://{}", host.unwrap_or_default())
}

/// Tokens are made with `adjutant access add`. A server that gives them out would be named here.
async fn metadata<S: Store>(State(app): State<Arc<App<S>>>, headers: HeaderMap) -> Response {
    let told = json!({
        "resource": format!("{}{MCP}", base(&app, &headers)),
        "resource_name": "Adjutant",
        "bearer_methods_supported": ["header"],
    });
    answer(StatusCode::OK, &told)
}

/// A refusal that tells a program where it learns how to be let in.
pub(super) fn challenge<S: Store>(app: &App<S>, headers: &HeaderMap, problem: Problem) -> Response {
    let place = format!("{}{METADATA}", base(app, headers));
    let mut response = problem.into_response();
    if let Ok(challenge) = format!("Bearer resource_metadata=\"{place}\"").parse() {
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

async fn mcp<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let message: Value = read(&body)?;
    if !message["jsonrpc"].is_string() {
        return Err(Problem::malformed("the body is no message of JSON-RPC"));
    }
    let caller = authority.program();
    let tools: Arc<dyn ProgramTools> = Arc::clone(&app.use_cases) as _;
    let handler = Handler::new(tools, Arc::new(move |_| Some(caller.clone())));
    let mut request = Request::new(Body::from(body));
    *request.method_mut() = Method::POST;
    *request.headers_mut() = headers;
    Ok(answer_http(handler, request).await.map(Body::new))
}

/// The schemas of bodies, by name.
pub(crate) fn bodies() -> [(&'static str, Value); 3] {
    let tool = |name: &str| {
        let tool = adjutant_app::workflow::TOOLS
            .iter()
            .find(|tool| tool.name == name);
        tool.map_or(Value::Null, |tool| (tool.schema)())
    };
    let mut go_on = tool("replan_dag");
    if let Some(fields) = go_on["properties"].as_object_mut() {
        fields.remove("workflow_id");
        fields.insert(
            "value".into(),
            json!({ "enum": ["continue", "replan", "abort"], "default": "continue" }),
        );
        fields.insert(
            "checkpoint".into(),
            json!({ "type": "integer", "minimum": 0 }),
        );
        fields.insert("reason".into(), schemas::text());
    }
    go_on["required"] = json!([]);
    let answered = schemas::answered(json!({
        "status": { "enum": ["ail_required", "awaiting_approval", "layer_complete", "running", "complete", "failed", "aborted"] },
        "workflow_id": schemas::mission_id(),
    }));
    [
        ("ExecuteWorkflow", tool("execute_workflow")),
        ("ContinueWorkflow", go_on),
        ("Workflow", answered),
    ]
}
