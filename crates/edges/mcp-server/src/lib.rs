//! Adjutant as an MCP server. Requests become calls of the app's tools for programs, and their answers become results;
//! nothing is decided here, and nothing is kept between two requests.

mod handler;
mod http;

pub use handler::{Callers, Handler};
pub use http::answer_http;

use rmcp::ServiceExt as _;

/// Serves one client on standard input and output, until it leaves.
pub async fn serve_stdio(handler: Handler) -> Result<(), String> {
    let running = handler
        .serve(rmcp::transport::io::stdio_pipes())
        .await
        .map_err(|error| error.to_string())?;
    running
        .waiting()
        .await
        .map(|_| ())
        .map_err(|error| error.to_string())
}
