//! `adjutant stop`, `allow` and `stops`: what nobody may do for now.

use adjutant_host::{Performs, StopNote, StopScope, Upkeep};
use adjutant_mission::{ProviderId, TenantId, Timestamp, ToolId};
use adjutant_store::{RecordKind, Store};

use crate::args::{Allow, Stop, What};
use crate::engine::Engine;
use crate::failure::{Exit, Failure};
use crate::output::{self, Form};
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, Table, Tone, ago, count};
use crate::wiring;

/// Something stopped, and by which tenant's word.
#[derive(Debug)]
pub(super) struct Stopped {
    pub(super) scope: StopScope,
    pub(super) note: StopNote,
    pub(super) tenant: TenantId,
}

impl Stopped {
    fn row(&self) -> Row {
        Row {
            scope: self.scope.clone(),
            by: self.note.by.id.to_string(),
            at: self.note.at,
            reason: self.note.reason.clone(),
        }
    }

    pub(super) fn told(&self) -> Line {
        self.row().told()
    }

    pub(super) fn told_with_remedy(&self) -> [Line; 2] {
        self.row().told_with_remedy()
    }
}

/// A line of what is stopped.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) scope: StopScope,
    /// Nobody who may be named, if it is empty.
    pub(super) by: String,
    pub(super) at: Timestamp,
    pub(super) reason: String,
}

impl Row {
    /// In one line, for whoever wonders why nothing happens.
    pub(super) fn told(&self) -> Line {
        let line = Line::new()
            .plain(" ")
            .and(Tone::Failed, "■")
            .plain(" ")
            .and(Tone::Bold, format!("{} is stopped", self.scope));
        let line = match self.by.as_str() {
            "" => line,
            by => line.plain(format!(" by {by}")),
        };
        match self.reason.as_str() {
            "" => line,
            reason => line.plain(format!(": {reason}")),
        }
    }

    /// For whoever waits because of it.
    pub(super) fn told_with_remedy(&self) -> [Line; 2] {
        let remedy = format!("   `adjutant allow {}` lets it go on", typed(&self.scope));
        [self.told(), Line::of(Tone::Dim, remedy)]
    }
}

/// Whatever holds missions of this tenant: its own stops, and everything's, whoever said it.
pub(super) async fn in_force(
    settings: &Settings,
    reading: &Reading,
) -> Result<Vec<Stopped>, Failure> {
    let vault = settings.vault()?;
    let mut stopped = Vec::new();
    for tenant in reading.whole.tenants().await? {
        let journal = vault.tenant(&reading.whole, &tenant);
        for (name, note) in journal.records::<StopNote>(RecordKind::Stop).await? {
            let scope = StopScope::parse(&name);
            let concerns = tenant == settings.tenant || scope == Some(StopScope::All);
            if let Some(scope) = scope.filter(|_| concerns && note.allowed_by.is_none()) {
                let tenant = tenant.clone();
                stopped.push(Stopped {
                    scope,
                    note,
                    tenant,
                });
            }
        }
    }
    Ok(stopped)
}

pub(super) async fn stop(settings: &Settings, stop: Stop) -> Result<Exit, Failure> {
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
        output::note("   No such provider is set: `adjutant models list` shows who is asked.");
    }
    if ours {
        output::note(
            "   No host is running: missions that this concerns are paused when one takes them up.",
        );
    }
    tell_remedy(&scope);
    Ok(Exit::Ok)
}

pub(super) fn tell_remedy(scope: &StopScope) {
    let how = typed(scope);
    output::note(&format!("   `adjutant allow {how}` lets it go on."));
}

pub(super) fn tell_stopped(scope: &StopScope, paused: usize, form: Form) -> Result<(), Failure> {
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
            0 => " What is under way finishes.".to_owned(),
            n => format!(
                " {} paused; what is under way finishes.",
                count(n, "mission")
            ),
        });
    output::line(&line.render(output::paint()))
}

