//! Jobs that try to get out, to take too much, or never to end.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::time::{Duration, Instant};

use adjutant_wasm_sandbox::{
    BadJob, Code, Collected, End, Ended, FileIn, Job, LimitReached, Limits, MODULE_BYTES_MAX,
    RunFailure, WasmSandbox,
};

const NOT_SUPPORTED: i32 = 52;
const NOT_CAPABLE: i32 = 76;
const FAULT: i32 = 21;

/// A module whose `_start` has this body, with what the tests use of WASI.
fn module(body: &str) -> Job {
    Job::new(Code::Text(format!(
        r#"(module
            (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
            (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
            (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
            (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
            (import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
            (import "wasi_snapshot_preview1" "sock_send" (func $send (param i32 i32 i32 i32 i32) (result i32)))
            (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
            (import "wasi_snapshot_preview1" "path_open"
                (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
            (memory (export "memory") 1)
            (func $deep (call $deep) (call $deep))
            (func $start (export "_start") (local $i i32) {body}))"#
    )))
}

async fn run(job: Job) -> Result<Ended, RunFailure> {
    WasmSandbox::new().run(job).await
}

async fn ended(job: Job) -> Ended {
    run(job).await.unwrap()
}

async fn refused(job: Job) -> String {
    run(job).await.unwrap_err().to_string()
}

/// What a body gives when its last value is its exit code.
async fn exit_code(body: &str) -> i32 {
    match ended(module(&format!("(call $exit {body})"))).await.end {
        End::Exit(code) => code,
        other => panic!("{other:?}"),
    }
}

fn text(code: &str) -> Job {
    Job::new(Code::Text(code.into()))
}

fn endless(body: &str) -> Job {
    module(&format!("(loop $again {body} (br $again))"))
}

/// Opens the path at 100 and writes 3 bytes from 200 to it.
const COPY: &str = r"
    (i32.store (i32.const 0) (i32.const 200)) (i32.store (i32.const 4) (i32.const 64))
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 4)))
    (drop (call $open (i32.const 3) (i32.const 0) (i32.const 100) (i32.const 3) (i32.const 9)
        (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 40)))
    (drop (call $write (i32.load (i32.const 40)) (i32.const 0) (i32.const 1) (i32.const 8)))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))";

fn copy() -> Job {
    let put = "(i32.store (i32.const 100) (i32.const 0x74756f))";
    Job {
        stdin: b"abc".to_vec(),
        wanted: vec!["out".into(), "in".into(), "none".into()],
        files: vec![FileIn {
            name: "in".into(),
            bytes: b"given".to_vec(),
        }],
        ..module(&format!("{put} {COPY}"))
    }
}

#[tokio::test]
async fn a_command_reads_writes_and_leaves_files() {
    let ended = ended(copy()).await;
    assert_eq!(ended.end, End::Exit(0));
    assert_eq!(ended.stdout.bytes, b"abc");
    let contents: Vec<_> = ended.files.into_iter().map(|file| file.content).collect();
    assert_eq!(
        contents,
        [
            Collected::Bytes(b"abc".to_vec()),
            Collected::Bytes(b"given".to_vec()),
            Collected::Missing,
        ]
    );
}

#[tokio::test]
async fn the_same_job_gives_the_same_result() {
    let body = r"(drop (call $random (i32.const 100) (i32.const 1000)))
        (drop (call $time (i32.const 0) (i64.const 0) (i32.const 64)))
        (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 1036))
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))";
    let first = ended(module(body)).await;
    assert_eq!(first.stdout.bytes.len(), 1036);
    assert_eq!(
        first.stdout.bytes[..8],
        946_684_800_000_000_000u64.to_le_bytes()
    );
    assert_eq!(first, ended(module(body)).await);
    let other = Job {
        seed: 1,
        ..module(body)
    };
    assert_ne!(first.stdout, ended(other).await.stdout);
}

#[tokio::test]
async fn an_endless_loop_ends_by_fuel_and_by_the_clock() {
    let mut job = endless("");
    job.limits.fuel = 1_000_000;
    let ended_by_fuel = ended(job).await;
    let fuel = 1_000_000;
    assert_eq!(ended_by_fuel.end, End::Limit(LimitReached::Fuel { fuel }));
    assert!(ended_by_fuel.used.fuel <= fuel);
    let mut job = endless("");
    let wall = Duration::from_millis(50);
    (job.limits.wall, job.limits.fuel) = (wall, u64::MAX);
    let ended_by_clock = ended(job).await;
    assert_eq!(ended_by_clock.end, End::Limit(LimitReached::Wall { wall }));
}

