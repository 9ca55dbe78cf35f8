//! What is left out, and what becomes of the rest.

use adjutant_catalogue::{Problem, plan};
use adjutant_mission::{Autonomy, WorkSpec};
use serde_json::{Value, json};

use crate::support::{SEARCHES, after, keys, planned, small, start, task, template};

fn arguments(plan: &adjutant_mission::Plan, key: &str) -> Value {
    let text = match &task(plan, key).work {
        WorkSpec::Tool(call) => call.with.text(),
        WorkSpec::Agent(agent) => agent.with.text(),
        _ => panic!("`{key}` takes arguments"),
    };
    serde_json::from_str(text).unwrap()
}

fn why(planned: &adjutant_catalogue::Planned) -> Vec<(String, String)> {
    let left_out = planned.left_out.iter();
    left_out
        .map(|left| (left.task.to_string(), left.why.clone()))
        .collect()
}

fn said(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(task, why): &(&str, &str)| ((*task).to_owned(), (*why).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn what_waited_for_a_left_out_task_goes_on_without_it() {
    let template = template(&small("[]", SEARCHES));
    let mut start = start(Autonomy::Balanced);
    start.namespaces.clear();
    let planned = planned(&template, &start);
    assert_eq!(
        why(&planned),
        said(&[("recall", "no knowledge base was named")])
    );
    let plan = planned.plan;
    assert_eq!(keys(&plan), ["literature", "sources", "analysis", "looked"]);
    assert_eq!(after(&plan, "literature"), Vec::<&str>::new());
    assert_eq!(after(&plan, "sources"), ["literature"]);
    assert_eq!(
        arguments(&plan, "sources"),
        json!({"lists": ["{{literature.output}}"]})
    );
    assert_eq!(
        arguments(&plan, "looked"),
        json!({"pieces": {
            "analysis": "{{analysis.output}}",
            "looked_up": [{"where": "PubMed", "answer": "{{literature.output}}"}],
        }}),
    );
}

#[test]
fn a_tool_that_may_not_be_called_takes_what_needs_it_along() {
    let template = template(&small("[]", SEARCHES));
    let mut start = start(Autonomy::Balanced);
    start.tools.retain(|tool| tool.as_str() != "merge_sources");
    let planned = planned(&template, &start);
    assert_eq!(
        why(&planned),
        said(&[
            ("sources", "the tool `merge_sources` may not be called"),
            ("analysis", "it needs `sources`, which is left out"),
        ])
    );
    assert_eq!(keys(&planned.plan), ["recall", "literature", "looked"]);
    assert_eq!(
        after(&planned.plan, "looked"),
        ["recall", "literature"],
        "what a left-out task waited for is waited for in its place"
    );
    assert_eq!(
        arguments(&planned.plan, "looked")["pieces"]["analysis"],
        Value::Null
    );
}

#[test]
fn agents_without_a_task_are_not_started() {
    let template = template(&small("[]", SEARCHES));
    let mut start = start(Autonomy::Balanced);
    start.tools.retain(|tool| tool.as_str() != "merge_sources");
    let agents = planned(&template, &start).plan.agents;
    let ids: Vec<&str> = agents.iter().map(|agent| agent.id.as_str()).collect();
    assert_eq!(
        ids,
        ["L2-problem-solver", "L3-domain-expert", "L4-DE", "L4-EV"],
        "the specialist has no task, but starts the workers"
    );
    start.tools.clear();
    start
        .tools
        .push(adjutant_mission::ToolId::new("report").unwrap());
    let agents = planned(&template, &start).plan.agents;
    assert_eq!(agents.len(), 1);
}

const ASKED: &str = r#"
  - id: literature
    by: L4-EV
    tool: L5-PS
    with: {query: "{{inputs.subject}}"}
  - id: facts
    by: L4-DE
    after: [literature, sure]
    agent: extract
    with: {question: "{{inputs.objective}}", sources: "{{literature.output.sources}}"}
  - id: doubts
    by: L4-DE
    after: [literature, facts, sure]
    agent: object
    with: {claims: ["{{sure.output.note}}"], sources: "{{literature.output.sources}}"}
  - id: draft
    by: L2-problem-solver
    after: [facts, sure]
    agent: draft
    with: {heading: Found, findings: "{{facts.output.findings}}", about: "{{sure.output.note}}"}
"#;
const SURE: &str =
    "[{name: sure, type: critical_decision, after: literature, question: Is this enough?}]";

#[test]
fn a_question_that_is_not_asked_leaves_the_order_as_it_was() {
    let template = template(&small(SURE, ASKED));
    let asked = planned(&template, &start(Autonomy::Balanced)).plan;
    assert_eq!(
        keys(&asked),
        ["literature", "facts", "doubts", "draft", "sure"]
    );
    assert_eq!(after(&asked, "facts"), ["literature", "sure"]);

    let silent = planned(&template, &start(Autonomy::Permissive));
    assert_eq!(
        why(&silent),
        said(&[
            ("doubts", "it needs `sure`, which is left out"),
            (
                "sure",
                "missions with the autonomy `permissive` do not ask it"
            ),
        ]),
        "a question of which no claim is left is not asked"
    );
    assert_eq!(after(&silent.plan, "facts"), ["literature"]);
    assert_eq!(after(&silent.plan, "draft"), ["facts", "literature"]);
    let draft = arguments(&silent.plan, "draft");
    assert_eq!(
        draft.get("about"),
        None,
        "what a question may do without is dropped"
    );
    assert_eq!(draft["findings"], "{{facts.output.findings}}");
}

#[test]
fn a_gate_goes_with_what_it_judges() {
    let tasks = r#"
  - {id: first, tool: report, with: {}}
  - {id: judge, after: first, tool: judge, with: {document: "{{first.output}}"}}
  - id: accepted
    after: judge
    gate:
      return_to: first
      rules: [{when: judge.output.passed == false, verdict: repairable}]
  - {id: last, after: accepted, tool: noop, with: {}}
"#;
    let template = template(&small("[]", tasks));
    let mut start = start(Autonomy::Balanced);
    start
        .tools
        .push(adjutant_mission::ToolId::new("noop").unwrap());
    assert_eq!(planned(&template, &start).left_out, []);
    start.tools.retain(|tool| tool.as_str() != "judge");
    let planned = planned(&template, &start);
    assert_eq!(
        why(&planned),
        said(&[
            ("judge", "the tool `judge` may not be called"),
            ("accepted", "it needs `judge`, which is left out"),
        ])
    );
    assert_eq!(after(&planned.plan, "last"), ["first"]);
}

#[test]
fn what_is_in_the_way_is_said_all_at_once() {
    let text = small("[]", SEARCHES).replace(
        "inputs:",
        "inputs:\n  - {name: budget, about: What it may cost, required: true}",
    );
    let template = template(&text);
    let mut start = start(Autonomy::Balanced);
    start.objective = "  ".to_owned();
    start.inputs.insert("subjet".to_owned(), json!("x"));
    let problems = plan(&template, &start).unwrap_err();
    assert_eq!(
        problems,
        [
            Problem::NoObjective,
            Problem::InputUnknown {
                name: "subjet".to_owned(),
                near: Some("subject".to_owned()),
            },
            Problem::InputMissing {
                name: "budget".to_owned(),
                about: "What it may cost".to_owned(),
            },
        ]
    );
    assert_eq!(
        problems[1].to_string(),
        "the mission takes no input `subjet`; did you mean `subject`?"
    );
}

#[test]
fn a_plan_of_nothing_is_none() {
    let tasks = "  - {id: only, tool: report, with: {}}\n";
    let template = template(&small("[]", tasks));
    let mut start = start(Autonomy::Balanced);
    start.tools.clear();
    let problems = plan(&template, &start).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "nothing is left to do: `only` and all others were left out: the tool `report` may not be called"
    );
}
