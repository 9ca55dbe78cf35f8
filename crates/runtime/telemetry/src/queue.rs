//! What is to be sent, in order and in parts. Whoever offers spans never waits: what there is no room for is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use adjutant_text::errors::request_cause;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, StatusCode, redirect};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::{Destination, Span, rejected, request};

/// Spans that wait to be sent. Some 2 kB each, so that a collector that is away costs no more than 20 MB.
const QUEUE_SPANS_MAX: usize = 10_000;
/// Spans in one request: well under the 20 MiB that a collector takes.
const BATCH_SPANS_MAX: usize = 512;
/// How long a span waits for others to be sent with.
const GATHERED_WITHIN: Duration = Duration::from_secs(2);
const TRIES_MAX: u32 = 5;
const PAUSE_MAX: Duration = Duration::from_secs(30);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Takes a line about something that went wrong.
pub type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// How many spans did not arrive. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Dropped(Arc<AtomicU64>);

impl Dropped {
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self, spans: usize) -> u64 {
        let spans = spans as u64;
        self.0.fetch_add(spans, Ordering::Relaxed) + spans
    }
}

/// Where spans are given to be sent. When it is gone, what was given is still sent.
#[derive(Debug)]
pub struct Queue {
    to: mpsc::Sender<Span>,
    dropped: Dropped,
}

impl Queue {
    /// A queue, and the task that sends what is in it.
    pub fn start(destination: Destination, tell: Tell) -> Result<(Self, JoinHandle<()>), String> {
        let (to, from) = mpsc::channel(QUEUE_SPANS_MAX);
        let dropped = Dropped::default();
        let posting = Posting {
            client: client()?,
            destination,
            dropped: dropped.clone(),
            tell,
        };
        let task = tokio::spawn(posting.run(from));
        Ok((Self { to, dropped }, task))
    }

    pub fn offer(&self, spans: Vec<Span>) {
        for span in spans {
            if self.to.try_send(span).is_err() {
                self.dropped.add(1);
            }
        }
    }

    pub fn dropped(&self) -> Dropped {
        self.dropped.clone()
    }
}

struct Posting {
    client: Client,
    destination: Destination,
    dropped: Dropped,
    tell: Tell,
}

/// How a request ended.
enum Sent {
    Taken {
        rejected: u64,
    },
    /// It may be sent again, after this long if the collector says so.
    NotNow {
        why: String,
        wait: Option<Duration>,
    },
    Refused {
        why: String,
    },
}

impl Posting {
    async fn run(self, mut from: mpsc::Receiver<Span>) {
        let mut told = 0;
        while let Some(first) = from.recv().await {
            let mut batch = vec![first];
            let gathering = async {
                while batch.len() < BATCH_SPANS_MAX {
                    match from.recv().await {
                        Some(span) => batch.push(span),
                        None => break,
                    }
                }
            };
            // What has come by then goes out.
            let _ = tokio::time::timeout(GATHERED_WITHIN, gathering).await;
            let why = self.post(&batch).await;
            let lost = self.dropped.count();
            if lost > told || why.is_some() {
                told = lost;
                let why = why.unwrap_or_else(|| "the send queue is full".to_owned());
                (self.tell)(&format!(
                    "Spans lost on the way to {} so far: {lost} ({why}) [ADJ-9040].",
                    self.destination.place()
                ));
            }
        }
    }

    /// Sends a batch, again if need be. Says why, if some of it did not arrive.
    async fn post(&self, batch: &[Span]) -> Option<String> {
        let body = request(&self.destination.service, batch).to_string();
        let mut pause = self.destination.pause;
        let mut tries = 0;
        loop {
            tries += 1;
            match self.send(body.clone()).await {
                Sent::Taken { rejected: 0 } => return None,
                // It must not be sent again: the rest was taken.
                Sent::Taken { rejected } => {
                    self.dropped.add(usize::try_from(rejected).unwrap_or(0));
                    return Some(format!("it rejected {rejected} of {}", batch.len()));
                }
                Sent::NotNow { wait, .. } if tries < TRIES_MAX => {
                    let wait = wait.unwrap_or_else(|| jittered(pause));
                    tokio::time::sleep(wait.min(PAUSE_MAX)).await;
                    pause = pause.saturating_mul(2);
                }
                Sent::NotNow { why, .. } | Sent::Refused { why } => {
                    self.dropped.add(batch.len());
                    return Some(why);
                }
            }
        }
    }

    async fn send(&self, body: String) -> Sent {
        let request = self
            .client
            .post(self.destination.url.clone())
            .headers(self.destination.headers.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        let mut response = match request.send().await {
            Ok(response) => response,
            Err(error) => {
                return Sent::NotNow {
                    why: request_cause(&error.without_url()),
                    wait: None,
                };
            }
        };
        let status = response.status();
        let why = format!("it answered {}", status.as_u16());
        match status {
            StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT => {
                let wait = response.headers().get(RETRY_AFTER);
                let wait = wait.and_then(|wait| wait.to_str().ok()?.trim().parse().ok());
                let wait = wait.map(Duration::from_secs);
                Sent::NotNow { why, wait }
            }
            status if status.is_success() => {
                let mut answer = Vec::new();
                while let Ok(Some(chunk)) = response.chunk().await {
                    answer.extend_from_slice(&chunk);
                    if answer.len() > ANSWER_BYTES_MAX {
                        break;
                    }
                }
                Sent::Taken {
                    rejected: rejected(&answer),
                }
            }
            _ => Sent::Refused { why },
        }
    }
}

/// Between half of it and all: those who were turned away together do not come back together.
fn jittered(pause: Duration) -> Duration {
    let share = getrandom::u32().unwrap_or(0) % 512;
    pause.saturating_mul(512 + share) / 1024
}

fn client() -> Result<Client, String> {
    // Another part of the process may have installed the provider before: then that one serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .no_proxy()
        .referer(false)
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .timeout(REQUEST_TIMEOUT)
        .user_agent(concat!("adjutant/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| request_cause(&error))
}
