//! What particular events of a mission tell.

use adjutant_mission::*;
use adjutant_session_events::{EventType, SessionEvent};
use serde_json::{Value, json};

use crate::stories;
use crate::world::{
    FINDINGS, HARMFUL, World, agent, blob, done, key, question, tool, tool_id, waive, waive_all,
};

fn of(world: &World, event_type: EventType) -> Vec<SessionEvent> {
    let events = world.events().into_iter();
    events.filter(|at| at.event_type == event_type).collect()
}

fn one(world: &World, event_type: EventType) -> Value {
    let all = of(world, event_type);
    assert_eq!(all.len(), 1, "{all:?}");
    Value::Object(all[0].data.clone())
}

fn column(world: &World, event_type: EventType, field: &str) -> Vec<Value> {
    let events = of(world, event_type).into_iter();
    events.map(|event| event.data[field].clone()).collect()
}

#[test]
fn an_event_says_when_where_and_after_what() {
    let world = stories::research();
    let first = serde_json::to_value(&world.events()[0]).unwrap();
    assert_eq!(first["type"], "plan_created");
    assert_eq!(first["timestamp"], "2026-11-16T07:00:00.000Z");
    assert_eq!(first["session_id"], "msn_00000000000000000000000007");
    assert_eq!(first["sequence"], 1);
    assert_eq!(first["data"]["tasks"][3]["status"], "waiting");
    assert_eq!(first["data"]["tasks"][3]["after"][1], "passages");
}

#[test]
fn a_check_is_told_area_by_area_and_what_it_blocks_is_not_quoted() {
    let world = stories::overruled();
    let checks = of(&world, EventType::ConstitutionalCheck);
    let areas = column(&world, EventType::ConstitutionalCheck, "check_type");
    assert_eq!(
        areas,
        ["medical_safety", "harmful_content", "harmful_content"]
    );
    let passed = column(&world, EventType::ConstitutionalCheck, "passed");
    assert_eq!(passed, [true, false, false]);
    assert_eq!(checks[1].data["action_taken"], "block");
    let listed = &checks[1].data["check_result"]["listed"][0];
    assert_eq!(listed["rule"], "harmful.conceal");
    assert_eq!(listed["excerpt"], Value::Null);
    assert_eq!(checks[2].data["action_taken"], "overruled");
    assert_eq!(
        checks[2].data["reason"],
        "It quotes what the inspectors found."
    );
    let told = serde_json::to_string(&world.events()).unwrap();
    assert!(!told.contains("Code the deaths"), "{told}");
}

#[test]
fn what_the_rules_block_is_told_by_no_event() {
    let finding = json!({ "findings": [{ "text": HARMFUL, "kind": "fact", "evidence": [{ "source": "kb:a", "quote": HARMFUL }] }] });
    let plan = Plan::new(
        "Leak",
        vec![agent("extract"), tool("fetch", "L5-WEB", "{}")],
    );
    let mut world = World::open(plan, waive_all());
    world.finish("extract", done(&finding.to_string()));
    world.finish(
        "fetch",
        done(&json!({ "page": { "text": HARMFUL } }).to_string()),
    );
    let told = serde_json::to_string(&world.events()).unwrap();
    assert!(!told.contains("unrelated"), "{told}");
    assert!(
        told.contains("withheld by the constitutional checks"),
        "{told}"
    );
}

#[test]
fn a_mission_goes_through_its_phases_and_ends_with_one_last_event() {
    let world = stories::research();
    let phases = [json!("planning"), json!("executing"), json!("synthesizing")];
    assert_eq!(column(&world, EventType::PhaseStart, "phase"), phases);
    assert_eq!(column(&world, EventType::PhaseComplete, "phase"), phases);
    let last = world.events().pop().unwrap();
    assert_eq!(last.event_type, EventType::Complete);
    assert_eq!(last.data["delivery"], "delivered");
    assert_eq!(last.data["results"][0]["task_id"], "weigh_up");
    assert_eq!(last.data["citations"], 2);
    let progress = column(&world, EventType::ProgressUpdate, "percent");
    assert_eq!(progress, [0, 16, 33, 50, 66, 83, 100]);
}

#[test]
fn a_result_that_was_not_approved_is_not_told() {
    let world = stories::second_thoughts();
    let last = one(&world, EventType::Complete);
    assert_eq!(last["delivery"], "draft");
    assert_eq!(last["results"], json!([]));
    let phases = column(&world, EventType::PhaseStart, "phase");
    let phases: Vec<_> = phases.iter().filter_map(Value::as_str).collect();
    let sent_back = ["planning", "executing", "synthesizing"];
    assert_eq!(phases, [&sent_back[..], &sent_back[1..]].concat());
}

