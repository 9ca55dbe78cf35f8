//! Requests over MCP that do not fit, that come twice, and that read what there is of a mission.

use serde_json::{Value, json};

use crate::mcp_server::{Client, decide, two_steps};
use crate::serving::Served;
use crate::support::Place;

#[test]
fn wrong_parameters_are_not_an_unknown_method() {
    let place = Place::new();
    let mut client = Client::of(&place);
    for (method, params, code, told) in [
        (
            "tools/call",
            json!({ "name": "inbox", "arguments": [1] }),
            -32602,
            "`arguments` must be an object",
        ),
        (
            "tools/call",
            json!({ "name": "inbox", "arguments": "all" }),
            -32602,
            "`arguments` must be an object",
        ),
        (
            "tools/call",
            json!({ "arguments": {} }),
            -32602,
            "`name` must be a text",
        ),
        (
            "resources/read",
            json!({ "uri": 7 }),
            -32602,
            "`uri` must be a text",
        ),
        ("tools/remove", json!({}), -32601, "tools/remove"),
    ] {
        let answer = client.request(method, &params);
        assert_eq!(answer["error"]["code"], code, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(told), "{answer}");
        assert_eq!(message.contains("ADJ-6238"), code == -32602, "{answer}");
    }
}

/// What a refusal says to whoever reads only its text.
#[test]
fn arguments_that_do_not_fit_are_told_in_plain_words() {
    let place = Place::new();
    let mut client = Client::of(&place);
    let permissive = json!({
        "mission": "deep_dive", "objective": "Does the lamp last?", "autonomy": "permissive",
    });
    for (tool, arguments, told) in [
        ("start_mission", permissive, "`autonomy` must be one of"),
        (
            "workflow_status",
            json!({ "workflow_id": [] }),
            "`workflow_id` must be a text",
        ),
        (
            "list_missions",
            json!({ "limit": "ten" }),
            "`limit` must be a whole number",
        ),
        ("inbox", json!({ "all": true }), "`all` is not known here"),
        (
            "execute_workflow",
            json!({ "tasks": [{ "id": 7 }] }),
            "`tasks[0].id` must be a text",
        ),
    ] {
        let (code, text) = client.refused(tool, arguments);
        assert_eq!(code, "ADJ-6221", "{text}");
        assert!(text.contains(told), "{text}");
        for internal in ["invalid type", "expected", "variant", "u64", "at line"] {
            assert!(!text.contains(internal), "{text}");
        }
    }
    let listed = client.told("list_missions", json!({ "limit": null }));
    assert_eq!(listed["missions"], json!([]), "nothing was started");
}

#[test]
fn a_key_stands_for_one_change() {
    let place = Place::new();
    let mut client = Client::of(&place);
    let told = client.told("execute_workflow", two_steps());
    let workflow = told["workflow_id"].clone();
    decide(&place, &told, "approve");
    client.told("workflow_status", json!({ "workflow_id": workflow }));
    let change = |value: u32| {
        json!({
            "workflow_id": workflow,
            "tasks": [{ "id": "three", "tool": "noop", "arguments": { "value": value }, "depends_on": ["one"] }],
            "new_requirement": "Count further",
            "idempotency_key": "change-1",
        })
    };
    client.told("replan_dag", change(3));
    client.told("replan_dag", change(3));
    // Nor does it matter that the program was started again in between.
    let mut again = Client::of(&place);
    again.told("replan_dag", change(3));
    let (code, text) = again.refused("replan_dag", change(4));
    assert_eq!(code, "ADJ-6229", "{text}");
    let shown = place
        .run(&["events", workflow.as_str().unwrap(), "--json"])
        .out;
    assert_eq!(shown.matches("plan_changed/1").count(), 1, "{shown:.600}");
}

fn read(client: &mut Client, uri: &str) -> Value {
    client.request("resources/read", &json!({ "uri": uri }))
}

