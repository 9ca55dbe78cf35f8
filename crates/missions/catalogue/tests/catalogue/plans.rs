//! The plans that come of the built-in templates.

use std::collections::BTreeSet;

use adjutant_catalogue::{BUILT_IN, METHODS, Method, Needs, State, check, load, mission, phrase};
use adjutant_mission::{AgentLevel, Autonomy, MicroUsd, Pattern, ToolCall, ToolId, WorkSpec};
use serde_json::Value;

use crate::support::{READY, built_in, keys, planned, start, task};

#[test]
fn the_built_in_templates_pass_their_own_check() {
    for &(file, text) in BUILT_IN {
        let report = check(text);
        assert_eq!(report.problems, [], "{file}");
        assert_eq!(report.unused, Vec::<String>::new(), "{file}");
        assert_eq!(report.cases.len(), 15);
        for case in &report.cases {
            assert_eq!(case.problems, Vec::<String>::new(), "{file} {case:?}");
        }
        assert!(report.passed());
    }
}

#[test]
fn a_report_by_an_outline_has_the_sections_that_are_promised() {
    let mut outlines = 0;
    for id in READY.iter().copied() {
        let template = built_in(id);
        let plan = planned(&template, &start(Autonomy::Balanced)).plan;
        let WorkSpec::Tool(call) = &task(&plan, "report").work else {
            panic!("a tool");
        };
        let with: Value = serde_json::from_str(call.with.text()).unwrap();
        let Some(sections) = with["outline"]["sections"].as_array() else {
            continue;
        };
        outlines += 1;
        assert_eq!(with["outline"]["name"], template.name.as_str());
        let titles: Vec<&str> = sections
            .iter()
            .map(|one| one["title"].as_str().unwrap())
            .collect();
        assert_eq!(titles, template.deliverable.sections, "{id}");
        // What people chose is told, whatever the mission is about.
        let views: Vec<&str> = sections
            .iter()
            .filter_map(|one| one["show"].as_str())
            .collect();
        assert!(views.contains(&"decisions"), "{id}");
        for from in sections.iter().filter_map(|one| one["from"].as_str()) {
            assert!(with["pieces"].get(from).is_some(), "{id}: {from}");
        }
        for first in with["outline"]["first"].as_array().unwrap() {
            assert!(
                with["pieces"].get(first.as_str().unwrap()).is_some(),
                "{id}"
            );
        }
    }
    assert!(outlines > 0);
}

#[test]
fn built_in_templates_say_what_the_facts_say() {
    for id in READY.iter().copied() {
        let (template, facts) = (built_in(id), mission(id).unwrap());
        let words = |ids: &[adjutant_mission::AgentId]| -> Vec<String> {
            ids.iter().map(ToString::to_string).collect()
        };
        assert_eq!(template.name, facts.name);
        assert_eq!(template.category, facts.category);
        assert_eq!(template.expert.as_str(), facts.expert);
        assert_eq!(words(&template.specialists), facts.specialists);
        // Who reads the documents where a model does takes part besides.
        let mut workers = facts.workers.to_vec();
        let is_read = template.workers.iter().any(|it| it.as_str() == "L4-DP");
        if is_read && !workers.contains(&"L4-DP") {
            workers.push("L4-DP");
        }
        assert_eq!(words(&template.workers), workers);
        let tools: Vec<&str> = template.tools.iter().map(ToolId::as_str).collect();
        assert_eq!(tools, facts.tools());
        assert_eq!(template.estimate.cost, facts.cost);
        assert_eq!(template.estimate.time, facts.time);
        let names: Vec<&str> = template
            .checkpoints
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        assert_eq!(names, facts.checkpoints);
        let patterns: Vec<Pattern> = facts
            .reasoning
            .iter()
            .flat_map(|text| phrase(text).unwrap().patterns.to_vec())
            .collect();
        assert_eq!(template.reasoning.patterns, patterns, "{id}");
        for text in facts.reasoning {
            for method in phrase(text).unwrap().methods {
                assert!(template.methods.contains(method), "{id} {method:?}");
            }
        }
        assert!((15..=40).contains(&template.tasks.len()), "{id}");
    }
}

