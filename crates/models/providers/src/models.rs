//! A question to the models of its chain, first to last, until one answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use adjutant_mission::{Lease, MicroUsd, Millis, ProviderId, Timestamp};
use adjutant_questions::{
    Answer, Ask, AskFailure, Finish, Fitted, Input, LeftOut, Limits, Output, Prompts, ProviderZone,
    Rendered, Unanswered, fit, token_bound,
};
use tokio::time::Instant;

use crate::bound::{Bound, Calling, RequestMax, bound, usual};
use crate::cassette::{Cassette, CassetteError, Deck};
use crate::chain::Route;
use crate::conversation::{Conversation, Given, Partner, Spent};
use crate::fit::Schemas;
use crate::gate::Gate;
use crate::options::AskOptions;
use crate::price::Price;
use crate::secret::Secret;
use crate::settings::{Chains, ModelSettings, Provider, SettingsError};
use crate::transport::Transport;

/// The answerer that is always there and needs no provider.
pub const OFFLINE: &str = "offline";

pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
/// A new random number each time; waits are spread by it.
pub type Random = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What models are made of.
pub struct ModelParts {
    pub settings: ModelSettings,
    /// By the provider's name; see [`ModelSettings::keys_wanted`].
    pub keys: BTreeMap<String, Secret>,
    pub prompts: Prompts,
    /// Answers without a language model.
    pub offline: fn(&Input) -> Output,
    /// What is said with every answer of that kind.
    pub offline_notice: &'static str,
    pub clock: Clock,
    pub random: Random,
    pub cassette: Cassette,
}

impl std::fmt::Debug for ModelParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelParts")
            .field("settings", &self.settings)
            .field("cassette", &self.cassette)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    #[error("a purpose's schema is broken: {message}")]
    Schema { message: String },
}

/// A provider with its gate and key.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) provider: Provider,
    pub(crate) gate: Gate,
    pub(crate) key: Option<Secret>,
}

pub struct Models {
    pub(crate) served: BTreeMap<String, Served>,
    chains: Chains,
    pub(crate) prices: BTreeMap<String, Price>,
    pub(crate) embeddings: Option<String>,
    prompts: Prompts,
    offline: fn(&Input) -> Output,
    offline_notice: &'static str,
    pub(crate) schemas: Schemas,
    pub(crate) transport: Transport,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) lease: Lease,
}

impl std::fmt::Debug for Models {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Models")
            .field("served", &self.served)
            .field("chains", &self.chains)
            .finish_non_exhaustive()
    }
}

enum Target<'a> {
    Offline,
    Model(Partner<'a>),
}

struct Answered {
    given: Given,
    model: String,
    provider: String,
    prompt: Option<Rendered>,
    left_out: Vec<LeftOut>,
    notice: &'static str,
}

/// A question as a language model is asked it.
struct Put {
    ask: Ask,
    prompt: Rendered,
    left_out: Vec<LeftOut>,
}

impl Models {
    pub fn new(parts: ModelParts) -> Result<Self, ModelsError> {
        let checked = parts.settings.checked()?;
        let schemas = Schemas::new().map_err(|message| ModelsError::Schema { message })?;
        let (now, mut keys) = ((parts.clock)(), parts.keys);
        let served = checked.providers.into_iter().map(|(name, provider)| {
            let served = Served {
                gate: Gate::new(&provider, now),
                key: keys.remove(&name),
                provider,
            };
            (name, served)
        });
        Ok(Self {
            served: served.collect(),
            chains: checked.chains,
            prices: checked.prices,
            embeddings: checked.embeddings,
            prompts: parts.prompts,
            offline: parts.offline,
            offline_notice: parts.offline_notice,
            schemas,
            transport: Transport::new(Deck::open(&parts.cassette)?),
            clock: parts.clock,
            random: parts.random,
            lease: Lease::default(),
        })
    }

    /// Asks only while the lease holds.
    #[must_use]
    pub fn with_lease(self, lease: Lease) -> Self {
        Self { lease, ..self }
    }

    /// The most that a question without tools can use: what to reserve for it before it is asked.
    pub fn bound(&self, route: &Route<'_>, limits: Limits) -> Result<Bound, AskFailure> {
        self.bound_when(route, limits, Calling::Nothing)
    }

    /// The most that a question can use, with tools or without.
    pub fn bound_when(
        &self,
        route: &Route<'_>,
        limits: Limits,
        calling: Calling,
    ) -> Result<Bound, AskFailure> {
        let targets = self.targets(route)?.into_iter();
        let requests: Vec<(Price, RequestMax)> = targets
            .filter_map(|(_, target)| match target {
                Target::Offline => None,
                Target::Model(partner) => {
                    let provider = &partner.served.provider;
                    Some((partner.price, self.request_max(provider, limits, calling)))
                }
            })
            .collect();
        Ok(bound(&requests, calling))
    }

