//! One signed POST. Redirects are not followed, proxies of the environment not asked, answers not believed
//! beyond their first few hundred bytes.

use std::net::IpAddr;
use std::time::Duration;

use adjutant_mission::{Millis, Timestamp};
use adjutant_text::errors::request_cause;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Client, StatusCode, Url, redirect};

use crate::send::one_line;
use crate::{Notice, Secret, Sent, compose, sign};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How much of an answer is read.
const ANSWER_BYTES_MAX: usize = 2 * 1024;
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
const QUOTE_CHARS_MAX: usize = 160;
/// A server may ask for a longer wait, but does not get it.
const RETRY_AFTER_MAX: Millis = Millis::hours(24);

/// Whether content may go out without TLS to another machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    /// Only to this machine.
    Loopback,
    Allowed,
}

#[derive(Clone)]
pub struct Webhook {
    url: Url,
    secret: Secret,
}

/// The path of an address is often its password.
impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Webhook").field(&place(&self.url)).finish()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    #[error("its address cannot be read: {why}")]
    Unreadable { why: String },
    #[error("its address uses `{scheme}:`; it must use https:")]
    Scheme { scheme: String },
    #[error(
        "it would send mission questions to another machine over plain http:, and `insecure` is not set"
    )]
    Plain,
    #[error("its address contains a user or password, which would appear in logs")]
    Credentials,
}

impl Webhook {
    pub fn new(url: &str, plain: Plain, secret: Secret) -> Result<Self, WebhookError> {
        let url = check(url, plain)?;
        Ok(Self { url, secret })
    }

    /// Where an address goes, without what may be secret about it; or what is wrong with it.
    pub fn place_of(url: &str, plain: Plain) -> Result<String, WebhookError> {
        check(url, plain).map(|url| place(&url))
    }
}

fn place(url: &Url) -> String {
    let port = url.port().map_or(String::new(), |port| format!(":{port}"));
    let host = url.host_str().unwrap_or_default();
    format!("{}://{host}{port}", url.scheme())
}

fn check(url: &str, plain: Plain) -> Result<Url, WebhookError> {
    let url = Url::parse(url).map_err(|error| WebhookError::Unreadable {
        why: error.to_string(),
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(WebhookError::Credentials);
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if plain == Plain::Allowed || is_loopback(url.host_str()) => Ok(url),
        "http" => Err(WebhookError::Plain),
        scheme => Err(WebhookError::Scheme {
            scheme: scheme.into(),
        }),
    }
}

pub(crate) fn is_loopback(host: Option<&str>) -> bool {
    let host = host.unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

pub(crate) fn client() -> Result<Client, String> {
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
        .map_err(|error| request_cause(&error))
}

pub(crate) async fn post(
    client: &Client,
    webhook: &Webhook,
    notice: &Notice,
    now: Timestamp,
) -> Sent {
    let body = compose::json(notice);
    let (id, seconds) = (notice.id(), now.0.div_euclid(1_000).to_string());
    let signature = sign(&webhook.secret, &id, &seconds, body.as_bytes());
    let request = client
        .post(webhook.url.clone())
        .header(CONTENT_TYPE, "application/json")
        .header("webhook-id", id)
        .header("webhook-timestamp", seconds)
        .header("webhook-signature", signature)
        .body(body);
    let place = place(&webhook.url);
    let mut response = match request.send().await {
        Ok(response) => response,
        Err(error) => {
            return Sent::not_now(format!("{place}: {}", request_cause(&error.without_url())));
        }
    };
    let (status, headers) = (response.status(), response.headers().clone());
    let mut answer = Vec::new();
    let read = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            answer.extend_from_slice(&chunk);
            if answer.len() >= ANSWER_BYTES_MAX {
                break;
            }
        }
    };
    // The status says it all; what of the body does not come is not missed.
    let _ = tokio::time::timeout(ANSWER_TIMEOUT, read).await;
    let quote = one_line(&String::from_utf8_lossy(&answer), QUOTE_CHARS_MAX);
    let told = match quote.as_str() {
        "" => format!("{place} answered {status}"),
        quote => format!("{place} answered {status}: {quote}"),
    };
    judge(status, &headers, told, now)
}

fn judge(status: StatusCode, headers: &HeaderMap, told: String, now: Timestamp) -> Sent {
    match status {
        StatusCode::GONE => Sent::Gone { why: told },
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => Sent::NotNow {
            why: told,
            wait: retry_after(headers, now),
        },
        status if status.is_success() => Sent::Delivered { said: told },
        status if status.is_server_error() => Sent::NotNow {
            why: told,
            wait: retry_after(headers, now),
        },
        status if status.is_redirection() => {
            Sent::refused(format!("{told} (redirects are not followed)"))
        }
        _ => Sent::refused(told),
    }
}

/// `Retry-After` in either of its forms: seconds, or a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Millis> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<u64>() {
        Ok(seconds) => Millis(seconds.saturating_mul(1_000)),
        Err(_) => {
            let date = jiff::fmt::rfc2822::parse(text).ok()?;
            Timestamp(date.timestamp().as_millisecond()).since(now)
        }
    };
    Some(wait.min(RETRY_AFTER_MAX))
}
