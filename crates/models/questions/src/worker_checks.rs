//! What an answer of a worker owes: quotes, a way to test, conditions; and numbers that its question does not carry.

use std::collections::BTreeSet;

use crate::signs::figures::{asserted, figures};
use crate::{CausePair, Hypothesis, Input, Output, Scenario};

/// What an answer must have and has not.
pub(crate) fn owed(output: &Output) -> Vec<String> {
    match output {
        Output::Hypothesize(output) => output.hypotheses.iter().flat_map(of_hypothesis).collect(),
        Output::Causes(output) => output.causes.iter().filter_map(of_cause).collect(),
        Output::Flag(output) => {
            let bare = output.flags.iter().filter(|at| at.evidence.is_empty());
            bare.map(|at| format!("the flag \"{:.80}\" has no quote", at.what))
                .collect()
        }
        Output::Scenarios(output) => output.scenarios.iter().flat_map(of_scenario).collect(),
        _ => Vec::new(),
    }
}

fn of_hypothesis(one: &Hypothesis) -> Vec<String> {
    let name = format!("the hypothesis \"{:.80}\"", one.statement);
    let mut wrong = Vec::new();
    if one.evidence.is_empty() {
        wrong.push(format!("{name} rests on no quote"));
    }
    let ways = [&one.would_support, &one.would_refute, &one.test];
    if ways.iter().any(|text| text.trim().is_empty()) {
        wrong.push(format!(
            "{name} cannot be tested: say what would support it, what would refute it and how to test it"
        ));
    }
    wrong
}

fn of_cause(one: &CausePair) -> Option<String> {
    let (cause, effect) = (one.cause.trim(), one.effect.trim());
    let name = format!("the cause \"{cause:.60}\"");
    if cause.is_empty() || effect.is_empty() {
        Some("a cause or an effect is empty".to_owned())
    } else if cause.eq_ignore_ascii_case(effect) {
        Some(format!("{name} is its own effect"))
    } else if one.evidence.is_empty() {
        Some(format!("{name} has no sentence that states it"))
    } else {
        None
    }
}

fn of_scenario(one: &Scenario) -> Vec<String> {
    let name = format!("the scenario \"{:.60}\"", one.name);
    let told = one.conditions.iter().chain(&one.outcomes);
    let bare = told.filter(|line| line.evidence.is_empty());
    let mut wrong: Vec<String> = bare
        .map(|line| format!("\"{:.60}\" of {name} has no quote", line.text))
        .collect();
    if one.conditions.is_empty() {
        wrong.push(format!("{name} needs a condition"));
    }
    wrong
}

/// Numbers that entries state and that neither the question nor any of its sources has.
pub(crate) fn strange_numbers(input: &Input, output: &Output) -> Vec<String> {
    let stated = stated(output);
    if stated.is_empty() {
        return Vec::new();
    }
    let mut known: BTreeSet<String> = figures(&input.question());
    for source in input.sources() {
        known.extend(figures(&source.text));
        known.extend(figures(&source.title));
        known.extend(source.published.iter().flat_map(|date| figures(date)));
    }
    let strange = stated.iter().flat_map(|text| asserted(text));
    let strange: BTreeSet<String> = strange.filter(|number| !known.contains(number)).collect();
    strange
        .iter()
        .map(|number| format!("no source has the number {number}"))
        .collect()
}

/// What the entries state of the sources. How something could be tested is no statement of theirs.
fn stated(output: &Output) -> Vec<&str> {
    match output {
        Output::Hypothesize(output) => {
            let all = output.hypotheses.iter();
            all.map(|at| at.statement.as_str()).collect()
        }
        Output::Causes(output) => {
            let all = output.causes.iter();
            all.flat_map(|at| [at.cause.as_str(), at.effect.as_str()])
                .collect()
        }
        Output::Flag(output) => output.flags.iter().map(|at| at.what.as_str()).collect(),
        Output::Scenarios(output) => {
            let lines = output.scenarios.iter().flat_map(Scenario::lines);
            let names = output.scenarios.iter().map(|at| at.name.as_str());
            lines.map(|at| at.text.as_str()).chain(names).collect()
        }
        _ => Vec::new(),
    }
}
