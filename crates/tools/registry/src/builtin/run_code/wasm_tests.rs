use std::path::Path;

use serde_json::{Value, json};

use crate::ToolFailure;
use crate::builtin::testing::{call, failure, settings};

/// Reads its input and writes it to standard output and to the file `out`.
const ECHO: &str = r#"(module
    (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "path_open"
        (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
    (memory (export "memory") 1)
    (data (i32.const 100) "out")
    (func (export "_start")
        (i32.store (i32.const 0) (i32.const 200)) (i32.store (i32.const 4) (i32.const 64))
        (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 4)))
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
        (drop (call $open (i32.const 3) (i32.const 0) (i32.const 100) (i32.const 3) (i32.const 1)
            (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 40)))
        (drop (call $write (i32.load (i32.const 40)) (i32.const 0) (i32.const 1) (i32.const 8)))))"#;

async fn wasm(code: &str, more: Value) -> Result<Value, ToolFailure> {
    let mut arguments = json!({ "language": "wasm", "code": code });
    for (name, value) in more.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    call(settings(Path::new("unused")), "run_code", arguments).await
}

fn command(body: &str) -> String {
    format!(
        "(module (import \"wasi_snapshot_preview1\" \"proc_exit\" (func $exit (param i32)))
            (memory (export \"memory\") 1) (func (export \"_start\") {body}))"
    )
}

#[tokio::test]
async fn gives_the_same_fields_as_other_languages() {
    let result = wasm(ECHO, json!({ "stdin": "ä", "wanted": ["out"] })).await;
    let wanted = json!({
        "exit_code": 0, "stdout": "ä", "stderr": "", "truncated": false, "files": { "out": "ä" },
    });
    assert_eq!(result.unwrap(), wanted);
    // `(module (func (export "_start")))`
    let module = "base64:AGFzbQEAAAABBAFgAAADAgEABwoBBl9zdGFydAAACgQBAgAL";
    assert_eq!(wasm(module, json!({})).await.unwrap()["exit_code"], 0);
}

#[tokio::test]
async fn says_how_code_failed() {
    let four = command("(call $exit (i32.const 4))");
    assert_eq!(
        failure(wasm(&four, json!({})).await),
        "Permanent: the code ended with exit code 4 (add 4 to `accept_exit` if that is fine)"
    );
    let fine = wasm(&four, json!({ "accept_exit": [4] })).await;
    assert_eq!(fine.unwrap()["exit_code"], 4);
    let endless = command("(loop $again (br $again))");
    assert_eq!(
        failure(wasm(&endless, json!({ "timeout": 0.05 })).await),
        "TimedOut: the code ran longer than 50ms and was killed"
    );
    let trap = failure(wasm(&command("unreachable"), json!({})).await);
    assert!(trap.starts_with("Permanent: the code failed: "), "{trap}");
    let missing = failure(wasm(&command(""), json!({ "wanted": ["x"] })).await);
    assert_eq!(
        missing,
        "Permanent: the file `x` was requested, but it does not exist"
    );
    for code in ["(module", "base64:AAAA", "base64:%"] {
        let refused = failure(wasm(code, json!({})).await);
        assert!(refused.starts_with("BadInput: "), "{refused}");
    }
}

#[tokio::test]
async fn is_offered_where_there_is_no_sandbox() {
    let arguments = json!({ "language": "shell", "code": "true" });
    let refused = call(settings(Path::new("unused")), "run_code", arguments).await;
    let message = failure(refused);
    assert!(
        message.ends_with("code in `wasm` runs without one"),
        "{message}"
    );
}
