//! What is stopped at a server: listed, stopped, and let go on.

use adjutant_host::StopScope;
use serde::Deserialize;
use serde_json::{Value, json};

use super::as_type;
use crate::args::{Allow, Stop};
use crate::commands::stops as local;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::stops_in_force::StopRow;
use adjutant_app::error::AppError;
use adjutant_client::{Repeat, Server, instant};

/// Somebody of another tenant is not named.
#[derive(Deserialize)]
struct Told {
    what: String,
    at: String,
    by: Option<String>,
    reason: Option<String>,
}

async fn all(server: &Server) -> Result<Vec<Value>, AppError> {
    let mut told = server.get("/api/stops").await?;
    as_type(server, told["stops"].take())
}

/// Whatever holds missions there.
pub(super) async fn in_force(server: &Server) -> Result<Vec<StopRow>, AppError> {
    let rows = all(server).await?.into_iter();
    rows.map(|stop| row(server, stop)).collect()
}

fn row(server: &Server, stop: Value) -> Result<StopRow, AppError> {
    let told: Told = as_type(server, stop)?;
    let scope = StopScope::parse(&told.what);
    Ok(StopRow {
        scope: scope.ok_or_else(|| server.unexpected_answer("the server sent an unknown stop"))?,
        by: told.by.unwrap_or_default(),
        at: instant(server, &told.at)?,
        reason: told.reason.unwrap_or_default(),
    })
}

pub(super) async fn list(server: &Server, form: Form) -> Result<Exit, AppError> {
    if form == Form::Json {
        for stop in all(server).await? {
            output::line(&stop.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    local::table(&in_force(server).await?)
}

pub(super) async fn stop(server: &Server, stop: Stop) -> Result<Exit, AppError> {
    let form = Form::from(stop.json.json);
    let Some(what) = stop.what else {
        return list(server, form).await;
    };
    let scope = local::scope(what, stop.name.as_deref())?;
    let body = json!({ "what": scope.name(), "reason": stop.reason.unwrap_or_default() });
    let told = server.post("/api/stops", &body, Repeat::Safe).await?;
    local::tell_stopped(&scope, number(&told["paused"]), form)?;
    if form == Form::Text {
        local::tell_remedy(&scope);
    }
    Ok(Exit::Ok)
}

pub(super) async fn allow(server: &Server, allow: Allow) -> Result<Exit, AppError> {
    let scope = local::scope(allow.what, allow.name.as_deref())?;
    let name = scope.name();
    let parts: Vec<&str> = ["api", "stops"]
        .into_iter()
        .chain(name.split('/'))
        .collect();
    let told = server.delete(&server.path(&parts, &[])).await?;
    let resumed = number(&told["resumed"]);
    local::tell_allowed(&scope, resumed, allow.json.json.into())?;
    Ok(Exit::Ok)
}

fn number(told: &Value) -> usize {
    let number = told.as_u64().unwrap_or(0);
    usize::try_from(number).unwrap_or(usize::MAX)
}