#[test]
fn agents_are_told_from_their_beginning_to_their_last_task() {
    let world = stories::research();
    let spawned = column(&world, EventType::AgentSpawned, "agent_id");
    assert_eq!(spawned, ["expert", "extractor"]);
    let parents = column(&world, EventType::AgentSpawned, "parent_agent_id");
    assert_eq!(parents, [Value::Null, json!("expert")]);
    let started = one(&world, EventType::AgentStarted);
    assert_eq!(started["agent_id"], "extractor");
    assert_eq!(started["level"], "L4");
    let completed = one(&world, EventType::AgentCompleted);
    assert_eq!(completed["tasks_completed"], 2);
    assert_eq!(completed["tasks_left"], 0);
    let at = |kind| world.events().iter().position(|at| at.event_type == kind);
    assert!(at(EventType::AgentCompleted) > at(EventType::ConfidenceUpdate));
}

#[test]
fn who_hands_a_task_up_is_done_and_the_one_above_takes_it() {
    let world = stories::trouble();
    let escalated = one(&world, EventType::AgentEscalated);
    assert_eq!(escalated["agent_id"], "extractor");
    assert_eq!(escalated["to_agent_id"], "expert");
    assert_eq!(escalated["reason"], "no JSON came back");
    let completed = column(&world, EventType::AgentCompleted, "agent_id");
    assert_eq!(completed[0], "extractor");
}

#[test]
fn calls_and_searches_are_told_from_beginning_to_end() {
    let world = stories::research();
    let rag = of(&world, EventType::RagSearchStarted);
    assert_eq!(rag[0].data["query"], "potassium above 6.0");
    assert_eq!(
        rag[1].data["agent_id"], "extractor",
        "a call while it thinks"
    );
    let pubmed = one(&world, EventType::PubmedArticlesFound);
    assert_eq!((&pubmed["count"], &pubmed["total"]), (&json!(1), &json!(8)));
    assert_eq!(pubmed["sources"][0]["id"], "PMID:99000101");
    assert_eq!(pubmed["sources"][0].get("text"), None);
    assert_eq!(
        one(&world, EventType::WebSearchStarted)["query"],
        "Velmoran"
    );
    let results = of(&world, EventType::ToolResult);
    assert_eq!(results[0].data["duration_ms"], 1_500);
    assert_eq!(results[0].data["cost_micro_usd"], 1_200);
    let error = of(&stories::trouble(), EventType::ToolError).remove(0);
    assert_eq!(error.data["error"], "temporary");
    assert_eq!(error.data["then"], "retry");
}

#[test]
fn a_call_in_doubt_is_told_as_one_without_result_even_if_a_person_gives_one() {
    let plan = Plan::new("Mail", vec![tool("mail", "send_mail", "{}")]);
    let mut world = World::open(plan, waive(&[CheckpointType::PlanApproval]));
    world.crash();
    let error = one(&world, EventType::ToolError);
    assert_eq!(
        (&error["error"], &error["then"]),
        (&json!("in_doubt"), &json!("escalate"))
    );
    let happened = Decision {
        option: Some(OptionKey::new("mark_done").unwrap()),
        ..Decision::new(Verdict::Approve)
    };
    world.decide(0, happened).unwrap();
    assert_eq!(of(&world, EventType::ToolResult), []);
    assert_eq!(of(&world, EventType::ToolError).len(), 1);
}

