//! One request and its answer, within its limits of time and size. Says what it cost and whether it may be repeated,
//! and repeats nothing.

use std::time::Duration;

use adjutant_mission::{Lease, Millis, Timestamp};
use adjutant_questions::{AskFailure, Tokens};

use crate::gate::Health;
use crate::models::Served;
use crate::options::{Progress, Watcher};
use crate::retry::{rate_reset, retry_after};
use crate::secret::{Secret, redacted};
use crate::settings::{Provider, ProviderKind, Service};
use crate::sse::Parser;
use crate::transport::{Incoming, Outgoing, SendError, Transport};
use crate::wire::{ANSWER_BYTES_MAX, Decoder, Reply, WireError, anthropic, error_of};

/// All bytes of one stream. Each token comes in a few hundred bytes of JSON, so it is far more than the answer's own.
const STREAM_BYTES_MAX: usize = 32 * 1024 * 1024;
const ERROR_BYTES_MAX: usize = 8 * 1024;

/// How a request ended.
pub(crate) struct Sent {
    pub(crate) result: Result<Reply, Trouble>,
    pub(crate) used: Used,
    /// Until when the provider wants to be left alone.
    pub(crate) closed_until: Option<Timestamp>,
}

/// What is known of what a request used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Used {
    /// It was turned away, or never arrived.
    Nothing,
    Told(Tokens),
    /// It may have been answered: all that it could have used is taken for used.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) failure: AskFailure,
    pub(crate) again: Again,
    pub(crate) health: Health,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    No,
    /// After the usual wait.
    Soon,
    /// When the provider said.
    At(Timestamp),
}

pub(crate) struct Exchange<'a> {
    pub(crate) transport: &'a Transport,
    pub(crate) served: &'a Served,
    pub(crate) model: &'a str,
    pub(crate) key: &'a str,
    pub(crate) watcher: Option<Watcher<'a>>,
    pub(crate) time_left: Duration,
    pub(crate) now: &'a (dyn Fn() -> Timestamp + Send + Sync),
    pub(crate) lease: &'a Lease,
}

