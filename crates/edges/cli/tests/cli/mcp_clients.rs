//! Adjutant as an MCP server to programs that others wrote: the official clients in Python and TypeScript, over standard
//! input and output and over HTTP, and the command line of the Inspector.

use std::process::Command;

use serde_json::{Value, json};

use crate::serving::Served;
use crate::support::Place;

const ADJUTANT: &str = env!("CARGO_BIN_EXE_adjutant");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where the clients are; they are installed if they are not there.
fn installed() -> String {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../scripts/mcp-servers/install"
    );
    let done = Command::new("bash").arg(script).output().unwrap();
    let complaints = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{complaints}");
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

/// A client of another make, in the folder of a place.
fn client(place: &Place, program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(place.path())
        .env("ADJUTANT_HOME", place.home())
        .env("ADJUTANT_USER", "anna")
        .env("TZ", "UTC");
    command
}

/// What a client wrote that must succeed.
fn told(mut client: Command) -> String {
    let done = client.output().unwrap();
    let out = String::from_utf8_lossy(&done.stdout).into_owned();
    let complaints = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{out}\n{complaints}");
    out
}

fn script(name: &str) -> String {
    format!("{}/tests/clients/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn python_story(mode: &str, transport: &str, server: &str) -> String {
    let python = format!("{}/python/bin/python", installed());
    let place = Place::new();
    let arguments = [&script("story.py"), ADJUTANT, mode, transport, server];
    let out = told(client(&place, &python, &arguments));
    assert!(out.contains("done msn_"), "{out}");
    assert_eq!(place.run(&["verify", "--all"]).code, 0);
    out
}

fn typescript_story(transport: &str, server: &str) {
    let installed = installed();
    let place = Place::new();
    let arguments = [
        &script("story.mjs"),
        ADJUTANT,
        &installed,
        transport,
        server,
    ];
    let out = told(client(&place, "node", &arguments));
    assert!(out.contains("done msn_"), "{out}");
    assert_eq!(place.run(&["verify", "--all"]).code, 0);
}

fn speaks_as_adjutant(transport: &str) {
    for (mode, revision) in [("auto", "2026-07-28"), ("legacy", "2025-11-25")] {
        let out = python_story(mode, transport, "stays");
        assert!(out.contains(&format!("speaks {revision}")), "{out}");
        let server = format!("server adjutant Adjutant {VERSION}");
        assert!(out.contains(&server), "{mode}: {out}");
    }
}

#[test]
fn the_official_python_client_runs_the_story_in_both_revisions() {
    speaks_as_adjutant("stdio");
}

#[test]
fn the_official_python_client_runs_the_story_over_http_in_both_revisions() {
    speaks_as_adjutant("http");
}

#[test]
fn a_server_that_is_killed_between_any_two_calls_tells_the_same_story() {
    python_story("auto", "stdio", "killed");
}

#[test]
fn a_server_over_http_that_is_killed_between_any_two_calls_tells_the_same_story() {
    for mode in ["auto", "legacy"] {
        python_story(mode, "http", "killed");
    }
}

#[test]
fn the_official_typescript_client_runs_the_story() {
    for server in ["stays", "killed"] {
        typescript_story("stdio", server);
    }
}

#[test]
fn the_official_typescript_client_runs_the_story_over_http() {
    for server in ["stays", "killed"] {
        typescript_story("http", server);
    }
}

/// Written from docs/mcp-server.md alone, by somebody who had seen neither the code nor the other clients.
fn outsider(transport: &str, server: &str) {
    let python = format!("{}/python/bin/python", installed());
    let place = Place::new();
    let arguments = [&script("outside.py"), ADJUTANT, transport, server];
    let out = told(client(&place, &python, &arguments));
    assert!(out.contains("done msn_"), "{out}");
}

#[test]
fn a_client_written_from_the_document_alone_gets_along() {
    outsider("stdio", "stays");
    outsider("stdio", "killed");
}

#[test]
fn a_client_written_from_the_document_alone_gets_along_over_http() {
    outsider("http", "stays");
    outsider("http", "killed");
}

/// The Inspector's command line, on one server.
struct Inspector<'a> {
    place: &'a Place,
    /// Its program, and the folder that it wants to be started in.
    program: String,
    folder: String,
    server: Vec<String>,
}