    /// How long a question may take: where a provider is given more time for one request than that, enough for the
    /// question and to have its answer repaired.
    pub(crate) fn time_max(&self, route: &Route<'_>, limits: Limits) -> Result<Millis, AskFailure> {
        let targets = self.targets(route)?.into_iter();
        let slowest = targets.filter_map(|(_, target)| match target {
            Target::Offline => None,
            Target::Model(partner) => Some(partner.served.provider.timeout),
        });
        let slowest = slowest.max().unwrap_or_default();
        let slowest = Millis(u64::try_from(slowest.as_millis()).unwrap_or(u64::MAX));
        Ok(match slowest > limits.time_max {
            true => Millis(slowest.0.saturating_mul(2)),
            false => limits.time_max,
        })
    }

    /// What a question ordinarily costs: one request to the first of its way, half as long as it may be. Never a cap.
    pub fn likely(&self, route: &Route<'_>, limits: Limits) -> Result<MicroUsd, AskFailure> {
        let first = self.targets(route)?.into_iter().next();
        Ok(match first {
            Some((_, Target::Model(partner))) => {
                let structured = partner.served.provider.structured;
                let schema_tokens = self.schemas.tokens_max(structured);
                partner.price.cost(usual(limits, schema_tokens))
            }
            Some((_, Target::Offline)) | None => MicroUsd::ZERO,
        })
    }

    /// One question, one answer. Every failure says what was used up.
    pub async fn ask(&self, ask: &Ask, options: AskOptions<'_>) -> Result<Answer, Unanswered> {
        let began = self.now();
        let mut spent = Spent::default();
        let answered = Box::pin(self.ask_chain(ask, options, &mut spent)).await;
        let Spent { tokens, cost } = spent;
        let answered = answered.map_err(|failure| Unanswered {
            failure,
            tokens,
            cost,
        })?;
        Ok(Answer {
            output: answered.given.output,
            text: answered.given.text,
            tokens,
            cost,
            model: answered.model,
            provider: answered.provider,
            latency: self.now().since(began),
            finish: answered.given.finish,
            prompt: answered.prompt,
            left_out: answered.left_out,
            notice: answered.notice.to_owned(),
        })
    }

    async fn ask_chain(
        &self,
        ask: &Ask,
        options: AskOptions<'_>,
        spent: &mut Spent,
    ) -> Result<Answered, AskFailure> {
        let deadline = Instant::now() + Duration::from_millis(ask.limits.time_max.0);
        let mut put: Option<Put> = None;
        let mut failed: Option<AskFailure> = None;
        for (name, target) in self.targets(&Route::from(ask))? {
            let stopped = |provider: &ProviderId| provider.as_str() == provider_of(name);
            if ask.without.iter().any(stopped) {
                continue;
            }
            let partner = match target {
                Target::Offline => {
                    let read = ask.unmarked.as_deref().unwrap_or(&ask.input);
                    return Ok(self.answer_offline(read));
                }
                Target::Model(partner) => partner,
            };
            let asked = match &put {
                Some(asked) => asked,
                None => put.insert(self.put(ask)?),
            };
            let failure = match self.unusable(&partner, ask, deadline) {
                Some(failure) => failure,
                None => {
                    let question = (&asked.ask, &asked.prompt);
                    let conversation =
                        Conversation::new(self, &partner, question, options, deadline, spent);
                    match conversation.run().await {
                        Ok(given) => {
                            return Ok(Answered {
                                given,
                                model: partner.model.to_owned(),
                                provider: partner.served.provider.name.clone(),
                                prompt: put.as_ref().map(|put| put.prompt.clone()),
                                left_out: put.map_or_else(Vec::new, |put| put.left_out),
                                notice: "",
                            });
                        }
                        Err(failure) => failure,
                    }
                }
            };
            if !passes_on(&failure) {
                return Err(failure);
            }
            failed = Some(match failed {
                None => failure,
                Some(before) => more_telling(before, failure),
            });
        }
        Err(failed.unwrap_or_else(|| AskFailure::NoModel {
            tier: ask.tier().name().to_owned(),
        }))
    }

    fn answer_offline(&self, input: &Input) -> Answered {
        let output = (self.offline)(input);
        Answered {
            given: Given {
                text: output.value().to_string(),
                output,
                finish: Finish::Stop,
            },
            model: OFFLINE.to_owned(),
            provider: OFFLINE.to_owned(),
            prompt: None,
            left_out: Vec::new(),
            notice: self.offline_notice,
        }
    }

