//! Agents that do harm, in the sandbox: each is contained, and none of them gives a result that is not one.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant_delegates::{
    AnswerFrom, DelegateSettings, DelegateTool, EnvironmentOf, Reach, RunHistory, Start, WhenLost,
};
use adjutant_mission::{
    EffectClass, EffectId, EffectNumber, FailureKind, Lease, MicroUsd, MissionId, TenantId,
};
use adjutant_sandbox::Sandbox;
use adjutant_tools::{Call, References, Schema, TENANT_DEFAULT, Tool as _, ToolFailure};
use serde_json::{Value, json};

const MEGABYTE: u64 = 1024 * 1024;

fn start(script: &str) -> Start {
    Start {
        command: ["/bin/sh", "-c", script].map(String::from).into(),
        environment: EnvironmentOf::default(),
        reads: Vec::new(),
        answer: AnswerFrom::StandardOutput,
    }
}

fn settings(start: Start) -> DelegateSettings {
    DelegateSettings {
        name: "coder".into(),
        about: String::new(),
        reach: Reach::Program(start),
        when_lost: WhenLost::Ask,
        price: MicroUsd::ZERO,
        time: Duration::from_secs(60),
        memory_bytes: 256 * MEGABYTE,
        processes: 32,
    }
}

fn sandbox() -> Sandbox {
    Sandbox {
        program: PathBuf::from(env!("CARGO_BIN_EXE_adjutant-delegates-sandbox-child")),
        arguments: Vec::new(),
    }
}

fn call(arguments: Value) -> Call {
    Call {
        tenant: TenantId::new(TENANT_DEFAULT).unwrap(),
        effect: EffectId {
            mission: MissionId::from_bits(7),
            number: EffectNumber::new(1),
        },
        arguments,
        lease: Lease::default(),
    }
}

async fn run(settings: DelegateSettings, arguments: Value) -> Result<Value, (FailureKind, String)> {
    let tool = DelegateTool::new(settings, Some(sandbox()), None).unwrap();
    let schema = |schema: &Value| Schema::compile(schema).unwrap();
    assert_eq!(schema(&tool.manifest().input).check(&arguments), []);
    let result = tool.call(call(arguments)).await;
    if let Ok(value) = &result {
        let output = tool.manifest().output.as_ref().unwrap();
        assert_eq!(schema(output).check(value), []);
    }
    result.map_err(|failure| match failure {
        ToolFailure::Failed { kind, message } => (kind, message),
        ToolFailure::Deferred { .. } => panic!("deferred"),
    })
}

async fn does(script: &str, arguments: Value) -> Result<Value, (FailureKind, String)> {
    run(settings(start(script)), arguments).await
}

/// The code of a failure that is definite: nothing is in doubt, and nobody tries again by himself.
async fn fails(script: &str, arguments: Value) -> (String, String) {
    let (kind, message) = does(script, arguments).await.unwrap_err();
    assert_eq!(kind, FailureKind::Permanent, "{message}");
    let (_, code) = message.split_once(" [").unwrap();
    let (code, _) = code.split_once(']').unwrap();
    (code.to_owned(), message)
}

fn counted() -> Value {
    json!({ "type": "object", "required": ["count"], "properties": { "count": { "type": "integer" } } })
}

#[tokio::test]
async fn an_agent_reads_its_task_and_gives_an_answer_and_files() {
    let script = r##"python3 -c '
import json
task = json.load(open("task.json"))
rows = open("rows.csv").read().split()
open("report.md", "w").write("# " + task["goal"] + "\n" + task["inputs"]["fetch"]["page"])
open("raw.bin", "wb").write(bytes([255, 0]))
print(json.dumps({"count": len(rows)}))
'"##;
    let told = does(
        script,
        json!({
            "goal": "Count the rows.",
            "inputs": { "fetch": { "page": "Lamps" } },
            "files": [{ "name": "rows.csv", "text": "1\n2\n3\n" }],
            "output_files": ["report.md", "raw.bin"],
            "output_schema": counted(),
        }),
    )
    .await
    .unwrap();
    assert_eq!(told["answer"], json!({ "count": 3 }));
    assert_eq!(
        told["files"],
        json!([
            { "name": "report.md", "text": "# Count the rows.\nLamps" },
            { "name": "raw.bin", "base64": "/wA=" },
        ])
    );
    // What one run gives can be given to the next one as it is.
    let files = told["files"].clone();
    let again = does(
        "cat report.md",
        json!({ "goal": "Read it.", "files": files }),
    );
    assert_eq!(again.await.unwrap()["answer"], "# Count the rows.\nLamps");
}

