//! One job from its start to its end.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, PidfdFlags, Signal, geteuid, pidfd_open, pidfd_send_signal};
use serde::Deserialize;

use crate::places::find_program;
use crate::wire::{AnswerEnded, Length, Refusal};
use crate::{Exit, JOB_FOLDER, LimitReached, Limits, Protections, Stream, Used};

use super::arguments::Call;
use super::collect::collect;
use super::confine;
use super::descriptors::Gate;
use super::request::Given;
use super::streams::Streams;
use super::watch::{Watch, Windows};

/// How often the job is looked at.
const LOOK: Duration = Duration::from_millis(15);
/// How long namespaces may take to stand on a busy machine.
const SETUP_MAX: Duration = Duration::from_secs(20);
/// How long killed processes may take to be gone.
const DYING_MAX: Duration = Duration::from_secs(30);
const COMPLAINT_BYTES_MAX: u64 = 4 * 1024;
const STATUS_BYTES_MAX: u64 = 64 * 1024;
/// Where users begin that nobody is; this process's number makes one that no other job is.
const UNUSED_USERS: u32 = 1_879_048_192;
/// Where a container has fewer users, the one that stands for nobody.
const NOBODY: u32 = 65_534;

pub(super) struct Outcome {
    pub(super) ended: AnswerEnded,
    /// What follows the answer: standard output, standard error, files.
    pub(super) parts: Vec<Vec<u8>>,
}

pub(super) fn run(given: Given, gate: Gate, lifeline: File) -> Result<Outcome, Refusal> {
    let bwrap = find_program("bwrap").ok_or_else(|| {
        Refusal::Unavailable(
            "`bwrap` is not installed; install it (Debian: apt install bubblewrap)".into(),
        )
    })?;
    let prlimit = find_program("prlimit").ok_or_else(|| {
        Refusal::Unavailable(
            "`prlimit` is not installed; install it (Debian: apt install util-linux)".into(),
        )
    })?;
    let landlock = confine::before();
    let yields = given.is_root() && !confine::go_first();
    let call = Call::new(&given, &gate.inside, &prlimit, yields)?;
    let mut child = start(&bwrap, &call, given.request.shared_folder.is_none())?;
    // The other ends are the job's alone now: when it ends, ours say so.
    let Gate {
        ready,
        go,
        status,
        inside,
    } = gate;
    drop((inside, call));
    // Read once, and open to the end: `bwrap` has another word for it then.
    let status = File::from(status);
    let Some(standing) = wait_until_set_up(ready, &status) else {
        return Err(not_set_up(child));
    };
    let job =
        Running::find(standing).map_err(|error| trouble("the job cannot be found", &error))?;
    let windows = job
        .windows(given.request.shared_folder.as_deref())
        .map_err(|error| trouble("the job cannot be watched", &error))?;
    let folder = match given.request.shared_folder {
        Some(_) => None,
        None => Some(
            job.job_folder()
                .map_err(|error| trouble("the job's folder cannot be opened", &error))?,
        ),
    };
    let limits = &given.request.limits;
    let watch = Watch::new(windows, limits);
    end_with_the_host(lifeline);
    let streams = Streams::start(&mut child, given.stdin, limits.output_bytes);
    rustix::io::write(&go, b"\n")
        .map_err(|error| trouble("the job cannot be released", &error.into()))?;
    drop(go);
    let (limit, used, how) = until_it_ends(&job, child, watch)?;
    let (stdout, stderr) = streams.finish();
    let files = match folder {
        Some(folder) => collect(folder, &given.request.wanted, limits.collected_bytes),
        None => Vec::new(),
    };
    drop(status);
    let exit = exit(how);
    let ended = AnswerEnded {
        exit,
        limit: limit.or_else(|| by_signal(exit, limits)),
        stdout: length(&stdout),
        stderr: length(&stderr),
        files: files
            .iter()
            .map(|file| match file {
                Ok(bytes) => Ok(bytes.len() as u64),
                Err(refused) => Err(refused.clone()),
            })
            .collect(),
        used,
        protections: Protections::of_a_job(landlock),
    };
    let mut parts = vec![stdout.bytes, stdout.end, stderr.bytes, stderr.end];
    parts.extend(files.into_iter().flatten());
    Ok(Outcome { ended, parts })
}