pub(super) async fn allow(settings: &Settings, allow: Allow) -> Result<Exit, Failure> {
    let form = Form::from(allow.json.json);
    let scope = scope(allow.what, allow.name.as_deref())?;
    let upkeep = Upkeep::Allow {
        scope: scope.clone(),
        by: settings.actor(None),
    };
    let (resumed, ours) = change(settings, upkeep).await?;
    tell_allowed(&scope, resumed, form)?;
    if form == Form::Text && ours && resumed > 0 {
        output::note("   No host is running: `adjutant up` carries them on.");
    }
    Ok(Exit::Ok)
}

pub(super) fn tell_allowed(scope: &StopScope, resumed: usize, form: Form) -> Result<(), Failure> {
    if form == Form::Json {
        let told = serde_json::json!({ "allowed": scope.name(), "resumed": resumed });
        return output::line(&told.to_string());
    }
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(" ")
        .and(Tone::Bold, format!("Allowed {scope} again."))
        .plain(match resumed {
            0 => " No mission was paused for it alone.".to_owned(),
            n => format!(" {} resumed.", count(n, "mission")),
        });
    output::line(&line.render(output::paint()))
}

pub(super) async fn list(settings: &Settings, form: Form) -> Result<Exit, Failure> {
    let stopped = match Reading::open(settings).await? {
        Some(reading) => in_force(settings, &reading).await?,
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
    let rows: Vec<Row> = stopped.iter().map(Stopped::row).collect();
    table(&rows)
}

pub(super) fn table(rows: &[Row]) -> Result<Exit, Failure> {
    if rows.is_empty() {
        output::line("Nothing is stopped.")?;
        return Ok(Exit::Ok);
    }
    let now = wiring::clock().now();
    let mut table = Table::headed(&["stopped", "by", "since", "because"]);
    for row in rows {
        table.row([
            Line::of(Tone::Failed, typed(&row.scope)),
            Line::of(Tone::Plain, &row.by),
            Line::of(Tone::Dim, ago(now, row.at)),
            Line::of(Tone::Plain, &row.reason),
        ]);
    }
    Line::print_all(&table.lines(output::size().0, 3), output::paint())?;
    output::note(" `adjutant allow …` lets one go on.");
    Ok(Exit::Ok)
}

/// Has the host do it: to how many missions, and whether the host is ours and ends with us.
async fn change(settings: &Settings, upkeep: Upkeep) -> Result<(usize, bool), Failure> {
    let engine = Engine::reach(settings, Performs::Nothing).await?;
    let done = engine.upkeep(&settings.tenant, upkeep).await;
    let ours = engine.host().is_some();
    engine.close().await?;
    Ok((done?, ours))
}

/// As it is typed after `stop` and `allow`.
fn typed(scope: &StopScope) -> String {
    match scope {
        StopScope::Tenant => "tenant".into(),
        StopScope::Tool(tool) => format!("tool {tool}"),
        StopScope::Provider(provider) => format!("provider {provider}"),
        StopScope::All => "all".into(),
    }
}

pub(super) fn scope(what: What, name: Option<&str>) -> Result<StopScope, Failure> {
    let named = |text: Option<&str>, kind: &str| {
        text.map(str::to_owned).ok_or_else(|| {
            wrong(
                format!("which {kind} is not said"),
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
            "the tenant that is stopped is the one of the settings".into(),
            "Set ADJUTANT_TENANT for another, and leave out the name.".into(),
        )),
        (What::All, Some(_)) => Err(wrong(
            "everything has no name".into(),
            "Leave the name out.".into(),
        )),
    }
}

/// A stop of a tool that is not there would stop nothing, and look as if it did.
fn expect_tool(settings: &Settings, tool: &ToolId) -> Result<(), Failure> {
    // Whoever stops a tool must not wait for its server.
    if settings.mcp.may_have(tool.as_str()) {
        return Ok(());
    }
    let registry = wiring::own_tools(settings, None)?;
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

fn wrong(message: String, help: String) -> Failure {
    Failure::new(Exit::BadInput, "ADJ-5024", message, help)
}
