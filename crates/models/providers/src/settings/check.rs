//! Settings that make sense, or everything that does not.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use adjutant_mission::{Complexity, DomainId, Millis, ModelId};
use adjutant_questions::{ProviderZone, Tier};
use reqwest::Url;

use super::{
    ModelSettings, OutputLimit, PriceSettings, Problem, ProviderKind, ProviderSettings, Structured,
    TierSettings,
};
use crate::OFFLINE;
use crate::price::{Price, Rate};

const CHAIN_MAX: usize = 8;
const CONCURRENCY_DEFAULT: u32 = 16;
const CONCURRENCY_MAX: u32 = 10_000;
const TIMEOUT_SECONDS_DEFAULT: u64 = 90;
const TIMEOUT_SECONDS_MAX: u64 = 3_600;
const IDLE_SECONDS_DEFAULT: u64 = 45;
const RETRY_WAIT_MS_DEFAULT: u64 = 500;
const RETRY_WAIT_MS_MAX: u64 = 60_000;
const COMPLEXITIES: [Complexity; 3] = [
    Complexity::Simple,
    Complexity::Ordinary,
    Complexity::Complex,
];

#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) providers: BTreeMap<String, Provider>,
    pub(crate) chains: Chains,
    pub(crate) prices: BTreeMap<String, Price>,
    pub(crate) embeddings: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Chains {
    pub(crate) tiers: BTreeMap<Tier, Vec<String>>,
    pub(crate) domains: BTreeMap<(DomainId, Tier), Vec<String>>,
    pub(crate) complexity: BTreeMap<(Complexity, Tier), Vec<String>>,
}

/// A provider as it is asked.
#[derive(Debug, Clone)]
pub(crate) struct Provider {
    pub(crate) name: String,
    pub(crate) kind: ProviderKind,
    /// None of the offline one.
    pub(crate) endpoint: Option<Endpoint>,
    pub(crate) zone: ProviderZone,
    pub(crate) key_env: Option<String>,
    pub(crate) structured: Structured,
    pub(crate) output_limit: OutputLimit,
    pub(crate) sends_temperature: bool,
    pub(crate) sends_key: bool,
    pub(crate) concurrency_max: u32,
    pub(crate) requests_per_minute: Option<u32>,
    pub(crate) tokens_per_minute: Option<u64>,
    pub(crate) timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) retry_wait: Millis,
}

/// What is wanted of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    Chat,
    Embeddings,
}

#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    base: Url,
    api_version: Option<String>,
}

impl Endpoint {
    /// The address that a model is asked at.
    pub(crate) fn url(&self, kind: ProviderKind, model: &str, service: Service) -> Url {
        let mut url = self.base.clone();
        let mut parts: Vec<&str> = match (kind, &self.api_version) {
            (ProviderKind::Anthropic, _) => vec!["v1"],
            (ProviderKind::Azure, Some(_)) => vec!["deployments", model],
            (ProviderKind::Azure, None) => vec!["v1"],
            _ => Vec::new(),
        };
        parts.extend::<&[&str]>(match (service, kind) {
            (Service::Embeddings, _) => &["embeddings"],
            (Service::Chat, ProviderKind::Anthropic) => &["messages"],
            (Service::Chat, _) => &["chat", "completions"],
        });
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(parts);
        }
        if let Some(version) = &self.api_version {
            url.query_pairs_mut().append_pair("api-version", version);
        }
        url
    }
}

#[derive(Default)]
struct Problems(Vec<Problem>);

impl Problems {
    fn tell(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.0.push(Problem {
            place: format!("models.{}", place.into()),
            message: message.into(),
        });
    }
}

pub(super) fn check(settings: &ModelSettings) -> Result<Checked, Vec<Problem>> {
    let mut problems = Problems::default();
    let mut providers = BTreeMap::new();
    for (name, provider) in &settings.providers {
        providers.insert(name.clone(), check_provider(name, provider, &mut problems));
    }
    providers
        .entry(OFFLINE.to_owned())
        .or_insert_with(offline_provider);
    let mut prices = BTreeMap::new();
    for (model, price) in &settings.prices {
        let place = format!("prices.\"{model}\"");
        named_model(settings, &place, model, &mut problems);
        if let Some(price) = check_price(&place, price, &mut problems) {
            prices.insert(model.clone(), price);
        }
    }
    let chains = check_chains(settings, &mut problems);
    if let Some(model) = &settings.embeddings {
        check_embeddings(settings, model, &mut problems);
    }
    if problems.0.is_empty() {
        Ok(Checked {
            providers,
            chains,
            prices,
            embeddings: settings.embeddings.clone(),
        })
    } else {
        Err(problems.0)
    }
}

