//! The process between us and the program of a server: when the program ends, everything it started ends, in whatever
//! session or group it is. When we are gone, the program ends. It reads and writes nothing of what the two say.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpid, kill_process, pidfd_open,
    pidfd_send_signal, set_child_subreaper, wait,
};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

/// How long a program may take to end by itself once nobody speaks to it any more.
const GRACE: Duration = Duration::from_secs(1);
/// How long killed processes may take to be gone. Those of another user cannot be killed.
const DYING_MAX: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(2);
/// A shell's way to say that a program ended by a signal.
const BY_SIGNAL: u8 = 128;

/// The program whose only work is [`keep`], and how it is called; the words of the server's program follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keeper {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

/// Runs the program that these words name to its end, and returns its exit code.
///
/// Reaps whatever ends in this process and below it: call it first thing in a process of its own, and end that after it.
/// SIGTERM asks it to end the program.
pub fn keep(words: impl IntoIterator<Item = OsString>) -> io::Result<u8> {
    // Who loses its parent becomes a child of this process, so nobody leaves the tree.
    set_child_subreaper(Some(getpid()))?;
    // Before the program is there: nobody is lost if we are asked to end now.
    let asked = asked_to_end()?;
    let (server, handle) = start(words).inspect_err(|_| end_the_rest())?;
    let handle = Arc::new(handle);
    end_when_asked(asked, Arc::clone(&handle));
    end_without_the_host(handle);
    let code = until_it_ends(&server);
    end_the_rest();
    code
}

fn start(words: impl IntoIterator<Item = OsString>) -> io::Result<(Child, OwnedFd)> {
    let mut words = words.into_iter();
    let program = words
        .next()
        .ok_or_else(|| io::Error::other("no program is named"))?;
    // A signal to its own group must not reach us.
    let server = Command::new(&program)
        .args(words)
        .process_group(0)
        .spawn()
        .map_err(|error| {
            let message = format!("`{}` cannot be started: {error}", program.display());
            io::Error::new(error.kind(), message)
        })?;
    // Its output ends with it, not with us.
    let nothing = File::options().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    let handle = pidfd_open(Pid::from_child(&server), PidfdFlags::empty())?;
    Ok((server, handle))
}

fn kill(handle: &OwnedFd) {
    // An error means that it has ended.
    let _ = pidfd_send_signal(handle, Signal::KILL);
}

fn asked_to_end() -> io::Result<(Runtime, tokio::signal::unix::Signal)> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let entered = runtime.enter();
    let asked = signal(SignalKind::terminate())?;
    drop(entered);
    Ok((runtime, asked))
}

fn end_when_asked(asked: (Runtime, tokio::signal::unix::Signal), handle: Arc<OwnedFd>) {
    let (runtime, mut asked) = asked;
    std::thread::spawn(move || {
        runtime.block_on(asked.recv());
        kill(&handle);
    });
}

/// We hold the reading end of the program's standard input only to see its other end close.
fn end_without_the_host(handle: Arc<OwnedFd>) {
    std::thread::spawn(move || {
        let input = io::stdin();
        loop {
            let mut waiting = [PollFd::new(&input, PollFlags::empty())];
            match poll(&mut waiting, None) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) | Err(_) => break,
            }
        }
        std::thread::sleep(GRACE);
        kill(&handle);
    });
}

/// Waits for all that end meanwhile, too: nobody else does.
fn until_it_ends(server: &Child) -> io::Result<u8> {
    let server = Pid::from_child(server);
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((who, how))) if who == server => return Ok(code(how)),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn code(how: WaitStatus) -> u8 {
    let code = how.exit_status().and_then(|code| u8::try_from(code).ok());
    let signal = how.terminating_signal();
    let signal = signal.and_then(|signal| u8::try_from(signal).ok());
    code.unwrap_or_else(|| BY_SIGNAL.saturating_add(signal.unwrap_or_default()))
}

/// Who is killed leaves children to us, so this is repeated until nobody is left.
fn end_the_rest() {
    let began = Instant::now();
    while began.elapsed() < DYING_MAX {
        for process in below(getpid()) {
            let _ = kill_process(process, Signal::KILL);
        }
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => break,
                // There are no children.
                Err(_) => return,
            }
        }
        std::thread::sleep(LOOK);
    }
}

/// All that descend from a process.
fn below(top: Pid) -> Vec<Pid> {
    let mut children: BTreeMap<i32, Vec<Pid>> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let number = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        if let Some(process) = number.and_then(Pid::from_raw)
            && let Some(parent) = parent_of(process)
        {
            children.entry(parent).or_default().push(process);
        }
    }
    let mut found = Vec::new();
    let mut next = vec![top];
    while let Some(process) = next.pop() {
        let born = children.remove(&process.as_raw_nonzero().get());
        next.extend(born.iter().flatten());
        found.extend(born.into_iter().flatten());
    }
    found
}

fn parent_of(process: Pid) -> Option<i32> {
    let stat = std::fs::read(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The name before it may hold anything, brackets and spaces too.
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split(' ').nth(1)?.parse().ok()
}
