//! The catalogue of missions as this installation has it: the built-in ones, and in their place those of the data
//! folder.

use adjutant_catalogue::{Catalogue, Entry, Template};
use serde_json::{Value, json};

use crate::error::{AppError, ErrorKind};
use crate::files;
use crate::settings::Settings;

/// A template's file larger than this is something else.
pub const TEMPLATE_BYTES_MAX: u64 = 1024 * 1024;

pub fn catalogue(settings: &Settings) -> Result<Catalogue, AppError> {
    let mut own = Vec::new();
    let folder = &settings.missions;
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(adjutant_catalogue::load(None));
        }
        Err(error) => {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6100",
                format!(
                    "the missions of {} cannot be read: {error}",
                    folder.display()
                ),
                "Check the folder, or set `missions.folder` to another.",
            ));
        }
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if !matches!(ending, Some("yaml" | "yml")) {
            continue;
        }
        let bytes = files::read(&path, TEMPLATE_BYTES_MAX)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        own.push((path.display().to_string(), text));
    }
    let own: Vec<(&str, &str)> = own
        .iter()
        .map(|(file, text)| (file.as_str(), text.as_str()))
        .collect();
    let catalogue = adjutant_catalogue::load(Some(&own));
    if let Some(problem) = catalogue.problems.first() {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6101",
            format!("{problem}"),
            "Fix the file, or remove it; `adjutant mission check FILE` lists every problem.",
        ));
    }
    Ok(catalogue)
}

pub fn entry<'a>(catalogue: &'a Catalogue, id: &str) -> Result<&'a Entry, AppError> {
    let wanted = id.replace('-', "_");
    catalogue.entry(&wanted).ok_or_else(|| {
        let known = catalogue.entries.iter().map(|entry| entry.id.as_str());
        let near = adjutant_plans::reading::nearest(&wanted, known);
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6102",
            format!("there is no mission `{id}`{near}"),
            "`adjutant mission list` shows the names.",
        )
    })
}

/// The template of a mission that can be started.
pub fn template<'a>(catalogue: &'a Catalogue, id: &str) -> Result<&'a Template, AppError> {
    let entry = entry(catalogue, id)?;
    entry.template().ok_or_else(|| {
        let ready = catalogue
            .entries
            .iter()
            .filter(|other| other.template().is_some());
        let ready: Vec<&str> = ready.map(|other| other.id.as_str()).collect();
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6103",
            format!("{} is planned but has no template yet", entry.name),
            format!(
                "Start one of {}, or write a template with that id; see `adjutant mission schema`.",
                ready.join(", ")
            ),
        )
    })
}

/// The whole catalogue, as programs read it.
pub fn catalogue_json(catalogue: &Catalogue) -> Value {
    let missions: Vec<Value> = catalogue.entries.iter().map(entry_json).collect();
    json!({ "missions": missions })
}

pub fn entry_json(entry: &Entry) -> Value {
    let (cost, time) = estimate(entry);
    let template = entry.template();
    json!({
        "id": entry.id,
        "name": entry.name,
        "ready": template.is_some(),
        "about": entry.about(),
        "category": entry.facts.map(|facts| facts.category.name()),
        "expert": entry.facts.map(|facts| facts.expert),
        "specialists": entry.facts.map(|facts| facts.specialists),
        "workers": entry.facts.map(|facts| facts.workers),
        "tools": entry.facts.map(|facts| facts.tools()),
        "reasoning": entry.facts.map(|facts| facts.reasoning),
        "checkpoints": entry.facts.map(|facts| facts.checkpoints),
        "cost": cost,
        "time": time,
    })
}

/// What a mission usually costs, and how long it takes.
pub fn estimate(entry: &Entry) -> (String, String) {
    let (cost, time) = match (entry.template(), entry.facts) {
        (Some(template), _) => (template.estimate.cost, template.estimate.time),
        (None, Some(facts)) => (facts.cost, facts.time),
        (None, None) => return (String::new(), String::new()),
    };
    let minutes = |millis: adjutant_mission::Millis| millis.0 / 60_000;
    (
        format!("{}–{}", cost.from, cost.to),
        format!("{}–{} min", minutes(time.from), minutes(time.to)),
    )
}
