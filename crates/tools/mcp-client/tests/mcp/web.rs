//! A server over HTTP that misbehaves.

use std::process::Stdio;
use std::time::Duration;

use adjutant_mcp_client::{ConnectError, Reach, Secret, ServerSettings};
use adjutant_mission::FailureKind;
use adjutant_tools::ToolFailure;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::support::{call, find, here, looking, standing, tools};

struct Site {
    port: u16,
    _process: Child,
}

impl Site {
    async fn start() -> Self {
        let mut process = Command::new("python3")
            .arg(here("misbehaving_web.py"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.next_line().await.unwrap().unwrap();
        Self {
            port: port.parse().unwrap(),
            _process: process,
        }
    }

    fn settings(&self, mode: &str, key: Option<&str>) -> ServerSettings {
        let mut settings = looking(Reach::Address {
            url: format!("http://127.0.0.1:{}/{mode}", self.port),
            headers: [].into(),
            key: key.map(Secret::new),
        });
        settings.call_limit = Duration::from_secs(10);
        settings
    }

    async fn call(&self, mode: &str, tool: &str) -> Result<Value, ToolFailure> {
        let tools = tools(self.settings(mode, None)).await;
        call(find(&tools, tool), json!({})).await
    }

    async fn connect_error(&self, mode: &str) -> ConnectError {
        standing(self.settings(mode, Some("wrong")))
            .await
            .tools
            .unwrap_err()
    }
}

#[tokio::test]
async fn answers_as_json_and_as_events() {
    let site = Site::start().await;
    for mode in ["plain", "events", "session"] {
        assert_eq!(
            site.call(mode, "work").await.unwrap()["text"],
            "done",
            "{mode}"
        );
    }
}

#[tokio::test]
async fn a_key_is_sent_and_a_wrong_one_is_told() {
    let site = Site::start().await;
    let error = site.connect_error("key").await;
    assert_eq!(error, ConnectError::Refused { status: 401 });
    assert_eq!(
        error.help("srv"),
        "Check `key_env` and `headers` under [mcp.srv]."
    );
    let tools = tools(site.settings("key", Some("right"))).await;
    assert!(call(find(&tools, "work"), json!({})).await.is_ok());
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let site = Site::start().await;
    let error = site.connect_error("redirect").await.to_string();
    assert!(error.contains("redirects to `127.0.0.2`"), "{error}");
}

#[tokio::test]
async fn a_page_is_no_server() {
    let site = Site::start().await;
    let error = site.connect_error("page").await;
    assert!(matches!(error, ConnectError::Protocol { .. }), "{error}");
    let nobody = ServerSettings {
        reach: Reach::Address {
            url: "http://127.0.0.1:9/mcp".into(),
            headers: [].into(),
            key: None,
        },
        ..site.settings("", None)
    };
    let error = standing(nobody).await.tools.unwrap_err();
    assert!(matches!(error, ConnectError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn lost_answers_are_in_doubt() {
    let site = Site::start().await;
    for mode in ["huge", "half", "breaks"] {
        let failure = site.call(mode, "work").await.unwrap_err();
        assert_eq!(
            failure.kind(),
            Some(FailureKind::OutcomeUnknown),
            "{mode}: {failure}"
        );
        let failure = site.call(mode, "look").await.unwrap_err();
        assert_eq!(
            failure.kind(),
            Some(FailureKind::Temporary),
            "{mode}: {failure}"
        );
    }
}

#[tokio::test]
async fn answers_that_are_none_fail_at_once() {
    let site = Site::start().await;
    let wrong = [
        ("broken-event", "ADJ-6195"),
        ("text-id-event", "ADJ-6196"),
        ("text-id", "ADJ-6196"),
    ];
    for (mode, code) in wrong {
        let failure = site.call(mode, "work").await.unwrap_err();
        assert_eq!(
            failure.kind(),
            Some(FailureKind::OutcomeUnknown),
            "{mode}: {failure}"
        );
        assert!(failure.to_string().contains(code), "{mode}: {failure}");
    }
}
