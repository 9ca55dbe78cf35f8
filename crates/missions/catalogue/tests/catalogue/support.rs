//! Ways to start a mission, and small templates.

use std::collections::BTreeMap;

use adjutant_catalogue::{
    Attachment, Planned, StartWith, Template, WithoutTools, load, plan, read,
};
use adjutant_mission::{Autonomy, Plan, Task, ToolId};

/// Every tool that a built-in template calls, besides the methods.
pub const TOOLS: &[&str] = &[
    "L5-PS",
    "L5-CT",
    "L5-PT",
    "L5-FDA",
    "L5-RAG",
    "L5-WEB",
    "L5-CALC",
    "L5-NLP",
    "L5-FMT",
    "L5-VIZ",
    "L5-NEWS",
    "L5-EMA",
    "L5-STAT",
    "read_documents",
    "whole_documents",
    "earlier_report",
    "schedule_repeat",
    "merge_sources",
    "template",
    "report",
    "judge",
    "constitution",
    "fmea",
    "monte_carlo",
    "decision",
    "nothing_found",
];

/// The missions that have a template, in the order of the catalogue.
pub const READY: &[&str] = &[
    "deep_dive",
    "knowledge_harvest",
    "gap_discovery",
    "expert_onboarding",
    "critique",
    "benchmark",
    "risk_assessment",
    "feasibility_check",
    "decision_framing",
    "option_exploration",
    "trade_off_analysis",
    "go_no_go",
    "failure_forensics",
    "signal_chasing",
    "due_diligence",
    "pattern_mining",
    "horizon_scanning",
    "competitive_watch",
    "trigger_monitoring",
    "get_unstuck",
    "alternative_finding",
    "path_finding",
    "meeting_prep",
    "case_building",
];

pub fn built_in(id: &str) -> Template {
    load(None).template(id).unwrap().clone()
}

pub fn template(text: &str) -> Template {
    match read(text.as_bytes(), &WithoutTools) {
        Ok(template) => template,
        Err(errors) => panic!("{errors}"),
    }
}

/// Everything is there.
pub fn start(autonomy: Autonomy) -> StartWith {
    StartWith {
        objective: "Is Velmoran safe enough to go on to CAIRN-3?".to_owned(),
        inputs: BTreeMap::new(),
        namespaces: vec!["velmoran".to_owned()],
        attachments: vec![Attachment {
            title: "A memo".to_owned(),
            text: "Potassium rose.".to_owned(),
        }],
        documents: vec!["clinical/dose and patients.pdf".to_owned()],
        autonomy,
        four_eyes: Vec::new(),
        money: None,
        tools: TOOLS
            .iter()
            .copied()
            .chain(adjutant_methods::METHODS.iter().map(|method| method.id))
            .map(|tool| ToolId::new(tool).unwrap())
            .collect(),
        lists: BTreeMap::new(),
    }
}

pub fn planned(template: &Template, start: &StartWith) -> Planned {
    plan(template, start).unwrap()
}

pub fn task<'a>(plan: &'a Plan, key: &str) -> &'a Task {
    plan.tasks
        .iter()
        .find(|task| task.key.as_str() == key)
        .unwrap()
}

pub fn keys(plan: &Plan) -> Vec<&str> {
    plan.tasks.iter().map(|task| task.key.as_str()).collect()
}

pub fn after<'a>(plan: &'a Plan, key: &str) -> Vec<&'a str> {
    let after = task(plan, key).after.iter();
    after.map(|on| on.task.as_str()).collect()
}

/// A template with these tasks and checkpoints.
pub fn small(checkpoints: &str, tasks: &str) -> String {
    format!(
        "id: small
name: Small
category: solve
version: 1
about: A small one
expert: L2-problem-solver
specialists: [L3-domain-expert]
workers: [L4-DE, L4-EV]
tools: [L5-PS, L5-CT]
reasoning: chain_of_thought
estimate: {{cost: {{from: $0.01, to: $0.02}}, time: {{from: 1m, to: 2m}}}}
deliverable: {{kind: deep_dive}}
inputs:
  - {{name: subject, about: What it is about, default: \"{{{{names.objective}}}}\"}}
checkpoints: {checkpoints}
tasks:
{tasks}"
    )
}

/// Two searches that are put together and thought about.
pub const SEARCHES: &str = r#"
  - id: recall
    by: L4-DE
    only_with: kb
    tool: L5-RAG
    with: {question: "{{inputs.objective}}", namespaces: "{{inputs.namespaces}}"}
  - id: literature
    by: L4-EV
    after: recall
    tool: L5-PS
    with: {query: "{{inputs.subject}}"}
  - id: sources
    after: [recall, literature]
    tool: merge_sources
    with: {lists: ["{{recall.output}}", "{{literature.output}}"]}
  - id: analysis
    by: L3-domain-expert
    after: sources
    agent: conclude
    with: {question: "{{inputs.objective}}", sources: "{{sources.output.sources}}"}
  - id: looked
    after: analysis
    tool: report
    with:
      pieces:
        analysis: "{{analysis.output}}"
        recall: "{{recall.output}}"
        looked_up:
          - {where: ours, answer: "{{recall.output}}"}
          - {where: PubMed, answer: "{{literature.output}}"}
"#;
