//! Workflows that programs ask for in words: chosen by the program where nothing like them was run, and started otherwise.

use serde_json::{Value, json};

use crate::mcp_server::Client;
use crate::serving::Served;
use crate::support::Place;

const UNASKED: &str = "[workflows]\napproved_in_advance = [\"plan_approval\", \"final_review\"]\n";
const SUM: &str = "Compute (1250 + 340) * 1.19";

fn choose(told: &Value, choice: &str) -> Value {
    json!({ "workflow_id": told["workflow_id"], "choice": choice })
}

fn missions(place: &Place) -> usize {
    place.run(&["list", "--all", "--json"]).out.lines().count()
}

#[test]
fn what_was_never_run_is_chosen_once_also_after_a_restart_and_started_at_once_the_next_time() {
    let place = Place::new();
    place.set(UNASKED);
    let asked = json!({ "intent": SUM, "idempotency_key": "sum" });
    let told = Client::of(&place).told("execute_workflow", asked.clone());
    assert_eq!(told["status"], "ail_required", "{told}");
    assert_eq!(told["options"].as_array().unwrap().len(), 4, "{told}");
    assert_eq!(told["suggested_dag"]["tasks"][0]["tool"], "calc", "{told}");
    let none = missions(&place);

    // The server was killed. The same request finds the same suggestion, and so does its id.
    let mut client = Client::of(&place);
    assert_eq!(client.told("execute_workflow", asked.clone()), told);
    let status = json!({ "workflow_id": told["workflow_id"] });
    assert_eq!(client.told("workflow_status", status.clone()), told);
    assert_eq!(missions(&place), none, "nothing was started");

    let run = client.told("execute_workflow", choose(&told, "execute_suggested"));
    assert_eq!(run["status"], "complete", "{run}");
    assert_eq!(run["workflow_id"], told["workflow_id"]);
    assert_eq!(missions(&place), none + 1);
    drop(client);

    let mut client = Client::of(&place);
    let again = client.told("execute_workflow", choose(&told, "execute_suggested"));
    assert_eq!(again["results"], run["results"]);
    for other in ["abort", "agent_delegation"] {
        let (code, text) = client.refused("execute_workflow", choose(&told, other));
        assert_eq!(code, "ADJ-6259", "{text}");
    }
    assert_eq!(client.told("execute_workflow", asked)["status"], "complete");
    assert_eq!(missions(&place), none + 1, "one answer counted");

    // It has learned: something like it was run.
    let next = client.told("execute_workflow", json!({ "intent": SUM }));
    assert_eq!(next["status"], "complete", "{next}");
    assert!(
        next["suggested"]["confidence"].as_f64().unwrap() >= 0.6,
        "{next}"
    );
    assert_ne!(next["workflow_id"], run["workflow_id"]);
}

#[test]
fn a_graph_that_was_run_is_run_again_with_its_order_and_its_references() {
    let place = Place::new();
    place.set(UNASKED);
    let mut client = Client::of(&place);
    let intent = "Prepare the garden bulletin of Hornby";
    let told = client.told("execute_workflow", json!({ "intent": intent }));
    assert_eq!(told["status"], "ail_required", "{told}");
    let mut answer = choose(&told, "manual_dag");
    // The names of the tasks are not in the order of their work.
    answer["tasks"] = json!([
        { "id": "zone", "tool": "noop", "arguments": { "value": { "wind": 7 } } },
        { "id": "mean", "tool": "noop", "arguments": { "value": "{{zone.output.wind}}" }, "depends_on": ["zone"] },
        { "id": "all", "tool": "noop", "arguments": { "value": ["{{mean.output}}", "Hornby"] }, "depends_on": ["mean"] },
    ]);
    let run = client.told("execute_workflow", answer);
    assert_eq!(run["status"], "complete", "{run}");
    drop(client);

    let mut client = Client::of(&place);
    let again = client.told("execute_workflow", json!({ "intent": intent }));
    assert_eq!(again["status"], "complete", "{again}");
    assert_eq!(again["results"], run["results"], "{again}");
    assert_eq!(again["suggested"]["not_covered"], json!([]), "{again}");
    assert_ne!(again["workflow_id"], run["workflow_id"]);

    // More is wanted than was done: it is said, and nothing is started.
    let more = format!("{intent} and mail it to Bob");
    let asked = client.told("execute_workflow", json!({ "intent": more }));
    assert_eq!(asked["status"], "ail_required", "{asked}");
    let named = asked["not_covered"].to_string();
    assert!(named.contains("mail it to Bob"), "{asked}");
}