impl Inspector<'_> {
    fn ask(&self, method: &str, more: &[&str]) -> Value {
        let mut arguments = vec![self.program.as_str()];
        arguments.extend(self.server.iter().map(String::as_str));
        arguments.extend(["--method", method]);
        arguments.extend(more);
        let mut command = client(self.place, "node", &arguments);
        command.current_dir(&self.folder);
        serde_json::from_str(&told(command)).unwrap()
    }

    fn call(&self, tool: &str, arguments: &Value) -> Value {
        let pairs = arguments.as_object().unwrap().iter();
        let pairs: Vec<String> = pairs
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let mut more = vec!["--tool-name", tool];
        for pair in &pairs {
            more.extend(["--tool-arg", pair]);
        }
        self.ask("tools/call", &more)
    }
}

/// Lists everything and calls every tool: with arguments that fit where something is to happen, and otherwise so that it
/// is refused with a code.
fn inspects_everything(inspector: &Inspector<'_>) {
    let names = |list: &Value, key: &str| -> Vec<String> {
        let items = list.as_array().unwrap().iter();
        items
            .map(|item| item[key].as_str().unwrap().to_owned())
            .collect()
    };
    let tools = names(&inspector.ask("tools/list", &[])["tools"], "name");
    assert_eq!(tools.len(), 12, "{tools:?}");
    let tasks = json!([{ "id": "one", "tool": "noop", "arguments": { "value": 1 } }]);
    let started = inspector.call("execute_workflow", &json!({ "tasks": tasks }));
    let workflow = started["structuredContent"]["workflow_id"].clone();
    assert!(workflow.is_string(), "{started}");
    let of = json!({ "workflow_id": workflow });
    let mission =
        json!({ "mission": "deep_dive", "objective": "Does the lamp last longer than a year?" });
    for (tool, arguments, code) in [
        ("workflow_status", of.clone(), ""),
        ("workflow_results", of.clone(), ""),
        ("search_tools", json!({ "query": "template" }), ""),
        ("list_missions", json!({}), ""),
        ("inbox", json!({}), ""),
        ("report", of.clone(), ""),
        ("continue", of.clone(), "ADJ-6230"),
        ("replan_dag", of.clone(), "ADJ-6231"),
        (
            "approval_response",
            json!({ "workflow_id": workflow, "checkpoint": 0, "approved": true }),
            "ADJ-6228",
        ),
        ("start_mission", mission, ""),
        ("abort", of.clone(), ""),
    ] {
        assert!(tools.iter().any(|known| known == tool), "{tool}");
        let result = inspector.call(tool, &arguments);
        let text = result["content"][0]["text"].as_str().unwrap();
        match code {
            "" => assert!(!text.is_empty(), "{tool}: {result}"),
            code => assert!(text.contains(code), "{tool}: {result}"),
        }
    }
    let prompts = names(&inspector.ask("prompts/list", &[])["prompts"], "name");
    assert!(
        prompts.iter().any(|name| name == "deep_dive"),
        "{prompts:?}"
    );
    let named = [
        "--prompt-name",
        "deep_dive",
        "--prompt-args",
        "objective=Lamps?",
    ];
    let prompt = inspector.ask("prompts/get", &named);
    assert!(prompt.to_string().contains("Lamps?"), "{prompt}");
    let templates = inspector.ask("resources/templates/list", &[]);
    assert_eq!(templates["resourceTemplates"].as_array().unwrap().len(), 4);
    let resources = names(&inspector.ask("resources/list", &[])["resources"], "uri");
    assert!(resources.len() >= 4, "{resources:?}");
    let own = format!("adjutant://missions/{}/", workflow.as_str().unwrap());
    let own: Vec<&String> = resources
        .iter()
        .filter(|uri| uri.starts_with(&own))
        .collect();
    for uri in own.iter().filter(|uri| !uri.ends_with("/deliverable")) {
        let read = inspector.ask("resources/read", &["--uri", uri]);
        let text = read["contents"][0]["text"].as_str().unwrap();
        assert!(
            text.starts_with('{') && text.len() < 40_000,
            "{uri}: {read}"
        );
    }
}

#[test]
fn the_inspector_lists_and_calls_everything() {
    let installed = installed();
    let folder = format!("{installed}/node_modules/@modelcontextprotocol/inspector-cli/build");
    let place = Place::new();
    let inspector = |server: Vec<String>| Inspector {
        place: &place,
        program: format!("{folder}/index.js"),
        folder: folder.clone(),
        server,
    };
    inspects_everything(&inspector(vec![ADJUTANT.into(), "mcp".into()]));

    let served = Served::start(&place);
    let url = format!("{}/mcp", served.address);
    let header = format!("Authorization: Bearer {}", served.token);
    let over_http = ["--transport", "http", "--header", &header];
    let mut server = vec![url];
    server.extend(over_http.map(str::to_owned));
    inspects_everything(&inspector(server));
}
