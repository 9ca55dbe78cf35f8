//! How it could turn out: conditions with what follows from them, cases that the sources name, ranges, and dates in doubt.

mod conditionals;
mod ranges;

use std::collections::BTreeSet;

use adjutant_questions::{CitedLine, DatedQuestion, Scenario, ScenarioCase, ScenariosBuilt};
use adjutant_text::phrases::{first_phrase, phrase_at};
use adjutant_text::stems::content_stems;

use crate::bearing::{Bearing, sure_of};
use crate::corpus::Corpus;
use crate::text::{
    Date, capital, clipped_statement, confidence, dates_in, parse_date, states, words,
};
use conditionals::conditional;
use ranges::range;

const TEXT_CHARS_MAX: usize = 560;
const NAME_CHARS_MAX: usize = 110;
const LINES_MAX: usize = 4;
const SIGNS_MAX: usize = 2;
const SUMMARY_CHARS_MAX: usize = 560;
/// From here on two conditions are the same, if they share so many stems.
const SAME_MIN: f64 = 0.75;
const SHARED_MIN: usize = 2;
const SURE_OF_STATED_CASE: f64 = 0.6;
const SURE_OF_CONDITION: f64 = 0.5;
const SURE_OF_RANGE: f64 = 0.45;

/// Names of cases, and which case they are.
const CASES: &[(&str, ScenarioCase)] = &[
    ("at best", ScenarioCase::Best),
    ("at worst", ScenarioCase::Worst),
    ("best case", ScenarioCase::Best),
    ("expected case", ScenarioCase::Likely),
    ("in the best case", ScenarioCase::Best),
    ("in the worst case", ScenarioCase::Worst),
    ("most likely", ScenarioCase::Likely),
    ("optimistic", ScenarioCase::Best),
    ("pessimistic", ScenarioCase::Worst),
    ("worst case", ScenarioCase::Worst),
];
/// Beside a date they put it in doubt.
const IN_DOUBT: &[&str] = &[
    "at risk",
    "cannot be kept",
    "doubtful",
    "in doubt",
    "may be late",
    "may slip",
    "might be late",
    "might slip",
    "not certain",
    "not sure",
    "uncertain",
    "unlikely",
];
/// Somebody keeps an eye on something.
const WATCHED: &[&str] = &[
    "alarm",
    "alert",
    "counted",
    "indicator",
    "measured",
    "monitored",
    "monitoring",
    "monitors",
    "observed",
    "threshold",
    "tracked",
    "trend",
    "watched",
];

struct Built {
    scenario: Scenario,
    relevance: f64,
    /// What its conditions are about.
    stems: BTreeSet<String>,
    sentence: usize,
}

pub(crate) fn scenarios(input: &DatedQuestion) -> ScenariosBuilt {
    let mut corpus = Corpus::read(&input.sources);
    let mut bearing = Bearing::new(&mut corpus, &input.question, &input.guidance);
    let today = parse_date(&input.today);
    let mut all: Vec<Built> = Vec::new();
    for at in 0..corpus.sentences.len() {
        let Some(scenario) = told(&corpus, at, today) else {
            continue;
        };
        if let Some(relevance) = bearing.relevance(&corpus, at) {
            let of_conditions = scenario.conditions.iter().map(|line| line.text.as_str());
            all.push(Built {
                stems: of_conditions.flat_map(content_stems).collect(),
                scenario,
                relevance,
                sentence: at,
            });
        }
    }
    let worth = |one: &Built| one.relevance + one.scenario.confidence;
    all.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    let mut kept = distinct(all, usize::from(input.most));
    let watching: Vec<usize> = watching(&corpus);
    for one in &mut kept {
        one.scenario.early_signs = early_signs(&corpus, &watching, one);
        let sure = one.scenario.confidence * (0.5 + one.relevance / 2.0);
        one.scenario.confidence = confidence(sure);
    }
    let relevances: Vec<f64> = kept.iter().map(|one| one.relevance).collect();
    let scenarios: Vec<Scenario> = kept.into_iter().map(|one| one.scenario).collect();
    ScenariosBuilt {
        summary: summary(&scenarios),
        not_found: super::nothing_on(&input.question, scenarios.is_empty()),
        confidence: sure_of(&relevances),
        scenarios,
    }
}

/// One scenario for each condition; what else follows from it joins it.
fn distinct(all: Vec<Built>, most: usize) -> Vec<Built> {
    let mut kept: Vec<Built> = Vec::new();
    for one in all {
        let has_room = kept.len() < most;
        let same = kept.iter_mut().find(|known| {
            let both = known.stems.intersection(&one.stems).count();
            let either = known.stems.union(&one.stems).count() as f64;
            both >= SHARED_MIN
                && both as f64 >= SAME_MIN * either
                && known.scenario.case == one.scenario.case
        });
        match same {
            Some(known) => {
                join(&mut known.scenario.conditions, one.scenario.conditions);
                join(&mut known.scenario.outcomes, one.scenario.outcomes);
            }
            None if has_room => kept.push(one),
            None => {}
        }
    }
    kept
}

/// Adds lines; the same line of another source adds its evidence.
fn join(known: &mut Vec<CitedLine>, more: Vec<CitedLine>) {
    for line in more {
        let has_room = known.len() < LINES_MAX;
        let same = known
            .iter_mut()
            .find(|at| at.text.eq_ignore_ascii_case(&line.text));
        match same {
            Some(at) => super::join(&mut at.evidence, line.evidence),
            None if has_room => known.push(line),
            None => {}
        }
    }
}