#[test]
fn a_mission_does_what_its_methods_say() {
    let mut done = BTreeSet::new();
    for id in READY.iter().copied() {
        let template = built_in(id);
        let does = |name: &str| {
            let mut tasks = template.tasks.iter().map(|at| &at.task.work);
            tasks.any(|work| match work {
                WorkSpec::Tool(call) => call.tool.as_str() == name,
                WorkSpec::Agent(agent) => agent.purpose.as_str() == name,
                _ => false,
            })
        };
        for method in &template.methods {
            assert!(
                method.done_by().iter().any(|name| does(name)),
                "{id} names the method {} and does nothing of {:?}",
                method.name(),
                method.done_by()
            );
            done.insert(*method);
        }
    }
    let idle = METHODS.iter().filter(|method| !done.contains(method));
    assert_eq!(idle.collect::<Vec<_>>(), Vec::<&Method>::new());
}

#[test]
fn each_autonomy_asks_exactly_its_checkpoints() {
    let asked = |id: &str, autonomy| -> Vec<String> {
        let plan = planned(&built_in(id), &start(autonomy)).plan;
        let people = plan.tasks.iter();
        let people = people.filter(|task| matches!(task.work, WorkSpec::Human(_)));
        people.map(|task| task.key.to_string()).collect()
    };
    assert_eq!(
        asked("trade_off_analysis", Autonomy::Balanced),
        ["dimensions", "weights", "recommendation"]
    );
    assert_eq!(
        asked("decision_framing", Autonomy::Balanced),
        ["frame_validation", "criteria", "options"]
    );
    assert_eq!(
        asked("option_exploration", Autonomy::Balanced),
        ["constraint_check", "option_review"]
    );
    assert_eq!(
        asked("alternative_finding", Autonomy::Balanced),
        ["requirements", "options"]
    );
    assert_eq!(
        asked("get_unstuck", Autonomy::Balanced),
        ["problem_understanding", "options"]
    );
    assert_eq!(
        asked("path_finding", Autonomy::Balanced),
        ["goal_definition", "path_selection"]
    );
    for autonomy in [Autonomy::Strict, Autonomy::Balanced] {
        assert_eq!(asked("deep_dive", autonomy), ["insight_validation"]);
        assert_eq!(
            asked("risk_assessment", autonomy),
            ["risk_validation", "mitigations"]
        );
    }
    assert_eq!(
        asked("horizon_scanning", Autonomy::Balanced),
        ["prioritization", "monitoring"]
    );
    assert_eq!(
        asked("competitive_watch", Autonomy::Balanced),
        ["focus", "predictions", "responses"]
    );
    assert_eq!(
        asked("trigger_monitoring", Autonomy::Balanced),
        ["trigger_definition", "alert_setup"]
    );
    assert_eq!(
        asked("gap_discovery", Autonomy::Balanced),
        ["gap_prioritization"]
    );
    assert_eq!(
        asked("benchmark", Autonomy::Balanced),
        ["benchmark_selection", "gap_significance"]
    );
    assert_eq!(
        asked("knowledge_harvest", Autonomy::Balanced),
        ["contradiction_resolution", "gap_review"]
    );
    assert_eq!(
        asked("expert_onboarding", Autonomy::Balanced),
        [
            "learning_profile",
            "comprehension_check",
            "gap_identification"
        ]
    );
    assert_eq!(
        asked("critique", Autonomy::Balanced),
        [
            "context_standards",
            "critical_issues_review",
            "fix_prioritization"
        ]
    );
    assert_eq!(
        asked("feasibility_check", Autonomy::Balanced),
        ["assumptions", "critical_path"]
    );
    assert_eq!(
        asked("go_no_go", Autonomy::Strict),
        ["criteria", "evidence", "recommendation"]
    );
    assert_eq!(
        asked("go_no_go", Autonomy::Balanced),
        ["criteria", "recommendation"]
    );
    assert_eq!(
        asked("failure_forensics", Autonomy::Balanced),
        ["hypotheses", "conclusions"]
    );
    assert_eq!(
        asked("due_diligence", Autonomy::Balanced),
        ["red_flags", "recommendation"]
    );
    assert_eq!(
        asked("signal_chasing", Autonomy::Balanced),
        ["characterization", "causality"]
    );
    assert_eq!(
        asked("pattern_mining", Autonomy::Balanced),
        ["case_selection", "pattern_validation"]
    );
    assert_eq!(
        asked("meeting_prep", Autonomy::Balanced),
        ["objectives", "qa_coverage"]
    );
    assert_eq!(
        asked("case_building", Autonomy::Strict),
        ["audience", "evidence", "objections"]
    );
    for id in READY.iter().copied() {
        assert_eq!(asked(id, Autonomy::Permissive), Vec::<String>::new());
    }
}

