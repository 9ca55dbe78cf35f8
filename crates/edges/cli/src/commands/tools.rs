//! `adjutant tools`: which there are, what each takes, and what it gives.

use std::sync::Arc;

use adjutant_effects::{MissionFacts, MissionRules, Performer, Request, ResolvedInputs};
use adjutant_host::new_mission_id;
use adjutant_knowledge_base::Shelf;
use adjutant_mission::{
    Effect, EffectClass, EffectId, EffectNumber, Json, Outcome, Payload, Plan, Role, TaskKey,
    ToolCall, ToolId, Work,
};
use adjutant_tools::{AllowedHosts, Audit, Isolation, Library, Manifest, RAG, RECALL, Registry};
use serde_json::Value;

use crate::args::{Tools, ToolsCall};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::text_file;
use crate::view::{Line, Table, Tone, bytes, count, money, wrap};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::knowledge::Embedding;
use adjutant_app::knowledge::KnowledgeLibrary;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::rules::rule_book;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

/// Lines of a passage that are shown.
const TEXT_LINES_MAX: usize = 4;

pub(super) async fn run(settings: &Settings, which: Tools) -> Result<Exit, AppError> {
    match which {
        Tools::List(json) => {
            let registry = wiring::tools(settings).await?;
            let listed: Vec<Listed> = registry
                .manifests()
                .map(|manifest| Listed {
                    manifest: manifest.clone(),
                    refusal: refusal(settings, &registry, manifest),
                })
                .collect();
            list(&listed, json.json.into())
        }
        Tools::Show { tool, json } => {
            let registry = wiring::tools(settings).await?;
            let manifest = manifest(&registry, &tool)?;
            let refusal = refusal(settings, &registry, manifest);
            show(manifest, refusal.as_deref(), json.json.into())
        }
        Tools::Call(call) => self::call(settings, call).await,
    }
}

fn manifest<'a>(registry: &'a Registry, tool: &str) -> Result<&'a Manifest, AppError> {
    let found = registry.get(tool).map(|registered| registered.manifest());
    found.ok_or_else(|| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6080",
            registry.unknown(tool),
            "Use one of those; `adjutant tools list` describes them.",
        )
    })
}

/// A tool, and why whoever asks may not have it called.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) manifest: Manifest,
    pub(super) refusal: Option<String>,
}

pub(super) fn list(tools: &[Listed], form: Form) -> Result<Exit, AppError> {
    if form == Form::Json {
        for Listed { manifest, .. } in tools {
            output::line(&encoded(manifest))?;
        }
        return Ok(Exit::Ok);
    }
    let mut table = Table::headed(&["tool", "what it does", "a call", "changes something"]);
    for Listed { manifest, refusal } in tools {
        table.row([
            Line::of(Tone::Bold, manifest.id.as_str()),
            Line::new().plain(&manifest.name),
            Line::new().plain(price(manifest)),
            match refusal {
                None => Line::of(Tone::Dim, changes(manifest.class)),
                Some(_) => Line::of(Tone::Failed, "not permitted"),
            },
        ]);
    }
    let (width, _) = output::size();
    Line::print_all(&table.lines(width, 1), output::paint())?;
    Ok(Exit::Ok)
}

fn encoded(manifest: &Manifest) -> String {
    serde_json::to_string(manifest).unwrap_or_default()
}

fn price(manifest: &Manifest) -> String {
    match manifest.price.0 {
        0 => "free".to_owned(),
        _ => money(manifest.price),
    }
}

fn changes(class: EffectClass) -> &'static str {
    match class {
        EffectClass::Pure | EffectClass::Paid => "no",
        EffectClass::Idempotent => "yes, but repeating it is safe",
        EffectClass::Once => "yes; a person is asked if the outcome is uncertain",
    }
}

/// Why the settings do not let the current person have a tool called.
fn refusal(settings: &Settings, registry: &Registry, manifest: &Manifest) -> Option<String> {
    registry.refusal(&settings.tenant, &settings.actor(None), &manifest.id)
}

