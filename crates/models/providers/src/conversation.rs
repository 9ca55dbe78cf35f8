//! One question put to one model: sent, repeated where that may help, its tools called, its answer repaired once.

use std::borrow::Cow;
use std::time::Duration;

use adjutant_mission::{MicroUsd, Millis, Timestamp};
use adjutant_questions::{
    Ask, AskFailure, Finish, LevelFacts, Ordered, Output, Rendered, Tokens, token_bound,
};
use tokio::time::Instant;

use crate::bound::{Calling, RequestMax, envelope, paid_requests_max};
use crate::exchange::{Again, Exchange, Sent, Trouble, Used};
use crate::gate::Health;
use crate::models::{Models, Served};
use crate::options::{AskOptions, Progress};
use crate::price::Price;
use crate::retry::{TRIES_MAX, WAIT_MAX, backoff};
use crate::tools::{TOOL_ROUNDS_MAX, Tools};
use crate::wire::{self, Caching, Question, Reply, Said, Turn};

/// What was used up, whoever used it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) tokens: Tokens,
    pub(crate) cost: MicroUsd,
}

pub(crate) struct Given {
    pub(crate) output: Output,
    pub(crate) text: String,
    pub(crate) finish: Finish,
}

pub(crate) struct Conversation<'a> {
    models: &'a Models,
    served: &'a Served,
    model: &'a str,
    price: Price,
    ask: &'a Ask,
    prompt: &'a Rendered,
    schema: Cow<'a, Ordered>,
    options: AskOptions<'a>,
    deadline: Instant,
    spent: &'a mut Spent,
    request_max: RequestMax,
    paid_left: u32,
    turns: Vec<Turn>,
    round: u32,
}

pub(crate) struct Partner<'a> {
    pub(crate) served: &'a Served,
    /// As the provider calls it.
    pub(crate) model: &'a str,
    pub(crate) price: Price,
}

impl<'a> Conversation<'a> {
    pub(crate) fn new(
        models: &'a Models,
        partner: &Partner<'a>,
        (ask, prompt): (&'a Ask, &'a Rendered),
        options: AskOptions<'a>,
        deadline: Instant,
        spent: &'a mut Spent,
    ) -> Self {
        let calling = calling(options);
        let provider = &partner.served.provider;
        Self {
            models,
            served: partner.served,
            model: partner.model,
            price: partner.price,
            ask,
            prompt,
            schema: models.schemas.sent(&ask.input, provider.structured),
            options,
            deadline,
            spent,
            request_max: models.request_max(provider, ask.limits, calling),
            paid_left: paid_requests_max(calling),
            turns: vec![Turn::User(prompt.user.clone())],
            round: 0,
        }
    }

    pub(crate) async fn run(mut self) -> Result<Given, AskFailure> {
        let mut repaired = false;
        let mut tool_rounds = 0;
        loop {
            let reply = self.reply().await?;
            match (reply.finish, self.options.tools) {
                (Finish::Refusal, _) => {
                    let message = reply.refusal.unwrap_or_else(|| short(&reply.said.text));
                    let provider = self.provider();
                    return Err(AskFailure::Declined { provider, message });
                }
                (Finish::Length, _) => {
                    return Err(AskFailure::CutOff {
                        provider: self.provider(),
                        tokens_max: self.ask.limits.output_tokens_max,
                    });
                }
                (Finish::ToolCalls, Some(tools)) => {
                    tool_rounds += 1;
                    if tool_rounds > TOOL_ROUNDS_MAX || self.paid_left == 0 {
                        return Err(AskFailure::ToolLoop {
                            provider: self.provider(),
                            rounds_max: TOOL_ROUNDS_MAX,
                        });
                    }
                    self.call_tools(tools, reply.said).await?;
                }
                (Finish::Stop | Finish::ToolCalls, _) => {
                    let text = reply.said.text;
                    let message = match self.models.schemas.fit(self.ask, &text) {
                        Ok(output) => {
                            let finish = reply.finish;
                            return Ok(Given {
                                output,
                                text,
                                finish,
                            });
                        }
                        Err(message) => message,
                    };
                    if std::mem::replace(&mut repaired, true) || !self.can_repair(text, &message) {
                        let provider = self.provider();
                        return Err(AskFailure::BadAnswer { provider, message });
                    }
                }
            }
            self.watch_again();
        }
    }