fn check_chains(settings: &ModelSettings, problems: &mut Problems) -> Chains {
    let mut chains = Chains::default();
    for (tier, chain) in tiers(settings, "tiers", &settings.tiers, problems) {
        chains.tiers.insert(tier, chain);
    }
    for (domain, of_domain) in &settings.domains {
        let place = format!("domains.{domain}");
        let checked = tiers(settings, &place, of_domain, problems);
        match DomainId::new(domain.as_str()) {
            Ok(id) => {
                let keyed = checked
                    .into_iter()
                    .map(|(tier, chain)| ((id.clone(), tier), chain));
                chains.domains.extend(keyed);
            }
            Err(error) => problems.tell(place, format!("no name of a field: {error}")),
        }
    }
    for (name, of_complexity) in &settings.complexity {
        let place = format!("complexity.{name}");
        let checked = tiers(settings, &place, of_complexity, problems);
        match COMPLEXITIES.into_iter().find(|at| at.name() == name) {
            Some(complexity) => {
                let keyed = checked
                    .into_iter()
                    .map(|(tier, chain)| ((complexity, tier), chain));
                chains.complexity.extend(keyed);
            }
            None => problems.tell(
                place,
                "not a complexity: use `simple`, `ordinary` or `complex`",
            ),
        }
    }
    chains
}

fn tiers(
    settings: &ModelSettings,
    place: &str,
    tiers: &TierSettings,
    problems: &mut Problems,
) -> Vec<(Tier, Vec<String>)> {
    let mut checked = Vec::new();
    for (name, chain) in tiers {
        let place = format!("{place}.{name}");
        if chain.len() > CHAIN_MAX {
            let message = format!("{} models: name at most {CHAIN_MAX}", chain.len());
            problems.tell(place.as_str(), message);
        }
        for (at, model) in chain.iter().enumerate() {
            let place = format!("{place}[{at}]");
            priced_model(settings, &place, model, problems);
        }
        match Tier::ALL.into_iter().find(|tier| tier.name() == name) {
            Some(tier) => checked.push((tier, chain.clone())),
            None => problems.tell(
                place,
                "not a tier: use `strategic`, `expert`, `worker` or `tool`",
            ),
        }
    }
    checked
}

fn check_embeddings(settings: &ModelSettings, model: &str, problems: &mut Problems) {
    let place = "embeddings";
    if model == OFFLINE {
        problems.tell(place, "there are none offline: leave it out");
    } else if priced_model(settings, place, model, problems) {
        let provider = model.split_once('/').map_or("", |(provider, _)| provider);
        let kind = settings.providers.get(provider).map(|of| of.kind);
        if kind == Some(ProviderKind::Anthropic) {
            problems.tell(place, "Anthropic has none: name a model elsewhere");
        }
    }
}

/// Whether a name is of a model at a provider there is, whose price is known.
fn priced_model(
    settings: &ModelSettings,
    place: &str,
    model: &str,
    problems: &mut Problems,
) -> bool {
    if !named_model(settings, place, model, problems) {
        return false;
    }
    let known = model == OFFLINE || settings.prices.contains_key(model);
    if !known {
        let message = format!(
            "the price of `{model}` is not known: put it under [models.prices.\"{model}\"], or `price = \"free\"` there"
        );
        problems.tell(place, message);
    }
    known
}

/// Whether a name is of a model at a provider there is.
fn named_model(settings: &ModelSettings, place: &str, name: &str, problems: &mut Problems) -> bool {
    if name == OFFLINE {
        return true;
    }
    if let Err(error) = ModelId::new(name) {
        problems.tell(
            place,
            format!("`{name:.100}` is no name of a model: {error}"),
        );
        return false;
    }
    match name.split_once('/') {
        Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
            match settings.providers.get(provider) {
                Some(at) if at.kind == ProviderKind::Offline => {
                    problems.tell(
                        place,
                        format!("`{provider}` has no models: write `{OFFLINE}`"),
                    );
                    false
                }
                Some(_) => true,
                None => {
                    let message = format!(
                        "there is no provider `{provider}`: add [models.providers.{provider}]"
                    );
                    problems.tell(place, message);
                    false
                }
            }
        }
        _ => {
            let message = format!(
                "`{name}` has no provider in front: write `provider/model`, or `{OFFLINE}`"
            );
            problems.tell(place, message);
            false
        }
    }
}