    /// Cuts what the question carries to its limit, and renders its prompt. What surrounds sources is never cut.
    fn put(&self, ask: &Ask) -> Result<Put, AskFailure> {
        let tokens_max = ask.limits.input_tokens_max;
        let (bare, _) = self.render(ask, &fit(ask.input.clone(), 0).input)?;
        let room = u64::from(tokens_max)
            .checked_sub(bare)
            .ok_or(AskFailure::TooLong { tokens_max })?;
        let Fitted { input, left_out } = fit(ask.input.clone(), room);
        let (tokens, prompt) = self.render(ask, &input)?;
        if tokens > u64::from(tokens_max) {
            return Err(AskFailure::TooLong { tokens_max });
        }
        let ask = Ask {
            input,
            ..ask.clone()
        };
        Ok(Put {
            ask,
            prompt,
            left_out,
        })
    }

    /// The prompt, and how many tokens it is at most.
    fn render(&self, ask: &Ask, input: &Input) -> Result<(u64, Rendered), AskFailure> {
        let rendered = self.prompts.render_for(ask.asker.as_ref(), input);
        let rendered = rendered.map_err(|error| AskFailure::Prompt {
            message: error.to_string(),
        })?;
        let tokens = token_bound(&rendered.system) + token_bound(&rendered.user);
        Ok((tokens, rendered))
    }

    fn unusable(&self, partner: &Partner<'_>, ask: &Ask, deadline: Instant) -> Option<AskFailure> {
        let provider = &partner.served.provider;
        if let (Some(variable), None) = (&provider.key_env, &partner.served.key) {
            return Some(AskFailure::Unreachable {
                provider: provider.name.clone(),
                message: format!("its key is missing: set {variable}"),
            });
        }
        (Instant::now() >= deadline).then(|| AskFailure::TimedOut {
            provider: provider.name.clone(),
            limit: ask.limits.time_max,
        })
    }

    /// Who is asked, first to last. An unknown price anywhere is refused here, before anyone is asked.
    fn targets<'a>(&'a self, route: &Route<'a>) -> Result<Vec<(&'a str, Target<'a>)>, AskFailure> {
        let chain = self.asked(route)?.into_iter();
        chain.map(|name| Ok((name, self.target(name)?))).collect()
    }

    /// The names of who is asked, first to last.
    pub fn asked<'a>(&'a self, route: &Route<'a>) -> Result<Vec<&'a str>, AskFailure> {
        self.chains.of(route)
    }

    /// Whether what a provider is asked leaves the sensitive zone. One that is not configured is outside.
    pub fn zone_of(&self, provider: &str) -> ProviderZone {
        let served = self.served.get(provider);
        served.map_or(ProviderZone::Outside, |served| served.provider.zone)
    }

    fn target<'a>(&'a self, name: &'a str) -> Result<Target<'a>, AskFailure> {
        if name == OFFLINE {
            return Ok(Target::Offline);
        }
        let (provider, model) = name.split_once('/').unwrap_or((name, ""));
        let served = self
            .served
            .get(provider)
            .filter(|served| served.provider.endpoint.is_some() && !model.is_empty());
        let Some(served) = served else {
            return Err(AskFailure::UnknownModel {
                model: name.to_owned(),
            });
        };
        let price = self.prices.get(name).ok_or_else(|| AskFailure::Unpriced {
            model: name.to_owned(),
        })?;
        Ok(Target::Model(Partner {
            served,
            model,
            price: *price,
        }))
    }

    pub(crate) fn request_max(
        &self,
        provider: &Provider,
        limits: Limits,
        calling: Calling,
    ) -> RequestMax {
        let schema_tokens = self.schemas.tokens_max(provider.structured);
        RequestMax::new(limits, schema_tokens, calling)
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }
}

/// Whose model it is: what stands before the first `/`.
pub(crate) fn provider_of(name: &str) -> &str {
    name.split_once('/').map_or(name, |(provider, _)| provider)
}

/// Whether the next of the chain is asked. One that does not take the question (a wrong key, an unknown model) is as
/// good as none; one that declined it has answered.
fn passes_on(failure: &AskFailure) -> bool {
    failure.may_pass() || matches!(failure, AskFailure::Rejected { .. })
}

/// Of two failures the one to tell: a time to come back is worth more than a reason, and the sooner the better.
fn more_telling(before: AskFailure, after: AskFailure) -> AskFailure {
    match (&before, &after) {
        (AskFailure::Busy { until, .. }, AskFailure::Busy { until: other, .. }) => {
            if other < until { after } else { before }
        }
        (AskFailure::Busy { .. }, _) => before,
        _ => after,
    }
}
