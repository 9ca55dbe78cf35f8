//! What all routes have in common: admission, limits, headers, errors. The routes themselves are listed in `table.rs`.

mod about;
mod analytics;
mod answer;
mod artifacts;
mod audit;
mod calls;
mod checkpoints;
mod entry;
mod events;
mod forks;
mod keys;
mod library;
mod metrics;
mod missions;
mod mode3;
mod parts;
mod table;
mod triggers;
mod upkeep;
mod workflows;

use std::sync::Arc;
use std::time::Instant;

use adjutant_host::AccessRole;
use adjutant_mission::{AgentId, MissionId};
use adjutant_store::Store;
use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{
    DefaultPredicate, NotForContentType, Predicate, SizeAbove,
};

use crate::access::{Authority, Permit, may, signed_in};
use crate::log::Logged;
use crate::problem::Code;
use crate::request_body::{BodyBounds, taken_in};
use crate::{App, Problem, sign_ins};

pub use entry::Route;
pub(crate) use missions::WORDS_CHARS_MAX;
pub use table::ROUTES;
use table::permit_of;
pub(crate) use table::table;
pub(crate) use workflows::bodies as workflow_bodies;

/// A mission with its attachments.
const BODY_BYTES_MAX: usize = 8 * 1024 * 1024;
const BODY_BOUNDS: BodyBounds = BodyBounds::new(BODY_BYTES_MAX);
/// From callers who are not signed in: a form with a note.
const ANYBODYS_BODY_BOUNDS: BodyBounds = BodyBounds::new(128 * 1024);
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const REQUEST_ID_CHARS_MAX: usize = 64;
const REFUSAL_BYTES_MAX: usize = 16 * 1024;
/// What is smaller fits into a packet as it is.
const COMPRESSED_BYTES_MIN: u64 = 1_024;

pub(crate) fn router<S: Store>(app: Arc<App<S>>) -> Router {
    let routes = table::<S>().into_iter();
    routes
        .fold(Router::new(), |router, entry| {
            router.route(entry.route.path, entry.handler)
        })
        .method_not_allowed_fallback(wrong_method)
        .route_layer(middleware::from_fn_with_state(Arc::clone(&app), admit::<S>))
        .fallback(nothing_here)
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            around::<S>,
        ))
        .layer(compression())
        .with_state(app)
}

/// What is large goes out compressed to those who take it so: neither events, which go out one by one, nor documents
/// that are compressed already.
fn compression() -> CompressionLayer<impl Predicate> {
    let worth = DefaultPredicate::new()
        .and(SizeAbove::new(COMPRESSED_BYTES_MIN))
        .and(NotForContentType::const_new("application/pdf"))
        .and(NotForContentType::const_new(
            "application/vnd.openxmlformats",
        ));
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(worth)
}

/// Wraps every request: checks that it is meant for this server, adds a request id and security headers, counts and logs.
async fn around<S: Store>(
    State(app): State<Arc<App<S>>>,
    request: Request,
    next: Next,
) -> Response {
    let id = request_id(request.headers());
    let began = Instant::now();
    let method = request.method().clone();
    let path = request.extensions().get::<MatchedPath>().cloned();
    let mut response = match meant_for_us(&app, request.headers()) {
        Ok(()) => in_our_words(next.run(request).await).await,
        Err(problem) => problem.into_response(),
    };
    let path = path.as_ref().map(MatchedPath::as_str);
    let status = response.status().as_u16();
    let took = began.elapsed();
    app.metrics.answered(method.as_str(), path, status, took);
    if let Some(log) = &app.log {
        let Caller(who) = response.extensions_mut().remove().unwrap_or_default();
        let code: Option<Code> = response.extensions_mut().remove();
        log(&Logged::Answered {
            request: &id,
            method: method.as_str(),
            route: path,
            status,
            took,
            who: who.as_ref(),
            code: code.as_ref().map(|Code(code)| code.as_str()),
        });
    }
    let headers = response.headers_mut();
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in fixed {
        // Those of the route come first.
        let value = HeaderValue::from_static(value);
        headers.entry(name).or_insert(value);
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    response
}

/// How the framework begins when it could not read one.
const BAD_QUERY: &str = "Failed to deserialize query string: ";

/// What the framework refuses by itself it refuses in plain text: that becomes a problem like all others.
async fn in_our_words(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_plain = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !status.is_client_error() || !is_plain {
        return response;
    }
    let caller = response.extensions().get::<Caller>().cloned();
    let told = axum::body::to_bytes(response.into_body(), REFUSAL_BYTES_MAX).await;
    let told = String::from_utf8_lossy(&told.unwrap_or_default()).into_owned();
    let told = match told.strip_prefix(BAD_QUERY) {
        Some(why) => format!("the query cannot be read: {why}"),
        None => told,
    };
    let remedy = "Correct the request as described in the message; see /api/docs.";
    let mut problem = Problem::new(status, "ADJ-9001", told, remedy).into_response();
    if let Some(caller) = caller {
        problem.extensions_mut().insert(caller);
    }
    problem
}

/// The caller's own id for a request, or a new one.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers
        .get(REQUEST_ID)
        .and_then(|value| value.to_str().ok());
    let is_plain = |id: &&str| {
        (1..=REQUEST_ID_CHARS_MAX).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    match given.filter(is_plain) {
        Some(id) => id.to_owned(),
        None => format!("{:016x}", getrandom::u64().unwrap_or(0)),
    }
}

/// A page elsewhere can make a browser send requests here, under its own name or from its own origin: neither is ours.
fn meant_for_us<S: Store>(app: &App<S>, headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let ours = |host: &str| {
        let mut names = app.addressed_as.iter();
        names.any(|name| name.eq_ignore_ascii_case(host))
    };
    let host = text(header::HOST).unwrap_or_default();
    if !ours(host) {
        return Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "ADJ-9004",
            format!("this server does not serve the host `{host:.100}`"),
            "Use the address that the server printed, or start it with `--name` for this host.",
        ));
    }
    match headers.get(header::ORIGIN) {
        None => Ok(()),
        Some(origin) => {
            let origin = origin.to_str().unwrap_or("?");
            let of = origin.split_once("://").map_or("", |(_, host)| host);
            ours(of).then_some(()).ok_or_else(|| {
                Problem::new(
                    StatusCode::FORBIDDEN,
                    "ADJ-9005",
                    format!("requests from the web origin `{origin:.100}` are not allowed"),
                    "Use a program instead of a web page, or a page served by this server.",
                )
            })
        }
    }
}

