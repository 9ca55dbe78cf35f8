//! Adjutant over HTTP: missions are started, followed and decided by other programs.
//!
//! Nothing is decided here. A request becomes a command to the host, or is answered out of the journal; an event stream
//! is the journal's projection, told again from wherever a reader left off. What a mission is made of (templates,
//! tools, reports) comes from the [`Desk`], which whoever starts the server provides.

mod access;
mod connections;
mod desk;
mod everything;
mod following;
mod identity;
mod limits;
mod mode3;
mod openapi;
mod problem;
mod repeat;
mod routes;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use adjutant_host::Host;
use adjutant_mission::TenantId;
use adjutant_store::Store;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use access::{Permit, Token, may};
pub use axum::http::StatusCode;
pub use connections::Tls;
pub use desk::{Attached, Desk, DeskFuture, Planned, Report, StartMission};
pub use limits::Limits;
pub use problem::{Problem, status_of};
pub use routes::{ROUTES, Route};

use everything::Everything;
use following::Followings;

const TIDIED_EVERY: Duration = Duration::from_secs(60 * 60);

/// What every request is answered with.
pub(crate) struct App<S: Store> {
    pub(crate) host: Host<S>,
    pub(crate) tenant: TenantId,
    pub(crate) desk: Arc<dyn Desk>,
    pub(crate) token: Token,
    pub(crate) limits: Limits,
    pub(crate) followings: Followings<S>,
    pub(crate) everything: Everything<S>,
    /// Turns true when the server stops: streams end then.
    pub(crate) stopping: watch::Receiver<bool>,
    /// Held while a request starts a mission: starts are counted one by one.
    pub(crate) starting: tokio::sync::Mutex<()>,
    /// What a request may name as the host it is for.
    pub(crate) addressed_as: Vec<String>,
}

/// What a server is started with.
#[expect(missing_debug_implementations, reason = "a desk need not have one")]
pub struct Parts<S: Store> {
    pub host: Host<S>,
    pub tenant: TenantId,
    pub desk: Arc<dyn Desk>,
    pub token: Token,
    pub limits: Limits,
    /// Names besides the address itself under which it is reached: `adjutant.example:8443`.
    pub names: Vec<String>,
    /// Without, what is said is not encrypted.
    pub tls: Option<Tls>,
}

/// Serves until `stopping` turns true, and then until every answer that is under way is given.
pub async fn serve<S: Store>(
    listener: TcpListener,
    parts: Parts<S>,
    stopping: watch::Receiver<bool>,
) -> std::io::Result<()> {
    let address = listener.local_addr()?;
    let app = Arc::new(App {
        followings: Followings::new(parts.host.clone(), parts.tenant.clone()),
        everything: Everything::new(parts.host.clone(), parts.tenant.clone()),
        host: parts.host,
        tenant: parts.tenant,
        desk: parts.desk,
        token: parts.token,
        limits: parts.limits,
        stopping: stopping.clone(),
        starting: tokio::sync::Mutex::default(),
        addressed_as: names_of(address, parts.names),
    });
    tokio::spawn(tidy(Arc::clone(&app)));
    let router = routes::router(app);
    connections::serve(listener, parts.tls, router, stopping).await
}

/// Forgets what need not be known any more, every hour while the server runs.
async fn tidy<S: Store>(app: Arc<App<S>>) {
    let mut stopping = app.stopping.clone();
    loop {
        let journal = app.host.journal(&app.tenant);
        // What cannot be forgotten now is forgotten later.
        let _ = repeat::forget_old(&journal, app.host.clock().now()).await;
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
