//! Which mission serves a question: the one for which the words of the question speak, and how likely that is.
//!
//! The missions of the catalogue are known by a learned table. A mission that is not in it, such as a team's own, is known by
//! the words of its name and of what it is for.

use std::collections::BTreeSet;

use adjutant_questions::{OfferedMission, OtherMission, Route, Routed};

use super::thoughts::stems_of;
use crate::routing::{Sign, signs, table};
use crate::text::{Stems, confidence, is_stop_word};

const OTHERS_MAX: usize = 2;
const HEARD_MAX: usize = 3;
/// A sign that says less is not named as a reason.
const REASON_LEAST: f64 = 0.3;
/// Below this the question says nothing of the kind of work.
const CHANCE_LEAST: f64 = 0.15;
/// How sure a mission is that is not in the table if all words of its name are in the question.
const ALL_OF_ITS_NAME: f64 = 0.9;
/// The same for all words of what it is for.
const ALL_OF_ITS_ABOUT: f64 = 0.6;

struct Fit<'a> {
    mission: &'a OfferedMission,
    chance: f64,
    /// What of the question speaks for it.
    heard: Vec<String>,
}

pub(crate) fn route(input: &Route) -> Routed {
    let signs = signs(&input.question);
    let mut fits = fits(input, &signs);
    fits.sort_by(|one, other| other.chance.total_cmp(&one.chance));
    let likely = fits
        .split_first()
        .filter(|(best, _)| best.chance >= CHANCE_LEAST);
    let Some((best, rest)) = likely else {
        return Routed {
            mission: None,
            because: "Nothing in the question tells what kind of work is wanted.".to_owned(),
            others: Vec::new(),
            confidence: confidence(fits.first().map_or(0.0, |fit| fit.chance)),
        };
    };
    Routed {
        mission: Some(best.mission.id.clone()),
        because: explain_fit(best),
        others: rest
            .iter()
            .take(OTHERS_MAX)
            .map(|fit| OtherMission {
                id: fit.mission.id.clone(),
                because: explain_fit(fit),
            })
            .collect(),
        confidence: confidence(best.chance),
    }
}

/// Every offered mission with its chance. One that the table knows but that is not offered keeps its share: if the mission
/// that is wanted cannot be started, no other becomes likelier.
fn fits<'a>(input: &'a Route, signs: &[Sign]) -> Vec<Fit<'a>> {
    let table = table();
    let chances = table.chances(signs);
    let is_known = |mission: &OfferedMission| table.kinds.contains(&mission.id);
    let mut stems = Stems::new();
    let asked = stems_of(&input.question, &mut stems);
    let mut fits: Vec<Fit<'_>> = Vec::new();
    for mission in input.missions.iter().filter(|mission| !is_known(mission)) {
        fits.push(fit_by_name(mission, &asked, &mut stems));
    }
    // What their names claim is not left for the others.
    let left: f64 = fits.iter().map(|fit| 1.0 - fit.chance).product();
    for mission in &input.missions {
        let Some(kind) = table.kinds.iter().position(|id| *id == mission.id) else {
            continue;
        };
        fits.push(Fit {
            mission,
            chance: chances.get(kind).copied().unwrap_or(0.0) * left,
            heard: reasons(signs, kind),
        });
    }
    fits
}

/// What of the question speaks most for a kind, strongest first, nothing twice.
fn reasons(signs: &[Sign], kind: usize) -> Vec<String> {
    let table = table();
    let mut said: Vec<(f64, &str)> = Vec::new();
    for sign in signs {
        let Some(heard) = sign.heard.as_deref() else {
            continue;
        };
        let says = table.says(sign, kind);
        match said.iter_mut().find(|(_, other)| *other == heard) {
            Some((all, _)) => *all += says,
            None if sign.is_cue || !is_little(heard) => said.push((says, heard)),
            None => {}
        }
    }
    said.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut named: Vec<String> = Vec::new();
    for (_, heard) in said.iter().filter(|(says, _)| *says >= REASON_LEAST) {
        let is_told = named
            .iter()
            .any(|other| other.contains(heard) || heard.contains(other.as_str()));
        if !is_told && named.len() < HEARD_MAX {
            named.push((*heard).to_owned());
        }
    }
    named
}

fn is_little(text: &str) -> bool {
    text.split(' ')
        .all(|word| is_stop_word(&word.to_lowercase()))
}

fn fit_by_name<'a>(
    mission: &'a OfferedMission,
    asked: &BTreeSet<String>,
    stems: &mut Stems,
) -> Fit<'a> {
    let mut shared = |text: &str| {
        let words = stems_of(text, stems);
        let shared: Vec<String> = words.intersection(asked).cloned().collect();
        let share = shared.len() as f64 / words.len().max(1) as f64;
        (share, shared)
    };
    let (name, heard) = shared(&mission.name);
    let (about, _) = shared(&mission.about);
    Fit {
        mission,
        chance: (name * ALL_OF_ITS_NAME).max(about * ALL_OF_ITS_ABOUT),
        heard,
    }
}

fn explain_fit(fit: &Fit<'_>) -> String {
    let about = fit.mission.about.trim_end_matches('.');
    match fit.heard.is_empty() {
        true => {
            format!("No single word stands out; the wording as a whole is near to it: {about}.")
        }
        false => format!(
            "The question says \"{}\": {about}.",
            fit.heard.join("\", \"")
        ),
    }
}
