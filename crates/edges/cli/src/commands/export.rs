//! `adjutant export` and `adjutant import`: missions in a file of their own.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use adjutant_host::Performs;
use adjutant_journal::{ExportKey, SigningKey, Verified};
use adjutant_mission::MissionId;
use adjutant_store::ChainHead;

use crate::args::{Export, Import};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, bytes, count, short};
use adjutant_app::constitution::{BLOCKED, check_result};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::{HostLink, NotHost};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::{self, Settings};
use adjutant_app::stores::Access;
use adjutant_app::{find, wiring};

pub(super) async fn export(settings: &Settings, export: Export) -> Result<Exit, AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let mut missions = Vec::new();
    if export.all {
        missions = reading.journal.missions().await?;
        missions.reverse();
    }
    for text in &export.missions {
        let mission = find::mission(reading.store(), text).await?;
        if !missions.contains(&mission) {
            missions.push(mission);
        }
    }
    let missions = may_leave(&reading, missions, export.all).await?;
    let key = match &export.key {
        Some(place) => {
            let key = ExportKey::generate()?;
            if place.exists() || *place == export.output {
                return Err(taken(place));
            }
            settings::keep(place, &key.text())?;
            Some(key)
        }
        None => None,
    };
    let file = create(&export.output)?;
    let now = wiring::clock().now();
    let to = BufWriter::new(file);
    let written = reading
        .journal
        .export(&missions, key.as_ref(), now, to)
        .await;
    let size = finish(&export.output, written)?;
    tell_exported(&export, &missions, size)
}

/// The missions whose result the constitutional checks do not block. One that was named and is blocked is refused; of all
/// missions, it is left out.
async fn may_leave(
    reading: &ReadOnlyStore,
    missions: Vec<MissionId>,
    all: bool,
) -> Result<Vec<MissionId>, AppError> {
    let mut free = Vec::new();
    for mission in missions {
        match check_result(&reading.journal, mission).await {
            Ok(()) => free.push(mission),
            Err(blocked) if all && blocked.has_code(BLOCKED) => {
                let id = short(mission);
                output::note(&format!(
                    "mission {id} is left out: the constitutional checks block it [{BLOCKED}]"
                ));
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(free)
}

pub(super) fn tell_exported(
    export: &Export,
    missions: &[MissionId],
    size: u64,
) -> Result<Exit, AppError> {
    if export.json.json {
        let told = serde_json::json!({
            "file": export.output, "missions": missions, "bytes": size, "key": export.key,
        });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(format!(
            " {} in {}",
            count(missions.len(), "mission"),
            export.output.display()
        ))
        .and(Tone::Dim, format!("  {}", bytes(size)));
    output::line(&line.render(output::paint()))?;
    match &export.key {
        Some(place) => output::note(&format!(
            "{} decrypts the content: send it separately from the file.",
            place.display()
        )),
        None => output::note(
            "The content is encrypted: the file can be verified anywhere, but only read here.",
        ),
    }
    Ok(Exit::Ok)
}

pub(super) async fn import(settings: &Settings, import: Import) -> Result<Exit, AppError> {
    let form = Form::from(import.json.json);
    let key = import.key.as_deref().map(read_key).transpose()?;
    let file = open(&import.file)?;
    let engine = match HostLink::become_host(settings, Access::Host, Performs::Nothing).await {
        Ok(engine) => engine,
        Err(NotHost::Locked(error)) => {
            let mut failure = AppError::from(error);
            if let Some(first) = failure.complaints.first_mut() {
                "Stop the host first; importing needs exclusive access to the store."
                    .clone_into(&mut first.help);
            }
            return Err(failure);
        }
        Err(NotHost::Failed(failure)) => return Err(failure),
    };
    let Some(host) = engine.host().cloned() else {
        return Ok(Exit::Trouble);
    };
    let journal = host.journal(&settings.tenant);
    let taken = match host.check_quota(&settings.tenant).await {
        Ok(()) => journal
            .import(BufReader::new(file), key.as_ref())
            .await
            .map_err(AppError::from),
        Err(full) => Err(full.into()),
    };
    let taken = match taken {
        Ok(taken) => {
            let stand: Vec<_> = taken
                .iter()
                .map(|verified: &Verified| (verified.mission, ChainHead { ..verified.head }))
                .collect();
            let key: SigningKey = settings.signing_key()?;
            journal.attest(&key, wiring::clock().now(), &stand).await?;
            Ok(taken)
        }
        Err(error) => Err(error),
    };
    engine.close().await?;
    let taken = taken?;
    for verified in &taken {
        if form == Form::Json {
            let told = serde_json::json!({
                "imported": verified.mission, "events": verified.head.seq,
                "readable": verified.folded, "signed_to": verified.attested, "keys": verified.keys,
            });
            output::line(&told.to_string())?;
            continue;
        }
        let events = count(usize::try_from(verified.head.seq).unwrap_or(0), "event");
        let readable = if verified.folded {
            "readable"
        } else {
            "encrypted, can only be verified"
        };
        let line = Line::new().plain(" ").and(Tone::Done, "✓").plain(format!(
            " {}  {events}, whole, {readable}",
            short(verified.mission)
        ));
        output::line(&line.render(output::paint()))?;
    }
    Ok(Exit::Ok)
}

pub(super) fn read_key(place: &Path) -> Result<ExportKey, AppError> {
    let text = adjutant_app::files::read(place, 1_024)?;
    let text = String::from_utf8(text).unwrap_or_default();
    ExportKey::parse(&text).ok_or_else(|| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-4010",
            format!("{} does not contain a valid key", place.display()),
            "A key has 64 hexadecimal digits, as written by `adjutant`.",
        )
    })
}

pub(super) fn open(place: &Path) -> Result<File, AppError> {
    File::open(place).map_err(|error| {
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => "ADJ-6011",
            _ => "ADJ-6012",
        };
        let message = format!("{} cannot be read: {error}", place.display());
        AppError::new(
            ErrorKind::BadInput,
            code,
            message,
            "Check the path and the file.",
        )
    })
}

fn taken(place: &Path) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6052",
        format!("{} already exists", place.display()),
        "Choose another file; existing files are not overwritten.",
    )
}

/// A new file, never over another.
pub(super) fn create(place: &Path) -> Result<File, AppError> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let made = File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(place);
    made.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => taken(place),
        _ => AppError::new(
            ErrorKind::Unavailable,
            "ADJ-6053",
            format!("{} cannot be written: {error}", place.display()),
            "Choose a writable location.",
        ),
    })
}

/// Sees a written file to the disk; one that was not finished is not left behind.
pub(super) fn finish(
    place: &Path,
    written: Result<BufWriter<File>, adjutant_journal::JournalError>,
) -> Result<u64, AppError> {
    let synced = written.and_then(|written| {
        let file = written
            .into_inner()
            .map_err(|error| adjutant_journal::JournalError::Write(error.into_error()))?;
        file.sync_all()
            .and_then(|()| file.metadata())
            .map_err(adjutant_journal::JournalError::Write)
    });
    match synced {
        Ok(found) => Ok(found.len()),
        Err(error) => {
            // What is there is not a file of ours yet; if it cannot be removed, its end says so.
            let _ = std::fs::remove_file(place);
            Err(error.into())
        }
    }
}