#[test]
fn what_is_left_of_an_intent_and_what_is_missing_is_said() {
    let place = Place::new();
    let mut client = Client::of(&place);
    let intent = "Compute 1250 + 340 plus 19 percent tax";
    let told = client.told("execute_workflow", json!({ "intent": intent }));
    assert_eq!(
        told["not_covered"],
        json!(["plus 19 percent tax"]),
        "{told}"
    );
    let out = place.run(&["suggest", intent]);
    assert!(
        out.out.contains("No task covers “plus 19 percent tax”."),
        "{}",
        out.out
    );

    let told = client.told(
        "execute_workflow",
        json!({ "intent": "Send me the news report every Monday, again and again" }),
    );
    let tasks = told["suggested_dag"]["tasks"].as_array().unwrap();
    let without =
        |task: &&Value| task["tool"] == "schedule_repeat" && task["arguments"]["every"].is_null();
    for task in tasks.iter().filter(without) {
        let missing = told["missing"].as_array().unwrap();
        assert!(
            missing
                .iter()
                .any(|at| at["task"] == task["id"] && at["argument"] == "every"),
            "{told}"
        );
    }
}

#[test]
fn a_declined_suggestion_starts_nothing_however_it_is_declined() {
    let place = Place::new();
    let mut client = Client::of(&place);
    let told = client.told("execute_workflow", json!({ "intent": SUM }));
    let none = missions(&place);
    let abort = json!({ "workflow_id": told["workflow_id"] });
    assert_eq!(client.told("abort", abort)["status"], "aborted");
    let again = client.told("execute_workflow", choose(&told, "abort"));
    assert_eq!(again["status"], "aborted");
    let (code, _) = client.refused("execute_workflow", choose(&told, "execute_suggested"));
    assert_eq!(code, "ADJ-6259");
    assert_eq!(missions(&place), none);
}

#[test]
fn a_person_approves_a_suggested_plan_as_any_other() {
    let place = Place::new();
    let mut client = Client::of(&place);
    let told = client.told("execute_workflow", json!({ "intent": SUM }));
    let run = client.told("execute_workflow", choose(&told, "execute_suggested"));
    assert_eq!(run["status"], "awaiting_approval", "{run}");
    assert_eq!(run["approvals"][0]["kind"], "plan_approval", "{run}");
}

#[test]
fn the_other_choices_run_what_they_say() {
    let place = Place::new();
    place.set(UNASKED);
    let mut client = Client::of(&place);
    let told = client.told("execute_workflow", json!({ "intent": SUM }));
    let mut answer = choose(&told, "manual_dag");
    answer["tasks"] = json!([{ "id": "mine", "tool": "noop", "arguments": { "value": 7 } }]);
    let run = client.told("execute_workflow", answer.clone());
    assert_eq!(run["results"][0][0]["id"], "mine", "{run}");
    answer["tasks"][0]["arguments"]["value"] = json!(8);
    assert_eq!(client.refused("execute_workflow", answer).0, "ADJ-6259");

    // Another intent: by now, the graph by hand is what it knows for that one.
    let days = "How many working days are there between 3 March and 19 June 2026?";
    let told = client.told("execute_workflow", json!({ "intent": days }));
    assert_eq!(told["status"], "ail_required", "{told}");
    let run = client.told("execute_workflow", choose(&told, "agent_delegation"));
    // Without a language model, the agent is not sure of it, and a person is asked.
    assert_eq!(run["status"], "awaiting_approval", "{run}");
    assert_eq!(run["approvals"][0]["task"], "agent", "{run}");
}