#[tokio::test]
async fn the_goal_comes_in_on_standard_input() {
    let told = does(
        "head -n 3",
        json!({ "goal": "Say hello.", "role": "greeter" }),
    );
    assert_eq!(
        told.await.unwrap()["answer"],
        "Your role: greeter\n\nSay hello."
    );
    // Nor does it matter if nobody reads it.
    let told = does(
        "exec < /dev/null; echo deaf",
        json!({ "goal": "x".repeat(8_000) }),
    );
    assert_eq!(told.await.unwrap()["answer"], "deaf");
}

#[tokio::test]
async fn an_agent_that_never_ends_is_ended() {
    let began = Instant::now();
    let script = "trap '' TERM INT HUP; while true; do sleep 1; done";
    let (code, told) = fails(script, json!({ "goal": "x", "timeout_ms": 300 })).await;
    assert_eq!(code, "ADJ-6305", "{told}");
    assert!(began.elapsed() < Duration::from_secs(30));
    // Where it may be repeated without asking, the plan's retries apply.
    let mut repeated = settings(start(script));
    repeated.when_lost = WhenLost::Repeat;
    let failed = run(repeated, json!({ "goal": "x", "timeout_ms": 300 })).await;
    assert_eq!(failed.unwrap_err().0, FailureKind::TimedOut);
}

#[tokio::test]
async fn an_agent_that_prints_megabytes_has_no_answer() {
    let endless = "yes '{\"count\": 1}' | head -c 8000000";
    let (code, told) = fails(endless, json!({ "goal": "x", "output_schema": counted() })).await;
    assert_eq!(code, "ADJ-6308", "{told}");
    // Its chatter does not count where the answer is in a file, and is cut.
    let mut chatty = start("yes noise | head -c 8000000; printf '{\"count\": 1}' > answer.json");
    chatty.answer = AnswerFrom::File("answer.json".into());
    let told = run(
        settings(chatty),
        json!({ "goal": "x", "output_schema": counted() }),
    );
    let told = told.await.unwrap();
    assert_eq!(told["answer"], json!({ "count": 1 }));
    assert!(told["log"].as_str().unwrap().len() < 10_000);
    // A file that is too large is none.
    let (code, told) = fails(
        "head -c 6000000 /dev/zero > big",
        json!({ "goal": "x", "output_files": ["big"] }),
    )
    .await;
    assert_eq!(code, "ADJ-6309", "{told}");
}

#[tokio::test]
async fn an_agent_writes_nowhere_but_to_its_folder() {
    let home = open_folder();
    std::fs::write(home.path().join("lib.txt"), "lamp").unwrap();
    let at = home.path().display();
    let script = format!(
        "for to in {at}/new {at}/lib.txt /etc/new /usr/new /var/new ../new /code/new; do \
         echo x > $to && echo wrote $to; done 2>/dev/null; ln -s {at}/lib.txt link; cat link"
    );
    let mut reading = start(&script);
    reading.reads = vec![home.path().to_owned()];
    let told = run(settings(reading), json!({ "goal": "x" }))
        .await
        .unwrap();
    assert_eq!(told["answer"], "lamp");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
    assert_eq!(
        std::fs::read_to_string(home.path().join("lib.txt")).unwrap(),
        "lamp"
    );
}

