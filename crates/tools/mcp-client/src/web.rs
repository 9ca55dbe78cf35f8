//! HTTP to one server and no other: no redirects, no proxy, answers of limited size, and no standing stream of
//! notifications, because there is nothing in it that we would act on.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use adjutant_text::errors::request_cause;
use futures::StreamExt as _;
use futures::stream::BoxStream;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, redirect};
use rmcp::model::{
    ClientJsonRpcMessage, ErrorCode, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

use crate::lines::{MESSAGE_BYTES_MAX, foreign_id, shown};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Of one whole answer, notifications on the way to it included.
const STREAM_BYTES_MAX: usize = 2 * MESSAGE_BYTES_MAX;
const ACCEPTED: &str = "application/json, text/event-stream";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// Says in the place of an answer that there will be none.
pub(crate) const LOST: ErrorCode = ErrorCode(-32_099);

#[derive(Debug, thiserror::Error)]
pub(crate) enum WebError {
    #[error("no connection: {0}")]
    NoConnection(String),
    #[error("the response was lost: {0}")]
    Lost(String),
    #[error("it denies access (status {0})")]
    Refused(u16),
    #[error("it answered with status {0}")]
    Status(u16),
    #[error("it redirects to `{0}`, and redirects are not followed")]
    Redirected(String),
    #[error("its answer has more than {MESSAGE_BYTES_MAX} bytes")]
    TooLong,
    #[error("ADJ-6195: its answer cannot be read: {0}")]
    Unreadable(String),
    #[error("ADJ-6196: it answered the request \"{0}\", a text, but requests are numbered")]
    ForeignId(String),
}

type Failed = StreamableHttpError<WebError>;

#[derive(Debug, Clone)]
pub(crate) struct Web {
    client: Client,
}

impl Web {
    pub(crate) fn new() -> Result<Self, String> {
        // Another part of the process may have installed the provider before: then that one serves.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Client::builder()
            .no_proxy()
            .referer(false)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("adjutant/", env!("CARGO_PKG_VERSION")))
            .build()
            .map(|client| Self { client })
            .map_err(|error| request_cause(&error))
    }
}