#[test]
fn careless_answers_are_refused_with_a_code_and_close_nothing() {
    let place = Place::new();
    place.set(UNASKED);
    let mut client = Client::of(&place);
    let told = client.told("execute_workflow", json!({ "intent": SUM }));
    let with = |choice: &str, more: Value| {
        let mut answer = choose(&told, choice);
        answer
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        answer
    };
    let no_tool = json!([{ "id": "a", "tool": "nop" }]);
    for (answer, code) in [
        (json!({ "choice": "abort" }), "ADJ-6260"),
        (json!({ "workflow_id": told["workflow_id"] }), "ADJ-6260"),
        (
            json!({ "workflow_id": "last", "choice": "abort" }),
            "ADJ-6221",
        ),
        (
            json!({ "workflow_id": "msn_00000000000000000000000001", "choice": "abort" }),
            "ADJ-6257",
        ),
        (with("run_it", json!({})), "ADJ-6221"),
        (with("manual_dag", json!({})), "ADJ-6260"),
        (with("manual_dag", json!({ "tasks": no_tool })), "ADJ-1008"),
        (with("abort", json!({ "tasks": no_tool })), "ADJ-6260"),
        (
            with("agent_delegation", json!({ "values": {} })),
            "ADJ-6260",
        ),
        (
            with("execute_suggested", json!({ "values": { "x": {} } })),
            "ADJ-6262",
        ),
        (json!({ "intent": SUM, "values": {} }), "ADJ-6260"),
        (json!({ "intent": "  " }), "ADJ-6222"),
        (json!({ "intent": "word ".repeat(2_000) }), "ADJ-6251"),
        (
            json!({ "intent": SUM, "config": { "max_cost": -1 } }),
            "ADJ-6221",
        ),
    ] {
        let (found, text) = client.refused("execute_workflow", answer);
        assert_eq!(found, code, "{text}");
    }
    let run = client.told("execute_workflow", choose(&told, "execute_suggested"));
    assert_eq!(run["status"], "complete", "{run}");
}

#[test]
fn a_suggestion_is_answered_only_in_the_name_that_asked() {
    let place = Place::new();
    let told = Client::of(&place).told("execute_workflow", json!({ "intent": SUM }));
    let mut bob = Client::of_person(&place, "bob");
    let (code, _) = bob.refused("execute_workflow", choose(&told, "execute_suggested"));
    assert_eq!(code, "ADJ-6258");
    let status = json!({ "workflow_id": told["workflow_id"] });
    let (_, text) = bob.refused("workflow_status", status);
    assert!(!text.contains("1250"), "{text}");
}

