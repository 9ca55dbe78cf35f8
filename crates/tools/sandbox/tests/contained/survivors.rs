//! Nothing outlives its job, and no job its host.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use adjutant_sandbox::{Exit, Folder, Job, Program};

use crate::support::{limits, run, sandbox, shell, text};

/// A word in the command line of each process that a test starts, and of nothing else.
fn mark(name: &str) -> String {
    format!("{name}-{}", std::process::id())
}

fn command_line(process: &str) -> String {
    let line = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).into_owned()
}

fn processes_with(mark: &str) -> BTreeSet<String> {
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.parse::<u32>().is_ok() && command_line(name).contains(mark))
        .collect()
}

fn all_end(mark: &str) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(40) {
        if processes_with(mark).is_empty() {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

/// A job that says in a pipe of the host that it runs, then goes on for long, in several ways.
fn lasting(folder: &Path, mark: &str) -> Job {
    let script = format!(
        "(setsid sh -c 'trap \"\" TERM HUP; sleep 60; : {mark}' &) ; echo up > pipe; sleep 60; : {mark}"
    );
    let mut job = Job::new(Program::Arguments(vec!["sh".into(), "-c".into(), script]));
    job.folder = Folder::Shared(folder.to_owned());
    job.limits = limits();
    job
}

fn pipe(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    path
}

#[tokio::test]
async fn daemons_end_with_their_job() {
    let mark = mark("daemon");
    let script = format!("(setsid sh -c 'trap \"\" TERM HUP; sleep 60; : {mark}' &); echo done");
    let began = Instant::now();
    let ended = run(shell(&script)).await;
    assert_eq!(
        (ended.exit, text(&ended).as_str()),
        (Exit::Code(0), "done\n")
    );
    assert!(began.elapsed() < Duration::from_secs(40));
    assert!(all_end(&mark));
}

#[tokio::test]
async fn dropping_the_run_ends_the_job() {
    let home = tempfile::tempdir().unwrap();
    let (path, mark) = (pipe(home.path()), mark("dropped"));
    let sandbox = sandbox();
    let running = sandbox.run(lasting(home.path(), &mark));
    tokio::select! {
        ended = running => panic!("ended: {ended:?}"),
        said = tokio::fs::read_to_string(&path) => assert_eq!(said.unwrap(), "up\n"),
    }
    assert!(all_end(&mark), "{:?}", processes_with(&mark));
    run(shell("true")).await;
}

#[tokio::test]
async fn killing_the_child_ends_the_job() {
    let home = tempfile::tempdir().unwrap();
    let (path, mark) = (pipe(home.path()), mark("killed"));
    let sandbox = sandbox();
    let running = sandbox.run(lasting(home.path(), &mark));
    let killing = async {
        tokio::fs::read_to_string(&path).await.unwrap();
        let supervisors: BTreeSet<String> = processes_with(&mark)
            .iter()
            .filter_map(|process| parent_of(process))
            .filter(|parent| command_line(parent).contains("adjutant-sandbox-child"))
            .collect();
        assert_eq!(supervisors.len(), 1);
        let killed = Command::new("kill")
            .arg("-KILL")
            .args(&supervisors)
            .status();
        assert!(killed.unwrap().success());
    };
    let (ended, ()) = tokio::join!(running, killing);
    assert!(ended.is_err(), "{ended:?}");
    assert!(all_end(&mark), "{:?}", processes_with(&mark));
}

fn parent_of(process: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    Some(line.trim().to_owned())
}

/// All that the child has of its host is its standard input, and the kernel closes that when a host dies.
#[test]
fn a_job_does_not_outlive_its_host() {
    let home = tempfile::tempdir().unwrap();
    let (path, mark) = (pipe(home.path()), mark("orphan"));
    let script = format!("echo up > pipe; sleep 60; : {mark}");
    let folder = home.path().display().to_string();
    let request = format!(
        r#"{{"program":{{"Arguments":["sh","-c","{script}"]}},"environment":[],"shared_folder":{folder:?},
        "stdin_bytes":0,"files":[],"wanted":[],"readable":[],"limits":{{"cpu_seconds":10,"wall":{{"secs":50,"nanos":0}},
        "memory_bytes":100000000,"processes":20,"open_files":50,"file_bytes":1000,"disk_bytes":1000000,
        "total_files":100,"output_bytes":1000,"collected_bytes":1000}}}}"#
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_adjutant-sandbox-child"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let length = u32::try_from(request.len()).unwrap();
    input.write_all(&length.to_be_bytes()).unwrap();
    input.write_all(request.as_bytes()).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "up\n");
    assert!(!processes_with(&mark).is_empty());
    drop(input);
    assert!(all_end(&mark), "{:?}", processes_with(&mark));
    child.wait().unwrap();
}