    fn provider(&self) -> String {
        self.served.provider.name.clone()
    }

    fn watch_again(&self) {
        if let Some(watcher) = self.options.watcher {
            watcher(Progress::StartedOver);
        }
    }

    /// Adds what is wrong with an answer, and the answer itself if there is room for it.
    fn can_repair(&mut self, text: String, wrong: &str) -> bool {
        if self.paid_left == 0 {
            return false;
        }
        let note = format!(
            "Your answer cannot be used: {wrong}. Answer again with one JSON object that fits the schema, and nothing else."
        );
        let said = Said {
            text,
            ..Said::default()
        };
        self.turns.push(Turn::Model(said));
        self.turns.push(Turn::User(note));
        if self.input_bound() > self.request_max.input
            && let Some(Turn::Model(said)) = self.turns.iter_mut().rev().nth(1)
        {
            "(left out, it was too long)".clone_into(&mut said.text);
        }
        self.input_bound() <= self.request_max.input
    }

    async fn call_tools(&mut self, tools: Tools<'_>, said: Said) -> Result<(), AskFailure> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let called = tokio::time::timeout(left, tools.answer(&said.calls)).await;
        let results = called.map_err(|_| AskFailure::TimedOut {
            provider: self.provider(),
            limit: self.ask.limits.time_max,
        })?;
        self.turns.push(Turn::Model(said));
        self.turns.push(Turn::Results(results));
        Ok(())
    }

    /// What goes in with the next request, at most.
    fn input_bound(&self) -> u64 {
        let turns = self.turns.iter().map(|turn| match turn {
            Turn::User(text) => token_bound(text),
            Turn::Model(said) => {
                let calls = said
                    .calls
                    .iter()
                    .map(|call| token_bound(&call.name) + token_bound(&call.arguments));
                let kept = said
                    .kept
                    .iter()
                    .map(|block| token_bound(&block.to_string()));
                token_bound(&said.text) + calls.sum::<u64>() + kept.sum::<u64>()
            }
            Turn::Results(results) => results.iter().map(|at| token_bound(&at.text)).sum(),
        });
        let tools = self
            .options
            .tools
            .map_or(&[][..], |tools| tools.definitions);
        let tools = tools.iter().map(|tool| {
            token_bound(&tool.name)
                + token_bound(&tool.description)
                + token_bound(&tool.schema.to_string())
        });
        token_bound(&self.prompt.system)
            + envelope(token_bound(&self.schema.to_string()))
            + turns.sum::<u64>()
            + tools.sum::<u64>()
    }

    /// The answer to what was said so far. Repeated while that may help, is allowed, and is paid for.
    async fn reply(&mut self) -> Result<Reply, AskFailure> {
        self.round += 1;
        // With the model in it, because the next of the chain may be one of the same provider.
        let key = format!("{}-{}-{}", self.ask.key, self.model, self.round);
        let body = self.body();
        let input_bound = self.input_bound();
        if input_bound > self.request_max.input {
            return Err(AskFailure::TooLong {
                tokens_max: self.ask.limits.input_tokens_max,
            });
        }
        let mut tried = 0;
        loop {
            let admitted = input_bound + self.request_max.output;
            let slot = self.admit(admitted).await?;
            let exchange = Exchange {
                transport: &self.models.transport,
                served: self.served,
                model: self.model,
                key: &key,
                watcher: self.options.watcher,
                time_left: self.deadline.saturating_duration_since(Instant::now()),
                now: &*self.models.clock,
                lease: &self.models.lease,
            };
            let sent = exchange.run(body.clone()).await;
            drop(slot);
            tried += 1;
            self.settle(&sent, input_bound, admitted);
            let trouble = match sent.result {
                Ok(reply) => return Ok(reply),
                Err(trouble) => trouble,
            };
            let until = self.next_try(trouble, tried)?;
            self.pause_until(until).await;
            self.watch_again();
        }
    }

