//! `adjutant backup` and `adjutant restore`: the whole store in one file.

use std::io::{BufReader, BufWriter};

use adjutant_host::Performs;
use adjutant_journal::{Kind, verify_file};

use super::export::{create, finish, open};
use crate::args::{Backup, Restore};
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone, bytes, count};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::stores::Access;
use adjutant_app::wiring;

pub(super) async fn back_up(settings: &Settings, backup: Backup) -> Result<Exit, AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let to = BufWriter::new(create(&backup.file)?);
    let now = wiring::clock().now();
    let written = settings.vault()?.back_up(&reading.whole, now, to).await;
    let (done, to) = match written {
        Ok((done, to)) => (done, Ok(to)),
        Err(error) => (adjutant_journal::BackedUp::default(), Err(error)),
    };
    let size = finish(&backup.file, to)?;
    // A backup that does not verify is none.
    let found = verify_file(BufReader::new(open(&backup.file)?), None, &[], None)?;
    let damaged = found
        .missions
        .iter()
        .filter(|(_, _, found)| found.is_err())
        .count();
    if backup.json.json {
        let told = serde_json::json!({
            "file": backup.file, "tenants": done.tenants, "missions": done.missions,
            "bytes": size, "damaged": damaged,
        });
        output::line(&told.to_string())?;
    } else {
        let line = Line::new()
            .plain(" ")
            .and(Tone::Done, "✓")
            .plain(format!(
                " {} in {}, read back and verified",
                count(done.missions, "mission"),
                backup.file.display()
            ))
            .and(Tone::Dim, format!("  {}", bytes(size)));
        output::line(&line.render(output::paint()))?;
        output::note(&format!(
            "Restoring needs the master key, and verifying needs the signing key: keep copies of {} and {} separate from this file.",
            settings.master_key_file.display(),
            settings.signing_key_file.display()
        ));
        if damaged > 0 {
            output::note(&format!(
                "{} do not verify, here and in the store: see `adjutant verify --all`.",
                count(damaged, "mission")
            ));
        }
    }
    Ok(if damaged == 0 {
        Exit::Ok
    } else {
        Exit::NotGood
    })
}

pub(super) async fn restore(settings: &Settings, restore: Restore) -> Result<Exit, AppError> {
    let found = verify_file(BufReader::new(open(&restore.file)?), None, &[], None)?;
    if found.kind != Kind::Backup {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-4021",
            format!("{} is an export, not a backup", restore.file.display()),
            "Import it with `adjutant import`.",
        ));
    }
    // The key must be there before a store is made: a new one would open nothing of the backup.
    let vault = settings.vault()?;
    let engine = HostLink::become_host(settings, Access::Host, Performs::Nothing).await?;
    let Some(host) = engine.host().cloned() else {
        return Ok(Exit::Trouble);
    };
    let file = BufReader::new(open(&restore.file)?);
    let restored = vault.restore(host.store(), file).await;
    engine.close().await?;
    let restored = restored?;
    if restore.json.json {
        let told =
            serde_json::json!({ "tenants": restored.tenants, "missions": restored.missions });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let line = Line::new().plain(" ").and(Tone::Done, "✓").plain(format!(
        " {} restored; every hash was checked",
        count(restored.missions, "mission")
    ));
    output::line(&line.render(output::paint()))?;
    output::note(
        "`adjutant verify --all` checks them again; `adjutant up` continues unfinished missions.",
    );
    Ok(Exit::Ok)
}
