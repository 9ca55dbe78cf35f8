//! Which mission serves a question: the one whose cues and name the question is worded in.

use std::collections::BTreeSet;

use adjutant_questions::{OfferedMission, OtherMission, Route, Routed};

use super::thoughts::stems_of;
use crate::text::{Stems, confidence, is_stop_word, words};

const CUE: f64 = 1.0;
/// What each further word of a cue adds: a phrase says more than a word.
const CUE_WORD_MORE: f64 = 0.5;
/// A cue of nothing but little words, such as `how`.
const LITTLE_CUE: f64 = 0.1;
const NAME_WORD: f64 = 0.8;
const ABOUT_WORD: f64 = 0.4;
const OTHERS_MAX: usize = 3;
/// What a choice is worth that hardly anything speaks for.
const SURE_LEAST: f64 = 0.35;
const SURE_MORE: f64 = 0.5;
/// What must speak for a choice to make it half as sure as it can be.
const HALF_SURE: f64 = 0.6;
const SURE_OF_NONE: f64 = 0.3;

struct Fit<'a> {
    mission: &'a OfferedMission,
    worth: f64,
    /// What of the question it was known by.
    heard: Vec<String>,
}

pub(crate) fn route(input: &Route) -> Routed {
    let mut stems = Stems::new();
    let asked = RoutedObjective {
        order: in_order(&input.question, &mut stems),
        about: stems_of(&input.question, &mut stems),
    };
    let said: Vec<BTreeSet<String>> = input
        .missions
        .iter()
        .map(|mission| stems_of(&format!("{} {}", mission.name, mission.about), &mut stems))
        .collect();
    let mut fits: Vec<Fit<'_>> = input
        .missions
        .iter()
        .map(|mission| asked.fit(mission, &said, &mut stems))
        .filter(|fit| fit.worth > 0.0)
        .collect();
    fits.sort_by(|one, other| other.worth.total_cmp(&one.worth));
    let Some((best, rest)) = fits.split_first() else {
        return Routed {
            mission: None,
            because: "Nothing in the question tells what kind of work is wanted.".to_owned(),
            others: Vec::new(),
            confidence: SURE_OF_NONE,
        };
    };
    let second = rest.first().map_or(0.0, |fit| fit.worth);
    let strength = best.worth / (best.worth + HALF_SURE);
    let lead = (best.worth - second) / best.worth;
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
        confidence: confidence(SURE_LEAST + SURE_MORE * strength * lead),
    }
}

struct RoutedObjective {
    /// The stems of all words, little ones too, in their order.
    order: Vec<String>,
    about: BTreeSet<String>,
}

impl RoutedObjective {
    fn fit<'a>(
        &self,
        mission: &'a OfferedMission,
        said: &[BTreeSet<String>],
        stems: &mut Stems,
    ) -> Fit<'a> {
        let mut fit = Fit {
            mission,
            worth: 0.0,
            heard: Vec::new(),
        };
        let mut known: BTreeSet<Vec<String>> = BTreeSet::new();
        for cue in &mission.cues {
            let order = in_order(cue, stems);
            let said = !order.is_empty() && self.order.windows(order.len()).any(|at| at == order);
            if !said || !known.insert(order.clone()) {
                continue;
            }
            let little = words(cue)
                .iter()
                .all(|word| is_stop_word(&word.text.to_lowercase()));
            fit.worth += match (little, order.len()) {
                (true, 1) => LITTLE_CUE,
                (_, count) => CUE + CUE_WORD_MORE * (count - 1) as f64,
            };
            fit.heard.push(cue.clone());
        }
        for (text, worth) in [(&mission.name, NAME_WORD), (&mission.about, ABOUT_WORD)] {
            for stem in stems_of(text, stems).intersection(&self.about) {
                if !known.insert(vec![stem.clone()]) {
                    continue;
                }
                // A word that many missions are described in says little for one.
                let sharing = said.iter().filter(|words| words.contains(stem)).count();
                fit.worth += worth / sharing.max(1) as f64;
                if worth == NAME_WORD {
                    fit.heard.push(stem_as_asked(text, stem, stems));
                }
            }
        }
        fit
    }
}

fn in_order(text: &str, stems: &mut Stems) -> Vec<String> {
    words(text)
        .iter()
        .map(|word| stems.stem(&word.text.to_lowercase()).to_owned())
        .collect()
}

/// The word of a text that has the stem.
fn stem_as_asked(text: &str, stem: &str, stems: &mut Stems) -> String {
    words(text)
        .iter()
        .map(|word| word.text.to_lowercase())
        .find(|word| stems.stem(word) == stem)
        .unwrap_or_else(|| stem.to_owned())
}

fn explain_fit(fit: &Fit<'_>) -> String {
    let about = fit.mission.about.trim_end_matches('.');
    let mut heard = fit.heard.clone();
    heard.dedup();
    heard.truncate(OTHERS_MAX);
    match heard.is_empty() {
        true => format!("Its subject is near to what the mission is for: {about}."),
        false => format!("The question says \"{}\": {about}.", heard.join("\", \"")),
    }
}