pub(super) fn show(
    manifest: &Manifest,
    refusal: Option<&str>,
    form: Form,
) -> Result<Exit, AppError> {
    if form == Form::Json {
        output::line(&encoded(manifest))?;
        return Ok(Exit::Ok);
    }
    let (width, _) = output::size();
    let mut lines = vec![
        Line::of(Tone::Bold, &manifest.name).and(Tone::Dim, format!("  {}", manifest.id)),
        Line::new(),
    ];
    let described = wrap(&manifest.description, width);
    lines.extend(described.iter().map(|line| Line::new().plain(line)));
    lines.push(Line::new());
    let limit = format!(
        "{}, {} of result",
        manifest.time_limit,
        bytes(manifest.output_bytes_max as u64)
    );
    for (what, told) in [
        ("a call", price(manifest)),
        ("changes something", changes(manifest.class).to_owned()),
        ("at most", limit),
        ("reaches", reaches(&manifest.hosts)),
        ("runs", runs(manifest.isolation).to_owned()),
        ("autonomy levels", listed(&manifest.autonomy_levels)),
        ("roles", roles(&manifest.roles)),
        ("audit", audit(manifest.audit).to_owned()),
    ] {
        lines.push(Line::of(Tone::Dim, format!("{what:<18}")).plain(told));
    }
    if let Some(told) = refusal {
        lines.push(Line::of(Tone::Dim, format!("{:<18}", "not permitted")).and(Tone::Failed, told));
    }
    for (what, schema) in [
        ("Arguments", Some(&manifest.input)),
        ("Result", manifest.output.as_ref()),
    ] {
        let Some(schema) = schema else { continue };
        lines.push(Line::new());
        lines.push(Line::of(Tone::Bold, what));
        let text = serde_json::to_string_pretty(schema).unwrap_or_default();
        lines.extend(text.lines().map(|line| Line::new().plain(line)));
    }
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

fn reaches(hosts: &AllowedHosts) -> String {
    match hosts {
        AllowedHosts::Any => "any public host".to_owned(),
        AllowedHosts::Only(hosts) if hosts.is_empty() => "nothing".to_owned(),
        AllowedHosts::Only(hosts) => hosts.join(", "),
    }
}

fn runs(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::None => "nothing but itself",
        Isolation::Sandbox => "what it is given, in the sandbox",
    }
}

fn audit(audit: Audit) -> &'static str {
    match audit {
        Audit::None => "none",
        Audit::Summary => "summary",
        Audit::Full => "full",
    }
}

fn roles(roles: &[Role]) -> String {
    match roles.is_empty() {
        true => "every role".to_owned(),
        false => listed(roles),
    }
}

fn listed<T: ToString>(all: &[T]) -> String {
    let all: Vec<_> = all.iter().map(T::to_string).collect();
    all.join(", ")
}

async fn call(settings: &Settings, call: ToolsCall) -> Result<Exit, AppError> {
    // Nothing else needs a store, so a store in whatever state keeps nobody from the others.
    let library = match [RECALL, RAG].contains(&call.tool.as_str()) {
        true => library(settings).await?,
        false => None,
    };
    // A call by hand belongs to no mission, so it has no earlier runs.
    let parts = wiring::HostParts {
        library,
        runs: None,
    };
    let registry = wiring::tools_with(settings, parts).await?;
    let manifest = manifest(&registry, &call.tool)?;
    // Whether it may be called by hand is no question until it is there.
    wiring::check_delegate(settings, manifest.id.as_str()).await?;
    if manifest.class == EffectClass::Once {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6082",
            format!("`{}` makes a change that cannot be undone", call.tool),
            "Call it in a plan, where it is recorded in the journal and never runs twice.",
        ));
    }
    if let Some(told) = refusal(settings, &registry, manifest) {
        return Err(AppError::new(
            ErrorKind::NotGood,
            "ADJ-6086",
            told,
            "Use another tool, or ask the operator to change the `[tools]` settings.",
        ));
    }
    let work = Work::CallTool(ToolCall {
        tool: manifest.id.clone(),
        with: arguments(&call)?,
    });
    let effect = Effect {
        id: EffectId {
            // A new one each time: it goes along as the key by which a server knows a repetition.
            mission: new_mission_id(wiring::clock().now())?,
            number: EffectNumber::new(1),
        },
        task: TaskKey::new("call").map_err(|error| defect(&error))?,
        attempt: 1,
        class: manifest.class,
        not_before: None,
        thought: None,
        guidance: Vec::new(),
        work,
    };
    let cost = manifest.price;
    let id: ToolId = manifest.id.clone();
    let request = Request {
        rules: rules(settings)?,
        ..Request::new(settings.tenant.clone(), effect, ResolvedInputs::default())
    };
    let outcome = Performer::new(Arc::new(registry)).perform(request).await;
    let told = match outcome {
        Outcome::Done { output, .. } => output,
        other => return Err(failed(&id, other)),
    };
    let text = match &told {
        Payload::Inline(json) => json.text().to_owned(),
        other => format!("{other:?}"),
    };
    if Form::from(call.json.json) == Form::Json {
        output::line(&text)?;
        return Ok(Exit::Ok);
    }
    let value: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    match value["sources"].as_array() {
        Some(sources) => Line::print_all(&found(sources, &value), output::paint())?,
        None => output::line(&serde_json::to_string_pretty(&value).unwrap_or_default())?,
    }
    if cost.0 > 0 {
        let told = format!("In a mission this call costs {}.", money(cost));
        output::note(&told);
    }
    Ok(Exit::Ok)
}