#[tokio::test]
async fn links_that_lead_out_are_no_files() {
    for script in [
        "ln -s /etc/passwd out.md",
        "ln -s task.json out.md",
        "ln -s / root; ln -s root/etc/passwd out.md",
        "mkdir out.md",
        "mkfifo out.md",
        "true",
    ] {
        let (code, told) = fails(script, json!({ "goal": "x", "output_files": ["out.md"] })).await;
        assert_eq!(code, "ADJ-6309", "{script}: {told}");
    }
    let mut linked = start("ln -s /etc/passwd answer.json");
    linked.answer = AnswerFrom::File("answer.json".into());
    let failed = run(settings(linked), json!({ "goal": "x" }))
        .await
        .unwrap_err();
    assert!(failed.1.contains("ADJ-6309"), "{failed:?}");
    // A name that leads out is refused before anything runs.
    for name in ["../out", "/etc/out", "a/../../out"] {
        let failed = does("true", json!({ "goal": "x", "output_files": [name] })).await;
        assert_eq!(failed.unwrap_err().0, FailureKind::BadInput, "{name}");
    }
}

#[tokio::test]
async fn an_answer_that_does_not_fit_or_a_bad_end_is_no_result() {
    let asked = || json!({ "goal": "x", "output_schema": counted() });
    for (script, wanted) in [
        ("echo '{\"count\": \"one\"}'", "ADJ-6304"),
        ("echo Sure! '{\"count\": 1}'", "ADJ-6304"),
        ("true", "ADJ-6304"),
        ("echo '{\"count\": 1}'; exit 3", "ADJ-6307"),
        ("echo '{\"count\": 1}'; kill -9 $$", "ADJ-6307"),
    ] {
        let (code, told) = fails(script, asked()).await;
        assert_eq!(code, wanted, "{script}: {told}");
    }
    let mut wrong = asked();
    wrong["output_schema"] = json!({ "pattern": "(a+)+$" });
    let (kind, told) = does("echo ran", wrong).await.unwrap_err();
    assert_eq!(kind, FailureKind::BadInput);
    assert!(told.contains("ADJ-6303"), "{told}");
}

#[tokio::test]
async fn nobody_can_be_reached_and_nothing_of_ours_is_known() {
    let script = "python3 -c '\n\
                  import os, socket\n\
                  try:\n    socket.create_connection((\"127.0.0.1\", 22), 1); print(\"connected\")\n\
                  except OSError:\n    print(sorted(os.environ))\n'";
    let mut known = start(script);
    known.environment.variables = vec![("KEY".into(), "hidden value".into())];
    let told = run(settings(known), json!({ "goal": "x" })).await.unwrap();
    let told = told["answer"].as_str().unwrap().to_owned();
    for inherited in ["CARGO", "ADJUTANT", "USER", "connected"] {
        assert!(!told.contains(inherited), "{told}");
    }
    assert!(told.contains("'KEY'") && told.contains("'HOME'"), "{told}");
}

/// The one way out is a socket that the settings name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_socket_that_the_settings_name_can_be_asked_and_no_other() {
    let home = open_folder();
    for name in ["named", "beside"] {
        let path = home.path().join(name);
        let listener = tokio::net::UnixListener::bind(&path).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777)).unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, b"a model").await;
            }
        });
    }
    let at = home.path().display();
    let script = format!(
        "python3 -c '\n\
         import socket\n\
         for name in (\"named\", \"beside\"):\n    s = socket.socket(socket.AF_UNIX)\n    try:\n        s.connect(\"{at}/\" + name); print(name, s.recv(100))\n    except OSError:\n        print(name, \"refused\")\n'"
    );
    let mut asking = start(&script);
    asking.reads = vec![home.path().join("named")];
    let told = run(settings(asking), json!({ "goal": "x" })).await.unwrap();
    assert_eq!(told["answer"], "named b'a model'\nbeside refused");
}

