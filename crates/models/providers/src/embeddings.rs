//! Texts to vectors: one request to an embeddings endpoint, repeated where that may help.

use adjutant_mission::{MicroUsd, Millis, Timestamp};
use adjutant_questions::{AskFailure, ProviderZone, Tokens, token_bound};
use serde::Deserialize;
use serde_json::json;

use crate::exchange::headers;
use crate::gate::Health;
use crate::models::{Models, Served};
use crate::price::Price;
use crate::retry::{TRIES_MAX, WAIT_MAX, backoff, rate_reset, retry_after};
use crate::secret::redacted;
use crate::settings::Service;
use crate::transport::{Outgoing, SendError};
use crate::wire::error_of;

/// Texts of one request.
pub const EMBEDDED_AT_ONCE_MAX: usize = 64;
/// Of one answer: as many vectors of the greatest length, each number written out.
const ANSWER_BYTES_MAX: usize = 16 << 20;

/// What an endpoint made of texts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Embeddings {
    /// One for each text, in their order.
    pub vectors: Vec<Vec<f32>>,
    pub cost: MicroUsd,
}

/// Who embeds.
#[derive(Debug, Clone, Copy)]
pub struct Embedder<'a> {
    models: &'a Models,
    /// As `provider/model`.
    name: &'a str,
    served: &'a Served,
    model: &'a str,
    price: Price,
}

/// Why an answer cannot be used, and when the same may go better.
struct Turned {
    failure: AskFailure,
    again: Option<Timestamp>,
    health: Health,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Row>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Row {
    index: Option<usize>,
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: u64,
}

impl Models {
    /// The one that the settings name under `embeddings`, if any.
    pub fn embedder(&self) -> Option<Embedder<'_>> {
        let name = self.embeddings.as_deref()?;
        let (provider, model) = name.split_once('/')?;
        Some(Embedder {
            models: self,
            name,
            served: self.served.get(provider)?,
            model,
            price: *self.prices.get(name)?,
        })
    }
}

impl<'a> Embedder<'a> {
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// What goes outside goes without personal data.
    pub fn zone(&self) -> ProviderZone {
        self.served.provider.zone
    }

    /// At most [`EMBEDDED_AT_ONCE_MAX`] texts.
    pub async fn embed(&self, texts: &[String]) -> Result<Embeddings, AskFailure> {
        let body = json!({ "model": self.model, "input": texts, "encoding_format": "float" });
        let body = body.to_string();
        let tokens: u64 = texts.iter().map(|text| token_bound(text)).sum();
        let mut tried = 0;
        loop {
            tried += 1;
            let turned = match self.send(&body, tokens, texts.len()).await {
                Ok(embeddings) => return Ok(embeddings),
                Err(turned) => turned,
            };
            let now = self.models.now();
            let random = (self.models.random)();
            let wait = backoff(tried, self.served.provider.retry_wait, random);
            let Some(until) = turned.again.map(|at| at.max(now.plus(wait))) else {
                return Err(turned.failure);
            };
            if tried >= TRIES_MAX || until.since(now) > WAIT_MAX {
                return Err(turned.failure);
            }
            let wait = std::time::Duration::from_millis(until.since(now).0);
            tokio::time::sleep(wait).await;
        }
    }

    async fn send(&self, body: &str, tokens: u64, texts: usize) -> Result<Embeddings, Turned> {
        let (gate, provider) = (&self.served.gate, &self.served.provider);
        let busy = |until: Timestamp| Turned {
            failure: AskFailure::Busy {
                provider: provider.name.clone(),
                until,
            },
            again: Some(until),
            health: Health::Untold,
        };
        // Slots are never closed.
        let _slot = gate.slots.acquire().await.ok();
        gate.admit(tokens, self.models.now()).map_err(busy)?;
        let exchanged = tokio::time::timeout(provider.timeout, self.exchange(body, texts)).await;
        let exchanged = exchanged.unwrap_or_else(|_| {
            let limit = u64::try_from(provider.timeout.as_millis()).unwrap_or(u64::MAX);
            Err(Turned {
                failure: AskFailure::TimedOut {
                    provider: provider.name.clone(),
                    limit: Millis(limit),
                },
                again: None,
                health: Health::Unwell,
            })
        });
        let health = match &exchanged {
            Ok(_) => Health::Well,
            Err(turned) => turned.health,
        };
        gate.settle(tokens, tokens, health, self.models.now());
        let (answer, told) = exchanged?;
        let input = told.unwrap_or(tokens);
        Ok(Embeddings {
            vectors: answer,
            cost: self.price.cost(Tokens {
                input,
                ..Tokens::default()
            }),
        })
    }

