use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use adjutant_mcp_client::{ConnectError, Reach, Secret};
use adjutant_mission::{EffectClass, FailureKind, Lease, Provenance};
use adjutant_tools::{Registry, Tool, ToolFailure};
use serde_json::{Value, json};

use crate::support::{
    call, call_with, find, looking, misbehaving, program, settings, standing, tools,
};

const SHORT: Duration = Duration::from_millis(700);

async fn call_of(mode: &str, tool: &str) -> Result<Value, ToolFailure> {
    let tools = tools(misbehaving(mode)).await;
    call(find(&tools, tool), json!({})).await
}

async fn failure_of(mode: &str, tool: &str) -> (FailureKind, String) {
    let failure = call_of(mode, tool).await.unwrap_err();
    (failure.kind().unwrap(), failure.to_string())
}

fn contains(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is not in: {text}");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let standing = standing(settings(program("no-such-server", &[]))).await;
    let error = standing.tools.unwrap_err();
    assert_eq!(
        error,
        ConnectError::NoProgram {
            program: "no-such-server".into()
        }
    );
    contains(&error.help("srv"), "[mcp.srv]");
}

#[tokio::test]
async fn a_server_that_ends_at_once_is_quoted() {
    let standing = standing(misbehaving("ends-at-once")).await;
    let error = standing.tools.unwrap_err().to_string();
    contains(&error, "exit status: 7");
    contains(&error, "no licence");
}

#[tokio::test]
async fn a_server_that_is_never_ready_is_left_out_in_time() {
    let mut settings = misbehaving("never-ready");
    settings.start_limit = SHORT;
    let error = standing(settings).await.tools.unwrap_err();
    assert!(matches!(error, ConnectError::Silent { .. }), "{error}");
}

#[tokio::test]
async fn a_call_that_hangs_is_given_up_and_the_server_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let script = crate::support::here("misbehaving.py");
    let mut settings = looking(program(
        "python3",
        &[&script, "hangs", log.to_str().unwrap()],
    ));
    settings.call_limit = SHORT;
    let tools = tools(settings).await;

    let looked = call(find(&tools, "look"), json!({})).await.unwrap_err();
    assert_eq!(looked.kind(), Some(FailureKind::TimedOut), "{looked}");
    let worked = call(find(&tools, "work"), json!({})).await.unwrap_err();
    assert_eq!(worked.kind(), Some(FailureKind::OutcomeUnknown), "{worked}");

    let started = processes(&log);
    assert_eq!(started.len(), 2, "the second call got a server of its own");
    all_end(started).await;
}

/// A session of its own, a parent that is gone and another name help nobody.
#[tokio::test]
async fn what_a_server_started_ends_with_it() {
    for (mode, why) in [
        ("leaves-children", "did not answer"),
        ("leaves-children-and-ends", "exit status: 4"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let script = crate::support::here("misbehaving.py");
        let mut settings = settings(program("python3", &[&script, mode, log.to_str().unwrap()]));
        settings.call_limit = Duration::from_secs(3);
        let tools = tools(settings).await;
        let failure = call(find(&tools, "look"), json!({})).await.unwrap_err();
        contains(&failure.to_string(), why);
        let started = processes(&log);
        assert_eq!(started.len(), 3, "{mode}");
        all_end(started).await;
    }
}

/// Whatever became of us: of a host that is killed only its end of the pipe is left, and the kernel closes that.
#[test]
fn a_server_does_not_outlive_its_host() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let text = log.display();
    let script = format!(
        "setsid sh -c 'trap \"\" TERM HUP; echo start $$ >> {text}; sleep 3600; :' </dev/null & \
         echo start $$ >> {text}; wait"
    );
    let mut keeper = Command::new(env!("CARGO_BIN_EXE_adjutant-mcp-keeper"))
        .args(["sh", "-c", &script])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let began = std::time::Instant::now();
    while std::fs::read_to_string(&log).map_or(0, |text| text.lines().count()) < 2 {
        assert!(began.elapsed() < Duration::from_secs(10));
        std::thread::yield_now();
    }
    drop(keeper.stdin.take());
    keeper.wait().unwrap();
    for id in processes(&log) {
        assert!(!is_running(id), "{id}");
    }
}

