//! The tools that run programs, in the sandbox.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant_mission::{EffectId, EffectNumber, Lease, MissionId, TenantId, Timestamp};
use adjutant_sandbox::Sandbox;
use adjutant_tools::{Call, Registry, TENANT_DEFAULT, ToolFailure, ToolSettings};
use serde_json::{Value, json};

fn settings(folder: &Path) -> ToolSettings {
    ToolSettings {
        programs: ["/bin/sh", "cat", "no-such-program"]
            .map(String::from)
            .into(),
        sandbox: Some(Sandbox {
            program: PathBuf::from(env!("CARGO_BIN_EXE_adjutant-tools-sandbox-child")),
            arguments: Vec::new(),
        }),
        ..ToolSettings::new(folder, Arc::new(|| Timestamp(0)))
    }
}

async fn call(settings: ToolSettings, tool: &str, arguments: Value) -> Result<Value, String> {
    let registry = Registry::builtin(settings).unwrap();
    let registered = registry.get(tool).unwrap();
    assert_eq!(registered.input().check(&arguments), []);
    let call = Call {
        tenant: TenantId::new(TENANT_DEFAULT).unwrap(),
        effect: EffectId {
            mission: MissionId::from_bits(7),
            number: EffectNumber::new(1),
        },
        arguments,
        lease: Lease::default(),
    };
    let result = registered.tool().call(call).await;
    if let (Ok(value), Some(schema)) = (&result, registered.output()) {
        assert_eq!(schema.check(value), []);
    }
    result.map_err(|failure| match failure {
        ToolFailure::Failed { kind, message } => format!("{kind:?}: {message}"),
        ToolFailure::Deferred { .. } => panic!("deferred"),
    })
}

async fn code(arguments: Value) -> Result<Value, String> {
    call(settings(Path::new("unused")), "run_code", arguments).await
}

async fn sh(folder: &Path, script: &str) -> Result<Value, String> {
    let arguments = json!({ "program": "/bin/sh", "args": ["-c", script] });
    call(settings(folder), "run_command", arguments).await
}

#[tokio::test]
async fn code_gets_files_and_gives_them_back() {
    let script = "import sys\n\
                  rows = open('rows.csv').read().split()\n\
                  print(sum(map(int, rows)) + int(sys.stdin.read()))\n\
                  open('text', 'w').write('ä'); open('bytes', 'wb').write(open('raw', 'rb').read())";
    let result = code(json!({
        "language": "python", "code": script, "stdin": "1",
        "files": { "rows.csv": "1\n2\n3\n", "raw": { "base64": "/wD+" } },
        "wanted": ["text", "bytes"],
    }));
    assert_eq!(
        result.await.unwrap(),
        json!({
            "exit_code": 0, "stdout": "7\n", "stderr": "", "truncated": false,
            "files": { "text": "ä", "bytes": { "base64": "/wD+" } },
        })
    );
}

#[tokio::test]
async fn code_that_fails_says_how() {
    let failed = code(json!({ "language": "python", "code": "1 / 0" })).await;
    assert_eq!(
        failed.unwrap_err(),
        "Permanent: the code ended with exit code 1: ZeroDivisionError: division by zero \
         (add 1 to `accept_exit` if that is fine)"
    );
    let fine = json!({ "language": "shell", "code": "exit 4", "accept_exit": [4] });
    assert_eq!(code(fine).await.unwrap()["exit_code"], 4);
    let slow = json!({ "language": "shell", "code": "sleep 60", "timeout": 0.2 });
    assert_eq!(
        code(slow).await.unwrap_err(),
        "TimedOut: the code ran longer than 200ms and was killed"
    );
    let missing = json!({ "language": "shell", "code": "true", "wanted": ["x"] });
    assert_eq!(
        code(missing).await.unwrap_err(),
        "Permanent: the file `x` was requested, but it does not exist"
    );
    let outside = json!({ "language": "shell", "code": "true", "files": { "../x": "" } });
    let message = code(outside).await.unwrap_err();
    assert!(
        message.starts_with("BadInput: `../x` is not a valid file name"),
        "{message}"
    );
}

#[tokio::test]
async fn without_a_sandbox_nothing_is_run() {
    let home = tempfile::tempdir().unwrap();
    let none = || ToolSettings {
        sandbox: None,
        ..settings(home.path())
    };
    let script = json!({ "language": "shell", "code": "true" });
    let message = call(none(), "run_code", script).await.unwrap_err();
    assert!(
        message.starts_with("Denied: no sandbox is available"),
        "{message}"
    );
    let arguments = json!({ "program": "/bin/sh", "args": ["-c", "echo > ran"] });
    let message = call(none(), "run_command", arguments).await.unwrap_err();
    assert!(
        message.starts_with("Denied: no sandbox is available")
            && message.ends_with("[tools.run_command] sandbox = \"off\""),
        "{message}"
    );
    assert!(!home.path().join("ran").exists());
}

#[tokio::test]
async fn a_command_works_in_its_folder_and_nowhere_else() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("files");
    let script = "echo one > kept; echo two > ../out; cat /etc/shadow; ls /root; echo $HOME $LANG";
    let result = sh(&folder, script).await.unwrap();
    assert_eq!(result["stdout"], "/tmp C.UTF-8\n");
    assert_eq!(
        std::fs::read_to_string(folder.join("kept")).unwrap(),
        "one\n"
    );
    assert!(!home.path().join("out").exists());
}

#[tokio::test]
async fn a_command_keeps_its_contract() {
    let home = tempfile::tempdir().unwrap();
    let call = |arguments| call(settings(home.path()), "run_command", arguments);
    let echoed = call(json!({ "program": "cat", "args": ["-"], "stdin": "$HOME; äöü" })).await;
    assert_eq!(
        echoed.unwrap(),
        json!({ "exit_code": 0, "stdout": "$HOME; äöü", "stderr": "", "truncated": false })
    );
    let message = call(json!({ "program": "ls" })).await.unwrap_err();
    assert!(
        message.starts_with("Denied: the program `ls` is not allowed"),
        "{message}"
    );
    let message = call(json!({ "program": "no-such-program" }))
        .await
        .unwrap_err();
    assert!(
        message.starts_with("Permanent: the program `no-such-program` is not installed"),
        "{message}"
    );
    assert_eq!(
        sh(home.path(), "echo why >&2; exit 3").await.unwrap_err(),
        "Permanent: `/bin/sh` ended with exit code 3: why (add 3 to `accept_exit` if that is fine)"
    );
    let began = Instant::now();
    let slow = json!({ "program": "/bin/sh", "args": ["-c", "sleep 60"], "timeout": 0.2 });
    let message = call(slow).await.unwrap_err();
    assert!(
        message.starts_with("OutcomeUnknown: `/bin/sh` ran longer than 200ms"),
        "{message}"
    );
    assert!(began.elapsed() < Duration::from_secs(40));
}