fn check_price(place: &str, price: &PriceSettings, problems: &mut Problems) -> Option<Price> {
    let rates = [
        &price.input,
        &price.output,
        &price.cache_read,
        &price.cache_write,
    ];
    if let Some(word) = &price.price {
        if word == "free" && rates.iter().all(|rate| rate.is_none()) {
            return Some(Price::FREE);
        }
        problems.tell(
            format!("{place}.price"),
            "can only be `\"free\"`, alone: otherwise give `input` and `output`",
        );
        return None;
    }
    let mut rate = |name: &str, text: &Option<String>| -> Option<Rate> {
        let read = text.as_deref()?.parse();
        read.map_err(|error: crate::price::RateError| {
            problems.tell(format!("{place}.{name}"), error.to_string());
        })
        .ok()
    };
    let (input, output) = (rate("input", &price.input), rate("output", &price.output));
    let cache_read = rate("cache_read", &price.cache_read);
    let cache_write = rate("cache_write", &price.cache_write);
    for (name, text) in [("input", &price.input), ("output", &price.output)] {
        if text.is_none() {
            let message = "is missing: give US dollars per million tokens, or `price = \"free\"`";
            problems.tell(format!("{place}.{name}"), message);
        }
    }
    Some(Price {
        input: input?,
        output: output?,
        cache_read,
        cache_write,
    })
}

fn offline_provider() -> Provider {
    Provider {
        name: OFFLINE.to_owned(),
        kind: ProviderKind::Offline,
        endpoint: None,
        zone: ProviderZone::Inside,
        key_env: None,
        structured: Structured::Schema,
        output_limit: OutputLimit::MaxTokens,
        sends_temperature: false,
        sends_key: false,
        concurrency_max: CONCURRENCY_DEFAULT,
        requests_per_minute: None,
        tokens_per_minute: None,
        timeout: Duration::from_secs(TIMEOUT_SECONDS_DEFAULT),
        idle_timeout: Duration::from_secs(IDLE_SECONDS_DEFAULT),
        retry_wait: Millis(RETRY_WAIT_MS_DEFAULT),
    }
}