    async fn exchange(
        &self,
        body: &str,
        texts: usize,
    ) -> Result<(Vec<Vec<f32>>, Option<u64>), Turned> {
        let provider = &self.served.provider;
        let name = || provider.name.clone();
        let Some(endpoint) = &provider.endpoint else {
            return Err(self.unreachable("it has no address".to_owned()));
        };
        let secret = self.served.key.as_ref();
        let outgoing = Outgoing {
            provider: &provider.name,
            url: endpoint.url(provider.kind, self.model, Service::Embeddings),
            body: body.to_owned(),
            headers: headers(provider, secret, "application/json"),
            secret,
        };
        let lost = |error: SendError| match error {
            SendError::NotSent(message) | SendError::Lost(message) => self.unreachable(message),
            SendError::Cassette(message) => Turned {
                failure: AskFailure::Cassette {
                    provider: name(),
                    message,
                },
                again: None,
                health: Health::Untold,
            },
        };
        let mut incoming = self.models.transport.send(outgoing).await.map_err(lost)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = incoming.chunk().await.map_err(lost)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > ANSWER_BYTES_MAX {
                return Err(Turned {
                    failure: AskFailure::TooLarge {
                        provider: name(),
                        bytes_max: ANSWER_BYTES_MAX,
                    },
                    again: None,
                    health: Health::Unwell,
                });
            }
        }
        let (status, answered) = (incoming.status, &incoming.headers);
        if status != 200 {
            let now = self.models.now();
            let named = retry_after(answered, now).or_else(|| rate_reset(answered, now));
            return Err(self.turned_away(status, &bytes, named.unwrap_or(now)));
        }
        incoming.close().map_err(lost)?;
        let unfit = |message: String| Turned {
            failure: AskFailure::BadAnswer {
                provider: name(),
                message,
            },
            again: None,
            health: Health::Unwell,
        };
        let answer: Answer =
            serde_json::from_slice(&bytes).map_err(|error| unfit(error.to_string()))?;
        let told = answer.usage.map(|usage| usage.prompt_tokens);
        let vectors = in_order(answer.data, texts)
            .ok_or_else(|| unfit(format!("it is not one vector for each of {texts} texts")))?;
        Ok((vectors, told))
    }

    fn unreachable(&self, message: String) -> Turned {
        Turned {
            failure: AskFailure::Unreachable {
                provider: self.served.provider.name.clone(),
                message,
            },
            again: Some(self.models.now()),
            health: Health::Unwell,
        }
    }

    fn turned_away(&self, status: u16, body: &[u8], until: Timestamp) -> Turned {
        let provider = self.served.provider.name.clone();
        let (kind, message) = error_of(&String::from_utf8_lossy(body));
        let message = redacted(message, self.served.key.as_ref());
        match (status, kind.as_str()) {
            // A plain 500 too: servers say it of texts that are too long for them, and would say it again.
            (429, "insufficient_quota") | (400..=407 | 410..=424 | 426..=428 | 430..=500, _) => {
                Turned {
                    failure: AskFailure::Rejected {
                        provider,
                        status,
                        message,
                    },
                    again: None,
                    health: Health::Well,
                }
            }
            (429, _) => Turned {
                failure: AskFailure::Busy { provider, until },
                again: Some(until),
                health: Health::Well,
            },
            _ => Turned {
                failure: AskFailure::Trouble {
                    provider,
                    status,
                    message,
                },
                again: Some(until),
                health: Health::Unwell,
            },
        }
    }
}

/// The vectors by their index; as they come where the endpoint gives none.
fn in_order(rows: Vec<Row>, texts: usize) -> Option<Vec<Vec<f32>>> {
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts];
    for (at, row) in rows.into_iter().enumerate() {
        let place = vectors.get_mut(row.index.unwrap_or(at))?;
        if place.replace(row.embedding).is_some() {
            return None;
        }
    }
    vectors.into_iter().collect()
}
