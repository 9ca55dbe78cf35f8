//! The `[delegates.NAME]` settings: other people's programs that tasks are handed to. A wrong setting is refused at the start. If
//! something that it needs is missing on this machine, only calls of that delegate fail.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use adjutant_delegates::{
    AnswerFrom, DelegateSettings, EnvironmentOf, NAME_CHARS_MAX, Reach, Start, TIME_MAX,
    TOOL_PREFIX, WhenLost,
};
use adjutant_mission::MicroUsd;
use adjutant_sandbox::check_readable;
use serde::Deserialize;

use super::Environment;
use super::mcp::{Given, McpServer, Variable};
use crate::error::{AppError, ErrorKind};

const SECONDS: u64 = 600;
const MEGABYTE: u64 = 1024 * 1024;
const MEMORY_MB: u64 = 1_024;
const MEMORY_MB_MAX: u64 = 1024 * 1024;
const PROCESSES: u64 = 128;
const PROCESSES_MAX: u64 = 4_096;
const ABOUT_CHARS_MAX: usize = 500;
/// Variables that the sandbox sets.
const OWN_VARIABLES: [&str; 2] = ["HOME", "TMPDIR"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delegate {
    command: Option<Vec<String>>,
    /// A tool of an MCP server, and the argument of it that takes the task.
    tool: Option<String>,
    argument: Option<String>,
    #[serde(default)]
    about: String,
    #[serde(default)]
    environment: BTreeMap<String, Given>,
    #[serde(default)]
    reads: Vec<PathBuf>,
    answer_file: Option<String>,
    timeout_seconds: Option<u64>,
    memory_mb: Option<u64>,
    processes: Option<u64>,
    /// In dollars, as plans write amounts.
    max_cost: Option<String>,
    when_lost: Option<Lost>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Lost {
    Ask,
    Repeat,
}

pub(super) fn delegates(
    written: BTreeMap<String, Delegate>,
    servers: &BTreeMap<String, McpServer>,
    private: &[PathBuf],
    placed: &dyn Fn(PathBuf) -> PathBuf,
) -> Result<Vec<DelegateSettings>, AppError> {
    let prefix = TOOL_PREFIX.trim_end_matches('.');
    if !written.is_empty() && servers.contains_key(prefix) {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6300",
            format!(
                "an MCP server is called `{prefix}`, and the tools of delegates begin with that name"
            ),
            format!("Rename [mcp.{prefix}]."),
        ));
    }
    let written = written.into_iter();
    written
        .map(|(name, delegate)| delegate.settings(name, private, placed))
        .collect()
}

impl Delegate {
    fn settings(
        self,
        name: String,
        private: &[PathBuf],
        placed: &dyn Fn(PathBuf) -> PathBuf,
    ) -> Result<DelegateSettings, AppError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || name.len() > NAME_CHARS_MAX || !name.chars().all(fits) {
            return Err(wrong(
                &name,
                "",
                format!("a name has 1 to {NAME_CHARS_MAX} letters, digits, `_` or `-`"),
            ));
        }
        let within = |field: &str, given: Option<u64>, usual: u64, max: u64| {
            let given = given.unwrap_or(usual);
            match (1..=max).contains(&given) {
                true => Ok(given),
                false => Err(wrong(
                    &name,
                    field,
                    format!("it is 1 to {max}, not {given}"),
                )),
            }
        };
        let seconds = within(
            "timeout_seconds",
            self.timeout_seconds,
            SECONDS,
            TIME_MAX.as_secs(),
        )?;
        let memory = within("memory_mb", self.memory_mb, MEMORY_MB, MEMORY_MB_MAX)?;
        let processes = within("processes", self.processes, PROCESSES, PROCESSES_MAX)?;
        if self.about.chars().count() > ABOUT_CHARS_MAX {
            let why = format!("it has at most {ABOUT_CHARS_MAX} characters");
            return Err(wrong(&name, "about", why));
        }
        let price = self.max_cost.as_deref().map(adjutant_plans::parse_money);
        let price = price
            .transpose()
            .map_err(|why| wrong(&name, "max_cost", format!("{why}; write it as `$0.20`")))?;
        if let Some(tool) = &self.tool {
            let reach = self.tool_of_server(&name, tool)?;
            return Ok(DelegateSettings {
                about: self.about,
                reach,
                when_lost: WhenLost::Ask,
                price: MicroUsd::ZERO,
                time: Duration::from_secs(seconds),
                memory_bytes: memory * MEGABYTE,
                processes,
                name,
            });
        }
        if self.argument.is_some() {
            let why = "it belongs to a delegate with a `tool`";
            return Err(wrong(&name, "argument", why));
        }
        let Some(command) = self.command else {
            return Err(wrong(&name, "", "it needs a `command` or a `tool`"));
        };
        let command = self::command(&name, command, placed)?;
        let reads = reads(&name, self.reads, private, placed)?;
        let answer = match self.answer_file {
            None => AnswerFrom::StandardOutput,
            Some(file) if is_plain(&file) => AnswerFrom::File(file),
            Some(_) => {
                let why = "it is the name of a file in the agent's folder, such as `answer.json`";
                return Err(wrong(&name, "answer_file", why));
            }
        };
        let environment = environment(&name, self.environment)?;
        Ok(DelegateSettings {
            about: self.about,
            reach: match environment {
                Ok(environment) => Reach::Program(Start {
                    command,
                    environment,
                    reads,
                    answer,
                }),
                Err(why) => Reach::Unusable { why },
            },
            when_lost: match self.when_lost {
                None | Some(Lost::Ask) => WhenLost::Ask,
                Some(Lost::Repeat) => WhenLost::Repeat,
            },
            price: price.unwrap_or(MicroUsd::ZERO),
            time: Duration::from_secs(seconds),
            memory_bytes: memory * MEGABYTE,
            processes,
            name,
        })
    }
}

