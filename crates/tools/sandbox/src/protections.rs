//! What stands between a job and the machine.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    UserNamespace,
    NetworkNamespace,
    PidNamespace,
    ReadOnlyRoot,
    Seccomp,
    Landlock,
    CgroupLimits,
    ProcessLimits,
}

impl Protection {
    pub fn name(self) -> &'static str {
        match self {
            Self::UserNamespace => "user namespace",
            Self::NetworkNamespace => "network namespace",
            Self::PidNamespace => "pid namespace",
            Self::ReadOnlyRoot => "read-only root",
            Self::Seccomp => "seccomp",
            Self::Landlock => "landlock",
            Self::CgroupLimits => "cgroup limits",
            Self::ProcessLimits => "process limits",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Active { detail: String },
    Missing { why: String },
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Protections(pub Vec<(Protection, State)>);

impl Protections {
    pub fn is_active(&self, which: Protection) -> bool {
        self.0
            .iter()
            .any(|(known, state)| *known == which && matches!(state, State::Active { .. }))
    }

    /// What `bwrap` sets up or fails over, in one state: all of it stands or nothing is run.
    pub(crate) fn all_missing(why: &str) -> Self {
        let missing = |which| (which, State::Missing { why: why.into() });
        Self(
            [
                Protection::UserNamespace,
                Protection::NetworkNamespace,
                Protection::PidNamespace,
                Protection::ReadOnlyRoot,
                Protection::Seccomp,
                Protection::Landlock,
                Protection::CgroupLimits,
                Protection::ProcessLimits,
            ]
            .map(missing)
            .into(),
        )
    }

    pub(crate) fn of_a_job(landlock: State) -> Self {
        let active = |which, detail: &str| {
            let detail = detail.into();
            (which, State::Active { detail })
        };
        Self(vec![
            active(Protection::UserNamespace, "no capabilities, nothing setuid"),
            active(Protection::NetworkNamespace, "its own loopback interface"),
            active(Protection::PidNamespace, "ends with its first process"),
            active(Protection::ReadOnlyRoot, "the programs of this machine"),
            active(
                Protection::Seccomp,
                "EPERM for system calls that a job never needs",
            ),
            (Protection::Landlock, landlock),
            (
                Protection::CgroupLimits,
                State::Missing {
                    why: "not used: a watcher sums up memory and processor time instead".into(),
                },
            ),
            active(
                Protection::ProcessLimits,
                "enforced by the kernel per process",
            ),
        ])
    }
}