fn trouble(what: &str, error: &std::io::Error) -> Refusal {
    Refusal::Trouble(format!("{what}: {error}"))
}

fn start(bwrap: &Path, call: &Call, may_be_nobody: bool) -> Result<Child, Refusal> {
    let mut command = Command::new(bwrap);
    command
        .args(&call.words)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if geteuid().is_root()
        && may_be_nobody
        && let Some(user) = unused_user()
    {
        command.uid(user).gid(user);
    }
    command
        .spawn()
        .map_err(|error| trouble("`bwrap` cannot be started", &error))
}

/// None in a container that has no user but root; its root is somebody else outside.
fn unused_user() -> Option<u32> {
    let known = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let has = |user: u32| {
        known.lines().any(|line| {
            let mut numbers = line.split_ascii_whitespace().map(str::parse::<u32>);
            match (numbers.next(), numbers.nth(1)) {
                (Some(Ok(first)), Some(Ok(count))) => {
                    user.checked_sub(first).is_some_and(|at| at < count)
                }
                _ => false,
            }
        })
    };
    [UNUSED_USERS.saturating_add(std::process::id()), NOBODY]
        .into_iter()
        .find(|user| has(*user))
}

/// What `bwrap` says about the first process of the namespace.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Standing {
    child_pid: i32,
}

/// The job says something once everything stands; if `bwrap` fails, it never does.
fn wait_until_set_up(ready: OwnedFd, status: &File) -> Option<Standing> {
    if !wait(&ready, SETUP_MAX) {
        return None;
    }
    let mut said = [0; 1];
    File::from(ready).read_exact(&mut said).ok()?;
    let mut line = String::new();
    BufReader::new(status.take(STATUS_BYTES_MAX))
        .read_line(&mut line)
        .ok()?;
    serde_json::from_str(&line).ok()
}

fn not_set_up(mut child: Child) -> Refusal {
    let _ = child.kill();
    let mut complaint = String::new();
    if let Some(stderr) = child.stderr.take() {
        let _ = stderr
            .take(COMPLAINT_BYTES_MAX)
            .read_to_string(&mut complaint);
    }
    let _ = child.wait();
    Refusal::Unavailable(why_not(&complaint))
}

/// Names the setting that is off, where one is known to be.
fn why_not(complaint: &str) -> String {
    const SETTINGS: [(&str, &str, &str); 3] = [
        (
            "user/max_user_namespaces",
            "0",
            "user.max_user_namespaces=15000",
        ),
        (
            "kernel/unprivileged_userns_clone",
            "0",
            "kernel.unprivileged_userns_clone=1",
        ),
        (
            "kernel/apparmor_restrict_unprivileged_userns",
            "1",
            "kernel.apparmor_restrict_unprivileged_userns=0",
        ),
    ];
    for (path, off, remedy) in SETTINGS {
        let value = std::fs::read_to_string(Path::new("/proc/sys").join(path));
        if value.is_ok_and(|value| value.trim() == off) {
            return format!("the kernel does not allow user namespaces; set `sysctl {remedy}`");
        }
    }
    match complaint.lines().next() {
        Some(line) => format!("namespaces cannot be created ({line})"),
        None => "namespaces cannot be created (`bwrap` gives no reason)".into(),
    }
}

/// The processes of a job that runs.
struct Running {
    /// Ends last; when it is killed, all others are.
    first: OwnedFd,
    process: Pid,
}

impl Running {
    fn find(standing: Standing) -> std::io::Result<Self> {
        let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
        let number = standing.child_pid;
        let first = Pid::from_raw(number).ok_or_else(missing)?;
        let children = std::fs::read_to_string(format!("/proc/{number}/task/{number}/children"))?;
        let process = children.split_ascii_whitespace().next();
        let process = process.and_then(|number| number.parse().ok());
        Ok(Self {
            first: pidfd_open(first, PidfdFlags::empty())?,
            process: process.and_then(Pid::from_raw).ok_or_else(missing)?,
        })
    }