impl Exchange<'_> {
    pub(crate) async fn run(&self, body: String) -> Sent {
        let own = self.provider().timeout;
        let (limit, health) = if self.time_left < own {
            (self.time_left, Health::Untold)
        } else {
            (own, Health::Unwell)
        };
        let streamed = tokio::time::timeout(limit, self.stream(body)).await;
        streamed.unwrap_or_else(|_| self.timed_out(limit, health))
    }

    fn provider(&self) -> &Provider {
        &self.served.provider
    }

    fn headers(&self) -> Vec<(&'static str, String)> {
        let provider = self.provider();
        let mut headers = headers(provider, self.served.key.as_ref(), "text/event-stream");
        if provider.sends_key {
            headers.push(("idempotency-key", self.key.to_owned()));
        }
        headers
    }

    async fn stream(&self, body: String) -> Sent {
        let Some(endpoint) = &self.provider().endpoint else {
            let message = "it has no address".to_owned();
            return self.not_sent(message);
        };
        let outgoing = Outgoing {
            provider: &self.provider().name,
            url: endpoint.url(self.provider().kind, self.model, Service::Chat),
            body,
            headers: self.headers(),
            secret: self.served.key.as_ref(),
        };
        // The question may have waited for its turn, and been asked in vain before.
        if !self.lease.holds() {
            return Sent {
                result: Err(Trouble {
                    failure: AskFailure::Unreachable {
                        provider: self.provider().name.clone(),
                        message: "another host may have taken over, so nothing was sent".into(),
                    },
                    again: Again::Soon,
                    health: Health::Untold,
                }),
                used: Used::Nothing,
                closed_until: None,
            };
        }
        let mut incoming = match self.transport.send(outgoing).await {
            Ok(incoming) => incoming,
            Err(error) => return self.send_error(error),
        };
        let closed_until = rate_reset(&incoming.headers, (self.now)());
        if incoming.status != 200 {
            let mut sent = self.turned_away(incoming).await;
            sent.closed_until = sent.closed_until.max(closed_until);
            return sent;
        }
        let kind = incoming.headers.get("content-type").map(String::as_str);
        if !kind.is_some_and(|kind| kind.trim_start().starts_with("text/event-stream")) {
            let message = format!(
                "it answered `{:.60}` and no stream",
                kind.unwrap_or_default()
            );
            return self.unknown(self.trouble(200, message, Again::No));
        }
        let reply = match self.decode(&mut incoming).await {
            Ok(reply) => reply,
            Err(sent) => return sent,
        };
        if let Err(error) = incoming.close() {
            return self.send_error(error);
        }
        Sent {
            used: reply.usage.map_or(Used::Unknown, Used::Told),
            result: Ok(reply),
            closed_until,
        }
    }

    async fn decode(&self, incoming: &mut Incoming) -> Result<Reply, Sent> {
        let mut parser = Parser::default();
        let mut decoder = Decoder::new(self.provider().kind);
        let mut room = STREAM_BYTES_MAX;
        let idle = self.provider().idle_timeout;
        let mut first = true;
        while !decoder.is_over() {
            let chunk = incoming.chunk();
            // The first sign of life may take as long as the whole answer may: some models think before they write.
            let chunk = if std::mem::take(&mut first) {
                chunk.await
            } else {
                let chunk = tokio::time::timeout(idle, chunk).await;
                chunk.map_err(|_| self.timed_out(idle, Health::Unwell))?
            };
            let chunk = match chunk {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => return Err(self.send_error(error)),
            };
            room = match room.checked_sub(chunk.len()) {
                Some(room) => room,
                None => return Err(self.wire_error(WireError::TooLarge)),
            };
            let events = parser
                .feed(&chunk)
                .map_err(|error| self.wire_error(WireError::Malformed(error.to_string())))?;
            for event in events {
                let text = decoder
                    .take(&event)
                    .map_err(|error| self.wire_error(error))?;
                if let Some(watcher) = self.watcher.filter(|_| !text.is_empty()) {
                    watcher(Progress::Text(&text));
                }
            }
        }
        decoder.finish().map_err(|error| self.wire_error(error))
    }

    /// What a status other than 200 means.
    async fn turned_away(&self, mut incoming: Incoming) -> Sent {
        let mut body = Vec::new();
        while let Ok(Some(chunk)) = incoming.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() >= ERROR_BYTES_MAX {
                body.truncate(ERROR_BYTES_MAX);
                break;
            }
        }
        let (kind, message) = error_of(&String::from_utf8_lossy(&body));
        let now = (self.now)();
        let headers = &incoming.headers;
        let named = retry_after(headers, now).or_else(|| rate_reset(headers, now));
        let again = named.map_or(Again::Soon, Again::At);
        let status = incoming.status;
        let closed_until = named.filter(|_| matches!(status, 429 | 503 | 529));
        if let Err(error) = incoming.close() {
            return self.send_error(error);
        }
        Sent {
            result: Err(self.told(status, &kind, message, again)),
            used: Used::Nothing,
            closed_until,
        }
    }

    /// What an error of the provider's means, in a status or in the middle of a stream.
    fn told(&self, status: u16, kind: &str, message: String, again: Again) -> Trouble {
        let provider = self.provider().name.clone();
        let message = redacted(message, self.served.key.as_ref());
        let well = |failure: AskFailure, again: Again| Trouble {
            failure,
            again,
            health: Health::Well,
        };
        match (status, kind) {
            (_, "content_filter" | "content_policy_violation") => {
                well(AskFailure::Declined { provider, message }, Again::No)
            }
            (429, "insufficient_quota") => {
                let rejected = AskFailure::Rejected {
                    provider,
                    status,
                    message,
                };
                well(rejected, Again::No)
            }
            (429, _) => {
                let until = match again {
                    Again::At(until) => until,
                    Again::Soon | Again::No => (self.now)(),
                };
                well(AskFailure::Busy { provider, until }, again)
            }
            (408 | 409 | 425 | 500..=599, _) => self.trouble(status, message, again),
            _ => {
                let rejected = AskFailure::Rejected {
                    provider,
                    status,
                    message,
                };
                well(rejected, Again::No)
            }
        }
    }

    fn trouble(&self, status: u16, message: String, again: Again) -> Trouble {
        Trouble {
            failure: AskFailure::Trouble {
                provider: self.provider().name.clone(),
                status,
                message,
            },
            again,
            health: Health::Unwell,
        }
    }

    fn wire_error(&self, error: WireError) -> Sent {
        let provider = self.provider().name.clone();
        let message = error.to_string();
        let trouble = match error {
            WireError::Told {
                status,
                kind,
                message,
            } => self.told(status, &kind, message, Again::Soon),
            WireError::Malformed(_) | WireError::Unfinished => {
                self.trouble(200, message, Again::Soon)
            }
            WireError::TooLarge => Trouble {
                failure: AskFailure::TooLarge {
                    provider,
                    bytes_max: ANSWER_BYTES_MAX,
                },
                again: Again::No,
                health: Health::Unwell,
            },
        };
        self.unknown(trouble)
    }

    fn send_error(&self, error: SendError) -> Sent {
        let provider = self.provider().name.clone();
        match error {
            SendError::NotSent(message) => self.not_sent(message),
            SendError::Lost(message) => self.unknown(Trouble {
                failure: AskFailure::Unreachable { provider, message },
                again: Again::Soon,
                health: Health::Unwell,
            }),
            SendError::Cassette(message) => Sent {
                result: Err(Trouble {
                    failure: AskFailure::Cassette { provider, message },
                    again: Again::No,
                    health: Health::Untold,
                }),
                used: Used::Nothing,
                closed_until: None,
            },
        }
    }

    fn not_sent(&self, message: String) -> Sent {
        Sent {
            result: Err(Trouble {
                failure: AskFailure::Unreachable {
                    provider: self.provider().name.clone(),
                    message,
                },
                again: Again::Soon,
                health: Health::Unwell,
            }),
            used: Used::Nothing,
            closed_until: None,
        }
    }

    fn timed_out(&self, limit: Duration, health: Health) -> Sent {
        let limit = Millis(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
        self.unknown(Trouble {
            failure: AskFailure::TimedOut {
                provider: self.provider().name.clone(),
                limit,
            },
            again: Again::No,
            health,
        })
    }

    fn unknown(&self, trouble: Trouble) -> Sent {
        Sent {
            result: Err(trouble),
            used: Used::Unknown,
            closed_until: None,
        }
    }
}

pub(crate) fn headers(
    provider: &Provider,
    secret: Option<&Secret>,
    accept: &str,
) -> Vec<(&'static str, String)> {
    let mut headers = vec![("accept", accept.to_owned())];
    if let Some(secret) = secret.map(Secret::expose) {
        headers.push(match provider.kind {
            ProviderKind::Anthropic => ("x-api-key", secret.to_owned()),
            ProviderKind::Azure => ("api-key", secret.to_owned()),
            _ => ("authorization", format!("Bearer {secret}")),
        });
    }
    if provider.kind == ProviderKind::Anthropic {
        headers.push(("anthropic-version", anthropic::VERSION.to_owned()));
    }
    headers
}
