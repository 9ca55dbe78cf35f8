//! The command line's grammar.

mod dev;
mod kb;
mod mission;
mod models;
mod protect;
mod remote;
mod rules;
mod serve;
mod tools;
mod trigger;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::output::Form;

pub(crate) use dev::{Dev, DevApis};
pub(crate) use kb::{Kb, KbAdd, KbReview, KbSearch};
pub(crate) use mission::{
    Ask, AutonomyOf, MissionOf, MissionStart, Rate, Report, StartWith, Stats,
};
pub(crate) use models::{Models, ModelsTest, Prompt};
pub(crate) use protect::{Guard, OriginOf, Redact};
pub(crate) use remote::RemoteArgs;
pub(crate) use rules::{Rules, RulesBacktest, RulesFile};
pub(crate) use serve::{Access, AccessAdd, LogForm, Serve};
pub(crate) use tools::{Tools, ToolsCall};
pub(crate) use trigger::{Missed, Trigger, TriggerAdd, TriggerList, TriggerNext, When};

const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    the mission failed or was cancelled, or `verify` found a damaged journal
  2    bad usage or bad input: arguments, plan, settings, a refused command
  3    waiting for a human; the mission is safe
  4    a store or host error
  130  interrupted; the mission is safe";

fn after_long_help() -> String {
    format!(
        "{EXIT_CODES}\n\nSettings, in adjutant.toml (in the data folder, or in the current folder after `adjutant trust`) or in the environment:\n{}",
        adjutant_app::settings::help()
    )
}

