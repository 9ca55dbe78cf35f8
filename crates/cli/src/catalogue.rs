//! The catalogue of missions as this installation has it: the built-in ones, and in their place those of the data
//! folder.

use adjutant_catalogue::{Catalogue, Entry, Template};

use crate::failure::{Exit, Failure};
use crate::settings::Settings;
use crate::wiring;

/// A template's file larger than this is something else.
pub(crate) const TEMPLATE_BYTES_MAX: u64 = 1024 * 1024;

pub(crate) fn catalogue(settings: &Settings) -> Result<Catalogue, Failure> {
    let mut own = Vec::new();
    let folder = &settings.missions;
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(adjutant_catalogue::load(None));
        }
        Err(error) => {
            return Err(Failure::new(
                Exit::BadInput,
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
        let bytes = wiring::read_file(&path, TEMPLATE_BYTES_MAX)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        own.push((path.display().to_string(), text));
    }
    let own: Vec<(&str, &str)> = own
        .iter()
        .map(|(file, text)| (file.as_str(), text.as_str()))
        .collect();
    let catalogue = adjutant_catalogue::load(Some(&own));
    if let Some(problem) = catalogue.problems.first() {
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-6101",
            format!("{problem}"),
            "Mend the file, or remove it; `adjutant mission check FILE` says all that is wrong with it.",
        ));
    }
    Ok(catalogue)
}

pub(crate) fn entry<'a>(catalogue: &'a Catalogue, id: &str) -> Result<&'a Entry, Failure> {
    let wanted = id.replace('-', "_");
    catalogue.entry(&wanted).ok_or_else(|| {
        let known = catalogue.entries.iter().map(|entry| entry.id.as_str());
        let near = adjutant_plans::reading::nearest(&wanted, known);
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Failure::new(
            Exit::BadInput,
            "ADJ-6102",
            format!("there is no mission `{id}`{near}"),
            "`adjutant mission list` has the names.",
        )
    })
}

/// The template of a mission that can be started.
pub(crate) fn template<'a>(catalogue: &'a Catalogue, id: &str) -> Result<&'a Template, Failure> {
    let entry = entry(catalogue, id)?;
    entry.template().ok_or_else(|| {
        let ready = catalogue
            .entries
            .iter()
            .filter(|other| other.template().is_some());
        let ready: Vec<&str> = ready.map(|other| other.id.as_str()).collect();
        Failure::new(
            Exit::BadInput,
            "ADJ-6103",
            format!("{} is announced and has no template yet", entry.name),
            format!(
                "Start one of {}, or write a template of that id: `adjutant mission schema`.",
                ready.join(", ")
            ),
        )
    })
}
