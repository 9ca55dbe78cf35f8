//! What holds the job besides its namespaces.

use std::process::{Command, Stdio};

use landlock::{ABI, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetStatus, Scope};
use rustix::process::{Resource, getrlimit};

use crate::places::find_program;
use crate::{Limits, State};

/// If memory runs out, the kernel takes the job first.
const FIRST_TO_GO: &str = "1000";
/// The first process of the namespace counts too, and is not the job's.
const PROCESSES_OF_OURS: u64 = 1;

/// Confines this process and all it starts. Neither can be taken back.
pub(super) fn before() -> State {
    // It only spares the machine: a job is held without it too.
    let _ = std::fs::write("/proc/self/oom_score_adj", FIRST_TO_GO);
    landlock()
}

/// Puts this process, not what it starts, before everything else on the machine: a fork bomb of root's would leave who
/// counts its processes no turn until there are thousands. False where a container does not allow it.
pub(super) fn go_first() -> bool {
    let words = ["--rr", "--reset-on-fork", "--all-tasks", "--pid", "1"];
    find_program("chrt").is_some_and(|chrt| {
        Command::new(chrt)
            .args(words)
            .arg(std::process::id().to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    })
}

/// Keeps signals and abstract sockets inside. Files and mounts are left to the namespaces: under rules about files
/// nothing could be mounted any more, and `bwrap` has to.
fn landlock() -> State {
    let restricted = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::AbstractUnixSocket | Scope::Signal)
        .and_then(|ruleset| ruleset.create())
        .and_then(|ruleset| ruleset.restrict_self());
    match restricted {
        Ok(status) if status.ruleset == RulesetStatus::FullyEnforced => State::Active {
            detail: "signals and abstract sockets stay inside".into(),
        },
        Ok(_) => State::Missing {
            why: format!("the kernel is older than Landlock {}", ABI::V6 as i32),
        },
        Err(error) => State::Missing {
            why: error.to_string(),
        },
    }
}

/// The limits as words of `prlimit`, which the job's one process becomes before it runs anything of its own. Setting
/// them from outside would take a right that root in a container often lacks.
pub(super) fn limit_words(limits: &Limits) -> Vec<String> {
    let processes = limits.processes.saturating_add(PROCESSES_OF_OURS);
    [
        // The second before the end gives the signal that says why.
        ("cpu", Resource::Cpu, limits.cpu_seconds, 1),
        // Not the address space: some programs reserve much and use little of it.
        ("data", Resource::Data, limits.memory_bytes, 0),
        ("fsize", Resource::Fsize, limits.file_bytes, 0),
        ("core", Resource::Core, 0, 0),
        ("nofile", Resource::Nofile, limits.open_files, 0),
        ("nproc", Resource::Nproc, processes, 0),
        ("memlock", Resource::Memlock, 0, 0),
        ("msgqueue", Resource::Msgqueue, 0, 0),
    ]
    .into_iter()
    .map(|(name, resource, soft, more)| {
        // Nobody may give a process more than it has.
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let hard = soft.saturating_add(more).min(most);
        format!("--{name}={}:{hard}", soft.min(hard))
    })
    .collect()
}
