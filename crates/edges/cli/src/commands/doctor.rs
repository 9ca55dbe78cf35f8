//! `adjutant doctor`: checks the installation, each line with its remedy.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use adjutant_host::control::Client;
use adjutant_mcp_client::{AtFault, LeftOut, Standing};
use adjutant_sandbox::{Protections, State};
use adjutant_store::{Store, StoreError, TenantStore};

use crate::exit::Exit;
use crate::output::{self, Form};
use crate::stops_in_force::stops_in_force;
use crate::view::{Line, Tone, bytes, count};
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::StorePlace;
use adjutant_app::settings::{Environment, Settings};
use adjutant_app::stores::{Access, AnyStore};
use adjutant_app::wiring;

/// Less space than this is worth a warning.
const SPACE_BYTES_MIN: u64 = 200 * 1024 * 1024;

struct Check {
    name: &'static str,
    found: Result<String, (String, String)>,
}

fn good(name: &'static str, told: impl Into<String>) -> Check {
    Check {
        name,
        found: Ok(told.into()),
    }
}

fn bad(name: &'static str, told: impl Into<String>, remedy: impl Into<String>) -> Check {
    Check {
        name,
        found: Err((told.into(), remedy.into())),
    }
}

fn failed(name: &'static str, failure: &AppError) -> Check {
    match failure.complaints.first() {
        Some(first) => bad(
            name,
            format!("[{}] {}", first.code, first.message),
            &first.help,
        ),
        None => good(name, ""),
    }
}

pub(super) async fn run(environment: &Environment, form: Form) -> Result<Exit, AppError> {
    let mut checks = vec![good(
        "version",
        format!("adjutant {}", env!("CARGO_PKG_VERSION")),
    )];
    match Settings::load(environment) {
        Err(failure) => checks.push(failed("settings", &failure)),
        Ok(settings) => {
            let file = settings
                .file
                .as_ref()
                .map_or("none found, using defaults".into(), |file| {
                    file.display().to_string()
                });
            checks.push(good("settings", file));
            let roles: Vec<&str> = settings.roles.iter().map(|role| role.as_str()).collect();
            let roles = if roles.is_empty() {
                String::new()
            } else {
                format!(" ({})", roles.join(", "))
            };
            checks.push(good(
                "you",
                format!("{}{roles}, tenant {}", settings.me, settings.tenant),
            ));
            checks.push(folder(&settings));
            checks.extend(space(&settings.home));
            let host = host(&settings).await;
            checks.push(store(&settings).await);
            checks.extend(stops(&settings).await);
            checks.push(host);
            checks.push(Check {
                name: "channels",
                found: super::notify::standing(&settings).await,
            });
            checks.push(match wiring::models(&settings) {
                Ok(_) => good("models", models(&settings)),
                Err(failure) => failed("models", &failure),
            });
            checks.push(
                match wiring::own_tools(&settings, wiring::HostParts::default()) {
                    Ok(registry) => good("tools", count(registry.manifests().count(), "tool")),
                    Err(failure) => failed("tools", &failure),
                },
            );
            checks.extend(sandbox().await);
            let standings = settings.mcp.quietly().await;
            checks.extend(standings.iter().map(server));
            let delegates = settings.delegates.iter();
            checks.extend(delegates.map(|delegate| {
                match wiring::missing_for(delegate, standings) {
                    None => good("delegate", &delegate.name),
                    Some(missing) => bad(
                        "delegate",
                        format!("[ADJ-6301] {}: {missing}", delegate.name),
                        "Install or set it; see docs/delegation.md.",
                    ),
                }
            }));
        }
    }
    checks.push(zone());
    let ill = checks.iter().any(|check| check.found.is_err());
    for check in &checks {
        tell(check, form)?;
    }
    Ok(if ill { Exit::Trouble } else { Exit::Ok })
}

