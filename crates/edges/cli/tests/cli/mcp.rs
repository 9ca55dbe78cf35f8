//! Missions that call MCP servers of others, and what is said of servers that are not there.

use std::process::Command;

use serde_json::Value;

use crate::support::Place;

const PLAN: &str = r#"
title: When Tokyo has lunch
tasks:
  - id: convert
    tool: time.convert_time
    with: {source_timezone: Asia/Tokyo, time: "12:00", target_timezone: UTC}
  - {id: slow, after: convert, tool: sleep, with: {seconds: 2}}
  - id: note
    after: slow
    tool: files.write_file
    with: {path: "{{inputs.file}}", content: "{{convert.output.target.datetime}}"}
  - id: read
    after: note
    tool: files.read_text_file
    with: {path: "{{inputs.file}}"}
"#;

fn said_by(command: &mut Command) -> String {
    let done = command.output().unwrap();
    let complaints = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{complaints}");
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

fn with_servers() -> Place {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../scripts/mcp-servers/install"
    );
    let installed = said_by(Command::new("bash").arg(script));
    let node = said_by(Command::new("bash").args(["-c", "command -v node"]));
    let place = Place::new();
    let folder = place.path().canonicalize().unwrap().join("notes");
    std::fs::create_dir(&folder).unwrap();
    let folder = folder.display();
    place.set(format!(
            r#"
[mcp.time]
command = ["{installed}/python/bin/python", "-m", "mcp_server_time", "--local-timezone", "UTC"]
read_only = ["convert_time"]
start_seconds = 60

[mcp.files]
command = ["{node}", "{installed}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", "{folder}"]
tools = ["read_text_file", "write_file"]
read_only = ["read_text_file"]
class = {{ write_file = "idempotent" }}
start_seconds = 60
"#
        ),
    );
    let inputs = format!("inputs: {{file: {folder}/lunch.txt}}");
    place.write("plan.yaml", format!("{PLAN}{inputs}\n"));
    place
}

#[test]
fn a_mission_calls_two_servers_and_survives_a_kill() {
    let place = with_servers();
    let running = place.start(&["run", "plan.yaml", "--yes"]);
    running.until("started    slow");
    running.kill();
    let up = place.start(&["up"]);
    up.until("1 mission to continue");
    up.until("completed");
    let written = std::fs::read_to_string(place.path().join("notes/lunch.txt")).unwrap();
    assert!(written.contains("T03:00"), "{written}");

    up.signal("-INT");
    assert_eq!(up.end().0, Some(0));
    assert_eq!(place.run(&["verify", "--all"]).code, 0);
}

#[test]
fn their_tools_are_listed_shown_and_called() {
    let place = with_servers();
    let listed = place.run(&["tools", "list", "--json"]).out;
    let tools: Vec<Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let class_of = |id: &str| {
        let found = tools.iter().find(|tool| tool["id"] == id);
        found.map(|tool| (tool["class"].clone(), tool["provenance"].clone()))
    };
    let outside = |class: &str| Some((Value::from(class), Value::from("outside")));
    assert_eq!(class_of("files.read_text_file"), outside("pure"));
    assert_eq!(class_of("files.write_file"), outside("idempotent"));
    assert_eq!(class_of("files.move_file"), None);

    let shown = place.run(&["tools", "show", "time.convert_time"]).out;
    assert!(shown.contains("target_timezone"), "{shown}");
    let with = r#"{"source_timezone":"UTC","time":"00:30","target_timezone":"Asia/Kolkata"}"#;
    let called = place.run(&["tools", "call", "time.convert_time", with]);
    assert_eq!((called.code, called.err.as_str()), (0, ""));
    assert!(called.out.contains("06:00"), "{}", called.out);
    let wrong = place.run(&["tools", "call", "time.convert_time", "{}"]);
    assert_eq!(wrong.code, 2, "{}", wrong.err);

    let doctor = place.run(&["doctor"]).out;
    assert!(doctor.contains("files, 2 tools"), "{doctor}");
    assert!(doctor.contains("time, 2 tools"), "{doctor}");
}

#[test]
fn a_server_that_is_not_there_is_left_out_and_plans_that_need_it_say_so() {
    let place = Place::new();
    place.set("[mcp.time]\ncommand = ['no-such-server']\n");
    place.write("plan.yaml", format!("{PLAN}inputs: {{file: a}}\n"));
    let why = "the MCP server `time` is not used: the program `no-such-server` is not installed";
    let listed = place.run(&["tools", "list"]);
    assert_eq!(listed.code, 0);
    assert!(
        listed.err.contains("note[ADJ-6090]") && listed.err.contains(why),
        "{}",
        listed.err
    );
    let checked = place.run(&["plan", "check", "plan.yaml", "--json"]);
    assert_eq!(checked.code, 2);
    let told = format!("there is no tool `time.convert_time`: {why}");
    assert!(checked.out.contains(&told), "{}", checked.out);
    let doctor = place.run(&["doctor"]);
    assert_eq!((doctor.code, doctor.err.as_str()), (4, ""));
    assert!(doctor.out.contains("no-such-server"), "{}", doctor.out);
    // Stopping a tool waits for nobody.
    let stopped = place.run(&["stop", "tool", "time.convert_time", "--reason", "it lies"]);
    assert_eq!(stopped.code, 0, "{}", stopped.err);
    assert!(!stopped.err.contains("ADJ-6090"), "{}", stopped.err);
}

#[test]
fn a_tool_of_a_server_can_be_a_delegate() {
    let place = with_servers();
    let file = place.home().join("adjutant.toml");
    let settings = std::fs::read_to_string(&file).unwrap();
    let reads = r#"read_only = ["convert_time"]"#;
    assert!(settings.contains(reads));
    let settings = settings.replace(reads, r#"read_only = ["convert_time", "get_current_time"]"#);
    place.set(format!(
        "{settings}\n[delegates.clock]\ntool = \"time.get_current_time\"\nargument = \"timezone\"\n\
         [delegates.gone]\ntool = \"time.no_such_tool\"\n"
    ));
    let told = place.run(&["tools", "call", "delegate.clock", r#"{"goal": "UTC"}"#]);
    assert_eq!(told.code, 0, "{}", told.err);
    let told: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(told["delegate"], "clock");
    assert!(told["answer"].as_str().unwrap().contains("UTC"), "{told}");

    let files = r#"{"goal": "UTC", "output_files": ["a"]}"#;
    let refused = place.run(&["tools", "call", "delegate.clock", files]);
    assert!(refused.err.contains("ADJ-6310"), "{}", refused.err);
    let gone = place.run(&["tools", "call", "delegate.gone", r#"{"goal": "UTC"}"#]);
    assert!(
        gone.err.contains("ADJ-6301") && gone.err.contains("time.no_such_tool"),
        "{}",
        gone.err
    );
    // It is not shown as if it were there, nor as harmless.
    let doctor = place.run(&["doctor"]);
    assert_eq!(doctor.code, 4, "{}", doctor.out);
    let line = doctor.out.lines().find(|line| line.contains("gone"));
    assert!(
        line.is_some_and(|line| line.contains("ADJ-6301")),
        "{}",
        doctor.out
    );
    let shown = place.run(&["tools", "show", "delegate.gone", "--json"]).out;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["class"], "once", "{shown}");
    let about = shown["description"].as_str().unwrap();
    assert!(about.starts_with("Cannot be used:"), "{about}");
}
