//! Adjutant as an MCP server. Requests become calls of the app's tools for programs, and their answers become results;
//! nothing is decided here, and nothing is kept between two requests.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod elicitation;
mod handler;
mod http;
mod lines;
mod progress;
mod resources;
mod tasks;

pub use handler::{Callers, Handler};
pub use http::answer_http;

use lines::Lines;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

/// Serves one client on standard input and output, until it leaves.
pub async fn serve_stdio(handler: Handler) -> Result<(), String> {
    let (input, output) = rmcp::transport::io::stdio_pipes();
    let lines = Lines::between(input, output);
    let running = match handler.serve((lines.to_server, lines.from_server)).await {
        Ok(running) => running,
        // Whoever only asked what there is speaks MCP, too, and may leave.
        Err(ServerInitializeError::ConnectionClosed(_)) if lines.reading.await.unwrap_or(false) => {
            let _ = lines.writing.await;
            return Ok(());
        }
        Err(error) => return Err(error.to_string()),
    };
    let left = running.waiting().await;
    // The client's end may stay open, and what was said is written to its end.
    lines.reading.abort();
    let _ = lines.writing.await;
    left.map(|_| ()).map_err(|error| error.to_string())
}