/// What holds the programs that missions run. Without it they are refused, and all else works.
async fn sandbox() -> Option<Check> {
    let Protections(all) = wiring::sandbox()?.detect().await;
    let mut active = Vec::new();
    let mut missing = Vec::new();
    for (protection, state) in all {
        match state {
            State::Active { .. } => active.push(protection.name()),
            State::Missing { why } => missing.push((protection.name(), why)),
        }
    }
    let told = match missing.first() {
        Some((_, why)) if active.is_empty() => {
            format!("none, so only WebAssembly can run: {why}")
        }
        _ => {
            let without: String = missing
                .iter()
                .map(|(name, why)| format!("; no {name}: {why}"))
                .collect();
            format!("{}{without}", active.join(", "))
        }
    };
    Some(good("sandbox", told))
}

/// How an MCP server stands.
fn server(standing: &Standing) -> Check {
    let name = "mcp server";
    let server = &standing.server;
    match &standing.tools {
        Err(error) => bad(name, format!("{server}: {error}"), error.help(server)),
        Ok(tools) => {
            let left = standing.left_out.iter();
            let left: String = left
                .map(|left| format!("; {} is not used: {}", left.what, left.why))
                .collect();
            let told = format!("{server}, {}{left}", count(tools.len(), "tool"));
            let is_wrong = |left: &LeftOut| left.at_fault == AtFault::Settings;
            match standing.left_out.iter().any(is_wrong) {
                false => good(name, told),
                true => bad(
                    name,
                    format!("[ADJ-6091] {told}"),
                    format!(
                        "Correct the names of tools under [mcp.{server}], or update the server."
                    ),
                ),
            }
        }
    }
}

fn models(settings: &Settings) -> String {
    match settings.models.settings.providers.len() {
        0 => "none configured: questions are answered without a language model".into(),
        n => count(n, "provider"),
    }
}

fn tell(check: &Check, form: Form) -> Result<(), AppError> {
    if form == Form::Json {
        let told = match &check.found {
            Ok(told) => serde_json::json!({ "check": check.name, "ok": true, "found": told }),
            Err((told, remedy)) => {
                serde_json::json!({ "check": check.name, "ok": false, "found": told, "remedy": remedy })
            }
        };
        return output::line(&told.to_string());
    }
    let (tone, sign, told) = match &check.found {
        Ok(told) => (Tone::Done, "✓", told),
        Err((told, _)) => (Tone::Failed, "✗", told),
    };
    let line = Line::new()
        .plain(" ")
        .and(tone, sign)
        .plain(" ")
        .and(Tone::Bold, check.name)
        .padded(16)
        .plain(told);
    output::line(&line.render(output::paint()))?;
    if let Err((_, remedy)) = &check.found {
        output::line(
            &Line::new()
                .padded(16)
                .and(Tone::Human, "→ ")
                .plain(remedy)
                .render(output::paint()),
        )?;
    }
    Ok(())
}

fn folder(settings: &Settings) -> Check {
    let name = "data folder";
    let home = settings.home.display();
    let found = match std::fs::metadata(&settings.home) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return good(name, format!("{home} (created when first needed)"));
        }
        Err(error) => {
            return bad(
                name,
                format!("{home}: {error}"),
                "Set ADJUTANT_HOME to a folder that you own.",
            );
        }
    };
    if !found.is_dir() {
        return bad(
            name,
            format!("{home} is not a folder"),
            "Set ADJUTANT_HOME to a folder that you own.",
        );
    }
    let probe = settings.home.join(".doctor");
    if let Err(error) = std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)) {
        return bad(
            name,
            format!("{home} cannot be written: {error}"),
            "Grant write permission on it, or set ADJUTANT_HOME.",
        );
    }
    let mode = found.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let told = format!("{home} can be read by other users (mode {mode:o})");
        return bad(name, told, format!("chmod 700 {home}"));
    }
    good(name, format!("{home}, writable, yours alone"))
}

/// Free space where the data is; nothing to say where it cannot be told.
fn space(home: &Path) -> Option<Check> {
    let existing = home.ancestors().find(|folder| folder.exists())?;
    let found = rustix::fs::statvfs(existing).ok()?;
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    let told = format!("{} free", bytes(free));
    Some(if free < SPACE_BYTES_MIN {
        bad(
            "disk",
            told,
            "Free some space: a full disk stops missions, but nothing is lost.",
        )
    } else {
        good("disk", told)
    })
}