#[test]
fn a_checkpoint_stands_where_the_template_puts_it() {
    let plan = planned(&built_in("deep_dive"), &start(Autonomy::Balanced)).plan;
    let question = task(&plan, "insight_validation");
    let WorkSpec::Human(human) = &question.work else {
        panic!("a question to a person");
    };
    assert_eq!(human.recommend.as_ref().unwrap().as_str(), "build_on_it");
    assert_eq!(human.options.len(), 2);
    assert_eq!(
        crate::support::after(&plan, "insight_validation"),
        ["analysis_told", "doubts", "evidence"]
    );
    assert!(crate::support::after(&plan, "synthesis").contains(&"insight_validation"));
}

#[test]
fn who_works_is_in_the_plan() {
    let plan = planned(&built_in("go_no_go"), &start(Autonomy::Balanced)).plan;
    let chain: Vec<(&str, Option<&str>)> = plan
        .agents
        .iter()
        .map(|agent| {
            (
                agent.id.as_str(),
                agent.started_by.as_ref().map(|by| by.as_str()),
            )
        })
        .collect();
    let risk = Some("L3-risk-specialist");
    assert_eq!(
        chain,
        [
            ("L2-decision-advisor", None),
            ("L3-risk-specialist", Some("L2-decision-advisor")),
            ("L3-domain-expert", Some("L2-decision-advisor")),
            ("L4-EV", risk),
            ("L4-RF", risk),
            ("L4-PS", risk),
            ("L4-QA", risk),
        ]
    );
    assert_eq!(plan.agents[0].tokens_lifetime, Some(240_000));
    for task in &plan.tasks {
        if let WorkSpec::Agent(work) = &task.work {
            let by = task.by.as_ref().unwrap();
            let agent = plan.agents.iter().find(|agent| agent.id == *by).unwrap();
            assert_eq!(work.level, agent.level, "{}", task.key);
        }
    }
}

#[test]
fn conclusions_are_reached_as_the_template_says() {
    let plan = planned(&built_in("deep_dive"), &start(Autonomy::Balanced)).plan;
    let WorkSpec::Agent(work) = &task(&plan, "analysis").work else {
        panic!("a question");
    };
    assert_eq!(work.level, AgentLevel::L3);
    let reasoning = work.reasoning.as_ref().unwrap();
    assert_eq!(
        reasoning.patterns,
        [
            Pattern::TreeOfThought,
            Pattern::ChainOfThought,
            Pattern::Reflection
        ]
    );
    assert!(reasoning.tools.is_empty(), "an L3 calls nothing");
    let WorkSpec::Agent(facts) = &task(&plan, "facts").work else {
        panic!("a question");
    };
    assert_eq!(facts.reasoning, None, "an extraction is one question");
}

#[test]
fn a_worker_that_acts_is_offered_what_it_may_call() {
    let template = built_in("risk_assessment");
    let offered = |without: &[&str]| -> Vec<String> {
        let mut start = start(Autonomy::Balanced);
        start.tools.retain(|tool| !without.contains(&tool.as_str()));
        let plan = planned(&template, &start).plan;
        let WorkSpec::Agent(work) = &task(&plan, "causes").work else {
            panic!("a question");
        };
        let tools = &work.reasoning.as_ref().unwrap().tools;
        tools.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        offered(&[]),
        ["L5-RAG", "L5-FDA", "L5-PS", "L5-CALC", "L5-STAT", "L5-EMA"]
    );
    assert_eq!(
        offered(&["L5-STAT", "L5-FDA"]),
        ["L5-RAG", "L5-PS", "L5-CALC", "L5-EMA"]
    );
}

