//! `adjutant stop`, `allow` and `stops`: what nobody may do for now.

use adjutant_host::{Performs, StopScope, Upkeep};
use adjutant_mission::{ProviderId, ToolId};

use crate::args::{Allow, Stop, What};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::stops_in_force::{StopRow, Stopped, stop_argument, stops_in_force};
use crate::view::{Line, Table, Tone, ago, count};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

pub(super) async fn stop(settings: &Settings, stop: Stop) -> Result<Exit, AppError> {
    let form = Form::from(stop.json.json);
    let Some(what) = stop.what else {
        return list(settings, form).await;
    };
    let scope = scope(what, stop.name.as_deref())?;
    if let StopScope::Tool(tool) = &scope {
        expect_tool(settings, tool)?;
    }
    let upkeep = Upkeep::Stop {
        scope: scope.clone(),
        by: settings.actor(None),
        reason: stop.reason.unwrap_or_default(),
    };
    let (paused, ours) = change(settings, upkeep).await?;
    tell_stopped(&scope, paused, form)?;
    if form == Form::Json {
        return Ok(Exit::Ok);
    }
    if let StopScope::Provider(provider) = &scope
        && !(settings.models.settings.providers).contains_key(provider.as_str())
    {
        output::note(
            "   No such provider is configured: `adjutant models list` shows the models in use.",
        );
    }
    if ours {
        output::note("   No host is running: affected missions are paused when a host loads them.");
    }
    tell_remedy(&scope);
    Ok(Exit::Ok)
}

pub(super) fn tell_remedy(scope: &StopScope) {
    let how = stop_argument(scope);
    output::note(&format!("   Lift the stop with `adjutant allow {how}`."));
}

pub(super) fn tell_stopped(scope: &StopScope, paused: usize, form: Form) -> Result<(), AppError> {
    if form == Form::Json {
        let told = serde_json::json!({ "stopped": scope.name(), "paused": paused });
        return output::line(&told.to_string());
    }
    let line = Line::new()
        .plain(" ")
        .and(Tone::Failed, "■")
        .plain(" ")
        .and(Tone::Bold, format!("Stopped {scope}."))
        .plain(match paused {
            0 => " Running calls finish.".to_owned(),
            n => format!(" {} paused; running calls finish.", count(n, "mission")),
        });
    output::line(&line.render(output::paint()))
}

pub(super) async fn allow(settings: &Settings, allow: Allow) -> Result<Exit, AppError> {
    let form = Form::from(allow.json.json);
    let scope = scope(allow.what, allow.name.as_deref())?;
    let upkeep = Upkeep::Allow {
        scope: scope.clone(),
        by: settings.actor(None),
    };
    let (resumed, ours) = change(settings, upkeep).await?;
    tell_allowed(&scope, resumed, form)?;
    if form == Form::Text && ours && resumed > 0 {
        output::note("   No host is running: `adjutant up` continues them.");
    }
    Ok(Exit::Ok)
}

pub(super) fn tell_allowed(scope: &StopScope, resumed: usize, form: Form) -> Result<(), AppError> {
    if form == Form::Json {
        let told = serde_json::json!({ "allowed": scope.name(), "resumed": resumed });
        return output::line(&told.to_string());
    }
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(" ")
        .and(Tone::Bold, format!("Lifted the stop of {scope}."))
        .plain(match resumed {
            0 => " No mission was paused only because of it.".to_owned(),
            n => format!(" {} resumed.", count(n, "mission")),
        });
    output::line(&line.render(output::paint()))
}

pub(super) async fn list(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    let stopped = match ReadOnlyStore::open(settings).await? {
        Some(reading) => stops_in_force(settings, &reading).await?,
        None => Vec::new(),
    };
    if form == Form::Json {
        for Stopped {
            scope,
            note,
            tenant,
        } in &stopped
        {
            let told = serde_json::json!({
                "stopped": scope.name(), "tenant": tenant, "by": note.by, "at": note.at, "reason": note.reason,
            });
            output::line(&told.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    let rows: Vec<StopRow> = stopped.iter().map(Stopped::row).collect();
    table(&rows)
}

pub(super) fn table(rows: &[StopRow]) -> Result<Exit, AppError> {
    if rows.is_empty() {
        output::line("Nothing is stopped.")?;
        return Ok(Exit::Ok);
    }
    let now = wiring::clock().now();
    let mut table = Table::headed(&["stopped", "by", "since", "because"]);
    for row in rows {
        table.row([
            Line::of(Tone::Failed, stop_argument(&row.scope)),
            Line::of(Tone::Plain, &row.by),
            Line::of(Tone::Dim, ago(now, row.at)),
            Line::of(Tone::Plain, &row.reason),
        ]);
    }
    Line::print_all(&table.lines(output::size().0, 3), output::paint())?;
    output::note(" Lift a stop with `adjutant allow …`.");
    Ok(Exit::Ok)
}

/// Has the host do it: to how many missions, and whether the host is ours and ends with us.
async fn change(settings: &Settings, upkeep: Upkeep) -> Result<(usize, bool), AppError> {
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let done = engine.upkeep(&settings.tenant, upkeep).await;
    let ours = engine.host().is_some();
    engine.close().await?;
    Ok((done?, ours))
}

pub(super) fn scope(what: What, name: Option<&str>) -> Result<StopScope, AppError> {
    let named = |text: Option<&str>, kind: &str| {
        text.map(str::to_owned).ok_or_else(|| {
            wrong(
                format!("the name of the {kind} is missing"),
                format!("Name it, as in `adjutant stop {kind} NAME`."),
            )
        })
    };
    let unfit =
        |error: adjutant_mission::IdError| wrong(error.to_string(), "Correct the name.".into());
    match (what, name) {
        (What::Tool, name) => ToolId::new(named(name, "tool")?)
            .map(StopScope::Tool)
            .map_err(unfit),
        (What::Provider, name) => ProviderId::new(named(name, "provider")?)
            .map(StopScope::Provider)
            .map_err(unfit),
        (What::Tenant, None) => Ok(StopScope::Tenant),
        (What::All, None) => Ok(StopScope::All),
        (What::Tenant, Some(_)) => Err(wrong(
            "the tenant to stop is the one in the settings".into(),
            "Omit the name; set ADJUTANT_TENANT for another tenant.".into(),
        )),
        (What::All, Some(_)) => Err(wrong("`all` takes no name".into(), "Omit the name.".into())),
    }
}

/// A stop of a tool that is not there would stop nothing, and look as if it did.
fn expect_tool(settings: &Settings, tool: &ToolId) -> Result<(), AppError> {
    // Whoever stops a tool must not wait for its server.
    if settings.mcp.may_have(tool.as_str()) {
        return Ok(());
    }
    let registry = wiring::own_tools(settings, wiring::HostParts::default())?;
    let known: Vec<String> = registry
        .manifests()
        .map(|manifest| manifest.id.to_string())
        .collect();
    if known.iter().any(|known| known == tool.as_str()) {
        return Ok(());
    }
    Err(wrong(
        format!("there is no tool `{tool}`"),
        format!("Tools are {}.", known.join(", ")),
    ))
}

fn wrong(message: String, help: String) -> AppError {
    AppError::new(ErrorKind::BadInput, "ADJ-5024", message, help)
}
