//! The templates against what the tools and purposes take, as their pages tell.

use std::collections::BTreeSet;

use adjutant_mission::{Autonomy, Plan, WorkSpec, references_in_json};
use adjutant_questions::Purpose;
use serde_json::Value;

use crate::support::{READY, built_in, planned, start};

/// Arguments of the tools that have no page of their own yet: needed, and further ones.
const OWN: &[(&str, &[&str], &[&str])] = &[
    ("read_documents", &["objective"], &["namespaces", "as_of"]),
    ("whole_documents", &["objective"], &["namespaces"]),
    ("earlier_report", &[], &["mission"]),
    (
        "schedule_repeat",
        &[],
        &["every", "until", "runs", "zone", "follows", "choices"],
    ),
    ("merge_sources", &["lists"], &["most", "without"]),
    (
        "report",
        &["kind", "title", "objective", "pieces"],
        &["outline"],
    ),
    ("judge", &["document", "pieces"], &[]),
    ("constitution", &["document"], &[]),
    ("fmea", &["objective", "sources"], &["findings", "most"]),
    ("monte_carlo", &["objective", "sources", "seed"], &[]),
    (
        "decision",
        &["objective", "criteria", "sources"],
        &["usual", "findings", "grade", "amendments"],
    ),
    ("nothing_found", &["looked_for", "where"], &[]),
    ("template", &["template"], &["values"]),
    ("noop", &[], &["value"]),
    // Their pages list arguments by what is computed.
    ("L5-CALC", &["calculate"], &["from", "to", "date", "days"]),
    ("L5-STAT", &["analysis"], &["successes", "trials"]),
    ("L5-NLP", &["process", "text"], &[]),
    ("L5-FMT", &["format"], &["style", "items"]),
];

/// The arguments that a tool's page lists: all, and those that are required.
fn page(tool: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let path = format!(
        "{}/../../../docs/tools/{tool}.md",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let (mut all, mut needed) = (BTreeSet::new(), BTreeSet::new());
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let name = line.split('`').nth(1).unwrap();
        all.insert(name.to_owned());
        if line.starts_with(&format!("| `{name}`!")) {
            needed.insert(name.to_owned());
        }
    }
    if tool == "L5-WEB" {
        // Its page tells them in a sentence.
        all.extend(["url", "query", "language", "most"].map(str::to_owned));
    }
    assert!(!all.is_empty(), "{tool} has a page");
    (all, needed)
}

/// The arguments of a method: all, and those that are required.
fn method_takes(tool: &str) -> Option<(BTreeSet<String>, BTreeSet<String>)> {
    let method = adjutant_methods::method(tool)?;
    let inputs = (method.inputs)();
    let all = inputs.as_object().unwrap().keys().cloned().collect();
    let needed = method.required.iter().map(|name| (*name).to_owned());
    Some((all, needed.collect()))
}

fn takes(tool: &str, with: &str) {
    let with: Value = serde_json::from_str(with).unwrap();
    let given: BTreeSet<String> = with.as_object().unwrap().keys().cloned().collect();
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let (all, needed) = match OWN.iter().find(|(own, ..)| *own == tool) {
        Some((_, needed, more)) => (owned(&[*needed, *more].concat()), owned(needed)),
        None => method_takes(tool).unwrap_or_else(|| page(tool)),
    };
    let strange: Vec<_> = given.difference(&all).collect();
    assert!(strange.is_empty(), "{tool} takes no {strange:?}");
    let missing: Vec<_> = needed.difference(&given).collect();
    assert!(missing.is_empty(), "{tool} needs {missing:?}");
}

fn plans() -> Vec<Plan> {
    let ids = READY.iter();
    ids.map(|id| planned(&built_in(id), &start(Autonomy::Strict)).plan)
        .collect()
}

#[test]
fn tools_are_called_with_what_they_take() {
    for task in plans().iter().flat_map(|plan| &plan.tasks) {
        if let WorkSpec::Tool(call) = &task.work {
            takes(call.tool.as_str(), call.with.text());
        }
        if let Some(call) = &task.alternative {
            takes(call.tool.as_str(), call.with.text());
        }
    }
}

