//! The command line's grammar.

mod bench;
mod bench_serve;
mod dev;
mod kb;
mod mission;
mod models;
mod protect;
mod remote;
mod serve;
mod tools;
mod trigger;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::output::Form;

pub(crate) use bench::{
    Bench, BenchBytes, BenchChain, BenchCrash, BenchFanout, BenchLoad, BenchPause, BenchPaused,
    BenchPlace, BenchStore, CrashPart,
};
pub(crate) use bench_serve::{BenchMemory, BenchReaders, BenchReads, BenchServe, BenchServeCrash};
pub(crate) use dev::{Dev, DevApis};
pub(crate) use kb::{Kb, KbAdd, KbSearch};
pub(crate) use mission::{
    Ask, AutonomyOf, MissionOf, MissionStart, Rate, Report, ReportFormat, StartWith,
};
pub(crate) use models::{Models, ModelsTest, Prompt};
pub(crate) use protect::{Guard, OriginOf, Redact};
pub(crate) use remote::FromAfar;
pub(crate) use serve::{Access, AccessAdd, LogForm, Serve};
pub(crate) use tools::{Tools, ToolsCall};
pub(crate) use trigger::{Missed, Trigger, TriggerAdd, TriggerList, TriggerNext, When};

const EXIT_CODES: &str = "\
Exit codes:
  0    it worked
  1    the mission failed or was cancelled, or `verify` found damage
  2    bad usage or bad input: arguments, plan, settings, a refused command
  3    waiting for a human; the mission is safe
  4    trouble with the store or the host
  130  interrupted; the mission is safe";

fn after_long_help() -> String {
    format!(
        "{EXIT_CODES}\n\nSettings, of adjutant.toml (here or in the data folder) or the environment:\n{}",
        crate::settings::help()
    )
}

/// Runs missions: long work of tools and people that survives crashes, stays in its budget, and asks first.
#[derive(Debug, Parser)]
#[command(name = "adjutant", version, after_help = EXIT_CODES, after_long_help = after_long_help(), max_term_width = 100)]
#[command(arg_required_else_help = true, infer_subcommands = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) from_afar: FromAfar,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start missions of the catalogue, and see what there is
    #[command(subcommand)]
    Mission(MissionOf),
    /// Ask a question: the mission that serves it is started, or one that is finished answers
    Ask(Box<Ask>),
    /// Say what a mission's conclusion turned out to be worth; without one, how good confidences were so far
    Rate(Rate),
    /// Write what a mission hands over as Markdown, HTML, PDF or DOCX
    Report(Report),
    /// Run a plan and watch it
    Run(Run),
    /// Check plan files, and print their schema
    #[command(subcommand)]
    Plan(Plan),
    /// Carry on everything unfinished, and serve other terminals
    Up(Up),
    /// Carry on everything unfinished, and serve programs over HTTP
    Serve(Serve),
    /// Let people and programs in over HTTP, each with a key of their own
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
    /// List the questions that wait for a human
    Inbox(Json),
    /// Answer a question
    Decide(Decide),
    /// Keep a question for yourself for an hour
    Claim(Checkpoint),
    /// Give a claimed question back
    Release(Checkpoint),
    /// Start nothing more until `resume`
    Pause(Reasoned),
    /// Go on after `pause`
    Resume(Mission),
    /// Go on to the next layer, where a plan asks between layers
    Continue(Mission),
    /// Cancel a mission
    Abort(Abort),
    /// Change a mission's plan while it is carried out
    Replan(Replan),
    /// Stop a tool, a tenant, a provider of models, or everything at once
    Stop(Stop),
    /// Let go on what was stopped
    Allow(Allow),
    /// List what is stopped
    Stops(Json),
    /// Tell a mission something
    Inform(Inform),
    /// Begin another mission as this one stood at some event, and let it go another way
    Fork(Fork),
    /// Put two missions side by side: plan, decisions, results, cost and time
    Compare(Compare),
    /// Prove that journals are whole and unaltered
    Verify(Verify),
    /// Fold a journal again and compare with what is stored
    Replay(Replay),
    /// Sign where journals stand, now
    Sign(Json),
    /// Write missions to a file that anybody can verify
    Export(Export),
    /// Take in what was exported elsewhere, to read and verify it
    Import(Import),
    /// Destroy what missions say, for good; their record stays verifiable
    Erase(Erase),
    /// Remove the journals of missions that ended long ago
    Prune(Prune),
    /// Write the whole store to a file, also while a host runs
    Backup(Backup),
    /// Put a backup into an empty data folder
    Restore(Restore),
    /// Show or change the keys that seal the store
    #[command(subcommand)]
    Keys(Keys),
    /// Show what was spent, and say what may be
    #[command(subcommand)]
    Budget(Budget),
    /// Show who is told of questions and endings, and try it out
    #[command(subcommand)]
    Notify(Notify),
    /// Start missions or inform them at a time
    #[command(subcommand)]
    Trigger(Trigger),
    /// Take in the documents that missions may read, and search them
    #[command(subcommand)]
    Kb(Kb),
    /// Show who answers questions to models, and try them out
    #[command(subcommand)]
    Models(Models),
    /// Show the tools that plans call, and try them out
    #[command(subcommand)]
    Tools(Tools),
    /// Stand in on this machine for what is elsewhere
    #[command(subcommand)]
    Dev(Dev),
    /// Show what models are asked
    #[command(subcommand)]
    Prompt(Prompt),
    /// Show what the prompt guard finds in a text
    Guard(Guard),
    /// Print a text without its personal data
    Redact(Redact),
    /// Check the installation
    Doctor(Json),
    /// Print completions for a shell
    Completions { shell: clap_complete::Shell },
    /// Measure this machine
    #[command(subcommand)]
    Bench(Bench),
}

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// A plan file, YAML or JSON
    pub(crate) plan: PathBuf,
    /// Approve everything in advance that no rule reserves for a human
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Open the mission and return
    #[arg(long, short)]
    pub(crate) detach: bool,
    /// Give one of the plan's inputs another value; JSON, or text
    #[arg(long = "input", short, value_name = "NAME=VALUE")]
    pub(crate) inputs: Vec<String>,
    /// Whom the mission concerns, so that `erase --subject` finds it; may be repeated
    #[arg(long = "subject", value_name = "WHO")]
    pub(crate) subjects: Vec<String>,
    /// The campaign whose account is charged besides the tenant's
    #[arg(long, value_name = "NAME")]
    pub(crate) campaign: Option<String>,
    /// Only say what would happen: who does what, what it may cost, which questions will come
    #[arg(long, conflicts_with = "detach")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Budget {
    /// What the tenant and its campaigns have spent, hold in reserve, and may come to
    Show(Json),
    /// Say what an account may come to; what is not named stays as it is
    Set(BudgetSet),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Notify {
    /// The channels there are, and what they have not told yet or gave up
    List(Json),
    /// Send a test through a channel, now, and show the answer
    Test {
        /// The channel's name
        channel: String,
        #[command(flatten)]
        json: Json,
    },
}