#[tokio::test]
async fn what_is_missing_is_told_and_nothing_runs() {
    let unusable = DelegateSettings {
        reach: Reach::Unusable {
            why: "the environment variable CODER_KEY is not set".into(),
        },
        ..settings(start("true"))
    };
    let mut gone = start("true");
    gone.reads = vec!["/no/such/folder".into()];
    let mut missing = start("true");
    missing.command = vec!["/no/such/program".into()];
    for (settings, part) in [
        (unusable, "CODER_KEY"),
        (settings(gone), "/no/such/folder"),
        (settings(missing), "/no/such/program"),
    ] {
        let (kind, told) = run(settings, json!({ "goal": "x" })).await.unwrap_err();
        assert_eq!(kind, FailureKind::Denied, "{told}");
        assert!(told.contains(part) && told.contains("ADJ-6301"), "{told}");
    }
    let tool = DelegateTool::new(settings(start("true")), None, None).unwrap();
    let failed = tool.call(call(json!({ "goal": "x" }))).await.unwrap_err();
    assert_eq!(failed.kind(), Some(FailureKind::Denied));
}

/// The Python of a virtual environment is a link: to a program of the machine, or to one that the sandbox does not show.
#[tokio::test]
async fn a_program_that_is_a_link_runs_or_is_said_to_lead_out() {
    let home = open_folder();
    let made = home.path().join("pythons/bin");
    let bin = home.path().join("venv/bin");
    for folder in [&made, &bin] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::copy("/bin/sh", made.join("sh")).unwrap();
    std::os::unix::fs::symlink("/bin/sh", bin.join("linked")).unwrap();
    std::os::unix::fs::symlink(made.join("sh"), bin.join("leads_out")).unwrap();
    let starting = |program: &str, reads: &[&str]| {
        let mut start = start("echo ran");
        start.command[0] = bin.join(program).display().to_string();
        start.reads = reads.iter().map(|path| home.path().join(path)).collect();
        settings(start)
    };
    for settings in [
        starting("linked", &["venv"]),
        starting("leads_out", &["venv", "pythons"]),
        starting("leads_out", &[]),
    ] {
        let told = run(settings, json!({ "goal": "x" })).await.unwrap();
        assert_eq!(told["answer"], "ran");
    }
    let refused = run(starting("leads_out", &["venv"]), json!({ "goal": "x" })).await;
    let (kind, told) = refused.unwrap_err();
    assert_eq!(kind, FailureKind::Denied, "{told}");
    assert!(
        told.contains("is a link to") && told.contains("ADJ-6301"),
        "{told}"
    );
    let folder = format!("`{}`", home.path().join("pythons").display());
    assert!(
        told.contains(&folder) && !told.contains("sandbox is"),
        "{told}"
    );
}

#[tokio::test]
async fn one_process_that_is_refused_memory_is_told_as_that() {
    let greedy = "python3 -c 'x = bytearray(3_000_000_000); print(len(x))'";
    let (code, told) = fails(greedy, json!({ "goal": "x" })).await;
    assert_eq!(code, "ADJ-6306", "{told}");
    assert!(told.contains("MemoryError"), "{told}");
    let slow = "python3 -c 'x = []\nwhile True: x.append(b\"x\" * 5_000_000)'";
    let (code, told) = fails(slow, json!({ "goal": "x" })).await;
    assert_eq!(code, "ADJ-6306", "{told}");
}

#[tokio::test]
async fn the_end_of_a_long_run_is_in_its_failure() {
    let script = "yes early | head -c 3000000; yes noise | head -c 3000000 >&2; echo the reason >&2; echo the end; exit 2";
    let (code, told) = fails(script, json!({ "goal": "x" })).await;
    assert_eq!(code, "ADJ-6307");
    assert!(
        told.contains("the reason") && told.ends_with("the end"),
        "{told}"
    );
    let mut knows = start("echo key is $KEY >&2; exit 1");
    knows.environment.variables = vec![("KEY".into(), "k3y-of-ours".into())];
    knows.environment.secrets = vec!["k3y-of-ours".into()];
    let (_, told) = run(settings(knows), json!({ "goal": "x" }))
        .await
        .unwrap_err();
    assert!(told.contains("key is [secret]"), "{told}");
}