/// Killing is immediate, but the kernel may still be at it.
async fn all_end(processes: Vec<u32>) {
    for id in processes {
        let gone = async {
            while is_running(id) {
                tokio::task::yield_now().await
            }
        };
        tokio::time::timeout(Duration::from_secs(10), gone)
            .await
            .unwrap();
    }
}

/// Another host may have taken over while the server was starting.
#[tokio::test]
async fn without_a_lease_only_what_may_be_repeated_is_sent() {
    let mut settings = misbehaving("hangs");
    settings.call_limit = SHORT;
    let tools = tools(settings).await;
    let lost = Lease::new(|| false);
    let worked = call_with(find(&tools, "work"), json!({}), lost.clone()).await;
    let worked = worked.unwrap_err();
    assert_eq!(worked.kind(), Some(FailureKind::Temporary), "{worked}");
    contains(&worked.to_string(), "nothing was sent");
    // The server hangs once it is called.
    let looked = call_with(find(&tools, "look"), json!({}), lost).await;
    let looked = looked.unwrap_err();
    assert_eq!(looked.kind(), Some(FailureKind::TimedOut), "{looked}");
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled_and_the_server_stays() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let script = crate::support::here("cancelled.py");
    let tools = tools(settings(program(
        "python3",
        &[&script, log.to_str().unwrap()],
    )))
    .await;
    let tool = find(&tools, "wait");
    assert!(
        tokio::time::timeout(SHORT, call(tool, json!({})))
            .await
            .is_err()
    );
    let done = call(tool, json!({ "now": true })).await.unwrap();
    assert_eq!(done["text"], "cancelled before: 1");
}

fn processes(log: &Path) -> Vec<u32> {
    let text = std::fs::read_to_string(log).unwrap();
    let starts = text.lines().filter_map(|line| line.strip_prefix("start "));
    starts.map(|id| id.parse().unwrap()).collect()
}

fn is_running(id: u32) -> bool {
    // A process that has ended and was not yet waited for counts as ended.
    match std::fs::read_to_string(format!("/proc/{id}/stat")) {
        Ok(stat) => !stat.contains(") Z "),
        Err(_) => false,
    }
}

#[tokio::test]
async fn the_servers_end_with_us() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let script = crate::support::here("misbehaving.py");
    let tools = tools(settings(program(
        "python3",
        &[&script, "well", log.to_str().unwrap()],
    )))
    .await;
    let started = processes(&log);
    assert!(is_running(started[0]));
    drop(tools);
    all_end(started).await;
}

#[tokio::test]
async fn a_server_that_dies_in_a_call() {
    let (kind, message) = failure_of("dies", "look").await;
    assert_eq!(kind, FailureKind::Temporary, "{message}");
    contains(&message, "exit status: 3");
    contains(&message, "out of paper");
    let (kind, _) = failure_of("dies", "work").await;
    assert_eq!(kind, FailureKind::OutcomeUnknown);
}

#[tokio::test]
async fn endless_output_is_cut_off() {
    let (kind, message) = failure_of("endless-line", "look").await;
    assert_eq!(kind, FailureKind::Temporary);
    contains(&message, "a message of more than 8388608 bytes");
    let (_, message) = failure_of("endless-lines", "look").await;
    contains(
        &message,
        "lines that are not messages, such as `not a message`",
    );
    let (_, message) = failure_of("endless-notices", "look").await;
    contains(&message, "unsolicited messages");
}

#[tokio::test]
async fn garbage_wrong_ids_and_second_answers_are_passed_over() {
    assert_eq!(call_of("chatters", "look").await.unwrap()["text"], "done");
    assert_eq!(call_of("wrong-id", "look").await.unwrap()["text"], "right");
    let tools = tools(misbehaving("twice")).await;
    for _ in 0..2 {
        let given = call(find(&tools, "look"), json!({})).await.unwrap();
        assert_eq!(given["text"], "first");
    }
}

/// At once: the limit of a call here is 20 seconds.
#[tokio::test]
async fn broken_answers_and_answers_to_a_text_fail_at_once() {
    for (mode, code) in [("broken", "ADJ-6195"), ("text-id", "ADJ-6196")] {
        let (kind, message) = failure_of(mode, "look").await;
        assert_eq!(kind, FailureKind::Temporary, "{message}");
        contains(&message, code);
        let (kind, message) = failure_of(mode, "work").await;
        assert_eq!(kind, FailureKind::OutcomeUnknown, "{message}");
    }
}