/// Who sent the request that an answer is for.
#[derive(Debug, Clone, Default)]
struct Caller(Option<AgentId>);

/// Lets a request through to a route if its sender may take it.
async fn admit<S: Store>(
    State(app): State<Arc<App<S>>>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or("", MatchedPath::as_str).to_owned();
    let method = match request.method() {
        &Method::HEAD => "GET",
        method => method.as_str(),
    };
    let permit = permit_of(method, &path);
    if permit == Some(Permit::Anybody) {
        let request = taken_in(request, ANYBODYS_BODY_BOUNDS).await?;
        return Ok(next.run(request).await);
    }
    let authority = match signed_in(&app, request.headers()).await {
        Ok(authority) => authority,
        Err(problem) => {
            if problem.status == StatusCode::UNAUTHORIZED {
                sign_ins::refused(&app).await;
                if path == workflows::MCP {
                    return Ok(workflows::challenge(&app, request.headers(), problem));
                }
            }
            return Err(problem);
        }
    };
    // Routes that are not in the table are denied: no handler runs, whoever asks.
    let Some(permit) = permit else {
        return Ok(wrong_method(request).await.into_response());
    };
    let caller = Caller(Some(authority.who.clone()));
    let asked = format!("{method} {path}");
    let answer = permitted(&app, request, next, authority, permit, &asked).await;
    let mut response = answer.into_response();
    response.extensions_mut().insert(caller);
    Ok(response)
}

/// Lets somebody through who is known, if they may.
async fn permitted<S: Store>(
    app: &App<S>,
    mut request: Request,
    next: Next,
    authority: Authority,
    permit: Permit,
    asked: &str,
) -> Result<Response, Problem> {
    let key = authority.key.as_deref();
    sign_ins::came_in(app, &authority.who, authority.role, key).await?;
    if !may(authority.role, permit) {
        sign_ins::denied(app, &authority.who, asked).await;
        return Err(forbidden(authority.role, permit));
    }
    request.extensions_mut().insert(authority);
    let request = taken_in(request, BODY_BOUNDS).await?;
    Ok(next.run(request).await)
}

/// What a role may not, and which may.
fn forbidden(role: AccessRole, permit: Permit) -> Problem {
    let all = AccessRole::ALL.into_iter();
    let others: Vec<&str> = all
        .filter(|role| may(*role, permit))
        .map(AccessRole::name)
        .collect();
    Problem::new(
        StatusCode::FORBIDDEN,
        "ADJ-9007",
        format!(
            "your role, {}, may not {}; allowed roles: {}",
            role.name(),
            permit.words(),
            others.join(", ")
        ),
        "Ask someone with one of these roles, or ask an admin for another key.",
    )
}

async fn nothing_here(request: Request) -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "ADJ-9008",
        format!("there is nothing at {:.200}", request.uri().path()),
        "See /api/docs for the available routes.",
    )
}

async fn wrong_method(request: Request) -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "ADJ-9009",
        format!("the method {} is not supported here", request.method()),
        "See /api/docs for the supported methods.",
    )
}

/// A body of JSON, whatever it says it is.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(body)
        .map_err(|error| Problem::malformed(format!("the body cannot be read: {error}")))
}

/// A mission that is there; those that are unknown or gone are told so here.
async fn known<S: Store>(app: &App<S>, mission: MissionId) -> Result<(), Problem> {
    let journal = app.host.journal(&app.tenant);
    journal.events(mission, 0, 1).await?;
    Ok(())
}

fn mission_id(text: &str) -> Result<MissionId, Problem> {
    text.parse().map_err(|_| Problem::unknown_mission(text))
}

fn json(status: StatusCode, value: &serde_json::Value) -> Response {
    let kind = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, kind)], value.to_string()).into_response()
}
