//! Other processes, and what the host keeps to itself.

use adjutant_sandbox::Exit;

use crate::support::{achieves_nothing, attempts, python, run, shell, text};

#[tokio::test]
async fn other_processes_are_not_seen() {
    let ended = run(python(
        "import os\n\
         for process in sorted(filter(str.isdigit, os.listdir('/proc')), key=int):\n\
         \x20   print(open(f'/proc/{process}/cmdline').read().split('\\0')[0].rsplit('/', 1)[-1])",
    ))
    .await;
    assert_eq!(text(&ended), "bwrap\npython3\n");
}

#[tokio::test]
async fn the_first_process_tells_nothing() {
    let before = format!("HOST = {}", std::process::id());
    achieves_nothing(attempts(
        &before,
        &[
            "os.kill(HOST, 0)",
            "open(f'/proc/{HOST}/environ').read()",
            "os.setpriority(os.PRIO_PROCESS, 0, -20)",
            "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
            "os.setuid(0)",
            "os.setgid(0)",
            "os.setgroups([0])",
        ],
    ))
    .await;
    // What the environment of `bwrap` holds is nothing but what the job has itself.
    let ended = run(shell(
        "tr '\\0' '\\n' < /proc/1/environ | sort | cut -d= -f1 | tr '\\n' ' '",
    ))
    .await;
    for word in text(&ended).split_ascii_whitespace() {
        assert!(
            ["HOME", "LANG", "PATH", "PWD", "TMPDIR"].contains(&word),
            "{word}"
        );
    }
}

#[tokio::test]
async fn signals_reach_nobody_else() {
    let ended = run(shell(
        "trap : TERM; kill -TERM -1; kill -KILL 1; kill -KILL $PPID; echo alive",
    ))
    .await;
    assert_eq!(
        (ended.exit, text(&ended).as_str()),
        (Exit::Code(0), "alive\n")
    );
}

#[tokio::test]
async fn the_environment_is_the_jobs_own() {
    assert!(std::env::vars_os().any(|(name, _)| name == "CARGO_MANIFEST_DIR"));
    let mut job = shell("env | sort");
    job.environment = vec![("GREETING".into(), "hello; $(id)".into())];
    let ended = run(job).await;
    let seen = text(&ended);
    assert_eq!(
        seen,
        "GREETING=hello; $(id)\nHOME=/job\nPATH=/usr/local/bin:/usr/bin:/bin\nPWD=/job\nTMPDIR=/tmp\n"
    );
}

#[tokio::test]
async fn jobs_do_not_see_each_other() {
    run(shell(
        "echo secret > /tmp/x; echo secret > /dev/shm/x; echo secret > y",
    ))
    .await;
    let ended = run(shell("cat /tmp/x /dev/shm/x y; hostname; echo end")).await;
    assert_eq!(text(&ended), "sandbox\nend\n");
}
