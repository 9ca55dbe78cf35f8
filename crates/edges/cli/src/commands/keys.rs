//! `adjutant keys`: which keys are in use, and changing them.

use std::path::PathBuf;

use adjutant_journal::MasterKey;
use adjutant_store::{Store, StoreError};

use crate::args::Keys;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, count};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::{self, Settings};
use adjutant_app::stores::{Access, AnyStore};

pub(super) async fn run(settings: &Settings, which: Keys) -> Result<Exit, AppError> {
    match which {
        Keys::Show(json) => show(settings, json.json.into()).await,
        Keys::Rotate { tenant, json } => rotate(settings, tenant, json.json.into()).await,
    }
}

async fn show(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    ReadOnlyStore::expect(settings).await?;
    let master = settings.vault()?.master().id();
    let signing = settings.signing_key()?.public();
    let from = match &settings.master_key {
        Some(_) => "ADJUTANT_MASTER_KEY".to_owned(),
        None => settings.master_key_file.display().to_string(),
    };
    if form == Form::Json {
        let told = serde_json::json!({ "master": master, "from": from, "signing": signing });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    output::line(&format!("   master   {master}  {from}"))?;
    output::line(&format!(
        "   signing  {signing}  {}",
        settings.signing_key_file.display()
    ))?;
    Ok(Exit::Ok)
}

async fn rotate(settings: &Settings, tenant: bool, form: Form) -> Result<Exit, AppError> {
    ReadOnlyStore::expect(settings).await?;
    let store = match AnyStore::open(&settings.store, Access::Host).await {
        Ok(store) => store,
        Err(error @ StoreError::Locked { .. }) => {
            let mut failure = AppError::from(error);
            if let Some(first) = failure.complaints.first_mut() {
                "Stop the host first; rotating keys needs exclusive access to the store."
                    .clone_into(&mut first.help);
            }
            return Err(failure);
        }
        Err(error) => return Err(error.into()),
    };
    let done = if tenant {
        let journal = settings.vault()?.tenant(&store, &settings.tenant);
        let rewrapped = journal.rotate().await;
        rewrapped.map_err(AppError::from).map(|n| (n, None))
    } else {
        let rotated = new_master(settings, &store).await;
        rotated.map(|(n, former)| (n, Some(former)))
    };
    let scrubbed = store.scrub().await;
    store.close().await?;
    let (rewrapped, former) = done?;
    scrubbed?;
    if form == Form::Json {
        let told = serde_json::json!({ "rewrapped": rewrapped, "former": former });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let of = if tenant { "missions" } else { "tenants" };
    let line = Line::new().plain(" ").and(Tone::Done, "✓").plain(format!(
        " {} of {of} encrypted with the new key",
        count(rewrapped, "key")
    ));
    output::line(&line.render(output::paint()))?;
    if let Some(former) = former {
        output::note(&format!(
            "The previous master key is {}: earlier backups need it.",
            former.display()
        ));
    }
    Ok(Exit::Ok)
}

/// The new key is on the disk before anything is wrapped with it, and takes the old one's place only when
/// everything is: cut off in between, doing it again finishes it.
async fn new_master<S: Store>(
    settings: &Settings,
    store: &S,
) -> Result<(usize, PathBuf), AppError> {
    if settings.master_key.is_some() {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-4013",
            "the master key comes from ADJUTANT_MASTER_KEY, which this program cannot change",
            "Put the key into a file (`keys.master_file`) and unset the variable, then rotate.",
        ));
    }
    let place = &settings.master_key_file;
    let next = place.with_extension("new");
    // Each former key under a name of its own: some backup may need any of them.
    let former = place.with_extension(format!("{}.former", settings.vault()?.master().id()));
    if !next.exists() {
        settings::keep(&next, &MasterKey::generate()?.text())?;
    }
    let new = settings::master_key(&next)?;
    let rewrapped = settings.vault()?.rotate(store, &new).await?;
    let moved = std::fs::rename(place, &former).and_then(|()| std::fs::rename(&next, place));
    moved.map_err(|error| {
        AppError::new(
            ErrorKind::Unavailable,
            "ADJ-4012",
            format!("{} cannot be replaced: {error}", next.display()),
            "Rename it manually: everything is already encrypted with the new key.",
        )
    })?;
    Ok((rewrapped, former))
}