/// Whatever shows only when references are resolved is told before the call that costs something.
#[test]
fn a_task_is_checked_before_it_is_called() {
    let tool = DelegateTool::new(settings(start("true")), None, None).unwrap();
    let check = |arguments: Value| tool.check(&arguments, References::Resolved);
    assert_eq!(check(json!({ "goal": "x", "output_files": ["a"] })), []);
    for (arguments, code) in [
        (json!({ "goal": "x", "output_files": ["../a"] }), "ADJ-6312"),
        (
            json!({ "goal": "x", "output_schema": { "type": "objekt" } }),
            "ADJ-6303",
        ),
        (
            json!({ "goal": "x", "files": [{ "name": "a", "text": "x".repeat(300_000_000) }] }),
            "ADJ-6312",
        ),
    ] {
        let found = check(arguments);
        assert_eq!(found[0].code, Some(code), "{found:?}");
    }
}

#[derive(Debug)]
struct LostBefore(bool);

impl RunHistory for LostBefore {
    fn has_lost_run(
        &self,
        _: TenantId,
        _: EffectId,
    ) -> adjutant_tools::BoxFuture<'_, Result<bool, ToolFailure>> {
        Box::pin(async { Ok(self.0) })
    }
}

#[tokio::test]
async fn a_run_that_was_lost_is_not_repeated_without_asking() {
    for (when_lost, lost, kind) in [
        (WhenLost::Ask, true, Some(FailureKind::NeedsHuman)),
        (WhenLost::Ask, false, None),
        (WhenLost::Repeat, true, None),
    ] {
        let settings = DelegateSettings {
            when_lost,
            price: MicroUsd(5),
            ..settings(start("echo ran"))
        };
        let history = Arc::new(LostBefore(lost));
        let tool = DelegateTool::new(settings, Some(sandbox()), Some(history)).unwrap();
        assert_eq!(tool.manifest().class, EffectClass::Paid);
        assert_eq!(tool.manifest().price, MicroUsd(5));
        assert_eq!(tool.manifest().id.as_str(), "delegate.coder");
        let told = tool.call(call(json!({ "goal": "x" }))).await;
        assert_eq!(
            told.as_ref().err().and_then(ToolFailure::kind),
            kind,
            "{told:?}"
        );
    }
}

/// A folder that everybody may look into: a job may run as somebody else.
fn open_folder() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    home
}

fn processes_with(mark: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries
        .map(|entry| std::fs::read(entry.path().join("cmdline")).unwrap_or_default())
        .filter(|line| String::from_utf8_lossy(line).contains(mark))
        .count()
}

fn until(what: impl Fn() -> bool) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(40) {
        if what() {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

#[tokio::test]
async fn children_that_would_survive_end_with_the_run() {
    let mark = format!("survivor-{}", std::process::id());
    let child = format!("(setsid sh -c 'trap \"\" TERM HUP; sleep 60; : {mark}' &)");
    let told = does(&format!("{child}; echo done"), json!({ "goal": "x" })).await;
    assert_eq!(told.unwrap()["answer"], "done");
    assert!(until(|| processes_with(&mark) == 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_a_call_ends_all_that_it_started() {
    let mark = format!("cancelled-{}", std::process::id());
    let script = format!("(setsid sh -c 'trap \"\" TERM HUP; sleep 60; : {mark}' &); sleep 60");
    let tool = DelegateTool::new(settings(start(&script)), Some(sandbox()), None).unwrap();
    let running = tokio::spawn(async move { tool.call(call(json!({ "goal": "x" }))).await });
    assert!(until(|| processes_with(&mark) > 0), "it never started");
    running.abort();
    assert!(until(|| processes_with(&mark) == 0), "something goes on");
}
