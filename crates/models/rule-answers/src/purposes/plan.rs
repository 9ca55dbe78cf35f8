//! A template's steps made to fit an objective: what is not needed or cannot be done is left out, the rest stays.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::{PlanInput, PlanStep, Planned, PlannedStep, StepLeftOut};

use crate::text::{Stems, confidence, is_stop_word, one_line, words};

/// How many words of the objective a title takes on.
const SUBJECT_WORDS_MAX: usize = 8;
/// Openings of objectives that are the asking and not the subject.
const OPENINGS: &[&str] = &[
    "briefing",
    "overview",
    "summary",
    "memo",
    "paper",
    "find",
    "out",
    "please",
    "determine",
    "assess",
    "evaluate",
    "investigate",
    "review",
    "prepare",
    "write",
    "analyse",
    "analyze",
    "compare",
    "decide",
    "establish",
    "examine",
    "summarise",
    "summarize",
    "report",
    "research",
    "check",
];
const SURE_OF_TEMPLATE: f64 = 0.8;

pub(crate) fn plan(input: &PlanInput) -> Planned {
    let mut stems = Stems::new();
    let objective: BTreeSet<String> = stems_of(&input.objective, &mut stems);
    let available: BTreeSet<String> = input
        .available
        .iter()
        .map(|name| name.to_lowercase())
        .collect();
    let subject = subject(&input.objective);
    let mut steps: Vec<PlannedStep> = Vec::new();
    let mut left_out: Vec<StepLeftOut> = Vec::new();
    let mut replaced: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for step in &input.template {
        let after = reconnected(step, &steps, &replaced);
        match unfit(step, &objective, &available, &mut stems) {
            Some(reason) => {
                replaced.insert(&step.key, after);
                left_out.push(StepLeftOut {
                    key: step.key.clone(),
                    reason,
                });
            }
            None => steps.push(PlannedStep {
                key: step.key.clone(),
                title: titled(step, &subject, &objective, &mut stems),
                reason: reason(step, &after, &input.constraints, steps.is_empty()),
                after,
            }),
        }
    }
    let kept = steps.len() as f64 / (input.template.len() as f64).max(1.0);
    Planned {
        steps,
        left_out,
        confidence: confidence(SURE_OF_TEMPLATE * kept.sqrt()),
    }
}

/// What a step comes after, once steps that are left out are taken away: what those came after.
fn reconnected(
    step: &PlanStep,
    steps: &[PlannedStep],
    replaced: &BTreeMap<&str, Vec<String>>,
) -> Vec<String> {
    let mut after: Vec<String> = Vec::new();
    for key in &step.after {
        let stands_for = match replaced.get(key.as_str()) {
            Some(instead) => instead.clone(),
            None => vec![key.clone()],
        };
        for key in stands_for {
            let stays = steps.iter().any(|planned| planned.key == key);
            if stays && !after.contains(&key) {
                after.push(key);
            }
        }
    }
    after
}

fn unfit(
    step: &PlanStep,
    objective: &BTreeSet<String>,
    available: &BTreeSet<String>,
    stems: &mut Stems,
) -> Option<String> {
    let missing: Vec<&str> = step
        .needs
        .iter()
        .filter(|need| !available.contains(&need.to_lowercase()))
        .map(String::as_str)
        .collect();
    if !missing.is_empty() {
        return Some(format!(
            "It needs {}, which is not available.",
            listed(&missing, "and")
        ));
    }
    let mut meant = step.only_for.iter().map(|words| stems_of(words, stems));
    let for_this = step.only_for.is_empty()
        || meant.any(|words| !words.is_empty() && words.is_subset(objective));
    (!for_this).then(|| {
        let only_for: Vec<&str> = step.only_for.iter().map(String::as_str).collect();
        format!(
            "It is only for objectives on {}; this one names none of that.",
            listed(&only_for, "or")
        )
    })
}

fn reason(step: &PlanStep, after: &[String], constraints: &[String], first: bool) -> String {
    let place = match after {
        [] if first => "The template begins with it".to_owned(),
        [] => "It depends on no other step".to_owned(),
        after => {
            let keys: Vec<String> = after.iter().map(|key| format!("`{key}`")).collect();
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            format!("It builds on {}", listed(&keys, "and"))
        }
    };
    let for_what = if step.only_for.is_empty() {
        ""
    } else {
        " and the objective asks for it"
    };
    let needs = if step.needs.is_empty() {
        String::new()
    } else {
        let needs: Vec<&str> = step.needs.iter().map(String::as_str).collect();
        format!("; {} is available", listed(&needs, "and"))
    };
    let bound = if first && !constraints.is_empty() {
        let all: Vec<String> = constraints
            .iter()
            .map(|constraint| one_line(constraint))
            .collect();
        format!(" The plan must keep to: {}.", all.join("; "))
    } else {
        String::new()
    };
    format!("{place}{for_what}{needs}.{bound}")
}

/// The step's title with what the objective is about, unless it names that already.
fn titled(
    step: &PlanStep,
    subject: &str,
    objective: &BTreeSet<String>,
    stems: &mut Stems,
) -> String {
    let title = one_line(&step.title);
    let named = stems_of(&title, stems).intersection(objective).count();
    if subject.is_empty() || title.is_empty() || named > 1 {
        title
    } else {
        format!("{}: {subject}", title.trim_end_matches(['.', ':', ' ']))
    }
}

/// What an objective is about: its words without the asking at its beginning, cut where a part ends.
fn subject(objective: &str) -> String {
    let line = one_line(objective);
    let first = line
        .split(['.', '?', '!', ';'])
        .next()
        .unwrap_or_default()
        .trim();
    let all = words(first);
    let skipped = |text: &str| {
        let small = text.to_lowercase();
        is_stop_word(&small) || OPENINGS.contains(&small.as_str())
    };
    let begin = all
        .iter()
        .position(|word| !skipped(word.text))
        .unwrap_or(all.len());
    let mut kept = &all[begin..];
    if kept.len() > SUBJECT_WORDS_MAX {
        kept = &kept[..SUBJECT_WORDS_MAX];
        while let [rest @ .., last] = kept
            && is_stop_word(&last.text.to_lowercase())
        {
            kept = rest;
        }
    }
    match (kept.first(), kept.last()) {
        (Some(begin), Some(end)) => first[begin.start..end.end].to_owned(),
        _ => String::new(),
    }
}

fn stems_of(text: &str, stems: &mut Stems) -> BTreeSet<String> {
    let small = words(text).into_iter().map(|word| word.text.to_lowercase());
    small
        .filter(|word| !is_stop_word(word))
        .map(|word| stems.stem(&word).to_owned())
        .collect()
}

pub(crate) fn listed(words: &[&str], joined_by: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} {joined_by} {last}", most.join(", ")),
    }
}