#[test]
fn a_journal_is_read_part_by_part_to_its_end() {
    let place = Place::new();
    place.set("[workflows]\napproved_in_advance = [\"plan_approval\", \"final_review\"]\n");
    let mut client = Client::of(&place);
    let task =
        |n: u32| json!({ "id": format!("t{n}"), "tool": "noop", "arguments": { "value": n } });
    let tasks: Vec<Value> = (0..60).map(task).collect();
    let told = client.told("execute_workflow", json!({ "tasks": tasks }));
    assert_eq!(told["status"], "complete", "{told:.300}");
    let workflow = told["workflow_id"].as_str().unwrap().to_owned();
    let base = format!("adjutant://missions/{workflow}");

    let (mut seen, mut parts) = (0, 0);
    let mut next = Some(format!("{base}/journal"));
    while let Some(uri) = next {
        let answer = read(&mut client, &uri);
        let contents = answer["result"]["contents"].as_array().unwrap();
        let text = contents[0]["text"].as_str().unwrap();
        assert!(text.len() < 20_000, "{uri}: {} bytes", text.len());
        for line in text.lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            seen += 1;
            assert_eq!(event["seq"], seen, "each event once and in order");
        }
        parts += 1;
        next = contents
            .get(1)
            .map(|more| more["uri"].as_str().unwrap().to_owned());
    }
    assert!(parts > 1 && seen > 120, "{parts} parts, {seen} events");

    let passport = read(&mut client, &format!("{base}/passport"));
    let contents = passport["result"]["contents"].as_array().unwrap();
    assert!(contents[0]["text"].as_str().unwrap().len() < 20_000);
    let more = contents[1]["text"].as_str().unwrap();
    assert!(
        more.contains(&format!("GET /api/missions/{workflow}")),
        "{more}"
    );

    for uri in [
        format!("{base}/diary"),
        format!("{base}/journal?from=x"),
        "adjutant://missions/msn_00000000000000000000000001/journal".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        let answer = read(&mut client, &uri);
        assert_eq!(answer["error"]["code"], -32002, "{uri}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("ADJ-"), "{uri}: {answer}");
    }
}

/// Over HTTP there is no session in which a client says once who it is.
#[test]
fn a_server_over_http_says_who_it_is_and_records_who_asks() {
    let place = Place::new();
    let served = Served::start(&place);
    let request = |id: u32, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "coder", "version": "1" },
    });
    let (status, text) = served.ask("/mcp", Some(&request(1, "initialize", hello)));
    assert_eq!(status, 200, "{text}");
    let answer: Value = serde_json::from_str(&text).unwrap();
    let info = &answer["result"]["serverInfo"];
    assert_eq!(info["name"], "adjutant", "{answer}");
    assert_eq!(info["title"], "Adjutant", "{answer}");
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"), "{answer}");
    assert!(!text.contains("rmcp"), "{text}");

    let call = json!({ "name": "execute_workflow", "arguments": two_steps() });
    let (status, text) = served.ask("/mcp", Some(&request(2, "tools/call", call)));
    assert_eq!(status, 200, "{text}");
    let answer: Value = serde_json::from_str(&text).unwrap();
    let workflow = answer["result"]["structuredContent"]["workflow_id"]
        .as_str()
        .unwrap();
    let events = place.run(&["events", workflow, "--json"]).out;
    assert!(events.contains("program:"), "{events:.400}");
    assert!(!events.contains("rmcp"), "{events:.400}");

    let wrong = json!({ "name": "inbox", "arguments": 7 });
    let (_, text) = served.ask("/mcp", Some(&request(3, "tools/call", wrong)));
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

fn slow(seconds: u32) -> Value {
    json!([
        { "id": "one", "tool": "noop", "arguments": { "value": 1 } },
        { "id": "two", "tool": "sleep", "arguments": { "seconds": seconds }, "depends_on": ["one"] },
    ])
}

const UNASKED: &str = "[workflows]\napproved_in_advance = [\"plan_approval\", \"final_review\"]\n";

