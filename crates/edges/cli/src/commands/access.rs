//! `adjutant access`: keys that let people and programs in over HTTP.

use adjutant_host::{AccessKey, AccessRole, Performs, Upkeep};
use adjutant_mission::{AgentId, IdError, Millis, Role};
use adjutant_store::RecordKind;
use serde_json::json;

use crate::args::{Access, AccessAdd};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Table, Tone, ago, count, until};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

const DAY: u64 = 24 * 60 * 60;
const DAYS_MAX: u64 = 3_650;

pub(super) async fn run(settings: &Settings, which: Access) -> Result<Exit, AppError> {
    match which {
        Access::Add(add) => self::add(settings, add).await,
        Access::List(json) => list(settings, json.json.into()).await,
        Access::Revoke { which, json } => revoke(settings, which, json.json.into()).await,
    }
}

fn unfit(message: String) -> AppError {
    let roles: Vec<&str> = AccessRole::ALL.into_iter().map(AccessRole::name).collect();
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6123",
        message,
        format!(
            "For instance `adjutant access add ann --role analyst --days 90`; roles are {}.",
            roles.join(", ")
        ),
    )
}

/// The role of a key that can be made.
pub(super) fn check(add: &AccessAdd) -> Result<AccessRole, AppError> {
    let mut roles = AccessRole::ALL.into_iter();
    let role = roles.find(|role| role.name() == add.role);
    let role = role.ok_or_else(|| unfit(format!("unknown role `{}`", add.role)))?;
    if !(1..=DAYS_MAX).contains(&add.days) {
        return Err(unfit(format!("`--days` must be 1 to {DAYS_MAX}")));
    }
    AgentId::new(&add.who).map_err(|error| unfit(error.to_string()))?;
    for name in &add.decides_for {
        Role::new(name).map_err(|error| unfit(format!("--decides-for: {error}")))?;
    }
    Ok(role)
}

async fn add(settings: &Settings, add: AccessAdd) -> Result<Exit, AppError> {
    let named = |error: IdError| unfit(error.to_string());
    let role = check(&add)?;
    let decides_for = add.decides_for.iter().map(Role::new);
    let now = wiring::clock().now();
    let (id, token) = AccessKey::new_token()?;
    let key = AccessKey {
        who: AgentId::new(&add.who).map_err(named)?,
        role,
        decides_for: decides_for.collect::<Result<_, _>>().map_err(named)?,
        hash: AccessKey::hash_of(&token),
        made_at: now,
        made_by: settings.me.clone(),
        expires_at: Some(now.plus(Millis::seconds(add.days * DAY))),
        revoked_at: None,
    };
    let give = Upkeep::GiveAccess {
        id: id.clone(),
        key: Box::new(key),
    };
    keep(settings, give).await?;
    added(&add, role, &id, &token)
}

pub(super) fn added(
    add: &AccessAdd,
    role: AccessRole,
    id: &str,
    token: &str,
) -> Result<Exit, AppError> {
    if add.json.json {
        let told = json!({ "id": id, "who": add.who, "role": role, "token": token });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let who = Line::new().plain(" ").and(Tone::Done, "✓").plain(format!(
        " {} has access as {} for {}, with this key:",
        add.who,
        role.name(),
        count(usize::try_from(add.days).unwrap_or(usize::MAX), "day")
    ));
    output::line(&who.render(output::paint()))?;
    output::line(&format!("   {token}"))?;
    output::note(&format!(
        "   It is not shown again. Revoke it with `adjutant access revoke {id}`."
    ));
    Ok(Exit::Ok)
}

async fn keep(settings: &Settings, upkeep: Upkeep) -> Result<usize, AppError> {
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let kept = engine.upkeep(&settings.tenant, upkeep).await;
    engine.close().await?;
    kept
}

async fn list(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    let keys: Vec<(String, AccessKey)> = match ReadOnlyStore::open(settings).await? {
        Some(reading) => reading.journal.records(RecordKind::Access).await?,
        None => Vec::new(),
    };
    tell(&keys, form)
}

pub(super) fn tell(keys: &[(String, AccessKey)], form: Form) -> Result<Exit, AppError> {
    if form == Form::Json {
        for (id, key) in keys {
            let told = json!({
                "id": id, "who": key.who, "role": key.role, "decides_for": key.decides_for,
                "made_at": key.made_at, "made_by": key.made_by,
                "expires_at": key.expires_at, "revoked_at": key.revoked_at,
            });
            output::line(&told.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    if keys.is_empty() {
        output::line(
            " There are no keys. Create one with `adjutant access add NAME --role analyst`.",
        )?;
        return Ok(Exit::Ok);
    }
    let now = wiring::clock().now();
    let mut table = Table::headed(&["id", "who", "role", "made", "holds"]);
    for (id, key) in keys {
        let (tone, holds) = match (key.revoked_at, key.expires_at) {
            (Some(at), _) => (Tone::Failed, format!("revoked {}", ago(now, at))),
            (None, Some(end)) if end <= now => (Tone::Dim, "expired".to_owned()),
            (None, Some(end)) => (Tone::Done, format!("ends {}", until(now, end))),
            (None, None) => (Tone::Done, "without end".to_owned()),
        };
        table.row([
            Line::of(Tone::Plain, id),
            Line::of(Tone::Bold, key.who.to_string()),
            Line::of(Tone::Plain, role_of(key)),
            Line::of(Tone::Dim, ago(now, key.made_at)),
            Line::of(tone, holds),
        ]);
    }
    Line::print_all(&table.lines(output::size().0, 1), output::paint())?;
    Ok(Exit::Ok)
}

/// What they are, and for which roles they decide.
fn role_of(key: &AccessKey) -> String {
    let decides_for: Vec<&str> = key.decides_for.iter().map(Role::as_str).collect();
    match decides_for.as_slice() {
        [] => key.role.name().to_owned(),
        roles => format!("{}, decides for {}", key.role.name(), roles.join(", ")),
    }
}

async fn revoke(settings: &Settings, which: String, form: Form) -> Result<Exit, AppError> {
    let revoked = keep(
        settings,
        Upkeep::RevokeAccess {
            which: which.clone(),
        },
    )
    .await?;
    if revoked == 0 {
        return Err(no_key(&which));
    }
    self::revoked(revoked, form)
}

pub(super) fn no_key(which: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6124",
        format!("no valid key has the id or the owner `{which}`"),
        "See `adjutant access list`.",
    )
}

pub(super) fn revoked(revoked: usize, form: Form) -> Result<Exit, AppError> {
    if form == Form::Json {
        output::line(&json!({ "revoked": revoked }).to_string())?;
    } else {
        let with = if revoked == 1 { "it" } else { "them" };
        output::line(&format!(
            " ✓ {} revoked; nobody comes in with {with} any more.",
            count(revoked, "key")
        ))?;
    }
    Ok(Exit::Ok)
}