#[test]
fn a_content_that_is_not_in_the_journal_is_told_by_its_digest() {
    let plan = Plan::new("Blob", vec![tool("passages", "recall", "{}")]);
    let mut world = World::open(plan, waive_all());
    world.finish("passages", Outcome::done(blob(), Usage::NONE));
    let digest = json!({ "digest": "b3:77aa", "bytes": 4_194_304 });
    for kind in [EventType::ToolResult, EventType::RagDocumentsFound] {
        assert_eq!(one(&world, kind)["blob"], digest);
    }
    assert_eq!(one(&world, EventType::ToolResult)["output"], Value::Null);
    let found = one(&world, EventType::RagDocumentsFound);
    assert_eq!(
        (&found["count"], &found["sources"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        one(&world, EventType::Complete)["results"][0]["blob"],
        digest
    );
}

#[test]
fn all_seven_phases_of_a_round_are_told_with_their_place_and_content() {
    let world = stories::research();
    let steps = of(&world, EventType::ReasoningStep);
    let phases: Vec<_> = steps
        .iter()
        .map(|step| {
            (
                step.data["phase"].as_u64().unwrap(),
                step.data["phase_name"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        phases,
        [
            (1, "precondition"),
            (2, "reasoning"),
            (3, "action"),
            (4, "observation"),
            (5, "postcondition"),
            (6, "uncertainty"),
            (7, "checkpoint"),
            (7, "checkpoint"),
        ],
        "and the conclusion"
    );
    let content: Vec<_> = steps
        .iter()
        .map(|step| step.data["content"].as_str())
        .collect();
    assert_eq!(content[1], Some("The rise follows the dose."));
    assert_eq!(content[2], Some("The report has the table."));
    assert_eq!(content[4], Some("The table bears it out."));
    assert_eq!(content[7], Some("Potassium rises with the dose."));
    assert_eq!(steps[5].data["confidence_ppm"], 900_000);
    assert_eq!(steps[7].data["kind"], "conclude");
    assert_eq!(
        one(&world, EventType::Thinking)["content"],
        "The rise follows the dose."
    );
    assert_eq!(one(&world, EventType::IterationStart)["iterations_max"], 2);
    let round = one(&world, EventType::IterationComplete);
    assert_eq!(
        (&round["steps"], &round["finished"]),
        (&json!(4), &json!(true))
    );
}

#[test]
fn a_conclusion_is_told_once_however_its_task_ends() {
    let world = stories::second_thoughts();
    let steps = of(&world, EventType::ReasoningStep);
    let conclusions = steps.iter().filter(|at| at.data["kind"] == "conclude");
    assert_eq!(
        conclusions.count(),
        4,
        "three before the person's answer, one after the review"
    );
    let then = column(&world, EventType::ConfidenceUpdate, "then");
    assert_eq!(then, ["again", "again", "ask", "go_on"]);
    let answers = column(&world, EventType::UserResponseReceived, "answer");
    assert_eq!(answers, ["approve", "modify", "reject"]);
    let open = column(&world, EventType::UserResponseReceived, "open");
    assert_eq!(open, [false; 3]);
}

#[test]
fn findings_come_with_the_passages_they_rest_on_each_told_once() {
    let mut world = World::open(
        Plan::new("Find", vec![agent("one"), agent("two")]),
        waive_all(),
    );
    world.finish("one", done(FINDINGS));
    world.finish("two", done(FINDINGS));
    let citation = one(&world, EventType::CitationAdded);
    assert_eq!(
        (&citation["number"], &citation["task_id"]),
        (&json!(1), &json!("one"))
    );
    let insights = of(&world, EventType::InsightGenerated);
    assert_eq!(insights.len(), 2);
    for insight in &insights {
        assert_eq!(insight.data["citations"], json!([1]));
        assert_eq!(insight.data["confidence_ppm"], 820_000);
    }
    let kinds: Vec<_> = world.events().iter().map(|at| at.event_type).collect();
    let at = |kind| kinds.iter().position(|at| *at == kind);
    assert!(at(EventType::CitationAdded) < at(EventType::InsightGenerated));
}

#[test]
fn silence_and_changes_of_plan_are_told() {
    let world = stories::trouble();
    let timeouts = of(&world, EventType::CheckpointTimeout);
    assert!(!timeouts.is_empty());
    assert_eq!(timeouts[0].data["checkpoint_type"], "subagent_approval");
    let updated = one(&world, EventType::PlanUpdated);
    assert_eq!(updated["trigger"], "human_intervention");
    assert_eq!(updated["added"][0]["task_id"], "sum");
    assert_eq!(updated["tasks_total"], 3);
}

#[test]
fn a_fork_tells_that_it_is_one_and_that_nothing_is_under_way_in_it() {
    let plan = Plan::new("Fork", vec![tool("passages", "recall", "{}")]);
    let fork = World::open(plan, waive_all()).fork();
    let updated = one(&fork, EventType::PlanUpdated);
    assert_eq!(updated["trigger"], "fork");
    assert_eq!(one(&fork, EventType::ToolError)["error"], "forked");
    let calls = column(&fork, EventType::ToolInvoked, "call_id");
    assert_eq!(calls.len(), 2);
    assert_ne!(calls[0], calls[1]);
}

#[test]
fn what_is_undone_is_called_so() {
    let mut task = tool("mail", "L5-CALC", "{}");
    task.undo = Some(Undo {
        tool: tool_id("L5-CALC"),
        with: crate::world::json("{\"undo\":1}"),
        retry: Retry::default(),
    });
    let plan = Plan::new("Undo", vec![task, question("then").after([key("mail")])]);
    let mut world = World::open(plan, waive(&[CheckpointType::PlanApproval]));
    world.finish("mail", done("{}"));
    let reason = "wrong address".into();
    world
        .command(Command::Abort { reason, undo: true })
        .unwrap();
    world.finish("mail", done("{}"));
    let undo = column(&world, EventType::ToolInvoked, "undo");
    assert_eq!(undo, [false, true]);
    assert_eq!(column(&world, EventType::ToolResult, "undo"), [false, true]);
    assert_eq!(one(&world, EventType::Error)["outcome"], "cancelled");
}