/// A task has no state but the journal: another server finds it as it is.
#[test]
fn a_workflow_that_runs_is_a_task_for_clients_that_offer_tasks() {
    let place = Place::new();
    place.set(UNASKED);
    let offers = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let mut client = Client::offering(&place, &offers);
    let call = json!({
        "name": "execute_workflow",
        "arguments": { "tasks": slow(3), "wait_seconds": 0 },
    });
    let answer = client.request("tools/call", &call);
    let task = answer["result"]["taskId"].as_str().unwrap().to_owned();
    assert_eq!(answer["result"]["status"], "working", "{answer}");
    drop(client);

    let mut client = Client::offering(&place, &offers);
    let found = loop {
        let answer = client.request("tasks/get", &json!({ "taskId": task }));
        match answer["result"]["status"].as_str() {
            Some("working") => std::thread::yield_now(),
            _ => break answer,
        }
    };
    assert_eq!(found["result"]["status"], "completed", "{found}");
    let told = &found["result"]["result"]["structuredContent"];
    assert_eq!(told["status"], "complete", "{found}");

    let call = json!({
        "name": "execute_workflow",
        "arguments": { "tasks": slow(600), "wait_seconds": 0 },
    });
    let answer = client.request("tools/call", &call);
    let task = json!({ "taskId": answer["result"]["taskId"] });
    let cancelled = client.request("tasks/cancel", &task);
    assert!(cancelled["error"].is_null(), "{cancelled}");
    let found = loop {
        let answer = client.request("tasks/get", &task);
        match answer["result"]["status"].as_str() {
            Some("working") => std::thread::yield_now(),
            _ => break answer,
        }
    };
    assert_eq!(found["result"]["status"], "cancelled", "{found}");
    let unknown = client.request("tasks/get", &json!({ "taskId": "everything" }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");

    // Whoever does not offer tasks gets the answer itself.
    let mut plain = Client::of(&place);
    let told = plain.told(
        "execute_workflow",
        json!({ "tasks": slow(1), "wait_seconds": 0 }),
    );
    assert!(told["workflow_id"].is_string(), "{told}");
}

#[test]
fn a_client_that_asks_for_it_hears_how_far_its_call_is() {
    let place = Place::new();
    place.set(UNASKED);
    let mut client = Client::of(&place);
    let call = json!({
        "name": "execute_workflow",
        "arguments": { "tasks": slow(5) },
        "_meta": { "progressToken": "p1" },
    });
    let (notices, answer) = client.heard("tools/call", &call);
    assert_eq!(
        answer["result"]["structuredContent"]["status"], "complete",
        "{answer}"
    );
    let first = &notices[0];
    assert_eq!(first["method"], "notifications/progress", "{first}");
    assert_eq!(first["params"]["progressToken"], "p1", "{first}");
    assert_eq!(first["params"]["total"], 2.0, "{first}");
    assert_eq!(
        first["params"]["message"], "1 of 2 tasks have ended",
        "{first}"
    );
}

#[test]
fn the_program_of_somebody_else_answers_with_a_verdict_or_not_at_all() {
    let place = Place::new();
    place.set("[workflows]\napprovers = [\"bea\"]\n");
    let mut anna = Client::of(&place);
    let told = anna.told("execute_workflow", two_steps());
    let workflow = told["workflow_id"].clone();
    let mut answer = json!({ "workflow_id": told["workflow_id"], "checkpoint": 0 });
    let mut other = Client::of_person(&place, "bea");
    let (code, text) = other.refused("approval_response", answer.clone());
    assert_eq!(code, "ADJ-6242", "{text}");
    answer["approved"] = true.into();
    let told = other.told("approval_response", answer);
    assert_eq!(told["status"], "layer_complete", "{told}");
    assert_eq!(told["accumulated_results"][0][0]["id"], "one", "{told}");

    let passes =
        json!({ "workflow_id": workflow, "checkpoint": told["checkpoint"], "results": false });
    let told = anna.told("continue", passes);
    assert_eq!(told["approvals"][0]["kind"], "final_review", "{told}");
    assert_eq!(told["accumulated_results"], json!([]), "{told}");
    decide(&place, &told, "approve");
    let told = anna.told("abort", json!({ "workflow_id": workflow }));
    assert_eq!(told["status"], "complete", "{told}");
    assert!(
        told["next"]
            .as_str()
            .unwrap()
            .contains("nothing was aborted")
    );
}

#[test]
fn what_our_own_tools_say_of_themselves_is_not_marked() {
    let place = Place::new();
    let found = Client::of(&place).told("search_tools", json!({ "query": "file", "limit": 20 }));
    assert!(found.to_string().contains("replace_file"), "{found}");
    assert!(!found.to_string().contains('⟦'), "{found}");
}

#[test]
fn tools_are_found_by_what_they_do_and_first_by_their_names() {
    let place = Place::new();
    let mut client = Client::of(&place);
    let mut first = |query: &str| {
        let found = client.told("search_tools", json!({ "query": query, "limit": 1 }));
        found["tools"][0]["tool"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    for (query, tool) in [
        ("read the text of a web page", "L5-WEB"),
        ("draw a bar chart", "L5-VIZ"),
        ("what patents are there on hinges", "L5-PT"),
        ("Merge sources", "merge_sources"),
    ] {
        assert_eq!(first(query), tool, "{query}");
    }
    assert_ne!(first("list files in a folder"), "reference_list");
    for tool in [
        "L5-PS",
        "l5-ps",
        "template",
        "report",
        "path",
        "recall",
        "L5-RAG",
        "write_file",
    ] {
        assert_eq!(first(tool).to_lowercase(), tool.to_lowercase());
    }
}

#[test]
fn a_line_that_is_no_message_is_answered_and_the_next_one_is_heard() {
    let place = Place::new();
    let mut client = Client::of(&place);
    client.say("hello");
    let deep = format!("{}{}", "[".repeat(130), "]".repeat(130));
    client.say(&format!(
        r#"{{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{{"name":"inbox","arguments":{deep}}}}}"#
    ));
    let (before, answer) = client.heard("tools/list", &json!({}));
    assert!(answer["result"]["tools"].is_array(), "{answer}");
    let ids: Vec<&Value> = before.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&Value::Null, &json!("deep")], "{before:?}");
    assert!(
        before
            .iter()
            .all(|answer| answer["error"]["code"] == -32700)
    );
}
