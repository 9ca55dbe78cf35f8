//! Keys of a server: given, listed and revoked from afar, by an admin.

use adjutant_host::AccessKey;
use serde_json::{Value, json};

use super::as_type;
use crate::args::{Access, AccessAdd};
use crate::commands::access as local;
use crate::exit::Exit;
use crate::output::Form;
use adjutant_app::error::AppError;
use adjutant_client::{Repeat, Server};

pub(super) async fn run(server: &Server, which: Access) -> Result<Exit, AppError> {
    match which {
        Access::Add(wanted) => add(server, &wanted).await,
        Access::List(json) => list(server, json.json.into()).await,
        Access::Revoke { which, json } => revoke(server, &which, json.json.into()).await,
    }
}

async fn add(server: &Server, wanted: &AccessAdd) -> Result<Exit, AppError> {
    let role = local::check(wanted)?;
    let body = json!({
        "who": wanted.who,
        "role": role,
        "decides_for": wanted.decides_for,
        "expires_in_days": wanted.days,
    });
    // Every request makes another key.
    let told = server.post("/api/access", &body, Repeat::Never).await?;
    let text = |name: &str| told[name].as_str().unwrap_or_default();
    local::added(wanted, role, text("id"), text("token"))
}

async fn list(server: &Server, form: Form) -> Result<Exit, AppError> {
    let mut told = server.get("/api/access").await?;
    let listed: Vec<Value> = as_type(server, told["keys"].take())?;
    let mut keys: Vec<(String, AccessKey)> = Vec::new();
    for mut key in listed {
        let id = key["id"].as_str().unwrap_or_default().to_owned();
        if let Some(fields) = key.as_object_mut() {
            fields.remove("id");
            // A server keeps the hash to itself, and it is not shown here either.
            fields.insert("hash".to_owned(), "".into());
        }
        keys.push((id, as_type(server, key)?));
    }
    local::tell(&keys, form)
}

async fn revoke(server: &Server, which: &str, form: Form) -> Result<Exit, AppError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-@".contains(c);
    if which.is_empty() || !which.chars().all(fits) {
        return Err(local::no_key(which));
    }
    let told = server.delete(&format!("/api/access/{which}")).await?;
    let revoked = told["revoked"].as_u64().unwrap_or(0);
    local::revoked(usize::try_from(revoked).unwrap_or(usize::MAX), form)
}