/// The scenario that a sentence tells of.
fn told(corpus: &Corpus<'_>, at: usize, today: Option<Date>) -> Option<Scenario> {
    let text = corpus.text(at);
    if !states(text) {
        return None;
    }
    let line = |text: &str| CitedLine {
        text: clipped_statement(&capital(text.trim()), TEXT_CHARS_MAX),
        evidence: vec![corpus.evidence(at)],
    };
    let scenario = |name: &str, case, conditions: &[&str], outcomes: &[String], sure| Scenario {
        name: clipped_statement(&capital(name.trim()), NAME_CHARS_MAX),
        case,
        conditions: conditions.iter().map(|text| line(text)).collect(),
        outcomes: outcomes.iter().map(|text| line(text)).collect(),
        early_signs: Vec::new(),
        confidence: sure,
    };
    // Of the same length, so that places in it are places in the text.
    let small = text.to_ascii_lowercase();
    let named = CASES
        .iter()
        .find(|(words, _)| phrase_at(&small, words).is_some());
    if let Some((_, case)) = named {
        let whole = corpus.self_contained_line(at);
        let name = format!("{}: {whole}", case.name());
        return Some(scenario(&name, *case, &[&whole], &[], SURE_OF_STATED_CASE));
    }
    if let Some(found) = conditional(text, &small) {
        let case = ScenarioCase::Alternative;
        let outcomes = [found.outcome.to_owned()];
        return Some(scenario(
            found.condition,
            case,
            &[found.condition],
            &outcomes,
            SURE_OF_CONDITION,
        ));
    }
    if let Some(found) = range(text) {
        let outcomes = [
            format!("At the low end: {}", found.low),
            format!("At the high end: {}", found.high),
        ];
        let name = format!("Range: {}", found.written);
        return Some(scenario(
            &name,
            ScenarioCase::Likely,
            &[text],
            &outcomes,
            SURE_OF_RANGE,
        ));
    }
    let date = in_doubt(text, &small, today)?;
    let name = format!("The date {date} is not kept");
    let case = ScenarioCase::Alternative;
    Some(scenario(&name, case, &[text], &[], SURE_OF_CONDITION))
}

/// A day, as it is written, that a sentence puts in doubt and that has not passed.
fn in_doubt<'t>(text: &'t str, small: &str, today: Option<Date>) -> Option<&'t str> {
    first_phrase(small, IN_DOUBT)?;
    let all = words(text);
    let is_ahead = |date: Date| today.is_none_or(|today| date.last_day() >= today);
    let mut dates = dates_in(text).into_iter();
    let (_, at) = dates.find(|(date, _)| date.month().is_some() && is_ahead(*date))?;
    let (first, last) = (all.get(at.start)?, all.get(at.end.checked_sub(1)?)?);
    text.get(first.start..last.end)
}

fn watching(corpus: &Corpus<'_>) -> Vec<usize> {
    let watches = |at: &usize| {
        let text = corpus.text(*at);
        states(text) && first_phrase(&text.to_lowercase(), WATCHED).is_some()
    };
    (0..corpus.sentences.len()).filter(watches).collect()
}

/// What is watched of the things that the conditions are about; without that, the first record of the condition itself.
fn early_signs(corpus: &Corpus<'_>, watching: &[usize], of: &Built) -> Vec<CitedLine> {
    let mut found: Vec<(usize, CitedLine)> = watching
        .iter()
        .filter(|at| **at != of.sentence)
        .filter_map(|at| {
            let shared = content_stems(corpus.text(*at));
            let shared = shared.intersection(&of.stems).count();
            (shared >= SHARED_MIN).then(|| {
                let text = clipped_statement(&corpus.line(*at), TEXT_CHARS_MAX);
                let evidence = vec![corpus.evidence(*at)];
                (shared, CitedLine { text, evidence })
            })
        })
        .collect();
    found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    let mut signs: Vec<CitedLine> = Vec::new();
    for (_, line) in found {
        if signs.len() < SIGNS_MAX && signs.iter().all(|known| known.text != line.text) {
            signs.push(line);
        }
    }
    if signs.is_empty() {
        let condition = of.scenario.conditions.first();
        let condition = condition.map_or(of.scenario.name.as_str(), |line| line.text.as_str());
        signs.push(CitedLine {
            text: clipped_statement(
                &format!("The first record that tells of it: {condition}"),
                TEXT_CHARS_MAX,
            ),
            evidence: Vec::new(),
        });
    }
    signs
}

fn summary(scenarios: &[Scenario]) -> String {
    let Some(first) = scenarios.first() else {
        return "The sources name no condition, case or range on this.".to_owned();
    };
    let count = match scenarios.len() {
        1 => "1 scenario".to_owned(),
        count => format!("{count} scenarios"),
    };
    let follows = first.outcomes.first().map(|line| line.text.as_str());
    let follows = follows.map(|text| format!(" Then: {text}"));
    clipped_statement(
        &format!(
            "The sources tell of {count}. The first: {}.{}",
            first.name.trim_end_matches('.'),
            follows.unwrap_or_default()
        ),
        SUMMARY_CHARS_MAX,
    )
}