#[test]
fn a_running_workflow_is_changed_in_words_and_what_has_started_stays() {
    let place = Place::new();
    place.set(UNASKED);
    let mut client = Client::of(&place);
    let told = client.told(
        "execute_workflow",
        json!({
            "tasks": [
                { "id": "one", "tool": "noop", "arguments": { "value": 1 } },
                { "id": "two", "tool": "noop", "arguments": { "value": 2 }, "depends_on": ["one"] },
            ],
            "config": { "per_layer_validation": true },
        }),
    );
    assert_eq!(told["status"], "layer_complete", "{told}");
    let change = json!({
        "workflow_id": told["workflow_id"],
        "new_requirement": "Detect the language of the text",
        "available_context": { "text": "Guten Morgen, wie geht es Ihnen heute?" },
        "idempotency_key": "language",
    });
    let changed = client.told("replan_dag", change.clone());
    let added = &changed["replanned"]["added"];
    assert_eq!(added.as_array().map(Vec::len), Some(1), "{changed}");
    assert_eq!(
        added[0]["arguments"]["text"], "Guten Morgen, wie geht es Ihnen heute?",
        "{changed}"
    );
    assert_eq!(
        changed["status"], "layer_complete",
        "nothing ran unseen: {changed}"
    );
    assert_eq!(added[0]["depends_on"], json!(["one"]), "{changed}");
    let preview = changed["next_layer_preview"].to_string();
    let id = added[0]["id"].as_str().unwrap();
    assert!(preview.contains(id) && preview.contains("two"), "{preview}");
    // The same change again is the same change.
    let again = client.told("replan_dag", change);
    assert_eq!(again["next_layer_preview"], changed["next_layer_preview"]);
    // Whoever lost the first answer learns the ids of the new tasks all the same.
    assert_eq!(again["replanned"]["added"], *added, "{again}");

    let missing = json!({
        "workflow_id": told["workflow_id"],
        "new_requirement": "Detect the language of the text",
    });
    let (code, text) = client.refused("replan_dag", missing);
    assert_eq!(code, "ADJ-6254", "{text}");
    assert!(
        text.contains("available_context") && !text.contains("--context"),
        "{text}"
    );
    let nothing = json!({ "workflow_id": told["workflow_id"] });
    assert_eq!(client.refused("replan_dag", nothing).0, "ADJ-6231");
}

#[test]
fn words_that_would_change_something_outside_are_asked_about() {
    let place = Place::new();
    place.set(UNASKED);
    let mut client = Client::of(&place);
    let told = client.told(
        "execute_workflow",
        json!({
            "tasks": [
                { "id": "one", "tool": "noop", "arguments": { "value": 1 } },
                { "id": "two", "tool": "noop", "arguments": { "value": 2 }, "depends_on": ["one"] },
            ],
            "config": { "per_layer_validation": true },
        }),
    );
    let change = json!({
        "workflow_id": told["workflow_id"],
        "new_requirement": "Write the text to the file note.txt",
        "available_context": { "text": "lamp", "path": "note.txt" },
    });
    let changed = client.told("replan_dag", change);
    assert_eq!(
        changed["replanned"]["added"][0]["tool"], "write_file",
        "{changed}"
    );
    let mut told = client.told("continue", json!({ "workflow_id": told["workflow_id"] }));
    if told["status"] == "layer_complete" {
        told = client.told("continue", json!({ "workflow_id": told["workflow_id"] }));
    }
    assert_eq!(told["status"], "awaiting_approval", "{told}");
    assert_eq!(told["approvals"][0]["kind"], "tool_approval", "{told}");
    assert!(!place.home().join("files/note.txt").exists());
}

#[test]
fn over_http_a_suggestion_outlives_a_killed_server_and_is_nobody_elses() {
    let place = Place::new();
    place.set(UNASKED);
    let served = Served::start(&place);
    let asked = json!({ "intent": SUM });
    let (status, text) = served.ask("/api/workflow/execute", Some(&asked));
    assert_eq!(status, 200, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["status"], "ail_required", "{told}");
    served.running.kill();

    let served = Served::start(&place);
    let path = format!(
        "/api/workflow/{}/status",
        told["workflow_id"].as_str().unwrap()
    );
    assert_eq!(served.get(&path), told);
    let own = served.token.clone();
    let added = place.run(&["access", "add", "bea", "--role", "analyst", "--json"]);
    let added: Value = serde_json::from_str(&added.out).unwrap();
    let bea = served.with_token(added["token"].as_str().unwrap());
    assert_eq!(bea.ask(&path, None).0, 404);
    let answer = choose(&told, "execute_suggested");
    let (status, text) = bea.ask("/api/workflow/execute", Some(&answer));
    assert_eq!(status, 403, "{text}");

    let served = bea.with_token(&own);
    let (status, text) = served.ask("/api/workflow/execute", Some(&answer));
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("\"complete\""), "{text}");
    let other = choose(&told, "abort");
    let (status, text) = served.ask("/api/workflow/execute", Some(&other));
    assert_eq!((status, text.contains("ADJ-6259")), (409, true), "{text}");
}