impl Delegate {
    /// What holds for the tool, such as its price, is set where its server is.
    fn tool_of_server(&self, name: &str, tool: &str) -> Result<Reach, AppError> {
        let of_programs = [
            ("command", self.command.is_some()),
            ("environment", !self.environment.is_empty()),
            ("reads", !self.reads.is_empty()),
            ("answer_file", self.answer_file.is_some()),
            ("timeout_seconds", self.timeout_seconds.is_some()),
            ("memory_mb", self.memory_mb.is_some()),
            ("processes", self.processes.is_some()),
            ("max_cost", self.max_cost.is_some()),
            ("when_lost", self.when_lost.is_some()),
        ];
        if let Some((field, _)) = of_programs.iter().find(|(_, given)| *given) {
            let why =
                "a delegate with a `tool` does not have it; settings of the tool belong to [mcp]";
            return Err(wrong(name, field, why));
        }
        let fits = tool.split_once('.').is_some_and(|(server, of)| {
            !server.is_empty() && !of.is_empty() && server != TOOL_PREFIX.trim_end_matches('.')
        });
        if !fits {
            let why = "it is a tool of an MCP server, such as `tickets.ask`";
            return Err(wrong(name, "tool", why));
        }
        let argument = self.argument.as_deref().unwrap_or("goal");
        if argument.is_empty() {
            return Err(wrong(name, "argument", "it names an argument of the tool"));
        }
        Ok(Reach::Tool {
            tool: tool.to_owned(),
            argument: argument.to_owned(),
        })
    }
}

/// The sandbox starts programs from `/`, so a path is made whole here.
fn command(
    delegate: &str,
    mut words: Vec<String>,
    placed: &dyn Fn(PathBuf) -> PathBuf,
) -> Result<Vec<String>, AppError> {
    let refused = |why: &str| Err(wrong(delegate, "command", why));
    if words.iter().any(|word| word.contains('\0')) {
        return refused("it has a zero byte");
    }
    let Some(program) = words.first_mut().filter(|program| !program.is_empty()) else {
        return refused("it names no program, such as [\"/opt/coder/bin/coder\", \"--print\"]");
    };
    if program.contains('/') {
        let path = std::path::absolute(placed(PathBuf::from(&*program)));
        let path = path.ok().and_then(|path| path.to_str().map(str::to_owned));
        match path {
            Some(path) => *program = path,
            None => return refused("its path is not UTF-8"),
        }
    }
    Ok(words)
}

/// Nothing that is shown to a delegate may hold what is private: our data folder, our keys, the journals of everybody.
fn reads(
    delegate: &str,
    paths: Vec<PathBuf>,
    private: &[PathBuf],
    placed: &dyn Fn(PathBuf) -> PathBuf,
) -> Result<Vec<PathBuf>, AppError> {
    let private: Vec<PathBuf> = private.iter().map(|path| real(path)).collect();
    let mut reads = Vec::new();
    for path in paths {
        let path = placed(path);
        check_readable(&path).map_err(|error| wrong(delegate, "reads", error.to_string()))?;
        let shown = real(&path);
        let mut private = private.iter();
        if private.any(|private| private.starts_with(&shown) || shown.starts_with(private)) {
            let why = format!(
                "`{}` would show it the data folder, the keys or the store of Adjutant",
                path.display()
            );
            return Err(wrong(delegate, "reads", why));
        }
        // What a link leads to is held to the same rules.
        check_readable(&shown).map_err(|error| wrong(delegate, "reads", error.to_string()))?;
        reads.push(path);
    }
    Ok(reads)
}

/// Where a path leads, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    whole.canonicalize().unwrap_or(whole)
}

fn is_plain(file: &str) -> bool {
    let mut parts = Path::new(file).components();
    let one = matches!(parts.next(), Some(Component::Normal(_))) && parts.next().is_none();
    one && !file.contains(['\0', '/']) && file.len() <= 255 && file != "task.json"
}

/// The variables; or, if the value of one is missing, why the delegate cannot be used.
fn environment(
    delegate: &str,
    given: BTreeMap<String, Given>,
) -> Result<Result<EnvironmentOf, String>, AppError> {
    let (mut variables, mut secrets) = (Vec::new(), Vec::new());
    for (name, given) in given {
        if name.is_empty() || name.contains(['=', '\0']) || OWN_VARIABLES.contains(&name.as_str()) {
            let why = format!("`{name:.60}` cannot be set");
            return Err(wrong(delegate, "environment", why));
        }
        let value = match given {
            Given::Value(value) => value,
            Given::Variable(Variable { from }) => match Environment::secret(&from) {
                Some(value) => {
                    secrets.push(value.to_string());
                    value.to_string()
                }
                None => return Ok(Err(format!("the environment variable {from} is not set"))),
            },
        };
        if value.contains('\0') {
            let why = format!("the value of `{name:.60}` has a zero byte");
            return Err(wrong(delegate, "environment", why));
        }
        variables.push((name, value));
    }
    Ok(Ok(EnvironmentOf { variables, secrets }))
}

fn wrong(delegate: &str, field: &str, why: impl Into<String>) -> AppError {
    let place = match field {
        "" => format!("delegates.{delegate:.60}"),
        field => format!("delegates.{delegate:.60}.{field}"),
    };
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6300",
        format!("`{place}` is invalid: {}", why.into()),
        "Correct it in the settings file; see docs/delegation.md.",
    )
}

#[cfg(test)]
#[path = "delegates_tests.rs"]
mod tests;
