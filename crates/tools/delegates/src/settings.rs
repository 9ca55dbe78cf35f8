//! What the operator says of a delegate. Read from `adjutant.toml` by the binary, not here.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use adjutant_mission::MicroUsd;
use adjutant_sandbox::{find_program, link_out_of_sight};

/// A tool's id begins with `delegate.` and has at most 64 characters.
pub const NAME_CHARS_MAX: usize = 40;
/// The longest that a run may be allowed to take.
pub const TIME_MAX: Duration = Duration::from_secs(24 * 3600);

#[derive(Debug, Clone)]
pub struct DelegateSettings {
    pub name: String,
    /// What it is good at, in words of the operator.
    pub about: String,
    pub reach: Reach,
    pub when_lost: WhenLost,
    /// What one run costs at most. It is reserved before the run, and charged whatever the run comes to.
    pub price: MicroUsd,
    /// The longest that a run may take.
    pub time: Duration,
    pub memory_bytes: u64,
    pub processes: u64,
}

impl DelegateSettings {
    /// What it needs and this machine does not have, as far as that shows without running it.
    pub fn missing(&self) -> Option<String> {
        let start = match &self.reach {
            Reach::Unusable { why } => return Some(why.clone()),
            Reach::Tool { .. } => return None,
            Reach::Program(start) => start,
        };
        if let Some(path) = start.reads.iter().find(|path| !path.exists()) {
            let path = path.display();
            return Some(format!("`{path}`, which it reads, does not exist"));
        }
        let program = start.command.first().map(String::as_str);
        let program = program.unwrap_or_default();
        let found = match program.contains('/') {
            true => Path::new(program).is_file(),
            // Folders of its own are known to the sandbox only.
            false => start.environment.has("PATH") || find_program(program).is_some(),
        };
        if !found {
            return Some(format!("its program `{program}` is not installed"));
        }
        let out = link_out_of_sight(Path::new(program), &start.reads)?;
        // The libraries of an installation are beside its programs.
        let folder = out.parent().unwrap_or(&out);
        let whole = folder.parent().filter(|_| folder.ends_with("bin"));
        Some(format!(
            "its program `{program}` is a link to `{}`, which a sandboxed program does not see: add `{}` to `reads`",
            out.display(),
            whole.unwrap_or(folder).display()
        ))
    }
}

#[derive(Debug, Clone)]
pub enum Reach {
    /// Something that it needs is missing, which must not keep anybody from anything else.
    Unusable {
        why: String,
    },
    Program(Start),
    /// A tool of an MCP server, which takes the task in one of its arguments.
    Tool {
        tool: String,
        argument: String,
    },
}

/// How a program is started.
#[derive(Debug, Clone)]
pub struct Start {
    /// The program and its arguments.
    pub command: Vec<String>,
    pub environment: EnvironmentOf,
    /// Files and folders of this machine that it may read.
    pub reads: Vec<PathBuf>,
    pub answer: AnswerFrom,
}

/// Where the program leaves its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerFrom {
    StandardOutput,
    /// A file in its folder.
    File(String),
}

/// What is done when we were killed while it ran, so that nobody knows what it came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenLost {
    /// A person decides whether it is run again.
    Ask,
    /// It is run again, and the lost run is charged.
    Repeat,
}

/// Environment variables, whose values are not shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct EnvironmentOf {
    pub variables: Vec<(String, String)>,
    /// Values that are taken out of whatever the program writes about its work.
    pub secrets: Vec<String>,
}

impl EnvironmentOf {
    fn has(&self, variable: &str) -> bool {
        self.variables.iter().any(|(name, _)| name == variable)
    }
}

impl fmt::Debug for EnvironmentOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.variables.iter().map(|(name, _)| name))
            .finish()
    }
}
