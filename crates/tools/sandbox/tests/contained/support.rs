//! Running jobs in tests.

use std::path::PathBuf;
use std::time::Duration;

use adjutant_sandbox::{Ended, Exit, Job, Language, Limits, Program, Sandbox};

pub(crate) const MEGABYTE: u64 = 1024 * 1024;

pub(crate) fn sandbox() -> Sandbox {
    Sandbox {
        program: PathBuf::from(env!("CARGO_BIN_EXE_adjutant-sandbox-child")),
        arguments: Vec::new(),
    }
}

pub(crate) fn limits() -> Limits {
    Limits {
        cpu_seconds: 10,
        // A busy machine may give a job very little.
        wall: Duration::from_secs(120),
        memory_bytes: 256 * MEGABYTE,
        disk_bytes: 64 * MEGABYTE,
        ..Limits::default()
    }
}

pub(crate) fn code(language: Language, code: &str) -> Job {
    Job {
        limits: limits(),
        ..Job::new(Program::Code {
            language,
            code: code.into(),
        })
    }
}

pub(crate) fn python(text: &str) -> Job {
    code(Language::Python, text)
}

pub(crate) fn shell(text: &str) -> Job {
    code(Language::Shell, text)
}

/// Runs a job, then another one that must work as if nothing had been.
pub(crate) async fn run(job: Job) -> Ended {
    let ended = sandbox().run(job).await.unwrap();
    let after = sandbox().run(shell("echo fine")).await.unwrap();
    assert_eq!(
        (after.exit, text(&after).as_str()),
        (Exit::Code(0), "fine\n")
    );
    ended
}

pub(crate) fn text(ended: &Ended) -> String {
    String::from_utf8_lossy(&ended.stdout.bytes).into_owned()
}

pub(crate) fn errors(ended: &Ended) -> String {
    String::from_utf8_lossy(&ended.stderr.bytes).into_owned()
}

/// Runs code that prints a line for everything it managed to do that it should not, and `end` at last.
pub(crate) async fn achieves_nothing(job: Job) {
    let ended = run(job).await;
    assert_eq!(
        (ended.exit, text(&ended).as_str()),
        (Exit::Code(0), "end\n"),
        "{}",
        errors(&ended)
    );
}

/// Python in which `attempt(name, action)` prints the name of an action that did not fail.
pub(crate) const ATTEMPTS: &str = r#"
import os, sys
def attempt(name, action):
    try:
        result = action()
    except (OSError, ValueError) as error:
        print(name, error, file=sys.stderr)
    else:
        print(name, repr(result)[:200])
"#;

/// Tries each line, an expression of Python that must fail with an error of the system.
pub(crate) fn attempts(before: &str, expressions: &[&str]) -> Job {
    let mut text = format!("{ATTEMPTS}{before}\n");
    for expression in expressions {
        text.push_str(&format!("attempt({expression:?}, lambda: {expression})\n"));
    }
    text.push_str("print('end')\n");
    python(&text)
}