#[tokio::test]
async fn what_the_server_asks_for_is_refused() {
    let said = call_of("asks", "look").await.unwrap();
    assert_eq!(said["text"], "sampling/createMessage, decline, none");
}

#[tokio::test]
async fn a_tool_that_changes_is_not_called_any_more() {
    let tools = tools(misbehaving("changes")).await;
    assert!(call(find(&tools, "work"), json!({})).await.is_ok());
    let failure = call(find(&tools, "look"), json!({})).await.unwrap_err();
    assert_eq!(failure.kind(), Some(FailureKind::Permanent));
    contains(&failure.to_string(), "has changed since Adjutant started");
    assert!(call(find(&tools, "work"), json!({})).await.is_ok());
}

#[tokio::test]
async fn failures_and_refusals_are_told() {
    let (kind, message) = failure_of("fails", "work").await;
    assert_eq!(kind, FailureKind::Permanent);
    assert_eq!(message, "the tool failed: the printer is on fire");
    let (kind, message) = failure_of("refuses", "work").await;
    assert_eq!(kind, FailureKind::Permanent);
    contains(&message, "not today");
}

#[tokio::test]
async fn a_result_that_is_not_what_was_promised_fails_its_schema() {
    let tools = tools(misbehaving("lies")).await;
    let tool = find(&tools, "look");
    let given = call(tool, json!({})).await.unwrap();
    let mut registry = Registry::new();
    registry.register(Box::new(tool.clone())).unwrap();
    let registered = registry.get("srv.look").unwrap();
    assert!(!registered.output().unwrap().check(&given).is_empty());
}

#[tokio::test]
async fn parts_keep_their_kind_and_have_limits() {
    let given = call_of("parts", "look").await.unwrap();
    assert_eq!(given["text"], "one\ntwo");
    assert_eq!(
        given["parts"],
        json!([
            { "kind": "image", "mime": "image/png", "data": "aGk=" },
            { "kind": "audio", "mime": "audio/wav", "left_out_bytes": 3_000_000 },
            { "kind": "resource", "uri": "file:///a", "text": "inside" },
            { "kind": "link", "uri": "file:///b", "name": "b" },
        ])
    );
}

#[tokio::test]
async fn only_the_given_environment_is_seen() {
    let mut settings = misbehaving("environment");
    if let Reach::Program { environment, .. } = &mut settings.reach {
        environment.insert("API_KEY".into(), Secret::new("x"));
    }
    let tools = tools(settings).await;
    let given = call(find(&tools, "look"), json!({})).await.unwrap();
    let seen = given["text"].as_str().unwrap();
    let ours: Vec<&str> = seen.split(',').filter(|name| *name != "LC_CTYPE").collect();
    assert_eq!(ours, ["API_KEY", "HOME", "PATH"]);
}

#[tokio::test]
async fn more_tools_than_the_limit_are_said() {
    let standing = standing(misbehaving("many")).await;
    assert_eq!(standing.tools.unwrap().len(), 200);
    contains(&standing.left_out[0].why, "200 tools");
}

#[tokio::test]
async fn odd_tools_are_renamed_or_left_out() {
    let standing = standing(misbehaving("odd-tools")).await;
    let tools = standing.tools.unwrap();
    let ids: Vec<String> = tools
        .iter()
        .map(|tool| tool.manifest().id.to_string())
        .collect();
    assert_eq!(ids.len(), 5, "{ids:?}");
    let mut sorted = ids.clone();
    sorted.dedup();
    assert_eq!(sorted, ids);
    assert_eq!(find(&tools, "a b").original_name(), "a b");
    let left: Vec<&str> = standing
        .left_out
        .iter()
        .map(|left| left.what.as_str())
        .collect();
    assert_eq!(
        left,
        [
            "its tool `work`",
            "its tool `remote`",
            "its tool `wrong`",
            "its tool `large`"
        ]
    );

    let manifest = find(&tools, "work").manifest();
    assert_eq!(manifest.description, "Does it. Twice.");
    assert_eq!(manifest.class, EffectClass::Once);
    assert_eq!(manifest.provenance, Provenance::Outside);
    assert_eq!(find(&tools, "look").manifest().class, EffectClass::Pure);
}
