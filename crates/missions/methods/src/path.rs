//! The best way through steps that depend on each other: the ways to take, the order, the critical chain, and what more
//! money or time would buy.
//!
//! Steps come from the input or from a table of the sources. A step without a duration counts as none, and the result then
//! says "at least". Steps that do not wait for each other run at the same time; people who work on both are not considered.

use adjutant_questions::Source;
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, Statement};
use crate::method::{Answer, InputRefused, Method, read_input};
use crate::reading::Reading;
use crate::text::{coverage, listed, written};

mod day;
mod found;
mod network;
mod shown;
mod solver;
mod still_to_do;

use network::{Network, Schedule, Step};
use solver::{Aim, Limits};

pub(crate) const STEPS_MAX: usize = 30;
const WAYS_MAX: usize = 5;
/// Steps with several ways: more of them take too long to choose from.
pub(crate) const CHOICES_MAX: usize = 12;
/// Which share of the goal's words the name of a step must have.
const GOAL_MIN: f64 = 0.5;

pub(crate) const PATH: Method = Method {
    id: "path",
    name: "Path",
    about: "Finds the best way through steps that depend on each other, within limits of time and money: which way to take \
            for each step, the order, the critical chain, and what more money would buy.",
    inputs: || {
        json!({
            "objective": {"type": "string"},
            "steps": {"type": "array", "description": "Steps with `name`, `duration`, `cost`, `after`, and `way` if there are several ways; those of a table of the sources if it is empty."},
            "goal": {"type": "string", "description": "The step to reach; all steps if it is empty."},
            "deadline": {"type": ["string", "number"], "description": "The days there are, such as 90 or `12 weeks`."},
            "budget": {"type": ["string", "number"], "description": "The money there is."},
            "start": {"type": "string", "description": "The day of the first step, such as 2026-09-30; without it, days are counted."},
            "sources": {"type": "array", "description": "Sources with tables of steps."},
            "reading": {"type": "array", "description": "What was read in the documents: without steps, it tells what is still to be done."},
            "answers": {"type": "array", "description": "Answers of checkpoints: the options `fastest` and `cheapest` decide, and a note with `with_my_note` can set `deadline: 90 days`, `budget: 5000` and `goal: …`."},
        })
    },
    required: &["objective"],
    apply: |input| read_input(input).and_then(path),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    objective: String,
    steps: Vec<GivenStep>,
    goal: String,
    deadline: Option<Quantity>,
    budget: Option<Quantity>,
    start: String,
    sources: Vec<Source>,
    reading: Vec<Reading>,
    answers: Vec<Answer>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct GivenStep {
    id: String,
    name: String,
    way: String,
    duration: Option<Quantity>,
    cost: Option<Quantity>,
    after: Names,
    done: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Quantity {
    Number(f64),
    Text(String),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

impl Default for Names {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Names {
    fn names(&self) -> Vec<String> {
        match self {
            Self::One(text) => found::split(text),
            Self::Several(names) => names.clone(),
        }
    }
}

/// What is asked for, with what people answered.
struct Asked {
    limits: Limits,
    goal: String,
    aim: Aim,
    not_understood: Vec<String>,
}

/// Steps that are given and make no sense are refused. Those of a document are not the caller's fault: the result says what
/// is wrong with them.
fn path(request: Request) -> Result<Exhibit, InputRefused> {
    let is_given = !request.steps.is_empty();
    match computed(&request) {
        Err(InputRefused(why)) if !is_given => {
            let why = format!("the table of steps cannot be used, for {why}");
            Ok(without_path(&why, &request))
        }
        computed => computed,
    }
}

fn computed(request: &Request) -> Result<Exhibit, InputRefused> {
    let asked = asked(request);
    let found = match request.steps.is_empty() {
        false => found::given(&request.steps),
        true => found::in_tables(&request.sources, &request.objective),
    };
    if found.steps.is_empty() {
        let why = "no table of steps with durations or dependencies was found";
        return Ok(without_path(why, request));
    }
    check(&found.steps)?;
    let mut network = Network::new(found.steps)?;
    let goal = goal_of(&network, &asked.goal);
    if let Some(goal) = goal {
        network = network.up_to(goal);
    }
    let mut exhibit = solved(&network, &asked, &request.start);
    if goal.is_none() && !asked.goal.trim().is_empty() {
        exhibit.add_note(
            "The goal",
            format!(
                "No step is called “{}”, so the path goes through all steps",
                asked.goal
            ),
        );
    }
    if found.is_in_row_order {
        exhibit.add_note(
            "In the order of the table",
            "No document says which step waits for which, so each is taken to wait for the one above it",
        );
    }
    if !found.unknown.is_empty() {
        let names: Vec<String> = found
            .unknown
            .iter()
            .map(|name| format!("“{name}”"))
            .collect();
        let names = listed(&names);
        exhibit.add_note(
            "Not considered",
            format!("Steps wait for {names}, which is no step of the list"),
        );
    }
    if !asked.not_understood.is_empty() {
        exhibit.add_note(
            "Not understood in a person's note",
            asked.not_understood.join("; "),
        );
    }
    Ok(exhibit)
}

fn check(steps: &[Step]) -> Result<(), InputRefused> {
    if steps.len() > STEPS_MAX {
        return Err(InputRefused(format!(
            "at most {STEPS_MAX} steps can be put into a path"
        )));
    }
    if steps.iter().filter(|step| step.ways.len() > 1).count() > CHOICES_MAX {
        return Err(InputRefused(format!(
            "at most {CHOICES_MAX} steps of a path can have several ways"
        )));
    }
    match steps.iter().find(|step| step.ways.len() > WAYS_MAX) {
        Some(step) => Err(InputRefused(format!(
            "the step “{}” has more than {WAYS_MAX} ways",
            step.name
        ))),
        None => Ok(()),
    }
}

fn asked(request: &Request) -> Asked {
    let mut asked = Asked {
        limits: Limits {
            days_max: request.deadline.as_ref().and_then(days),
            cost_max: request.budget.as_ref().and_then(money),
        },
        goal: request.goal.clone(),
        aim: Aim::Fastest,
        not_understood: Vec::new(),
    };
    for answer in &request.answers {
        match answer.option.as_deref() {
            Some("cheapest") => asked.aim = Aim::Cheapest,
            Some("fastest") => asked.aim = Aim::Fastest,
            Some("with_my_note") => asked.read_note(answer.note()),
            _ => {}
        }
    }
    asked
}

impl Asked {
    fn read_note(&mut self, note: &str) {
        for part in note
            .split([';', '\n'])
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let (name, text) = part.split_once(':').unwrap_or((part, ""));
            let text = Quantity::Text(text.trim().to_owned());
            match (name.trim().to_lowercase().as_str(), &text) {
                ("deadline", _) if days(&text).is_some() => self.limits.days_max = days(&text),
                ("budget", _) if money(&text).is_some() => self.limits.cost_max = money(&text),
                ("goal", Quantity::Text(goal)) if !goal.is_empty() => self.goal.clone_from(goal),
                _ => self.not_understood.push(format!("“{part}”")),
            }
        }
    }
}

fn days(quantity: &Quantity) -> Option<f64> {
    found::days(quantity, "")
}

fn money(quantity: &Quantity) -> Option<f64> {
    found::amount(quantity)
}

/// The step that has most words of the goal.
fn goal_of(network: &Network, goal: &str) -> Option<usize> {
    let fits = network
        .steps
        .iter()
        .map(|step| coverage(goal, &step.name))
        .enumerate();
    let best = fits.max_by(|one, other| one.1.total_cmp(&other.1))?;
    (best.1 >= GOAL_MIN).then_some(best.0)
}

fn without_path(why: &str, request: &Request) -> Exhibit {
    let reading = Reading::of(&request.reading);
    still_to_do::exhibit(why, &request.objective, &reading)
}

fn solved(network: &Network, asked: &Asked, start: &str) -> Exhibit {
    let Some(best) = solver::best(network, asked.aim, asked.limits) else {
        return out_of_reach(network, asked);
    };
    let frontier = solver::frontier(network, asked.limits);
    shown::exhibit(network, &best, &frontier, asked, start)
}

/// What the limits would have to be.
fn out_of_reach(network: &Network, asked: &Asked) -> Exhibit {
    let mut exhibit = Exhibit::default();
    exhibit
        .headlines
        .push(Statement::calculation("No choice of ways keeps all limits"));
    let without = |limits: Limits, aim: Aim| solver::best(network, aim, limits);
    let told = |one: &Schedule| {
        format!(
            "{} days at a cost of {}",
            written(one.days),
            written(one.cost)
        )
    };
    if let (Some(days), Some(cheapest)) = (
        asked.limits.days_max,
        without(
            Limits {
                days_max: None,
                ..asked.limits
            },
            Aim::Fastest,
        ),
    ) {
        exhibit.headlines.push(Statement::calculation(format!(
            "{} days are not enough: the fastest way within the budget takes {}",
            written(days),
            told(&cheapest)
        )));
    }
    if let (Some(cost), Some(fastest)) = (
        asked.limits.cost_max,
        without(
            Limits {
                cost_max: None,
                ..asked.limits
            },
            Aim::Cheapest,
        ),
    ) {
        exhibit.headlines.push(Statement::calculation(format!(
            "{} is not enough: the cheapest way within the deadline takes {}",
            written(cost),
            told(&fastest)
        )));
    }
    if let Some(fastest) = without(Limits::default(), Aim::Fastest) {
        exhibit.headlines.push(Statement::calculation(format!(
            "Without any limit the fastest way takes {}",
            told(&fastest)
        )));
        exhibit
            .tables
            .push(shown::steps_table(network, &fastest, ""));
    }
    exhibit.data = json!({"steps": [], "days": null, "cost": null});
    exhibit
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
