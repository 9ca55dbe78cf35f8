//! `bench suggestion`: how long a suggestion takes among many tools and past workflows.

use std::time::{Duration, Instant};

use adjutant_app::error::AppError;
use adjutant_suggestion::{
    Covers, Graph, GraphTask, KnownTool, Learned, PastWorkflow, Suggester, ToolEffect,
    WorkflowOutcome,
};
use serde_json::{Map, Value, json};

use super::failed;
use super::load::round;
use crate::args::BenchSuggestion;
use crate::output;

const VERBS: [&str; 10] = [
    "find",
    "convert",
    "plot",
    "merge",
    "export",
    "check",
    "rank",
    "translate",
    "archive",
    "measure",
];
/// Syllables of invented things, so that there are as many words as tools.
const SYLLABLES: [&str; 20] = [
    "bo", "ka", "ri", "mu", "te", "lo", "sa", "ne", "vi", "du", "pa", "zo", "fe", "gi", "hu", "ja",
    "wo", "xe", "yi", "qua",
];
/// Tools of one past workflow.
const STEPS: usize = 4;

pub(crate) fn run(bench: &BenchSuggestion) -> Result<(), AppError> {
    let tools = usize::try_from(bench.tools).unwrap_or(usize::MAX);
    let workflows = usize::try_from(bench.workflows).unwrap_or(usize::MAX);
    let intents = usize::try_from(bench.intents).unwrap_or(usize::MAX);
    let all: Vec<KnownTool> = (0..tools).map(tool).collect();
    let past: Vec<PastWorkflow> = (0..workflows).map(|at| workflow(at, tools)).collect();
    let began = Instant::now();
    let suggester = Suggester::new(all, &[], past);
    let built = began.elapsed();
    let mut times: Vec<Duration> = Vec::with_capacity(intents);
    let mut tasks = 0;
    for at in 0..intents {
        // Half of them are like a past workflow, half like none.
        let intent = match at % 2 {
            0 => intent(at * 7, tools),
            _ => intent(at * 13 + 5, tools).replace("every week", "for the garden fair"),
        };
        let began = Instant::now();
        let suggested = suggester.suggest(&intent);
        times.push(began.elapsed());
        let suggested = suggested.map_err(|_| failed("an intent of the bench was refused"))?;
        tasks += suggested.graph.tasks.len();
    }
    times.sort();
    print(bench, built, &times, tasks)
}

fn thing(at: usize) -> String {
    let syllable = |at: usize| SYLLABLES[at % SYLLABLES.len()];
    let size = SYLLABLES.len();
    [
        syllable(at),
        syllable(at / size),
        syllable(at / size / size + 3),
        "n",
    ]
    .concat()
}

/// The first are called like those that the program has learned about, so that this costs what it costs a user.
fn tool(at: usize) -> KnownTool {
    let (verb, thing) = (VERBS[at % VERBS.len()], thing(at));
    let text = json!({ "type": "string" });
    let learned = Learned::built_in();
    KnownTool {
        id: match learned.tools().get(at) {
            Some(learned) => learned.clone(),
            None => format!("{verb}_{thing}"),
        },
        name: format!("{verb} {thing}"),
        description: format!(
            "Can {verb} {thing} and what belongs to it, from records of the house, by name, day and place. Gives all that was found."
        ),
        input: json!({ "type": "object", "required": ["query"], "properties": { "query": text, "records": { "type": "array" } } }),
        output: Some(json!({ "type": "object", "properties": { "records": { "type": "array" } } })),
        effect: if at.is_multiple_of(3) {
            ToolEffect::Finds
        } else {
            ToolEffect::Computes
        },
        price: 0,
    }
}

fn chosen(at: usize, tools: usize) -> impl Iterator<Item = usize> {
    (0..STEPS).map(move |step| (at * 31 + step * 17) % tools)
}

fn intent(at: usize, tools: usize) -> String {
    let parts: Vec<String> = chosen(at, tools)
        .map(|tool| format!("{} the {}", VERBS[tool % VERBS.len()], thing(tool)))
        .collect();
    format!("{} every week", parts.join(", then "))
}

fn workflow(at: usize, tools: usize) -> PastWorkflow {
    let tasks = chosen(at, tools)
        .enumerate()
        .map(|(step, number)| GraphTask {
            id: format!("t{step}"),
            tool: tool(number).id,
            arguments: arguments(step, number),
            depends_on: step
                .checked_sub(1)
                .map(|before| format!("t{before}"))
                .into_iter()
                .collect(),
        });
    PastWorkflow {
        id: format!("w{at}"),
        intent: intent(at, tools),
        graph: Graph {
            tasks: tasks.collect(),
        },
        outcome: match at % 10 {
            0 => WorkflowOutcome::Failed,
            _ => WorkflowOutcome::Completed,
        },
        covers: Covers::Whole,
    }
}

/// What is looked for, and what the step before found.
fn arguments(step: usize, number: usize) -> Map<String, Value> {
    let mut arguments = Map::new();
    arguments.insert("query".to_owned(), json!(thing(number)));
    if let Some(before) = step.checked_sub(1) {
        let found = json!(format!("{{{{t{before}.output.records}}}}"));
        arguments.insert("records".to_owned(), found);
    }
    arguments
}

fn print(
    bench: &BenchSuggestion,
    built: Duration,
    times: &[Duration],
    tasks: usize,
) -> Result<(), AppError> {
    let at = |share: usize| {
        let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
        times
            .get(place)
            .map_or(0.0, |time| round(time.as_secs_f64() * 1_000.0))
    };
    let (p50, p99, max) = (at(50), at(99), at(100));
    let seconds = round(built.as_secs_f64());
    if bench.json.json {
        let line = json!({
            "peer": "adjutant", "workload": "suggestion", "tools": bench.tools, "workflows": bench.workflows,
            "intents": times.len(), "tasks": tasks, "index_seconds": seconds,
            "p50_ms": p50, "p99_ms": p99, "max_ms": max,
        });
        return output::line(&line.to_string());
    }
    output::line(&format!(
        " {} tools and {} past workflows: index in {seconds} s; {} suggestions of {} tasks: p50 {p50} ms, p99 {p99} ms, at most {max} ms",
        bench.tools,
        bench.workflows,
        times.len(),
        tasks
    ))
}
