//! `adjutant models`: who answers questions, whether they do, and what that costs.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_host::StopScope;
use adjutant_mission::{AgentLevel, AgentWork, Complexity, Json, ModelId, PurposeId};
use adjutant_providers::{AskOptions, Models, OFFLINE, PriceSettings};
use adjutant_questions::{
    Answerer as _, Ask, AskFailure, Extract, Input, LevelFacts, Source, Tier,
};
use serde_json::json;

use crate::args::{Models as Which, ModelsTest};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::stops_in_force::stops_in_force;
use crate::view::{Line, Table, Tone};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

pub(super) async fn run(settings: &Settings, which: Which) -> Result<Exit, AppError> {
    match which {
        Which::List(json) => list(settings, json.json.into()).await,
        Which::Test(test) => self::test(settings, test).await,
        Which::Prices(json) => prices(settings, json.json.into()),
    }
}

/// A way to models: for whom it is, and who is asked, first to last.
struct Chain {
    tier: Tier,
    /// `domain law`, `complex questions`; empty if it is for all others.
    only: String,
    models: Vec<String>,
}

fn chains(settings: &Settings) -> Vec<Chain> {
    let set = &settings.models.settings;
    let offline = || vec![OFFLINE.to_owned()];
    let mut chains = Vec::new();
    for tier in Tier::ALL {
        let named = |tiers: &BTreeMap<String, Vec<String>>| tiers.get(tier.name()).cloned();
        chains.push(Chain {
            tier,
            only: String::new(),
            models: named(&set.tiers).unwrap_or_else(offline),
        });
        let domains = set.domains.iter();
        let domains = domains.map(|(domain, tiers)| (format!("domain {domain}"), tiers));
        let hard = set.complexity.iter();
        let hard = hard.map(|(name, tiers)| (format!("{name} questions"), tiers));
        for (only, tiers) in domains.chain(hard) {
            if let Some(models) = named(tiers) {
                chains.push(Chain { tier, only, models });
            }
        }
    }
    chains
}

fn levels(tier: Tier) -> String {
    let levels = AgentLevel::ALL.into_iter();
    let of_tier = levels.filter(|level| LevelFacts::of(*level).tier == tier);
    of_tier.map(AgentLevel::name).collect::<Vec<_>>().join(", ")
}

/// The providers that nobody may ask for now.
async fn stopped(settings: &Settings) -> Result<Vec<String>, AppError> {
    let Some(reading) = ReadOnlyStore::open(settings).await? else {
        return Ok(Vec::new());
    };
    let stopped = stops_in_force(settings, &reading).await?.into_iter();
    let providers = stopped.filter_map(|stopped| match stopped.scope {
        StopScope::Provider(provider) => Some(provider.to_string()),
        _ => None,
    });
    Ok(providers.collect())
}

/// Why a model cannot be asked now, if that can be told without asking it.
fn missing(settings: &Settings, stopped: &[String], model: &str) -> Option<String> {
    let provider = model
        .split_once('/')
        .map_or(model, |(provider, _)| provider);
    if stopped.iter().any(|name| name == provider) {
        return Some(format!("{provider} is stopped"));
    }
    let set = &settings.models;
    let variable = set.settings.providers.get(provider)?.key_env.as_ref()?;
    let known = set.keys.contains_key(provider);
    (!known).then(|| format!("{variable} is not set"))
}

