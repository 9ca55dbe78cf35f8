//! Which mission is for a question, by the words of both.

use adjutant_ask::{OfferedMission, OtherMission, Route, Routed};

use crate::text::{Stems, confidence, is_stop_word, words};

/// Words that speak for a category of missions.
const CUES: &[(&str, &[&str])] = &[
    (
        "understand",
        &[
            "known",
            "know",
            "about",
            "overview",
            "evidence",
            "learn",
            "understand",
            "explain",
            "summary",
            "state",
        ],
    ),
    (
        "evaluate",
        &[
            "risk", "risks", "wrong", "danger", "fail", "failure", "hazard", "threat", "safe",
            "assess", "quality", "compare", "feasible",
        ],
    ),
    (
        "decide",
        &[
            "should", "decide", "decision", "go", "approve", "proceed", "continue", "launch",
            "invest", "whether", "choose",
        ],
    ),
    (
        "investigate",
        &[
            "why",
            "cause",
            "caused",
            "happened",
            "root",
            "signal",
            "pattern",
            "diligence",
        ],
    ),
    (
        "watch",
        &[
            "watch",
            "monitor",
            "trend",
            "competitor",
            "news",
            "alert",
            "upcoming",
        ],
    ),
    (
        "solve",
        &["stuck", "alternative", "solve", "path", "instead", "way"],
    ),
    (
        "prepare",
        &["meeting", "prepare", "case", "argue", "pitch", "brief"],
    ),
];
/// What a word of each kind that both sides have is worth.
const OF_NAME: f64 = 2.0;
const OF_ABOUT: f64 = 1.0;
const OF_CUES: f64 = 1.5;
/// How much better the best must be than the next to be sure of it.
const CLEAR_LEAD: f64 = 4.0;
const OTHERS_MAX: usize = 3;
const SURE_MIN: f64 = 0.3;
const SURE_MAX: f64 = 0.85;

pub(crate) fn route(input: &Route) -> Routed {
    let mut stems = Stems::new();
    let asked = content(&input.question, &mut stems);
    let mut ranked: Vec<(f64, Vec<String>, &OfferedMission)> = input
        .missions
        .iter()
        .map(|mission| {
            let (score, shared) = score(mission, &asked, &mut stems);
            (score, shared, mission)
        })
        .collect();
    // The order in which they are offered settles what the words do not.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let because = |shared: &[String], mission: &OfferedMission| match shared {
        [] => format!(
            "Nothing in the question speaks for one mission; {} is the first.",
            mission.name
        ),
        words => format!("The question says {}.", words.join(", ")),
    };
    let lead = match ranked.as_slice() {
        [] => 0.0,
        [one] => one.0,
        [first, second, ..] => first.0 - second.0,
    };
    let sure = SURE_MIN + (SURE_MAX - SURE_MIN) * (lead / CLEAR_LEAD).clamp(0.0, 1.0);
    let best = ranked.first();
    Routed {
        mission: best.map_or(String::new(), |(_, _, mission)| mission.id.clone()),
        because: best.map_or(String::new(), |(_, shared, mission)| {
            because(shared, mission)
        }),
        others: ranked
            .iter()
            .skip(1)
            .filter(|(score, ..)| *score > 0.0)
            .take(OTHERS_MAX)
            .map(|(_, shared, mission)| OtherMission {
                mission: mission.id.clone(),
                because: because(shared, mission),
            })
            .collect(),
        confidence: confidence(sure),
    }
}

fn score(
    mission: &OfferedMission,
    asked: &[(String, String)],
    stems: &mut Stems,
) -> (f64, Vec<String>) {
    let name = content(&mission.name, stems);
    let about = content(&mission.about, stems);
    let cues = CUES
        .iter()
        .find(|(category, _)| *category == mission.category);
    let cues = cues.map_or(String::new(), |(_, cues)| cues.join(" "));
    let cues: Vec<(String, String)> = all(&cues, stems);
    let (mut score, mut shared) = (0.0, Vec::new());
    for (word, stem) in asked {
        let has = |list: &[(String, String)]| list.iter().any(|(_, other)| other == stem);
        let worth = [
            (has(&name), OF_NAME),
            (has(&cues), OF_CUES),
            (has(&about), OF_ABOUT),
        ];
        let worth: f64 = worth
            .iter()
            .filter(|(has, _)| *has)
            .map(|(_, worth)| worth)
            .sum();
        if worth > 0.0 {
            score += worth;
            shared.push(format!("“{word}”"));
        }
    }
    (score, shared)
}

/// The words of a text that say something, each once, with their stems. Those that ask for a decision stay.
fn content(text: &str, stems: &mut Stems) -> Vec<(String, String)> {
    let decides = |word: &str| CUES.iter().any(|(_, cues)| cues.contains(&word));
    let mut found = all(text, stems);
    found.retain(|(word, _)| decides(word) || !is_stop_word(word));
    found
}

fn all(text: &str, stems: &mut Stems) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for word in words(text) {
        let small = word.text.to_lowercase();
        let stem = stems.stem(&small).to_owned();
        if !found.iter().any(|(_, had)| *had == stem) {
            found.push((small, stem));
        }
    }
    found
}
