//! `adjutant erase`: destroys what missions say. Asks for `--yes`, for it cannot be undone.

use adjutant_host::{Performs, Upkeep};
use adjutant_mission::MissionId;

use crate::args::Erase;
use crate::engine::Engine;
use crate::failure::{Exit, Failure};
use crate::find;
use crate::output::{self, Form};
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, Tone, count, short};

pub(super) async fn run(settings: &Settings, erase: Erase) -> Result<Exit, Failure> {
    let form = Form::from(erase.json.json);
    let reading = Reading::expect(settings).await?;
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
    if missions.is_empty() {
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-6051",
            "no mission was run with this subject",
            "Subjects are given with `adjutant run --subject`; missions can also be named by id.",
        ));
    }
    for mission in &missions {
        reading.journal.may_erase(*mission).await?;
    }
    if !erase.yes {
        return would(&reading, &missions, form).await;
    }
    drop(reading);
    let engine = Engine::reach(settings, Performs::Nothing).await?;
    let upkeep = Upkeep::Erase {
        missions: missions.clone(),
        by: settings.actor(None),
        reason: erase.reason,
    };
    let erased = engine.upkeep(&settings.tenant, upkeep).await;
    engine.close().await?;
    let erased = erased?;
    if form == Form::Json {
        output::line(&serde_json::json!({ "erased": missions }).to_string())?;
        return Ok(Exit::Ok);
    }
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(format!(" {} erased", count(erased, "mission")))
        .and(
            Tone::Dim,
            "  their keys are destroyed; what is left can be listed and verified",
        );
    output::line(&line.render(output::paint()))?;
    output::note(
        "Backups and exports made before still hold the content: erase or replace those too.",
    );
    Ok(Exit::Ok)
}

async fn would(reading: &Reading, missions: &[MissionId], form: Form) -> Result<Exit, Failure> {
    if form == Form::Json {
        output::line(&serde_json::json!({ "would_erase": missions }).to_string())?;
        return Ok(Exit::Ok);
    }
    for mission in missions {
        let listed = reading.journal.summary(*mission).await?;
        let title = listed.map_or(String::new(), |listed| listed.summary.title);
        output::line(&format!("   {}  {title}", short(*mission)))?;
    }
    output::note(&format!(
        "{} would be erased, for good. Repeat with --yes to do it.",
        count(missions.len(), "mission")
    ));
    Ok(Exit::Ok)
}