/// Tools of workers that look nothing up.
const COMPUTING: [&str; 5] = ["L5-CALC", "L5-FMT", "L5-NLP", "L5-STAT", "L5-VIZ"];

#[test]
fn what_looks_something_up_has_a_way_out() {
    for id in READY.iter().copied() {
        let plan = planned(&built_in(id), &start(Autonomy::Permissive)).plan;
        let mut looked = 0;
        for task in &plan.tasks {
            let WorkSpec::Tool(call) = &task.work else {
                continue;
            };
            let tool = call.tool.as_str();
            // Missions that are repeated tell that their documents could not be read.
            let reads = tool == "whole_documents";
            if !reads && (!tool.starts_with("L5-") || COMPUTING.contains(&tool)) {
                // What cannot be computed is told as such; nothing was looked up.
                let alternative = task.alternative.as_ref();
                assert!(
                    alternative.is_none_or(|it| it.tool.as_str() == "noop"),
                    "{}",
                    task.key
                );
                continue;
            }
            looked += 1;
            let alternative = task.alternative.as_ref().unwrap();
            assert_eq!(alternative.tool.as_str(), "nothing_found");
            let with: Value = serde_json::from_str(alternative.with.text()).unwrap();
            assert!(
                with["looked_for"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty())
            );
            assert!(with["where"].as_str().is_some_and(|text| !text.is_empty()));
            assert_eq!(with.as_object().unwrap().len(), 2);
        }
        assert!(looked >= 4, "{id}");
    }
    let mut start = start(Autonomy::Permissive);
    start.tools.retain(|tool| tool.as_str() != "nothing_found");
    let plan = planned(&built_in("deep_dive"), &start).plan;
    assert_eq!(task(&plan, "literature").alternative, None);
}

#[test]
fn the_judge_sends_back_three_times_at_most() {
    for (id, to) in [
        ("deep_dive", "synthesis"),
        ("risk_assessment", "synthesis"),
        ("go_no_go", "draft"),
        ("trade_off_analysis", "synthesis"),
        ("path_finding", "synthesis"),
        ("get_unstuck", "synthesis"),
        ("option_exploration", "conditions"),
        ("alternative_finding", "synthesis"),
        ("decision_framing", "synthesis"),
        ("gap_discovery", "synthesis"),
        ("critique", "synthesis"),
        ("expert_onboarding", "synthesis"),
        ("benchmark", "synthesis"),
        ("knowledge_harvest", "synthesis"),
        ("feasibility_check", "synthesis"),
    ] {
        let plan = planned(&built_in(id), &start(Autonomy::Balanced)).plan;
        let WorkSpec::Gate(gate) = &task(&plan, "accepted").work else {
            panic!("a gate");
        };
        assert_eq!(gate.return_to.as_ref().unwrap().as_str(), to);
        assert_eq!(gate.returns_max, 3);
    }
}

#[test]
fn every_report_is_checked_against_the_constitution_before_its_mission_ends() {
    for id in READY {
        let plan = planned(&built_in(id), &start(Autonomy::Permissive)).plan;
        let calls = |tool: &str| {
            let tasks = plan.tasks.iter().filter(|task| match &task.work {
                WorkSpec::Tool(call) => call.tool.as_str() == tool,
                _ => false,
            });
            tasks.collect::<Vec<_>>()
        };
        for report in calls("report") {
            let document = format!("{{{{{}.output.document}}}}", report.key);
            let checks = calls("constitution");
            let is_of_it = |call: &ToolCall| call.with.text().contains(&document);
            let check = checks.iter().find(|task| match &task.work {
                WorkSpec::Tool(call) => is_of_it(call),
                _ => false,
            });
            let check = check.unwrap_or_else(|| panic!("{id}: nothing checks `{}`", report.key));
            let waits = &task(&plan, "accepted").after;
            assert!(waits.iter().any(|on| on.task == check.key), "{id}");
        }
    }
}

