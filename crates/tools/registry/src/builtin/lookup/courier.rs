//! Carries what lookups send: to the hosts that are named, no faster than a database likes, and not at all while what
//! came the last time still holds.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use adjutant_lookups::{HttpRequest, Method, Pace, Reply};
use adjutant_mission::{Lease, TenantId, Timestamp};
use adjutant_text::errors::request_cause;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};

use super::cache::Cache;
use crate::egress::Refused;
use crate::{Clock, Egress, ToolFailure};

/// The table of all medicines is the largest that is read.
const BODY_BYTES_MAX: usize = 48 * 1024 * 1024;
const TIMEOUT: Duration = Duration::from_secs(60);
/// A turn that comes later than this is not waited for.
const WAIT_MAX: Duration = Duration::from_secs(5);

pub(super) struct Courier {
    egress: Egress,
    clock: Clock,
    /// Made at the first call, because reading the machine's certificates takes time that most runs can spare.
    client: OnceLock<Result<Client, String>>,
    /// When each host was asked, as far as its pace looks back.
    turns: Mutex<HashMap<String, VecDeque<i64>>>,
    cache: Mutex<Cache>,
}

impl Courier {
    pub(super) fn new(egress: Egress, clock: Clock) -> Self {
        Self {
            egress,
            clock,
            client: OnceLock::new(),
            turns: Mutex::default(),
            cache: Mutex::default(),
        }
    }

    pub(super) async fn carry(
        &self,
        tenant: &TenantId,
        request: HttpRequest,
        pace: Pace,
    ) -> Result<Reply, ToolFailure> {
        let url = Url::parse(&request.url)
            .map_err(|error| ToolFailure::bad_input(format!("`{:.100}`: {error}", request.url)))?;
        let place = place(&url);
        self.egress
            .check(&url)
            .map_err(|refused| refused.failure(&place))?;
        let now = (self.clock)();
        let known = locked(&self.cache).known(tenant, &request, now);
        let validators = match known {
            Known::Holds(reply) => return Ok(reply),
            Known::MayHold(validators) => validators,
            Known::Nothing => Vec::new(),
        };
        self.turn(url.host_str().unwrap_or_default(), pace).await?;
        let response = self.send(url, &request, &validators, &place).await?;
        let reply = read(response, &place).await?;
        let now = (self.clock)();
        Ok(locked(&self.cache).keep(tenant, &request, reply, now))
    }

    /// Waits for the next turn with a host, unless that is far off.
    async fn turn(&self, host: &str, pace: Pace) -> Result<(), ToolFailure> {
        let now = (self.clock)();
        let window = i64::from(pace.per_seconds) * 1_000;
        let at = {
            let mut turns = locked(&self.turns);
            let taken = turns.entry(host.to_owned()).or_default();
            while taken.front().is_some_and(|turn| now.0 - turn >= window) {
                taken.pop_front();
            }
            let most = pace.requests.max(1) as usize;
            let next = match taken.len() >= most {
                true => taken[taken.len() - most] + window,
                false => now.0,
            };
            let at = next.max(now.0);
            if at - now.0 <= WAIT_MAX.as_millis() as i64 {
                taken.push_back(at);
            }
            Timestamp(at)
        };
        let wait = Duration::from_millis(at.since(now).0);
        if wait > WAIT_MAX {
            return Err(ToolFailure::Deferred { until: at });
        }
        tokio::time::sleep(wait).await;
        Ok(())
    }

    async fn send(
        &self,
        url: Url,
        request: &HttpRequest,
        validators: &[(String, String)],
        place: &str,
    ) -> Result<Response, ToolFailure> {
        let client = self
            .client
            .get_or_init(|| self.egress.client(Lease::default()));
        let client = client.as_ref().map_err(|message| {
            ToolFailure::permanent(format!(
                "the HTTP client cannot start: {message}; check that the machine has CA certificates (ca-certificates)"
            ))
        })?;
        let mut headers = HeaderMap::new();
        for (name, value) in request.headers.iter().chain(validators) {
            let wrong = |why: &dyn std::fmt::Display| {
                ToolFailure::bad_input(format!("the header `{name}`: {why}"))
            };
            let name = HeaderName::try_from(name).map_err(|error| wrong(&error))?;
            let value = HeaderValue::try_from(value).map_err(|error| wrong(&error))?;
            headers.append(name, value);
        }
        let builder = match request.method {
            Method::Get => client.get(url),
            Method::Post => client.post(url).body(request.body.clone()),
        };
        let sent = builder.headers(headers).timeout(TIMEOUT).send().await;
        sent.map_err(|error| request_failure(place, &error))
    }
}

/// What is remembered of an answer.
pub(super) enum Known {
    Nothing,
    /// It still holds, as its sender said.
    Holds(Reply),
    /// Its sender can say whether it does, by these headers.
    MayHold(Vec<(String, String)>),
}

async fn read(mut response: Response, place: &str) -> Result<Reply, ToolFailure> {
    let status = response.status().as_u16();
    let headers = response.headers().iter();
    let headers = headers
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.as_str().to_owned(), value.into_owned())
        })
        .collect();
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(None) => break,
            Ok(Some(chunk)) if body.len() + chunk.len() <= BODY_BYTES_MAX => {
                body.extend_from_slice(&chunk);
            }
            Ok(Some(_)) => {
                return Err(ToolFailure::permanent(format!(
                    "{place}: the response is longer than {} MiB: request less",
                    BODY_BYTES_MAX >> 20
                )));
            }
            Err(error) => return Err(request_failure(place, &error)),
        }
    }
    Ok(Reply {
        status,
        headers,
        body,
    })
}

fn request_failure(place: &str, error: &reqwest::Error) -> ToolFailure {
    if let Some(refused) = Refused::behind(error) {
        return refused.failure(place);
    }
    if error.is_timeout() {
        return ToolFailure::timed_out(format!("{place}: no complete response within {TIMEOUT:?}"));
    }
    let cause = request_cause(error);
    let what = match error.is_connect() {
        true => "no connection",
        false => "the response was lost",
    };
    ToolFailure::temporary(format!("{place}: {what}: {cause}"))
}

/// The address without what may be secret in it.
fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map_or(String::new(), |port| format!(":{port}"));
    format!("{}://{host}{port}{}", url.scheme(), url.path())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