fn check_provider(name: &str, from: &ProviderSettings, problems: &mut Problems) -> Provider {
    let place = format!("providers.{name}");
    let named_offline = name == OFFLINE;
    if name.contains('/') || named_offline != (from.kind == ProviderKind::Offline) {
        problems.tell(
            place.as_str(),
            "a provider's name has no `/`, and `offline` is the name of the kind `offline` alone: rename it",
        );
    }
    if from.key_env.as_deref().is_some_and(str::is_empty) {
        problems.tell(
            format!("{place}.key_env"),
            "is empty: name an environment variable, or leave it out",
        );
    }
    if from.api_version.is_some() && from.kind != ProviderKind::Azure {
        problems.tell(
            format!("{place}.api_version"),
            "only the kind `azure` has one: leave it out",
        );
    }
    if from.structured == Some(Structured::Json) && from.kind == ProviderKind::Anthropic {
        problems.tell(
            format!("{place}.structured"),
            "Anthropic has no `json`: use `schema` or `prompt`",
        );
    }
    if from.structured == Some(Structured::Narrowed) && from.kind != ProviderKind::Compatible {
        problems.tell(
            format!("{place}.structured"),
            "only the kind `compatible` takes `narrowed`: use `schema`",
        );
    }
    let mut within = |what: &str, value: Option<u64>, default: u64, max: u64| -> u64 {
        let value = value.unwrap_or(default);
        if value == 0 || value > max {
            problems.tell(
                format!("{place}.{what}"),
                format!("is {value}: use 1 to {max}"),
            );
        }
        value
    };
    let concurrency_max = within(
        "concurrency_max",
        from.concurrency_max.map(u64::from),
        u64::from(CONCURRENCY_DEFAULT),
        u64::from(CONCURRENCY_MAX),
    );
    let (seconds, most) = (TIMEOUT_SECONDS_DEFAULT, TIMEOUT_SECONDS_MAX);
    let timeout = within("timeout", from.timeout, seconds, most);
    let idle = within(
        "idle_timeout",
        from.idle_timeout,
        IDLE_SECONDS_DEFAULT,
        most,
    );
    let retry_wait = within(
        "retry_wait_ms",
        from.retry_wait_ms,
        RETRY_WAIT_MS_DEFAULT,
        RETRY_WAIT_MS_MAX,
    );
    let requests = from.requests_per_minute.map(u64::from);
    for (what, value) in [
        ("requests_per_minute", requests),
        ("tokens_per_minute", from.tokens_per_minute),
    ] {
        if value == Some(0) {
            let message = "is 0: give a limit, or leave it out for none";
            problems.tell(format!("{place}.{what}"), message);
        }
    }
    let endpoint = endpoint(&place, from, problems);
    Provider {
        name: name.to_owned(),
        kind: from.kind,
        zone: from.zone.unwrap_or_else(|| zone(endpoint.as_ref())),
        endpoint,
        key_env: from.key_env.clone(),
        structured: from.structured.unwrap_or(match from.kind {
            // The others keep a schema they have seen, apart from the question and for longer: no names belong in it.
            ProviderKind::Compatible => Structured::Narrowed,
            _ => Structured::Schema,
        }),
        output_limit: from.output_limit.unwrap_or(match from.kind {
            ProviderKind::Openai | ProviderKind::Azure => OutputLimit::MaxCompletionTokens,
            _ => OutputLimit::MaxTokens,
        }),
        sends_temperature: from
            .temperature
            .unwrap_or(from.kind == ProviderKind::Compatible),
        sends_key: from
            .idempotency_key
            .unwrap_or(from.kind == ProviderKind::Openai),
        concurrency_max: u32::try_from(concurrency_max).unwrap_or(CONCURRENCY_MAX),
        requests_per_minute: from.requests_per_minute,
        tokens_per_minute: from.tokens_per_minute,
        timeout: Duration::from_secs(timeout),
        idle_timeout: Duration::from_secs(idle),
        retry_wait: Millis(retry_wait),
    }
}

fn endpoint(place: &str, from: &ProviderSettings, problems: &mut Problems) -> Option<Endpoint> {
    let place = format!("{place}.url");
    let text = match (from.kind, from.url.as_deref()) {
        (ProviderKind::Offline, None) => return None,
        (ProviderKind::Offline, Some(_)) => {
            problems.tell(place, "the kind `offline` has none: leave it out");
            return None;
        }
        (_, Some(text)) => text,
        (ProviderKind::Openai, None) => "https://api.openai.com/v1",
        (ProviderKind::Anthropic, None) => "https://api.anthropic.com",
        (ProviderKind::Azure | ProviderKind::Compatible, None) => {
            problems.tell(
                place,
                "is missing: give the address the server is reached at",
            );
            return None;
        }
    };
    let base = match Url::parse(text) {
        Ok(base) => base,
        Err(error) => {
            problems.tell(place, format!("`{text:.100}` is no address: {error}"));
            return None;
        }
    };
    if !base.username().is_empty() || base.password().is_some() || base.query().is_some() {
        problems.tell(
            place,
            "holds a user, a password or a query, which would show up in logs: use `key_env`",
        );
        return None;
    }
    match base.scheme() {
        "https" => {}
        "http" if from.insecure || is_loopback(&base) => {}
        "http" => problems.tell(
            place,
            "would send questions over plain http: to another machine: use https:, or set `insecure = true`",
        ),
        scheme => problems.tell(place, format!("begins with `{scheme}:`: use https:")),
    }
    Some(Endpoint {
        base,
        api_version: from.api_version.clone(),
    })
}

/// What is on this machine is inside, and so is the one that needs no server.
fn zone(endpoint: Option<&Endpoint>) -> ProviderZone {
    match endpoint {
        Some(endpoint) if !is_loopback(&endpoint.base) => ProviderZone::Outside,
        Some(_) | None => ProviderZone::Inside,
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