#[tokio::test]
async fn calls_that_clear_many_locals_are_stopped_in_time() {
    let locals = "i64 ".repeat(20_000);
    let mut job = text(&format!(
        "(module (memory (export \"memory\") 1) (func $wide (local {locals}))
            (func (export \"_start\") (loop $again (call $wide) (br $again))))"
    ));
    let wall = Duration::from_millis(50);
    (job.limits.wall, job.limits.fuel) = (wall, u64::MAX);
    let begun = Instant::now();
    assert_eq!(
        ended(job).await.end,
        End::Limit(LimitReached::Wall { wall })
    );
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn a_job_nobody_waits_for_gives_its_turn_back() {
    let sandbox = WasmSandbox::new();
    let long = || {
        let mut job = endless("");
        (job.limits.wall, job.limits.fuel) = (Duration::from_secs(3600), u64::MAX);
        job
    };
    for _ in 0..2 * adjutant_wasm_sandbox::JOBS_AT_ONCE_MAX {
        let dropped = tokio::time::timeout(Duration::from_millis(20), sandbox.run(long())).await;
        assert!(dropped.is_err());
    }
    assert_eq!(sandbox.run(module("")).await.unwrap().end, End::Exit(0));
}

#[tokio::test]
async fn memory_has_a_limit() {
    let bytes = Limits::default().memory_bytes;
    let limit = End::Limit(LimitReached::Memory { bytes });
    let grown = ended(endless("(drop (memory.grow (i32.const 16)))")).await;
    assert_eq!(grown.end, limit);
    assert!(grown.used.memory_bytes_peak <= bytes);
    let at_once = "(module (memory (export \"memory\") 65536) (func (export \"_start\")))";
    assert_eq!(ended(text(at_once)).await.end, limit);
    let own_limit = "(module (memory 1 2)
        (func (export \"_start\") (if (i32.ne (memory.grow (i32.const 9)) (i32.const -1)) (then unreachable))))";
    assert_eq!(ended(text(own_limit)).await.end, End::Exit(0));
    let table = "(module (table 9000000 funcref) (func (export \"_start\")))";
    let end = ended(text(table)).await.end;
    assert!(
        matches!(end, End::Limit(LimitReached::Table { .. })),
        "{end:?}"
    );
}

#[tokio::test]
async fn a_gigabyte_of_output_is_counted_and_not_kept() {
    let body = "(i32.store (i32.const 4) (i32.const 65536))
        (loop $again
            (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get $i) (i32.const 16384))))";
    let ended = ended(module(body)).await;
    assert_eq!(ended.end, End::Exit(0));
    assert_eq!(ended.stdout.bytes.len(), 256 * 1024);
    assert_eq!(ended.stdout.left_out, (1 << 30) - 256 * 1024);
}

#[tokio::test]
async fn recursion_has_a_limit() {
    let end = ended(module("(call $deep)")).await.end;
    assert!(
        matches!(end, End::Limit(LimitReached::Stack { .. })),
        "{end:?}"
    );
}

#[tokio::test]
async fn addresses_outside_the_memory_are_faults() {
    for call in [
        "(call $random (i32.const -8) (i32.const 16))",
        "(call $random (i32.const 0) (i32.const -1))",
        "(call $write (i32.const 1) (i32.const -4) (i32.const 1) (i32.const 0))",
        "(call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 65535))",
        "(call $read (i32.const 0) (i32.const 65532) (i32.const 1) (i32.const 0))",
        "(call $time (i32.const 0) (i64.const 0) (i32.const 65529))",
        "(call $open (i32.const 3) (i32.const 0) (i32.const 65535) (i32.const 2) (i32.const 1)
            (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 0))",
    ] {
        assert_eq!(exit_code(call).await, FAULT, "{call}");
    }
    let buffer = "(block (result i32) (i32.store (i32.const 0) (i32.const 65000))
        (i32.store (i32.const 4) (i32.const 10000))
        (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))";
    assert_eq!(exit_code(buffer).await, FAULT);
    let trap = ended(module("(drop (i32.load (i32.const -1)))")).await.end;
    assert!(matches!(trap, End::Trap { .. }), "{trap:?}");
}

async fn open(path: &str) -> i32 {
    let stores: String = (100..)
        .zip(path.bytes())
        .map(|(at, byte)| format!("(i32.store8 (i32.const {at}) (i32.const {byte}))"))
        .collect();
    let len = path.len();
    exit_code(&format!(
        "(block (result i32) {stores}
            (call $open (i32.const 3) (i32.const 0) (i32.const 100) (i32.const {len}) (i32.const 1)
                (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 40)))"
    ))
    .await
}