/// Runs missions: long-running work by agents, tools and people that survives crashes, stays within its budget, and asks for approval.
#[derive(Debug, Parser)]
#[command(name = "adjutant", version, after_help = EXIT_CODES, after_long_help = after_long_help(), max_term_width = 100)]
#[command(arg_required_else_help = true, infer_subcommands = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the missions of the catalogue, and start them
    #[command(subcommand)]
    Mission(MissionOf),
    /// Ask a question: start the mission that fits it, or answer it from a finished mission
    Ask(Box<Ask>),
    /// Rate a mission, or record whether its conclusion was right; without arguments, show how reliable confidences were
    Rate(Rate),
    /// Show how well missions go, next to the targets
    Stats(Stats),
    /// Write a mission's report as Markdown, HTML, PDF or DOCX
    Report(Report),
    /// Suggest a workflow for an intent: which tools, in which order, and how sure
    Suggest(Suggest),
    /// Run a plan and watch it
    Run(Run),
    /// Check plan files, and print their schema
    #[command(subcommand)]
    Plan(Plan),
    /// Run all unfinished missions, and serve other terminals
    Up(Up),
    /// Run all unfinished missions, and serve the HTTP API
    Serve(Serve),
    /// Serve an MCP client, such as a coding agent, that starts this program and speaks over its input and output
    Mcp,
    /// Manage the access tokens of the HTTP API
    #[command(subcommand)]
    Access(Access),
    /// List missions
    List(List),
    /// Show a mission in full
    Show(Show),
    /// Watch a mission live
    Watch(Watch),
    /// Print a mission's journal
    Events(Events),
    /// List the questions that wait for an answer
    Inbox(Json),
    /// Answer a question
    Decide(Decide),
    /// Reserve a question for yourself for an hour
    Claim(Checkpoint),
    /// Release a claimed question
    Release(Checkpoint),
    /// Pause a mission: no new work starts until `resume`
    Pause(Reasoned),
    /// Resume a paused mission
    Resume(Mission),
    /// Continue with the next layer, if the plan asks between layers
    Continue(Mission),
    /// Cancel a mission
    Abort(Abort),
    /// Change the plan of a running mission
    Replan(Replan),
    /// Stop a tool, a tenant, a model provider, or everything
    Stop(Stop),
    /// Lift a stop
    Allow(Allow),
    /// List the active stops
    Stops(Json),
    /// Send information to a mission
    Inform(Inform),
    /// Start a new mission from an event of this one, with changes
    Fork(Fork),
    /// Compare two missions: plan, decisions, results, cost and time
    Compare(Compare),
    /// Verify that journals are complete and unaltered
    Verify(Verify),
    /// Rebuild a mission's state from its journal and compare it with the stored state
    Replay(Replay),
    /// Sign the current heads of the journals
    Sign(Json),
    /// Write missions to a file that anyone can verify
    Export(Export),
    /// Import exported missions, to read and verify them
    Import(Import),
    /// Permanently erase the content of missions; their journals stay verifiable
    Erase(Erase),
    /// Remove the journals of missions that ended long ago
    Prune(Prune),
    /// Write the whole store to a file; works while a host runs
    Backup(Backup),
    /// Restore a backup into an empty data folder
    Restore(Restore),
    /// Show or rotate the keys that encrypt the store
    #[command(subcommand)]
    Keys(Keys),
    /// Show spending, and set spending limits
    #[command(subcommand)]
    Budget(Budget),
    /// List and test notification channels
    #[command(subcommand)]
    Notify(Notify),
    /// Start or inform missions on a schedule
    #[command(subcommand)]
    Trigger(Trigger),
    /// Import and search the documents that missions may read
    #[command(subcommand)]
    Kb(Kb),
    /// Show and test the configured models
    #[command(subcommand)]
    Models(Models),
    /// List and try the tools that plans can call
    #[command(subcommand)]
    Tools(Tools),
    /// Run local stand-ins for external services, for development
    #[command(subcommand)]
    Dev(Dev),
    /// Show the prompts that are sent to models
    #[command(subcommand)]
    Prompt(Prompt),
    /// Check and test rules over missions, calls, results and reports, and compare them on past missions
    #[command(subcommand)]
    Rules(Rules),
    /// Show what the prompt guard finds in a text
    Guard(Guard),
    /// Remove personal data from a text
    Redact(Redact),
    /// Check the installation
    Doctor(Json),
    /// Let the settings file of the current folder count
    Trust(Trust),
    /// Print the licences of everything this program is built with
    Licences,
    /// Print completions for a shell
    Completions { shell: clap_complete::Shell },
    /// Run benchmarks on this machine
    #[command(subcommand)]
    Bench(adjutant_bench::Bench),
}

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// Do not let it count any longer
    #[arg(long)]
    pub(crate) undo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// A plan file, YAML or JSON
    pub(crate) plan: PathBuf,
    /// Approve everything in advance, except what a rule reserves for a person
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Start the mission and return without waiting
    #[arg(long, short)]
    pub(crate) detach: bool,
    /// Set one of the plan's inputs, as JSON or text; may be repeated
    #[arg(long = "input", short, value_name = "NAME=VALUE")]
    pub(crate) inputs: Vec<String>,
    /// The person the mission concerns, for `erase --subject`; may be repeated
    #[arg(long = "subject", value_name = "WHO")]
    pub(crate) subjects: Vec<String>,
    /// The campaign to charge in addition to the tenant
    #[arg(long, value_name = "NAME")]
    pub(crate) campaign: Option<String>,
    /// Only show what would happen: the tasks, the maximum cost and the questions
    #[arg(long, conflicts_with = "detach")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Suggest {
    /// What is wanted, in words
    #[arg(value_name = "INTENT")]
    pub(crate) intent: String,
    /// Print a plan file instead, for `run`; missing arguments become its inputs
    #[arg(long, conflicts_with = "json")]
    pub(crate) plan: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Budget {
    /// Show what the tenant and its campaigns have spent and reserved, and their limits
    Show(Json),
    /// Set the limits of an account; limits that are not named stay unchanged
    Set(BudgetSet),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Notify {
    /// List the channels, with their undelivered and failed notices
    List(Json),
    /// Send a test notice through a channel and show the response
    Test {
        /// The channel's name
        channel: String,
        #[command(flatten)]
        json: Json,
    },
}

const AMOUNTS: &str =
    "money=5.00, tokens=1000000, calls=500 or wall_time=2h; `none` removes the limit";

#[derive(Debug, Args)]
pub(crate) struct BudgetSet {
    /// The account: `tenant`, or `campaign/NAME`
    #[arg(value_name = "ACCOUNT", default_value = "tenant")]
    pub(crate) owner: String,
    /// The period the limits apply to
    #[arg(long, value_enum, default_value = "day")]
    pub(crate) per: Per,
    /// A limit that is never exceeded
    #[arg(long, value_name = "RESOURCE=AMOUNT", long_help = format!("A limit that is never exceeded: {AMOUNTS}"))]
    pub(crate) hard: Vec<String>,
    /// A limit above which a person is asked, once per mission
    #[arg(long, value_name = "RESOURCE=AMOUNT", long_help = format!("A limit above which a person is asked, once per mission: {AMOUNTS}"))]
    pub(crate) soft: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Per {
    /// A day, from midnight to midnight UTC
    Day,
    /// All missions together
    Total,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Plan {
    /// Check a plan file and list every problem
    Check {
        file: PathBuf,
        #[command(flatten)]
        json: Json,
    },
    /// Print the JSON Schema of plan files, for editors
    Schema,
}

#[derive(Debug, Args)]
pub(crate) struct Up {
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Phase {
    Planning,
    Executing,
    AwaitingHuman,
    Synthesizing,
    Completed,
    Failed,
    Cancelled,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only missions in this phase; may be repeated
    #[arg(long, value_enum)]
    pub(crate) phase: Vec<Phase>,
    /// All missions, including ended ones
    #[arg(long, short)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Mission {
    /// A mission: its id, a unique beginning or end of it, or `last`
    #[arg(value_name = "ID")]
    pub(crate) mission: String,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// Show the reasoning steps of its agents, for all tasks or for one
    #[arg(long, value_name = "TASK", num_args = 0..=1, default_missing_value = "")]
    pub(crate) reasoning: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) mission: Mission,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Events {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// Keep printing new events as they happen
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// Print the event stream for clients: one JSON document per line, described in docs/events.md
    #[arg(long)]
    pub(crate) session: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Fork {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// The last event to copy, as numbered by `adjutant events`; the default is the latest
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<u64>,
    /// Change something: `decision=approve`, `decision=reject`, `decision=OPTION` or `decision=NUMBER:…`
    /// answers a question that is open there; `input=NAME=VALUE` changes an input, `model=PROVIDER/MODEL` the model;
    /// may be repeated
    #[arg(long, value_name = "WHAT=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// A mission: its id, a unique beginning or end of it, or `last`
    pub(crate) a: String,
    /// The mission to compare it with
    pub(crate) b: String,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Checkpoint {
    /// A question: `k3f9qz-2`, or a mission with exactly one open question
    #[arg(value_name = "QUESTION")]
    pub(crate) checkpoint: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Verdict {
    Approve,
    Reject,
    Modify,
}

#[derive(Debug, Args)]
pub(crate) struct Decide {
    #[command(flatten)]
    pub(crate) checkpoint: Checkpoint,
    /// The answer; prompted for if omitted
    #[arg(value_enum)]
    pub(crate) verdict: Option<Verdict>,
    /// The option to choose
    #[arg(long, short)]
    pub(crate) option: Option<String>,
    /// The reason, or guidance for the mission
    #[arg(long, short)]
    pub(crate) note: Option<String>,
    /// At the final review: approve although the constitutional checks block the result, and say why
    #[arg(long, value_name = "REASON", conflicts_with_all = ["change", "note", "patch", "redo", "text"])]
    pub(crate) overrule: Option<String>,
    /// The change, as JSON or @file
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) change: Option<String>,
    /// For a question about the plan: a patch file, as for `replan`
    #[arg(long, value_name = "FILE", conflicts_with = "change")]
    pub(crate) patch: Option<PathBuf>,
    /// At the final review: new text for a task; tasks that depend on it run again
    #[arg(long, value_name = "TASK=TEXT|TASK=@FILE", conflicts_with_all = ["change", "patch", "redo"])]
    pub(crate) text: Option<String>,
    /// At the final review: a task to run again; may be repeated
    #[arg(long, value_name = "TASK")]
    pub(crate) redo: Vec<String>,
    /// With the approval at the final review: your satisfaction with the result, 1 to 5
    #[arg(long, value_name = "1-5")]
    pub(crate) rating: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct Reasoned {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// The reason, recorded in the journal
    #[arg(long, short)]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// One tool, for this tenant
    Tool,
    /// Every mission of this tenant
    Tenant,
    /// One model provider, for this tenant
    Provider,
    /// Every mission of every tenant in the store
    All,
}

#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// What to stop: no new calls start, and missions that need it are paused
    #[arg(value_enum)]
    pub(crate) what: Option<What>,
    /// The tool or provider
    pub(crate) name: Option<String>,
    /// The reason, shown to users of affected missions
    #[arg(long, short)]
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Allow {
    /// The stop to lift; missions that were paused for it resume, unless something else blocks them
    #[arg(value_enum)]
    pub(crate) what: What,
    /// The tool or provider
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Abort {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// The reason, recorded in the journal
    #[arg(long, short)]
    pub(crate) reason: Option<String>,
    /// Undo completed tasks, newest first, where the plan defines how
    #[arg(long)]
    pub(crate) undo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Replan {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// The patch: tasks to `add`, `change` and `drop`, and new `caps`
    #[arg(
        value_name = "PATCH",
        required_unless_present = "requirement",
        conflicts_with = "requirement"
    )]
    pub(crate) file: Option<PathBuf>,
    /// What is needed besides, in words, instead of a patch: tools for it are added
    #[arg(long, value_name = "TEXT")]
    pub(crate) requirement: Option<String>,
    /// Values for the requirement that were found meanwhile, as a JSON object
    #[arg(long, value_name = "JSON", requires = "requirement")]
    pub(crate) context: Option<String>,
    /// The reason, recorded in the journal
    #[arg(long, short)]
    pub(crate) reason: Option<String>,
    /// Only show the changes
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Inform {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// The topic, such as `paper.new`
    pub(crate) topic: String,
    /// The information, as JSON or text
    pub(crate) body: String,
    /// Mark the information as trusted
    #[arg(long)]
    pub(crate) trusted: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("which").required(true))]
pub(crate) struct Verify {
    /// A mission: its id, a unique beginning or end of it, or `last`
    #[arg(value_name = "ID", group = "which")]
    pub(crate) mission: Option<String>,
    /// Every mission of the tenant
    #[arg(long, group = "which")]
    pub(crate) all: bool,
    /// A file written by `export` or `backup`; no store is needed
    #[arg(long, value_name = "FILE", group = "which")]
    pub(crate) file: Option<PathBuf>,
    /// A head printed by an earlier `verify`: the journal must still contain it. With --all, the head that begins with @
    #[arg(long, value_name = "HEAD")]
    pub(crate) head: Option<String>,
    /// A public key whose signatures are accepted, as printed by `adjutant sign`; may be repeated. Without --file the
    /// default is this installation's own key
    #[arg(long, value_name = "KEY")]
    pub(crate) signer: Vec<String>,
    /// With --file: the key file written by `export`, to check the content too
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(crate) key: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// Stop after this event
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<u64>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Missions: ids, unique beginnings or ends of them, or `last`
    #[arg(value_name = "ID", required_unless_present = "all")]
    pub(crate) missions: Vec<String>,
    /// Every mission of the tenant
    #[arg(long, conflicts_with = "missions")]
    pub(crate) all: bool,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Write the key that decrypts the content to this file; without it the export can be verified but not read
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The file written by `export`
    pub(crate) file: PathBuf,
    /// The key file written by `export`
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(crate) struct Erase {
    /// Missions: ids, unique beginnings or ends of them, or `last`
    #[arg(value_name = "ID", group = "what")]
    pub(crate) missions: Vec<String>,
    /// Every mission started with this --subject
    #[arg(long, value_name = "WHO", group = "what")]
    pub(crate) subject: Option<String>,
    /// The reason; it stays readable, so do not name a person
    #[arg(long, short, default_value = "asked for by its subject")]
    pub(crate) reason: String,
    /// Erase; without this, only show what would be erased
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Prune {
    /// Minimum days since the mission ended; the default is the setting `keeping.days`
    #[arg(long, value_name = "N")]
    pub(crate) days: Option<u32>,
    /// Remove; without this, only show what would be removed
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The file to write
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The file written by `backup`
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// Show the ids of the keys in use, not the keys
    Show(Json),
    /// Create a new master key, or a new key for the tenant; encrypted data is not rewritten
    Rotate {
        /// Rotate the tenant's key instead of the master key
        #[arg(long)]
        tenant: bool,
        #[command(flatten)]
        json: Json,
    },
}

impl Command {
    /// The output form for errors.
    pub(crate) fn form(&self) -> Form {
        let json = match self {
            Self::Mission(which) => which.json(),
            Self::Ask(ask) => ask.with.json.json,
            Self::Rate(rate) => rate.json.json,
            Self::Stats(stats) => stats.json.json,
            Self::Suggest(suggest) => suggest.json.json,
            Self::Run(run) => run.json.json,
            Self::Plan(Plan::Check { json, .. }) => json.json,
            Self::Serve(of) => of.json.json,
            Self::Access(Access::Add(add)) => add.json.json,
            Self::Access(Access::List(json) | Access::Revoke { json, .. }) => json.json,
            Self::Up(up) => up.json.json,
            Self::List(list) => list.json.json,
            Self::Show(show) => show.json.json,
            Self::Watch(watch) => watch.json.json,
            Self::Events(events) => events.json.json || events.session,
            Self::Inbox(json) | Self::Doctor(json) | Self::Stops(json) => json.json,
            Self::Stop(stop) => stop.json.json,
            Self::Fork(fork) => fork.json.json,
            Self::Compare(compare) => compare.json.json,
            Self::Allow(allow) => allow.json.json,
            Self::Verify(verify) => verify.json.json,
            Self::Replay(replay) => replay.json.json,
            Self::Export(export) => export.json.json,
            Self::Import(import) => import.json.json,
            Self::Erase(erase) => erase.json.json,
            Self::Prune(prune) => prune.json.json,
            Self::Backup(backup) => backup.json.json,
            Self::Restore(restore) => restore.json.json,
            Self::Keys(Keys::Show(json) | Keys::Rotate { json, .. }) | Self::Sign(json) => {
                json.json
            }
            Self::Budget(Budget::Show(json))
            | Self::Notify(Notify::List(json) | Notify::Test { json, .. }) => json.json,
            Self::Budget(Budget::Set(set)) => set.json.json,
            Self::Trigger(trigger) => trigger.json(),
            Self::Kb(kb) => kb.json(),
            Self::Models(models) => models.json(),
            Self::Tools(tools) => tools.json(),
            Self::Dev(_) => false,
            Self::Prompt(prompt) => prompt.json(),
            Self::Rules(rules) => rules.json(),
            Self::Guard(guard) => guard.json.json,
            Self::Redact(redact) => redact.json.json,
            Self::Bench(which) => which.json(),
            _ => false,
        };
        json.into()
    }
}
