//! `adjutant erase`: destroys what missions say. Asks for `--yes`, for it cannot be undone.

use adjutant_host::{Performs, Upkeep};
use adjutant_journal::JournalError;
use adjutant_mission::{MissionId, TriggerId, TriggerRecord, TriggerTarget};

use super::trigger;
use crate::args::Erase;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, count, short, short_trigger};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

pub(super) async fn run(settings: &Settings, erase: Erase) -> Result<Exit, AppError> {
    let form = Form::from(erase.json.json);
    let reading = ReadOnlyStore::expect(settings).await?;
    let missions = match &erase.subject {
        Some(subject) => reading.journal.concerning(subject).await?,
        None => {
            let mut found = Vec::new();
            for text in &erase.missions {
                found.push(find::mission(reading.store(), text).await?);
            }
            found
        }
    };
    let triggers = match &erase.subject {
        Some(subject) => concerning(&reading, subject, &missions).await?,
        None => Vec::new(),
    };
    if missions.is_empty() && triggers.is_empty() {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6051",
            "no mission or trigger has this subject",
            "Subjects are set with `--subject` of `run` and `trigger add`; missions can also be named by id.",
        ));
    }
    if !erase.yes {
        return would(&reading, &missions, &triggers, form).await;
    }
    for mission in &missions {
        reading.journal.may_erase(*mission).await?;
    }
    drop(reading);
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let upkeep = Upkeep::Erase {
        missions: missions.clone(),
        triggers: ids(&triggers),
        by: settings.actor(None),
        reason: erase.reason,
    };
    let erased = engine.upkeep(&settings.tenant, upkeep).await;
    engine.close().await?;
    let erased = erased?;
    if form == Form::Json {
        let told = serde_json::json!({ "erased": missions, "triggers": ids(&triggers) });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(format!(
            " {}{} erased",
            count(erased, "mission"),
            and_triggers(&triggers)
        ))
        .and(
            Tone::Dim,
            "  their keys are destroyed; the remaining records can be listed and verified",
        );
    output::line(&line.render(output::paint()))?;
    output::note(
        "Earlier backups and exports still contain the content: erase or replace those too.",
    );
    Ok(Exit::Ok)
}

type Triggers = Vec<(TriggerId, TriggerRecord)>;

/// The triggers that start missions of this subject, or inform one of these missions.
async fn concerning(
    reading: &ReadOnlyStore,
    subject: &str,
    missions: &[MissionId],
) -> Result<Triggers, AppError> {
    let mut triggers = trigger::kept_in(reading).await?;
    let Some(key) = reading.journal.key().await? else {
        return Ok(Vec::new());
    };
    let tag = key.tag(subject);
    triggers.retain(|(_, record)| match &record.trigger.target {
        TriggerTarget::StartMission(prepared) => {
            let mut subjects = prepared.scope.subjects.iter();
            subjects.any(|other| key.tag(other) == tag)
        }
        TriggerTarget::InformMission { mission, .. } => missions.contains(mission),
    });
    Ok(triggers)
}

fn ids(triggers: &Triggers) -> Vec<TriggerId> {
    triggers.iter().map(|(id, _)| *id).collect()
}

fn and_triggers(triggers: &Triggers) -> String {
    match triggers.len() {
        0 => String::new(),
        n => format!(" and {}", count(n, "trigger")),
    }
}

async fn would(
    reading: &ReadOnlyStore,
    missions: &[MissionId],
    triggers: &Triggers,
    form: Form,
) -> Result<Exit, AppError> {
    let (mut ready, mut held) = (Vec::new(), Vec::new());
    for mission in missions {
        match reading.journal.may_erase(*mission).await {
            Ok(()) => ready.push(*mission),
            Err(error @ (JournalError::Unfinished { .. } | JournalError::NeverSealed { .. })) => {
                held.push((*mission, error))
            }
            Err(error) => return Err(error.into()),
        }
    }
    if form == Form::Json {
        let held: Vec<_> = held
            .iter()
            .map(|(mission, error)| serde_json::json!({ "mission": mission, "code": error.code() }))
            .collect();
        let told = serde_json::json!({
            "would_erase": ready, "cannot_yet": held, "triggers": ids(triggers),
        });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    for mission in &ready {
        output::line(&format!(
            "   {}  {}",
            short(*mission),
            title(reading, *mission).await?
        ))?;
    }
    for (id, record) in triggers {
        let name = &record.trigger.name;
        output::line(&format!("   {}  trigger {name}", short_trigger(*id)))?;
    }
    for (mission, error) in &held {
        let line = Line::new()
            .plain(format!(
                " {}  {}",
                short(*mission),
                title(reading, *mission).await?
            ))
            .and(
                Tone::Failed,
                format!("  error[{}]: {}", error.code(), error.remedy()),
            );
        output::line(&line.render(output::paint()))?;
    }
    match held.len() {
        0 => output::note(&format!(
            "{}{} would be erased permanently. Repeat with --yes to erase.",
            count(ready.len(), "mission"),
            and_triggers(triggers)
        )),
        stuck => output::note(&format!(
            "{}{} would be erased; {} cannot be erased yet, so nothing is erased.",
            count(ready.len(), "mission"),
            and_triggers(triggers),
            count(stuck, "mission"),
        )),
    }
    Ok(Exit::Ok)
}

async fn title(reading: &ReadOnlyStore, mission: MissionId) -> Result<String, AppError> {
    let listed = reading.journal.summary(mission).await?;
    Ok(listed.map_or(String::new(), |listed| listed.summary.title))
}