const AMOUNTS: &str = "money=5.00, tokens=1000000, calls=500 or wall_time=2h; `none` lifts it";

#[derive(Debug, Args)]
pub(crate) struct BudgetSet {
    /// Whose account: `tenant`, or `campaign/NAME`
    #[arg(value_name = "ACCOUNT", default_value = "tenant")]
    pub(crate) owner: String,
    /// How long it counts
    #[arg(long, value_enum, default_value = "day")]
    pub(crate) per: Per,
    /// Never passed
    #[arg(long, value_name = "RESOURCE=AMOUNT", long_help = format!("Never passed: {AMOUNTS}"))]
    pub(crate) hard: Vec<String>,
    /// Past it a person is asked, once a mission
    #[arg(long, value_name = "RESOURCE=AMOUNT", long_help = format!("Past it a person is asked, once a mission: {AMOUNTS}"))]
    pub(crate) soft: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Per {
    /// From midnight to midnight, UTC
    Day,
    /// From the first mission to the last
    Total,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Plan {
    /// Say everything that is wrong with a plan file
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
    /// Ended missions too, and all of them
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
    /// How its agents came to what they concluded, step by step: all of them, or one task's
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
    /// Keep printing as they happen
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// As consoles and other programs are told of it: one JSON document a line, described in docs/events.md
    #[arg(long)]
    pub(crate) session: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Fork {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// The last event that it takes over, as `adjutant events` numbers them; without it, all there are
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<u64>,
    /// Make something different: `decision=approve`, `decision=reject`, `decision=OPTION` or `decision=NUMBER:…`
    /// answers a question that is open there; `input=NAME=VALUE` changes an input, `model=PROVIDER/MODEL` who is asked;
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
    /// Another one
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
    /// Asked for on a terminal if it is left out
    #[arg(value_enum)]
    pub(crate) verdict: Option<Verdict>,
    /// Which of the offered options
    #[arg(long, short)]
    pub(crate) option: Option<String>,
    /// Why, or what to keep in mind
    #[arg(long, short)]
    pub(crate) note: Option<String>,
    /// The change, as JSON or @file
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) change: Option<String>,
    /// Where the plan is in question: a patch file, as for `replan`
    #[arg(long, value_name = "FILE", conflicts_with = "change")]
    pub(crate) patch: Option<PathBuf>,
    /// At the final review: another text in the place of what a task wrote; what follows from it is done again
    #[arg(long, value_name = "TASK=TEXT|TASK=@FILE", conflicts_with_all = ["change", "patch", "redo"])]
    pub(crate) text: Option<String>,
    /// At the final review: a task to do again; may be repeated
    #[arg(long, value_name = "TASK")]
    pub(crate) redo: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Reasoned {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// Why; it stands in the journal
    #[arg(long, short)]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// One tool, for this tenant
    Tool,
    /// Every mission of this tenant
    Tenant,
    /// One provider of models, for this tenant
    Provider,
    /// Every mission of every tenant in the store
    All,
}

#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// What to stop; nothing new of it is begun, and missions that need it are paused
    #[arg(value_enum)]
    pub(crate) what: Option<What>,
    /// Which tool or provider
    pub(crate) name: Option<String>,
    /// Why; whoever wonders is shown it
    #[arg(long, short)]
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Allow {
    /// What was stopped; the missions that were paused for it go on, unless something else holds them
    #[arg(value_enum)]
    pub(crate) what: What,
    /// Which tool or provider
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Abort {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// Why; it stands in the journal
    #[arg(long, short)]
    pub(crate) reason: Option<String>,
    /// Undo what was done, newest first, where tasks say how
    #[arg(long)]
    pub(crate) undo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Replan {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// The patch: tasks to `add`, `change` and `drop`, and new `caps`
    #[arg(value_name = "PATCH")]
    pub(crate) file: PathBuf,
    /// Why; it stands in the journal
    #[arg(long, short)]
    pub(crate) reason: Option<String>,
    /// Only show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Inform {
    #[command(flatten)]
    pub(crate) mission: Mission,
    /// What it is about, such as `paper.new`
    pub(crate) topic: String,
    /// What is said, as JSON or text
    pub(crate) body: String,
    /// The mission may rely on it
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
    /// A file that `export` or `backup` wrote; nothing else is needed
    #[arg(long, value_name = "FILE", group = "which")]
    pub(crate) file: Option<PathBuf>,
    /// A head kept elsewhere, as `verify` printed it: it must still stand. With --all the one that begins with @
    #[arg(long, value_name = "HEAD")]
    pub(crate) head: Option<String>,
    /// A public key that may have signed, as `adjutant sign` prints it; repeat it for several. Without --file the
    /// default is this installation's own
    #[arg(long, value_name = "KEY")]
    pub(crate) signer: Vec<String>,
    /// With --file: the key that `export` wrote beside it, to read the content too
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
    /// Where to
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Write the key that opens the content to this file; without it the export can be verified, not read
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// What `export` wrote
    pub(crate) file: PathBuf,
    /// The key that `export` wrote beside it
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
    /// Every mission that was run with this --subject
    #[arg(long, value_name = "WHO", group = "what")]
    pub(crate) subject: Option<String>,
    /// Why; it stays readable, so name nobody
    #[arg(long, short, default_value = "asked for by its subject")]
    pub(crate) reason: String,
    /// Do it; without this only say what would be erased
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Prune {
    /// Days since a mission ended; the default is the setting `keeping.days`
    #[arg(long, value_name = "N")]
    pub(crate) days: Option<u32>,
    /// Do it; without this only say what would be removed
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// Where to
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// What `backup` wrote
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// Name the keys in use, without telling them
    Show(Json),
    /// Make a new master key, or a new key for the tenant; nothing sealed is rewritten
    Rotate {
        /// The tenant's key instead of the master key
        #[arg(long)]
        tenant: bool,
        #[command(flatten)]
        json: Json,
    },
}

impl Command {
    /// How failures are to be told.
    pub(crate) fn form(&self) -> Form {
        let json = match self {
            Self::Mission(which) => which.json(),
            Self::Ask(ask) => ask.with.json.json,
            Self::Rate(rate) => rate.json.json,
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
            Self::Guard(guard) => guard.json.json,
            Self::Redact(redact) => redact.json.json,
            Self::Bench(which) => which.json(),
            _ => false,
        };
        json.into()
    }
}