async fn store(settings: &Settings) -> Check {
    let name = "store";
    let path = &settings.store;
    let store = match AnyStore::open(path, Access::Reader).await {
        Ok(store) => store.tenant(&settings.tenant),
        Err(StoreError::Missing { .. }) => {
            return good(name, format!("{path} (created when first needed)"));
        }
        Err(error) => return failed(name, &error.into()),
    };
    let (counts, usage) = match (store.counts().await, store.usage().await) {
        (Ok(counts), Ok(usage)) => (counts, usage),
        (Err(error), _) | (_, Err(error)) => return failed(name, &error.into()),
    };
    let quota = settings.keeping.quotas.of(&settings.tenant);
    let quota = quota.map_or(String::new(), |quota| {
        format!(", {} of the quota's {}", bytes(usage), bytes(quota))
    });
    let total: u64 = counts.iter().map(|(_, n)| n).sum();
    let unfinished: u64 = counts
        .iter()
        .filter(|(phase, _)| !phase.is_ended())
        .map(|(_, n)| n)
        .sum();
    let (size, program) = match &settings.store {
        StorePlace::File(file) => {
            let size = std::fs::metadata(file).map_or(0, |found| found.len());
            let sqlite = adjutant_store_sqlite::sqlite_version();
            (format!(", {}", bytes(size)), format!(", SQLite {sqlite}"))
        }
        StorePlace::Server { .. } => (String::new(), String::new()),
    };
    let missions = count(usize::try_from(total).unwrap_or(usize::MAX), "mission");
    good(
        name,
        format!("{path}{size}, {missions}, {unfinished} unfinished{quota}{program}"),
    )
}

/// What is stopped; nothing to say while there is no store to ask.
async fn stops(settings: &Settings) -> Option<Check> {
    let name = "stops";
    let found = match ReadOnlyStore::open(settings).await {
        Ok(Some(reading)) => stops_in_force(settings, &reading).await,
        Ok(None) => return None,
        Err(failure) => Err(failure),
    };
    Some(match found {
        Ok(stopped) if stopped.is_empty() => good(name, "nothing is stopped"),
        Ok(stopped) => {
            let told: Vec<String> = stopped.iter().map(|of| of.scope.to_string()).collect();
            good(name, format!("{}; see `adjutant stops`", told.join(", ")))
        }
        Err(failure) => failed(name, &failure),
    })
}

async fn host(settings: &Settings) -> Check {
    let name = "host";
    let answered = match Client::connect(&settings.socket).await {
        Ok(mut client) => client.hello().await.ok(),
        Err(_) => None,
    };
    if let Some(pid) = answered {
        return good(
            name,
            format!("running, process {pid}, {}", settings.socket.display()),
        );
    }
    if let StorePlace::File(file) = &settings.store
        && !file.exists()
    {
        return good(name, "not running");
    }
    match AnyStore::open(&settings.store, Access::Host).await {
        Ok(store) => match store.close().await {
            Ok(()) => good(name, "not running; start it with `adjutant up`"),
            Err(error) => failed(name, &error.into()),
        },
        Err(StoreError::Locked { .. }) if matches!(settings.store, StorePlace::Server { .. }) => {
            good(
                name,
                "another host uses the server's store; `adjutant up` here would stand by",
            )
        }
        Err(error @ StoreError::Locked { .. }) => bad(
            name,
            format!(
                "{error}, but no process responds at {}",
                settings.socket.display()
            ),
            "Stop that process and start `adjutant up`.",
        ),
        Err(error) => failed(name, &error.into()),
    }
}

fn zone() -> Check {
    let zone = jiff::tz::TimeZone::system();
    match zone.iana_name() {
        Some(name) => good("time zone", name),
        None => good("time zone", "UTC, as far as the system says"),
    }
}
