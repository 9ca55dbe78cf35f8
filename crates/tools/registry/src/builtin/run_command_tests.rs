use std::time::Instant;

use serde_json::json;

use super::super::testing::{call, failure, settings};
use super::*;

async fn run(arguments: Value) -> Result<Value, ToolFailure> {
    let home = tempfile::tempdir().unwrap();
    call(settings(home.path()), "run_command", arguments).await
}

async fn sh(script: &str, more: Value) -> Result<Value, ToolFailure> {
    let mut arguments = json!({ "program": "/bin/sh", "args": ["-c", script] });
    for (name, value) in more.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    run(arguments).await
}

/// Killing is asynchronous, and a killed orphan stays a zombie until someone reaps it.
fn dies(pid: &str) -> bool {
    let stat = format!("/proc/{}/stat", pid.trim());
    let began = Instant::now();
    while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z")) {
        if began.elapsed() > Duration::from_secs(10) {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

#[tokio::test]
async fn passes_arguments_and_input_without_a_shell() {
    let result = run(json!({ "program": "cat", "args": ["-"], "stdin": "$HOME; äöü" })).await;
    let wanted =
        json!({ "exit_code": 0, "stdout": "$HOME; äöü", "stderr": "", "truncated": false });
    assert_eq!(result.unwrap(), wanted);
}

#[tokio::test]
async fn a_program_that_does_not_read_its_input_is_fine() {
    let result = sh("exit 0", json!({ "stdin": "x".repeat(1_000_000) })).await;
    assert_eq!(result.unwrap()["exit_code"], 0);
}

#[tokio::test]
async fn the_environment_is_not_inherited() {
    let result = sh("echo \"[$HOME][$CARGO_MANIFEST_DIR][$LANG]\"", json!({})).await;
    assert_eq!(result.unwrap()["stdout"], "[][][C.UTF-8]\n");
}

#[tokio::test]
async fn only_allowed_programs_start() {
    for program in ["ls", "/tmp/cat", "./cat", "sh"] {
        let message = failure(run(json!({ "program": program })).await);
        assert!(
            message.starts_with("Denied: ")
                && message.ends_with(&format!("[tools.run_command] programs = [\"{program}\"]")),
            "{message}"
        );
    }
    let message = failure(run(json!({ "program": "no-such-program" })).await);
    assert!(
        message.starts_with("Permanent: the program `no-such-program` is not installed"),
        "{message}"
    );
}

#[tokio::test]
async fn an_exit_code_fails_unless_accepted() {
    let message = failure(sh("echo one >&2; echo two >&2; exit 3", json!({})).await);
    assert_eq!(
        message,
        "Permanent: `/bin/sh` ended with exit code 3: two (add 3 to `accept_exit` if that is fine)"
    );
    let result = sh("exit 3", json!({ "accept_exit": [1, 3] })).await;
    assert_eq!(result.unwrap()["exit_code"], 3);
    let message = failure(sh("kill -9 $$", json!({})).await);
    assert!(message.contains("ended by a signal"), "{message}");
}

#[tokio::test]
async fn a_program_that_takes_too_long_is_killed_with_all_it_started() {
    let home = tempfile::tempdir().unwrap();
    let script = "sleep 60 & echo $! > child; echo started >&2; wait";
    let arguments = json!({ "program": "/bin/sh", "args": ["-c", script], "timeout": 0.2 });
    let message = failure(call(settings(home.path()), "run_command", arguments).await);
    assert!(
        message.starts_with(
            "OutcomeUnknown: `/bin/sh` ran longer than 200ms and was killed: started; it is unknown whether"
        ),
        "{message}"
    );
    let child = std::fs::read_to_string(home.path().join("child")).unwrap();
    assert!(dies(&child), "the grandchild {child} lives on");
}

#[tokio::test]
async fn what_it_leaves_running_is_killed_and_holds_nothing_up() {
    let began = Instant::now();
    let result = sh("sleep 60 & echo $!", json!({})).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
    let child = result["stdout"].as_str().unwrap();
    assert!(dies(child), "the grandchild {child} lives on");
}

#[tokio::test]
async fn a_flood_of_output_is_cut_with_its_number() {
    let result = sh("head -c 3000000 /dev/zero | tr '\\0' x", json!({}))
        .await
        .unwrap();
    let stdout = result["stdout"].as_str().unwrap();
    assert_eq!(result["truncated"], true);
    assert!(
        stdout.ends_with("x\n[… 2737856 more bytes left out]"),
        "{}",
        &stdout[stdout.len() - 60..]
    );
    assert!(stdout.len() < STREAM_BYTES_MAX + 100);
}

#[tokio::test]
async fn an_endless_flood_ends_at_the_time_limit() {
    let message = failure(sh("yes", json!({ "timeout": 0.1 })).await);
    assert!(message.contains("ran longer than 100ms"), "{message}");
}

#[tokio::test]
async fn dropping_the_call_kills_the_program() {
    let home = tempfile::tempdir().unwrap();
    let pid_file = home.path().join("pid");
    std::process::Command::new("mkfifo")
        .arg(&pid_file)
        .status()
        .unwrap();
    let script = "echo $$ > pid; exec sleep 60";
    let arguments = json!({ "program": "/bin/sh", "args": ["-c", script] });
    let settings = settings(home.path());
    let running = call(settings, "run_command", arguments);
    let pid = tokio::select! {
        result = running => panic!("ended: {result:?}"),
        pid = tokio::fs::read_to_string(&pid_file) => pid.unwrap(),
    };
    assert!(dies(&pid), "{pid} lives on");
}
