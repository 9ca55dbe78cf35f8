//! Adjutant over HTTP: missions are started, followed and decided by other programs.
//!
//! Nothing is decided here. A request becomes a command to the host, or is answered out of the journal; an event stream
//! is the journal's projection, told again from wherever a reader left off. What a mission is made of (templates,
//! tools, reports) comes from the use cases of the `app` crate.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod access;
mod all_events;
mod answer_form;
mod answer_page;
mod audit;
mod connections;
mod content;
mod html;
mod idempotency;
mod identity;
mod limits;
mod log;
mod metrics;
mod mission_cache;
mod mission_events;
mod mode3;
mod openapi;
mod outgoing;
mod pace;
mod problem;
mod request_body;
mod routes;
mod sign_ins;
mod stream_shares;
mod text_stream;
mod while_valid;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use adjutant_app::analytics::CountedMissions;
use adjutant_app::use_cases::UseCases;
use adjutant_host::{Committed, Host};
use adjutant_mission::TenantId;
use adjutant_notify::AnswerLink;
use adjutant_store::Store;
use tokio::net::TcpListener;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

pub use access::{Permit, Token, may};
pub use adjutant_app::settings::StartLimits;
pub use audit::{AUDIT_KINDS, AuditLine, AuditPage, AuditPlace, AuditQuery, audit_page};
pub use axum::http::StatusCode;
pub use connections::{Callers, Tls};
pub use log::{Log, Logged};
pub use metrics::Counted;
pub use problem::Problem;
pub use routes::{ROUTES, Route};

use all_events::Everything;
use metrics::Metrics;
use mission_cache::FoldedMissions;
use mission_events::Followings;
use sign_ins::SignIns;
use stream_shares::StreamShares;
use while_valid::KeyChecks;

const TIDIED_EVERY: Duration = Duration::from_secs(60 * 60);

/// What every request is answered with.
pub(crate) struct App<S: Store> {
    pub(crate) host: Host<S>,
    pub(crate) tenant: TenantId,
    pub(crate) use_cases: Arc<dyn UseCases>,
    pub(crate) token: Token,
    /// Through which questions are answered out of mails.
    pub(crate) answer_links: Vec<AnswerLink>,
    pub(crate) limits: StartLimits,
    pub(crate) followings: Followings<S>,
    pub(crate) everything: Everything<S>,
    pub(crate) folded: FoldedMissions,
    /// Turns true when the server stops: streams end then.
    pub(crate) stopping: watch::Receiver<bool>,
    /// Held while a request starts a mission: starts are counted one by one.
    pub(crate) starting: tokio::sync::Mutex<()>,
    /// Held while missions are counted; keeps those that were.
    pub(crate) counting: Arc<tokio::sync::Mutex<CountedMissions>>,
    /// What a request may name as the host it is for.
    pub(crate) addressed_as: Vec<String>,
    /// Whether callers reach it over HTTPS, here or at a proxy.
    pub(crate) is_encrypted: bool,
    pub(crate) metrics: Metrics,
    pub(crate) sign_ins: SignIns,
    pub(crate) key_checks: KeyChecks,
    pub(crate) stream_shares: StreamShares,
    pub(crate) spans_dropped: Option<Counted>,
    pub(crate) log: Option<Log>,
}

/// What a server is started with.
#[expect(
    missing_debug_implementations,
    reason = "the use cases need not have one"
)]
pub struct Parts<S: Store> {
    pub host: Host<S>,
    pub tenant: TenantId,
    pub use_cases: Arc<dyn UseCases>,
    pub token: Token,
    /// Through which questions are answered out of mails. Those of other tenants open nothing here.
    pub answer_links: Vec<AnswerLink>,
    pub limits: StartLimits,
    /// Names besides the address itself under which it is reached: `adjutant.example:8443`.
    pub names: Vec<String>,
    /// Without, what is said is not encrypted.
    pub tls: Option<Tls>,
    pub callers: Callers,
    /// How many spans of traces did not arrive, where traces are sent.
    pub spans_dropped: Option<Counted>,
    /// Where requests are logged, if anywhere.
    pub log: Option<Log>,
}

/// Serves until `stopping` turns true, and then until every answer that is under way is given.
pub async fn serve<S: Store>(
    listener: TcpListener,
    parts: Parts<S>,
    stopping: watch::Receiver<bool>,
) -> std::io::Result<()> {
    let address = listener.local_addr()?;
    let mut answer_links = parts.answer_links;
    answer_links.retain(|link| link.tenant == parts.tenant);
    let app = Arc::new(App {
        followings: Followings::new(
            parts.host.clone(),
            parts.tenant.clone(),
            Arc::clone(&parts.use_cases),
        ),
        everything: Everything::new(
            parts.host.clone(),
            parts.tenant.clone(),
            parts.use_cases.outgoing_policy(),
        ),
        folded: FoldedMissions::default(),
        sign_ins: SignIns::default(),
        key_checks: KeyChecks::default(),
        stream_shares: StreamShares::default(),
        metrics: Metrics::new(parts.host.clock().now()),
        spans_dropped: parts.spans_dropped,
        log: parts.log,
        host: parts.host,
        tenant: parts.tenant,
        use_cases: parts.use_cases,
        token: parts.token,
        answer_links,
        limits: parts.limits,
        stopping: stopping.clone(),
        starting: tokio::sync::Mutex::default(),
        counting: Arc::default(),
        addressed_as: names_of(address, parts.names),
        is_encrypted: parts.tls.is_some() || matches!(parts.callers, Callers::ThroughProxy),
    });
    tokio::spawn(tidy(Arc::clone(&app)));
    // From before the first request: nothing that is done here is missed.
    tokio::spawn(count(Arc::clone(&app), app.host.subscribe()));
    let router = routes::router(app);
    let bounds = connections::Bounds::of(parts.callers);
    connections::serve(listener, parts.tls, router, bounds, stopping).await
}

/// Counts what is committed, until the server stops.
async fn count<S: Store>(app: Arc<App<S>>, mut feed: broadcast::Receiver<Committed>) {
    let mut stopping = app.stopping.clone();
    loop {
        let committed = tokio::select! {
            committed = feed.recv() => committed,
            _ = stopping.wait_for(|stop| *stop) => return,
        };
        match committed {
            Ok(committed) if committed.tenant == app.tenant => {
                app.metrics.committed(&committed.events);
            }
            Ok(_) => {}
            Err(RecvError::Lagged(commits)) => app.metrics.missed(commits),
            Err(RecvError::Closed) => return,
        }
    }
}

/// Forgets what need not be known any more, every hour while the server runs.
async fn tidy<S: Store>(app: Arc<App<S>>) {
    let mut stopping = app.stopping.clone();
    loop {
        let journal = app.host.journal(&app.tenant);
        // What cannot be forgotten now is forgotten later.
        let _ = idempotency::forget_old(&journal, app.host.clock().now()).await;
        tokio::select! {
            () = tokio::time::sleep(TIDIED_EVERY) => {}
            _ = stopping.wait_for(|stop| *stop) => return,
        }
    }
}

/// Under which names a server at this address may be spoken to. Anything else is a page elsewhere that had its own
/// name point here.
fn names_of(address: SocketAddr, names: Vec<String>) -> Vec<String> {
    let port = address.port();
    let mut all = names;
    all.push(address.to_string());
    if matches!(port, 80 | 443) {
        all.push(address.ip().to_string());
        all.push("localhost".into());
    }
    if address.ip().is_loopback() {
        all.extend([
            format!("localhost:{port}"),
            format!("127.0.0.1:{port}"),
            format!("[::1]:{port}"),
        ]);
    }
    all
}
