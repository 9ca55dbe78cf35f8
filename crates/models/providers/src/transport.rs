//! Bytes to a provider and back, live or from a cassette. Redirects are not followed, proxies of the environment not
//! asked, nothing is repeated here.

use std::sync::OnceLock;
use std::time::Duration;

use adjutant_text::errors::request_cause;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Url, redirect};

use crate::cassette::{Deck, Recording, Replay, Request};
use crate::retry::Headers;
use crate::secret::Secret;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Connections that nobody uses are kept for the next question, but not many of them.
const IDLE_CONNECTIONS_MAX: usize = 8;
const KEPT: [&str; 5] = [
    "content-type",
    "retry-after",
    "retry-after-ms",
    "request-id",
    "x-request-id",
];
const KEPT_PREFIXES: [&str; 2] = ["x-ratelimit-", "anthropic-ratelimit-"];

#[derive(Debug)]
pub(crate) struct Transport {
    /// Made at the first question, because reading the machine's certificates takes time that most runs can spare.
    client: OnceLock<Result<Client, String>>,
    deck: Deck,
}

pub(crate) struct Outgoing<'a> {
    pub(crate) provider: &'a str,
    pub(crate) url: Url,
    pub(crate) body: String,
    /// With the key in them: never recorded.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) secret: Option<&'a Secret>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SendError {
    /// Nothing reached the provider.
    #[error("{0}")]
    NotSent(String),
    /// The provider may have answered, and may want to be paid.
    #[error("{0}")]
    Lost(String),
    #[error("{0}")]
    Cassette(String),
}

pub(crate) struct Incoming {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    body: Body,
}

enum Body {
    Live(reqwest::Response, Option<Box<Recording>>),
    Replayed(Replay),
}

impl Transport {
    pub(crate) fn new(deck: Deck) -> Self {
        Self {
            client: OnceLock::new(),
            deck,
        }
    }

    pub(crate) async fn send(&self, outgoing: Outgoing<'_>) -> Result<Incoming, SendError> {
        let request = Request::new(outgoing.provider, outgoing.url.path(), &outgoing.body);
        if let Deck::Replay(shelf) = &self.deck {
            let replay = shelf.take(&request).map_err(SendError::Cassette)?;
            return Ok(Incoming {
                status: replay.status,
                headers: replay.headers.clone(),
                body: Body::Replayed(replay),
            });
        }
        let client = self
            .client
            .get_or_init(client)
            .as_ref()
            .map_err(|message| {
                SendError::NotSent(format!(
                    "the HTTP client cannot start: {message}; check that the machine has CA certificates (ca-certificates)"
                ))
            })?;
        let mut post = client
            .post(outgoing.url)
            .header(CONTENT_TYPE, "application/json")
            .body(outgoing.body);
        for (name, value) in &outgoing.headers {
            post = post.header(*name, value);
        }
        let response = post.send().await.map_err(|error| {
            let message = request_cause(&error);
            if error.is_connect() || error.is_builder() {
                SendError::NotSent(message)
            } else {
                SendError::Lost(message)
            }
        })?;
        let status = response.status().as_u16();
        let headers = kept(response.headers());
        let recording = match &self.deck {
            Deck::Record(recorder) => {
                let recording = recorder.begin(request, status, &headers, outgoing.secret);
                Some(Box::new(recording))
            }
            Deck::Off | Deck::Replay(_) => None,
        };
        Ok(Incoming {
            status,
            headers,
            body: Body::Live(response, recording),
        })
    }
}

impl Incoming {
    /// The next bytes, as they came; none at the end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Vec<u8>>, SendError> {
        match &mut self.body {
            Body::Live(response, recording) => {
                let chunk = response.chunk().await;
                if let Some(recording) = recording {
                    let recorded = match &chunk {
                        Ok(Some(bytes)) => recording.frame(bytes),
                        Ok(None) => recording.whole(),
                        Err(_) => recording.broken(),
                    };
                    recorded.map_err(SendError::Cassette)?;
                }
                chunk
                    .map(|bytes| bytes.map(Vec::from))
                    .map_err(|error| SendError::Lost(request_cause(&error)))
            }
            Body::Replayed(replay) => replay
                .frame()
                .map_err(|message| SendError::Lost(message.to_owned())),
        }
    }

    /// Ends an exchange that brought what was wanted of it, perhaps before its bytes end.
    pub(crate) fn close(self) -> Result<(), SendError> {
        match self.body {
            Body::Live(_, Some(mut recording)) => recording.whole().map_err(SendError::Cassette),
            Body::Live(_, None) | Body::Replayed(_) => Ok(()),
        }
    }
}

fn client() -> Result<Client, String> {
    // Another part of the process may have installed the provider before: then that one serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .no_proxy()
        .referer(false)
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(IDLE_CONNECTIONS_MAX)
        .user_agent(concat!("adjutant/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| request_cause(&error))
}

fn kept(headers: &HeaderMap) -> Headers {
    let wanted = |name: &str| {
        KEPT.contains(&name) || KEPT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    };
    let named = headers.iter().filter(|(name, _)| wanted(name.as_str()));
    named
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), value)
        })
        .collect()
}