/// Fields that a purpose's answer always has.
fn answers(purpose: &str) -> BTreeSet<String> {
    let schema = Purpose::of_name(purpose).unwrap().output_schema();
    let required = schema["required"].as_array().unwrap();
    let names = required
        .iter()
        .map(|name| name.as_str().unwrap().to_owned());
    let adds = Purpose::of_name(purpose).unwrap().adds_findings();
    names.chain(adds.then(|| "findings".to_owned())).collect()
}

/// Fields that the exhibit of every method has.
const EXHIBITED: [&str; 2] = ["headlines", "data"];

/// Fields that the tool `decision` always gives.
const DECIDED: [&str; 5] = ["decision", "because", "criteria", "criteria_from", "score"];

#[test]
fn references_point_at_what_is_certainly_answered() {
    let mut followed = 0;
    for plan in plans() {
        for task in &plan.tasks {
            let found = match &task.work {
                WorkSpec::Tool(call) => references_in_json(call.with.text()),
                WorkSpec::Agent(agent) => references_in_json(agent.with.text()),
                WorkSpec::Human(human) => adjutant_mission::references(&human.question),
                WorkSpec::Gate(_) | WorkSpec::Mission(_) => continue,
            };
            for reference in found.iter().filter(|it| it.parts.len() > 2) {
                let Some(on) = reference.task() else { continue };
                let on = crate::support::task(&plan, on);
                let field = &reference.parts[2];
                let there = match &on.work {
                    WorkSpec::Agent(agent) => answers(agent.purpose.as_str()).contains(field),
                    WorkSpec::Human(human) => {
                        field == "note" || (field == "option" && !human.options.is_empty())
                    }
                    WorkSpec::Tool(call) => match call.tool.as_str() {
                        "merge_sources" => field == "sources",
                        "read_documents" => {
                            ["outdated", "registers", "today"].contains(&field.as_str())
                        }
                        "report" => field == "document",
                        "template" => field == "text",
                        "decision" => DECIDED.contains(&field.as_str()),
                        method => {
                            adjutant_methods::method(method).is_some()
                                && EXHIBITED.contains(&field.as_str())
                        }
                    },
                    _ => false,
                };
                assert!(there, "`{}` in `{}`", reference.text, task.key);
                followed += 1;
            }
        }
    }
    assert!(followed > 50);
}

/// Tools that no task of a mission calls by itself, since it would only repeat what a method of the mission computes or draws.
/// Workers who reason with tools are offered them.
const ONLY_OFFERED: &[(&str, &[&str])] = &[
    ("benchmark", &["L5-CALC"]),
    ("case_building", &["L5-VIZ"]),
    ("critique", &["L5-CALC"]),
    ("expert_onboarding", &["L5-VIZ"]),
    ("failure_forensics", &["L5-STAT"]),
    ("go_no_go", &["L5-CALC"]),
    ("path_finding", &["L5-VIZ"]),
    ("pattern_mining", &["L5-STAT", "L5-VIZ"]),
    ("risk_assessment", &["L5-CALC"]),
    ("signal_chasing", &["L5-STAT"]),
    ("trade_off_analysis", &["L5-CALC", "L5-STAT", "L5-VIZ"]),
];

#[test]
fn every_tool_that_a_mission_names_is_called_by_a_task_or_offered_to_one() {
    for id in READY.iter().copied() {
        let plan = planned(&built_in(id), &start(Autonomy::Strict)).plan;
        let mut called: BTreeSet<String> = BTreeSet::new();
        let mut offered: BTreeSet<String> = BTreeSet::new();
        for task in &plan.tasks {
            match &task.work {
                WorkSpec::Tool(call) => {
                    called.insert(call.tool.to_string());
                }
                WorkSpec::Agent(agent) => {
                    let reasoning = agent.reasoning.iter();
                    offered.extend(reasoning.flat_map(|at| &at.tools).map(ToString::to_string));
                }
                _ => {}
            }
        }
        let named = adjutant_catalogue::mission(id).unwrap().tools();
        let uncalled: Vec<&str> = named
            .into_iter()
            .filter(|tool| !called.contains(*tool))
            .collect();
        let expected = ONLY_OFFERED.iter().find(|(mission, _)| *mission == id);
        let mut sorted = uncalled.clone();
        sorted.sort_unstable();
        assert_eq!(
            sorted,
            expected.map_or(&[][..], |(_, tools)| *tools),
            "{id}"
        );
        for tool in uncalled {
            assert!(
                offered.contains(tool),
                "{id}: {tool} is neither called nor offered"
            );
        }
    }
}