#[tokio::test]
async fn paths_stay_in_the_folder() {
    for path in ["../x", "a/../../x", "a/..", "/etc/passwd", "/", ".."] {
        assert_eq!(open(path).await, NOT_CAPABLE, "{path}");
    }
    assert_eq!(open("a/b").await, 0);
    assert_eq!(open("./a//b").await, 0);
    assert_ne!(open(".").await, 0);
    assert_ne!(open("a\0b").await, 0);
    assert_ne!(open(&"a".repeat(300)).await, 0);
}

#[tokio::test]
async fn files_have_limits() {
    // Counts up in the name until a file is refused, and ends with how many there were.
    let body = "(loop $again
            (i32.store (i32.const 100) (i32.add (i32.const 0x61616161) (local.get $i)))
            (if (call $open (i32.const 3) (i32.const 0) (i32.const 100) (i32.const 4) (i32.const 1)
                    (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 40))
                (then (call $exit (local.get $i))))
            (drop (call $close (i32.load (i32.const 40))))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $again))";
    let mut job = module(body);
    job.limits.total_files = 10;
    assert_eq!(ended(job).await.end, End::Exit(10));
    let mut job = module(&body.replace("(drop (call $close (i32.load (i32.const 40))))", ""));
    job.limits.open_files = 10;
    assert_eq!(ended(job).await.end, End::Exit(6));
    let mut job = copy();
    job.limits.disk_bytes = 7;
    assert_eq!(
        ended(job).await.files[0].content,
        Collected::Bytes(Vec::new())
    );
    let mut job = copy();
    job.limits.collected_bytes = 4;
    let large = Collected::TooLarge { bytes: 5, max: 4 };
    assert_eq!(ended(job).await.files[1].content, large);
}

#[tokio::test]
async fn what_is_no_command_is_refused() {
    let start = "(module (func $s (loop (br 0))) (start $s) (func (export \"_start\")))";
    let message = refused(text(start)).await;
    assert!(message.contains("start"), "{message}");
    let other = "(module (import \"env\" \"system\" (func)) (func (export \"_start\")))";
    let message = refused(text(other)).await;
    assert!(message.contains("env"), "{message}");
    let message = refused(text("(module)")).await;
    assert!(message.contains("`_start`"), "{message}");
    let message = refused(text(
        "(module (func (export \"_start\") (result i32) (i32.const 1)))",
    ))
    .await;
    assert!(message.contains("`_start`"), "{message}");
    for bytes in [
        &b""[..],
        b"\0asm",
        b"\0asm\x01\0\0\0\x01\xff\xff\xff\xff\x0f",
        b"#!/bin/sh",
    ] {
        let message = refused(Job::new(Code::Binary(bytes.into()))).await;
        assert!(message.starts_with("the module cannot be run"), "{message}");
    }
    refused(text("(module (func")).await;
    refused(text(&"(".repeat(1_000_000))).await;
}

#[tokio::test]
async fn what_is_too_large_is_refused() {
    let fifty = Job::new(Code::Binary(vec![0; 50 * 1024 * 1024]));
    let failure = run(fifty).await.unwrap_err();
    assert!(
        matches!(failure, RunFailure::BadJob(BadJob::Code { bytes }) if bytes > MODULE_BYTES_MAX)
    );
    let data = "a".repeat(MODULE_BYTES_MAX - 100);
    let large =
        format!("(module (memory 64) (data (i32.const 0) \"{data}\") (func (export \"_start\")))");
    assert_eq!(ended(text(&large)).await.end, End::Exit(0));
    let outside = "(module (memory 1) (data (i32.const 65535) \"ab\") (func (export \"_start\")))";
    refused(text(outside)).await;
    let functions = "(func)".repeat(20_000);
    refused(text(&format!(
        "(module {functions} (func (export \"_start\")))"
    )))
    .await;
    let nested = format!(
        "(module (func (export \"_start\") {} {}))",
        "block ".repeat(100_000),
        "end ".repeat(100_000)
    );
    assert_eq!(ended(text(&nested)).await.end, End::Exit(0));
}

#[tokio::test]
async fn sockets_are_not_supported() {
    let call = "(call $send (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))";
    assert_eq!(exit_code(call).await, NOT_SUPPORTED);
}

#[tokio::test]
async fn names_of_files_are_checked() {
    for name in ["../x", "/x", "a/./b", "", "a//b", "a/"] {
        let job = Job {
            wanted: vec![name.into()],
            ..module("")
        };
        let failure = run(job).await.unwrap_err();
        assert!(
            matches!(failure, RunFailure::BadJob(BadJob::Name { .. })),
            "{name}"
        );
    }
}