    fn body(&self) -> String {
        let caching = match self.price.has_cache() {
            true => Caching::On,
            false => Caching::Off,
        };
        let purpose = self.ask.purpose();
        let question = Question {
            model: self.model,
            system: &self.prompt.system,
            turns: &self.turns,
            schema_name: purpose.name(),
            schema: &self.schema,
            tools: self
                .options
                .tools
                .map_or(&[][..], |tools| tools.definitions),
            output_tokens_max: self.ask.limits.output_tokens_max,
            temperature: LevelFacts::of(self.ask.level).temperature,
            caching,
        };
        wire::body(&self.served.provider, &question).to_string()
    }

    /// When to send again; or why not.
    fn next_try(&self, trouble: Trouble, tried: u32) -> Result<Timestamp, AskFailure> {
        let now = self.models.now();
        let wait = backoff(
            tried,
            self.served.provider.retry_wait,
            (self.models.random)(),
        );
        let until = match trouble.again {
            Again::No => return Err(trouble.failure),
            Again::Soon => now.plus(wait),
            // Never at once, whatever the provider says: whoever waits for it would ask without end.
            Again::At(until) => until.max(now.plus(wait)),
        };
        let left = self.deadline.saturating_duration_since(Instant::now());
        let too_late = millis(left) <= until.since(now) || until.since(now) > WAIT_MAX;
        let given_up = tried >= TRIES_MAX || self.paid_left == 0;
        if !too_late && !given_up {
            return Ok(until);
        }
        let provider = self.provider();
        Err(match (trouble.failure, trouble.again) {
            (AskFailure::Busy { .. }, _) | (_, Again::At(_)) => {
                AskFailure::Busy { provider, until }
            }
            (failure, Again::No | Again::Soon) => failure,
        })
    }

    /// Waits for a slot and for the rates, if that is not long.
    async fn admit(&self, tokens: u64) -> Result<tokio::sync::SemaphorePermit<'a>, AskFailure> {
        let busy = |until: Timestamp| AskFailure::Busy {
            provider: self.provider(),
            until,
        };
        let gate = &self.served.gate;
        let slot = tokio::time::timeout_at(self.deadline, gate.slots.acquire()).await;
        let Ok(Ok(slot)) = slot else {
            return Err(busy(self.models.now().plus(WAIT_MAX)));
        };
        loop {
            let now = self.models.now();
            let Err(until) = gate.admit(tokens, now) else {
                return Ok(slot);
            };
            let left = self.deadline.saturating_duration_since(Instant::now());
            if until.since(now) > WAIT_MAX || until.since(now) >= millis(left) {
                return Err(busy(until));
            }
            self.pause_until(until).await;
        }
    }

    async fn pause_until(&self, until: Timestamp) {
        let wait = until.since(self.models.now());
        tokio::time::sleep(Duration::from_millis(wait.0.max(1))).await;
    }

    fn settle(&mut self, sent: &Sent, input_bound: u64, admitted: u64) {
        let tokens = match sent.used {
            Used::Nothing => Tokens::default(),
            Used::Told(told) => self.request_max.believe(told),
            Used::Unknown => Tokens {
                input: input_bound,
                output: self.request_max.output,
                ..Tokens::default()
            },
        };
        if sent.used != Used::Nothing {
            self.paid_left = self.paid_left.saturating_sub(1);
        }
        self.spent.tokens = self.spent.tokens.plus(tokens);
        let cost = self.price.cost(tokens);
        self.spent.cost = MicroUsd(self.spent.cost.0.saturating_add(cost.0));
        let health = match &sent.result {
            Ok(_) => Health::Well,
            Err(trouble) => trouble.health,
        };
        let gate = &self.served.gate;
        gate.settle(admitted, tokens.total(), health, self.models.now());
        if let Some(until) = sent.closed_until {
            gate.close_until(until);
        }
    }
}

pub(crate) fn calling(options: AskOptions<'_>) -> Calling {
    match options.tools {
        Some(_) => Calling::Tools,
        None => Calling::Nothing,
    }
}

fn millis(duration: Duration) -> Millis {
    Millis(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}

fn short(text: &str) -> String {
    const CHARS_MAX: usize = 200;
    text.chars().take(CHARS_MAX).collect()
}
