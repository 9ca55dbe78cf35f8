//! What programs are told: in words of their own calls and fields, only what would be accepted, and who truly acted.

use serde_json::{Value, json};

use crate::mcp_server::{Client, decide, two_steps};
use crate::support::Place;

/// Words that are of use only at a terminal or in a plan file.
const OF_OTHERS: [&str; 6] = [
    "`after`",
    "docs/",
    "`--",
    "`tasks:`",
    "patch",
    "adjutant list",
];

#[test]
fn refusals_name_the_calls_and_fields_that_a_program_has() {
    let place = Place::new();
    let mut client = Client::of(&place);
    let told = client.told("execute_workflow", two_steps());
    let workflow = told["workflow_id"].clone();
    let task = |id: &str, on: &[&str], value: &str| json!({ "id": id, "tool": "noop", "arguments": { "value": value }, "depends_on": on });
    let graph = |tasks: Value| json!({ "tasks": tasks });
    let change = |field: &str, value: Value| json!({ "workflow_id": workflow, field: value });
    let unknown = json!({ "workflow_id": "msn_00000000000000000000000001" });
    for (tool, arguments, code, part) in [
        (
            "execute_workflow",
            graph(json!([task("a", &["a"], "")])),
            "ADJ-1005",
            "`depends_on`",
        ),
        (
            "execute_workflow",
            graph(json!([task("a", &[], ""), task("b", &[], "{{a.output}}")])),
            "ADJ-1009",
            "add it to `depends_on`",
        ),
        (
            "execute_workflow",
            graph(json!([{ "id": "a", "tool": "no_such_tool_at_all" }])),
            "ADJ-1008",
            "search_tools",
        ),
        ("workflow_status", unknown, "ADJ-6021", "list_missions"),
        (
            "replan_dag",
            change("drop", json!(["one"])),
            "ADJ-1004",
            "Keep `one`, or change `two`",
        ),
        (
            "replan_dag",
            change("drop", json!(["nothing"])),
            "ADJ-1104",
            "workflow_results",
        ),
        (
            "replan_dag",
            change("new_requirement", json!("Zzyzx qwrtp")),
            "ADJ-6253",
            "search_tools",
        ),
        (
            "start_mission",
            json!({ "mission": "no_such_mission", "objective": "Why?" }),
            "ADJ-6102",
            "prompts",
        ),
    ] {
        let (found, text) = client.refused(tool, arguments);
        assert_eq!(found, code, "{text}");
        assert!(text.contains(part), "{tool}: {text}");
        for word in OF_OTHERS {
            assert!(!text.contains(word), "{tool}: {word}: {text}");
        }
    }
}

#[test]
fn a_list_says_of_each_workflow_what_the_workflow_itself_says() {
    let place = Place::new();
    let mut client = Client::of(&place);
    let asks = client.told("execute_workflow", two_steps());
    let told = client.told("execute_workflow", two_steps());
    decide(&place, &told, "approve");
    client.told(
        "workflow_status",
        json!({ "workflow_id": told["workflow_id"] }),
    );
    let aborted = client.told("execute_workflow", two_steps());
    let gone = json!({ "workflow_id": aborted["workflow_id"] });
    client.told("abort", gone);
    let listed = client.told("list_missions", json!({}));
    let listed = listed["missions"].as_array().unwrap();
    assert_eq!(listed.len(), 3);
    for (told, status) in [
        (&asks, "awaiting_approval"),
        (&told, "layer_complete"),
        (&aborted, "aborted"),
    ] {
        let id = &told["workflow_id"];
        let row = listed.iter().find(|row| row["workflow_id"] == *id).unwrap();
        let own = client.told(
            "workflow_status",
            json!({ "workflow_id": id, "wait_seconds": 0 }),
        );
        assert_eq!(own["status"], status, "{own}");
        assert_eq!(row["status"], status, "{row}");
        assert!(row["phase"].is_null(), "{row}");
    }
}