async fn list(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    let chains = chains(settings);
    let stopped = stopped(settings).await?;
    if form == Form::Json {
        for chain in &chains {
            let missing: Vec<String> = chain
                .models
                .iter()
                .filter_map(|model| missing(settings, &stopped, model))
                .collect();
            let line = json!({
                "tier": chain.tier.name(), "levels": levels(chain.tier), "only": chain.only, "models": chain.models,
                "missing": missing,
            });
            output::line(&line.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    let mut table = Table::headed(&["tier", "levels", "asks", ""]);
    for chain in &chains {
        let (tier, of) = match chain.only.as_str() {
            "" => (chain.tier.name().to_owned(), levels(chain.tier)),
            only => (String::new(), only.to_owned()),
        };
        let lacks = chain
            .models
            .iter()
            .find_map(|model| missing(settings, &stopped, model));
        let asks = match chain.models.is_empty() {
            true => Line::of(Tone::Failed, "nobody"),
            false => Line::of(Tone::Plain, chain.models.join(", else ")),
        };
        table.row([
            Line::of(Tone::Bold, tier),
            Line::of(Tone::Dim, of),
            asks,
            lacks.map_or(Line::new(), |lacks| Line::of(Tone::Human, lacks)),
        ]);
    }
    Line::print_all(&table.lines(output::size().0, 2), output::paint())?;
    if chains.iter().all(|chain| chain.models == [OFFLINE]) {
        output::note("\nNo language model is configured: every question is answered by rules.");
        output::note("Configure models under `[models]` in adjutant.toml; see docs/models.md.");
    }
    Ok(Exit::Ok)
}

fn prices(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    let models = wiring::models(settings)?;
    let known = &settings.models.settings.prices;
    let most = |level: AgentLevel| models.facts(&asking(level, None).ok()?).ok();
    if form == Form::Json {
        for (model, price) in known {
            output::line(&json!({ "model": model, "price": told(price) }).to_string())?;
        }
        for level in AgentLevel::ALL {
            let facts =
                most(level).map(|facts| json!({ "money": facts.price, "tokens": facts.tokens }));
            let line = json!({ "level": level.name(), "question_max": facts });
            output::line(&line.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    if known.is_empty() {
        output::line("No prices are configured. Answers without a language model are free.")?;
    } else {
        let mut table = Table::headed(&["$ per million tokens", "in", "out", "cached", "to cache"]);
        for (model, price) in known {
            let cell =
                |value: &Option<String>| Line::of(Tone::Plain, value.clone().unwrap_or_default());
            let input = match &price.price {
                Some(word) => Line::of(Tone::Done, word),
                None => cell(&price.input),
            };
            table.row([
                Line::of(Tone::Bold, model),
                input,
                cell(&price.output),
                cell(&price.cache_read),
                cell(&price.cache_write),
            ]);
        }
        Line::print_all(&table.lines(output::size().0, 0), output::paint())?;
    }
    output::line("")?;
    let mut table = Table::headed(&["a question of", "holds at most", "", "usual for the level"]);
    for level in AgentLevel::ALL {
        let facts = LevelFacts::of(level);
        let (held, tokens, expected) = match most(level) {
            None => ("nobody is asked".to_owned(), String::new(), String::new()),
            Some(most) if most.tokens == 0 => ("nothing".to_owned(), String::new(), String::new()),
            Some(most) => {
                let (from, to) = facts.cost_expected;
                let (from, to) = (from.min(most.price), to.min(most.price));
                let expected = match from == to {
                    true => from.to_string(),
                    false => format!("{from} to {to}"),
                };
                let tokens = format!("{} tokens", most.tokens);
                (most.price.to_string(), tokens, expected)
            }
        };
        table.row([
            Line::of(
                Tone::Bold,
                format!("{} ({})", level.name(), facts.tier.name()),
            ),
            Line::of(Tone::Plain, held),
            Line::of(Tone::Dim, tokens),
            Line::of(Tone::Dim, expected),
        ]);
    }
    Line::print_all(&table.lines(output::size().0, 0), output::paint())?;
    output::note(
        "\nThe reserved amount covers all models of a route, including repairs and retries; what is not used is returned.",
    );
    Ok(Exit::Ok)
}

fn told(price: &PriceSettings) -> serde_json::Value {
    json!({
        "price": price.price, "input": price.input, "output": price.output,
        "cache_read": price.cache_read, "cache_write": price.cache_write,
    })
}

/// What a question of a level is, as far as its price goes.
fn asking(
    level: AgentLevel,
    model: Option<ModelId>,
) -> Result<AgentWork, adjutant_questions::AskFailure> {
    let unfit = |error: adjutant_mission::IdError| adjutant_questions::AskFailure::Prompt {
        message: error.to_string(),
    };
    Ok(AgentWork {
        level,
        purpose: PurposeId::new("extract").map_err(unfit)?,
        with: Json::null(),
        domain: None,
        complexity: Complexity::default(),
        model,
        reasoning: None,
    })
}

async fn test(settings: &Settings, test: ModelsTest) -> Result<Exit, AppError> {
    let models = wiring::models(settings)?;
    let form = Form::from(test.json.json);
    let all: BTreeSet<String> = match test.model {
        Some(model) => BTreeSet::from([model]),
        None => chains(settings)
            .into_iter()
            .flat_map(|chain| chain.models)
            .collect(),
    };
    let mut exit = Exit::Ok;
    for model in all {
        if !try_out(&models, &model, form).await? {
            exit = Exit::NotGood;
        }
    }
    Ok(exit)
}

/// Asks one model something that every model can answer from what it is given.
async fn try_out(models: &Models, model: &str, form: Form) -> Result<bool, AppError> {
    let text = "The harbour of Elmsund was opened on 3 May 1911. It has four quays.";
    let source = Source {
        id: "guide".into(),
        text: text.into(),
        ..Source::default()
    };
    let named = ModelId::new(model).map_err(|error| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6074",
            format!("`{model}` cannot be a model: {error}"),
            "Write it as `provider/model`, or `offline`.",
        )
    })?;
    let level = AgentLevel::L4;
    let ask = Ask {
        key: format!("test-{}", wiring::clock().now().0),
        level,
        input: Input::Extract(Extract {
            question: "How many quays does the harbour have?".into(),
            sources: vec![source],
            most: 1,
            guidance: Vec::new(),
        }),
        unmarked: None,
        limits: LevelFacts::of(level).limits(Complexity::default()),
        domain: None,
        complexity: Complexity::default(),
        model: Some(named),
        without: Vec::new(),
        asker: None,
    };
    if form == Form::Text {
        output::note(&format!("Asking {model} …"));
    }
    let answered = models.ask(&ask, AskOptions::default()).await;
    if let Err(unanswered) = &answered
        && let AskFailure::UnknownModel { .. } | AskFailure::Unpriced { .. } = unanswered.failure
    {
        let help = "See `adjutant models list`, and docs/models.md for how to configure one.";
        let told = unanswered.to_string();
        return Err(AppError::new(ErrorKind::BadInput, "ADJ-6074", told, help));
    }
    if form == Form::Json {
        let line = match &answered {
            Ok(answer) => json!({ "model": model, "works": true, "answer": answer.result() }),
            Err(failed) => {
                json!({ "model": model, "works": false, "why": failed.to_string(), "cost": failed.cost })
            }
        };
        output::line(&line.to_string())?;
        return Ok(answered.is_ok());
    }
    let line = match &answered {
        Ok(answer) => Line::new()
            .and(Tone::Done, " ✓ ")
            .and(Tone::Bold, model)
            .and(Tone::Plain, format!("  {}", answer.latency))
            .and(
                Tone::Dim,
                format!(
                    "  {} tokens  {}  {}",
                    answer.tokens.total(),
                    answer.cost,
                    answer.notice
                ),
            ),
        Err(failed) => Line::new()
            .and(Tone::Failed, " ✗ ")
            .and(Tone::Bold, model)
            .and(Tone::Plain, format!("  {failed}"))
            .and(
                Tone::Dim,
                match failed.cost.0 {
                    0 => String::new(),
                    _ => format!("  {}", failed.cost),
                },
            ),
    };
    output::line(&line.render(output::paint()))?;
    if let Ok(answer) = &answered
        && let adjutant_questions::Output::Extract(extracted) = &answer.output
        && let Some(finding) = extracted.findings.first()
    {
        output::line(
            &Line::of(Tone::Dim, format!("   “{}”", finding.text)).render(output::paint()),
        )?;
    }
    Ok(answered.is_ok())
}