    fn folder(&self, path: &str) -> std::io::Result<OwnedFd> {
        let root = PathBuf::from(format!("/proc/{}/root", self.process.as_raw_nonzero()));
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(open(
            root.join(path.trim_start_matches('/')),
            flags,
            Mode::empty(),
        )?)
    }

    /// Stays readable when the job has ended.
    fn job_folder(&self) -> std::io::Result<OwnedFd> {
        self.folder(JOB_FOLDER)
    }

    fn windows(&self, shared: Option<&Path>) -> std::io::Result<Windows> {
        let mut folders = vec![self.folder("/tmp")?, self.folder("/dev/shm")?];
        if shared.is_none() {
            folders.push(self.job_folder()?);
        }
        Ok(Windows {
            processes: self.folder("/proc")?,
            folders,
            shared: shared.map(Path::to_owned),
        })
    }

    fn kill(&self) {
        // An error means that it has ended.
        let _ = pidfd_send_signal(&self.first, Signal::KILL);
    }
}

fn until_it_ends(
    job: &Running,
    mut child: Child,
    mut watch: Watch,
) -> Result<(Option<LimitReached>, Used, ExitStatus), Refusal> {
    let mut limit = None;
    while limit.is_none() && !wait(&job.first, LOOK) {
        limit = watch.look();
    }
    job.kill();
    if !wait(&job.first, DYING_MAX) {
        return Err(Refusal::Trouble("the job cannot be killed".into()));
    }
    let status = child
        .wait()
        .map_err(|error| trouble("the exit status of the job cannot be read", &error))?;
    let mut used = watch.used();
    if let Ok(of_children) = getrusage(UsageWho::RUSAGE_CHILDREN) {
        let time = |of: nix::sys::time::TimeVal| {
            let seconds = Duration::from_secs(of.tv_sec().unsigned_abs());
            seconds + Duration::from_micros(of.tv_usec().unsigned_abs())
        };
        let cpu = time(of_children.user_time()) + time(of_children.system_time());
        used.cpu = used.cpu.max(cpu);
        let largest_kilobytes = of_children.max_rss().unsigned_abs();
        used.memory_bytes_peak = used.memory_bytes_peak.max(largest_kilobytes * 1024);
    }
    Ok((limit, used, status))
}

/// Whether something is to be read, or has ended, before the time is over.
fn wait(on: &OwnedFd, time: Duration) -> bool {
    let deadline = Instant::now() + time;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).ok();
        let mut waiting = [PollFd::new(on, PollFlags::IN)];
        match poll(&mut waiting, left.as_ref()) {
            Ok(count) => return count > 0,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

/// Ends this process when the host has gone. The kernel then ends `bwrap` and the job.
fn end_with_the_host(mut lifeline: File) {
    std::thread::spawn(move || {
        let mut nothing = [0; 1];
        let _ = lifeline.read(&mut nothing);
        std::process::exit(1);
    });
}

/// `bwrap` ends as its job did, in the way of a shell.
fn exit(status: ExitStatus) -> Exit {
    const SIGNALS: std::ops::RangeInclusive<i32> = 129..=192;
    match status.code() {
        Some(code) if SIGNALS.contains(&code) => Exit::Signal(code - 128),
        Some(code) => Exit::Code(code),
        None => Exit::Signal(Signal::KILL.as_raw()),
    }
}

fn by_signal(exit: Exit, limits: &Limits) -> Option<LimitReached> {
    match exit {
        Exit::Signal(signal) if signal == Signal::XCPU.as_raw() => Some(LimitReached::Cpu {
            seconds: limits.cpu_seconds,
        }),
        Exit::Signal(signal) if signal == Signal::XFSZ.as_raw() => Some(LimitReached::FileBytes {
            bytes: limits.file_bytes,
        }),
        _ => None,
    }
}

fn length(stream: &Stream) -> Length {
    Length {
        bytes: stream.bytes.len() as u64,
        left_out: stream.left_out,
        end_bytes: stream.end.len() as u64,
    }
}
