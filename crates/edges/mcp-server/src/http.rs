//! MCP over streamable HTTP. Each request is answered by itself: there are no sessions to lose.

use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use http_body::Body;
use http_body_util::combinators::BoxBody;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::Handler;

/// Answers a request whose host, origin and access token were checked before.
pub async fn answer_http<B>(
    handler: Handler,
    mut request: Request<B>,
) -> Response<BoxBody<Bytes, Infallible>>
where
    B: Body + Send + 'static,
    B::Error: Display,
    B::Data: Send + 'static,
{
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    // Whatever a client says that it sends and takes: it is JSON both ways.
    let json = HeaderValue::from_static("application/json");
    let takes = HeaderValue::from_static("application/json, text/event-stream");
    request.headers_mut().insert(header::CONTENT_TYPE, json);
    request.headers_mut().insert(header::ACCEPT, takes);
    let service = StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    service.handle(request).await
}