#[test]
fn the_plan_says_what_it_was_started_with() {
    let mut start = start(Autonomy::Strict);
    start.money = Some(MicroUsd(500_000));
    let planned = planned(&built_in("deep_dive"), &start);
    let plan = planned.plan;
    assert_eq!(plan.title, format!("Deep Dive: {}", start.objective));
    assert_eq!(plan.objective, start.objective);
    assert_eq!(plan.autonomy, Autonomy::Strict);
    assert_eq!(plan.caps.money, Some(MicroUsd(500_000)));
    let inputs: Value = serde_json::from_str(plan.inputs.unwrap().text()).unwrap();
    assert_eq!(inputs["objective"], start.objective.as_str());
    assert_eq!(inputs["question"], start.objective.as_str());
    assert_eq!(inputs["subject"], "Velmoran");
    assert_eq!(inputs["mission_type"], "deep_dive");
    assert_eq!(inputs["compare"][0], "Velmoran");
    assert_eq!(inputs["namespaces"][0], "velmoran");
    assert_eq!(inputs["attachments"][0]["id"], "attachment:1");
    assert_eq!(inputs["attachments"][0]["text"], "Potassium rose.");
    assert_eq!(
        planned.left_out,
        [],
        "everything is there and everything is asked"
    );
}

#[test]
fn answers_take_the_place_of_defaults() {
    let mut start = start(Autonomy::Strict);
    let answers = [("subject", "velordrostat"), ("question", "   ")];
    start.inputs = answers
        .map(|(name, text)| (name.to_owned(), Value::from(text)))
        .into();
    let plan = planned(&built_in("deep_dive"), &start).plan;
    let inputs: Value = serde_json::from_str(plan.inputs.unwrap().text()).unwrap();
    assert_eq!(inputs["subject"], "velordrostat");
    assert_eq!(
        inputs["question"],
        start.objective.as_str(),
        "blank is no answer"
    );
}

#[test]
fn two_objectives_give_two_plans_of_one_shape() {
    let template = built_in("risk_assessment");
    let one = start(Autonomy::Balanced);
    let mut other = one.clone();
    other.objective = "What could delay the launch of Tavodrostat?".to_owned();
    let (one, other) = (
        planned(&template, &one).plan,
        planned(&template, &other).plan,
    );
    assert_eq!(keys(&one), keys(&other));
    assert_ne!(one.inputs, other.inputs);
}

#[test]
fn every_built_in_template_makes_its_mission_ready() {
    let catalogue = load(None);
    assert_eq!(catalogue.problems, []);
    assert_eq!(catalogue.entries.len(), 24);
    let ready = |entry: &&adjutant_catalogue::Entry| matches!(entry.state, State::Ready(_));
    let ready: Vec<&str> = catalogue
        .entries
        .iter()
        .filter(ready)
        .map(|it| it.id.as_str())
        .collect();
    assert_eq!(ready, READY);
    assert_eq!(READY.len(), BUILT_IN.len());
    let announced = catalogue
        .entries
        .iter()
        .filter(|it| it.state == State::Announced);
    assert_eq!(announced.count(), 24 - READY.len());
}

#[test]
fn without_anything_to_look_into_a_plan_remains() {
    let report = check(BUILT_IN[0].1);
    let bare = report
        .cases
        .iter()
        .find(|case| case.with.is_empty())
        .unwrap();
    let has = |key: &str| bare.tasks.iter().any(|task| task.as_str() == key);
    assert!(!has("recall_question") && !has("literature"));
    assert!(has("sources") && has("analysis") && has("report") && has("accepted"));
    let told = |key: &str| {
        let left = bare.left_out.iter().find(|left| left.task.as_str() == key);
        left.unwrap().why.clone()
    };
    assert_eq!(told("recall_question"), "no knowledge base was named");
    assert_eq!(told("literature"), "the tool `L5-PS` may not be called");
    let full = report
        .cases
        .iter()
        .find(|case| case.with == Needs::ALL)
        .unwrap();
    assert_eq!(full.left_out, []);
}
