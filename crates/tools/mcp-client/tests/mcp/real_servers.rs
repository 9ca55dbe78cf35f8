//! Servers that others wrote, as they are published.

use std::path::Path;
use std::process::Stdio;

use adjutant_mcp_client::Reach;
use adjutant_mission::EffectClass;
use adjutant_tools::{Registry, Tool};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::support::{call, find, installed, program, settings, tools};

const EVERYTHING: &str = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
const FILES: &str = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";

fn node(script: &str, arguments: &[&str]) -> Reach {
    let script = installed().join(script);
    let mut all = vec![script.to_str().unwrap()];
    all.extend(arguments);
    program("node", &all)
}

fn python(module: &str, arguments: &[&str]) -> Reach {
    let python = installed().join("python/bin/python");
    let mut all = vec!["-m", module];
    all.extend(arguments);
    program(python.to_str().unwrap(), &all)
}

fn fits(tool: &adjutant_mcp_client::RemoteTool, given: &Value) {
    let mut registry = Registry::new();
    registry.register(Box::new(tool.clone())).unwrap();
    let registered = registry.get(tool.manifest().id.as_str()).unwrap();
    assert_eq!(registered.output().unwrap().check(given), []);
}

#[tokio::test]
async fn everything_over_standard_input() {
    let tools = tools(settings(node(EVERYTHING, &["stdio"]))).await;
    let echo = find(&tools, "echo");
    let given = call(echo, json!({ "message": "hello" })).await.unwrap();
    assert_eq!(given["text"], "Echo: hello");
    fits(echo, &given);
    let image = find(&tools, "get-tiny-image");
    let given = call(image, json!({})).await.unwrap();
    assert_eq!(given["parts"][0]["kind"], "image");
    fits(image, &given);
    let structured = find(&tools, "get-structured-content");
    let given = call(structured, json!({ "location": "New York" }))
        .await
        .unwrap();
    assert!(given["temperature"].is_number(), "{given}");
    fits(structured, &given);
}

/// Kills the server when the test ends.
async fn serve(script: &Path, port: u16) -> Child {
    let mut child = Command::new("node")
        .args([script.to_str().unwrap(), "streamableHttp"])
        .env("PORT", port.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        if line.contains("listening on port") {
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return child;
        }
    }
    panic!("it ended before it listened");
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[tokio::test]
async fn everything_over_http() {
    let port = free_port();
    let _server = serve(&installed().join(EVERYTHING), port).await;
    let tools = tools(settings(Reach::Address {
        url: format!("http://127.0.0.1:{port}/mcp"),
        headers: [].into(),
        key: None,
    }))
    .await;
    let sum = find(&tools, "get-sum");
    let given = call(sum, json!({ "a": 19, "b": 23 })).await.unwrap();
    assert!(given["text"].as_str().unwrap().contains("42"), "{given}");
    let long = find(&tools, "trigger-long-running-operation");
    let given = call(long, json!({ "duration": 0.2, "steps": 2 }))
        .await
        .unwrap();
    assert!(
        given["text"].as_str().unwrap().contains("completed"),
        "{given}"
    );
}

#[tokio::test]
async fn files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    std::fs::write(folder.join("a.txt"), "from a file").unwrap();
    let tools = tools(settings(node(FILES, &[folder.to_str().unwrap()]))).await;
    let read = find(&tools, "read_text_file");
    // The server says that this one reads only.
    assert_eq!(read.manifest().class, EffectClass::Once);
    let given = call(read, json!({ "path": folder.join("a.txt") }))
        .await
        .unwrap();
    assert_eq!(given["content"], "from a file");
    fits(read, &given);
    let failure = call(read, json!({ "path": "/etc/passwd" }))
        .await
        .unwrap_err();
    assert!(failure.to_string().contains("Access denied"), "{failure}");
}

#[tokio::test]
async fn time() {
    let tools = tools(settings(python(
        "mcp_server_time",
        &["--local-timezone", "UTC"],
    )))
    .await;
    let convert = find(&tools, "convert_time");
    let with =
        json!({ "source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo" });
    let given = call(convert, with).await.unwrap();
    let there = given["target"]["datetime"].as_str().unwrap();
    assert!(there.contains("T21:00"), "{given}");
    fits(convert, &given);
}

#[tokio::test]
async fn git() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let made = std::process::Command::new("git")
        .args(["init", "-q", path])
        .status();
    assert!(made.unwrap().success());
    let tools = tools(settings(python("mcp_server_git", &["--repository", path]))).await;
    let status = find(&tools, "git_status");
    let given = call(status, json!({ "repo_path": path })).await.unwrap();
    assert!(
        given["text"].as_str().unwrap().contains("No commits yet"),
        "{given}"
    );
}
