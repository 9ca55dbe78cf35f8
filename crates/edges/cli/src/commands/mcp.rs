//! `adjutant mcp`: an MCP server on standard input and output, for the client that started it.
//!
//! **Invariant:** Nothing but the protocol goes to standard output.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::settings::Settings;
use adjutant_app::workflow::{ProgramCaller, ReachingTools, Right};
use adjutant_mcp_server::{Handler, serve_stdio};
use tokio::signal::unix::{SignalKind, signal};

use crate::exit::Exit;

/// How often a store that nobody uses is let go of, so that `adjutant up` or `serve` can start.
const LET_GO_EVERY: Duration = Duration::from_secs(30);

pub(super) async fn run(settings: &Settings) -> Result<Exit, AppError> {
    let tools = Arc::new(ReachingTools::new(settings.clone()).await?);
    // A program on this machine starts workflows and steers its own. What else its person may do, they do themselves.
    let rights = BTreeSet::from([Right::Read, Right::Start, Right::Decide]);
    let caller = ProgramCaller::new(settings.me.clone(), settings.roles.clone(), rights);
    let handler = Handler::new(
        Arc::clone(&tools) as _,
        Arc::new(move |_| Some(caller.clone())),
    );
    let trouble = |error: std::io::Error| {
        AppError::new(
            ErrorKind::Unavailable,
            "ADJ-6008",
            format!("signals cannot be received: {error}"),
            "Check the limits of this user's processes.",
        )
    };
    let mut interrupt = signal(SignalKind::interrupt()).map_err(trouble)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(trouble)?;
    let letting_go = tokio::spawn(let_go(Arc::clone(&tools)));
    let served = tokio::select! {
        served = serve_stdio(handler) => served,
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
    };
    letting_go.abort();
    let closed = tools.slot().close().await;
    served.map_err(|why| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6235",
            format!("the client does not speak MCP: {why}"),
            "`adjutant mcp` is started by an MCP client; see docs/mcp-server.md.",
        )
    })?;
    closed?;
    Ok(Exit::Ok)
}

async fn let_go(tools: Arc<ReachingTools>) {
    loop {
        tokio::time::sleep(LET_GO_EVERY).await;
        // What cannot be closed now is closed when the client leaves.
        let _ = tools.slot().release_if_idle().await;
    }
}