impl StreamableHttpClient for Web {
    type Error = WebError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        key: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let body = serde_json::to_vec(&message)?;
        let request = self
            .client
            .post(uri.as_ref())
            .header(ACCEPT, ACCEPTED)
            .header(CONTENT_TYPE, JSON)
            .body(body);
        let in_session = session.is_some();
        let response = send(request, session, key, headers).await?;
        let status = response.status();
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && in_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        let given = response.headers().get(&SESSION);
        let given = given.and_then(|id| id.to_str().ok()).map(str::to_owned);
        let kind = response.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if status.is_success() && kind.starts_with(EVENTS) {
            let asked = match &message {
                JsonRpcMessage::Request(request) => Some(request.id.clone()),
                _ => None,
            };
            let events = events(response, asked);
            return Ok(StreamableHttpPostResponse::Sse(events, given));
        }
        let is_json = kind.starts_with(JSON);
        if !status.is_success() && !is_json {
            return Err(client_error(WebError::Status(status.as_u16())));
        }
        let awaited = matches!(message, JsonRpcMessage::Request(_));
        let body = read(response).await?;
        match message_of(&body) {
            Err(error @ WebError::ForeignId(_)) => Err(client_error(error)),
            Ok(JsonRpcMessage::Error(error)) => Ok(StreamableHttpPostResponse::Json(
                JsonRpcMessage::Error(error),
                given,
            )),
            _ if !status.is_success() => Err(client_error(WebError::Status(status.as_u16()))),
            Ok(parsed) => Ok(StreamableHttpPostResponse::Json(parsed, given)),
            Err(_) if !awaited => Ok(StreamableHttpPostResponse::Accepted),
            Err(error) => Err(client_error(error)),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        key: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failed> {
        let request = self.client.delete(uri.as_ref());
        send(request, Some(session), key, headers).await.map(|_| ())
    }

    async fn get_stream(
        &self,
        _uri: Arc<str>,
        _session: Option<Arc<str>>,
        _last_event: Option<String>,
        _key: Option<String>,
        _headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failed> {
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}

async fn send(
    mut request: RequestBuilder,
    session: Option<Arc<str>>,
    key: Option<String>,
    headers: HashMap<HeaderName, HeaderValue>,
) -> Result<Response, Failed> {
    for (name, value) in headers {
        request = request.header(name, value);
    }
    if let Some(session) = session {
        request = request.header(SESSION, session.as_ref());
    }
    if let Some(key) = key {
        request = request.bearer_auth(key);
    }
    let response = request.send().await.map_err(|error| {
        client_error(match error.is_connect() {
            true => WebError::NoConnection(request_cause(&error)),
            false => WebError::Lost(request_cause(&error)),
        })
    })?;
    let status = response.status();
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return Err(client_error(WebError::Refused(status.as_u16())));
    }
    if status.is_redirection() {
        let place = response.headers().get(LOCATION);
        let place = place.and_then(|place| place.to_str().ok());
        let host = place.and_then(|place| Url::parse(place).ok());
        let host = host.and_then(|url| url.host_str().map(str::to_owned));
        let shown = host.unwrap_or_else(|| "another place".into());
        return Err(client_error(WebError::Redirected(shown)));
    }
    Ok(response)
}

/// The events of an answer. However it ends, whoever waits for the answer is told: at the end stands an error of ours,
/// which nobody reads if the answer came before it.
fn events(
    response: Response,
    asked: Option<RequestId>,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let mut total = 0usize;
    let limited = response.bytes_stream().map(move |chunk| {
        let chunk = chunk.map_err(std::io::Error::other)?;
        total += chunk.len();
        match total > STREAM_BYTES_MAX {
            true => Err(std::io::Error::other(WebError::TooLong)),
            false => Ok(chunk),
        }
    });
    let lost = move |why: &str| {
        let error = ErrorData::new(LOST, why.to_owned(), None);
        let message = ServerJsonRpcMessage::error(error, Some(asked.clone()?));
        let text = serde_json::to_string(&message).unwrap_or_default();
        Some(Ok(Sse::default().data(text)))
    };
    let cut_off = lost("the answer was cut off");
    SseStream::from_bytes_stream(limited)
        .take_while(|event| futures::future::ready(event.is_ok()))
        .scan(Hearing::Goes, move |hearing, event| {
            let wrong = event.as_ref().ok().and_then(wrong);
            let heard = match (&hearing, wrong) {
                (Hearing::Ended, _) => None,
                (Hearing::Goes, None) => Some(event),
                (Hearing::Goes, Some(why)) => {
                    *hearing = Hearing::Ended;
                    lost(&why.to_string())
                }
            };
            futures::future::ready(heard)
        })
        .chain(futures::stream::iter(cut_off))
        .boxed()
}

enum Hearing {
    Goes,
    Ended,
}

/// The library passes over what it cannot read, and whoever waits for the answer would wait for nothing.
fn wrong(event: &Sse) -> Option<WebError> {
    let data = event.data.as_deref().unwrap_or_default().trim();
    match data.is_empty() {
        true => None,
        false => message_of(data.as_bytes()).err(),
    }
}

fn message_of(text: &[u8]) -> Result<ServerJsonRpcMessage, WebError> {
    let message = serde_json::from_slice(text);
    let message = message.map_err(|error| WebError::Unreadable(error.to_string()))?;
    match foreign_id(&message).map(shown) {
        Some(id) => Err(WebError::ForeignId(id)),
        None => Ok(message),
    }
}

async fn read(response: Response) -> Result<Vec<u8>, Failed> {
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| client_error(WebError::Lost(request_cause(&error))))?;
        if body.len() + chunk.len() > MESSAGE_BYTES_MAX {
            return Err(client_error(WebError::TooLong));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn client_error(error: WebError) -> Failed {
    StreamableHttpError::Client(error)
}