/// The tenant's rules hold for single calls too. There is no mission; its fields are empty.
fn rules(settings: &Settings) -> Result<MissionRules, AppError> {
    let book = rule_book(settings)?;
    let plan = Plan::new(String::new(), Vec::new());
    let facts = MissionFacts::of_plan(&plan, settings.me.clone(), &book.types);
    Ok(MissionRules::new(book.of(&settings.tenant), &facts))
}

/// What a search found, as a person reads it; `--json` has all of it.
fn found(sources: &[Value], whole: &Value) -> Vec<Line> {
    let (width, _) = output::size();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut lines = Vec::new();
    for source in sources {
        lines.push(Line::of(Tone::Bold, text(&source["title"])));
        let place = match source["url"].as_str() {
            Some(url) => format!("{} · {url}", text(&source["id"])),
            None => text(&source["id"]),
        };
        let when = source["published"].as_str();
        let place = when.map_or(place.clone(), |when| format!("{when} · {place}"));
        lines.push(Line::of(Tone::Dim, place));
        let said = text(&source["text"]);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut wrapped = wrap(&said, width);
        if wrapped.len() > TEXT_LINES_MAX {
            wrapped.truncate(TEXT_LINES_MAX);
            wrapped.push("…".to_owned());
        }
        lines.extend(wrapped.iter().map(|line| Line::new().plain(line)));
        lines.push(Line::new());
    }
    let told = match (whole["total"].as_u64(), sources.len()) {
        (_, 0) => "Nothing was found.".to_owned(),
        (Some(total), shown) if total > shown as u64 => format!("{shown} of {total}."),
        (_, shown) => format!("{}.", count(shown, "source")),
    };
    lines.push(Line::new().plain(told));
    let notes = whole["notes"].as_array().into_iter().flatten();
    for note in notes.chain(whole.get("note")).filter_map(Value::as_str) {
        lines.push(Line::of(Tone::Dim, note));
    }
    lines
}

fn defect(error: &dyn std::fmt::Display) -> AppError {
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-6083",
        error.to_string(),
        "This is a defect of Adjutant; please report it.",
    )
}

fn failed(id: &ToolId, outcome: Outcome) -> AppError {
    let (kind, message) = match outcome {
        Outcome::Failed { failure, .. }
            if failure.kind == adjutant_mission::FailureKind::BadInput =>
        {
            (ErrorKind::BadInput, failure.message)
        }
        Outcome::Failed { failure, .. } => (ErrorKind::NotGood, failure.message),
        Outcome::Denied { reason } | Outcome::NeedsHuman { reason } => (ErrorKind::NotGood, reason),
        Outcome::Deferred { until } => {
            let message = format!(
                "`{id}` asked to be called again at {}",
                crate::view::instant(until)
            );
            (ErrorKind::NotGood, message)
        }
        other => (ErrorKind::Unavailable, format!("`{id}` returned {other:?}")),
    };
    AppError::new(
        kind,
        "ADJ-6083",
        message,
        "Fix the problem in the message; `adjutant tools show` describes the tool's arguments.",
    )
}

fn arguments(call: &ToolsCall) -> Result<Json, AppError> {
    let text = match (&call.arguments, &call.file) {
        (Some(text), _) => text.clone(),
        (None, Some(file)) => text_file::read(file)?,
        (None, None) => "{}".to_owned(),
    };
    let wrong = |why: String| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6081",
            format!("the arguments are not a JSON object: {why}"),
            "Write them as '{\"name\": value}', or name a file with --file.",
        )
    };
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if !value.is_object() {
        return Err(wrong("it is a different kind of value".to_owned()));
    }
    Json::encode(&value).map_err(|error| wrong(error.to_string()))
}

/// The knowledge base, where there is a store that may have one.
async fn library(settings: &Settings) -> Result<Option<Arc<dyn Library>>, AppError> {
    let Some(reading) = ReadOnlyStore::open(settings).await? else {
        return Ok(None);
    };
    Ok(Some(Arc::new(KnowledgeLibrary {
        store: reading.whole,
        vault: settings.vault()?,
        shelf: Arc::new(Shelf::default()),
        embedding: Embedding::of(settings)?,
    })))
}