#[test]
fn a_failed_task_is_advised_about_as_the_workflow_would_accept_it() {
    let place = Place::new();
    place.set("[workflows]\napproved_in_advance = [\"plan_approval\", \"final_review\"]\n");
    let mut client = Client::of(&place);
    let fails = json!({ "id": "fails", "tool": "calc", "arguments": { "expression": "1 / 0" } });
    let other = |on: &[&str]| json!({ "id": "other", "tool": "noop", "arguments": { "value": 1 }, "depends_on": on });

    let told = client.told("execute_workflow", json!({ "tasks": [fails, other(&[])] }));
    let instead = told["approvals"][0]["instead"].as_str().unwrap();
    assert!(instead.ends_with("; or with its id in `drop`."), "{told}");
    let drop = json!({ "workflow_id": told["workflow_id"], "drop": ["fails"] });
    let done = client.told("replan_dag", drop);
    assert_eq!(done["status"], "complete", "{done}");

    let told = client.told(
        "execute_workflow",
        json!({ "tasks": [fails, other(&["fails"])] }),
    );
    let instead = told["approvals"][0]["instead"].as_str().unwrap();
    assert!(instead.ends_with("what needs it: `other`."), "{told}");
    let drop = json!({ "workflow_id": told["workflow_id"], "drop": ["fails"] });
    let (code, _) = client.refused("replan_dag", drop);
    assert_eq!(code, "ADJ-1004");
    let both = json!({
        "workflow_id": told["workflow_id"], "drop": ["fails"], "tasks": [other(&[])],
    });
    let done = client.told("replan_dag", both);
    assert_eq!(done["status"], "complete", "{done}");
}

#[test]
fn a_forbidden_call_is_refused_before_anybody_is_asked_and_a_cut_budget_is_told() {
    let place = Place::new();
    place.set("[tools.run_command]\nprograms = [\"/bin/true\"]\n");
    let mut client = Client::of(&place);
    for (tool, arguments, part) in [
        (
            "run_command",
            json!({ "program": "/bin/false" }),
            "tasks[0].arguments.program",
        ),
        (
            "write_file",
            json!({ "path": "../a.txt", "text": "x" }),
            "tasks[0].arguments.path",
        ),
        (
            "http_post",
            json!({ "url": "https://example.org/", "body": "x" }),
            "tasks[0].arguments.url",
        ),
    ] {
        let tasks = json!([{ "id": "a", "tool": tool, "arguments": arguments }]);
        let (code, text) = client.refused("execute_workflow", json!({ "tasks": tasks }));
        assert_eq!(code, "ADJ-1014", "{text}");
        assert!(text.contains(part), "{text}");
    }
    let listed = client.told("list_missions", json!({}));
    assert_eq!(listed["missions"], json!([]), "nothing was started");

    let tasks =
        json!([{ "id": "a", "tool": "run_command", "arguments": { "program": "/bin/true" } }]);
    for (wanted, is_cut) in [(0.5, false), (5.0, true)] {
        let asked = json!({ "tasks": tasks, "config": { "max_cost": wanted } });
        let told = client.told("execute_workflow", asked);
        assert_eq!(told["status"], "awaiting_approval", "{told}");
        let note = told["note"].as_str().unwrap_or_default();
        assert_eq!(note.contains("`workflows.budget`"), is_cut, "{told}");
    }
}

#[test]
fn who_approved_through_a_program_is_shown_with_the_program() {
    let place = Place::new();
    place.set("[workflows]\napprovers = [\"bea\"]\n");
    let mut anna = Client::of(&place);
    let told = anna.told("execute_workflow", two_steps());
    let mut bea = Client::of_person(&place, "bea");
    let answer = json!({
        "workflow_id": told["workflow_id"], "checkpoint": 0, "approved": true, "feedback": "fine",
    });
    let told = bea.told("approval_response", answer);
    // It is not bea's program that may continue what anna's started.
    assert_eq!(told["status"], "layer_complete", "{told}");
    let options = told["options"].as_array().unwrap();
    let values: Vec<&str> = options
        .iter()
        .map(|option| option["value"].as_str().unwrap())
        .collect();
    assert!(
        !values.contains(&"continue") && !values.contains(&"replan"),
        "{told}"
    );
    let id = told["workflow_id"].as_str().unwrap();
    for command in ["show", "events"] {
        let shown = place.run(&[command, id]).out;
        assert!(
            shown.contains("bea through program:anna"),
            "{command}: {shown}"
        );
    }
    let shown = place.run(&["show", id]).out;
    assert!(shown.contains("bea through program:anna: fine"), "{shown}");
}
